"""The equations M x + J^T lambda = f, J x = eta solved anew while a step is recorded, whatever solver a run has.

A solver's own course may hang on pivots, exact zeros or counters that change from step to step. Its solution does not,
and neither do the derivatives of that: here they come from S = J M^-1 J^T of the kept rows [Mufti 1983, eq. 14], by
Cholesky factors in the order of the rows, without pivots and without what is always zero. A guard says whether they
are good; a second pass removes the rounding of the first. Which rows are kept is what the run's search says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.index_1.redundancy import detect_redundant_rows
from linkwork.kernels.dependence import ND, factor_K, minimum_norm
from linkwork.kernels.mat33 import inverse_transpose
from linkwork.kernels.tuple_access import at9
from linkwork.lanes.traced.numbers import NotTracedError, value_of
from linkwork.problems.dependent import is_dropped, reduce_right_side
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.solvers import null_space
from linkwork.solvers.admission import invertible
from linkwork.solvers.null_space_basis import BASIS, RANK, SVD
from linkwork.solvers.residuals import body_residual, clear_solution, row_residual
from linkwork.solvers.tree.eliminate import TREE, prefer_tree_rows
from linkwork.status import Status
from linkwork.system.packed import system_of

PASSES = 2
SETTLED = 2  # searches, each of which begins with what the one before kept
LEAST_PIVOT = 1e-8  # of a row's square, that Cholesky leaves of it: the square of its independence
# solvers whose solution is that of these equations: not of `penalty`, whose multipliers follow from what rows miss
EXACT = frozenset(
    [
        "augmented",
        "partial",
        "range_space",
        "range_space_dense",
        "null_space",
        "joint_rates",
        "barycentric",
        "cut_joint",
    ]
)

Row = dict[int, Any]  # column 6 b + c -> entry


class NewtonEuler:
    """Stands in the place of a problem's entries `detect_redundant_rows`, `factorise` and `solve`."""

    def __init__(self, problem: Any) -> None:
        self.problem, self.solver = problem, problem.solver
        self.found: Any = None  # of the run's search
        self.columns: frozenset[int] = frozenset()  # in which that has its pivots
        self.chosen: frozenset[int] = frozenset()  # of that of `null_space`
        self.rows: dict[int, Row] = {}
        self.weighed: dict[int, Row] = {}
        self.low: dict[int, Row] = {}
        self.inverses: list[Any] = []
        self.bodies: Any = None

    def factorise(self, context: Any) -> int:
        """Cholesky factors of S at the state that is set; returns a Status. Reads TABLES, WORK.J and which rows are
        kept."""
        tables, work = TABLES(context), WORK(context)
        self.bodies, nb = system_of(tables).bodies, work.x.shape[0] - 1
        self.inverses = [inverse_transpose(at9(self.bodies.inertia, b, 0)) for b in range(nb)]
        kept = self._kept(context)
        self.rows = {k: self._row_of(work.J, k) for k in kept}
        self.weighed = {k: self._by_masses(row) for k, row in self.rows.items()}
        found = _cholesky(self.rows, self.weighed)
        self.low = {} if found is None else found
        return int(Status.SINGULAR if found is None else Status.OK)

    def detect(self, context: Any) -> int:
        """Which rows depend on others: those of the state where the record begins. Writes what `Dependent` keeps of
        them, work.dropped; returns that no row changed sides."""
        work, dependent = WORK(context), DEPENDENT(context)
        if self.found is None:
            plain, here = deepcopy(self.problem.dependence), self._here(work)
            for _ in range(SETTLED):
                if detect_redundant_rows(TABLES(context), here, plain) < 0:
                    raise NotTracedError("rows that are not finite")
                if self.solver.name == "cut_joint":
                    prefer_tree_rows(plain, TREE(context))
            self.found, kept = plain.found, plain.found.keep == 1
            self.columns = _pivots(plain.G[kept]) if plain.G.size else frozenset()
        for name in ("keep", "kept", "dropped", "sizes"):
            getattr(dependent.found, name)[:] = getattr(self.found, name)
        dependent.before[:] = self.found.keep
        work.dropped[0] = self.found.sizes[ND]
        return 0

    def _here(self, work: Any) -> Any:
        """The workspace with the rows as plain numbers, of the state that is recorded."""
        return work._replace(**{name: _values(getattr(work, name)) for name in ("G", "J", "row")})

    def _kept(self, context: Any) -> list[int]:
        """Rows that are solved for."""
        every = range(WORK(context).lam.shape[0])
        if self.solver.name == "null_space":
            self.chosen = self.chosen or self._chosen_by_null_space(context)
            return [k for k in every if k in self.chosen]
        return [k for k in every if not is_dropped(DEPENDENT(context), k)]

    def _chosen_by_null_space(self, context: Any) -> frozenset[int]:
        """The rows that `null_space` finds independent at the state that is recorded. Raises NotTracedError."""
        here, records = self._here(WORK(context)), deepcopy(self.solver.records)
        status = null_space.factorise(TABLES(context), here, DEPENDENT(context), *records)
        space, rows = records[:2]
        rank = int(space.sizes[RANK])
        if status != Status.OK or (rank < len(here.J) and space.sizes[BASIS] == SVD):
            raise NotTracedError("dependent rows that singular values weigh")
        return frozenset(rows.order[:rank].tolist())

    def _by_masses(self, row: Row) -> Row:
        """M^-1 times a row's transpose."""
        found: Row = {}
        for b in sorted({j // 6 for j in row}):
            angular = [row.get(6 * b + c, 0.0) for c in range(3)]
            for c in range(6):
                if c < 3:
                    x = sum((self.inverses[b][c + 3 * d] * angular[d] for d in range(3)), 0.0)
                else:
                    x = row.get(6 * b + c, 0.0) / self.bodies.mass[b]
                if _is_there(x):
                    found[6 * b + c] = x
        return found

    def solve(self, context: Any) -> int:
        """x and lambda, in the least-squares sense and of minimum norm for dependent rows; returns a Status. Reads
        WORK.f and eta; writes WORK.x and lam."""
        tables, work, dependent = TABLES(context), WORK(context), DEPENDENT(context)
        eta: Any = np.zeros(work.eta.shape, dtype=object)
        if work.request.level[0] != ACCELERATION_LEVEL and len(self.rows) < work.lam.shape[0]:
            raise NotTracedError("a correction by dependent rows")
        reduce_right_side(dependent, work.eta, False, eta)
        clear_solution(work)
        for _ in range(PASSES):
            rest = [body_residual(tables, work, b) for b in range(len(self.inverses))]
            change = {6 * b + c: one[c] for b, one in enumerate(rest) for c in range(6)}
            for k, row in self.rows.items():
                for j, x in row.items():
                    change[j] = change[j] - x * work.lam[k]
            change = self._by_masses(change)
            rhs = {k: _product(row, change) - row_residual(tables, work, eta, k) for k, row in self.rows.items()}
            _solve(self.low, rhs)
            for k, y in rhs.items():
                work.lam[k] = work.lam[k] + y
                for j, x in self.weighed[k].items():
                    change[j] = change.get(j, 0.0) - x * y
            for j, x in change.items():
                work.x[j // 6, j % 6] = work.x[j // 6, j % 6] + x
        if work.request.first_stage[0] == 1:  # nothing reads the multipliers of other states
            self._share(work)
        return int(Status.OK)

    def _row_of(self, J: Any, k: int) -> Row:
        """Row k of J, ground left out."""
        found: Row = {}
        rows, nb = self.problem.mechanism.system.rows, self.problem.mechanism.nb
        for side, b in enumerate((int(rows.body_i[k]), int(rows.body_j[k]))):
            for c in range(6 if b < nb else 0):
                x = J[k, 6 * side + c]
                if _is_there(x):
                    found[6 * b + c] = found[6 * b + c] + x if 6 * b + c in found else x
        return found

    def _share(self, work: Any) -> None:
        """work.lam of least norm, by J_d = C J_s in the metric of the masses; where rows have drifted, as the search
        has it."""
        kept, m = list(self.rows), work.lam.shape[0]
        dropped = [k for k in range(m) if k not in self.rows]
        found: Any = SimpleNamespace(kept=kept, dropped=dropped, sizes=(len(kept), len(dropped)))
        found.C, found.K, found.w = (np.zeros(size, dtype=object) for size in ((m, m), (m, m), m))
        for d, k in enumerate(dropped):
            row = self._row_of(work.J, k)
            of_kept = {q: _product(row, self.weighed[q]) for q in kept}
            _solve(self.low, of_kept)
            for s, q in enumerate(kept):
                found.C[d, s] = of_kept[q]
        if self.columns and all(self.found.keep[q] == 1 for q in kept):
            self._meet(work.G, found)
        factor_K(found)
        minimum_norm(found, work.lam, work.lam)

    def _meet(self, G: Any, found: Any) -> None:
        """Correct C so that G_d = C G_s holds in the columns of pivots, where a search has it hold: beside a pose that
        meets the rows no C does so in all. The correction is what the rows have drifted, by R = (G_d - C G_s) D G_s^T
        (G_s D G_s^T)^-1 with D = 1 in these columns and 0 in others."""
        rows = {
            k: {j: x for j, x in self._row_of(G, k).items() if j in self.columns} for k in (*found.kept, *found.dropped)
        }
        kept = {k: rows[k] for k in found.kept}
        low = _cholesky(kept, kept)
        if low is None:
            raise NotTracedError("dependent rows whose pivots are next to nothing")
        for d, k in enumerate(found.dropped):
            left = dict(rows[k])
            for s, row in enumerate(kept.values()):
                for j, x in row.items():
                    left[j] = left.get(j, 0.0) - found.C[d, s] * x
            change = {q: _product(row, left) for q, row in kept.items()}
            _solve(low, change)
            for s, q in enumerate(kept):
                found.C[d, s] = found.C[d, s] + change[q]


def _cholesky(rows: Mapping[int, Row], weighed: Mapping[int, Row]) -> dict[int, Row] | None:
    """Factors of the products of rows with weighed rows, without what is always zero; None where one is next to
    singular."""
    low: dict[int, Row] = {}
    for k in rows:
        line: Row = {}
        for q in (*low, k):
            total = _product(rows[q], weighed[k])
            whole = total
            for p in line.keys() & low.get(q, line).keys():
                total = total - line[p] * (line if q == k else low[q])[p]
            if q == k:
                if not total > LEAST_PIVOT * whole:
                    return None
                line[q] = np.sqrt(total)
            elif _is_there(total):
                line[q] = total / low[q][q]
        low[k] = line
    return low


def _solve(low: Mapping[int, Row], y: Row) -> None:
    """y becomes the solution with these factors."""
    for k, line in low.items():
        for q in line.keys() - {k}:
            y[k] = y[k] - line[q] * y[q]
        y[k] = y[k] / line[k]
    for k in reversed(list(low)):
        y[k] = y[k] / low[k][k]
        for q in low[k].keys() - {k}:
            y[q] = y[q] - low[k][q] * y[k]


def _values(array: Any) -> Any:
    """Of the instance that is recorded."""
    return np.array([value_of(x) for x in array.reshape(-1)]).reshape(array.shape)


def _pivots(rows: NDArray[np.float64]) -> frozenset[int]:
    """The columns in which `kernels.dependence.take_row` has its pivots, where it keeps all of these rows."""
    reduced: dict[int, NDArray[np.float64]] = {}
    for row in rows:
        for column, other in reduced.items():
            row = row - row[column] * other
        column = int(np.argmax(np.abs(row)))
        reduced[column] = row / row[column]
    return frozenset(reduced)


def _product(a: Row, b: Row) -> Any:
    return sum((a[j] * b[j] for j in a if j in b), 0.0)


def _is_there(x: Any) -> bool:
    """Whether this is not always zero."""
    return not isinstance(x, float | int) or x != 0.0


def in_place_of(problem: Any) -> Mapping[Any, Callable[[Any], int]]:
    """What is recorded in the place of entries of a problem, and of those inside it: nothing where an inertia has no
    inverse, or where the range space has no dependent rows, whose course is the same at each step."""
    inner, *_ = problem.inside or (problem,)
    name = getattr(inner.solver, "name", None)
    if name not in EXACT or not invertible(inner.mechanism) or (name.startswith("range_space") and not inner.droppable):
        return {}
    instead = NewtonEuler(inner)
    found: dict[Any, Callable[[Any], int]] = {inner.factorise: instead.factorise, inner.solve: instead.solve}
    return found | ({inner.detect_redundant_rows: instead.detect} if inner.droppable else {})
