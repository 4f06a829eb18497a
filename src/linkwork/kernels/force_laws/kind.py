"""What a law of force elements is: its force as kernels, and facts that lowering, results, signals and pictures go by.

An element acts between body i and body j and pulls a number q between them, a length or an angle, towards `rest`. e are
the columns of all elements (`kernels.tables.ForceElements`), k is the element's number; r (nb + 1, 3) m and
A (nb + 1, 9) are positions and rotations of all bodies, v (nb + 1, 3) m/s global and w (nb + 1, 3) rad/s in body
components their velocities. `previous` is q at the last step where its turns are counted, else 0; `actuator` what the
formula of time came to. Without stiffness an element stores no energy. Forces are global at the centres of mass,
torques in body components. Kernels run compiled, in plain Python, and on complex numbers (tests).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.quantities.kind import QuantityKind, part
from linkwork.kernels.quantities.table import column_sums, times, velocities
from linkwork.kernels.rows.kind import any_numbers
from linkwork.kernels.vec3 import add3, scale

STEP = 1e-30  # of a complex step: below any rounding


class Seen(NamedTuple):
    """A curve of `Result.force`."""

    name: str
    unit: str
    description: str


class ForceLaw(NamedTuple):
    """One law. `tests/unit/test_force_laws.py` holds its kernels against one another."""

    name: str  # what a `LoweredElement` calls it by
    equation: str  # its force, in the letters of a description
    quantity: str  # name of the kind of quantity that q is (`kernels.quantities`), by the same columns
    columns: Mapping[str, str]  # column of `ForceElements` that it reads -> what stands there
    apply: Callable[..., None]  # (e, k, r, A, v, w, previous, actuator, f, n): adds its forces to f and n
    energy: Callable[..., Any]  # (e, k, r, A, theta) -> J that stiffness has stored, theta as `previous` but of now
    add_variation: Callable[..., None]  # (e, k, r, A, v, w, previous, actuator, K, C): adds derivatives to zeros
    force: Seen  # positive where it pulls q back
    value: Seen  # q
    rate: Seen
    rest: str  # what a description calls q where stiffness exerts nothing
    stretch: str  # what formulas of the element call q less that
    linear: bool = (
        False  # it is stiffness (q - rest) + damping rate + actuator: formulas of the state may stand for each
    )
    has_counted_angle: bool = False  # q is an angle, with its turns: it has a place among counted angles
    # (e, k, r, A, v, w, actuator) -> force on body i at its point s_i, global, where all that the element does is that
    # and the opposite force on body j at s_j
    point_force: Callable[..., Any] | None = None
    ends: bool = False  # it is seen as a line from the point s_i to the point s_j
    example: Callable[[np.random.Generator], dict[str, Any]] = any_numbers  # columns that make sense, for tests


def along(
    kind: QuantityKind, effort: Callable[..., Any], slopes: Callable[..., Any] | None = None
) -> tuple[Callable[..., None], Callable[..., None]]:
    """`apply` and `add_variation` of an element whose force acts along a quantity: its power is effort times rate.

    effort : kernel (e, k, q, rate, actuator) -> force or torque, positive where q grows by it.
    slopes : kernel of the same arguments -> its derivatives by q and by the rate; by complex steps if left out, exact
        to rounding where `effort` is made of functions that complex numbers have.
    """
    value, parts, vary, gradient = kind.value, kind.parts, kind.add_variation, kind.gradient or kind.parts

    @kernel
    def by_complex_steps(e: Any, k: int, q: Any, rate: Any, actuator: Any) -> Any:
        """Derivatives of the effort by q and by the rate."""
        return (
            effort(e, k, q + STEP * 1j, rate + 0j, actuator).imag / STEP,
            effort(e, k, q + 0j, rate + STEP * 1j, actuator).imag / STEP,
        )

    slopes_of = slopes or by_complex_steps

    @kernel
    def apply(e: Any, k: int, r: Any, A: Any, v: Any, w: Any, previous: Any, actuator: Any, f: Any, n: Any) -> None:
        """Add effort times parts of the quantity to f and n."""
        i, j, p = e.body_i[k], e.body_j[k], parts(e, k, r, A)
        Q = effort(e, k, value(e, k, r, A, previous), times(p, velocities(e, k, v, w)), actuator)
        add3(f, i, scale(Q, p[0]))
        add3(n, i, scale(Q, p[1]))
        add3(f, j, scale(Q, p[2]))
        add3(n, j, scale(Q, p[3]))

    @kernel
    def add_variation(
        e: Any, k: int, r: Any, A: Any, v: Any, w: Any, previous: Any, actuator: Any, K: Any, C: Any
    ) -> None:
        """Add the derivatives of effort times parts to K and C, which hold zeros."""
        # d(Q W) = Q dW + W (dQ/dq dq + dQ/drate drate); C serves as scratch for the rate's own derivative before
        q, p, u = value(e, k, r, A, previous), parts(e, k, r, A), velocities(e, k, v, w)
        rate = times(p, u)
        Q = effort(e, k, q, rate, actuator)
        by_q, by_rate = slopes_of(e, k, q, rate, actuator)
        vary(C, 1.0, e, k, r, A)
        d = (column_sums(C, 0, u), column_sums(C, 3, u), column_sums(C, 6, u), column_sums(C, 9, u))
        g = gradient(e, k, r, A)
        for a in range(12):
            for b in range(12):
                K[a, b] += Q * C[a, b] + part(p, a) * (by_q * part(g, b) + by_rate * part(d, b))
                C[a, b] = by_rate * part(p, a) * part(p, b)

    return apply, add_variation
