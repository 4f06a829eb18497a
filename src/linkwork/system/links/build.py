"""From a mechanism to its `LinkTree`: spanning tree, elementary joints, frames, tables."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linkwork.kernels.records import new_record
from linkwork.kernels.tables import Bodies
from linkwork.mechanism.lowered import LoweredJoint
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.links.branches import Branch
from linkwork.system.links.displacements import Array, Displacement, identity
from linkwork.system.links.elementary import Chain, chain_of, constants
from linkwork.system.links.laying import Frames, Joined, Laid, write_links
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
    """A link while it is made: `before` is what stands between its parent's body and its elementary joint."""

    kind: int
    before: Displacement
    name: str
    units: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    parent: int = -1  # ground
    turn_per_q: float = 0.0
    slide_per_q: float = 0.0
    sense: float = 1.0  # of the reported coordinate against the link's
    drive: int = -1
    body: int = -1
    body_frame: Displacement = field(default_factory=identity)
    rows: tuple[int, ...] = ()

    @property
    def structure(self) -> tuple[Any, ...]:
        """What must be the same where links differ in numbers alone."""
        return self.kind, self.name, self.units, self.names, self.sense, self.drive, self.rows

    @property
    def joined(self) -> Joined:
        """Its numbers."""
        return Joined(self.before, self.body_frame, self.turn_per_q, self.slide_per_q)


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
        self.loaded = loaded
        self.joints = joints = mechanism.lowered.joints
        velocities = mechanism.system.rows.nonholonomic  # rows that hold velocities leave more places than motions
        self.many = [any(velocities[row] for row in joint.rows) for joint in joints]
        chains = [None if many else chain_of(joint) for joint, many in zip(joints, self.many, strict=True)]

        def weight_of(arc: Arc) -> int | None:
            return any_element(arc) if chains[arc.elements[0]] is not None else None

        self.topology = topology_of(mechanism, root, weight_of=weight_of)
        self.has_drivers = any(joint.kind == "driver" for joint in joints)
        self.drafts, self.branches = list[Draft](), list[Branch]()
        last: list[int] = []  # link of each label of the tree
        for k, a in enumerate(self.topology.tree.arc.tolist()):
            first = len(self.drafts)
            if a < 0:
                new = _floating(mechanism.body_names[int(self.topology.tree.body[k])])
            else:
                element, *drivers = self.topology.arcs[a].elements
                chain = chains[element]
                assert chain is not None
                new = self._joined(mechanism, k, chain)
                self.branches.append(Branch(k, element, chain, self._forward(k), first, bool(drivers)))
            above = self.topology.tree.parent[k]
            for n, one in enumerate(new):
                one.parent = first + n - 1 if n else last[above] if above >= 0 else -1
            new[-1].body = int(self.topology.tree.body[k])
            self.drafts += new
            last.append(len(self.drafts) - 1)
        self.frames = Frames(
            [one.parent for one in self.drafts],
            [one.kind for one in self.drafts],
            [one.body >= 0 for one in self.drafts],
            frames == "screws",
        )
        self.laid = self.frames.laid([one.joined for one in self.drafts])
        self._written = set[int]()  # links that have other numbers

    def _joined(self, mechanism: CompiledMechanism, k: int, chain: Chain) -> list[Draft]:
        """The links of label k of the tree."""
        arc = self.topology.arcs[self.topology.tree.arc[k]]
        joint = mechanism.lowered.joints[arc.elements[0]]
        new = _joined(mechanism, joint, chain, arc, self._forward(k))
        for one in new:
            if one.kind == REVOLUTE and not set(one.names).isdisjoint(self.loaded):
                one.kind = HELICAL
        return new

    def _forward(self, k: int) -> bool:
        return bool(self.topology.tree.sign[k] > 0)

    def tree(self, mechanism: CompiledMechanism) -> LinkTree:
        """The links of the mechanism that this is the plan of."""
        mechanism = mechanism.bare
        held = {row for one in self.drafts for row in one.rows}
        closing = np.array(sorted(set(range(mechanism.nc)) - held), dtype=np.int64)
        return _tables(mechanism, self.drafts, self.laid, closing)

    def lay(self, mechanism: CompiledMechanism, links: Links) -> bool:
        """Write the numbers of a mechanism with other ones into the links of this one. False where they are other
        links."""
        joints = mechanism.lowered.joints
        if self.has_drivers and arcs_of(mechanism) != self.topology.arcs:
            return False
        others: dict[int, Joined] = {}
        for branch in self.branches:
            if joints[branch.element] is not self.joints[branch.element]:
                found = self._other(mechanism, branch)
                if found is None:
                    return False
                numbers = enumerate(found, branch.first)
                others |= {k: one for k, one in numbers if not one.like(self.laid.joined[k])}
        laid, changed = self.frames.laid_anew(self.laid, others)
        for k in changed:
            if (laid.screw[k] is None) != (self.laid.screw[k] is None):
                return False
        write_links(links, laid, changed | self._written)
        self._written = changed
        return True

    def _other(self, mechanism: CompiledMechanism, branch: Branch) -> list[Joined] | None:
        """Numbers of what leads to a body, of a mechanism with other ones; None where it is of another structure."""
        joint, known = mechanism.lowered.joints[branch.element], self.joints[branch.element]
        links = self.laid.joined[branch.first : branch.first + max(1, len(branch.chain.steps))]
        if (made := branch.with_points(joint, known, links)) is not None:
            return made
        chain = None if self.many[branch.element] else chain_of(joint)
        if chain is None:
            return None
        drafts = self._joined(mechanism, branch.label, chain)
        known_drafts = self.drafts[branch.first : branch.first + len(drafts)]
        if [one.structure for one in drafts] != [one.structure for one in known_drafts]:
            return None
        return [one.joined for one in drafts]


def _floating(name: str) -> list[Draft]:
    """Free translation, then a spherical joint at the body's centre of mass."""
    axes = "xyz"
    return [
        Draft(TRANSLATION, identity(), name, UNITS[TRANSLATION], tuple(f"{name}.{c}" for c in axes)),
        Draft(SPHERICAL, identity(), name, UNITS[SPHERICAL], tuple(f"{name}.turn_{c}" for c in axes)),
    ]


def _joined(mechanism: CompiledMechanism, joint: LoweredJoint, chain: Chain, arc: Arc, forward: bool) -> list[Draft]:
    """The elementary joints of a joint, drivers on them taken in; its last link carries the child."""
    before, after = constants(chain, chain.markers, forward)
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


def _tables(mechanism: CompiledMechanism, drafts: list[Draft], laid: Laid, closing: Any) -> LinkTree:
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
            one.kind, parent, laid.screw[k] is None, dofs, poses, one.drive, one.body, k not in last,
            last[one.parent] == k,
        )  # fmt: skip
        dofs, poses, held = dofs + len(one.names), poses + (one.kind >= SPHERICAL), held + len(one.rows)
        links.joint_start[k + 1] = held
        if one.body >= 0:
            links.link_of_body[one.body] = k
    write_links(links, laid, range(n))
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
