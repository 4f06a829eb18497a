"""Functions of dual numbers: values are those of plain numbers, tangents those of the derivative in closed form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np
import pytest

from linkwork.kernels.fused import fused
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape, new_record
from linkwork.kernels.sincos import chosen, cosines_and_sines, signed
from linkwork.kernels.tables import Floats
from linkwork.lanes.memory import aligned
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import WORDS, address_table, slots

CELL = 8  # a value and seven tangents
COUNT = 32  # results


class Sheet(NamedTuple):
    """What the kernel reads and writes."""

    x: Annotated[Floats, Shape("n", 3), "arguments a, b, c"]
    result: Annotated[Floats, Shape("n", 32), "results"]
    angle: Annotated[Floats, Shape("n"), "a, once more"]
    cosine: Annotated[Floats, Shape("n"), "of the angles"]
    sine: Annotated[Floats, Shape("n"), "of the angles"]


(SHEET,) = slots(Sheet)


@kernel
def functions(sheet: Sheet) -> int:
    """All that kernels do with numbers, one thing in each column."""
    out = sheet.result
    for k in range(sheet.x.shape[0]):
        a, b, c = sheet.x[k, 0], sheet.x[k, 1], sheet.x[k, 2]
        out[k, 0], out[k, 1], out[k, 2], out[k, 3] = a + b, a - b, a * b, a / b
        out[k, 4], out[k, 5], out[k, 6], out[k, 7] = 2.0 + a, 2.0 - a, 2.0 * a, 2.0 / a
        out[k, 8], out[k, 9], out[k, 10] = max(a, b), min(a, b), abs(c)
        out[k, 11], out[k, 12], out[k, 13] = np.sqrt(a), np.sin(a), np.cos(a)
        out[k, 14], out[k, 15], out[k, 16] = np.tan(a), np.arcsin(a), np.arccos(a)
        out[k, 17], out[k, 18], out[k, 19] = np.arctan(a), np.exp(a), np.log(a)
        out[k, 20], out[k, 21], out[k, 22] = np.sinh(a), np.cosh(a), np.tanh(a)
        out[k, 23], out[k, 24], out[k, 25] = np.cbrt(a), np.arctan2(a, c), np.hypot(a, c)
        out[k, 26], out[k, 27], out[k, 28] = a**3, a**2.5, a**b
        out[k, 29] = fused(a, b, c)
        out[k, 31] = signed(a, b < c) + chosen(a < b, a * a, b) - np.floor(9.0 * a)
        sheet.angle[k] = a
    cosines_and_sines(sheet.angle.shape[0], sheet.angle, sheet.cosine, sheet.sine)
    for k in range(sheet.x.shape[0]):
        out[k, 30] = sheet.cosine[k] + 2.0 * sheet.sine[k]
    return 0


FUNCTIONS = direct_entry(functions, SHEET)
Slopes = Callable[[float, float, float], tuple[float, float, float]]
# derivatives by a, b, c, for 0 < a < 1 < b, c < 0
BY: list[Slopes] = [
    lambda a, b, c: (1, 1, 0),
    lambda a, b, c: (1, -1, 0),
    lambda a, b, c: (b, a, 0),
    lambda a, b, c: (1 / b, -a / b**2, 0),
    lambda a, b, c: (1, 0, 0),
    lambda a, b, c: (-1, 0, 0),
    lambda a, b, c: (2, 0, 0),
    lambda a, b, c: (-2 / a**2, 0, 0),
    lambda a, b, c: (0, 1, 0),
    lambda a, b, c: (1, 0, 0),
    lambda a, b, c: (0, 0, -1),
    lambda a, b, c: (0.5 / np.sqrt(a), 0, 0),
    lambda a, b, c: (np.cos(a), 0, 0),
    lambda a, b, c: (-np.sin(a), 0, 0),
    lambda a, b, c: (1 / np.cos(a) ** 2, 0, 0),
    lambda a, b, c: (1 / np.sqrt(1 - a * a), 0, 0),
    lambda a, b, c: (-1 / np.sqrt(1 - a * a), 0, 0),
    lambda a, b, c: (1 / (1 + a * a), 0, 0),
    lambda a, b, c: (np.exp(a), 0, 0),
    lambda a, b, c: (1 / a, 0, 0),
    lambda a, b, c: (np.cosh(a), 0, 0),
    lambda a, b, c: (np.sinh(a), 0, 0),
    lambda a, b, c: (1 / np.cosh(a) ** 2, 0, 0),
    lambda a, b, c: (a ** (-2 / 3) / 3, 0, 0),
    lambda a, b, c: (c / (a * a + c * c), 0, -a / (a * a + c * c)),
    lambda a, b, c: (a / np.hypot(a, c), 0, c / np.hypot(a, c)),
    lambda a, b, c: (3 * a * a, 0, 0),
    lambda a, b, c: (2.5 * a**1.5, 0, 0),
    lambda a, b, c: (b * a ** (b - 1), a**b * np.log(a), 0),
    lambda a, b, c: (b, a, 1),
    lambda a, b, c: (2 * np.cos(a) - np.sin(a), 0, 0),
    lambda a, b, c: (-1 + 2 * a, 0, 0),
]


def of_duals(x: np.ndarray) -> np.ndarray:
    """Results (rows, COUNT, CELL) that compiled code makes of x (rows, 3, CELL)."""
    from linkwork.derivatives.dual_entries import with_duals

    sheet = new_record(Sheet, n=len(x))
    words = address_table((sheet,))
    cells = [aligned(array.size * CELL).reshape(*array.shape, CELL) for array in sheet]
    cells[0][:] = x
    for place, array in enumerate(cells):
        words[WORDS * place] = array.ctypes.data
    assert with_duals(FUNCTIONS)(words) == 0
    return cells[1]


@pytest.fixture(scope="module")
def both() -> tuple[np.ndarray, np.ndarray]:
    """Arguments and results, seven directions each."""
    random = np.random.default_rng(3)
    x = random.normal(size=(5, 3, CELL))
    for column, (low, high) in enumerate([(0.05, 0.95), (1.1, 2.9), (-2.0, -0.3)]):
        x[:, column, 0] = random.uniform(low, high, 5)
    return x, of_duals(x)


def test_values_are_those_of_plain_numbers(both: tuple[np.ndarray, np.ndarray]) -> None:
    x, found = both
    sheet = new_record(Sheet, n=len(x))
    sheet.x[:] = x[..., 0]
    functions(sheet)
    np.testing.assert_allclose(found[..., 0], sheet.result, rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("column", range(COUNT))
def test_tangents_are_those_of_the_derivative(column: int, both: tuple[np.ndarray, np.ndarray]) -> None:
    assert len(BY) == COUNT
    x, found = both
    slopes = np.array([BY[column](*one) for one in x[..., 0]])
    wanted = np.einsum("ki,kit->kt", slopes, x[..., 1:])
    np.testing.assert_allclose(found[:, column, 1:], wanted, rtol=3e-15, atol=3e-15 * np.abs(slopes).max() * 4)


def test_a_constant_exponent_and_a_moving_one() -> None:
    """x^0 moves with nothing, and 0 to a whole power has the derivative of a polynomial."""
    x = np.zeros((1, 3, CELL))
    x[0, :, 0], x[0, :, 1] = (1e-9, 1.5, -1.0), 1.0
    found = of_duals(x)
    assert found[0, 26, 1] == pytest.approx(3e-18)
    assert found[0, 31, 1] == pytest.approx(-1.0 + 2e-9)
