"""PFAFFIAN: a row linear in velocity with constant coefficients, a_i . rdot_i + s_i . omega_i + (same of j) = f.

Velocity level. The coefficients of rdot are global, those of omega body components. They are the Jacobian parts
themselves, so its gamma is f' alone and nothing varies with configuration.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.rows.kind import RowKind, f_itself
from linkwork.kernels.vec3 import Vec, get3


@kernel
def row(rows: Any, k: Any, r: Any, A: Any, drive: Any) -> tuple[Any, Vec, Vec, Vec, Vec]:
    """phi = 0 and the Jacobian parts."""
    return 0.0, get3(rows.a_i, k), get3(rows.s_i, k), get3(rows.a_j, k), get3(rows.s_j, k)


KIND = RowKind(
    "PFAFFIAN",
    equation="a_i . rdot_i + s_i . omega_i + a_j . rdot_j + s_j . omega_j - f",
    columns={
        "a_i": "coefficients of rdot_i, global",
        "s_i": "of omega_i, body components",
        "a_j": "of rdot_j, global",
        "s_j": "of omega_j, body components",
    },
    row=row,
    nu=f_itself,
    quantity="velocity",
)
