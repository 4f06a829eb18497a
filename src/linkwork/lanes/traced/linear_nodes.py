"""A run recorded without its linear equations: what they solve is one node, with matrix and right side before it.

With x = A^-1 b the adjoints are b_bar + w and A_bar - w x^T, w = A^-T x_bar (`problems.transposed`): no factor is
recorded. A step's own equations need not be solved at all: its unknowns come from the run. The start of a run is
cut where its equations are solved; each part begins with what the one before has left, and with the solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators import start
from linkwork.lanes.traced.derivatives import cells_left, hangs_on_equality
from linkwork.lanes.traced.numbers import Graph, Key, NotTracedError, Traced, key_of, value_of
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.selections import small_kept
from linkwork.lanes.traced.tangent_steps import RecordedTangents, TangentRecorder
from linkwork.problems.context import DEPENDENT, LINEAR, MATRIX, WORK
from linkwork.problems.dependent import reduce_rows, take_out_rows
from linkwork.problems.transposed import TransposedEquations
from linkwork.status import Status

Array = NDArray[np.float64]
OK = int(Status.OK)
MOST_OF_A_PART = 4_000_000  # operations: what is recorded takes about a second for 100,000
# equations of the start are linear: further passes remove rounding, which `TransposedEquations` does as well
ONE_PASS = FunctionType(start.solve_here.__code__, {**vars(start), "REFINEMENTS": 1}, "solve_here")


@dataclass(frozen=True)
class EquationCells:
    """The cells of linear equations: entries of the matrix, right side and solution."""

    matrix: tuple[int, ...]
    right: tuple[int, ...]
    solution: tuple[int, ...]


@dataclass(frozen=True)
class RecordedStart:
    """The start of a run in parts, between which equations are solved."""

    parts: tuple[Recording, ...]
    equations: EquationCells

    @property
    def found(self) -> frozenset[int]:
        """Cells that hold something else afterwards."""
        return frozenset(self.equations.solution).union(*(one.found for one in self.parts))

    def moving(self, given: Set[int]) -> list[frozenset[int]]:
        """Cells that move before each part, and behind the last, where these move before the first."""
        found, solved = [frozenset(given)], self.equations
        for k, part in enumerate(self.parts):
            now = (found[-1] - part.found.keys()) | cells_left(part, found[-1])
            if k + 1 < len(self.parts):
                moves = not now.isdisjoint((*solved.matrix, *solved.right))
                now = now | set(solved.solution) if moves else now - set(solved.solution)
            found.append(frozenset(now))
        return found

    def left(self, wanted: Iterable[int]) -> tuple[list[frozenset[int]], frozenset[int]]:
        """Cells that each part has to leave something in, where these are asked for; and those that are read first."""
        needed, found = set(wanted), list[frozenset[int]]()
        for part in reversed(self.parts):
            if found:
                needed = (needed - set(self.equations.solution)) | {*self.equations.matrix, *self.equations.right}
            found.append(frozenset(needed & part.found.keys()))
            needed = (needed - found[-1]) | part.cells_read(part.found[k] for k in found[-1])
        return found[::-1], frozenset(needed)

    def need_smooth(self, given: Set[int]) -> None:
        """Raise NotTracedError where its course hangs on two numbers being equal that move apart with these cells."""
        if any(map(hangs_on_equality, self.parts, self.moving(given))):
            raise NotTracedError("a start that hangs on equality")


class LinearNodeRecorder(TangentRecorder):
    """Records a run whose linear equations are those of one sparse matrix (`problems.linear`). Raises NotTracedError
    for others."""

    most = MOST_OF_A_PART

    def __init__(self, *how: Any, **more: Any) -> None:
        super().__init__(*how, **more)
        problem, record = self.run.problem, self.run.run
        if problem.inside is not None:
            raise NotTracedError("equations of couplings beside a matrix")
        several = problem.structure.matrix.values[:-1], self.corrections, record.delta
        cells = (self.cells_of(array) for array in several)
        self.equations = EquationCells(*(tuple(one) for one in cells))
        self._search = self.entries.detect_redundant_rows
        instead = {"factorise": self._formed, "solve": self._solved, "detect_redundant_rows": self._detected}
        self._whole = self.entries
        self.entries = self.entries._replace(**instead)
        self._graph, self._parts, self._inputs = Graph(), list[Recording](), dict[int, Any]()
        self._solver: TransposedEquations | None = None

    def in_parts(self, given: Set[int], inputs: Set[int]) -> tuple[RecordedStart, Array]:
        """The start, and how all cells stand then.

        given : cells that move. inputs : further cells that are not taken for constants. Raises NotTracedError.
        """
        TransposedEquations.make()
        self._solver, self._parts = TransposedEquations(self.run.problem.structure.pattern, 1), []
        apart = {"solve_here": (start.solve_here, ONE_PASS)}
        equations = self.equations
        changing = {*given, *inputs, *equations.matrix, *equations.right, *equations.solution}

        def begin(graph: Graph) -> tuple[Key, ...]:
            self._graph, self._inputs = graph, {k: self.cells.objects[k] for k in changing}
            self.carry_out_start()
            return ()

        with small_kept({**self._contact.instead, **apart}):
            _, values, _ = self.record(begin, self.cells.values, self.integers, changing)
        self._end_part()
        self._solver = None
        return RecordedStart(tuple(self._parts), equations), values

    @property
    def droppable(self) -> bool:
        """Whether rows may depend on others."""
        return bool(self.run.problem.droppable)

    @property
    def corrections(self) -> Array:
        """The right side of a step's equations."""
        found: Array = self.run.problem.linear.rhs if self.droppable else self.run.run.residual
        return found

    def anew(self, given: Set[int]) -> RecordedTangents:
        """The parts of a step."""
        recorded = super().anew({*given, *self.equations.matrix})
        constants = np.setdiff1d(recorded.constants, self.equations.solution)
        return replace(recorded, constants=constants)

    def sample(self, graph: Graph) -> tuple[Key, ...]:
        """As of `TangentRecorder`; equations of its own are recorded with their factors."""
        nodes, self.entries = self.entries, self._whole
        found = super().sample(graph)
        self.entries = nodes
        return found

    def _formed(self, context: Any) -> int:
        if self.droppable:
            take_out_rows(MATRIX(context), DEPENDENT(context))
        return OK

    def _solved(self, context: Any) -> int:
        if self.droppable:
            linear = LINEAR(context)
            reduce_rows(WORK(context), int(linear.first_row[0]), DEPENDENT(context), linear.rhs)
        if self._solver is not None:
            self._begin_part(self._solver)
        return OK

    def _detected(self, context: Any) -> Any:
        """A search, whose pivots may be others: that shows in what the start comes to."""
        graph = self._graph
        heard = dict(graph.guards)
        found = self._search(context)
        graph.guards = heard
        return found

    def _begin_part(self, solver: TransposedEquations) -> None:
        """The equations solved for, and a part of the start behind them."""
        self._end_part()
        objects, equations = self.cells.objects, self.equations
        matrix, right = (np.array([value_of(objects[k]) for k in some]) for some in (equations.matrix, equations.right))
        if not solver.factor(matrix):
            raise NotTracedError("a start that fails")
        for k, x in zip(equations.solution, solver.solved(right).tolist(), strict=True):
            objects[k] = x
        changing = {k for k, x in enumerate(objects) if isinstance(x, Traced)} | self._inputs.keys()
        self._graph = Graph()
        self.cells.record(self._graph, sorted(changing))
        self._inputs = {k: objects[k] for k in changing}

    def _end_part(self) -> None:
        graph, found = self._graph, dict[int, Key]()
        if len(graph.nodes) > self.most:
            raise NotTracedError("more operations than code is made of")
        for k, x in enumerate(self.cells.objects):
            if isinstance(x, Traced):
                if k not in self._inputs or x.node != self._inputs[k].node:
                    found[k] = x.node
            elif k in self._inputs:
                found[k] = key_of(x)
        self._parts.append(Recording(graph, found))
