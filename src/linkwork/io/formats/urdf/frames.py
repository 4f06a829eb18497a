"""Origins as robot files write them: a translation, and roll, pitch and yaw about fixed axes, or a quaternion."""

from __future__ import annotations

import math

import numpy as np

from linkwork.io.formats.ledger import Ledger
from linkwork.io.formats.xml_tree import Node
from linkwork.mechanism.elements import Array
from linkwork.mechanism.plausible import FULL_CIRCLE
from linkwork.mechanism.rotation import Quaternion

NOWHERE = (0.0, 0.0, 0.0)
QUATERNION = "quat_xyzw"  # of URDF 1.1
EXACT, NEARLY_ONE = 1e-9, 1e-2  # how much the length of a quaternion may differ from 1: without a word, and at all


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
    p = np.array(ledger.numbers(found, "xyz", 3, NOWHERE))
    if QUATERNION not in found.attributes:
        return turned(ledger, found, ledger.numbers(found, "rpy", 3, NOWHERE)), p
    if "rpy" in found.attributes:
        raise ledger.wrong(found, f"has both rpy and {QUATERNION}; one of them says how it is turned.")
    return turned_by(ledger, found, ledger.numbers(found, QUATERNION, 4)), p


def turned(ledger: Ledger, node: Node, rpy: tuple[float, ...]) -> Array:
    """`from_rpy`, with a note on angles of more than a turn, which are degrees as a rule."""
    for angle in rpy:
        if abs(angle) > FULL_CIRCLE:
            degrees = f"{angle:g} degrees are {math.radians(angle):.6g} rad"
            ledger.note(node, f"turns by {angle:g} rad, more than a turn; {degrees}")
    return from_rpy(rpy)


def turned_by(ledger: Ledger, node: Node, xyzw: tuple[float, ...]) -> Array:
    """R of a quaternion, scalar last, made one of length 1. Raises ModelError where it is far from that."""
    size = math.hypot(*xyzw)
    if not abs(size - 1.0) < NEARLY_ONE:
        raise ledger.wrong(node, f"holds a quaternion of length {size:g}; a rotation is one of length 1.")
    if abs(size - 1.0) > EXACT:
        ledger.mapped(node, how=f"its quaternion, of length {size:g}, made one of length 1")
    x, y, z, w = (part / size for part in xyzw)
    return Quaternion(quaternion=(w, x, y, z)).matrix()
