"""The entries of rA, compiled with the one signature that all problems share."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.absolute.rotation_matrix_kernels import assemble as _assemble
from linkwork.formulations.absolute.rotation_matrix_kernels import begin as _begin
from linkwork.formulations.absolute.rotation_matrix_kernels import evaluate as _evaluate
from linkwork.formulations.absolute.rotation_matrix_kernels import place as _place
from linkwork.kernels.jit import entry
from linkwork.problems.context import ENTRY, matrix_of, tables_of, work_of


@entry(ENTRY)
def begin(context: Any) -> int:
    """Formulas at the new time."""
    return _begin(tables_of(context), work_of(context))


@entry(ENTRY)
def set_state(context: Any) -> int:
    """Bodies from the unknowns."""
    return _place(tables_of(context), work_of(context))


@entry(ENTRY)
def evaluate(context: Any) -> int:
    """The residual."""
    return _evaluate(tables_of(context), work_of(context))


@entry(ENTRY)
def assemble(context: Any) -> int:
    """The iteration matrix."""
    return _assemble(tables_of(context), work_of(context), matrix_of(context))
