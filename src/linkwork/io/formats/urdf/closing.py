"""Joints that close loops, in the dialects that have them: URDF+ and the <constraint> proposed for urdfdom.

URDF+: <loop name type><predecessor link><origin/></predecessor><successor link><origin/></successor><axis/></loop>.
urdfdom: <constraint name type><parent link/><parent_origin/><parent_axis/><child link/><child_origin/><child_axis/>.
The two frames coincide in what the joint locks; the axis is given in them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.urdf.frames import origin
from linkwork.io.formats.urdf.joints import read_axis
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.elements import Array, did_you_mean, shown
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import direction, perpendicular

NO_AXIS_ON_SECOND = ("point-in-line", "point-in-plane", "perpendicular-2")
OTHER_NAMES = {"continuous": "revolute", "hinge": "revolute", "ball": "spherical"}


def closing_types() -> list[str]:
    """Joints that need nothing but two frames, and hold something."""
    plain = set(Joint.model_fields)
    found = {name: JOINTS.load(name) for name in JOINTS}
    return [n for n, one in found.items() if set(one.model_fields) == plain and not one.ground_only and n != "free"]


def read_loop(ledger: Ledger, node: Node) -> dict[str, Any]:
    """A <loop> of URDF+ as a joint's fields."""
    type = _type(ledger, node)
    sides = [_side(ledger, node, *tags) for tags in (("predecessor",), ("successor", "sucessor"))]
    axis = read_axis(ledger, node, type)
    if "axis2" in JOINTS.load(type).needs:
        raise ledger.wrong(node, f"is {type}, which needs an axis on each link; a <constraint> can give them.")
    return _joint(ledger, node, type, sides, (axis, axis))


def read_constraint(ledger: Ledger, node: Node) -> dict[str, Any]:
    """A <constraint> as a joint's fields."""
    type = _type(ledger, node)
    sides, axes = [], []
    for tag in ("parent", "child"):
        one = ledger.only(node, tag)
        if one is None:
            raise ledger.wrong(node, f"needs <{tag}>, which is missing.")
        ledger.mapped(one)
        sides.append((ledger.text(one, "link"), *origin(ledger, node, f"{tag}_origin")))
        axes.append(_axis(ledger, ledger.only(node, f"{tag}_axis"), type))
    return _joint(ledger, node, type, sides, (axes[0], axes[1]))


def _type(ledger: Ledger, node: Node) -> str:
    ledger.mapped(node)
    given = ledger.text(node, "type")
    type = OTHER_NAMES.get(given, given)
    types = closing_types()
    if type not in types:
        raise ledger.wrong(node, f"has the type {shown(given)}, which closes no loop{did_you_mean(given, types)}")
    return type


def _side(ledger: Ledger, node: Node, *tags: str) -> tuple[str, Array, Array]:
    """Link, R and p of one end; both ways of naming the link are in use."""
    one = next((found for tag in tags if (found := ledger.only(node, tag)) is not None), None)
    if one is None:
        raise ledger.wrong(node, f"needs <{tags[0]}>, which is missing.")
    ledger.mapped(one)
    return (ledger.text(one, "name" if "link" not in one.attributes and "name" in one.attributes else "link"),
            *origin(ledger, one))  # fmt: skip


def _axis(ledger: Ledger, node: Node | None, type: str) -> tuple[float, ...]:
    if node is None:
        return (1.0, 0.0, 0.0)
    axis = ledger.numbers(node, "xyz", 3)
    if "axis" not in JOINTS.load(type).needs:
        ledger.without_effect(node, f"a {type} joint has no axis")
        return (1.0, 0.0, 0.0)
    ledger.mapped(node)
    if not np.linalg.norm(axis) > 1e-12:
        raise ledger.wrong(node, "is a zero vector, which has no direction.")
    return axis


def _joint(
    ledger: Ledger, node: Node, type: str, sides: list[tuple[str, Array, Array]], axes: tuple[Any, Any]
) -> dict[str, Any]:
    (first, *_), (second, *_) = sides
    fields: dict[str, Any] = {"name": ledger.text(node, "name"), "type": type, "first": first, "second": second}
    kind = JOINTS.load(type)
    for key, (_, R, p), axis in zip(("on_first", "on_second"), sides, axes, strict=True):
        z = direction(axis)
        fields[key] = {"point": p.tolist()} if "point" in kind.needs + kind.may else {}
        if key == "on_second" and type in NO_AXIS_ON_SECOND:
            continue
        if "axis" in kind.needs + kind.may:
            fields[key]["axis"] = (R @ z).tolist()
        if "x" in kind.may:
            fields[key]["x"] = (R @ perpendicular(z)).tolist()
    return fields
