"""COSINE: the scalar product of a vector of body i and a vector of body j, a_i . a_j."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9
from linkwork.kernels.quantities.kind import QuantityKind
from linkwork.kernels.rows import dp1
from linkwork.kernels.rows.blocks import ZERO
from linkwork.kernels.vec3 import Vec, get3


@kernel
def value(q: Any, k: int, r: Any, A: Any, previous: Any) -> Any:
    """The scalar product a_i . a_j of both vectors."""
    return dp1.row(get9(A, q.body_i[k]), get9(A, q.body_j[k]), get3(q.a_i, k), get3(q.a_j, k))[0]


@kernel
def parts(q: Any, k: int, r: Any, A: Any) -> tuple[Vec, Vec, Vec, Vec]:
    """How the product changes with both rotations, as of a row DP1."""
    _, about_i, about_j = dp1.row(get9(A, q.body_i[k]), get9(A, q.body_j[k]), get3(q.a_i, k), get3(q.a_j, k))
    return ZERO, about_i, ZERO, about_j


@kernel
def add_variation(out: Any, effort: Any, q: Any, k: int, r: Any, A: Any) -> None:
    """How the parts turn with both bodies, as of a row DP1."""
    dp1.add_variation(out, effort, get9(A, q.body_i[k]), get9(A, q.body_j[k]), get3(q.a_i, k), get3(q.a_j, k))


KIND = QuantityKind(
    "COSINE",
    meaning="a_i . a_j",
    columns={"a_i": "vector of body i", "a_j": "vector of body j"},
    parts=parts,
    add_variation=add_variation,
    value=value,
)
