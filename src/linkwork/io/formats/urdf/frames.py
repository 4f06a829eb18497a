"""Origins as robot files write them: a translation, and roll, pitch and yaw about fixed axes."""

from __future__ import annotations

import math

import numpy as np

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.elements import Array

NOWHERE = (0.0, 0.0, 0.0)


def from_rpy(rpy: tuple[float, ...]) -> Array:
    """R = Rz(yaw) Ry(pitch) Rx(roll)."""
    (cr, cp, cy), (sr, sp, sy) = (tuple(map(f, rpy)) for f in (math.cos, math.sin))
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def to_rpy(R: Array) -> tuple[float, float, float]:
    """The reverse of `from_rpy`, with pitch within a quarter of a turn."""
    cp = math.hypot(R[0, 0], R[1, 0])
    pitch = math.atan2(-R[2, 0], cp)
    if cp > 1e-9:
        return math.atan2(R[2, 1], R[2, 2]), pitch, math.atan2(R[1, 0], R[0, 0])
    return math.atan2(-R[1, 2], R[1, 1]), pitch, 0.0


def origin(ledger: Ledger, node: Node, tag: str = "origin") -> tuple[Array, Array]:
    """R and p of a node's <origin>; the identity where there is none."""
    found = ledger.only(node, tag)
    if found is None:
        return np.eye(3), np.zeros(3)
    ledger.mapped(found)
    p = ledger.numbers(found, "xyz", 3, NOWHERE)
    return from_rpy(ledger.numbers(found, "rpy", 3, NOWHERE)), np.array(p)
