"""The entries of the rotation-matrix formulation, with the one signature that all problems share."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.rotation_matrix.accept_step import accept_step as _accept_step
from linkwork.formulations.rotation_matrix.forces import apply as _apply
from linkwork.formulations.rotation_matrix.rhs import retract as _retract
from linkwork.formulations.rotation_matrix.rhs import rhs as _rhs
from linkwork.formulations.rotation_matrix.set_state import set_state as _set_state
from linkwork.formulations.rotation_matrix.workspace import elements_of
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, tables_of, work_of


@entry(ENTRY)
def set_state(context: Any) -> int:
    """Bodies, rows and right sides."""
    return _set_state(tables_of(context), work_of(context), elements_of(context))


@entry(ENTRY)
def apply(context: Any) -> int:
    """Loads, springs and torsions."""
    return _apply(tables_of(context), work_of(context), elements_of(context))


@entry(ENTRY)
def rhs(context: Any) -> int:
    """Second derivatives."""
    return _rhs(tables_of(context), work_of(context), elements_of(context))


@entry(ENTRY)
def accept_step(context: Any) -> int:
    """The state that is set becomes the base."""
    return _accept_step(tables_of(context), work_of(context), elements_of(context))


@entry(ENTRY)
def retract(context: Any) -> int:
    """Psi from a correction."""
    return _retract(tables_of(context), work_of(context), elements_of(context))
