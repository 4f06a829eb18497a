"""Coordinates of joints that are tied to each other in the dialect URDF+: <coupling>.

<coupling name><predecessor link/><successor link/><ratio value/>: from the nearest link that carries both, the joints
on the way to the successor turn (or slide) together `ratio` times as far as those on the way to the predecessor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.urdf.joints import UrdfJoint
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.account import REFUSED
from linkwork.mechanism.elements import did_you_mean, shown

MOVING = ("revolute", "translational")


def read_coupling(
    ledger: Ledger, node: Node, joints: Iterable[UrdfJoint], links: Iterable[str]
) -> dict[str, Any] | None:
    """The coupling's fields, joints by their names here; None where it was refused. Raises ModelError."""
    ledger.mapped(node)
    if "type" in node.attributes:
        ledger.mapped(node, "type", how="its two ways through the tree say what is coupled")
    carries = {joint.child: joint for joint in joints}
    paths = [_path_up(_link(ledger, node, tag, links), carries) for tag in ("predecessor", "successor")]
    found = ledger.only(node, "ratio")
    ratio = 1.0
    if found is not None:
        ledger.mapped(found)
        ratio = ledger.number(found, "value", 1.0)
    if ratio == 0.0:
        raise ledger.wrong(found or node, "has the ratio 0, which couples nothing.")
    before, after = ([joint for joint in way if joint not in other] for way, other in (paths, paths[::-1]))
    before, after = ([joint for joint in way if joint.type != "fixed"] for way in (before, after))
    for tag, way in (("predecessor", before), ("successor", after)):
        if not way:
            raise ledger.wrong(node, f"has no moving joint between its {tag} and the link that carries both.")
    other = next((joint for joint in (*before, *after) if joint.type not in MOVING), None)
    if other is not None:
        ledger.again(node, REFUSED, f"joint {shown(other.name)} on its way has no single coordinate")
        return None
    if len(before) == len(after) == 1:
        return {"type": "gear", "joint": after[0].name, "joint2": before[0].name, "ratio": ratio}
    factors = [1.0] * len(after) + [-ratio] * len(before)
    return {"type": "cable", "joints": [joint.name for joint in (*after, *before)], "factors": factors}


def _link(ledger: Ledger, node: Node, tag: str, links: Iterable[str]) -> str:
    one = ledger.only(node, tag)
    if one is None:
        raise ledger.wrong(node, f"needs <{tag}>, which is missing.")
    ledger.mapped(one)
    name = ledger.text(one, "name" if "link" not in one.attributes and "name" in one.attributes else "link")
    if name not in links:
        raise ledger.wrong(one, f"its link {shown(name)} does not exist{did_you_mean(name, links)}")
    return name


def _path_up(link: str, carries: Mapping[str, UrdfJoint]) -> list[UrdfJoint]:
    """The joints from a link to the root."""
    found = []
    while link in carries:
        found.append(carries[link])
        link = carries[link].parent
    return found
