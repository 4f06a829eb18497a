"""Choosing pivots: left-looking sparse LU with partial pivoting (Gilbert and Peierls 1988).

Scaling serves only to compare: pivots are chosen, and singularity is judged, on the matrix with rows and
columns scaled to largest entries of about one, but the numbers eliminated are those of A itself. (With the same
pivots, the factors of a scaled matrix are the scaled factors, to the last bit for powers of two.) So neither
`refactor` nor `solve` pays for scaling, and a saddle matrix of masses from 1e-4 to 1e3 and Jacobian entries of
order one is judged fairly.
"""

from __future__ import annotations

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse.pattern import (
    FACTORED,
    FACTORIZATIONS,
    L_COUNT,
    U_COUNT,
    Factors,
    Floats,
    Indices,
    Pattern,
)
from linkwork.status import Status

OK = int(Status.OK)
SINGULAR = int(Status.SINGULAR)
OUT_OF_SPACE = int(Status.OUT_OF_SPACE)
NOT_FINITE = int(Status.NOT_FINITE)

SINGULAR_TOLERANCE = 1e-12  # a pivot of the scaled matrix below this is none, unless told otherwise
LIGHT = 1e-3  # the largest entry of the masses in a scaled saddle matrix, below which they get a unit of their own
TURNS = 3  # of equilibration
MULTIPLIER_LIMIT = 1e3  # refactoring gives up where a scaled multiplier exceeds this


@kernel
def equilibrate(pattern: Pattern, values: Floats, row_scale: Floats, column_scale: Floats, work: Floats) -> int:
    """Scales that bring the largest entry of every row and column to about one (of every column exactly).

    Rows and columns are first divided together by the square roots of their largest entries (Ruiz 2001), a few
    times, so that a large entry scales its row as much as its column. Masses that are small then are brought to one
    as well (`equilibrate_masses`). SINGULAR where one is empty.
    """
    n = pattern.n
    for k in range(n):
        row_scale[k] = 1.0
        column_scale[k] = 1.0
    for turn in range(TURNS + 1):
        for i in range(n):
            work[i] = 0.0
        for j in range(n):
            largest = 0.0
            for e in range(pattern.indptr[j], pattern.indptr[j + 1]):
                i = pattern.indices[e]
                a = abs(values[e]) * row_scale[i] * column_scale[j]
                if not a < 1e300:
                    return NOT_FINITE
                if a > work[i]:
                    work[i] = a
                if a > largest:
                    largest = a
            if not largest > 1e-300:
                return SINGULAR
            if turn < TURNS:
                column_scale[j] /= np.sqrt(largest)
        for i in range(n):
            if not work[i] > 1e-300:
                return SINGULAR
            row_scale[i] /= np.sqrt(work[i]) if turn < TURNS else work[i]
    equilibrate_masses(pattern, values, row_scale, column_scale, work)
    for j in range(n):
        largest = 0.0
        for e in range(pattern.indptr[j], pattern.indptr[j + 1]):
            largest = max(largest, abs(values[e]) * row_scale[pattern.indices[e]])
        column_scale[j] = 1.0 / largest
    return OK


@kernel
def equilibrate_masses(
    pattern: Pattern, values: Floats, row_scale: Floats, column_scale: Floats, bodies: Floats
) -> None:
    """Scale a saddle matrix (M, G^T; G, 0) whose M is small against G to an M of about one, and leave G.

    The largest entries of rows and columns are in G, whatever the unit of mass: bodies of a nanogram would have pivots
    like those of bodies without inertia. Columns of bodies have a diagonal entry and others; multipliers have none, and
    those of rows that are left out have nothing else.
    row_scale, column_scale : changed. bodies (n,) : work space.
    """
    n = pattern.n
    for j in range(n):
        diagonal = 0.0
        others = 0.0
        for e in range(pattern.indptr[j], pattern.indptr[j + 1]):
            if pattern.indices[e] == j:
                diagonal = abs(values[e])
            else:
                others += abs(values[e])
        bodies[j] = 1.0 if diagonal > 0.0 and others > 0.0 else 0.0
    largest = 0.0
    for j in range(n):
        for e in range(pattern.indptr[j], pattern.indptr[j + 1]):
            i = pattern.indices[e]
            if bodies[i] == 1.0 and bodies[j] == 1.0:
                largest = max(largest, abs(values[e]) * row_scale[i] * column_scale[j])
            elif bodies[i] == 0.0 and bodies[j] == 0.0 and i != j and values[e] != 0.0:
                return  # another matrix
    if largest >= LIGHT or not largest > 0.0:
        return
    unit = np.sqrt(largest)
    for j in range(n):
        by = 1.0 / unit if bodies[j] == 1.0 else unit
        row_scale[j] *= by
        column_scale[j] *= by


@kernel
def reach(pattern: Pattern, j: int, stamp: int, factors: Factors) -> int:
    """Rows that column j of A touches through the columns of L made so far, in an order fit to eliminate.

    Writes them to stack[top:n] and returns top. Depth first, without recursion; L's indices are rows of A here.
    """
    n = pattern.n
    stack, mark, step = factors.stack, factors.mark, factors.step
    top = n
    for e in range(pattern.indptr[j], pattern.indptr[j + 1]):
        start = pattern.indices[e]
        if mark[start] == stamp:
            continue
        head = 0
        stack[n] = start
        while head >= 0:
            i = stack[n + head]
            k = step[i]
            if mark[i] != stamp:
                mark[i] = stamp
                stack[2 * n + head] = 0 if k < 0 else factors.Lp[k]
            done = True
            if k >= 0:
                end = factors.Lp[k + 1]
                p = stack[2 * n + head]
                while p < end:
                    child = factors.Li[p]
                    p += 1
                    if mark[child] != stamp:
                        stack[2 * n + head] = p
                        head += 1
                        stack[n + head] = child
                        done = False
                        break
            if done:
                head -= 1
                top -= 1
                stack[top] = i
    return top


@kernel
def transpose(n: int, count: int, p: Indices, i: Indices, x: Floats, Tp: Indices, Ti: Indices, Tx: Floats) -> None:
    """The transpose of n compressed columns; the rows of each come out ascending."""
    for k in range(n + 1):
        Tp[k] = 0
    for e in range(count):
        Tp[i[e] + 1] += 1
    for k in range(n):
        Tp[k + 1] += Tp[k]
    for k in range(n):
        for e in range(p[k], p[k + 1]):
            row = i[e]
            to = Tp[row]
            Ti[to] = k
            Tx[to] = x[e]
            Tp[row] = to + 1
    for k in range(n, 0, -1):
        Tp[k] = Tp[k - 1]
    Tp[0] = 0


@kernel
def factor(
    pattern: Pattern,
    values: Floats,
    factors: Factors,
    pivot_tolerance: float = 0.1,
    singular_tolerance: float = SINGULAR_TOLERANCE,
) -> int:
    """Factor A, choosing pivots: the preferred one where it is at least `pivot_tolerance` of its column's largest.

    values              (nnz,)  the entries of A in the pattern's order; not changed
    factors             written; L and U keep every place that could become nonzero, so that `refactor` fits
    pivot_tolerance     in (0, 1]; 1 is plain partial pivoting
    singular_tolerance  smallest pivot of the scaled matrix, here and for `refactor` afterwards
    Returns OK; SINGULAR; OUT_OF_SPACE (make `factors` with a larger capacity); NOT_FINITE.
    """
    n = pattern.n
    f = factors
    f.counters[FACTORED] = 0
    f.counters[FACTORIZATIONS] += 1
    status = equilibrate(pattern, values, f.row_scale, f.column_scale, f.y)
    if status != OK:
        return status
    x, stack, step = f.x, f.stack, f.step
    capacity = f.Li.shape[0]
    for i in range(n):
        step[i] = -1
        f.mark[i] = -1
        x[i] = 0.0
    l_count = 0
    u_count = 0
    for k in range(n):
        f.Lp[k] = l_count
        f.Up[k] = u_count
        j = f.order[k]
        # the column in exact pattern, eliminated by the columns before it
        f.Lp[k + 1] = l_count
        top = reach(pattern, j, k, f)
        above = 0
        for t in range(top, n):
            if step[stack[t]] >= 0:
                above += 1
        if u_count + above > capacity or l_count + (n - top - above) - 1 > capacity:
            for i in range(n):
                x[i] = 0.0
            return OUT_OF_SPACE
        for e in range(pattern.indptr[j], pattern.indptr[j + 1]):
            x[pattern.indices[e]] = values[e]
        best = -1.0
        chosen = -1
        for t in range(top, n):
            i = stack[t]
            c = step[i]
            if c < 0:
                continue
            u = x[i]
            f.Ui[u_count] = c
            f.Ux[u_count] = u
            u_count += 1
            for p in range(f.Lp[c], f.Lp[c + 1]):
                x[f.Li[p]] -= f.Lx[p] * u
        for t in range(top, n):
            i = stack[t]
            if step[i] < 0:
                a = abs(x[i]) * f.row_scale[i]
                if a > best:
                    best = a
                    chosen = i
        if not best * f.column_scale[j] > singular_tolerance:
            for i in range(n):
                x[i] = 0.0
            return SINGULAR
        i = pattern.prefer[k]
        if step[i] < 0 and f.mark[i] == k and abs(x[i]) * f.row_scale[i] >= pivot_tolerance * best:
            chosen = i
        inverse = 1.0 / x[chosen]
        f.pivot[k] = inverse
        f.pivot_limit[k] = f.row_scale[chosen] * f.column_scale[j] / singular_tolerance
        f.row[k] = chosen
        step[chosen] = k
        for t in range(top, n):
            i = stack[t]
            if step[i] < 0:
                f.Li[l_count] = i
                f.Lx[l_count] = x[i] * inverse
                l_count += 1
            x[i] = 0.0
    f.Lp[n] = l_count
    f.Up[n] = u_count
    f.counters[L_COUNT] = l_count
    f.counters[U_COUNT] = u_count
    arrange(pattern, f)
    f.counters[FACTORED] = 1
    return OK


@kernel
def arrange(pattern: Pattern, factors: Factors) -> None:
    """Number L's rows by step, sort both factors, and prepare what `refactor` reads."""
    n = pattern.n
    f = factors
    l_count = f.counters[L_COUNT]
    u_count = f.counters[U_COUNT]
    for e in range(l_count):
        f.Li[e] = f.step[f.Li[e]]
    transpose(n, l_count, f.Lp, f.Li, f.Lx, f.heads, f.Ti, f.Tx)
    transpose(n, l_count, f.heads, f.Ti, f.Tx, f.Lp, f.Li, f.Lx)
    transpose(n, u_count, f.Up, f.Ui, f.Ux, f.heads, f.Ti, f.Tx)
    transpose(n, u_count, f.heads, f.Ti, f.Tx, f.Up, f.Ui, f.Ux)
    e = 0
    for k in range(n):
        j = f.order[k]
        for p in range(pattern.indptr[j], pattern.indptr[j + 1]):
            f.entry[e] = p
            f.entry_step[e] = f.step[pattern.indices[p]]
            e += 1
        limit = MULTIPLIER_LIMIT * f.row_scale[f.row[k]]
        for p in range(f.Lp[k], f.Lp[k + 1]):
            f.L_limit[p] = limit / f.row_scale[f.row[f.Li[p]]]
