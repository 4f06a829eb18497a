"""Machine calls put into one: copies, loops, conditions, NumPy's own functions, and angles less whole turns."""

from __future__ import annotations

import ctypes
import math

import numpy as np
import pytest

from linkwork.kernels.direct_calls import address_of
from linkwork.lanes.traced import numpy_loops
from linkwork.lanes.traced.numpy_loops import Loop, addresses, loop_of
from linkwork.lanes.traced.several import Copy, If, Off, Several, While
from linkwork.system.dense import within

RNG = np.random.default_rng(252)
NUMBERS = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e-300, 5e-324, -1e300, *RNG.normal(size=300).tolist()]


@pytest.mark.parametrize("function", [np.cos, np.sin, np.arctan2])
def test_loops_have_the_bits_of_the_function(function: np.ufunc) -> None:
    loop = loop_of(function)
    assert loop is not None
    given, found = np.zeros(2), np.zeros(1)
    words = addresses([given[k : k + 1] for k in range(function.nin)], found)
    call = Several([loop.call(words)])
    with np.errstate(all="ignore"):
        for x, y in zip(NUMBERS, reversed(NUMBERS), strict=True):
            given[:] = x, y
            call()
            assert found.tobytes() == np.array([function(*given.tolist()[: function.nin])]).tobytes()


def test_functions_without_loops_of_numbers_are_refused() -> None:
    assert loop_of(np.bitwise_and) is None
    with pytest.raises(ValueError, match="no loop of numbers"):
        Loop(np.bitwise_and)


def test_an_object_that_says_something_else_of_itself_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shifted(ctypes.Structure):
        _fields_ = (("ahead", ctypes.c_int), *numpy_loops._Ufunc._fields_)

    monkeypatch.setattr(numpy_loops, "_Ufunc", Shifted)
    with pytest.raises(ValueError, match="not where NumPy says"):
        Loop(np.cos)


@pytest.mark.parametrize("period", [2.0 * math.pi, 0.01, -0.3, math.inf])
def test_values_less_whole_periods_have_the_bits_of_python(period: float) -> None:
    numbers, found = np.zeros(3), np.zeros(1)
    value, prescribed, whole = (address_of(numbers[k : k + 1]) for k in range(3))
    call = Several([Off(value, prescribed, whole, address_of(found))])
    some = [x for x in NUMBERS if math.isfinite(x)]
    ends = [0.5 * period, -0.5 * period, 1.5 * period] if math.isfinite(period) else []
    for x, f in zip((*ends, *some), (*[0.0] * len(ends), *reversed(some)), strict=True):
        numbers[:] = x, f, period
        call()
        assert found.tobytes() == np.array([within(x - f, period)]).tobytes()


def test_operations_go_on_while_a_number_says_so() -> None:
    left, aside, told = np.array([3, 2, 1, 1, 0]), np.zeros(4, dtype=np.int64), np.zeros(1, dtype=np.int64)
    kept, seen = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    place, first = address_of(told), address_of(left)
    shift = Copy(address_of(aside), first + 8, 32), Copy(first, address_of(aside), 32)  # one further on each time
    moved = Copy(address_of(seen) + 8, address_of(seen), 8), Copy(address_of(seen), place, 8)
    step = [Copy(place, first, 8), *shift, *moved]
    Several(
        [
            While(place, 3, step),  # once in any case, and again as long as it was 3
            If(place, 2, [Copy(address_of(kept), place, 8)]),
            If(place, 3, [Copy(address_of(kept) + 8, place, 8)]),
        ]
    )()
    assert told.tolist() == [2]
    assert kept.tolist() == [2, 0]
    assert seen.tolist() == [2, 3]
