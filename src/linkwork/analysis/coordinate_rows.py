"""Rows that hold a joint coordinate at a value: what a driver would add, for every coordinate that one row holds."""

from __future__ import annotations

from linkwork.mechanism.joint_coordinates import rows_of_coordinates
from linkwork.mechanism.lowered import LoweredJoint, Row
from linkwork.mechanism.primitives import Primitive


def held(joint: LoweredJoint) -> dict[str, Primitive]:
    """The joint's angles and displacements by name (`mechanism.joint_coordinates`), and the row of each."""
    return {} if joint.markers is None else rows_of_coordinates(joint.moves, *joint.markers)


def row_of(name: str, joint: LoweredJoint, primitive: Primitive) -> Row:
    """The row between the joint's bodies."""
    k, m = joint.body_i, joint.body_j
    if primitive.swapped:
        k, m = m, k
    return Row(name=name, owner=name, body_i=k, body_j=m, driver=True, **primitive.columns)
