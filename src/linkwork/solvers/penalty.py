"""Multipliers approximated by a penalty on the constraints, after Gauss's principle [Mufti 1983, Remark 1].

Constraints are given a price D instead: (M + J^T D J) x = f + J^T (D eta - lambda), lambda = 0 at first. A finite D
leaves J x - eta = O(1 / D); lambda <- lambda + D (J x - eta) and another solve with the same factors take the rest
away (augmented Lagrangian). D is the factor times the inverse of (J M^-1 J^T)_kk row by row, so that one number fits
all units; the larger it is, the fewer passes, and the more rounding (D eps) in the multipliers. Redundant rows need no
care: their multipliers are shared out by D.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from linkwork.arguments import positive_number, whole_number
from linkwork.equations.jacobian_sparsity import rotation_used, translation_used
from linkwork.errors import UnsupportedElementError
from linkwork.kernels.jit import kernel
from linkwork.kernels.rows.kinds import CONSTANT
from linkwork.kernels.sparse_ldl import clear_ldl, factor_ldl, solve_ldl
from linkwork.kernels.tables import Floats, Ints
from linkwork.solvers.choice import need_inertia
from linkwork.solvers.range_space import stored
from linkwork.status import Status
from linkwork.system import CompiledMechanism

OK = int(Status.OK)
SHARES = "they are shared out by the rows' penalties"
FINE, STUCK = 1e-14, 1e-7  # of the largest multiplier: a change so small ends it, or one that no longer shrinks
LARGEST_SPREAD = 1e8  # of a body's mass times its reach squared over its least inertia: 4e-9 m off at 1e7, 7e-2 at 1e10
ENOUGH = 1e-9  # of the largest multiplier: what may be left where nobody asked for digits
HALTING = 0.9  # a change that is this share of the one before no longer shrinks; light bodies make it shrink slowly
LEAST = 1e-18  # of a diagonal entry: the matrix is positive definite by construction, however badly conditioned


class Penalty(NamedTuple):
    """What the solver reads and writes besides the problem's own arrays."""

    inverse: Floats  # (nb + 1, 10) inverse inertia, inverse mass; zero for ground
    inertia_pos: Ints  # (nb, 6) lower triangle of a body's inertia
    mass_pos: Ints  # (nb, 3)
    own_pos: Ints  # (nc, 2, 21) lower triangle of what a row adds to body i, to body j
    cross_pos: Ints  # (nc, 36) and between them: component of body i, of body j; -1 without
    D: Floats  # (nc,)
    rhs: Floats  # (6 nb,)
    dx: Floats  # (6 nb,)
    options: Floats  # (2,) factor, largest number of solves
    left: Floats  # (2,) where these ran out: what they left of the largest multiplier, at most; how often


def admit(mechanism: CompiledMechanism, *, penalty_factor: float = 1e6, penalty_passes: int = 100) -> None:
    """Raise UsageError for odd numbers, UnsupportedElementError for a body without mass or inertia about an axis."""
    positive_number("penalty_factor", penalty_factor)
    whole_number("penalty_passes", penalty_passes)
    need_inertia(mechanism, "the penalty method, for its scaling,")
    need_even_inertia(mechanism)


def need_even_inertia(mechanism: CompiledMechanism) -> None:
    """Raises UnsupportedElementError for a body so heavy for its inertia that prices on its rows swallow the rest."""
    nb, bodies, rows = mechanism.nb, mechanism.system.bodies, mechanism.system.rows
    reach = np.zeros(nb + 1)  # m, from a body's centre of mass to the farthest point that a row holds it at
    points = ~np.isin(rows.kind, CONSTANT)
    for body, s in ((rows.body_i, rows.s_i), (rows.body_j, rows.s_j)):
        np.maximum.at(reach, body[points], np.linalg.norm(s[points], axis=1))
    least = np.linalg.eigvalsh(bodies.inertia[:nb].reshape(-1, 3, 3))[:, 0]
    spread = bodies.mass[:nb] * reach[:nb] ** 2 / least
    for k in np.flatnonzero(spread > LARGEST_SPREAD):
        raise UnsupportedElementError(
            f"the penalty method loses its digits: mass times the square of {reach[k]:.3g} m, where it is held, is "
            f"{spread[k]:.1g} times its inertia.",
            element=f"body {mechanism.body_names[k]!r}",
            remedy="Check mass and inertia, or take another formulation, such as augmented or lie-mixed.",
        )


def new_arrays(
    mechanism: CompiledMechanism,
    group: Any,
    droppable: bool,
    room: int,
    *,
    penalty_factor: float = 1e6,
    penalty_passes: int = 100,
) -> tuple[Any, ...]:
    """Arrays of the solver: a Penalty, and the pattern and the factors of M + J^T D J.

    penalty_factor : D (J M^-1 J^T)_kk. penalty_passes : solves at most; 1: the plain penalty method.
    """
    factor = positive_number("penalty_factor", penalty_factor)
    passes = whole_number("penalty_passes", penalty_passes)
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.system.rows
    places: list[tuple[int, int]] = []

    def add(row: int, col: int) -> int:
        places.append((row, col))
        return len(places) - 1

    lower = [(r, c) for r in range(6) for c in range(r + 1)]
    inertia_pos = np.array([[add(6 * b + r, 6 * b + c) for r in range(3) for c in range(r + 1)] for b in range(nb)])
    mass_pos = np.array([[add(6 * b + 3 + c, 6 * b + 3 + c) for c in range(3)] for b in range(nb)])
    own_pos = np.full((nc, 2, 21), -1, dtype=np.int64)
    cross_pos = np.full((nc, 36), -1, dtype=np.int64)
    for k in range(nc):
        used = []
        for side, b in enumerate((int(rows.body_i[k]), int(rows.body_j[k]))):
            linear = translation_used(rows, k, side)
            if b < nb and group[b] == 1:
                linear = [any(linear)] * 3
            used.append([rotation_used(rows, k, side)] * 3 + linear if b < nb else [False] * 6)
            for e, (r, c) in enumerate(lower):
                if used[side][r] and used[side][c]:
                    own_pos[k, side, e] = add(6 * b + r, 6 * b + c)
        i, j = int(rows.body_i[k]), int(rows.body_j[k])
        for r in range(6):
            for c in range(6):
                if used[0][r] and used[1][c]:
                    cross_pos[k, 6 * r + c] = add(6 * i + r, 6 * j + c)
    listed = np.array(places, dtype=np.int64).reshape(-1, 2)
    storage, where = stored(listed[:, 0], listed[:, 1], 6 * nb, False)

    def place(numbers: Any) -> Any:
        return np.where(numbers >= 0, np.asarray(where)[numbers], -1)

    inverse = np.zeros((nb + 1, 10))
    inverse[:nb, :9] = np.linalg.inv(mechanism.system.bodies.inertia[:nb].reshape(-1, 3, 3)).reshape(-1, 9)
    inverse[:nb, 9] = 1.0 / mechanism.system.bodies.mass[:nb]
    arrays = Penalty(
        inverse=inverse,
        inertia_pos=place(inertia_pos.reshape(nb, 6)),
        mass_pos=place(mass_pos.reshape(nb, 3)),
        own_pos=place(own_pos),
        cross_pos=place(cross_pos),
        D=np.zeros(nc),
        rhs=np.zeros(6 * nb),
        dx=np.zeros(6 * nb),
        options=np.array([factor, float(passes)]),
        left=np.zeros(2),
    )
    return (*arrays, *storage)


def notices(arrays: Sequence[Any], rtol: float | None) -> list[str]:
    """That passes ran out and left more than tolerances ask for (with fixed steps: than `ENOUGH`)."""
    left, times = Penalty(*arrays[: len(Penalty._fields)]).left
    if left <= (ENOUGH if rtol is None else rtol):
        return []
    return [
        f"in {times:.0f} evaluations penalty's multipliers did not stand still after the passes allowed: up to "
        f"{left:.1g} of the largest was left, and accelerations are no more exact than that, whatever the tolerance. A "
        "larger penalty_factor (1e8, 1e10) needs fewer passes; range-space and augmented need none."
    ]


@kernel
def factorise(tables: Any, work: Any, space: Penalty, pattern: Any, factors: Any) -> int:
    """Form M + J^T D J at the placed state and factor it."""
    J, inverse, values, body = work.J, space.inverse, factors.values, tables.body
    clear_ldl(factors)
    for b in range(space.mass_pos.shape[0]):
        e = 0
        for r in range(3):
            for c in range(r + 1):
                values[space.inertia_pos[b, e]] += body[b, 1 + 3 * r + c]
                e += 1
            values[space.mass_pos[b, r]] += body[b, 0]
    for k in range(J.shape[0]):
        size = 0.0
        for side in range(2):
            b, a = tables.row_int[k, 1 + side], 6 * side
            for r in range(3):
                turned = 0.0
                for c in range(3):
                    turned += inverse[b, 3 * r + c] * J[k, a + c]
                size += J[k, a + r] * turned + inverse[b, 9] * J[k, a + 3 + r] * J[k, a + 3 + r]
        D = space.options[0] / size
        space.D[k] = D
        for side in range(2):
            e, a = 0, 6 * side
            for r in range(6):
                for c in range(r + 1):
                    p = space.own_pos[k, side, e]
                    if p >= 0:
                        values[p] += D * J[k, a + r] * J[k, a + c]
                    e += 1
        for r in range(6):
            for c in range(6):
                p = space.cross_pos[k, 6 * r + c]
                if p >= 0:
                    values[p] += D * J[k, r] * J[k, 6 + c]
    return int(factor_ldl(pattern, factors, LEAST))


@kernel
def solve_system(tables: Any, work: Any, space: Penalty, pattern: Any, factors: Any) -> int:
    """x and lambda after as many passes as it takes until rounding stops them, or are allowed."""
    J, x, lam, rhs, dx, body = work.J, work.x, work.lam, space.rhs, space.dx, tables.body
    nb = x.shape[0] - 1
    for b in range(nb):
        for c in range(6):
            x[b, c] = 0.0
    for k in range(lam.shape[0]):
        lam[k] = 0.0
    before, change, largest, rate, still = 0.0, 0.0, 0.0, 0.0, False
    for turn in range(int(space.options[1])):
        # the residual at the present x and lambda, so that each pass also removes rounding of the one before
        for b in range(nb):
            for r in range(3):
                turned = 0.0
                for c in range(3):
                    turned += body[b, 1 + 3 * r + c] * x[b, c]
                rhs[6 * b + r] = work.f[b, r] - turned
                rhs[6 * b + 3 + r] = work.f[b, 3 + r] - body[b, 0] * x[b, 3 + r]
        for k in range(lam.shape[0]):
            push = space.D[k] * violation(tables, work, k) + lam[k]
            for side in range(2):
                b = tables.row_int[k, 1 + side]
                if b < nb:
                    for c in range(6):
                        rhs[6 * b + c] -= push * J[k, 6 * side + c]
        solve_ldl(pattern, factors, rhs, dx)
        for b in range(nb):
            for c in range(6):
                x[b, c] += dx[6 * b + c]
        change, largest = 0.0, 0.0
        for k in range(lam.shape[0]):
            step = space.D[k] * violation(tables, work, k)
            lam[k] += step
            change, largest = max(change, abs(step)), max(largest, abs(lam[k]))
        still = change <= FINE * largest or (turn > 0 and change > HALTING * before and change <= STUCK * largest)
        if still:
            break
        rate = change / before if before > 0.0 else 0.0
        before = change
    if not still and space.options[1] > 1.0:  # a geometric series is left
        space.left[0] = max(space.left[0], change / (largest * max(1.0 - rate, FINE)))
        space.left[1] += 1.0
    return OK


@kernel
def violation(tables: Any, work: Any, k: Any) -> Any:
    """J_k x - eta_k."""
    i, j = tables.row_int[k, 1], tables.row_int[k, 2]
    total = -work.eta[k]
    for d in range(6):
        total += work.J[k, d] * work.x[i, d] + work.J[k, 6 + d] * work.x[j, d]
    return total
