"""The entries of index-1 equations, with the one signature that all problems share; each compiled when first needed."""

from __future__ import annotations

from typing import Any

from linkwork.equations.index_1.accept_step import accept_step as _accept_step
from linkwork.equations.index_1.forces import apply as _apply
from linkwork.equations.index_1.rhs import retract as _retract
from linkwork.equations.index_1.rhs import rhs as _rhs
from linkwork.equations.index_1.set_state import set_state as _set_state
from linkwork.kernels.dependence import ND
from linkwork.kernels.jit import entry
from linkwork.problems.dependent import find_dependent_adrift
from linkwork.problems.explicit import DROPPED
from linkwork.problems.explicit_context import ENTRY, dependent_of, tables_of, work_of
from linkwork.problems.implicit import PHI


@entry(ENTRY)
def set_state(context: Any) -> int:
    """Bodies, rows and right sides."""
    return _set_state(tables_of(context), work_of(context))


@entry(ENTRY)
def apply(context: Any) -> int:
    """Loads, springs and torsions."""
    return _apply(tables_of(context), work_of(context))


@entry(ENTRY)
def detect_redundant_rows(context: Any) -> int:
    """Which rows depend on others at the state that is set."""
    work, dependent = work_of(context), dependent_of(context)
    changed = find_dependent_adrift(tables_of(context), work, dependent, work.row[:, PHI])
    work.coef[DROPPED] = dependent.found.sizes[ND]
    return changed


@entry(ENTRY)
def rhs(context: Any) -> int:
    """The increment's time derivative."""
    return _rhs(tables_of(context), work_of(context))


@entry(ENTRY)
def accept_step(context: Any) -> int:
    """The state that is set becomes the base."""
    return _accept_step(tables_of(context), work_of(context))


@entry(ENTRY)
def retract(context: Any) -> int:
    """Psi from a correction."""
    return _retract(tables_of(context), work_of(context))
