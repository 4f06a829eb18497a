"""All quantities of a mechanism: values, rates, and how both change with poses and velocities."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.quantities.kinds import KINDS
from linkwork.kernels.switch import Switch
from linkwork.kernels.vec3 import Vec, dot, get3

Parts = tuple[Vec, Vec, Vec, Vec]

value_of = Switch([kind.value for kind in KINDS])
parts_of = Switch([kind.parts for kind in KINDS])
gradient_of = Switch([kind.gradient or kind.parts for kind in KINDS])
add_variation_of = Switch([kind.add_variation for kind in KINDS])


@kernel
def velocities(q: Any, k: int, v: Any, w: Any) -> Parts:
    """(rdot_i, omega_i, rdot_j, omega_j) of quantity k's bodies."""
    i, j = q.body_i[k], q.body_j[k]
    return get3(v, i), get3(w, i), get3(v, j), get3(w, j)


@kernel
def times(p: Parts, u: Parts) -> Any:
    """The product of two sets of twelve numbers."""
    return dot(p[0], u[0]) + dot(p[1], u[1]) + dot(p[2], u[2]) + dot(p[3], u[3])


@kernel
def measure(q: Any, r: Any, A: Any, v: Any, w: Any, previous: Any, first: int, operands: Any) -> None:
    """Value and rate of every quantity into `operands`, two numbers each; `previous` values from `first` on."""
    for k in range(q.kind.shape[0]):
        operands[2 * k] = value_of(q.kind[k], q, k, r, A, previous[first + k])
        operands[2 * k + 1] = times(parts_of(q.kind[k], q, k, r, A), velocities(q, k, v, w))


@kernel
def rate_gradient(q: Any, k: int, r: Any, A: Any, v: Any, w: Any, out: Any) -> Parts:
    """How the rate changes with (r_i, theta_i, r_j, theta_j) at given velocities; out (12, 12) is overwritten."""
    for a in range(12):
        for b in range(12):
            out[a, b] = 0.0
    add_variation_of(q.kind[k], out, 1.0, q, k, r, A)
    u = velocities(q, k, v, w)
    return column_sums(out, 0, u), column_sums(out, 3, u), column_sums(out, 6, u), column_sums(out, 9, u)


@kernel
def column_sums(out: Any, c: int, u: Parts) -> Vec:
    """Three columns of out (12, 12) from c on, each times u."""
    return (column_times(out, c, u), column_times(out, c + 1, u), column_times(out, c + 2, u))


@kernel
def column_times(out: Any, c: int, u: Parts) -> Any:
    """One column of out times u."""
    total = 0.0 * out[0, c]
    for part in range(4):
        x = u[0] if part == 0 else u[1] if part == 1 else u[2] if part == 2 else u[3]
        total += out[3 * part, c] * x[0] + out[3 * part + 1, c] * x[1] + out[3 * part + 2, c] * x[2]
    return total
