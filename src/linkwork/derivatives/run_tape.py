"""Rows behind the converged steps of a run, kept while the run itself is carried out.

Compiled kernels take each step as ever, with the same bits; machine code calls them step by step, and copies behind
each what stands in the cells that recorded steps keep (`converged_steps`): derivatives need not take the run again.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.converged_steps import ConvergedSteps
from linkwork.derivatives.tangent_run import Prepared
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.start import set_coefficients
from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.kept_records import RECORDS, made_once
from linkwork.lanes.traced.machine_code import engine_of
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.tangent_code import CALLS, COPY, TO_ROW
from linkwork.lanes.traced.tangent_steps import TangentRecorder
from linkwork.problems.layout import address_table
from linkwork.status import Status

Array = NDArray[np.float64]
LEAST = 2_000  # steps of a run from which on its rows are kept: setting up costs as much as some thousand of them
LARGEST = 16_000_000  # numbers of all rows
KEEP = """
define i64 @keep(ptr %call, i64 %table, i64 %words, i64 %room, i64 %places, ptr %addresses, ptr %tape, ptr %shown,
                 ptr %samples, ptr %told, i64 %steps) {
entry:
  %results = alloca [2 x i64], align 16
  %error = alloca ptr
  %second = getelementptr i64, ptr %results, i64 1
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %kept ]
  %s = phi i64 [ 0, %entry ], [ %s2, %kept ]
  %more = icmp slt i64 %k, %steps
  br i1 %more, label %step, label %done
step:
  CALL
  %status = load i64, ptr %results
  %recorded = load i64, ptr %second
  %has = icmp ne i64 %recorded, 0
  br i1 %has, label %sample, label %behind
sample:
  %place = mul i64 %s, SIZE
  %to = getelementptr double, ptr %samples, i64 %place
  call void @gather_sample(ptr %shown, ptr %to)
  %s1 = add i64 %s, 1
  br label %behind
behind:
  %s2 = phi i64 [ %s, %step ], [ %s1, %sample ]
  %good = icmp eq i64 %status, GOOD
  br i1 %good, label %kept, label %done
kept:
  %k1 = add i64 %k, 1
  %at = mul i64 %k1, COUNT
  %row = getelementptr double, ptr %tape, i64 %at
  call void @gather(ptr %addresses, ptr %row)
  br label %next
done:
  %ended = phi i64 [ GOOD, %next ], [ %status, %behind ]
  %found = phi i64 [ %s, %next ], [ %s2, %behind ]
  store i64 %ended, ptr %told
  %beside = getelementptr i64, ptr %told, i64 1
  store i64 %found, ptr %beside
  ret i64 %k
}
"""


class RunTape:
    """The rows of a run that is at its start, and not begun.

    run : the run. prepared : another one, not begun, of which steps are recorded; moves : (reals,) which of its
    `Prepared.reals` move. steps : these steps. rows : (steps + 1, numbers kept) of the start and behind each step that
    was taken. Raises NotTracedError where rows are not kept.
    """

    def __init__(self, run: ImplicitRun, prepared: Prepared, moves: NDArray[np.bool_]) -> None:
        set_coefficients(run.run)  # as each chunk of steps does
        self.steps = steps = RECORDS.followed(lambda: ConvergedSteps(prepared, moves))
        recorded, recorder, kept = steps.recorded, TangentRecorder(run, steps.contacts), steps.recorded.kept
        if recorded.contacts or (run.total + 1) * len(kept) > LARGEST:
            raise NotTracedError("rows that are not kept")
        self.run, self.moves, self.taken = run, moves, 0
        self._cells, self._fixed = recorder.cells, recorded.constants
        self._values = steps.values[self._fixed]
        self._addresses = np.array([recorder.cells.address(k) for k in kept], dtype=np.int64)
        self._block = run._room(1)
        self._room = address_table(self._block)
        self._shown = addresses_in(self._block)
        self._parts = np.cumsum([one.size for one in self._block])[:-1]  # where time, motion, multipliers end
        self._call = steps.call
        about = ("tape", len(self._shown), steps.by_numba)
        self._code = made_once(recorded.made, about, lambda: TapeCode(len(kept), len(self._shown), steps.by_numba))
        self.rows = aligned((run.total + 1) * len(kept)).reshape(-1, len(kept))
        start = np.zeros(len(kept))
        for addresses, row in ((self._addresses, self.rows[0]), (steps.addresses, start)):
            self._code.gather(addresses.ctypes.data, row.ctypes.data)
        if self.rows[0].tobytes() != start.tobytes() or not self.is_whole:
            raise NotTracedError("a start that is another one than was recorded")

    @property
    def is_whole(self) -> bool:
        """Whether what was taken for constants still stands as it did."""
        return np.array_equal(self._cells.now[self._fixed], self._values, equal_nan=True)

    def advance(self, steps: int) -> tuple[Status, dict[str, Any]]:
        """Take so many steps, as `ImplicitRun.advance` does, and keep their rows."""
        run, nb, told = self.run, self.run.problem.layout.nb, np.zeros(2, dtype=np.int64)
        some = np.empty((steps // int(run.run.every[0]) + 1, len(self._shown)))
        table, room, here = run._table, self._room, self.rows[self.taken :]
        self.taken += self._code.keep(
            self._call, table.ctypes.data, table.size, room.ctypes.data, room.size, self._addresses.ctypes.data,
            here.ctypes.data, self._shown.ctypes.data, some.ctypes.data, told.ctypes.data, steps,
        )  # fmt: skip
        status, many = told.tolist()
        some = some[:many]
        motion = some[:, 1 : 1 + self._block.motion[0].size].reshape(many, nb, -1)
        return Status(status), {
            "time": some[:, 0].copy(),
            "motion": motion.copy(),
            "multiplier": some[:, 1 + motion[:1].size : -1].copy()
            if many
            else np.empty((0, self._block.multiplier.size)),
            "iterations": some[:, -1].copy().view(np.int64),
        }

    def holds(self, moves: NDArray[np.bool_]) -> bool:
        """Whether all rows of the run are there, of steps that were recorded for what moves here."""
        return self.taken == self.run.total and np.array_equal(moves, self.moves) and self.is_whole


class TapeCode:
    """Compiled functions: gather(addresses, row), keep(call, table, words, room, places, addresses, tape, shown,
    samples, told, steps), which returns how many steps were good, and tells the last status and how many samples."""

    def __init__(self, row: int, sample: int, by_numba: bool) -> None:
        copies = "".join(
            COPY.replace("WHERE", TO_ROW).replace("NAME", name).replace("COUNT", str(count))
            for name, count in (("gather", row), ("gather_sample", sample))
        )
        keep = KEEP.replace("CALL", CALLS[by_numba]).replace("SIZE", str(sample)).replace("COUNT", str(row))
        self._engine: Any = engine_of(copies + keep.replace("GOOD", str(int(Status.OK))))
        pointer, count = ctypes.c_void_p, ctypes.c_int64
        self.gather = self._function("gather", None, pointer, pointer)
        self.keep = self._function("keep", count, pointer, *[count] * 4, *[pointer] * 5, count)

    def _function(self, name: str, result: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))


def addresses_in(arrays: Iterable[NDArray[Any]]) -> NDArray[np.int64]:
    """Of all numbers of these arrays, of eight bytes each, one after the other."""
    return np.concatenate([one.__array_interface__["data"][0] + 8 * np.arange(one.size) for one in arrays])


def worth(run: Any) -> bool:
    """Whether rows of this run are kept while it is carried out: of many steps whose samples are read off the state."""
    return (
        type(run) is ImplicitRun
        and run.total >= LEAST
        and not run.problem.droppable
        and int(run.run.from_index_1[0]) == 0
    )
