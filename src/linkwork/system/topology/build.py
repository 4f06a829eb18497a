"""From a mechanism to its `Topology`: arcs, roots, spanning forest, labels, loops, in this order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from linkwork.errors import UsageError
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.mechanism.elements import GROUND
from linkwork.system.compiled import CompiledMechanism, compile_mechanism
from linkwork.system.topology.arcs import Arc, WeightOf, any_element, arcs_of
from linkwork.system.topology.labels import integers, label
from linkwork.system.topology.loops import cuts_of
from linkwork.system.topology.spanning import Forest, Search, parts_of
from linkwork.system.topology.topology import Topology, number_of

FEW = 60  # bodies of a topology that is remembered


def topology_of(
    mechanism: Mechanism | CompiledMechanism,
    root: str | Sequence[str] | None = None,
    *,
    search: Search = "breadth",
    weight_of: WeightOf = any_element,
) -> Topology:
    """The joint graph of a mechanism and a spanning tree of it.

    Parameters
    ----------
    root : the body that the tree of its part starts with, or one for each of several parts. By default bodies tied to
        ground hang on ground, and a floating tree on a body in its middle. A root that a joint ties to ground hangs on
        ground by this joint alone, any other floats; further joints between its part and ground are cut.
    search : 'breadth' keeps joints of many rows in the tree, cuts those of few, and keeps the tree low. 'depth' goes to
        the end of a branch first: every cut joint then joins a body and one of its ancestors.
    weight_of : what an arc is worth as a joint of the tree, None: always cut; `any_element` or `joints_only`.

    Raises UsageError for a root that does not exist, a second one in the same part, or another `search`.
    """
    if not isinstance(mechanism, CompiledMechanism):
        need_mechanism(mechanism)
        mechanism = compile_mechanism(mechanism.lower())
    mechanism = mechanism.bare
    if search not in ("breadth", "depth"):
        raise UsageError(f"there is no search {search!r}.", remedy="Use 'breadth' or 'depth'.")
    bodies, arcs = tuple(mechanism.body_names), arcs_of(mechanism)
    asked = root if root is None or isinstance(root, str) else tuple(root)
    graph = mechanism.lowered.name, bodies, arcs, tuple(map(weight_of, arcs)), mechanism.nc, asked, search
    return _remembered(*graph) if len(bodies) <= FEW else _topology(*graph)


def _topology(
    name: str,
    bodies: tuple[str, ...],
    arcs: tuple[Arc, ...],
    weights: tuple[int | None, ...],
    nc: int,
    root: str | tuple[str, ...] | None,
    search: Search,
) -> Topology:
    """The topology of these bodies and arcs, which are worth `weights` as joints of the tree."""
    part, grounded = parts_of(len(bodies), arcs)
    forest = Forest(len(bodies), arcs, list(weights))
    for body in _roots(bodies, root, part, grounded):
        forest.grow_from(body, search)
    forest.grow_from_ground(search)
    forest.let_float(search)
    tree = label(forest.parent, forest.arc, part, arcs)
    number, row_arc = np.zeros(len(bodies), dtype=np.int64), np.zeros(nc, dtype=np.int64)
    number[tree.body] = np.arange(len(bodies))
    for a, arc in enumerate(arcs):
        row_arc[list(arc.rows)] = a
    return Topology(
        name, bodies, arcs, tree, cuts_of(tree, arcs), integers(number), integers(row_arc), tuple(grounded), search
    )


_remembered = lru_cache(64)(_topology)  # of mechanisms that differ in lengths; its arrays are read-only


def _roots(
    bodies: tuple[str, ...], root: str | Sequence[str] | None, part: list[int], grounded: list[bool]
) -> list[int]:
    """The bodies asked for as roots, by number."""
    names = [] if root is None else [root] if isinstance(root, str) else list(root)
    if GROUND in names and not any(grounded):
        raise UsageError("ground cannot be the root: no joint ties a body to it.", remedy="Name a body, or no root.")
    wanted = [number_of(bodies, name) for name in names if name != GROUND]
    taken: dict[int, int] = {}
    for body in wanted:
        other = taken.setdefault(part[body], body)
        if other != body:
            both = f"{bodies[other]!r} and {bodies[body]!r}"
            raise UsageError(f"{both} are joined to each other: their tree has one root.", remedy="Name one of them.")
    return list(taken.values())
