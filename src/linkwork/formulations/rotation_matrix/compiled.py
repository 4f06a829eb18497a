"""The entries of the rotation-matrix formulation, compiled with the one signature that all problems share."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.rotation_matrix.place import place as _place
from linkwork.formulations.rotation_matrix.place import settle as _settle
from linkwork.formulations.rotation_matrix.slope import shift as _shift
from linkwork.formulations.rotation_matrix.slope import slope as _slope
from linkwork.formulations.rotation_matrix.workspace import own_of
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, tables_of, work_of


@entry(ENTRY)
def place(context: Any) -> int:
    """Bodies, rows and right sides."""
    return _place(tables_of(context), work_of(context), own_of(context))


@entry(ENTRY)
def slope(context: Any) -> int:
    """Second derivatives."""
    return _slope(tables_of(context), work_of(context), own_of(context))


@entry(ENTRY)
def settle(context: Any) -> int:
    """The placed state is the start."""
    return _settle(tables_of(context), work_of(context), own_of(context))


@entry(ENTRY)
def shift(context: Any) -> int:
    """Psi from a correction."""
    return _shift(tables_of(context), work_of(context), own_of(context))
