"""Couplings and rotors in a tree of links: inertia of a coordinate, or closing rows behind those of joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from linkwork.errors import SingularPositionError
from linkwork.system import CompiledMechanism
from linkwork.system.dense import Pose
from linkwork.system.links import LinkTree
from linkwork.system.rank import rank_at


def rotors_of(mechanism: CompiledMechanism, tree: LinkTree) -> tuple[dict[str, float], list[int]]:
    """Inertia of rotors by coordinate, 'hip.angle', where it is a joint's only one, in the tree and not driven; and the
    numbers of other rotors among all couplings."""
    if not len(mechanism.couplings.about):
        return {}, []
    single = {name for name in tree.coordinates if tree.names.count(name.rpartition(".")[0]) == 1}
    found: dict[str, float] = {}
    others: list[int] = []
    for k, one in enumerate(mechanism.lowered.couplings):
        if one.rigid:
            continue
        if one.on in single:
            found[one.on] = found.get(one.on, 0.0) + one.inertia * one.terms[0].polynomial[0] ** 2
        else:
            others.append(k)
    return found, others


def with_couplings(mechanism: CompiledMechanism, tree: LinkTree, rotors: Sequence[int]) -> LinkTree:
    """The tree, the rigid couplings among its closing rows, and behind them these rotors, which are no rows of the
    mechanism (-1)."""
    if not mechanism.rigid and not rotors:
        return tree
    couplings = np.arange(mechanism.nc - mechanism.rigid, mechanism.nc)
    closing = np.concatenate([tree.links.closing, couplings, np.full(len(rotors), -1)])
    return replace(tree, links=tree.links._replace(closing=closing))


def need_independent_couplings(mechanism: CompiledMechanism) -> None:
    """Raise SingularPositionError where a coupling says what joints, drivers or other couplings say: of rows that
    depend on each other any may be left out, and reactions are shared out among those of joints alone."""
    first = mechanism.nc - mechanism.rigid
    found = rank_at(mechanism, Pose(mechanism.r, mechanism.A)).redundant if mechanism.rigid else ()
    if said := [f"'{mechanism.row_names[k]}'" for k in found if k >= first]:
        raise SingularPositionError(
            f"couplings that other rows imply: {', '.join(said)}.",
            element=f"mechanism {mechanism.lowered.name!r}",
            remedy="Take them out.",
        )
