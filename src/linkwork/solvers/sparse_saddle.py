"""What the solvers augmented and partial share: a saddle-point matrix by sparse LU, and the test of its rank."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape, new_record
from linkwork.kernels.sparse_lu import Factors, Pattern, factor, factors, pattern, refactor, smallest_independence
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import Dependent
from linkwork.problems.explicit import Work
from linkwork.solvers.singularity_threshold import lu_below_threshold
from linkwork.status import Status
from linkwork.system.packed import Tables

OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)
PIVOT_THRESHOLD = 0.1
PASSES = 2  # the second removes the rounding of the first, which is large near rank losses


class SaddleMatrix(NamedTuple):
    """A saddle-point matrix of n unknowns and its right side; the last of `values` takes entries that have no place."""

    values: Annotated[
        Floats, Shape("nnz + 1"), "entries of the matrix in the order of its pattern; entries without place"
    ]
    rhs: Annotated[Floats, Shape("n"), "right side"]
    solution: Annotated[Floats, Shape("n"), "change of (x, lambda)"]
    eta: Annotated[Floats, Shape("nc"), "Work.eta, zero in dropped rows"]
    first: Annotated[Floats, Shape(1), "smallest independence of a row in the first matrix, 0 before"]
    first_unit: Annotated[Floats, Shape(1), "the same with unit masses and inertias"]
    report: Annotated[Floats, Shape(2), "the row with the smallest pivot is not known here: 1, -1"]


def new_matrix(rows: Ints, cols: Ints, size: int, nc: int, room: int) -> tuple[SaddleMatrix, Pattern, Factors, Ints]:
    """Arrays for a matrix with entries at (rows[e], cols[e]); where each entry stands in `values`, and last, for the
    number -1 of an entry that there is not, the place behind the matrix. room : times the usual size of the factors."""
    made, where = pattern(rows, cols, size)
    usual = factors(made)
    space = usual if room == 1 else factors(made, room * len(usual.Lx))
    matrix = new_record(SaddleMatrix, given={"report": np.array([1.0, -1.0])}, nnz=len(made.indices), n=size, nc=nc)
    return matrix, made, space, np.append(where, len(made.indices))


@kernel
def factorise_saddle(
    fill: Any, tables: Tables, work: Work, dependent: Dependent, system: Any, matrix: SaddleMatrix, places: Pattern,
    space: Factors, first: int,
) -> int:  # fmt: skip
    """Factor the matrix of the state that is set, with new pivots where the old ones are too small.

    fill(tables, work, dependent, system, values, unit_bodies) : writes the entries. first : the first multiplier.
    """
    values, before = matrix.values, matrix.first[0]
    fill(tables, work, dependent, system, values, False)
    status = refactor(places, values, space)
    if status == OK and not lu_below_threshold(work, smallest_independence(space, first), matrix.first):
        return OK
    # old pivots may be small although no row is near the span of the others
    status = factor(places, values, space, PIVOT_THRESHOLD)
    if status == OK:
        doubted = lu_below_threshold(work, smallest_independence(space, first), matrix.first)
        if doubted or before == 0.0:
            # A pivot is also small where a light body gives way to a row, so that rank is judged with unit masses and
            # inertias: rows and bodies in units of the mechanism's length.
            fill(tables, work, dependent, system, values, True)
            if factor(places, values, space, PIVOT_THRESHOLD) == OK:
                doubted = lu_below_threshold(work, smallest_independence(space, first), matrix.first_unit)
            fill(tables, work, dependent, system, values, False)
            status = SINGULAR if doubted else factor(places, values, space, PIVOT_THRESHOLD)
    return int(status)
