"""Recording parts of a step of an implicit method: what lanes and tangents have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators import implicit_kernels as implicit
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.implicit_table import RUN, table_of
from linkwork.integrators.newton import Entries, evaluate, renew_matrix
from linkwork.kernels.rows.kinds import KINDS
from linkwork.lanes.memory import Span
from linkwork.lanes.traced.memory import called
from linkwork.lanes.traced.numbers import Graph, Key, NotTracedError, key_of
from linkwork.lanes.traced.recording import Nowhere, Recording, RunRecorder, good
from linkwork.lanes.traced.selections import selections_recorded
from linkwork.problems.levels import level_of

MOST_ROUNDS = 20  # of finding what changes
Does = Callable[[Graph], tuple[Key, ...]]  # a part of a step: what it shows


def why_not_recorded(run: Any) -> str:
    """What stands against recording a run's converged steps, in words; nothing if nothing does."""
    if type(run) is not ImplicitRun:
        return "steps of Newton's method are recorded of implicit Euler and generalized-alpha alone, of one size"
    return ""


def why_not_newton(run: Any) -> str:
    """What stands against recording its iterations, too."""
    if why := why_not_recorded(run):
        return why
    if any(KINDS[kind].one_by_one for kind in run.problem.mechanism.system.rows.kind):
        return "cam pairs, whose kernels search, are not recorded"
    return ""


class ImplicitRecorder(RunRecorder):
    """Records a run. further : memory beside the run's, whose arrays have to outlive the recorder's spans."""

    def __init__(self, run: ImplicitRun, further: Iterable[Span] = ()) -> None:
        entries = run._entries()
        words = table_of(run.problem.context, Entries(*map(Nowhere, entries)), run.run)
        super().__init__(level_of(run.problem, entries), words, (RUN,), further)
        self.run = run
        self.entries: Any = Entries(*(called(one) for one in entries))

    @cached_property
    def run_record(self) -> Any:
        """The run's record over cells, made where something is recorded."""
        return RUN(self.table)

    @property
    def counters(self) -> tuple[Any, ...]:
        """Arrays of whole numbers that no number of a step depends on."""
        return (self.run.run.counts, self.run.problem.structure.factors.counters)

    def cells_of(self, array: Any) -> range:
        """The cells of an array, none where it holds whole numbers."""
        if not array.size or array.dtype != np.float64:
            return range(0)
        first = self.cells.cell(array.__array_interface__["data"][0])
        return range(first, first + array.size) if first >= 0 else range(0)

    @property
    def factors(self) -> set[int]:
        """The cells of the factored matrix."""
        return {k for array in self.run.problem.structure.factors for k in self.cells_of(array)}

    @property
    def lengths(self) -> frozenset[int]:
        """The cells of what goes by the mechanism's length: what ends iterations, and what rows are measured by.
        Derivatives hold these; they are inputs, so that no record hangs on their values."""
        run, problem = self.run.run, self.run.problem
        every = [k for array in (run.tolerance, run.floor, run.row_size) for k in self.cells_of(array)]
        return frozenset(every).union(islice(self.cells_of(problem.dependence.length), 1))

    def in_turn(self, does: Mapping[str, Does], given: Iterable[int]) -> tuple[dict[str, Recording], set[int]]:
        """Parts of a step by name, one after the other, and the cells that change from step to step.

        given : cells that differ between instances, or that the first steps have changed. Raises NotTracedError.
        """
        changing = set(given)
        before = self.cells.values.copy()
        with selections_recorded():
            for _ in range(MOST_ROUNDS):
                values, whole, parts, more = before, self.integers, dict[str, Recording](), set[int]()
                for name, part in does.items():
                    parts[name], values, whole = self.record(part, values, whole, changing)
                    more |= set(parts[name].found) | set(np.flatnonzero(values != before).tolist())
                    if not self.same_integers(self.integers, whole, self.counters):
                        raise NotTracedError("whole numbers that change in a step")
                more -= changing
                if not more:
                    return parts, changing
                changing |= more
        raise NotTracedError("what a step changes")

    def begin(self, graph: Graph) -> float:
        """The problem's part of a step's beginning. Returns the size of the step."""
        h = float(self.run.run.step[0])
        self.run_record.request.time[0] = graph.input("end", float(self.run.run.start_time[0]) + h)
        if self.entries.begin(self.context) > 0:
            raise NotTracedError("new coordinates of a body")
        return h

    def residual(self, graph: Graph) -> tuple[Key, ...]:
        """Of the unknowns that there are."""
        evaluate(self.entries, self.context, self.run_record)
        return ()

    def matrix(self, graph: Graph) -> tuple[Key, ...]:
        """Formed and factored, at the residual's state."""
        good(renew_matrix(self.entries, self.context, self.run_record))
        return ()

    def sample(self, graph: Graph) -> tuple[Key, ...]:
        """What is recorded of the present state."""
        run, nb, rows = self.run_record, self.run.problem.mechanism.nb, self.run.problem.layout.multipliers
        parts: Iterable[Any] = (run.motion[:nb, : implicit.RECORDED].reshape(-1), run.z[rows])
        return tuple(key_of(x) for part in parts for x in part)


def carried_by(parts: Mapping[str, Recording], begin: Iterable[int]) -> set[int]:
    """These cells, and all that they follow from, whichever part comes first."""
    carried = set(begin)
    while True:
        needed = set(carried)
        for part in parts.values():
            needed |= part.cells_read(part.found[k] for k in carried if k in part.found)
        if needed == carried:
            return carried
        carried = needed


def arrays_of_samples(run: ImplicitRun, out: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """The arrays that stand one after the other in samples (samples, numbers, ...), and keep the last axes."""
    layout, n, last = run.problem.layout, len(out), out.shape[2:]
    ends = implicit.RECORDED * layout.nb
    return {
        "motion": out[:, :ends].reshape(n, layout.nb, implicit.RECORDED, *last),
        "multiplier": out[:, ends:],
    }
