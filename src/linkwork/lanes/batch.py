"""W runs of one mechanism at once, in steps of one size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.integrators import contract
from linkwork.integrators.evaluation import Block, Entries
from linkwork.integrators.explicit_table import RUN, TABLEAU, table_of
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.kernels.rows.kinds import KINDS
from linkwork.lanes.memory import Memory, aligned, arrays_of, lane_table, with_strays
from linkwork.lanes.processor import no_compiler, width
from linkwork.problems.layout import WORDS, Slot
from linkwork.status import Status

Floats = NDArray[np.float64]
CARRIED = ("articulated_body", "canonical")


def why_no_lanes(run: Any) -> str:
    """What stands against carrying an explicit run in lanes at all, in words; nothing if nothing does."""
    if type(run) is not RungeKuttaRun:
        return "lanes carry explicit Runge-Kutta methods only"
    if any(KINDS[kind].one_by_one for kind in run.problem.mechanism.system.rows.kind):
        return "lanes do not carry cam pairs, whose kernels search"
    if run.times is not None:
        return "lanes carry steps of one size only, not those that an error estimate chooses or that end at t_eval"
    return ""


def why_not(run: Any) -> str:
    """What stands against kernels that are compiled for lanes, in words; nothing if nothing does."""
    if why := why_no_lanes(run):
        return why
    solver = run.problem.solver.name
    if run.problem.inside is not None or run.problem.mechanism.rigid:
        return "no kernels are compiled for lanes with rigid couplings"
    if solver not in CARRIED or (solver == "canonical" and run.problem.evaluate is None):
        return "kernels are compiled for lanes of articulated-body, and of canonical for trees under weight alone"
    return no_compiler()


def made_ready(entries: Sequence[Any], solver: str) -> None:
    """Compile entries of lanes, or read them from disk. Raises UsageError where one does what lanes cannot."""
    for one in entries:
        try:
            one.make()
        except Exception as error:
            if not type(error).__module__.startswith("numba"):
                raise
            raise UsageError(
                f"{one.__name__} of {solver} does what lanes have no code for.", remedy="Run the instances one by one."
            ) from error


class Batch:
    """W runs at once: of one mechanism, by one formulation and method, with steps of one size.

    run : the one run that all lanes begin as; its arrays are read, and not changed.
    width : how many lanes. strays : bit k: lane k has left the path of the others, and has to be run again alone.

    Two batches may go on in two threads; what they begin with is taken one after the other.
    """

    def __init__(self, run: RungeKuttaRun, lanes: int | None = None) -> None:
        if why := why_not(run):
            raise UsageError(f"{why}.", remedy="Run the instances one by one.")
        from linkwork.lanes.advance import ADVANCE
        from linkwork.lanes.compiler.entries import lane_entry

        self.run, self.width = run, lanes or width()
        self._strays, self._many, self._base = np.zeros(1, dtype=np.int64), 0, np.zeros(0)
        entries = run._entries()
        words = table_of(run.problem.context, Entries(*map(_Nowhere, entries)), run.run, run.arrays)
        slots = {part for one in entries for part in one.parts if isinstance(part, Slot)}
        of_problem = dict(pair for slot in slots for pair in arrays_of(slot, run.problem.context))
        of_run = dict(pair for slot in (RUN, TABLEAU) for pair in arrays_of(slot, words))
        self._memory = Memory([*of_problem.values(), *of_run.values()], self.width)
        self._context = lane_table(run.problem.context, of_problem.items(), self._memory, self._strays)
        found = Entries(*(lane_entry(one, self.width) for one in entries))
        self._advance = lane_entry(ADVANCE, self.width)
        made_ready((*found, self._advance), run.problem.solver.name)
        words = table_of(self._context, found, run.run, run.arrays)
        self._table = lane_table(words, of_run.items(), self._memory, self._strays)

    def keep(self, lane: int) -> bool:
        """The run as it stands is what a lane begins with. False, and it does not, where it differs from lane 0 in more
        than floating-point numbers."""
        kept = self._memory.keep(lane)
        if lane == 0:
            self._base = self._memory.rows[0].copy()
        return kept

    def places(self, array: Floats, flat: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where lanes have entries of one of the run's arrays; -1 where compiled code does not read them."""
        if array.dtype != np.float64:
            return np.full(len(flat), -1)
        first = array.__array_interface__["data"][0]
        indices = zip(*np.unravel_index(flat, array.shape), strict=True)
        steps = [sum(int(k) * step for k, step in zip(index, array.strides, strict=True)) for index in indices]
        return np.array([self._memory.index(first + step) for step in steps], dtype=np.int64)

    @property
    def every(self) -> int:
        """Steps from sample to sample."""
        return self.run.every

    def alter(self, values: Floats, places: NDArray[np.int64]) -> None:
        """Lanes 0, 1, ... begin as lane 0 was kept last, save for these values (lanes, places) at these places."""
        rows = self._memory.rows
        rows[: len(values)] = self._base
        rows[: len(values), places] = values

    def begin(self, many: int) -> None:
        """The first so many lanes begin as they were kept, and stand there."""
        self._many = many
        self._memory.begin(many)
        self._strays[0] = 2**self.width - 2**many  # copies that fill up have no say

    @property
    def strays(self) -> tuple[int, ...]:
        """The lanes that left the others' path."""
        return tuple(k for k in range(self._many) if int(self._strays[0]) >> k & 1)

    def find_slopes(self) -> Status:
        """The slope where lanes begin, with accelerations and multipliers: `RungeKuttaRun.initialise`."""
        from linkwork.integrators.runge_kutta_kernels import START

        status, _ = self._go_on(START, self._room(1))
        finite = np.all(np.isfinite(self.values(self.run.problem.work.lam)), axis=0)
        strays = 2 ** np.flatnonzero(~finite)
        if status == Status.OK and len(strays):
            self._strays[0] |= int(np.sum(strays))
            return status if np.any(finite) else Status.SINGULAR
        return status

    def sample(self) -> contract.Block:
        """The present states as one sample."""
        work, problem = self.run.problem.work, self.run.problem
        return {
            "time": self.values(self.run.run.settings)[:, 0].copy(),
            "motion": self.values(work.motion)[None, :-1].copy(),
            "multiplier": self.values(work.lam)[None].copy(),
            "extra": self.values(problem.extra)[None, :-1].copy(),
        }

    def advance(self, steps: int) -> tuple[Status, contract.Block]:
        """Go on by so many steps. Samples as `contract.Run.advance` gives them, with a last axis for the lanes.

        A status other than OK is that of every lane that is no stray.
        """
        block = self._room(steps // self.run.every + 1)
        status, recorded = self._go_on(steps, block)
        return status, {name: getattr(block, name)[:recorded, ..., : self._many] for name in Block._fields}

    def _go_on(self, steps: int, block: Block) -> tuple[Status, int]:
        from linkwork.lanes.advance import STATES

        recorded, status = divmod(self._advance(self._table, steps, self._block_table(block)), STATES)
        return Status(status), recorded

    def values(self, array: Floats) -> Floats:
        """One of the run's arrays as it is in the lanes now, a last axis for them; C-contiguous arrays only."""
        at = self._memory.index(array.__array_interface__["data"][0])
        return self._memory.lanes[at : at + array.size].reshape(*array.shape, self.width)[..., : self._many]

    def _room(self, samples: int) -> Block:
        of_one = self.run._room(0)
        shapes = ((samples, *array.shape[1:], self.width) for array in of_one)
        return Block(*(aligned(int(np.prod(shape))).reshape(shape) for shape in shapes))

    def _block_table(self, block: Block) -> NDArray[np.int64]:
        words: list[int] = []
        for array in block:
            extents = array.shape[:-1]
            words += (array.ctypes.data, *extents, *(0,) * (WORDS - 1 - len(extents)))
        return with_strays(np.array(words, dtype=np.int64), self._strays)


class _Nowhere:
    """An entry of which only the place in the table matters."""

    address = 0

    def __init__(self, entry: Any) -> None:
        self.entry = entry
