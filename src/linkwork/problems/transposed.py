"""Linear equations of a problem's matrix and of its transpose, on memory of their own: what adjoints solve.

With x = A^-1 b adjoints are those of w = A^-T x_bar: b_bar + w, and A_bar - w x^T for entries that stand in A.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape
from linkwork.kernels.sparse.pattern import FACTORED, Factors, Pattern
from linkwork.kernels.sparse_lu import factor, factors, refactor, solve, solve_transposed
from linkwork.kernels.tables import Floats
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import address_table, slots
from linkwork.problems.linear import PIVOT_THRESHOLD
from linkwork.status import Status

OK = int(Status.OK)
Array = NDArray[np.float64]


class Equations(NamedTuple):
    """The numbers of A x = b, and of A^T w = x_bar for several x_bar at once."""

    values: Annotated[Floats, Shape("nnz"), "entries of A, in the order of its pattern"]
    x: Annotated[Floats, Shape("n"), "b, then x"]
    w: Annotated[Floats, Shape("n", "many"), "x_bar, then w"]
    aside: Annotated[Floats, Shape("n", "many"), "work space"]


@kernel
def factor_values(pattern: Pattern, factors: Factors, equations: Equations) -> int:
    """Factor A, with fresh pivots where the old ones fail. Returns a Status."""
    if refactor(pattern, equations.values, factors) == OK:
        return OK
    return factor(pattern, equations.values, factors, PIVOT_THRESHOLD)


@kernel
def solve_here(factors: Factors, equations: Equations) -> int:
    """x from b. Returns a Status."""
    solve(factors, equations.x, equations.x)
    return OK


@kernel
def solve_transposed_here(factors: Factors, equations: Equations) -> int:
    """w from x_bar. Returns a Status."""
    solve_transposed(factors, equations.w, equations.aside)
    return OK


@kernel
def multiply_transposed_here(pattern: Pattern, equations: Equations) -> int:
    """A^T w in the place of w. Returns a Status."""
    w, product = equations.w, equations.aside
    n, many = w.shape
    for j in range(n):
        for c in range(many):
            total = 0.0
            for p in range(pattern.indptr[j], pattern.indptr[j + 1]):
                total += equations.values[p] * w[pattern.indices[p], c]
            product[j, c] = total
    for j in range(n):
        for c in range(many):
            w[j, c] = product[j, c]
    return OK


PATTERN, FACTORS, EQUATIONS = slots(Pattern, Factors, Equations)
FACTOR = direct_entry(factor_values, PATTERN, FACTORS, EQUATIONS)
SOLVE = direct_entry(solve_here, FACTORS, EQUATIONS)
SOLVE_TRANSPOSED = direct_entry(solve_transposed_here, FACTORS, EQUATIONS)
MULTIPLY_TRANSPOSED = direct_entry(multiply_transposed_here, PATTERN, EQUATIONS)


class TransposedEquations:
    """Equations whose matrix has this pattern. many : right sides of the transpose at once. table : what entries
    receive."""

    def __init__(self, pattern: Pattern, many: int) -> None:
        n, nnz = pattern.n, len(pattern.indices)
        self.pattern, self._factors = pattern, factors(pattern)
        self.numbers = Equations(np.zeros(nnz), np.zeros(n), np.zeros((n, many)), np.zeros((n, many)))
        self.rows = pattern.indices.astype(np.int64)
        ends: NDArray[np.int64] = pattern.indptr.astype(np.int64)
        self.columns = np.repeat(np.arange(n), ends[1:] - ends[:-1])
        self.table = address_table((pattern, self._factors, self.numbers))

    @staticmethod
    def make() -> None:
        """Compile what is called, or read it from disk."""
        for each in (FACTOR, SOLVE, SOLVE_TRANSPOSED, MULTIPLY_TRANSPOSED):
            each.make()

    def forget(self) -> None:
        """Pivots are chosen anew: what comes next does not depend on what was factored before."""
        self._factors.counters[FACTORED] = 0

    def factor(self, values: Array) -> bool:
        """Factors of the matrix of these entries (nnz,); whether there are any."""
        self.numbers.values[:] = values
        return bool(FACTOR(self.table) == OK)

    def solved(self, b: Array) -> Array:
        """(n,) x, and once more what rounding has left. b : (n,)."""
        found = np.zeros_like(b)
        for _ in range(2):
            product = np.bincount(self.rows, self.numbers.values * found[self.columns], minlength=len(b))
            self.numbers.x[:] = b - product
            SOLVE(self.table)
            found += self.numbers.x
        return found

    def solved_transposed(self, x_bar: Array) -> Array:
        """(n, many) w, likewise. x_bar : (n, many)."""
        found = np.zeros_like(x_bar)
        for _ in range(2):
            self.numbers.w[:] = x_bar
            np.subtract.at(self.numbers.w, self.columns, self.numbers.values[:, None] * found[self.rows])
            SOLVE_TRANSPOSED(self.table)
            found += self.numbers.w
        return found

    def call(self, entry: Any, results: NDArray[np.int64]) -> tuple[int, list[int]]:
        """Address and arguments of a call of an entry that machine code makes."""
        found: tuple[int, list[int]] = entry.code.call_of(results, self.table)
        return found
