"""TRAVEL: the way from a point of body i to a point of body j along a direction fixed in body i, a_i . d_ij."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9
from linkwork.kernels.quantities.kind import QuantityKind
from linkwork.kernels.rows import dp2
from linkwork.kernels.vec3 import Vec, get3, neg


@kernel
def row(q: Any, k: int, r: Any, A: Any) -> tuple[Any, Vec, Vec, Vec]:
    """Value, and parts along r_j, theta_i, theta_j."""
    i, j = q.body_i[k], q.body_j[k]
    a_i, s_i, s_j = get3(q.a_i, k), get3(q.s_i, k), get3(q.s_j, k)
    return dp2.row(get3(r, i), get9(A, i), get3(r, j), get9(A, j), a_i, s_i, s_j)


@kernel
def value(q: Any, k: int, r: Any, A: Any, previous: Any) -> Any:
    """The way a_i . d_ij between the two points [m]."""
    return row(q, k, r, A)[0]


@kernel
def parts(q: Any, k: int, r: Any, A: Any) -> tuple[Vec, Vec, Vec, Vec]:
    """How the way changes with both bodies, as of a row DP2."""
    _, along, about_i, about_j = row(q, k, r, A)
    return neg(along), about_i, along, about_j


@kernel
def add_variation(out: Any, effort: Any, q: Any, k: int, r: Any, A: Any) -> None:
    """How the parts turn with both bodies, as of a row DP2."""
    i, j = q.body_i[k], q.body_j[k]
    dp2.add_variation(out, effort, get3(r, i), get9(A, i), get3(r, j), get9(A, j), get3(q.a_i, k), get3(q.s_j, k))


KIND = QuantityKind(
    "TRAVEL",
    meaning="a_i . d_ij",
    columns={"a_i": "direction in body i", "s_i": "point of body i", "s_j": "point of body j"},
    parts=parts,
    add_variation=add_variation,
    value=value,
)
