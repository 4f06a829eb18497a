"""LENGTH: the distance of a point of body i and a point of body j. Where they meet it has no parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9, rotate_t
from linkwork.kernels.quantities.kind import QuantityKind, part
from linkwork.kernels.rows import d
from linkwork.kernels.rows.points import separation
from linkwork.kernels.vec3 import Vec, cross, dot, get3, neg, scale

TINY = 1e-24  # m^2: square of the length below which there is no direction


@kernel
def between(q: Any, k: int, r: Any, A: Any) -> Vec:
    """The vector d_ij between the points, global components."""
    i, j = q.body_i[k], q.body_j[k]
    return separation(get3(r, i), get9(A, i), get3(q.s_i, k), get3(r, j), get9(A, j), get3(q.s_j, k))


@kernel
def value(q: Any, k: int, r: Any, A: Any, previous: Any) -> Any:
    """The distance |d_ij| of the two points [m]."""
    x = between(q, k, r, A)
    square = dot(x, x)
    return np.sqrt(square) if square.real > 0.0 else 0.0 * square


@kernel
def parts(q: Any, k: int, r: Any, A: Any) -> tuple[Vec, Vec, Vec, Vec]:
    """The unit vector from the one point to the other, and its moments."""
    x = between(q, k, r, A)
    square = dot(x, x)
    e = scale(1.0 / np.sqrt(square) if square.real >= TINY else 0.0 * square, x)
    about_i = cross(rotate_t(get9(A, q.body_i[k]), e), get3(q.s_i, k))
    return neg(e), about_i, e, cross(get3(q.s_j, k), rotate_t(get9(A, q.body_j[k]), e))


@kernel
def add_variation(out: Any, effort: Any, q: Any, k: int, r: Any, A: Any) -> None:
    """Of a row D, whose parts are 2 l times these, less what l itself changes."""
    x = between(q, k, r, A)
    square = dot(x, x)
    if square.real < TINY:
        return
    factor = effort / np.sqrt(square)
    i, j = q.body_i[k], q.body_j[k]
    d.add_variation(out, 0.5 * factor, get3(r, i), get9(A, i), get3(r, j), get9(A, j), get3(q.s_i, k), get3(q.s_j, k))
    p = parts(q, k, r, A)
    for a in range(12):
        for b in range(12):
            out[a, b] -= factor * part(p, a) * part(p, b)


KIND = QuantityKind(
    "LENGTH",
    meaning="|d_ij|",
    columns={"s_i": "point of body i", "s_j": "point of body j"},
    parts=parts,
    add_variation=add_variation,
    value=value,
)
