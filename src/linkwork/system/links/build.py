"""From a mechanism to its `LinkTree`: spanning tree, elementary joints, frames, tables."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linkwork.kernels.records import new_record
from linkwork.kernels.tables import Bodies
from linkwork.mechanism.lowered import LoweredJoint
from linkwork.remembered import with_fields
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.links.displacements import (
    Array,
    Displacement,
    about_z,
    compose,
    identity,
    inverse,
    three_screws,
)
from linkwork.system.links.elementary import Chain, chain_of, constants
from linkwork.system.links.linktree import (
    FIXED,
    FREEDOMS,
    HELICAL,
    REVOLUTE,
    SPHERICAL,
    TRANSLATION,
    Links,
    LinkTree,
)
from linkwork.system.topology import Arc, topology_of
from linkwork.system.topology.arcs import any_element, arcs_of

UNITS = {FIXED: (), REVOLUTE: ("rad",), HELICAL: ("",), SPHERICAL: ("rad",) * 3, TRANSLATION: ("m",) * 3}


@dataclass
class Draft:
    """A link while it is made: `before` is what stands between its parent's frame and its elementary joint."""

    kind: int
    before: Displacement
    name: str
    units: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    parent: int = -1  # ground
    z_angle: float = 0.0
    z_shift: float = 0.0
    turn_per_q: float = 0.0
    slide_per_q: float = 0.0
    sense: float = 1.0  # of the reported coordinate against the link's
    drive: int = -1
    body: int = -1
    body_frame: Displacement = field(default_factory=identity)
    rows: tuple[int, ...] = ()
    screw: tuple[float, float] | None = None  # turn and shift about x, in place of `before`


def links_of(
    mechanism: CompiledMechanism, root: str | None = None, *, frames: str = "screws", loaded: Collection[str] = ()
) -> LinkTree:
    """The links of a mechanism along a spanning tree of its joint graph.

    root : body that the tree starts with, as in `topology_of`. frames : 'screws' lays frames along common normals of
    screw axes where it can, 'joints' leaves them at the joints' markers.
    loaded : coordinates with an inertia of their own, whose turns are taken for helical joints without lead: what is
    left of a branch's inertia beyond these resists the turn, too.
    Bodies that no joint of a known form holds float.
    """
    return LinkPlan(mechanism, root, frames=frames, loaded=loaded).tree(mechanism)


class LinkPlan:
    """How the links of a mechanism lie: its spanning tree, and the elementary joints of each joint of that. For others
    that differ in numbers, too. Arguments as of `links_of`."""

    def __init__(self, mechanism: CompiledMechanism, root: str | None, *, frames: str, loaded: Collection[str]) -> None:
        mechanism = mechanism.bare
        self.screws, self.loaded = frames == "screws", loaded
        self.joints = joints = mechanism.lowered.joints
        velocities = mechanism.system.rows.nonholonomic  # rows that hold velocities leave more places than motions
        self.many = [any(velocities[row] for row in joint.rows) for joint in joints]
        chains = [None if many else chain_of(joint) for joint, many in zip(joints, self.many, strict=True)]

        def weight_of(arc: Arc) -> int | None:
            return any_element(arc) if chains[arc.elements[0]] is not None else None

        self.topology = topology_of(mechanism, root, weight_of=weight_of)
        self.has_drivers = any(joint.kind == "driver" for joint in joints)
        self.made: list[list[Draft]] = []  # of each label of the tree, by themselves
        for k, a in enumerate(self.topology.tree.arc.tolist()):
            if a < 0:
                self.made.append(_floating(mechanism.body_names[int(self.topology.tree.body[k])]))
                continue
            chain = chains[self.topology.arcs[a].elements[0]]
            assert chain is not None
            self.made.append(self._joined(mechanism, k, chain))

    def _joined(self, mechanism: CompiledMechanism, k: int, chain: Chain) -> list[Draft]:
        """The links of label k of the tree."""
        arc = self.topology.arcs[self.topology.tree.arc[k]]
        joint = mechanism.lowered.joints[arc.elements[0]]
        new = _joined(mechanism, joint, chain, arc, bool(self.topology.tree.sign[k] > 0))
        for one in new:
            if one.kind == REVOLUTE and not set(one.names).isdisjoint(self.loaded):
                one.kind = HELICAL
        return new

    def _drafts(self, made: list[list[Draft]]) -> list[Draft]:
        """All links in a row, their frames laid."""
        tree, drafts, link_of_label = self.topology.tree, list[Draft](), list[int]()
        for k, some in enumerate(made):
            new = [with_fields(one) for one in some]
            parent = link_of_label[tree.parent[k]] if tree.parent[k] >= 0 else -1
            if parent >= 0:  # from the parent's link, which need not be where its body is
                new[0].before = compose(drafts[parent].body_frame, new[0].before)
            for n, one in enumerate(new):
                one.parent = parent if n == 0 else len(drafts) - 1
                drafts.append(one)
            drafts[-1].body = int(tree.body[k])
            link_of_label.append(len(drafts) - 1)
        if self.screws:
            _lay_frames(drafts)
        return drafts

    def tree(self, mechanism: CompiledMechanism) -> LinkTree:
        """The links of the mechanism that this is the plan of."""
        mechanism = mechanism.bare
        held = {row for some in self.made for row in some[-1].rows}
        closing = np.array(sorted(set(range(mechanism.nc)) - held), dtype=np.int64)
        return _tables(mechanism, self._drafts(self.made), closing)

    def lay(self, mechanism: CompiledMechanism, links: Links) -> bool:
        """Write the numbers of a mechanism with other ones into the links of this one. False where they are other
        links; some may be written then."""
        joints = mechanism.lowered.joints
        if self.has_drivers and arcs_of(mechanism) != self.topology.arcs:
            return False
        made = list(self.made)
        for k, a in enumerate(self.topology.tree.arc.tolist()):
            if a < 0:
                continue
            element, *_ = self.topology.arcs[a].elements
            if joints[element] is self.joints[element]:
                continue
            chain = None if self.many[element] else chain_of(joints[element])
            if chain is None:
                return False
            made[k] = self._joined(mechanism, k, chain)
            if list(map(_structure, made[k])) != list(map(_structure, self.made[k])):
                return False
        drafts = self._drafts(made)
        if [one.screw is None for one in drafts] != [bool(one) for one in links.is_general.tolist()]:
            return False
        _write(links, drafts)
        return True


def _structure(one: Draft) -> tuple[Any, ...]:
    """What must be the same where links differ in numbers alone."""
    return one.kind, one.name, one.units, one.names, one.sense, one.drive, one.rows


def _floating(name: str) -> list[Draft]:
    """Free translation, then a spherical joint at the body's centre of mass."""
    axes = "xyz"
    return [
        Draft(TRANSLATION, identity(), name, UNITS[TRANSLATION], tuple(f"{name}.{c}" for c in axes)),
        Draft(SPHERICAL, identity(), name, UNITS[SPHERICAL], tuple(f"{name}.turn_{c}" for c in axes)),
    ]


def _joined(mechanism: CompiledMechanism, joint: LoweredJoint, chain: Chain, arc: Arc, forward: bool) -> list[Draft]:
    """The elementary joints of a joint, drivers on them taken in; its last link carries the child."""
    before, after = constants(chain, forward)
    sign = 1.0 if forward else -1.0
    steps = chain.steps if forward else chain.steps[::-1]
    if not steps:
        return [Draft(FIXED, before[0], joint.name, body_frame=after, rows=joint.rows)]
    kinds = [step.name for step in steps]
    out = []
    for step, T in zip(steps, before, strict=True):
        alike = [id(one) for one in chain.steps if one.name == step.name]
        label = f"{joint.name}.{step.name}" + (f"_{1 + alike.index(id(step))}" if len(alike) > 1 else "")
        names = (label,) if step.kind in (REVOLUTE, HELICAL) else tuple(f"{label}_{c}" for c in "xyz")
        units = (step.unit,) * FREEDOMS[step.kind]
        turn, slide = (sign * step.turn, sign * step.slide) if step.kind in (REVOLUTE, HELICAL) else (0.0, 0.0)
        sense = 1.0
        if step.kind == REVOLUTE:  # a revolute joint's coordinate turns the child, whichever way the joint is taken
            turn, sense = 1.0, sign
        out.append(
            Draft(
                step.kind,
                T,
                joint.name,
                units,
                names,
                turn_per_q=turn,
                slide_per_q=slide,
                sense=sense,
            )
        )
    out[-1].body_frame = after
    rows = list(joint.rows)
    for element in arc.elements[1:]:
        driver = mechanism.lowered.joints[element]
        for step, one in zip(steps, out, strict=True):
            if step.name == driver.type and one.drive < 0 and kinds.count(step.name) == 1:
                one.drive, one.kind, one.names, one.units = driver.rows[0], FIXED, (), ()
                one.turn_per_q *= one.sense
                rows += driver.rows
    out[-1].rows = tuple(rows)
    return out


def _lay_frames(drafts: list[Draft]) -> None:
    """Move frames along and about the z axes of revolute and helical joints, so that the way to a child is one screw
    about x.

    A link's frame can serve one child so, the first that such a joint leads to.
    """
    children: list[list[Draft]] = [[] for _ in drafts]
    for one in drafts:
        if one.parent >= 0:
            children[one.parent].append(one)
    for parent, below in zip(drafts, children, strict=True):
        if parent.kind > HELICAL:
            continue
        for child in below:
            split = three_screws(child.before) if child.kind <= HELICAL else None
            if split is not None:
                first, (turn, a), last = split
                parent.z_angle, parent.z_shift = parent.z_angle + first[0], parent.z_shift + first[1]
                back = inverse(about_z(*first))
                parent.body_frame = compose(back, parent.body_frame)
                for one in below:
                    one.before = compose(back, one.before)
                child.screw, child.z_angle, child.z_shift = (turn, a), child.z_angle + last[0], child.z_shift + last[1]
                break


def _tables(mechanism: CompiledMechanism, drafts: list[Draft], closing: Any) -> LinkTree:
    """The drafts as tables that kernels read. closing : rows that no joint of the tree holds."""
    n, nb = len(drafts), mechanism.nb
    last = {one.parent: k for k, one in enumerate(drafts)}
    body_i = mechanism.system.rows.body_i
    rows = [row for one in drafts for row in one.rows]
    links = new_record(
        Links, n=n, nb=nb, held=len(rows), m=len(closing), others=sum(one.kind != REVOLUTE for one in drafts)
    )
    links.link_of_body[:] = n
    links.joint_row[:], links.closing[:] = rows, closing
    links.joint_side[:] = [0 if body_i[row] == one.body else 1 for one in drafts for row in one.rows]
    dofs = poses = held = 0
    for k, one in enumerate(drafts):
        parent = one.parent if one.parent >= 0 else n
        links.numbers[k, :9] = (
            one.kind, parent, one.screw is None, dofs, poses, one.drive, one.body, k not in last, last[one.parent] == k,
        )  # fmt: skip
        dofs, poses, held = dofs + len(one.names), poses + (one.kind >= SPHERICAL), held + len(one.rows)
        links.joint_start[k + 1] = held
        if one.body >= 0:
            links.link_of_body[one.body] = k
    _write(links, drafts)
    set_rigid_bodies(links, mechanism.system.bodies)
    links.not_revolute[:] = np.flatnonzero(links.kind != REVOLUTE)
    return LinkTree(
        links,
        coordinates=tuple(name for one in drafts for name in one.names),
        units=tuple(unit for one in drafts for unit in one.units),
        quasi=tuple(one.kind == SPHERICAL for one in drafts for _ in one.names),
        sense=np.array([one.sense for one in drafts for _ in one.names]),
        names=tuple(one.name for one in drafts),
    )


def _write(links: Links, drafts: list[Draft]) -> None:
    """The numbers of links, but for inertias."""
    screws = []
    for one in drafts:
        turn, a = one.screw or (0.0, 0.0)
        c, s = math.cos(turn), math.sin(turn)
        screws.append((a, c, s, 2.0 * c, c * c, s * s, c * s, one.z_shift, one.turn_per_q, one.slide_per_q))
    links.screws[:] = np.array(screws).reshape(-1, 10)
    links.angle_0[:] = [one.z_angle for one in drafts]
    links.fixed[:, :9], links.fixed[:, 9:] = _stacked([one.before for one in drafts])
    links.body_frame[:, :9], links.body_frame[:, 9:] = _stacked([one.body_frame for one in drafts])


def _stacked(some: list[Displacement]) -> tuple[Array, Array]:
    """(n, 9) turns and (n, 3) shifts."""
    return np.array([one[0] for one in some]).reshape(-1, 9), np.array([one[1] for one in some]).reshape(-1, 3)


def set_rigid_bodies(links: Links, bodies: Bodies) -> None:
    """The links' inertias, of these bodies."""
    carrying = links.body >= 0
    b = links.body[carrying]
    links.rigid[carrying] = rigid_bodies(
        bodies.mass[b], bodies.inertia[b].reshape(-1, 3, 3), links.body_frame[carrying]
    )


def rigid_bodies(mass: Array, inertia: Array, place: Array) -> Array:
    """(n, 10) of bodies in frames where their own, at the centres of mass, stand at places (n, 12)."""
    R, c = place[:, :9].reshape(-1, 3, 3), place[:, 9:]
    over = np.zeros((len(mass), 3, 3))  # c~: c~ c~^T = |c|^2 1 - c c^T, whose diagonal loses digits as a difference
    over[:, 2, 1], over[:, 0, 2], over[:, 1, 0] = c.T
    over -= over.swapaxes(1, 2)
    I = R @ inertia @ R.swapaxes(1, 2) + mass[:, None, None] * (over @ over.swapaxes(1, 2))
    found = np.empty((len(mass), 10))
    found[:, :3], found[:, 3:5], found[:, 5], found[:, 6:9], found[:, 9] = (
        I[:, 0], I[:, 1, 1:], I[:, 2, 2], mass[:, None] * c, mass,
    )  # fmt: skip
    return found
