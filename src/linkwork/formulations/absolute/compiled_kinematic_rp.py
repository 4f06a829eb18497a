"""The entries of rp that only a kinematics analysis needs, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.absolute.euler_parameter_kernels import assemble_kinematic as _assemble_kinematic
from linkwork.formulations.absolute.euler_parameter_kernels import constrain as _constrain
from linkwork.kernels.jit import entry
from linkwork.problems.context import ENTRY, matrix_of, tables_of, work_of


@entry(ENTRY)
def assemble_kinematic(context: Any) -> int:
    """phi_q."""
    return _assemble_kinematic(tables_of(context), work_of(context), matrix_of(context))


@entry(ENTRY)
def constrain(context: Any) -> int:
    """The constraint equations."""
    return _constrain(tables_of(context), work_of(context))
