"""The entries of the implicit problem on groups, compiled with the one signature that all problems share.

The first of the problem's own arrays is the group of each body.
"""

from __future__ import annotations

from typing import Any

from linkwork.formulations.lie.implicit.iteration_matrix import assemble as _assemble
from linkwork.formulations.lie.implicit.set_state import begin as _begin
from linkwork.formulations.lie.implicit.set_state import evaluate as _evaluate
from linkwork.formulations.lie.implicit.set_state import set_state as _set_state
from linkwork.kernels.jit import entry
from linkwork.problems.addresses import i1
from linkwork.problems.context import ENTRY, FIRST_OWN, matrix_of, tables_of, work_of


@entry(ENTRY)
def begin(context: Any) -> int:
    """Formulas at the new time."""
    return _begin(tables_of(context), work_of(context))


@entry(ENTRY)
def set_state(context: Any) -> int:
    """Bodies from the unknowns."""
    return _set_state(tables_of(context), work_of(context), i1(context, FIRST_OWN))


@entry(ENTRY)
def evaluate(context: Any) -> int:
    """The residual."""
    return _evaluate(tables_of(context), work_of(context), i1(context, FIRST_OWN))


@entry(ENTRY)
def assemble(context: Any) -> int:
    """The iteration matrix."""
    return _assemble(tables_of(context), work_of(context), matrix_of(context), i1(context, FIRST_OWN))
