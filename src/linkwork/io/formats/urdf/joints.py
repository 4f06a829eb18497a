"""Joints: types, places, axes, and what acts in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.smooth_laws import SmoothLaws
from linkwork.io.formats.urdf.acting import NOTHING, Acting, read_acting
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
    acting: Acting = NOTHING
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


def read_joint(ledger: Ledger, node: Node, laws: SmoothLaws) -> UrdfJoint:
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
    joint.acting = read_acting(ledger, node, joint.type, laws, endless=given == "continuous")
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
