"""The tree of links: one root, one parent each, no circle; and where its links are when all coordinates are zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.urdf.joints import UrdfJoint
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.elements import Array, did_you_mean, shown

REMEDY = "A joint that closes a loop is a <loop> with <predecessor> and <successor>."


def ordered(ledger: Ledger, links: Mapping[str, Node], joints: Sequence[UrdfJoint]) -> tuple[str, list[UrdfJoint]]:
    """The root, and the joints so that a joint comes after the one that carries its parent. Raises ModelError."""
    carries: dict[str, UrdfJoint] = {}
    hangs: dict[str, list[UrdfJoint]] = {name: [] for name in links}
    for joint in joints:
        for tag, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in links:
                message = f"its {tag} link {shown(name)} does not exist{did_you_mean(name, links)}"
                raise ledger.wrong(joint.node.child(tag) or joint.node, message)
        if joint.parent == joint.child:
            raise ledger.wrong(joint.node, f"joins link {shown(joint.parent)} to itself.")
        if joint.child in carries:
            other = carries[joint.child]
            raise ledger.wrong(
                joint.node,
                f"link {shown(joint.child)} has a second parent here; joint {shown(other.name)} in line "
                f"{other.node.line} is the first.",
                REMEDY,
            )
        carries[joint.child] = joint
        hangs[joint.parent].append(joint)
    roots = [name for name in links if name not in carries]
    if not roots:
        first = joints[0].node if joints else ledger.root
        raise ledger.wrong(first, "stands in a circle: every link has a parent, so that there is no root.", REMEDY)
    if len(roots) > 1:
        some = ", ".join(f"{shown(name)}" for name in roots[:6])
        raise ledger.wrong(
            links[roots[1]],
            f"has no parent, like {len(roots) - 1} other links: there must be one root ({some}).",
            "Join them with joints; a floating joint leaves a link free.",
        )
    out: list[UrdfJoint] = []
    waiting = list(reversed(hangs[roots[0]]))
    while waiting:
        joint = waiting.pop()
        out.append(joint)
        waiting.extend(reversed(hangs[joint.child]))
    if len(out) < len(joints):
        reached = {joint.child for joint in out}
        lost = next(joint for joint in joints if joint.child not in reached)
        raise ledger.wrong(lost.node, "stands in a circle of joints that no root leads to.", REMEDY)
    return roots[0], out


def placed(root: str, joints: Sequence[UrdfJoint]) -> dict[str, tuple[Array, Array]]:
    """R and p of every link, the root's frame at the origin, all coordinates zero."""
    found = {root: (np.eye(3), np.zeros(3))}
    for joint in joints:
        R, p = found[joint.parent]
        found[joint.child] = (R @ joint.R, p + R @ joint.p)
    return found
