"""Joints: types, places, axes, and what acts in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.urdf.frames import origin
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.elements import Array, did_you_mean, shown
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.markers import direction, perpendicular

TYPES = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "translational",
    "fixed": "fixed",
    "floating": "free",
    "planar": "planar",
    "spherical": "spherical",
    "ball": "spherical",
}
FAR = 100.0  # m: a damper between two points of a sliding joint's axis acts along it exactly while they stay apart
TURNS, PRISMATIC, BALLS = ("revolute",), ("translational",), ("spherical",)
WITHOUT_EFFECT = {
    "safety_controller": "a controller's setting: no controller acts",
    "calibration": "a sensor's setting: no sensor is simulated",
}
LIMITS = {
    "lower": "nothing stops the joint there: limits are not simulated",
    "upper": "nothing stops the joint there: limits are not simulated",
    "effort": "an actuator's limit: no actuator is simulated",
    "velocity": "an actuator's limit: no actuator is simulated",
    "command_effort": "an actuator's limit: no actuator is simulated",
    "current": "an actuator's limit: no actuator is simulated",
    "gear_velocity": "an actuator's limit: no actuator is simulated",
}


@dataclass
class UrdfJoint:
    """A joint as the file has it. R, p : its frame in the parent link; axis in that frame."""

    node: Node
    name: str
    type: str  # linkwork's
    parent: str
    child: str
    R: Array
    p: Array
    axis: tuple[float, float, float]
    damping: float = 0.0
    mimic: dict[str, Any] = field(default_factory=dict)
    cross: tuple[Array, Array] | None = None  # axes of a universal joint, in the joint's frame

    def attachment(self) -> dict[str, Any]:
        """Where it sits on its two links, as a joint's fields; the coordinate is zero where both places coincide."""
        z = direction(self.axis)
        x = perpendicular(z)
        if self.cross is not None:
            return {
                "on_first": {"point": self.p.tolist(), "axis": (self.R @ self.cross[0]).tolist()},
                "on_second": {"point": [0.0, 0.0, 0.0], "axis": self.cross[1].tolist()},
            }
        if self.type == "spherical":
            return {"on_first": {"point": self.p.tolist()}, "on_second": {"point": [0.0, 0.0, 0.0]}}
        return {
            "on_first": {"point": self.p.tolist(), "axis": (self.R @ z).tolist(), "x": (self.R @ x).tolist()},
            "on_second": {"point": [0.0, 0.0, 0.0], "axis": list(z), "x": list(x)},
        }


def read_joint(ledger: Ledger, node: Node) -> UrdfJoint:
    """A <joint>, with everything in it accounted for."""
    ledger.mapped(node)
    name, given = ledger.text(node, "name"), ledger.text(node, "type")
    if given not in TYPES:
        raise ledger.wrong(node, f"has the type {shown(given)}, which does not exist{did_you_mean(given, TYPES)}")
    links = []
    for tag in ("parent", "child"):
        one = ledger.only(node, tag)
        if one is None:
            raise ledger.wrong(node, f"needs <{tag}>, which is missing.")
        ledger.mapped(one)
        links.append(ledger.text(one, "link"))
    R, p = origin(ledger, node)
    if "independent" in node.attributes:
        ledger.approximated(node, "independent", how="formulations choose their coordinates themselves")
    joint = UrdfJoint(node, name, TYPES[given], links[0], links[1], R, p, read_axis(ledger, node, TYPES[given]))
    for one in node.children:
        if one.tag in WITHOUT_EFFECT:
            ledger.without_effect(one, WITHOUT_EFFECT[one.tag])
    limit = ledger.only(node, "limit")
    if limit is not None:
        _limit(ledger, limit)
    _dynamics(ledger, joint)
    _mimic(ledger, joint)
    return joint


def read_axis(ledger: Ledger, node: Node, type: str) -> tuple[float, float, float]:
    """The joint's axis in the joint's frame: x where nothing is said."""
    found = ledger.only(node, "axis")
    if found is None:
        return (1.0, 0.0, 0.0)
    x, y, z = ledger.numbers(found, "xyz", 3, (1.0, 0.0, 0.0))
    if "axis" not in JOINTS.load(type).needs:
        ledger.without_effect(found, f"a {type} joint has no axis")
        return (1.0, 0.0, 0.0)
    ledger.mapped(found)
    if not np.linalg.norm((x, y, z)) > 1e-12:
        raise ledger.wrong(found, "is a zero vector, which has no direction.")
    return (x, y, z)


def _limit(ledger: Ledger, node: Node) -> None:
    ledger.approximated(node, how="limits are not simulated")
    for name, how in LIMITS.items():
        if name in node.attributes:
            ledger.number(node, name)
            ledger.approximated(node, name, how=how)


def _dynamics(ledger: Ledger, joint: UrdfJoint) -> None:
    """Damping acts; dry friction does not exist in linkwork."""
    node = ledger.only(joint.node, "dynamics")
    if node is None:
        return
    ledger.mapped(node)
    damping, friction = ledger.number(node, "damping", 0.0), ledger.number(node, "friction", 0.0)
    if joint.type == "fixed":
        ledger.mapped(node, *node.attributes.keys() & {"damping", "friction"}, how="nothing moves there")
        return
    if friction != 0.0:
        ledger.refused(node, "friction", how="linkwork has no dry friction in joints")
    if joint.type in (*TURNS, *PRISMATIC, *BALLS):
        joint.damping = damping
    elif damping != 0.0:
        ledger.refused(node, "damping", how=f"linkwork has no damper in a {joint.type} joint")


def _mimic(ledger: Ledger, joint: UrdfJoint) -> None:
    node = ledger.only(joint.node, "mimic")
    if node is None:
        return
    joint.mimic = {
        "joint": ledger.text(node, "joint"),
        "multiplier": ledger.number(node, "multiplier", 1.0),
        "offset": ledger.number(node, "offset", 0.0),
    }
    ledger.mapped(node)


def damper(joint: UrdfJoint, name: str) -> dict[str, Any]:
    """The force element of a joint's damping: about the axis, along it, or in a ball against every turn."""
    if joint.type in BALLS:
        return {"name": name, "type": "spherical-spring", "joint": joint.name, "damping": joint.damping}
    if joint.type in TURNS:
        return {"name": name, "type": "torsion", "joint": joint.name, "damping": joint.damping}
    back = joint.p - FAR * (joint.R @ np.array(direction(joint.axis)))
    return {
        "name": name,
        "type": "spring",
        "first": joint.parent,
        "second": joint.child,
        "on_first": {"point": back.tolist()},
        "on_second": {"point": [0.0, 0.0, 0.0]},
        "damping": joint.damping,
    }
