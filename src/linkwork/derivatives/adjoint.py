"""Derivatives of few numbers of a run by many of its description: the run in reverse, its ends by formulas.

With s the samples, x what compiled code works on before the run begins, and J = sum_i w_i q(s_i, p),

    dJ/dp = sum_i w_i dq/dp + (dJ/dx) dx/dp,    dJ/dx = sum_i w_i (dq/ds_i) (ds_i/dx),

of which the reverse of the run gives dJ/dx for all numbers p at once. dq/ds and what stands at both ends are the
formulas of `stencil`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.adjoint_adaptive import AdaptiveAdjoint
from linkwork.derivatives.adjoint_newton import NewtonAdjoint, ReversedSteps
from linkwork.derivatives.adjoint_pieces import PiecesAdjoint
from linkwork.derivatives.adjoint_run import AdjointRun, adjoint_run
from linkwork.derivatives.adjoint_traced import TracedAdjoint
from linkwork.derivatives.asked import OfFormula
from linkwork.derivatives.described import Described
from linkwork.derivatives.functionals import Functional, known
from linkwork.derivatives.grouped import Shared
from linkwork.derivatives.memory_tape import MemoryTape, SamplesTape
from linkwork.derivatives.moving import Moving
from linkwork.derivatives.nominal import Nominal
from linkwork.derivatives.quantity_rounding import size_of_rounding
from linkwork.derivatives.run_tape import RunTape
from linkwork.derivatives.states_tape import StatesTape
from linkwork.derivatives.stencil import SMOOTH, derivative
from linkwork.derivatives.steps_in_pieces import StepsInPieces, are_many
from linkwork.derivatives.tangent_run import SAMPLED
from linkwork.derivatives.traced import need_worth
from linkwork.derivatives.unshared import need_unshared
from linkwork.errors import UsageError
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.step_sizes import sizes_of
from linkwork.kernels.compiling import purpose
from linkwork.kernels.state_formula import KINKS
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.selections import kinks_selected
from linkwork.result import Result

Array = NDArray[np.float64]
Block = dict[str, Array]
ROWS = 100_000  # samples of a block that quantities are asked of
GROUPS = 64  # of a sample's numbers, in which these are moved to see what a quantity depends on
NEAR = 2.0**-9  # of the size of a sample's numbers: how far they are moved
ALONE = 1e-12  # of the largest: what a sample's quantity may change by with the samples beside it


@dataclass(frozen=True)
class Reversed:
    """What the reverse of a run came to.

    derivatives : name -> (..., numbers). samples : of the run, as they were recorded. way : how it was reversed, in
    words.
    """

    derivatives: dict[str, Array]
    samples: Block
    way: str


@dataclass(frozen=True)
class Adjoint:
    """A run to be differentiated in reverse."""

    nominal: Nominal
    numbers: Sequence[Described]

    def of(self, asked: Mapping[str, Functional]) -> Reversed:
        """The derivatives of what is asked. Raises UsageError where there are none."""
        nominal, moving = self.nominal, Moving(self.nominal, self.numbers)
        reals = nominal.prepared(nominal.ready.compiled).reals
        once = reals.once
        starts = [(one.at[once[one.at]], one.value[once[one.at]]) for one in moving.tangents]
        moves = moving.moves(once, backwards=True)
        taken, count = nominal.session.run.counts["steps"], len(nominal.result.time)
        asked = {name: known(of, nominal.result) for name, of in asked.items()}
        shapes = {name: np.shape(of(nominal.result)) for name, of in asked.items()}
        prepare = partial(nominal.prepared, nominal.ready.compiled)
        with purpose(f"the adjoint of {nominal.call.label}"):
            run: AdjointRun | AdaptiveAdjoint | TracedAdjoint | ReversedSteps
            implicit = isinstance(nominal.session.run, ImplicitRun)
            try:
                if not implicit:
                    need_worth(nominal.session.run, backwards=True)
                run, block, found = RECORDS.followed(partial(self._by_records, prepare, moves, asked, implicit))
                way = "recorded steps"
            except NotTracedError as why:  # each step is recorded anew
                if implicit:
                    run, block, found = self._over_kinks(prepare, moves, asked, why)
                    way = "recorded steps"
                else:
                    way = f"each step recorded anew, as steps are not recorded once for all: {why.reason.rstrip(',')}"
                    run = adjoint_run(prepare, moves, taken, count)
                    block = run.samples()
                    found = run.gradients(self._seeds(block, asked))
        out, first = {}, 0
        for name, of in asked.items():
            many = int(np.prod(shapes[name]))
            by_cell = found[first : first + many]
            first += many
            through = np.stack([by_cell[:, run.cell_of[at]] @ tangents for at, tangents in starts], axis=-1)
            aside = self._aside(moving, name, of, block)
            out[name] = (through + aside).reshape(*shapes[name], len(self.numbers))
        return Reversed(out, block, way)

    def _by_records(
        self, prepare: Any, moves: NDArray[np.bool_], asked: Mapping[str, Functional], implicit: bool
    ) -> tuple[AdaptiveAdjoint | TracedAdjoint | ReversedSteps, Block, Array]:
        """The reverse of recorded steps, the run's samples, and the derivatives by what moves. Raises
        NotTracedError."""
        tape = self.nominal.tape
        if isinstance(tape, StatesTape) and tape.holds(moves):
            try:
                return self._backwards(tape.back, asked)
            except NotTracedError:  # its record may be that of a run before
                RECORDS.forget()
        if self.nominal.untraced is not None:
            raise self.nominal.untraced
        if not implicit and isinstance(tape, SamplesTape) and not isinstance(tape, MemoryTape):
            made: Any = self.nominal.session.run
            return self._backwards(AdaptiveAdjoint(prepare, moves, tape, sizes_of(made)), asked)
        if not implicit:
            memory = tape if isinstance(tape, MemoryTape) else None
            return self._backwards(TracedAdjoint(prepare, moves, alone=self.nominal.alone, tape=memory), asked)
        if isinstance(tape, RunTape):
            kind = PiecesAdjoint if isinstance(tape.steps, StepsInPieces) else NewtonAdjoint
            try:
                return self._backwards(kind(prepare, moves, tape=tape), asked)
            except NotTracedError:  # its record may be that of a run before
                RECORDS.forget()
        return self._by_newton(prepare, moves, asked)

    def _over_kinks(
        self, prepare: Any, moves: NDArray[np.bool_], asked: Mapping[str, Functional], why: NotTracedError
    ) -> tuple[AdaptiveAdjoint | TracedAdjoint | ReversedSteps, Block, Array]:
        """The reverse of a run whose record was left, where formulas have sides to change: both are recorded. why : it
        was left otherwise."""
        if not np.isin(self.nominal.ready.compiled.tables.program_ops, KINKS).any():
            raise self._refused(f": {why.reason.rstrip(',')}") from why
        try:
            with kinks_selected():
                return RECORDS.followed(partial(self._by_newton, prepare, moves, asked))
        except NotTracedError as both:
            reasons = f"{why.reason.rstrip(',')}; with both sides recorded, {both.reason.rstrip(',')}"
            raise self._refused(f": {reasons}") from both

    def _by_newton(
        self, prepare: Any, moves: NDArray[np.bool_], asked: Mapping[str, Functional]
    ) -> tuple[AdaptiveAdjoint | TracedAdjoint | ReversedSteps, Block, Array]:
        """The reverse of converged steps that are recorded now."""
        run = self.nominal.session.run
        many, droppable = are_many(run), run.problem.droppable
        if many and not droppable:
            return self._backwards(PiecesAdjoint(prepare, moves), asked)
        try:
            return self._backwards(NewtonAdjoint(prepare, moves), asked)
        except NotTracedError as why:
            if not droppable:
                raise
            unshared = why.reason.rstrip(",")
        back = PiecesAdjoint(prepare, moves) if many else NewtonAdjoint(prepare, moves, shares=False)
        return self._backwards(back, asked, unshared)

    def _backwards(
        self, made: AdaptiveAdjoint | TracedAdjoint | ReversedSteps, asked: Mapping[str, Functional], unshared: str = ""
    ) -> tuple[AdaptiveAdjoint | TracedAdjoint | ReversedSteps, Block, Array]:
        """As `_by_records`. unshared : why it is not followed how dependent rows share reactions."""
        block = self.nominal.block if isinstance(made, ReversedSteps) else made.samples()
        return made, block, made.gradients(self._seeds(block, asked, unshared))

    def _refused(self, why: str) -> UsageError:
        return UsageError(
            f"the adjoint of {self.nominal.call.label} is not implemented{why}.",
            remedy="Take mode='tangent', or formulation='canonical' and integrator='rk4', for example.",
        )

    def _result(self, block: Block) -> Result:
        return self.nominal.result_of(self.nominal.mechanism, self.nominal.ready.compiled, block)

    def _aside(self, moving: Moving, name: str, of: Functional, block: Block) -> Array:
        """(numbers of the functional, numbers) how it moves with numbers while samples stay."""
        perturbed, starts = moving.perturbed, moving.moving_starts

        def value(which: Sequence[int], by: Array) -> Array:
            mechanism, compiled = perturbed.near([starts[k].number for k in which], by.tolist())
            return np.asarray(of(self.nominal.result_of(mechanism, compiled, block))).ravel()

        steps, families = np.array([one.h for one in starts]), [one.number.family for one in starts]
        shared = Shared(value, steps, families)
        out = np.zeros((len(shared.base), len(starts)))
        for k, found in shared.derivatives(range(len(starts))).items():
            if not found.rough <= SMOOTH:
                raise starts[k].refused(f"{name!r} is not smooth in it")
            out[found.at, k] = found.value
        return out

    def _seeds(self, block: Block, asked: Mapping[str, Functional], unshared: str = "") -> Block:
        """Name of an array of samples -> (functions, samples, ...) derivatives of all functionals by them. Raises
        UsageError for what depends on how dependent rows share reactions, where that is not followed: `unshared`."""
        parts = [self._seeds_of(block, name, of) for name, of in asked.items()]
        run = self.nominal.session.run
        if unshared and isinstance(run, ImplicitRun):
            need_unshared(run, dict(zip(asked, parts, strict=True)), unshared)
        return {name: np.concatenate([part[name] for part in parts]) for name in SAMPLED if name in block}

    def _seeds_of(self, block: Block, name: str, of: Functional) -> Block:
        weights = of.weights(block["time"])
        counted = np.flatnonzero(weights)
        bases = np.asarray(of.samples(self._result(block)))
        self._need_alone(block, name, of, bases)
        many, room = int(np.prod(bases.shape[1:])), max(1, ROWS // max(len(counted), 1))
        out = {}
        for array in (name for name in SAMPLED if name in block):
            columns = block[array].reshape(len(weights), -1)
            seeds = np.zeros((many, *columns.shape))
            asked = self._asked_of(block, array, counted, of, bases)
            for first in range(0, len(asked), room):
                which = asked[first : first + room]
                slopes = self._slopes(block, array, which, counted, name, of)
                seeds[:, counted[:, None], which] = np.moveaxis(slopes, -1, 0) * weights[counted][:, None]
            out[array] = seeds.reshape(many, *block[array].shape)
        return out

    def _asked_of(
        self, block: Block, array: str, counted: NDArray[np.intp], of: Functional, bases: Array
    ) -> NDArray[np.intp]:
        """Columns of samples that the quantity depends on: moved in groups, to both sides, some group changes it."""
        size = int(np.prod(block[array].shape[1:]))
        groups = np.array_split(np.arange(size), min(size, GROUPS)) if size else []
        room, found = max(1, ROWS // max(len(counted), 1)), [np.zeros(0, dtype=np.intp)]
        here = bases.reshape(len(bases), -1)[counted][:, None]
        for first in range(0, len(groups), room):
            some = groups[first : first + room]
            sides = [self._stretched(block, array, some, counted, of, by * NEAR) for by in (4.0, -3.0)]
            changes = np.any(
                [np.any((one != here) & ~(np.isnan(one) & np.isnan(here)), axis=(0, 2)) for one in sides], 0
            )
            found += [some[k] for k in np.flatnonzero(changes)]
        return np.concatenate(found)

    def _need_alone(self, block: Block, name: str, of: Functional, bases: Array) -> None:
        """Raise UsageError where a sample's row depends on those beside: without the first, with each one twice."""
        if isinstance(of.of, str):
            return
        size = float(np.max(np.abs(bases), initial=0.0))
        for rows, kept in ((slice(1, None), slice(None)), (np.repeat(np.arange(len(bases)), 2), slice(1, None, 2))):
            chosen = {key: values[rows] for key, values in block.items()}
            if not len(chosen["time"]):
                continue
            found = of.samples(self._result(chosen))[kept]
            if not np.max(np.abs(found - bases[-len(found) :]), initial=0.0) <= ALONE * size:
                raise UsageError(
                    f"{name!r} is not a sum over samples: a row of what it returns depends on other samples.",
                    remedy="Return what belongs to each sample alone, or take mode='tangent'.",
                )

    def _slopes(
        self,
        block: Block,
        array: str,
        columns: NDArray[np.intp],
        counted: NDArray[np.intp],
        name: str,
        of: Functional,
    ) -> Array:
        """(counted samples, columns, numbers of the quantity) derivatives of the quantity by columns of a sample."""
        groups = list(columns[:, None])
        value = partial(self._stretched, block, array, groups, counted, of)
        found, rough = derivative(value, NEAR)
        if not rough <= SMOOTH:  # it may be rounding alone
            found, rough = derivative(value, NEAR, size_of_rounding(partial(self._samples, of), block))
        if not rough <= SMOOTH:
            raise UsageError(f"there is no derivative of {name!r}: it is not smooth in {array} on the way.")
        return found / _sizes(block, array)[columns][:, None]

    def _samples(self, of: Functional, block: Block) -> Array:
        return np.asarray(of.samples(self._result(block)))

    def _stretched(
        self,
        block: Block,
        array: str,
        groups: Sequence[NDArray[np.intp]],
        counted: NDArray[np.intp],
        of: Functional,
        by: float,
    ) -> Array:
        """(counted samples, groups, numbers) the quantity where the columns of a group are larger by so much of their
        size.

        Behind each sample stand such as differ from it by one group each: what is counted on from sample to sample,
        as turns are, goes its usual way.
        """
        count = len(block["time"])
        each = np.ones(count, dtype=int)
        each[counted] += len(groups)
        row = np.repeat(np.arange(count), each)
        begins = np.cumsum(each) - each
        rows = begins[counted][:, None] + 1 + np.arange(len(groups))
        columns, sizes = np.concatenate(groups), _sizes(block, array)
        if len(columns) > len(
            groups
        ):  # by amounts of their own, as differences of two numbers do not follow equal ones
            sizes = sizes * np.random.default_rng(1).uniform(0.5, 1.0, len(sizes))
        changed = block[array].reshape(count, -1)[row]
        changed[np.repeat(rows, [len(one) for one in groups], axis=1), columns] += by * sizes[columns]
        rowwise = {key: values[row] for key, values in block.items() if key != array}
        rowwise[array] = changed.reshape(len(row), *block[array].shape[1:])
        result = self._result(rowwise)
        return np.asarray(of.samples(result)).reshape(len(row), -1)[rows]


def _sizes(block: Block, array: str) -> Array:
    """Of every column of a sample, how large its numbers are."""
    values = block[array]
    if array != "motion":
        return np.full(int(np.prod(values.shape[1:])), float(np.max(np.abs(values), initial=0.0)) or 1.0)
    groups = ((0, 3), (3, 12), (12, 15), (15, 18), (18, 21), (21, 24))  # position, rotation, velocities, accelerations
    out = np.ones(values.shape[1:])
    for first, last in groups:
        out[:, first:last] = float(np.max(np.abs(values[..., first:last]), initial=0.0)) or 1.0
    return out.ravel()


def functionals(asked: Mapping[str, Any]) -> dict[str, Functional]:
    """What was asked for, if it can be differentiated in reverse. Raises UsageError for what cannot."""
    found: dict[str, Any] = {}
    for name, of in asked.items():
        found[name] = of.functional if isinstance(of, OfFormula) else of
        if not hasattr(found[name], "weights"):
            raise UsageError(
                f"{name!r} is not one number of the run, or none whose samples are known apart.",
                remedy="With mode='adjoint' ask for 'final(...)' or 'integral(...)' of a quantity, lw.Final(...) or "
                "lw.Integral(...) of a function.",
            )
    return found
