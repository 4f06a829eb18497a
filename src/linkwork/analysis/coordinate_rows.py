"""Rows that hold a joint coordinate at a value: what a driver would add, for every coordinate that one row holds."""

from __future__ import annotations

from linkwork.mechanism.lowered import LoweredJoint, Row, Triple
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.motions import Helix, Motion, Slide, Turn
from linkwork.mechanism.primitives import Primitive, angle, dp2
from linkwork.quantities.joints import is_plain, numbered


def held(joint: LoweredJoint) -> dict[str, Primitive]:
    """The joint's angles and displacements, named as `Result.joint` names them, and the row of each, its f left open.

    Turns of balls are not among them, nor anything of joints that are no row of turns and slides.
    """
    if joint.markers is None or not all(is_plain(move) for move in joint.moves):
        return {}
    i, j = joint.markers
    crossed = any(isinstance(move, Turn) and move.on_second for move in joint.moves)
    found = [one for move in joint.moves for one in _of(move, i, j, crossed)]
    return dict(zip(numbered([name for name, _ in found]), (row for _, row in found), strict=True))


def _of(move: Motion, i: Marker, j: Marker, crossed: bool) -> list[tuple[str, Primitive]]:
    if isinstance(move, Slide):
        return [("displacement", dp2(move.axis, i, j))]
    if isinstance(move, Helix):
        return [("angle", angle(i, j, 0.0)), ("displacement", dp2(i.z, i, j))]
    if not isinstance(move, Turn):
        return []
    if move.on_second:  # of a cross, see quantities.joints
        return [("angle", Primitive("ANGLE", a_i=j.y, b_i=j.x, a_j=i.z, n=_minus(j.z), swapped=True))]
    if crossed:
        return [("angle", Primitive("ANGLE", a_i=_minus(i.y), b_i=i.x, a_j=j.z, n=i.z))]
    return [("angle", angle(i, j, 0.0))]


def row_of(name: str, joint: LoweredJoint, primitive: Primitive) -> Row:
    """The row between the joint's bodies."""
    k, m = joint.body_i, joint.body_j
    if primitive.swapped:
        k, m = m, k
    return Row(name=name, owner=name, body_i=k, body_j=m, driver=True, **primitive.columns)


def _minus(a: Triple) -> Triple:
    return (-a[0], -a[1], -a[2])
