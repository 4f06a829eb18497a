"""Lanes: what W numbers at once come to is what each alone comes to, and who leaves the others' path is known."""

from __future__ import annotations

import ctypes
from typing import Annotated, NamedTuple

import numpy as np
import pytest

from linkwork.errors import UsageError
from linkwork.kernels.fused import fused
from linkwork.kernels.jit import exact_kernel
from linkwork.kernels.records import Columns, Shape, new_record
from linkwork.kernels.sincos import chosen, cosine_and_sine, signed
from linkwork.kernels.so3 import exp_so3, log_so3, orthonormalise
from linkwork.kernels.tables import Floats, Ints
from linkwork.lanes.memory import Memory, Span, arrays_of, lane_table, merged
from linkwork.lanes.processor import WIDTH, width
from linkwork.problems.entry import entry
from linkwork.problems.layout import address_table, slots

ROWS, COLUMNS = 20, 6
NUMBERS = 18  # results of `functions`


class Sheet(NamedTuple):
    """What the kernels below read and write."""

    x: Annotated[Floats, Shape("n", 6), "arguments"]
    side: Annotated[Floats, Columns("x"), "the first of them"]
    result: Annotated[Floats, Shape("n", 18), "results"]
    count: Annotated[Ints, Shape("n"), "whole numbers"]


(SHEET,) = slots(Sheet)


@exact_kernel
def functions(sheet: Sheet) -> int:
    """All that is done with numbers, without a branch on them."""
    for k in range(sheet.x.shape[0]):
        a, b, c = sheet.x[k, 0], sheet.x[k, 1], sheet.x[k, 2]
        out = sheet.result
        out[k, 0] = (a + b * 2.0 - 3 / c) / (1.0 + a * a)
        out[k, 1] = max(a, b) - min(b, c) + max(a, 0.25)
        out[k, 2] = abs(a) + (-b).real
        out[k, 3] = np.sqrt(abs(c)) + np.floor(b)
        out[k, 4] = np.sin(a) + np.cos(b) * np.tan(c)
        out[k, 5] = np.arctan2(a, b) + np.exp(c) + np.log(abs(a)) + abs(b) ** c
        out[k, 6] = fused(a, b, c)
        out[k, 7], out[k, 8] = cosine_and_sine(10.0 * a)
        out[k, 9] = signed(a, b < c)
        out[k, 10] = chosen((a < b) | (b < c), a, 1.5) + chosen(a == b, 0.0, c)
        out[k, 11] = np.arcsin(np.sin(a)) + np.arccos(np.cos(b)) + np.arctan(c) + float(a)
        out[k, 12] = np.sinh(a) + np.cosh(b) + np.tanh(c) + np.cbrt(a) + np.hypot(b, c) - np.abs(a)
        total = 0.0
        for j in range(6):
            total += sheet.x[k, j] * (j + 1)
        out[k, 13] = total
        sheet.side[k] += 1.0
        out[k, 14] = 2.0 * ((a > 0.0) & (a < 1.0)) - (b >= c) * a
        out[k, 15] = max(a, b, c) - 3.0 * min(a, b, c)
        out[k, 16] = (a <= b) * 1.0 + (a >= b) * 2.0 + (a < b) * 4.0 + (a > b) * 8.0
        out[k, 17] = (a == b) * 1.0 + (a != b) * 2.0
    return 0


@exact_kernel
def rotations(sheet: Sheet) -> int:
    """Series on both sides of their switch, branches that most lanes agree on."""
    for k in range(sheet.x.shape[0]):
        w = (sheet.x[k, 0], sheet.x[k, 1], sheet.x[k, 2])
        m = orthonormalise(exp_so3(w))
        v = log_so3(m)
        for j in range(9):
            sheet.result[k, j] = m[j]
        for j in range(3):
            sheet.result[k, 9 + j] = v[j]
    return 0


@exact_kernel
def branches(sheet: Sheet) -> int:
    """A branch, a loop whose end depends on data, a place that does, an early return."""
    for k in range(sheet.x.shape[0]):
        x = sheet.x[k, 0]
        if x > 0.5:
            sheet.result[k, 0] = 1.0
        else:
            sheet.result[k, 0] = -x
        steps = 0
        while not x < 1.0 and steps < 50:
            x *= 0.5
            steps += 1
        sheet.count[k] = steps
        sheet.result[k, 1] = sheet.x[k, int(sheet.x[k, 5])]
        if sheet.x[k, 1] < -9.0:
            return k + 1
    return 0


FUNCTIONS, ROTATIONS, BRANCHES = entry(functions, SHEET), entry(rotations, SHEET), entry(branches, SHEET)


def sheet_of(x: np.ndarray) -> Sheet:
    """Room for the kernels, with these arguments."""
    sheet = new_record(Sheet, n=len(x))
    sheet.x[:] = x
    return sheet


def alone(one: object, x: np.ndarray) -> tuple[int, Sheet]:
    """What compiled code makes of one instance."""
    sheet = sheet_of(x)
    table = address_table((sheet,))
    function = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 7)(one.address)  # type: ignore[attr-defined]
    return function(0, 0, table.size, 8, table.ctypes.data, table.size, 8), sheet


def together(one: object, xs: np.ndarray, lanes: int) -> tuple[int, np.ndarray, np.ndarray, np.ndarray, int]:
    """What lanes make of instances xs (instance, row, column): status, x, result, count, strays."""
    from linkwork.lanes.compiler.entries import lane_entry

    sheet = sheet_of(xs[0])
    words, strays = address_table((sheet,)), np.zeros(1, dtype=np.int64)
    arrays = dict(arrays_of(SHEET, words))
    memory = Memory(arrays.values(), lanes)
    table = lane_table(words, arrays.items(), memory, strays)
    for k, x in enumerate(xs):
        sheet.x[:] = x
        assert memory.keep(k)
    memory.begin(len(xs))
    strays[0] = 2**lanes - 2 ** len(xs)
    status = lane_entry(one, lanes)(table)  # type: ignore[arg-type]

    def of(array: np.ndarray) -> np.ndarray:
        at = memory.index(array.ctypes.data)
        return np.moveaxis(memory.lanes[at : at + array.size].reshape(*array.shape, lanes), -1, 0)[: len(xs)]

    count = memory.integers[memory._places[sheet.count.ctypes.data] :][: len(sheet.count)].view(np.int64)
    return status, of(sheet.x), of(sheet.result), count, int(strays[0]) & (2 ** len(xs) - 1)


@pytest.mark.parametrize("lanes", [4, 8])
def test_each_lane_has_the_bits_of_one_number_alone(lanes: int) -> None:
    xs = np.random.default_rng(1).uniform(-3.0, 3.0, (lanes, ROWS, COLUMNS))
    xs[::2, ::3, 1] = xs[::2, ::3, 0]
    status, x, result, _, strays = together(FUNCTIONS, xs, lanes)
    assert (status, strays) == (0, 0)
    for k in range(lanes):
        _, sheet = alone(FUNCTIONS, xs[k])
        assert np.array_equal(result[k], sheet.result, equal_nan=True)
        assert np.array_equal(x[k], sheet.x)


def test_a_ragged_end_is_filled_and_has_no_say() -> None:
    xs = np.random.default_rng(2).uniform(0.6, 0.9, (3, 4, COLUMNS))
    status, _, result, _, strays = together(FUNCTIONS, xs, 4)
    assert (status, strays, len(result)) == (0, 0, 3)
    xs[0, 0, 0] = 0.1  # one of three goes another way; the copy of it in lane 3 does not make it two of four
    assert together(BRANCHES, xs, 4)[-1] == 0b001


def test_rotations_on_both_sides_of_the_series_switch() -> None:
    """Products and sums that are fused: to rounding what one number comes to, to the bit what the same lanes do in any
    other company."""
    random = np.random.default_rng(3)
    for low, high in ((0.0, 0.4), (0.3, 0.9), (0.7, 1.5)):
        xs = random.uniform(low, high, (4, ROWS, COLUMNS))
        *_, result, _, strays = together(ROTATIONS, xs, 4)
        assert strays != 0b1111
        for k in range(4):
            *_, every, _, none = together(ROTATIONS, xs[[k] * 4], 4)
            assert none == 0
            assert np.allclose(every[0], alone(ROTATIONS, xs[k])[1].result, rtol=1e-14, atol=1e-15)
            if not strays >> k & 1:
                assert np.array_equal(result[k], every[0])


@pytest.mark.parametrize("seed", range(30))
def test_strays_are_those_that_most_are_not(seed: int) -> None:
    """Lanes that are no strays have what they have alone, statuses and whole numbers included; alone in all lanes every
    instance has it."""
    random = np.random.default_rng(seed)
    xs = np.repeat(random.uniform(0.0, 8.0, (1, 5, COLUMNS)), 4, axis=0)
    xs[:, :, 5] = random.integers(0, 5)
    for lane in random.permutation(4)[: random.integers(1, 4)]:  # which differ somewhere
        xs[lane, random.integers(5), random.integers(2)] = random.choice([-20.0, 0.3, 0.7, 3.0, 40.0, np.nan])
        xs[lane, random.integers(5), 5] = random.integers(0, 5)
    status, _, result, count, strays = together(BRANCHES, xs, 4)
    same = [k for k in range(4) if not strays >> k & 1]
    assert same
    for k in range(4):
        wanted, sheet = alone(BRANCHES, xs[k])
        if k in same:
            assert status == wanted
            assert np.array_equal(result[k], sheet.result, equal_nan=True)
            assert np.array_equal(count, sheet.count)
        every = together(BRANCHES, xs[[k] * 4], 4)
        assert (every[0], every[-1]) == (wanted, 0)
        assert np.array_equal(every[2][0], sheet.result, equal_nan=True)


def test_memory_that_two_arrays_share_stays_shared() -> None:
    spans = [Span(1000, 80, True), Span(1040, 16, True), Span(2000, 8, False), Span(1072, 24, True)]
    assert merged(spans) == [Span(1000, 96, True), Span(2000, 8, False)]
    memory = Memory(spans, 4)
    assert memory.address(1040) - memory.address(1000) == 4 * 40
    assert memory.index(1072) == memory.index(1000) + 9
    assert memory.index(1096) == memory.index(2000) == memory.index(5) == -1
    with pytest.raises(ValueError, match="shares memory"):
        merged([Span(0, 16, True), Span(8, 8, False)])


def test_other_whole_numbers_are_another_run() -> None:
    sheet = sheet_of(np.zeros((3, COLUMNS)))
    memory = Memory(dict(arrays_of(SHEET, address_table((sheet,)))).values(), 2)
    assert memory.keep(0)
    sheet.count[1] = 1
    assert not memory.keep(1)


def test_the_number_of_lanes_can_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, found in (("2", 2), ("8", 8), ("", None)):
        width.cache_clear()
        monkeypatch.setenv(WIDTH, said)
        assert width() == found if found else width() in (4, 8)
    width.cache_clear()
    monkeypatch.setenv(WIDTH, "3")
    with pytest.raises(UsageError, match="LINKWORK_LANES is '3', not 2, 4 or 8"):
        width()
    width.cache_clear()
