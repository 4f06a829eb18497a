"""Rows of tables (n, 12) that hold rigid displacements: a rotation matrix R (row by row), and a shift p in m."""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3, at9, set3, set9
from linkwork.kernels.vec3 import Vec


@kernel
def rotation_at(table: Floats, k: int) -> Mat:
    """Rotation R (3 x 3) in row k of the table."""
    return at9(table, k, 0)


@kernel
def translation_at(table: Floats, k: int) -> Vec:
    """Translation p [m] in row k of the table."""
    return at3(table, k, 9)


@kernel
def set_rotation(table: Floats, k: int, R: Mat) -> None:
    """Write rotation R (3 x 3) into row k."""
    set9(table, k, 0, R)


@kernel
def set_translation(table: Floats, k: int, p: Vec) -> None:
    """Write translation p [m] into row k."""
    set3(table, k, 9, p)
