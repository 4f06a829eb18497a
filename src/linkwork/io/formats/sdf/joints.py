"""Joints of an SDF model: one of ours, or a chain of them with massless bodies between, or a coupling of two others.

Coordinates are zero in the pose of the file. An <axis> brings a spring and damper, and <mimic>, of its coordinate.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.names import UniqueNames
from linkwork.io.formats.sdf.places import MODEL, Places
from linkwork.io.formats.sdf.worlds import flag
from linkwork.io.formats.smooth_laws import NO_FRICTION, NO_LIMITS, Effort, SmoothLaws
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.account import REFUSED
from linkwork.mechanism.elements import Array, did_you_mean, shown

TYPES = {"revolute": "revolute", "continuous": "revolute", "prismatic": "translational", "fixed": "fixed",
         "ball": "spherical"}  # fmt: skip
CROSSES, SCREW, GEARBOX = ("universal", "revolute2"), "screw", "gearbox"
ALL = (*TYPES, *CROSSES, SCREW, GEARBOX)
FAR = 100.0  # m: a spring between two points of the axis acts along it exactly while they stay apart
PARALLEL = 1e-9  # largest sine between axes that are the same
ENDLESS = 1e15  # a limit that far is none: SDF's defaults are -1e16 and 1e16
ACROSS = 1e-9  # largest cosine between the axes of a universal joint


class Joints:
    """What the joints of a model become; `body` gives a link's body, ground for the world."""

    def __init__(
        self,
        ledger: Ledger,
        names: UniqueNames,
        places: Places,
        body: Callable[[Node, str], str],
        laws: SmoothLaws,
    ) -> None:
        self.ledger, self.names, self.places, self.body, self.laws = ledger, names, places, body, laws
        self.joints: list[dict[str, Any]] = []
        self.forces: list[dict[str, Any]] = []
        self.couplings: list[dict[str, Any]] = []
        self.between: list[dict[str, Any]] = []  # massless bodies
        self._axes: dict[tuple[str, str], tuple[str, Array]] = {}  # (SDF's joint, axis tag) -> our joint, axis
        self._ends: dict[str, tuple[str, str]] = {}  # of our joints of one coordinate, first and second body
        self.unstopped: list[str] = []  # joints with limits at which nothing stops them
        self._later: list[Callable[[], None]] = []

    def read(self, node: Node, parent: str, child: str) -> None:
        """One joint of the file between two links."""
        given, first, second = self.ledger.text(node, "type"), self.body(node, parent), self.body(node, child)
        if given not in ALL:
            raise self.ledger.wrong(
                node, f"has the type {shown(given)}, which does not exist{did_you_mean(given, ALL)}"
            )
        if first == second:
            raise self.ledger.wrong(node, "joins a link to itself.")
        R, p = self.places.pose(node.attributes["name"], node)
        axis, axis2 = (self.ledger.only(node, tag) for tag in ("axis", "axis2"))
        if given == GEARBOX:
            self._later.append(lambda: self._gearbox(node, parent, child, R))
            return
        name = self.names.new(node.attributes["name"], "joint")
        fields: dict[str, Any] = {"name": name, "first": first, "second": second, "point": p.tolist()}
        if given in CROSSES:
            self._cross(node, fields, (axis, axis2), R)
        elif given == SCREW:
            lead = self._lead(node)
            self._single(node, {**fields, "type": "screw", "lead": lead}, axis, R, lead / (2.0 * math.pi))
        elif TYPES[given] in ("revolute", "translational"):
            self._single(node, {**fields, "type": TYPES[given]}, axis, R)
        else:
            self.joints.append({**fields, "type": TYPES[given]})
            if axis is not None:
                self.ledger.without_effect(axis, f"a {given} joint has no axis")
        if axis2 is not None and given not in CROSSES:
            self.ledger.without_effect(axis2, f"a {given} joint has one axis at most")

    def finish(self) -> None:
        """Couplings, once all joints are known."""
        for one in self._later:
            one()

    # kinds -------------------------------------------------------------------------------------------------------

    def _single(
        self, node: Node, fields: dict[str, Any], axis: Node | None, R: Array, travel: float = 0.0, tag: str = "axis"
    ) -> None:
        """A joint of one freedom. travel : of a screw, m per radian."""
        along = self._direction(node, axis, R)
        assert axis is not None
        fields["axis"] = along.tolist()
        self.joints.append(fields)
        self._axes[node.attributes["name"], tag] = fields["name"], along
        self._ends[fields["name"]] = fields["first"], fields["second"]
        self._acting(axis, fields, along)
        mimic = self.ledger.only(axis, "mimic")
        if mimic is not None:
            self._later.append(lambda: self._mimic(mimic, fields["name"]))

    def _cross(self, node: Node, fields: dict[str, Any], axes: tuple[Node | None, Node | None], R: Array) -> None:
        """Two axes through one point: a universal joint, where they are perpendicular and nothing acts about them."""
        one, two = (self._direction(node, axis, R, tag) for axis, tag in zip(axes, ("axis", "axis2"), strict=True))
        tags = ("dynamics", "mimic", *(() if self.laws.stops is None else ("limit",)))
        acting = any(axis.child(tag) is not None for axis in axes if axis for tag in tags)
        if abs(float(one @ two)) <= ACROSS and not acting:
            self.joints.append({**fields, "type": "universal", "axis": one.tolist(), "axis2": two.tolist()})
            for axis in axes:
                self._stopped(fields["name"], (None, None) if axis is None else self._limits(axis))
            return
        if float(np.linalg.norm(np.cross(one, two))) <= PARALLEL:
            raise self.ledger.wrong(node, "has two axes of one direction.")
        between = self.names.new(f"{fields['name']} cross", "body")
        self.between.append({"name": between, "mass": 0.0, "inertia": [0.0, 0.0, 0.0], "position": fields["point"]})
        ends = (fields["first"], between), (between, fields["second"])
        for k, (axis, (first, second)) in enumerate(zip(axes, ends, strict=True)):
            name = self.names.new(f"{fields['name']} {k + 1}", "joint")
            part = {"name": name, "type": "revolute", "first": first, "second": second, "point": fields["point"]}
            self._single(node, part, axis, R, tag=("axis", "axis2")[k])
        self.ledger.mapped(node, how=f"two joints, with the massless body {between!r} between them")

    def _lead(self, node: Node) -> float:
        """The advance of a screw per revolution, m, positive if right-handed."""
        new, old = (self.ledger.only(node, tag) for tag in ("screw_thread_pitch", "thread_pitch"))
        for tag, found in (("screw_thread_pitch", new), ("thread_pitch", old)):
            if found is None:
                continue
            self.ledger.mapped(found)
            (value,) = self.ledger.parsed(found, found.text, f"<{tag}> ", 1)
            if value == 0.0:
                raise self.ledger.wrong(found, "is 0: a thread that does not advance, or without end.")
            if found is old and new is not None:
                continue
            return value if found is new else -2.0 * math.pi / value  # rad/m, positive if left-handed
        return 1.0  # SDF's default

    def _gearbox(self, node: Node, parent: str, child: str, R: Array) -> None:
        """theta2 = -ratio theta1: of the child and the parent against the reference body, about `axis2` and `axis`."""
        ratio = 1.0
        found = self.ledger.only(node, "gearbox_ratio")
        if found is not None:
            self.ledger.mapped(found)
            (ratio,) = self.ledger.parsed(found, found.text, "<gearbox_ratio> ", 1)
        if ratio == 0.0:
            raise self.ledger.wrong(found or node, "has the ratio 0, which couples nothing.")
        reference = self.ledger.only(node, "gearbox_reference_body")
        if reference is None or not reference.text:
            raise self.ledger.wrong(node, "needs <gearbox_reference_body>, which is missing.")
        self.ledger.mapped(reference)
        base, turned = self.body(reference, reference.text), []
        for link, tag in ((parent, "axis"), (child, "axis2")):
            axis = self.ledger.only(node, tag)
            along = self._direction(node, axis, R, tag)
            self._no_limits(axis)
            one = self._turning(base, self.body(node, link), along)
            if one is None:
                how = f"no revolute joint turns {shown(link)} against {shown(reference.text)} about <{tag}>"
                self.ledger.again(node, REFUSED, how)
                return
            turned.append(one)
        (joint2, sense2), (joint, sense) = turned
        if joint == joint2:
            raise self.ledger.wrong(node, "couples a joint to itself.")
        name = self.names.new(node.attributes["name"], "coupling")
        gear = {"name": name, "type": "gear", "joint": joint, "joint2": joint2, "ratio": -ratio * sense * sense2}
        self.couplings.append(gear)

    def _turning(self, base: str, link: str, along: Array) -> tuple[str, float] | None:
        """The revolute joint of two bodies about an axis, and the sense in which its angle counts."""
        for name, axis in self._axes.values():
            ends = self._ends[name]
            revolute = any(one["name"] == name and one["type"] == "revolute" for one in self.joints)
            if revolute and {base, link} == set(ends) and float(np.linalg.norm(np.cross(axis, along))) <= PARALLEL:
                return name, math.copysign(1.0, float(axis @ along)) * (1.0 if ends == (base, link) else -1.0)
        return None

    def _mimic(self, node: Node, follower: str) -> None:
        """position = multiplier (leader's position - reference) + offset."""
        self.ledger.mapped(node)
        tag = "axis"
        if "axis" in node.attributes:
            tag = self.ledger.text(node, "axis")
        leader = self.ledger.text(node, "joint")
        found = self._axes.get((leader, tag))
        values = {}
        for key, default in (("multiplier", 1.0), ("offset", 0.0), ("reference", 0.0)):
            one = self.ledger.only(node, key)
            values[key] = default
            if one is not None:
                self.ledger.mapped(one)
                (values[key],) = self.ledger.parsed(one, one.text, f"<{key}> ", 1)
        if found is None:
            how = f"joint {shown(leader)} has no coordinate about its <{tag[:20]}>: the joint moves by itself"
            self.ledger.again(node, REFUSED, how)
            return
        if found[0] == follower:
            raise self.ledger.wrong(node, "couples a joint to itself.")
        name = self.names.new(f"{follower} mimic", "coupling")
        fields: dict[str, Any] = {"name": name, "type": "mimic", "joint": follower, "joint2": found[0]}
        fields |= {"polynomial": [values["offset"], values["multiplier"]], "reference2": values["reference"]}
        fields |= {key: "angle" for key, joint in (("coordinate", follower), ("coordinate2", found[0]))
                   if any(one["name"] == joint and one["type"] == "screw" for one in self.joints)}  # fmt: skip
        self.couplings.append(fields)

    # axes --------------------------------------------------------------------------------------------------------

    def _direction(self, joint: Node, node: Node | None, R: Array, tag: str = "axis") -> Array:
        """The unit axis in the world: of the joint's frame, or of the frame it is expressed in."""
        xyz = None if node is None else self.ledger.only(node, "xyz")
        if node is None or xyz is None:
            raise self.ledger.wrong(joint, f"needs <{tag}> with <xyz>, which is missing.")
        self.ledger.mapped(node)
        self.ledger.mapped(xyz)
        frame = R
        if xyz.attributes.get("expressed_in"):
            self.ledger.mapped(xyz, "expressed_in")
            frame, _ = self.places.pose(xyz.attributes["expressed_in"], xyz)
        of_model, old = flag(self.ledger, node, "use_parent_model_frame")
        if of_model and old is not None:
            frame, _ = self.places.pose(MODEL, old)
        axis = frame @ np.array(self.ledger.parsed(xyz, xyz.text, "<xyz> ", 3))
        length = float(np.linalg.norm(axis))
        if not length > 1e-12:
            raise self.ledger.wrong(xyz, "is a zero vector, which has no direction.")
        return np.asarray(axis / length)

    def _no_limits(self, axis: Node | None) -> Node | None:
        """The limits of an axis, told to be left out."""
        limit = None if axis is None else self.ledger.only(axis, "limit")
        if limit is not None:
            self.ledger.without_effect(limit, NO_LIMITS)
        return limit

    def _limits(self, axis: Node) -> tuple[float | None, float | None]:
        """The lower and upper limit of an axis; SDF's default of 1e16 is none, and so is an infinite one."""
        limit = self._no_limits(axis)
        endless = axis.parent is not None and axis.parent.attributes.get("type") == "continuous"
        if limit is None or endless:
            return None, None
        lower, upper = (self._bound(limit, tag) for tag in ("lower", "upper"))
        for one in (limit.child(tag) for tag in ("lower", "upper")):
            if one is not None:
                self.ledger.approximated(one, how=self.laws.limits())
        if self.laws.stops is not None and lower is not None and upper is not None and lower > upper:
            raise self.ledger.wrong(limit, f"has the lower limit {lower:g} above the upper one, {upper:g}.")
        return lower, upper

    def _bound(self, limit: Node, tag: str) -> float | None:
        node = self.ledger.only(limit, tag)
        if node is None:
            return None
        try:
            endless = abs(float(node.text)) > ENDLESS  # such as an infinity, or the largest number there is
        except ValueError:
            endless = False
        return None if endless else self._number(limit, tag)

    def _number(self, node: Node, tag: str) -> float:
        found = self.ledger.only(node, tag)
        if found is None:
            return 0.0
        self.ledger.mapped(found)
        (value,) = self.ledger.parsed(found, found.text, f"<{tag}> ", 1)
        return value

    def _acting(self, axis: Node, joint: dict[str, Any], along: Array) -> None:
        """Dampers and springs act, limits and dry friction as far as smooth laws are asked for."""
        effort = self._stopped(joint["name"], self._limits(axis))
        node = self.ledger.only(axis, "dynamics")
        friction = 0.0
        if node is not None:
            self.ledger.mapped(node)
            friction = self._friction(node)
            self._spring(node, joint, along)
        coordinate = "displacement" if joint["type"] == "translational" else "angle"
        law = self.laws.law(coordinate, effort._replace(friction=friction))
        if law:
            name = self.names.new(f"{joint['name']} friction and limits", "force")
            on = {"type": "joint-spring", "joint": joint["name"], "coordinate": coordinate, "force": law}
            self.forces.append({"name": name, **on})

    def _stopped(self, joint: str, limits: tuple[float | None, float | None]) -> Effort:
        """What acts at the limits of a joint; it is noted where that is nothing."""
        effort = Effort(0.0, *limits)
        if self.laws.unstopped(effort) and joint not in self.unstopped:
            self.unstopped.append(joint)
        return effort

    def _friction(self, node: Node) -> float:
        friction, found = self._number(node, "friction"), node.child("friction")
        if friction == 0.0 or found is None:
            return 0.0
        if self.laws.rate is None:
            self.ledger.refused(found, how=NO_FRICTION)
        else:
            self.ledger.approximated(found, how=self.laws.friction())
        return friction

    def _spring(self, node: Node, joint: dict[str, Any], along: Array) -> None:
        damping, stiffness, rest = (
            self._number(node, tag) for tag in ("damping", "spring_stiffness", "spring_reference")
        )
        if not (damping or stiffness):
            return
        force = {"name": self.names.new(f"{joint['name']} spring", "force"), "stiffness": stiffness, "damping": damping}
        if joint["type"] == "revolute":
            self.forces.append({**force, "type": "torsion", "joint": joint["name"], "angle": rest})
            return
        if joint["type"] == "screw":
            spring = {"type": "joint-spring", "joint": joint["name"], "coordinate": "angle", "free": rest}
            self.forces.append({**force, **spring})
            return
        point = np.array(joint["point"])
        ends = {"first": joint["first"], "second": joint["second"]}
        points = {"point": (point - FAR * along).tolist(), "point2": joint["point"]}
        self.forces.append({**force, "type": "spring", **ends, **points, "length": FAR + rest})
