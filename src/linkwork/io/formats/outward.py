"""What the writers of robots' formats share: a spanning tree from ground, coordinates at the start, the account."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from linkwork.mechanism import Mechanism
from linkwork.mechanism.account import APPROXIMATED, MAPPED, REFUSED, Account, AccountEntry
from linkwork.mechanism.couplings.base import Coordinates, JointCoupling
from linkwork.mechanism.couplings.rotor import Rotor
from linkwork.mechanism.elements import GROUND, Array
from linkwork.mechanism.forces.joint_spring import JointSpring
from linkwork.mechanism.forces.spherical_spring import SphericalSpring
from linkwork.mechanism.forces.spring import Spring
from linkwork.mechanism.forces.torsion import Torsion
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.joints.free import Free
from linkwork.mechanism.joints.spherical import Spherical
from linkwork.mechanism.markers import Poses


class Arc(NamedTuple):
    """A joint of the tree, seen from the base: frames R and p on both bodies, from centres of mass in body axes."""

    joint: Joint
    parent: str
    child: str
    R_parent: Array
    p_parent: Array
    R_child: Array
    p_child: Array


class Acting(NamedTuple):
    """Spring and damper about or along a joint's coordinate; rest : its value without force."""

    stiffness: float
    damping: float
    rest: float


class Tied(NamedTuple):
    """constant + sum over joints of p_1 q + p_2 q^2 + p_3 q^3 + p_4 q^4 = 0."""

    constant: float
    joints: tuple[str, ...]
    powers: tuple[tuple[float, ...], ...]

    @property
    def linear(self) -> bool:
        """Whether it has first powers alone."""
        return not any(any(p[1:]) for p in self.powers)


_KINDS = ("bodies", "joints", "drivers", "constraints", "forces", "couplings")


@dataclass
class Outward:
    """A mechanism on its way into a robot's format."""

    mechanism: Mechanism
    format: str
    file: str
    poses: Poses = field(init=False)
    tree: list[Arc] = field(default_factory=list)
    closing: list[Joint] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)  # bodies that no joint leads to
    acting: dict[str, Acting] = field(default_factory=dict)  # by joint
    _called: dict[str, str] = field(default_factory=dict)
    _entries: list[AccountEntry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.poses = Poses(self.mechanism.bodies)
        self._names = {one.name for kind in _KINDS for one in getattr(self.mechanism, kind)} | {GROUND}
        self._span()
        self._forces()

    def say(self, kind: str, name: str, outcome: str, how: str = "") -> None:
        """Note what became of an element of the mechanism."""
        self._entries.append(AccountEntry(f"{kind} {name!r}", 0, outcome, how))

    def fresh(self, name: str) -> str:
        """The name for a part of the file that is no element of the mechanism, or this name and a number."""
        found, k = name, 1
        while found in self._names:
            k += 1
            found = f"{name} ({k})"
        self._names.add(found)
        return found

    def reserve(self, name: str) -> None:
        """A name that the format has for ground: a body of this name gets another, and the account says so."""
        if any(body.name == name for body in self.mechanism.bodies):
            self._called[name] = self.fresh(name)
            self.say("name of body", name, APPROXIMATED, f"{self.format} calls ground so; it is {self._called[name]!r}")

    def called(self, body: str) -> str:
        """The name of a body in the file."""
        return self._called.get(body, body)

    def account(self) -> Account:
        """One entry for each element of the mechanism, and for what stands in one besides."""
        return Account(self.format, self.file, tuple(self._entries))

    def rest(self) -> None:
        """Elements that no robot's format holds."""
        for driver in self.mechanism.drivers:
            self.say("driver", driver.name, REFUSED, f"{self.format} has no prescribed motions")
        for row in self.mechanism.constraints:
            self.say("constraint", row.name, REFUSED, f"{self.format} has no raw constraints")
        for force in self.mechanism.forces:
            if force.name not in self._written:
                self.say("force", force.name, REFUSED, f"{self.format} has no such force element")
        for coupling in self.mechanism.couplings:
            if coupling.name not in self._written:
                self.say("coupling", coupling.name, REFUSED, f"{self.format} has no such coupling")
        for name in self.mechanism.sensors:
            self.say("sensor", name, APPROXIMATED, "not written: it acts on nothing")

    def tied(self, coupling: JointCoupling) -> list[Tied]:
        """The rows of a coupling over coordinates as the file's joints count them; none where these are not there."""
        arcs = {arc.joint.name: arc for arc in self.tree if len(arc.joint.coordinates) == 1}
        joints = {joint.name: joint for joint in self.mechanism.joints}
        on = [one.joint for one in coupling.on()]
        rows = coupling.lower(Coordinates(self.poses, joints))
        if any(name not in arcs for name in on) or any(term.table for row in rows for term in row.terms):
            return []
        found = []
        for n, row in enumerate(rows):
            names = on if len(row.terms) == len(on) else [on[n + 1], on[0]]  # of a belt: a pulley, and the first
            senses = [1.0 if arcs[name].parent == arcs[name].joint.first else -1.0 for name in names]
            powers = [
                tuple(c * sense**k for k, c in enumerate(term.polynomial, 1))
                for sense, term in zip(senses, row.terms, strict=True)
            ]
            found.append(Tied(row.constant, tuple(names), tuple(powers)))
        return found

    def wrote(self, coupling: JointCoupling, how: str) -> None:
        """A coupling is in the file."""
        self._written.add(coupling.name)
        self.say("coupling", coupling.name, APPROXIMATED if how else MAPPED, how)

    def couplings(self) -> list[JointCoupling]:
        """Those that tie coordinates to each other."""
        return [one for one in self.mechanism.couplings if not isinstance(one, Rotor)]

    def rotors(self, joint: str, *, on_all: bool = False) -> float:
        """The inertia that rotors add to a joint's coordinate, which then is written. on_all : on all of several."""
        found = [one for one in self.mechanism.couplings if isinstance(one, Rotor) and one.joint == joint]
        found = [one for one in found if one.coordinate is None or not on_all]
        self._written.update(one.name for one in found)
        for one in found:
            self.say("coupling", one.name, MAPPED)
        return sum(one.inertia * one.ratio**2 for one in found)

    def _span(self) -> None:
        """Breadth first from ground; free joints last, so that what holds something comes first."""
        holding = [j for j in self.mechanism.joints if not isinstance(j, Free)]
        free = [j for j in self.mechanism.joints if isinstance(j, Free)]
        reached, used = {GROUND}, set()
        waiting = [GROUND]
        names = [body.name for body in self.mechanism.bodies]
        while True:
            while waiting:
                here = waiting.pop(0)
                for joint in holding:
                    ends = (joint.first, joint.second)
                    if joint.name in used or here not in ends or set(ends) <= reached:
                        continue
                    used.add(joint.name)
                    other = ends[1] if ends[0] == here else ends[0]
                    self._arc(joint, here, other)
                    reached.add(other)
                    waiting.append(other)
            left = [name for name in names if name not in reached]
            if not left:
                break
            start = next((j for j in free if GROUND in (j.first, j.second) and {j.first, j.second} & set(left)), None)
            if start is None:
                self.loose.append(left[0])
                waiting, reached = [left[0]], reached | {left[0]}
            else:
                other = start.second if start.first == GROUND else start.first
                used.add(start.name)
                self._arc(start, GROUND, other)
                waiting, reached = [other], reached | {other}
        self.closing = [joint for joint in holding if joint.name not in used]

    def _arc(self, joint: Joint, parent: str, child: str) -> None:
        first, second = joint.markers(self.poses)
        ends = [(np.column_stack([m.x, m.y, m.z]), np.array(m.point)) for m in (first, second)]
        if joint.first != parent:
            ends.reverse()
        (R_parent, p_parent), (R_child, p_child) = ends
        self.tree.append(Arc(joint, parent, child, R_parent, p_parent, R_child, p_child))

    def pose(self, name: str) -> tuple[Array, Array]:
        """A and r of a body's centre-of-mass frame at the start."""
        r, A = self.poses.pose(self.poses.index(name))
        return A, r

    def coordinate(self, arc: Arc) -> float:
        """The angle or displacement of a joint at the start, as from parent to child."""
        A, r = self.pose(arc.parent)
        B, s = self.pose(arc.child)
        frame = A @ arc.R_parent
        if "angle" in arc.joint.coordinates:
            x = frame.T @ B @ arc.R_child[:, 0]
            return math.atan2(x[1], x[0])
        d = s + B @ arc.p_child - r - A @ arc.p_parent
        return float(frame[:, 2] @ d)

    # forces ------------------------------------------------------------------------------------------------------

    def _forces(self) -> None:
        """Springs and dampers that act about or along one joint of one freedom, or in a ball."""
        self._written: set[str] = set()
        arcs = {arc.joint.name: arc for arc in self.tree if len(arc.joint.coordinates) == 1}
        spherical = {arc.joint.name: arc for arc in self.tree if isinstance(arc.joint, Spherical)}
        for force in self.mechanism.forces:
            found: Acting | None = None
            name: str | None = None
            if isinstance(force, Torsion) and force.joint in arcs and force.actuator == 0.0:
                name, found = force.joint, _constant(force.stiffness, force.damping, force.angle)
            elif isinstance(force, Spring) and force.actuator == 0.0:
                name, found = self._along(force, arcs)
            elif isinstance(force, JointSpring) and force.joint in arcs and force.force == 0.0:
                name, found = force.joint, _constant(force.stiffness, force.damping, force.free)
            elif isinstance(force, SphericalSpring) and force.joint in spherical and self._free_at_start(force):
                name, found = force.joint, _constant(force.stiffness, force.damping, 0.0)
            if found is None or name is None:
                continue
            if name in self.acting:
                continue  # a second one: refused
            if name in arcs and arcs[name].parent != arcs[name].joint.first:
                found = found._replace(rest=-found.rest)
            self.acting[name] = found
            self._written.add(force.name)

    def _free_at_start(self, force: SphericalSpring) -> bool:
        """Whether a ball's spring is free at the start, as formats have it; dampers are anywhere."""
        joint = next(one for one in self.mechanism.joints if one.name == force.joint)
        at_start = force.model_copy(update={"free": None}).free_rotation(self.poses, joint)
        apart = float(np.max(np.abs(force.free_rotation(self.poses, joint) - at_start)))
        return force.stiffness == 0.0 or apart < 1e-12

    def _along(self, force: Spring, arcs: dict[str, Arc]) -> tuple[str | None, Acting | None]:
        """A spring between two points of a sliding joint's axis, as the coordinate has it."""
        ends = {force.first, force.second}
        for name, arc in arcs.items():
            joint = arc.joint
            if {joint.first, joint.second} != ends or joint.coordinates != ("displacement",):
                continue
            low = force.lower(self.poses, {})
            i, j = joint.markers(self.poses)
            if force.first != joint.first:
                return None, None
            a, b = np.array(low.s_i) - np.array(i.point), np.array(low.s_j) - np.array(j.point)
            back, ahead = float(a @ np.array(i.z)), float(b @ np.array(j.z))
            off = np.linalg.norm(a - back * np.array(i.z)) + np.linalg.norm(b - ahead * np.array(j.z))
            if off < 1e-12 * max(1.0, abs(back)) and back - ahead < -1.0:
                return name, _constant(force.stiffness, force.damping, low.rest + back - ahead)
        return None, None


def _constant(stiffness: Any, damping: Any, rest: Any) -> Acting | None:
    """Formats hold numbers, not formulas."""
    numbers = [float(x) for x in (stiffness, damping, rest) if isinstance(x, int | float)]
    return Acting(*numbers) if len(numbers) == 3 else None


def number(*values: Any) -> str:
    """Numbers as text that is read back the same; -0 is 0."""
    return " ".join(repr(float(x) + 0.0) for x in values)


def escaped(text: str) -> str:
    """Text for an attribute."""
    for old, new in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(old, new)
    return text


__all__ = ["APPROXIMATED", "MAPPED", "REFUSED", "Acting", "Arc", "Outward", "Tied", "escaped", "number"]
