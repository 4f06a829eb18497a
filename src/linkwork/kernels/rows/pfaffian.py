"""PFAFFIAN: a row linear in velocity with constant coefficients, a_i . rdot_i + s_i . omega_i + (same of j) = f.

Velocity level. The coefficients of rdot are global, those of omega body components. They are the Jacobian parts
themselves, so its gamma is f' alone and nothing varies with configuration.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.rows.blocks import put_part
from linkwork.kernels.vec3 import get3


@kernel
def put_row(rows: Any, k: int, G_i: Any, G_j: Any) -> None:
    """Write row k of both Jacobian tables."""
    put_part(G_i, k, get3(rows.a_i, k), get3(rows.s_i, k))
    put_part(G_j, k, get3(rows.a_j, k), get3(rows.s_j, k))
