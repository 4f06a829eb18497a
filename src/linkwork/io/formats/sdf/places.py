"""Where links, joints and frames of an SDF model are: poses relative to each other, resolved to the world."""

from __future__ import annotations

import numpy as np

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.sdf.worlds import truth
from linkwork.io.formats.urdf.frames import QUATERNION, turned, turned_by
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.elements import Array, did_you_mean, shown

MODEL, WORLD = "__model__", "world"
RPY = "euler_rpy"
Pose = tuple[Array, Array]


def read_pose(ledger: Ledger, node: Node) -> tuple[Pose, str | None]:
    """R and p of a node's <pose>, and what it is relative to if that is said."""
    found = ledger.only(node, "pose")
    if found is None:
        return (np.eye(3), np.zeros(3)), None
    ledger.mapped(found)
    said = found.attributes
    ledger.mapped(found, *(name for name in said if name in ("relative_to", "degrees", "rotation_format")))
    relative_to = said.get("relative_to") or None
    form = said.get("rotation_format", RPY)
    if form not in (RPY, QUATERNION):
        raise ledger.wrong(found, f"has the rotation format {shown(form)}; there are {RPY} and {QUATERNION}.")
    degrees = truth(ledger, found, said.get("degrees", "false"))
    if form == QUATERNION:
        if degrees:
            raise ledger.wrong(found, "holds a quaternion, in degrees.")
        x, y, z, *q = ledger.parsed(found, found.text or "0 0 0 0 0 0 1", "<pose> ", 7)
        return (turned_by(ledger, found, tuple(q)), np.array([x, y, z])), relative_to
    x, y, z, *rpy = ledger.parsed(found, found.text or "0 0 0 0 0 0", "<pose> ", 6)
    if degrees:
        rpy = [angle * np.pi / 180.0 for angle in rpy]
    return (turned(ledger, found, tuple(rpy)), np.array([x, y, z])), relative_to


class Places:
    """Poses by name, each relative to another; the model's own is that in the world."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._given: dict[str, tuple[Node, Pose, str]] = {}
        self._found: dict[str, Pose] = {WORLD: (np.eye(3), np.zeros(3))}

    def add(self, name: str, node: Node, pose: Pose, relative_to: str) -> None:
        """A link, joint or frame; names are unique in a model."""
        if name in self._given or name in self._found:
            raise self.ledger.wrong(node, f"has the name {name[:60]!r}, which another element of the model has.")
        self._given[name] = (node, pose, relative_to)

    def pose(self, name: str, asked: Node) -> Pose:
        """R and p of it in the world. Raises ModelError where names do not exist or go in a circle."""
        chain: list[str] = []
        while name not in self._found:
            if name not in self._given:
                raise self.ledger.wrong(asked, f"speaks of {name[:60]!r}, which does not exist"
                                        f"{did_you_mean(name, self._given)}")  # fmt: skip
            if name in chain:
                raise self.ledger.wrong(asked, f"has a pose that is relative to itself, by way of {name[:60]!r}.")
            chain.append(name)
            asked, _, name = self._given[name]
        for one in reversed(chain):
            _, (R, p), base = self._given[one]
            B, r = self._found[base]
            self._found[one] = (B @ R, r + B @ p)
        return self._found[chain[0] if chain else name]
