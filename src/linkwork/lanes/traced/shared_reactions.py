"""How rows depend on others, and share their reactions, in a converged step with tangents.

Compiled kernels find C with G_d = C G_s at the predicted pose (`kernels.dependence`) by elimination: G_d[:, P] =
C G_s[:, P] in their pivots' columns P, and beside a pose that meets the rows in no others. With the columns of that
step its tangents are those of

    C' = (G_d' - C G_s')[:, P] (G_s[:, P])^-1,

whichever pivots were taken: the recorded course does not hang on them. Here that is a correction of C which is
rounding, R = (G_d - C G_s) D G_s^T (G_s D G_s^T)^-1 with D = 1 in columns P and 0 in others, by Cholesky factors
without tangents of their own; C' begins as it was a step before, so that what rounding leaves of it is corrected
at the next one.

Multipliers of least norm stand behind a step; Newton's method had, of the dependent rows, those that were predicted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators.scheme import NEXT_Y
from linkwork.kernels.dependence import ND, NR, factor_K, solve_K
from linkwork.lanes.memory import Span
from linkwork.lanes.traced.numbers import Key, NotTracedError, Traced
from linkwork.lanes.traced.recording import RunRecorder
from linkwork.problems.context import DEPENDENT, LINEAR, TABLES, WORK

Floats = NDArray[np.float64]
PREDICTED = 3  # numbers that say how a step is predicted
LEAST_PIVOT = 1e-8  # of a row's square, that Cholesky leaves of it: tangents of C lose 1e-16 over it of a step's change


class SharedReactions:
    """Memory beside the run's. columns : (6 nb + 3,) 1 where a pivot stands, else 0; and how much of the last change of
    the unknowns, of the one before, and of their bend is added to them where a step is predicted. cholesky : (nc, nc),
    of which the first nr are the factor of the kept rows' products."""

    def __init__(self, run: Any) -> None:
        self.run, self.found = run, run.problem.dependence.found
        if not self.found.C.size:
            raise NotTracedError("dependent rows of a large mechanism, which are searched sparsely")
        self.columns = np.zeros(6 * run.problem.mechanism.nb + PREDICTED)
        self.cholesky = np.zeros(self.found.C.shape)

    @property
    def sizes(self) -> tuple[int, int]:
        """How many rows the last search kept, and dropped."""
        return int(self.found.sizes[NR]), int(self.found.sizes[ND])

    @property
    def spans(self) -> tuple[Span, ...]:
        """Of what stands beside."""
        return tuple(Span(one.ctypes.data, one.nbytes, True) for one in (self.columns, self.cholesky))

    def look(self) -> None:
        """The columns of the search that was made last."""
        self.columns[:] = 0.0
        self.columns[self.found.pivot[: self.sizes[NR]]] = self.columns[-PREDICTED:] = 1.0

    @property
    def addresses(self) -> list[int]:
        """Of what is kept of a step in the place of `columns`: pivots as they are, whole numbers."""
        first, many = self.found.pivot.ctypes.data, self.sizes[NR]
        return [first + 8 * min(k, many - 1) for k in range(len(self.columns))]

    def columns_of(self, rows: Floats, first: int) -> Floats:
        """`columns` of steps (steps, 6 nb + 3) in the place of what was kept of them. first : steps before."""
        pivots = np.ascontiguousarray(rows[:, : self.sizes[NR]]).view(np.int64)
        found = np.zeros(rows.shape)
        np.put_along_axis(found, pivots, 1.0, axis=1)
        alternates = self.run.run.scheme[NEXT_Y] != 0.0  # as `implicit_kernels.predict` does
        steps = first + np.arange(len(rows))
        found[:, -PREDICTED] = (steps == 1) | (steps > 1) & (not alternates)
        found[:, -PREDICTED + 1] = (steps > 1) & alternates
        found[:, -PREDICTED + 2] = steps > (2 if alternates else 1)
        return found


class SharingRecorder:
    """Records what a step does about them. recorder : of the run, with the memory beside it."""

    def __init__(self, recorder: RunRecorder, shared: SharedReactions) -> None:
        self.shared, self.context = shared, recorder.context
        (self.kept, self.dropped), cells = shared.sizes, recorder.cells
        self.columns: Any = cells.view(shared.columns.ctypes.data, shared.columns.shape, np.float64)
        self.cholesky: Any = cells.view(shared.cholesky.ctypes.data, shared.cholesky.shape, np.float64)
        first = cells.cell(shared.found.C.ctypes.data)
        self.combined = tuple(
            first + d * shared.found.C.shape[1] + s for d in range(self.dropped) for s in range(self.kept)
        )
        first = cells.cell(shared.columns.ctypes.data)
        self.column_cells = tuple(range(first, first + len(shared.columns)))

    def _among_unknowns(self, rows: Any) -> list[int]:
        """The places of these rows' multipliers."""
        first = int(LINEAR(self.context).first_row[0])
        return [first + int(k) for k in rows]

    @property
    def places(self) -> list[int]:
        """Of the dropped rows' multipliers among the unknowns."""
        return self._among_unknowns(self.shared.found.dropped[: self.dropped])

    def _rows(self, which: Any) -> list[dict[int, Any]]:
        """Rows by their columns, without what is always zero; translations in units of the mechanism's length."""
        tables, G, length = TABLES(self.context), WORK(self.context).G, DEPENDENT(self.context).length[0]
        nb, found = tables.body.shape[0] - 1, []
        for k in which:
            row: dict[int, Any] = {}
            for side in range(2):
                b = int(tables.row_int[k, 1 + side])
                for c in range(6 if b < nb else 0):
                    x = G[k, 6 * side + c]
                    if isinstance(x, Traced) or x != 0.0:
                        x = length * x if c < 3 else x
                        row[6 * b + c] = row[6 * b + c] + x if 6 * b + c in row else x
            found.append(row)
        return found

    def predict(self, run: Any) -> None:
        """`implicit_kernels.predict` of any step. Writes z, z_old, z_older, z_oldest and start of the run."""
        linear, alternating, bends = self.columns[-PREDICTED:]
        alternates = run.scheme[NEXT_Y] != 0.0
        for c in range(run.z.shape[0]):
            now, old, older = run.z[c], run.z_old[c], run.z_older[c]
            bend = (now - old) - (older - run.z_oldest[c] if alternates else old - older)
            run.start[c] = run.z[c] = now + linear * (now - old) + alternating * (old - older) + bends * bend
            run.z_old[c], run.z_older[c], run.z_oldest[c] = now, old, older

    def products(self, graph: Any) -> tuple[Key, ...]:
        """Cholesky factors of G_s D G_s^T; a guard says whether they are good. Writes cholesky."""
        rows, low = self._rows(self.shared.found.kept[: self.kept]), self.cholesky
        for s, row in enumerate(rows):
            weighted = {j: self.columns[j] * x for j, x in row.items()}
            for q in range(s + 1):
                total = whole = sum((x * rows[q][j] for j, x in weighted.items() if j in rows[q]), 0.0)
                for p in range(q):
                    total -= low[s, p] * low[q, p]
                if q < s:
                    low[s, q] = total / low[q, q]
                    continue
                if not total > LEAST_PIVOT * whole:
                    raise NotTracedError("dependent rows whose pivots are next to nothing")
                low[s, s] = np.sqrt(total)
        return ()

    def combine(self, graph: Any) -> tuple[Key, ...]:
        """C and its tangents, and K. Reads cholesky and columns."""
        found, low, n = DEPENDENT(self.context).found, self.cholesky, self.kept
        kept, dropped = (self._rows(one) for one in (found.kept[:n], found.dropped[: self.dropped]))
        for d, row in enumerate(dropped):
            left = dict(row)
            for s, other in enumerate(kept):
                for j, x in other.items():
                    left[j] = left.get(j, 0.0) - found.C[d, s] * x
            left = {j: self.columns[j] * x for j, x in left.items()}
            y: Any = [sum((x * left[j] for j, x in other.items() if j in left), 0.0) for other in kept]
            solve_K(found._replace(K=low, sizes=np.array([0, n])), y)  # by these Cholesky factors
            for s in range(n):
                found.C[d, s] += y[s]
        factor_K(found)
        return ()

    def unshare(self, run: Any) -> None:
        """z with the multipliers that Newton's method came to, from those of least norm. Reads C, start; writes z."""
        found = DEPENDENT(self.context).found
        kept = self._among_unknowns(self.shared.found.kept[: self.kept])
        for d, row in enumerate(self.places):
            for s, place in enumerate(kept):
                run.z[place] += found.C[d, s] * (run.z[row] - run.start[row])
            run.z[row] = run.start[row]
