"""What is true of each kind of constraint row: solvers, assembly and reports ask here, and name no kinds themselves.

`tests/unit/test_row_kinds.py` holds every fact against the kernels.
"""

from __future__ import annotations

from typing import NamedTuple


class RowKind(NamedTuple):
    """Facts about one kind, in the order of the numbers in `kernels.tables`."""

    name: str
    velocity_level: bool = False  # constrains velocities alone: phi = 0, nu = f, and f' in gamma
    translates: bool = True  # its Jacobian has a part along translations (for some vectors and points)
    ground_only: bool = False  # body j is ground, and the row has no part for it
    nu_varies: bool = False  # position level, and nu is f' times something that depends on the pose
    constant: bool = False  # its Jacobian parts are given numbers (a_i, s_i, a_j, s_j), the same at every pose
    global_direction: bool = False  # its part along translations is the vector a_i itself, in global components
    linear: bool = False  # where phi = 0 it is linear in the positions r_i, r_j at given rotations (to second order)


KINDS = (
    RowKind("DP1", translates=False),
    RowKind("DP2", linear=True),
    RowKind("D"),
    RowKind("CD", global_direction=True, linear=True),
    RowKind("ANGLE", translates=False, nu_varies=True),
    RowKind("PFAFFIAN", velocity_level=True, constant=True),
    RowKind("KNIFE", velocity_level=True, ground_only=True),
    RowKind("ROLL_HEIGHT", ground_only=True, linear=True),
    RowKind("ROLL_SLIP", velocity_level=True, ground_only=True),
    RowKind("SCREW", nu_varies=True, linear=True),
)


def kinds_that(fact: str, value: bool = True) -> tuple[int, ...]:
    """Numbers of the kinds of which a fact holds (or does not)."""
    return tuple(number for number, kind in enumerate(KINDS) if getattr(kind, fact) is value)


VELOCITY_LEVEL = kinds_that("velocity_level")
GROUND_ONLY = kinds_that("ground_only")
NU_VARIES = kinds_that("nu_varies")
CONSTANT = kinds_that("constant")
GLOBAL_DIRECTION = kinds_that("global_direction")
ROTATION_ALONE = kinds_that("translates", False)
LINEAR = kinds_that("linear")
