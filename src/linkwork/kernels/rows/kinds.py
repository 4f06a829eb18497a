"""All kinds of constraint row, by number: solvers, assembly and reports ask here, and name no kinds themselves."""

from __future__ import annotations

from linkwork.kernels.rows import ROWS
from linkwork.kernels.rows.kind import RowKind

KINDS: tuple[RowKind, ...] = tuple(ROWS.load(name) for name in ROWS)
NAMES = tuple(ROWS)
NUMBER = {name: number for number, name in enumerate(NAMES)}


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
