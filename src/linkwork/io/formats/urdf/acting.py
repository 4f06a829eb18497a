"""What acts in joints of URDF and its dialects, whether they carry a link or close a loop: <limit> and <dynamics>."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.smooth_laws import NO_FRICTION, Effort, SmoothLaws
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.joint_coordinates import names_of_joint
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.markers import direction

FAR = 100.0  # m: a damper between two points of a sliding joint's axis acts along it exactly while they stay apart
ONE_FREEDOM = ("revolute", "translational", "prismatic")
SEVERAL = ("cylindrical", "universal", "planar")  # each of their coordinates is damped alike
SPHERICAL = "spherical"
WITHOUT_EFFECT = {
    "safety_controller": "a controller's setting: no controller acts",
    "calibration": "a sensor's setting: no sensor is simulated",
}
ACTUATOR = "an actuator's limit: no actuator is simulated"
NO_EFFORT = Effort()
OF_ACTUATORS = ("effort", "velocity", "acceleration", "deceleration", "jerk", "command_effort", "current",
                "gear_velocity")  # fmt: skip


@dataclass(frozen=True)
class Acting:
    """Of one joint: a damping of every coordinate (N s/m, N m s/rad), and the effort on its only one."""

    damping: float = 0.0
    effort: Effort = NO_EFFORT


NOTHING = Acting()


def read_acting(ledger: Ledger, node: Node, type: str, laws: SmoothLaws, *, endless: bool = False) -> Acting:
    """<limit> and <dynamics> in a joint of linkwork's type. endless : it turns without limits."""
    for one in node.children:
        if one.tag in WITHOUT_EFFECT:
            ledger.without_effect(one, WITHOUT_EFFECT[one.tag])
    damping, friction = _dynamics(ledger, node, type, laws)
    bounds = _limit(ledger, node, laws, stops=type in ONE_FREEDOM and not endless)
    return Acting(damping, Effort(friction, *bounds))


def _limit(ledger: Ledger, joint: Node, laws: SmoothLaws, *, stops: bool) -> tuple[float | None, float | None]:
    """The lower and the upper limit."""
    node = ledger.only(joint, "limit")
    if node is None:
        return None, None
    ledger.approximated(node, how=laws.limits())
    for name in OF_ACTUATORS:
        if name in node.attributes:
            ledger.number(node, name)
            ledger.approximated(node, name, how=ACTUATOR)
    found: dict[str, float | None] = {"lower": None, "upper": None}
    for name in found:
        if name in node.attributes:
            found[name] = ledger.number(node, name)
            ledger.approximated(node, name, how=laws.limits() if stops else "the joint has no such limit")
    lower, upper = found["lower"], found["upper"]
    if not stops:
        return None, None
    if laws.stops is not None and lower is not None and upper is not None and lower > upper:
        raise ledger.wrong(node, f"has the lower limit {lower:g} above the upper one, {upper:g}.")
    return lower, upper


def _dynamics(ledger: Ledger, joint: Node, type: str, laws: SmoothLaws) -> tuple[float, float]:
    """Damping, and friction where a smooth law of it was asked for."""
    node = ledger.only(joint, "dynamics")
    if node is None:
        return 0.0, 0.0
    ledger.mapped(node)
    damping, friction = ledger.number(node, "damping", 0.0), ledger.number(node, "friction", 0.0)
    if type == "fixed":
        ledger.mapped(node, *node.attributes.keys() & {"damping", "friction"}, how="nothing moves there")
        return 0.0, 0.0
    if friction != 0.0 and laws.rate is None:
        ledger.refused(node, "friction", how=NO_FRICTION)
        friction = 0.0
    elif friction != 0.0 and type not in ONE_FREEDOM:
        ledger.refused(node, "friction", how=f"a {type} joint has no single coordinate that it could be on")
        friction = 0.0
    elif friction != 0.0:
        ledger.approximated(node, "friction", how=laws.friction())
    if damping == 0.0 or type in (*ONE_FREEDOM, SPHERICAL):
        return damping, friction
    if type not in SEVERAL:
        ledger.refused(node, "damping", how=f"linkwork has no damper in a {type} joint")
        return 0.0, friction
    ledger.mapped(node, "damping", how=f"of each coordinate of the {type} joint")
    return damping, friction


def forces_in(
    joint: dict[str, Any], acting: Acting, laws: SmoothLaws, called: Callable[[str], str]
) -> list[dict[str, Any]]:
    """Force elements in a joint whose fields are given. called : makes a name unique."""
    found: list[dict[str, Any]] = []
    name, type = joint["name"], joint["type"]
    if acting.damping != 0.0:
        if type in SEVERAL:
            for coordinate in names_of_joint(JOINTS.load(type)(**joint)):
                on = {"type": "joint-spring", "joint": name, "coordinate": coordinate, "damping": acting.damping}
                found.append({"name": called(f"{name} {coordinate} damping"), **on})
        else:
            found.append(_damper(joint, acting.damping, called(f"{name} damping")))
    coordinate = "angle" if type == "revolute" else "displacement"
    law = laws.law(coordinate, acting.effort)
    if law:
        on = {"type": "joint-spring", "joint": name, "coordinate": coordinate, "force": law}
        found.append({"name": called(f"{name} friction and limits"), **on})
    return found


def _damper(joint: dict[str, Any], damping: float, name: str) -> dict[str, Any]:
    """About the axis, along it, or in a ball against every turn."""
    kind = {"revolute": "torsion", SPHERICAL: "spherical-spring"}.get(joint["type"])
    if kind is not None:
        return {"name": name, "type": kind, "joint": joint["name"], "damping": damping}
    here, there = joint["on_first"], joint["on_second"]
    back = np.array(here["point"]) - FAR * np.array(direction(here["axis"]))
    ends = {"first": joint["first"], "second": joint["second"]}
    points = {"on_first": {"point": back.tolist()}, "on_second": {"point": there["point"]}}
    return {"name": name, "type": "spring", **ends, **points, "damping": damping}
