"""A stated start made to fit the rows in compiled code, where that is plain: it fits, or misses them by little.

The same steps as `system.assembly`: poses by Gauss-Newton steps of least size, then velocities by a change of least
size, of all bodies alike, since all of the start is stated. What is not plain is left to `system.assembly`: poses that
are further off, rows that depend on others, steps that do not help.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.dense_qr import RowFactors, apply_Q, factor_rows, solve_lower
from linkwork.kernels.formula import evaluate_drives
from linkwork.kernels.jit import MARKS, kernel, separate_kernel
from linkwork.kernels.mat33 import get9, matmul
from linkwork.kernels.records import Columns, Shape
from linkwork.kernels.rows.kinds import KINDS
from linkwork.kernels.rows.table import evaluate_rows, rows_nu
from linkwork.kernels.so3 import exp_so3
from linkwork.kernels.switch import Switch
from linkwork.kernels.tables import Floats, Ints
from linkwork.system.assembly import ACCEPTED, ACCEPTED_SPEED, FITS, FITS_SPEED
from linkwork.system.packed import Tables, programs_of, rows_of

FOUND, NOT_PLAIN = 0, 1
NEAR = 1e-4  # m, rad: poses that miss their rows by more are not plain
STEPS = 10
LARGEST_STEP = 0.1  # rad, and typical lengths
INDEPENDENT = 1e-5  # what a row of unit length must have left beside those before it


class StartSearch(NamedTuple):
    """A start, and what finding it takes. Ground is the last body."""

    time: Annotated[Floats, Shape(1), "s", "at which rows are met"]
    r: Annotated[Floats, Shape("nb + 1", 3), "m", "positions: as stated, then as found"]
    A: Annotated[Floats, Shape("nb + 1", 9), "rotation matrices, likewise"]
    v: Annotated[Floats, Shape("nb + 1", 3), "m/s", "velocities, global, likewise"]
    w: Annotated[Floats, Shape("nb + 1", 3), "rad/s", "angular velocities, body components, likewise"]
    r_old: Annotated[Floats, Shape("nb + 1", 3), "m", "before a step"]
    A_old: Annotated[Floats, Shape("nb + 1", 9), "likewise"]
    v_old: Annotated[Floats, Shape("nb + 1", 3), "m/s", "as stated"]
    w_old: Annotated[Floats, Shape("nb + 1", 3), "rad/s", "as stated"]
    drive: Annotated[Floats, Shape("nc", 3), "value and derivatives of each row's formula"]
    seen: Annotated[Floats, Shape("nc", 3), "the same; of rows with a value of their own, from there"]
    phi: Annotated[Floats, Shape("nc"), "residuals of rows"]
    nu: Annotated[Floats, Shape("nc"), "rates that rows prescribe"]
    rest: Annotated[Floats, Shape("nc"), "what is to change of rows, or of their rates"]
    G_i: Annotated[Floats, Shape("nc", 6), "the rows' parts for their first bodies"]
    G_j: Annotated[Floats, Shape("nc", 6), "the rows' parts for their second bodies"]
    modulo: Annotated[Ints, Shape("nc"), "1 for rows that measure a value modulo a period"]
    pose_unit: Annotated[Floats, Shape("6 nb"), "m, rad", "unit steps of poses"]
    velocity_unit: Annotated[Floats, Shape("6 nb"), "m/s, rad/s", "unit changes of velocities"]
    step: Annotated[Floats, Shape("6 nb"), "m, rad; m/s, rad/s", "the least one"]
    size: Annotated[Floats, Shape("nc"), "lengths of rows in these units"]
    side: Annotated[Floats, Shape("nc"), "right side, in the order that rows were taken in"]
    taken: Annotated[Ints, Shape("nc"), "1: all rows may be taken"]
    factors: Annotated[RowFactors, "of rows of unit length"]
    stack: Annotated[Floats, Shape("depth", 3), "of formulas"]
    squares: Annotated[
        Floats, Shape(4, "nc"), "of rows' parts for translation and rotation of body i, then of body j; 0 of ground"
    ]
    length: Annotated[Floats, Shape(1), "m", "typical of the mechanism"]
    violation: Annotated[Floats, Shape(1, 4), "largest ones, all of these:"]
    before: Annotated[Floats, Columns("violation"), "of poses, as stated"]
    after: Annotated[Floats, Columns("violation"), "of poses, as found"]
    rate_before: Annotated[Floats, Columns("violation"), "of velocities, as stated"]
    rate_after: Annotated[Floats, Columns("violation"), "of velocities, as found"]
    changed: Annotated[Ints, Shape(1, 2), "what is other than stated, both of these:"]
    moved: Annotated[Ints, Columns("changed"), "1: poses are"]
    sped: Annotated[Ints, Columns("changed"), "1: velocities are"]


@kernel
def no_value(rows: Any, k: Any, r: Any, A: Any) -> Any:
    """Of a kind whose phi is a difference from f."""
    return 0.0 * r[0, 0]


@kernel
def no_period(rows: Any, k: Any) -> Any:
    """Of a kind whose values have no period."""
    return np.inf


value_of = Switch([kind.value if kind.value in MARKS else no_value for kind in KINDS])
period_of = Switch([kind.period if kind.period in MARKS else no_period for kind in KINDS])


@separate_kernel
def evaluate_start(tables: Tables, s: StartSearch) -> None:
    """phi, G_i and G_j at the pose; reads r, A and drive. As `system.dense.parts_of`."""
    rows = rows_of(tables)
    for k in range(s.phi.shape[0]):
        for c in range(3):
            s.seen[k, c] = s.drive[k, c]
        if s.modulo[k] == 1:
            s.seen[k, 0] = value_of(rows.kind[k], rows, k, s.r, s.A)
    evaluate_rows(rows, s.r, s.A, s.seen, s.phi, s.G_i, s.G_j)
    for k in range(s.phi.shape[0]):
        if s.modulo[k] == 1:
            left, period = s.seen[k, 0] - s.drive[k, 0], period_of(rows.kind[k], rows, k)
            if period < np.inf:
                left -= period * np.floor(left / period + 0.5)
            s.phi[k] = left


@kernel
def largest_residual(tables: Tables, s: StartSearch) -> float:
    """Of the rows of positions; infinite where one is not finite."""
    largest = 0.0
    for k in range(s.phi.shape[0]):
        if tables.row_int[k, 3] == 0:
            if not abs(s.phi[k]) < np.inf:
                return np.inf
            largest = max(largest, abs(s.phi[k]))
    return largest


@kernel
def missing_rates(tables: Tables, s: StartSearch) -> float:
    """rest = nu - G u, and the largest of it; infinite where one is not finite. Reads nu, G_i, G_j, v and w."""
    largest = 0.0
    for k in range(s.rest.shape[0]):
        i, j = tables.row_int[k, 1], tables.row_int[k, 2]
        rate = 0.0
        for c in range(3):
            rate += s.G_i[k, c] * s.v[i, c] + s.G_i[k, 3 + c] * s.w[i, c]
            rate += s.G_j[k, c] * s.v[j, c] + s.G_j[k, 3 + c] * s.w[j, c]
        s.rest[k] = s.nu[k] - rate
        if not abs(s.rest[k]) < np.inf:
            return np.inf
        largest = max(largest, abs(s.rest[k]))
    return largest


@separate_kernel
def factor_scaled(tables: Tables, s: StartSearch, unit: Floats, velocities: bool) -> int:
    """Factor the rows, of positions alone or all, in units of steps and scaled to unit length. Returns how many there
    are, -1 where they are not independent by far. Writes factors and size; reads G_i and G_j."""
    f, nb, n = s.factors, s.r.shape[0] - 1, 0
    for k in range(s.phi.shape[0]):
        if velocities or tables.row_int[k, 3] == 0:
            for c in range(6 * nb):
                f.A[n, c] = 0.0
            i, j = tables.row_int[k, 1], tables.row_int[k, 2]
            for c in range(6):
                if i < nb:
                    f.A[n, 6 * i + c] += s.G_i[k, c] * unit[6 * i + c]
                if j < nb:
                    f.A[n, 6 * j + c] += s.G_j[k, c] * unit[6 * j + c]
            total = 0.0
            for c in range(6 * nb):
                total += f.A[n, c] * f.A[n, c]
            s.size[n] = np.sqrt(total)
            if not 0.0 < s.size[n] < np.inf:
                return -1
            for c in range(6 * nb):
                f.A[n, c] /= s.size[n]
            n += 1
    if factor_rows(f, n, 6 * nb, s.taken, INDEPENDENT, -1) < n:
        return -1
    return n


@separate_kernel
def least_step(s: StartSearch, n: int, unit: Floats) -> None:
    """step, the least one in these units that changes the factored rows by rest[:n]. Reads factors and size."""
    for p in range(n):
        k = s.factors.order[p]
        s.side[p] = s.rest[k] / s.size[k]
    solve_lower(s.factors, n, s.side)
    for c in range(s.step.shape[0]):
        s.step[c] = s.side[c] if c < n else 0.0
    apply_Q(s.factors, n, s.step)
    for c in range(s.step.shape[0]):
        s.step[c] *= unit[c]


@kernel
def residual_norm(tables: Tables, s: StartSearch) -> float:
    """Squared norm of the residuals of positions over the sizes of their rows."""
    total, n = 0.0, 0
    for k in range(s.phi.shape[0]):
        if tables.row_int[k, 3] == 0:
            total += (s.phi[k] / s.size[n]) ** 2
            n += 1
    return total


@kernel
def move(s: StartSearch) -> bool:
    """Take the step from the pose, which is kept. False where it is too large."""
    nb = s.r.shape[0] - 1
    for b in range(nb):
        for c in range(3):
            if not (
                abs(s.step[6 * b + c]) <= LARGEST_STEP * s.length[0] and abs(s.step[6 * b + 3 + c]) <= LARGEST_STEP
            ):
                return False
    for b in range(nb):
        for c in range(9):
            s.A_old[b, c] = s.A[b, c]
        for c in range(3):
            s.r_old[b, c] = s.r[b, c]
            s.r[b, c] += s.step[6 * b + c]
        turned = matmul(get9(s.A, b), exp_so3((s.step[6 * b + 3], s.step[6 * b + 4], s.step[6 * b + 5])))
        for c in range(9):
            s.A[b, c] = turned[c]
    return True


@kernel
def move_back(s: StartSearch) -> None:
    """To the pose before the last step."""
    for b in range(s.r.shape[0] - 1):
        for c in range(3):
            s.r[b, c] = s.r_old[b, c]
        for c in range(9):
            s.A[b, c] = s.A_old[b, c]


@kernel
def fit_poses(tables: Tables, s: StartSearch) -> int:
    """Poses that meet the rows; FOUND with G_i and G_j there, or NOT_PLAIN. Reads drive."""
    scale = max(1.0, s.length[0])
    evaluate_start(tables, s)
    before = largest_residual(tables, s)
    error = before
    if not before <= NEAR * min(1.0, s.length[0]):
        return NOT_PLAIN
    for _ in range(STEPS):
        if error <= FITS * scale:
            break
        n = factor_scaled(tables, s, s.pose_unit, False)
        if n < 0:
            return NOT_PLAIN
        p = 0
        for k in range(s.phi.shape[0]):
            if tables.row_int[k, 3] == 0:
                s.rest[p] = -s.phi[k]
                p += 1
        least_step(s, n, s.pose_unit)
        old = residual_norm(tables, s)
        if not move(s):
            return NOT_PLAIN
        evaluate_start(tables, s)
        new, reached = residual_norm(tables, s), largest_residual(tables, s)
        if not (new < old * (1.0 - 1e-4) or (new < old and reached <= ACCEPTED * scale)):
            move_back(s)
            evaluate_start(tables, s)
            break
        error = reached
        s.moved[0] = 1
    s.before[0], s.after[0] = before, error
    return FOUND if error <= ACCEPTED * scale else NOT_PLAIN


@kernel
def measure_rows(tables: Tables, s: StartSearch) -> None:
    """Write squares, of the rows at the pose; reads G_i and G_j."""
    nb = s.r.shape[0] - 1
    for k in range(s.phi.shape[0]):
        i, j = tables.row_int[k, 1], tables.row_int[k, 2]
        for part in range(2):
            of_i, of_j = 0.0, 0.0
            for c in range(3 * part, 3 * part + 3):
                of_i += s.G_i[k, c] * s.G_i[k, c]
                of_j += s.G_j[k, c] * s.G_j[k, c]
            s.squares[part, k] = of_i if i < nb else 0.0
            s.squares[2 + part, k] = of_j if j < nb else 0.0


@kernel
def fastest_of(s: StartSearch, least: float) -> float:
    """The largest component of velocities, of angular ones times the mechanism's length; `least` or more [m/s]."""
    fastest = least
    for b in range(s.v.shape[0]):
        for c in range(3):
            fastest = max(fastest, s.length[0] * abs(s.v[b, c]), s.length[0] * abs(s.w[b, c]))
    return fastest


@kernel
def fit_rates(tables: Tables, s: StartSearch) -> int:
    """Velocities that meet the rows; FOUND or NOT_PLAIN. Reads drive, r, A, G_i and G_j."""
    rows_nu(rows_of(tables), s.r, s.A, s.drive, s.nu)
    speed = 1.0
    for k in range(s.nu.shape[0]):
        speed = max(speed, abs(s.nu[k]))
    before = missing_rates(tables, s)
    speed = fastest_of(s, speed)
    s.rate_before[0], s.rate_after[0] = before, before
    if before <= FITS_SPEED * speed:
        return FOUND
    n = factor_scaled(tables, s, s.velocity_unit, True)
    if n < 0 or not before < np.inf:
        return NOT_PLAIN
    nb, after = s.v.shape[0] - 1, before
    for b in range(nb):
        for c in range(3):
            s.v_old[b, c], s.w_old[b, c] = s.v[b, c], s.w[b, c]
    for _ in range(2):  # once more, for the last digits
        least_step(s, n, s.velocity_unit)
        for b in range(nb):
            for c in range(3):
                s.v[b, c] += s.step[6 * b + c]
                s.w[b, c] += s.step[6 * b + 3 + c]
        after = missing_rates(tables, s)
    speed = fastest_of(s, speed)
    if not after <= ACCEPTED_SPEED * speed:
        return NOT_PLAIN
    if before <= ACCEPTED_SPEED * speed and not after < before:
        for b in range(nb):
            for c in range(3):
                s.v[b, c], s.w[b, c] = s.v_old[b, c], s.w_old[b, c]
        return FOUND
    s.sped[0], s.rate_after[0] = 1, after
    return FOUND


@kernel
def fit_start(tables: Tables, s: StartSearch) -> int:
    """Make a stated start fit the rows with the least change. Returns FOUND, or NOT_PLAIN with
    the start in disorder. Reads and writes r, A, v and w; writes
    squares, of the rows there."""
    rows = rows_of(tables)
    s.moved[0], s.sped[0] = 0, 0
    evaluate_drives(programs_of(tables), rows.program, rows.constant, s.time[0], s.stack, s.drive)
    if fit_poses(tables, s) != FOUND:
        return NOT_PLAIN
    measure_rows(tables, s)
    return fit_rates(tables, s)
