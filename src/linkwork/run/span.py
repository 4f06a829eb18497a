"""Runs of a compiled model between two times, in steps of one size.

A run starts from arrays that are written back (`run.held`); numbers of the description that are plain (`run.numbers`)
are written into them.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from linkwork.equations.derived import MechanismDeriver
from linkwork.errors import LinkworkError
from linkwork.integrators.contract import Run
from linkwork.mechanism import Mechanism
from linkwork.mechanism.variants import need_numbers, variant
from linkwork.result import Result
from linkwork.run.chunks import Chunks
from linkwork.run.completed import completed
from linkwork.run.copied import trials
from linkwork.run.held import Held
from linkwork.run.later import LaterResult
from linkwork.run.lengths import Lengths, lengths
from linkwork.run.lengths_in_place import started_in_place
from linkwork.run.numbers import Plain, plain_numbers
from linkwork.run.placing import Placed, Places, inertias_of, trial_states
from linkwork.run.recording import joined_blocks, named, new_header
from linkwork.run.simulate import Call, first_attempt, held_of, started_run
from linkwork.run.starting import Start, prepare, shared_start, whole_steps
from linkwork.run.tried import FirstAttempt
from linkwork.run.uniqueness import all_independent, unclear
from linkwork.status import Status
from linkwork.system import CompiledMechanism, compile_mechanism

if TYPE_CHECKING:
    from linkwork.analysis.state import State

Block = dict[str, NDArray[Any]]
ACCEPTED = "accept_drivers", "accept_changes"
MOST_KINDS = 64  # of runs with the same names, which differ in what is zero
MOST_NAMES = 16  # sets of names of which what was found is kept


class Span:
    """Runs of a model between two times, in steps of one size. They start from held runs, one for each thread."""

    def __init__(self, mech: Mechanism, call: Call) -> None:
        self.mechanism, self.call = mech, call
        _, self.passing = whole_steps(call.duration, call.step)
        self.accepted = {name: getattr(call.accepted, name) for name in call.accepted.options}
        self.ready = prepare(mech, dynamics=True, **self.accepted)
        held = self.new()
        run, problem = held.run, held.run.problem
        self.fixed, self.shares = not problem.droppable, getattr(getattr(problem, "solver", None), "shares", None)
        shared = unclear(problem)
        self.shared = str(shared) if shared else ""
        self.labels, self.extras = call.formulation.labels(problem), call.formulation.extras()
        self.names = new_header(mech, self.ready.compiled, {}, self.extras, self.labels)
        nb, nc = self.ready.compiled.nb, self.ready.compiled.nc
        self.chunk = Chunks.of(nb, 8.0 * (24 * nb + nc + 2) / call.samples.every)
        self.whole_steps, self.samples = run.whole_steps, run.samples
        self._free: list[Held] = [held]
        self._plain: dict[tuple[str, ...], Plain | None] = {}
        self._lengths: dict[tuple[str, ...], Lengths | None] = {}
        self.places, self._true = Places(), dict[tuple[str, ...], bool]()

    @property
    def messages(self) -> tuple[str, ...]:
        """What a run of the mechanism as described says before it goes on its way."""
        passing = self.passing if self.whole_steps else []
        return (*self.ready.messages, *passing, *((self.shared,) if self.shared else ()))

    def new(self, ready: Start | None = None) -> Held:
        """A held run on arrays of its own. ready : of the mechanism with other numbers."""
        if ready is None:
            ready = self.ready.again()
        ready.compiled.need_masses()
        return held_of(self.call, ready)

    def borrow(self) -> Held:
        """A held run that nobody else uses."""
        try:
            return self._free.pop()
        except IndexError:
            return self.new()

    def hand_back(self, held: Held) -> None:
        """Hand it back."""
        self._free.append(held)

    def plain(self, names: tuple[str, ...]) -> Plain | None:
        """Where these numbers go, None where runs with others of them are built anew. Raises UsageError."""
        if names not in self._plain:
            need_numbers(self.mechanism, names)
            held = self.borrow()
            made = plain_numbers(self.mechanism, names, held, self._with)
            self.hand_back(held)
            depend = self.shares or not self.fixed
            if made is not None and depend and not made.rows_stay:  # whether rows agree is to be asked
                made = None
            if made is not None and not self.fixed:
                attempt = FirstAttempt(self.mechanism, names, self._tried({}), self._tried)
                made = None if attempt.plain is None else replace(made, holds=attempt.fails)
            while len(self._plain) >= MOST_NAMES:
                self._plain.pop(next(iter(self._plain)))
            self._plain[names] = made
        return self._plain[names]

    def _with(self, given: Mapping[str, float]) -> Held:
        return self.new(prepare(variant(self.mechanism, given), dynamics=True, **self.accepted))

    def _tried(self, given: Mapping[str, float]) -> Held:
        """What a run with these numbers tries before it has room for dependent rows."""
        return first_attempt(self.call, prepare(variant(self.mechanism, given), dynamics=True, **self.accepted))

    def run(self, given: Mapping[str, float]) -> Result | None:
        """One run; None where it is to be done anew."""
        plain = self.plain(tuple(given)) if given else None
        if given and plain is None:
            return None
        held, began = self.borrow(), clock.perf_counter()
        try:
            if plain is None:
                held.again()
            else:
                held.placed.restore(held.run)
                if not plain.write(held, given) or not initialised(held):
                    return None
            return self._steps(held, began, {"given": given, "state": None, "labels": self.labels})
        finally:
            self.hand_back(held)

    def with_lengths(self, given: Mapping[str, float]) -> Result | None:
        """One run with other lengths, which move the start; None where it is to be done anew."""
        names, began = tuple(given), clock.perf_counter()
        if names not in self._lengths:
            while len(self._lengths) >= MOST_NAMES:
                self._lengths.pop(next(iter(self._lengths)))
            accept_drivers, accept_changes = (self.accepted[name] for name in ACCEPTED)
            self._lengths[names] = lengths(self.mechanism, names, (accept_drivers, accept_changes))
        known = self._lengths[names]
        if known is None or not self._may_place(names):
            return None
        if known.in_place and (kind := known.kinds.get(b"")) is not None:
            in_place = started_in_place(known, given, self.places, self.call, kind)
            if in_place is not None:
                run, there = in_place
                told: dict[str, Any] = {"given": given, "state": None, "there": there, "says_more": known.says_more}
                return self._placed(run, began, told)
        ready = known.start(given)
        if ready is None:
            return None
        placed = self.places.started(self.call, ready, None, self._kind(known, ready.compiled))
        if placed is None:
            return None
        about: dict[str, Any] = {"given": dict(given), "compiled": ready.compiled, "state": None}
        if not known.says_more:  # which preparing finds
            about["ready"] = ready
        return self._placed(placed, began, about)

    def _kind(self, known: Lengths, compiled: CompiledMechanism) -> bytes:
        """`Places.kind`, found once for numbers of which the same are zero, and bodies that have inertia alike."""
        pattern, kinds = known.pattern(compiled), known.kinds
        if known.other_inertias:
            pattern += inertias_of(compiled)
        found = kinds.get(pattern)
        if found is None:
            if len(kinds) >= MOST_KINDS:
                kinds.clear()
            found = kinds[pattern] = self.places.kind(compiled)
        return found

    def _placed(self, placed: Placed, began: float, about: dict[str, Any]) -> Result | None:
        """One run that is started where it was placed, and hand it back."""
        problem = placed.run.problem
        shared = "" if all_independent(problem) else unclear(problem)
        labels = self.call.formulation.labels(problem)
        try:
            said = {"shared": str(shared) if shared else "", "labels": labels}
            return self._steps(placed.held, began, about | said)
        finally:
            self.places.hand_back(placed)

    def built(self, mech: Mechanism, given: Mapping[str, float], state: State | None) -> Result | None:
        """One run of a mechanism with other numbers, or from another state, that is built for it and not kept; None
        where it has to be got past something on its way. Raises what `simulate` raises."""
        began, call = clock.perf_counter(), self.call
        if state is not None and state.time != call.began:  # to an end as far off as it is from there
            call = replace(call, state=state)
        whole_steps(call.duration, call.step)
        ready = shared_start(mech, state, True, *(self.accepted[name] for name in ACCEPTED))
        ready.compiled.need_masses()
        placed = self.places.started(call, ready, state) if self._may_place(tuple(given)) else None
        about = {"mechanism": mech, "ready": ready, "compiled": ready.compiled, "state": state}
        if placed is not None:
            return self._placed(placed, began, about)
        run = started_run(replace(call, state=state), ready.again())
        shared = unclear(run.problem)
        about |= {"shared": str(shared) if shared else "", "labels": call.formulation.labels(run.problem)}
        return self._in_chunks(run, began, about)

    def _may_place(self, names: tuple[str, ...]) -> bool:
        """Whether runs with other numbers of these names, from wherever, are what a run that is placed there is: found
        out once, by a few of them."""
        if names not in self._true:
            self._true[names] = self.places.are_true(self.call, self._trials(names))
        return self._true[names]

    def _trials(self, names: tuple[str, ...]) -> Iterator[CompiledMechanism]:
        """The mechanism with other numbers, at states that need not meet its rows."""
        if not names:
            yield from trial_states(self.ready.compiled)

        def made(trial: Mapping[str, float]) -> CompiledMechanism:
            return compile_mechanism(variant(self.mechanism, trial).lower())

        try:
            for _, compiled in trials(self.mechanism, names, made):
                yield from islice(trial_states(compiled), 1)
        except LinkworkError:
            return

    def _steps(self, held: Held, began: float, about: dict[str, Any]) -> Result | None:
        """Carry out a run that is started. about : it, what completes its result asks."""
        if held.run.total > self.chunk.steps or held.one_call is None:
            return self._in_chunks(held.run, began, about)
        started, computing, run = clock.perf_counter(), clock.process_time(), held.run
        recorded, numbers = held.one_call.recorded, held.one_call()
        if numbers is None:
            return None
        seconds = clock.perf_counter() - started
        self.chunk.took(run.total, seconds)
        problem = run.problem
        if self.extras and not self.call.formulation.lasting_outputs:  # which are asked of it where it stands
            made = self._labelled(problem, recorded.block(numbers))
            return self._result(run, about, lambda: made, (began, seconds, computing))
        later = partial(self._labelled, problem) if self.extras else without_extra
        return self._result(run, about, lambda: later(recorded.block(numbers)), (began, seconds, computing))

    def _in_chunks(self, run: Run[Any], began: float, about: dict[str, Any]) -> Result | None:
        """`_steps` with a look around now and then."""
        started, computing = clock.perf_counter(), clock.process_time()
        blocks = [run.first()]
        total, left = run.total, self.chunk
        while run.done < total:
            t0 = clock.perf_counter()
            count = left.next(total - run.done)
            status, block = run.advance(count)
            if status != Status.OK:
                return None
            left.took(count, clock.perf_counter() - t0)
            blocks.append(block)
        seconds = clock.perf_counter() - started
        joined = self._labelled(run.problem, joined_blocks(blocks))
        return self._result(run, about, lambda: joined, (began, seconds, computing))

    def _result(
        self, run: Run[Any], about: dict[str, Any], block: Callable[[], Block], times: tuple[float, float, float]
    ) -> Result:
        """Of a run that is over. block : gives what was recorded. times : when it began, how long its steps took, and
        the processor's time before them [s]."""
        began, seconds, computing = times
        facts = {
            "counts": run.counts,
            "notices": [*run.notices, *run.notices_of_samples],
            "settings": dict(run.settings),
            "remarks": list(run.remarks),
            "samples": run.samples,
            "timings": {
                "wall_time": clock.perf_counter() - began,
                "run_seconds": seconds,
                "processor_seconds": clock.process_time() - computing,
            },
        }
        made = LaterResult(
            self.names,
            lambda: named(block()),
            partial(self._deriver, about),
            partial(completed, self, about, block, facts),
        )
        if "there" in about:
            made.lowered = about["there"].lowered
        elif "compiled" in about:
            made.lowered = about["compiled"].lowered
        return made

    def _deriver(self, about: Mapping[str, Any]) -> MechanismDeriver:
        """What derives energies, reactions and violations of a run."""
        there = about.get("there")
        compiled = about.get("compiled") if there is None else there.start.compiled
        return MechanismDeriver(compiled or self.compiled(about["given"]), sensing=True)

    def compiled(self, given: Mapping[str, float]) -> CompiledMechanism:
        """The mechanism with other numbers, at this start, which they do not move."""
        start = self.ready.compiled
        compiled = compile_mechanism(variant(self.mechanism, given).lower())
        return compiled.other(r=start.r, A=start.A, v=start.v, w=start.w, counted_angles=start.counted_angles)

    def _labelled(self, problem: Any, block: Mapping[str, Any]) -> Block:
        """A block with what the formulation records besides, under its own names."""
        found = without_extra(block)
        return found | dict(self.call.formulation.extra_outputs(problem, block)) if self.extras else found


def without_extra(block: Mapping[str, Any]) -> Block:
    """A block without what is recorded of bodies besides, which has no name of its own."""
    return {name: value for name, value in block.items() if name != "extra"}


def initialised(held: Held) -> bool:
    """Solve for the start of a placed run; whether it is one to go on from."""
    return held.run.initialise() == Status.OK and held.finite
