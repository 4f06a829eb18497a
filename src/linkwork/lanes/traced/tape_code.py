"""Machine code that takes steps of a run by its compiled kernels, one by one, and keeps what each leaves.

A row of numbers goes behind each step, from wherever they stand, and what was written of a sample into another one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.engine import engine_of
from linkwork.status import Status

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
COPY = """
define void @NAME(ptr noalias %cells, ptr noalias %row) {
entry:
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
WHERE
  %x = load double, ptr %from
  store double %x, ptr %to
  %k1 = add i64 %k, 1
  %more = icmp slt i64 %k1, COUNT
  br i1 %more, label %next, label %done
done:
  ret void
}
"""
TO_ROW = """  %p = getelementptr ptr, ptr %cells, i64 %k
  %from = load ptr, ptr %p
  %to = getelementptr double, ptr %row, i64 %k"""
KEEP = """
define i64 @keep(ptr %call, i64 %table, i64 %words, i64 %room, i64 %places, ptr %addresses, ptr %tape, ptr %shown,
                 ptr %samples, ptr %told, i64 %steps) {
entry:
  %results = alloca [2 x i64], align 16
  %second = getelementptr i64, ptr %results, i64 1
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %kept ]
  %s = phi i64 [ 0, %entry ], [ %s2, %kept ]
  %more = icmp slt i64 %k, %steps
  br i1 %more, label %step, label %done
step:
  call void %call(ptr %results, i64 %table, i64 %words, i64 1, i64 %room, i64 %places)
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


class TapeCode:
    """Compiled functions of rows of `row` numbers and samples of `sample`: gather(addresses, row), and `keep`."""

    def __init__(self, row: int, sample: int) -> None:
        copies = "".join(
            COPY.replace("WHERE", TO_ROW).replace("NAME", name).replace("COUNT", str(count))
            for name, count in (("gather", row), ("gather_sample", sample))
        )
        keep = KEEP.replace("SIZE", str(sample)).replace("COUNT", str(row))
        self._engine: Any = engine_of(copies + keep.replace("GOOD", str(int(Status.OK))))
        pointer, count = ctypes.c_void_p, ctypes.c_int64
        self._gather = self._function("gather", None, pointer, pointer)
        self._keep = self._function("keep", count, pointer, *[count] * 4, *[pointer] * 5, count)
        self.sample = sample

    def _function(self, name: str, result: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))

    def gather(self, addresses: Ints, row: Array) -> None:
        """Copy what stands at addresses into a row."""
        self._gather(addresses.ctypes.data, row.ctypes.data)

    def keep(
        self,
        call: Any,
        tables: tuple[Ints, Ints],
        addresses: Ints,
        tape: Array,
        shown: Ints,
        samples: Array,
        steps: int,
    ) -> tuple[int, int, int]:
        """Take steps, and keep a row behind each, from the second of the tape on, and samples: how many steps were
        good, the last status, how many samples. tables : of the run, and of room for one sample."""
        words, told = [number for table in tables for number in (table.ctypes.data, table.size)], np.zeros(2, np.int64)
        where = [array.ctypes.data for array in (addresses, tape, shown, samples, told)]
        done: int = self._keep(call, *words, *where, steps)
        return done, int(told[0]), int(told[1])


def addresses_in(arrays: Iterable[NDArray[Any]]) -> Ints:
    """Of all numbers of these arrays, of eight bytes each, one after the other."""
    return np.concatenate([one.__array_interface__["data"][0] + 8 * np.arange(one.size) for one in arrays])
