"""A run on dual numbers: the integrator and the entries of an ordinary run, with seven directions at a time.

Steps, iterations and decisions are those of the ordinary run. Through Newton's iteration the tangents go as they are:
each correction has one, so that they converge as the values do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.memory import Cells, DualMemory, Reals, Words, arrays_read
from linkwork.errors import UsageError
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.kinks import Clock, to_next_kink
from linkwork.problems.layout import WORDS, address_table
from linkwork.problems.levels import Level, level_of
from linkwork.status import Status

if TYPE_CHECKING:
    from linkwork.derivatives.dual_numbers import DualType

Array = NDArray[np.float64]
SAMPLED = ("motion", "multiplier", "extra")  # arrays of samples


class Prepared:
    """A run that is made and not begun, with all that its compiled code works on.

    block : room for samples. kinks : (n,) times that no step of its own size crosses [s], which numbers may move.
    """

    def __init__(self, run: Any, samples: int) -> None:
        self.run = run
        self.implicit = isinstance(run, ImplicitRun)
        self.entries = run._entries()
        self.calls = _calls(run)
        self.block = run._room(samples)
        self.level = level_of(run.problem, self.entries)
        words, room = run._table, address_table(self.block)
        outer = arrays_read(self.calls, 0, len(words) // WORDS)
        del outer[0]  # the table that entries receive: addresses
        told = arrays_read(self.calls, 2, len(room) // WORDS)
        self.kinks: Array = getattr(run, "kinks", np.zeros(0)).copy()
        steps_end = (address_table([self.kinks]), {0: ("f", 1)})  # compiled code is told of them by and by
        self.reals = Reals([(words, outer), *map(_arrays_of, self.level), steps_end], (run, self.kinks))
        self.outputs = Reals([(room, told)], self.block)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the entries."""
        return tuple(self.entries._fields)

    def samples(self) -> dict[str, Array]:
        """Of the run, carried out as it is: arrays as compiled code writes them. Raises UsageError where it fails."""
        run = self.run
        status = run.initialise()
        told = [run.first()]
        while status == Status.OK and run.done < run.total:  # a call ends at a kink, or after many steps
            status, block = run.advance(run.total - run.done)
            told.append({name: array.copy() for name, array in block.items()})
        if status != Status.OK:
            raise UsageError(f"the run failed when it was taken again ({Status(status).name}).")
        names = [name for name in ("time", *SAMPLED) if name in told[-1]]
        return {name: np.concatenate([np.array(part[name]) for part in told]) for name in names}


def _arrays_of(level: Level) -> tuple[Words, dict[int, tuple[str, int]]]:
    """A table, and the arrays in it."""
    found = arrays_read(level.entries, 0, len(level.words) // WORDS)
    found.pop(level.index, None)  # a table, too
    return level.words, found


class Linked:
    """Tables of a prepared run that lead to cells, and to entries on the numbers that are in them.

    words : the run's own. room : of samples. calls : what Python calls -> the same on these numbers.
    """

    def __init__(self, prepared: Prepared, cells: Cells, of: DualType) -> None:
        from linkwork.derivatives.dual_entries import with_duals

        levels = list(prepared.level)
        self.words, *self.contexts, _, self.room = (cells.table(k) for k in range(len(levels) + 3))
        outermost, *further = self.contexts
        self.words[0] = outermost.__array_interface__["data"][0]
        for k, entry in enumerate(prepared.entries):
            self.words[WORDS * (1 + k)] = with_duals(entry, of).address
        for level, words, inside in zip(levels, self.contexts, further, strict=False):
            words[WORDS * level.index] = inside.__array_interface__["data"][0]
            for at, entry in level.calls.items():
                words[WORDS * at] = with_duals(entry, of).address
        self.calls = {entry: with_duals(entry, of) for entry in prepared.calls}


def _calls(run: Any) -> list[Any]:
    """What Python calls of the integrator."""
    if isinstance(run, ImplicitRun):
        from linkwork.integrators.implicit_kernels import ADVANCE
        from linkwork.integrators.start import PERTURB, SOLVE_ACCELERATIONS

        return [ADVANCE, SOLVE_ACCELERATIONS, *([PERTURB] if run.perturbed else [])]
    methods = [run._compiled()]
    if run.times is not None:
        from linkwork.integrators.dense_output_kernels import ADVANCE_TO, GUESS_STEP

        methods += [ADVANCE_TO, GUESS_STEP] if run.tolerances is not None else [ADVANCE_TO]
    return methods


@dataclass(frozen=True)
class Tangents:
    """Samples with their tangents: arrays (samples, ..., 8), the value first. time : (samples,)."""

    status: Status
    arrays: dict[str, Array]


def tangent_run(prepared: Prepared, tangents: Array) -> Tangents:
    """Carry out a prepared run with tangents (numbers, up to 7) of `prepared.reals`."""
    from linkwork.derivatives.dual_numbers import DUAL

    run = prepared.run
    memory = DualMemory(all_reals(prepared))
    memory.give(np.concatenate([tangents, np.zeros((prepared.outputs.values.size, tangents.shape[1]))]))
    linked = Linked(prepared, memory, DUAL)
    words, room, calls = linked.words, linked.room, linked.calls
    first = {name: memory.of(array)[:0] for name, array in floats_of(prepared.block).items()}
    if prepared.implicit:
        status, first = _begin_implicit(run, memory, words, calls, prepared)
    else:
        status, first = begin_explicit(run, memory, words, room, calls)
    told = [first]
    if status == Status.OK:
        for reached, done in _go_on(prepared, memory, words, room, calls):
            status, block = reached, floats_of(prepared.block).items()
            told.append({name: memory.of(array)[:done].copy() for name, array in block})
    return Tangents(Status(status), {name: np.concatenate([one[name] for one in told]) for name in first})


def all_reals(prepared: Prepared) -> Reals:
    """Of the run's tables, and of the room for samples."""
    return Reals([*prepared.reals.tables, *prepared.outputs.tables], prepared)


def floats_of(block: Any) -> dict[str, Array]:
    """The arrays of real numbers of samples."""
    return {name: array for name, array in block._asdict().items() if array.dtype == np.float64}


def begin_explicit(run: Any, memory: Cells, words: Any, room: Any, calls: Any) -> tuple[int, dict[str, Array]]:
    """The start of an explicit run: its status, and its sample in cells if the start is one."""
    from linkwork.integrators.runge_kutta_kernels import START

    advance = calls[run._compiled()]
    status, _ = advance(words, START, room)
    if status == Status.OK and run.tolerances is not None:
        from linkwork.integrators.dense_output_kernels import GUESS_STEP

        status = calls[GUESS_STEP](words)
        run.run.rhs_known[0] = run.run.state_is_set[0] = 0
        advance(words, START, room)
    work, problem = run.problem.work, run.problem
    first = {
        "time": memory.of(run.run.settings)[:, 0].copy(),
        "motion": memory.of(work.motion)[None, :-1].copy(),
        "multiplier": memory.of(work.lam)[None].copy(),
        "extra": memory.of(problem.extra)[None, :-1].copy(),
    }
    wanted = int(run.times is None or run._first)
    return status, {name: array[:wanted] for name, array in first.items()}


def _begin_implicit(
    run: Any, memory: DualMemory, words: Any, calls: Any, prepared: Prepared
) -> tuple[int, dict[str, Array]]:
    from linkwork.integrators.implicit_kernels import RECORDED
    from linkwork.integrators.start import PERTURB, SOLVE_ACCELERATIONS

    status = calls[SOLVE_ACCELERATIONS](words)
    if status == Status.OK and run.perturbed:
        calls[PERTURB](words)
    p = run.problem
    now = memory.of(run.run.settings)[:, 0].copy()
    return status, {
        "time": now,
        "motion": memory.of(p.work.motion)[None, : p.layout.nb, :RECORDED].copy(),
        "multiplier": memory.of(p.work.z)[None, p.layout.multipliers].copy(),
    }


def clock_of(prepared: Prepared, cells: Cells) -> Clock:
    """The run's, in cells."""
    run = prepared.run.run
    return Clock(cells.of(run.now)[0], cells.of(run.t_end)[0], cells.of(prepared.kinks))


def _go_on(prepared: Prepared, memory: Cells, words: Any, room: Any, calls: Any) -> Iterator[tuple[int, int]]:
    """Status, and how many samples are in the room then, in turn."""
    run = prepared.run
    if getattr(run, "times", None) is None:
        from linkwork.integrators.implicit_kernels import ADVANCE

        advance = calls[ADVANCE if isinstance(run, ImplicitRun) else run._compiled()]
        status, done = advance(words, run.total, room)
        yield status, done
        return
    from linkwork.integrators.dense_output_kernels import ADVANCE_TO

    clock, targets, status = clock_of(prepared, memory), run.times[run._first :], int(Status.OK)
    advance_to = calls[ADVANCE_TO]
    while len(targets) and status == Status.OK:
        status, done = to_next_kink(
            clock, targets, 2**62, lambda wanted, most: advance_to(words, wanted, most, room), run.forget_slope
        )
        targets = targets[done:]
        yield status, done
