"""A described start made to fit its rows in compiled code, with the bits of `system.assembly` in plain NumPy.

The same steps where all goes as usual: Gauss-Newton steps of least size, each of which helps, then the least change of
velocities. Every operation is rounded by itself, and sums are taken in the order of their terms, as
`system.least_change` does. Whatever is not usual (rows that depend on others, a step that does not help, values that
are not finite) is left to `system.assembly`, from the beginning.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from linkwork.kernels.jit import exact_kernel, exactly, large_exact_kernel
from linkwork.kernels.mat33 import get9, matmul
from linkwork.kernels.records import Columns, Shape
from linkwork.kernels.so3 import exp_so3
from linkwork.kernels.tables import Floats, Ints
from linkwork.system.assembly import (
    ACCEPTED_SPEED,
    FITS_SPEED,
    HELPS,
    ITERATIONS,
    LARGEST_MOVE,
    LARGEST_ROTATION,
    SLOW,
    SLOW_STEPS,
)
from linkwork.system.least_change import OWN

FOUND, AGAIN, NOT_USUAL = 0, 1, 2

exact_exp, exact_matmul = exactly(exp_so3), exactly(matmul)


class DescribedSearch(NamedTuple):
    """A start, and what finding it takes. Ground is the last body, and does not move."""

    r: Annotated[Floats, Shape("nb + 1", 3), "m", "positions: as described, then as found"]
    A: Annotated[Floats, Shape("nb + 1", 9), "rotation matrices, likewise"]
    u: Annotated[Floats, Shape("nb + 1", 6), "m/s, rad/s", "velocities and angular velocities, likewise; of ground 0"]
    u_old: Annotated[Floats, Shape("nb + 1", 6), "m/s, rad/s", "as described"]
    body_i: Annotated[Ints, Shape("nc"), "the rows' first bodies"]
    body_j: Annotated[Ints, Shape("nc"), "their second ones"]
    taken: Annotated[Ints, Shape("nc"), "1: a row of positions"]
    measures: Annotated[Ints, Shape("nc"), "1: a row that measures a value"]
    off: Annotated[Floats, Shape("nc"), "of such rows: residuals, whole periods left out"]
    phi: Annotated[Floats, Shape("nc"), "residuals of rows"]
    nu: Annotated[Floats, Shape("nc"), "rates that rows prescribe"]
    rest: Annotated[Floats, Shape("nc"), "what is left of these"]
    G_i: Annotated[Floats, Shape("nc", 6), "the rows' parts for their first bodies"]
    G_j: Annotated[Floats, Shape("nc", 6), "the rows' parts for their second bodies"]
    squares: Annotated[Floats, Shape(4, "nc"), "`CompiledMechanism.squares` where the search ended"]
    unit: Annotated[Floats, Shape("nb + 1", 6), "unit steps; of ground 0"]
    part: Annotated[Floats, Shape(12), "of a scaled row, for its first and its second body"]
    size: Annotated[Floats, Shape("nc"), "lengths of scaled rows, 1 where that is 0"]
    G: Annotated[Floats, Shape("nc", "6 nb + 6"), "scaled rows, then of unit length"]
    T: Annotated[Floats, Shape("6 nb + 6", "nc"), "their transpose"]
    S: Annotated[Floats, Shape("nc", "nc"), "products of these, then the inverse of that matrix"]
    row: Annotated[Floats, Shape("nc"), "of it, over its pivot"]
    column: Annotated[Floats, Shape("nc"), "of it, as it was"]
    side: Annotated[Floats, Shape("nc"), "right side, over the sizes of rows"]
    solved: Annotated[Floats, Shape("nc"), "the inverse times that"]
    step: Annotated[Floats, Shape("6 nb"), "m, rad; m/s, rad/s", "the least one"]
    limits: Annotated[Floats, Shape(1, 8), "numbers, all of these:"]
    length: Annotated[Floats, Columns("limits"), "m", "typical of the mechanism"]
    fits: Annotated[Floats, Columns("limits"), "residuals that end the search"]
    accepted: Annotated[Floats, Columns("limits"), "residuals that are good enough"]
    before: Annotated[Floats, Columns("limits"), "the largest residual as described, of positions or of velocities"]
    after: Annotated[Floats, Columns("limits"), "as found"]
    old: Annotated[Floats, Columns("limits"), "sum of squares over sizes before the last step"]
    shorter: Annotated[Floats, Columns("limits"), "share that was taken of the last step"]
    speed: Annotated[Floats, Columns("limits"), "m/s", "the largest"]
    counts: Annotated[Ints, Shape(1, 2), "whole numbers, both of these:"]
    steps: Annotated[Ints, Columns("counts"), "taken so far"]
    slow: Annotated[Ints, Columns("counts"), "the last so many of them helped little"]


@exact_kernel
def all_finite(s: DescribedSearch) -> bool:
    """Whether rows have values and directions."""
    for k in range(s.phi.shape[0]):
        if not abs(s.phi[k]) < np.inf:
            return False
        for c in range(6):
            if not (abs(s.G_i[k, c]) < np.inf and abs(s.G_j[k, c]) < np.inf):
                return False
    return True


@exact_kernel
def largest_of_positions(s: DescribedSearch) -> float:
    """The largest residual of the rows of positions."""
    largest = 0.0
    for k in range(s.phi.shape[0]):
        if s.taken[k] == 1:
            largest = max(largest, abs(s.phi[k]))
    return largest


@large_exact_kernel
def scaled_row(s: DescribedSearch, k: int, n: int) -> None:
    """Write row n of G, of the mechanism's row k, and its size."""
    i, j = s.body_i[k], s.body_j[k]
    for c in range(6):
        s.part[c], s.part[6 + c] = s.G_i[k, c] * s.unit[i, c], s.G_j[k, c] * s.unit[j, c]
    if i == j:
        for c in range(6):
            s.part[c] += s.part[6 + c]
            s.part[6 + c] = 0.0
    total = 0.0
    for c in range(12):
        total += s.part[c] * s.part[c]
    size = np.sqrt(total)
    s.size[n] = size if size > 0.0 else 1.0
    for c in range(s.G.shape[1]):
        s.G[n, c] = 0.0
    for c in range(6):
        s.G[n, 6 * i + c] += s.part[c] / s.size[n]
    for c in range(6):
        s.G[n, 6 * j + c] += s.part[6 + c] / s.size[n]


@large_exact_kernel
def invert_products(s: DescribedSearch, n: int) -> bool:
    """`system.least_change.inverse_products` of the first n rows of G, into S. False where they depend on others."""
    S, m = s.S, s.step.shape[0]
    for i in range(n):  # sums of many rows at a time, each in the order of its terms
        for c in range(m):
            s.T[c, i] = s.G[i, c]
    for i in range(n):
        for k in range(n):
            S[i, k] = s.G[i, 0] * s.T[0, k]
        for c in range(1, m):
            g = s.G[i, c]
            for k in range(n):
                S[i, k] += g * s.T[c, k]
    for j in range(n):
        left = S[j, j]
        if not left > OWN:
            return False
        for k in range(n):
            s.row[k], s.column[k] = S[j, k] / left, S[k, j]
            S[k, j] = 0.0
        s.row[j] = 1.0 / left
        for i in range(n):
            for k in range(n):
                S[i, k] -= s.column[i] * s.row[k]
        for k in range(n):
            S[j, k] = s.row[k]
    return True


@large_exact_kernel
def least_step(s: DescribedSearch, n: int) -> None:
    """The least step that changes the n rows by `side`, which is divided by their sizes."""
    for i in range(n):
        s.side[i] = s.side[i] / s.size[i]
    for i in range(n):
        total = 0.0
        for k in range(n):
            share = s.S[i, k] * s.side[k]
            total = share if k == 0 else total + share
        s.solved[i] = total
    for c in range(s.step.shape[0]):
        s.step[c] = s.G[0, c] * s.solved[0]
    for k in range(1, n):
        for c in range(s.step.shape[0]):
            s.step[c] += s.G[k, c] * s.solved[k]
    for c in range(s.step.shape[0]):
        s.step[c] *= s.unit[c // 6, c % 6]


@exact_kernel
def squares_over_sizes(s: DescribedSearch) -> float:
    """Sum of squares of residuals of positions over the sizes of their rows."""
    n, total = 0, 0.0
    for k in range(s.phi.shape[0]):
        if s.taken[k] == 1:
            share = s.phi[k] * (1.0 / s.size[n])
            total = share * share if n == 0 else total + share * share
            n += 1
    return total


@exact_kernel
def shorten_step(s: DescribedSearch) -> None:
    """shorter, the share of a step that moves and turns no body too far at once."""
    move, turn = 0.0, 0.0
    for c in range(s.step.shape[0]):
        if c % 6 < 3:
            move = max(move, abs(s.step[c]))
        else:
            turn = max(turn, abs(s.step[c]))
    s.shorter[0] = 1.0 / max(1.0, turn / LARGEST_ROTATION, move / (LARGEST_MOVE * s.length[0]))


@large_exact_kernel
def move(s: DescribedSearch) -> None:
    """Take this share of the step."""
    h = s.shorter[0]
    for b in range(s.r.shape[0] - 1):
        for c in range(3):
            s.r[b, c] += h * s.step[6 * b + c]
        turn = (h * s.step[6 * b + 3], h * s.step[6 * b + 4], h * s.step[6 * b + 5])
        turned = exact_matmul(get9(s.A, b), exact_exp(turn))
        for c in range(9):
            s.A[b, c] = turned[c]


@large_exact_kernel
def take_step(s: DescribedSearch) -> int:
    """Judge where the last step led, and take another one. Returns FOUND, AGAIN (rows are to be evaluated there) or
    NOT_USUAL. Reads r, A, phi, off, G_i, G_j, unit, limits and counts. Writes phi of rows that measure a value."""
    for k in range(s.phi.shape[0]):
        if s.measures[k] == 1:
            s.phi[k] = s.off[k]
    if not all_finite(s):
        return NOT_USUAL
    error = largest_of_positions(s)
    if s.steps[0] == 0:
        s.before[0] = error
    else:
        new, old, h = squares_over_sizes(s), s.old[0], s.shorter[0]
        if not (new < old * (1.0 - HELPS * h) or (new < old and error <= s.accepted[0])):
            return NOT_USUAL
        s.slow[0] = s.slow[0] + 1 if new > SLOW * old else 0
        if s.slow[0] >= SLOW_STEPS and error > s.accepted[0]:
            return NOT_USUAL
    s.after[0] = error
    if error <= s.fits[0]:
        return FOUND if s.steps[0] == 0 or not (s.before[0] <= s.accepted[0] and not error < s.before[0]) else NOT_USUAL
    if s.steps[0] == ITERATIONS:
        return NOT_USUAL
    n = 0
    for k in range(s.phi.shape[0]):
        if s.taken[k] == 1:
            scaled_row(s, k, n)
            s.side[n] = -s.phi[k]
            n += 1
    if not (n > 1 and invert_products(s, n)):
        return NOT_USUAL
    s.old[0] = squares_over_sizes(s)
    least_step(s, n)
    shorten_step(s)
    move(s)
    s.steps[0] += 1
    return AGAIN


@large_exact_kernel
def missing_rates(s: DescribedSearch) -> float:
    """rest = nu - G u, and the largest of it; infinite where one is not finite."""
    largest = 0.0
    for k in range(s.rest.shape[0]):
        i, j = s.body_i[k], s.body_j[k]
        rate = s.G_i[k, 0] * s.u[i, 0]
        for c in range(1, 6):
            rate += s.G_i[k, c] * s.u[i, c]
        for c in range(6):
            rate += s.G_j[k, c] * s.u[j, c]
        s.rest[k] = s.nu[k] - rate
        if not abs(s.rest[k]) < np.inf:
            return np.inf
        largest = max(largest, abs(s.rest[k]))
    return largest


@exact_kernel
def fastest_of(s: DescribedSearch, least: float) -> float:
    """The largest component of velocities, of angular ones times the mechanism's length; `least` or more [m/s]."""
    fastest = least
    for b in range(s.u.shape[0]):
        for c in range(6):
            fastest = max(fastest, s.length[0] * abs(s.u[b, c]))
    return fastest


@exact_kernel
def set_squares(s: DescribedSearch) -> None:
    """`system.dense.row_squares` of the rows' parts."""
    ground = s.r.shape[0] - 1
    for k in range(s.phi.shape[0]):
        for c in range(2):
            a, b, d = s.G_i[k, 3 * c], s.G_i[k, 3 * c + 1], s.G_i[k, 3 * c + 2]
            s.squares[c, k] = 0.0 if s.body_i[k] == ground else a * a + b * b + d * d
            a, b, d = s.G_j[k, 3 * c], s.G_j[k, 3 * c + 1], s.G_j[k, 3 * c + 2]
            s.squares[2 + c, k] = 0.0 if s.body_j[k] == ground else a * a + b * b + d * d


@large_exact_kernel
def fit_rates(s: DescribedSearch) -> int:
    """Velocities by the least change in these units that meets the rows where the search ended. FOUND, with steps 1
    where they are others, or NOT_USUAL. Writes squares."""
    s.steps[0] = 0
    set_squares(s)
    speed = 1.0
    for k in range(s.nu.shape[0]):
        speed = max(speed, abs(s.nu[k]))
    before = missing_rates(s)
    speed = fastest_of(s, speed)
    s.before[0], s.after[0] = before, before
    if before <= FITS_SPEED * speed:
        return FOUND
    n = s.nu.shape[0]
    if not before < np.inf:
        return NOT_USUAL
    for k in range(n):
        scaled_row(s, k, k)
    if not (n > 1 and invert_products(s, n)):
        return NOT_USUAL
    after = before
    for _ in range(2):  # once more, for the last digits
        for k in range(n):
            s.side[k] = s.rest[k]
        least_step(s, n)
        for c in range(s.step.shape[0]):
            s.u[c // 6, c % 6] += s.step[c]
        after = missing_rates(s)
    s.after[0] = after
    speed = ACCEPTED_SPEED * fastest_of(s, speed)
    if not after <= speed or (before <= speed and not after < before):
        return NOT_USUAL
    s.steps[0] = 1
    return FOUND
