"""A step of an implicit method, recorded for its tangents: what a converged step depends on, in parts.

Newton's iterations are no part of it. A step's unknowns z solve F(z, p) = 0, p being the state before and the numbers
of the mechanism, and move with these by

    z' = -(dF/dz)^-1 dF/dp p'

(implicit function theorem), at the z that the run came to. Part `residual`, with tangents, gives dF/dz z' + dF/dp p' of
any z'; parts `matrix` and `solve` bring it to zero (`traced.tangent_code`). Where rows depend on others, parts before
follow how they do, and what is behind the step is taken back to what solves its equations (`traced.shared_reactions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators import implicit_kernels as implicit
from linkwork.integrators import start
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.index_1 import POOR
from linkwork.integrators.start import set_known_parts
from linkwork.kernels.dependence import factor_K
from linkwork.lanes.traced.contacts import ContactRecorder, Contacts
from linkwork.lanes.traced.derivatives import cells_left, hangs_on_equality
from linkwork.lanes.traced.implicit import Does, ImplicitRecorder, carried_by
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.numbers import Graph, Key, NotTracedError, value_of
from linkwork.lanes.traced.recording import Recording, good
from linkwork.lanes.traced.selections import kinks_are_selected, largest, small_kept
from linkwork.lanes.traced.shared_reactions import SharedReactions, SharingRecorder
from linkwork.problems.context import DEPENDENT
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL

WITHOUT_TANGENTS = ("products", "unshare", "matrix")
SAMPLE = "sample"
PASSES = 3  # over index-1 equations


@dataclass(frozen=True)
class RecordedTangents:
    """Parts of a converged step by name, in order, the sample behind.

    left : the cells that each part writes. carried : cells that any reads, in order. kept : those that stand between
    steps, and the unknowns, which come from the run. constants : those that are taken for constants. unknowns,
    corrections, residual : the cells of z, delta and the residual; weights : those of the weights in the norm of
    corrections, -1 where there is none. shared : cells
    of how rows depend on others, which come from the run, too. columns : those among them of
    columns of pivots, and of what steps are predicted from. predicted : unknowns that stay as they were predicted, the
    multipliers of dropped rows. contacts : cells of where profiles of cam pairs touch, which come from the run. made :
    code that was made of it, by what it is for.
    """

    parts: dict[str, Recording]
    left: dict[str, frozenset[int]]
    carried: tuple[int, ...]
    kept: tuple[int, ...]
    constants: NDArray[np.int64]
    unknowns: tuple[int, ...]
    corrections: tuple[int, ...]
    residual: tuple[int, ...]
    weights: tuple[int, ...]
    shared: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    predicted: frozenset[int] = frozenset()
    contacts: tuple[int, ...] = ()
    made: dict[Any, Any] = field(default_factory=dict)

    @property
    def with_tangents(self) -> tuple[str, ...]:
        """Parts of a step that tangents go through."""
        return tuple(name for name in self.parts if name not in (*WITHOUT_TANGENTS, SAMPLE))

    def moving(self, given: Set[int]) -> frozenset[int]:
        """The cells that move, in any step, where these do before the first."""
        moving = set(given)
        while True:
            more = set(moving)
            for name in self.with_tangents:
                more |= cells_left(self.parts[name], more)
            if more & set(self.corrections):
                more |= set(self.unknowns)
            if more == moving:
                return frozenset(moving & set(self.carried))
            moving = more

    def need_smooth(self, given: Set[int]) -> None:
        """Raise NotTracedError where the course hangs on two numbers being equal that move apart with these cells."""
        moving = self.moving(given)
        if any(hangs_on_equality(self.parts[name], moving) for name in (*self.with_tangents, SAMPLE)):
            raise NotTracedError("a course that hangs on equality")


class TangentRecorder(ImplicitRecorder):
    """Records a run that is placed (`start`), or has taken its first steps (`recorded`).

    shared : where it is to be followed how rows depend on others; else that is as it stands. contacts : of cam pairs.
    index_1 : samples have
    accelerations and multipliers of index-1 equations (`integrators.index_1`)."""

    def __init__(
        self, run: ImplicitRun, contacts: Contacts, shared: SharedReactions | None = None, *, index_1: bool = False
    ) -> None:
        super().__init__(run, (*contacts.spans, *(shared.spans if shared else ())))
        self.index_1 = index_1
        self._contacts, self.contact_cells = contacts, tuple(self.cells_of(contacts.found))
        self.sharing = SharingRecorder(self, shared) if shared else None

    @cached_property
    def _contact(self) -> ContactRecorder:
        """Made where something is recorded, as it has cells of it."""
        found = self._contacts.found
        return ContactRecorder(self._contacts, self.cells.view(found.ctypes.data, found.shape, np.float64))

    def start(self, given: Set[int]) -> tuple[Recording, NDArray[np.float64]]:
        """Accelerations at the start, and what perturbs it; and how all cells stand then.

        given : cells that move. Raises NotTracedError.
        """

        def begin(graph: Graph) -> tuple[Key, ...]:
            self.carry_out_start()
            return ()

        with small_kept(self._contact.instead):
            found, values, _ = self.record(begin, self.cells.values, self.integers, given)
        return found, values

    def carry_out_start(self) -> None:
        """On recorded numbers."""
        good(start.solve_accelerations(self.entries, self.context, self.run_record))
        if self.run.perturbed:
            start.perturb(self.entries, self.context, self.run_record)

    def recorded(self, given: Set[int], asked: Set[int] = frozenset()) -> RecordedTangents:
        """All parts; of rows that do not depend on others, those that were recorded before, if they are the same
        (`kept_records`). given : cells that move, or that the first steps have changed. asked : cells that move before
        the run begins."""
        if self.run.problem.droppable:
            return self.anew(given)

        weighed = (self.run.run.weight != 0.0).tobytes()
        about = (type(self.run), frozenset(asked), self.index_1, weighed, kinks_are_selected())

        def make() -> tuple[RecordedTangents, Iterable[Recording], Set[int]]:
            made = self.anew(given)
            return made, made.parts.values(), set(range(len(self.cells.values))) - set(made.constants.tolist())

        return RECORDS.of(self, about, given, make)

    def anew(self, given: Set[int]) -> RecordedTangents:
        """All parts, recorded now."""
        does: dict[str, Does] = {"begin": self._begin}
        cells, columns = tuple[int, ...](), tuple[int, ...]()
        if sharing := self.sharing:
            does |= {"rows": self.residual, "products": sharing.products, "combine": sharing.combine}
            does["unshare"] = self._unshare
            cells, columns = sharing.combined + sharing.column_cells, sharing.column_cells
        does |= {"residual": self.residual, "matrix": self.matrix, "solve": self._solve, "end": self._end}
        record = self.run.run
        unknowns, corrections, residual = (
            tuple(self.cells_of(array)) for array in (record.z, self.corrections, record.residual)
        )
        from_run = {*unknowns, *cells, *self.contact_cells}
        with small_kept(self._contact.instead):
            parts, changing = self.in_turn(does, given | from_run)
            sample, _, _ = self.record(self.sample, self.cells.values, self.integers, changing)
        weighs = self.cells_of(record.weight)
        weights = tuple(cell if self.cells.values[cell] != 0.0 else -1 for cell in weighs)
        begin = {*from_run, *corrections, *weights} - {-1}
        carried = carried_by(parts, sample.cells_read(sample.samples) | begin)
        left = {name: frozenset(k for k in carried if k in part.found) for name, part in parts.items()}
        if self.sharing:
            left["rows"] = _before_the_residual(parts, left)
        needed = sample.cells_read(sample.samples)
        for name, part in reversed(parts.items()):
            needed = (needed - left[name]) | part.cells_read(part.found[k] for k in left[name])
        parts[SAMPLE], left[SAMPLE] = sample, frozenset()
        kept = tuple(sorted(needed | sample.cells_read(sample.samples) | from_run))
        searched = [] if self.sharing is None else [self.run.problem.dependence.G]
        unread = self.factors.union(
            *map(
                self.cells_of, (record.before, record.aside, record.start, record.contraction, record.bend, *searched)
            ),
            set(weights),
        )
        constants = np.array(sorted(set(range(len(self.cells.values))) - changing - unread), dtype=np.int64)
        return RecordedTangents(
            parts,
            left,
            tuple(sorted(carried)),
            kept,
            constants,
            unknowns,
            corrections,
            residual,
            weights,
            cells,
            columns,
            frozenset(unknowns[k] for k in sharing.places) if sharing else frozenset(),
            self.contact_cells,
        )

    @property
    def corrections(self) -> NDArray[np.float64]:
        """The array whose cells are `RecordedTangents.corrections`."""
        found: NDArray[np.float64] = self.run.run.delta
        return found

    def sample(self, graph: Graph) -> tuple[Key, ...]:
        """What is recorded of the present state."""
        if self.index_1:
            self._solve_index_1(graph)
        return super().sample(graph)

    @property
    def shown(self) -> list[int]:
        """The cells of a sample as it stands, which that of the start is."""
        motion, layout = self.run.run.motion, self.run.problem.layout
        first, z = self.cells_of(motion).start, self.cells_of(self.run.run.z)
        rows = [first + motion.shape[1] * b + c for b in range(layout.nb) for c in range(implicit.RECORDED)]
        return rows + [z[k] for k in range(len(z))[layout.multipliers]]

    def _solve_index_1(self, graph: Graph) -> None:
        """`integrators.index_1.solve_index_1` with a matrix of its own. The equations are linear: further passes remove
        rounding. Pivots are those of the state that is recorded, whatever they are elsewhere; a guard asks that the
        last correction is small. Dependent rows share reactions as behind the step."""
        run, request = self.run_record, self.run_record.request
        request.time[0] = graph.input("end", value_of(request.time[0]))
        if self.sharing is not None:
            factor_K(DEPENDENT(self.context).found)  # of what is kept with a step's end
        for k in range(len(run.rate)):
            run.step_star[k] = run.step_star[k] + request.c_q[0] * run.z[k]
            run.rate_star[k] = run.rate[k]
        request.c_v[0] = request.c_q[0] = 0.0
        request.level[0] = ACCELERATION_LEVEL
        for k in range(PASSES):
            self.residual(graph)
            if k == 0:
                heard = dict(graph.guards)
                self.matrix(graph)
                graph.guards = heard
            self.entries.solve(self.context)
            for c in range(len(run.z)):
                run.z[c] = run.z[c] - run.delta[c]
        size, left = (
            largest(0.0, *(abs(w * x) for w, x in zip(run.weight, of, strict=True))) for of in (run.z, run.delta)
        )
        if not left <= POOR * size:
            raise NotTracedError("a sample whose equations cannot be solved")
        if self.sharing is not None:
            self.entries.minimum_norm_multipliers(self.context)
        self.entries.set_state(self.context)
        request.level[0] = POSITION_LEVEL

    def _begin(self, graph: Graph) -> tuple[Key, ...]:
        set_known_parts(self.run_record, self.begin(graph))
        # what corrections of tangents begin with
        (self.sharing.predict if self.sharing else implicit.predict)(self.run_record)
        return ()

    def _unshare(self, graph: Graph) -> tuple[Key, ...]:
        assert self.sharing is not None
        self.sharing.unshare(self.run_record)
        return ()

    def _solve(self, graph: Graph) -> tuple[Key, ...]:
        self.entries.solve(self.context)
        return ()

    def _end(self, graph: Graph) -> tuple[Key, ...]:
        if self.sharing is not None:
            self.entries.minimum_norm_multipliers(self.context)
        self.entries.set_state(self.context)
        implicit.carry_on(self.run_record)
        return ()


def _before_the_residual(parts: Mapping[str, Recording], left: Mapping[str, frozenset[int]]) -> frozenset[int]:
    """Of what the residual at the predicted pose leaves, that which is read before the other one writes it again."""
    read: set[int] = set()
    for name in ("products", "combine", "unshare", "residual"):
        read |= parts[name].cells_read(parts[name].found[k] for k in left[name])
    return frozenset(k for k in left["rows"] if k in read or k not in parts["residual"].found)
