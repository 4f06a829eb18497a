"""Stack programs: what is folded, and that compiled and plain evaluation give the tree's values."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from linkwork.kernels import formula
from linkwork.kernels.jit import compiled
from linkwork.kernels.tables import Programs
from linkwork.mechanism.expressions import Expression, build_programs

TEXTS = [
    "3",
    "-2*pi*t",
    "cos(-2*pi*t + pi/2)",
    "pi/2 + pi/4*cos(2*t)",
    "cos(pi/4*cos(2*t) + pi/2)",
    "4*pi**2*sin(2*pi*t)",
    "t**2*exp(-t)*sin(t)/(1 + t^2)",
    "2 - sinh(t)*cosh(t) + tanh(t)/3",
    "asin(t/3) - acos(t/3)*atan(t) + tan(t/2)",
    "sqrt(1 + t)*log(2 + t)",
    "step(2*t, 0.2, 0.9)*t**-3",
    "(1 + t)**1.7 + 2**t + (1 + t)**sin(t)",
    "-(t*t)**0 + (t*t)**1",
    "1 - 1/(t - (t - (t + t**2)*t)*t)",
]


@pytest.fixture(scope="module")
def programs() -> Programs:
    return build_programs(map(Expression.parse, TEXTS))


def test_the_commonest_drivers_become_short_programs() -> None:
    def ops(text: str) -> list[int]:
        return Expression.parse(text).program().ops

    assert ops("2*pi/3") == [formula.CONSTANT]
    assert ops("0*t + 1") == ops("2*t + 1") == [formula.LINEAR, formula.SHIFT]  # as where a parameter is zero
    assert ops("-2*pi*t") == [formula.LINEAR]
    assert ops("cos(-2*pi*t + pi/2)") == [formula.LINEAR, formula.SHIFT, formula.COS]
    assert ops("2*(t - (1 - t))/4 - t*3") == [formula.LINEAR, formula.SHIFT]
    assert ops("pi/2 + pi/4*cos(2*t)") == [formula.LINEAR, formula.COS, formula.SCALE, formula.SHIFT]


def test_tables_have_the_declared_shapes(programs: Programs) -> None:
    assert programs.start.shape == (len(TEXTS) + 1,)
    assert programs.start[-1] == len(programs.ops) == len(programs.args)
    assert (programs.start.dtype, programs.ops.dtype, programs.args.dtype) == (np.int64, np.int64, np.float64)
    assert programs.depth.tolist() == [max(Expression.parse(text).program().depth for text in TEXTS)]
    empty = build_programs([])
    assert (empty.start.tolist(), empty.depth.tolist()) == ([0], [1])


@pytest.mark.parametrize("text", ["t", "t*sin(t)", "t**2 + (t**2 + (t**2 + t**2))", "sin(t)**cos(t)"])
def test_the_stack_is_as_deep_as_declared_and_no_deeper(text: str) -> None:
    e = Expression.parse(text)
    table = build_programs([e])
    stack = np.full((table.depth[0] + 1, 3), 17.0)
    assert_allclose(formula.evaluate_program(table, 0, 0.6, stack), e.jet(0.6), rtol=1e-14)
    assert (stack[table.depth[0] - 1 :] == 17.0).all()  # the top lives in registers


@pytest.mark.parametrize("t", [0.05, 0.3, 1.2])
def test_compiled_programs_give_the_values_of_the_tree(programs: Programs, t: float) -> None:
    run = compiled(formula.evaluate_program)
    stack = np.zeros((programs.depth[0], 3))
    for p, text in enumerate(TEXTS):
        assert_allclose(run(programs, p, t, stack), Expression.parse(text).jet(t), rtol=2e-14, err_msg=text)


def test_a_divisor_whose_reciprocal_overflows_divides() -> None:
    e = Expression.parse("1e-300*sin(t)/1e-309")
    assert_allclose(e.value(0.5), 1e9 * np.sin(0.5), rtol=1e-12)
    assert_allclose(compiled(formula.evaluate_program)(build_programs([e]), 0, 0.5, np.zeros((2, 3))), e.jet(0.5))


def test_complex_steps_pass_through_programs(programs: Programs) -> None:
    h, t = 1e-30, 0.7
    stack = np.zeros((programs.depth[0], 3), dtype=complex)
    for p, text in enumerate(TEXTS):
        f, f1, _ = formula.evaluate_program(programs, p, t + 1j * h, stack)
        _, e1, e2 = Expression.parse(text).jet(t)
        assert_allclose([np.imag(f) / h, np.imag(f1) / h], [e1, e2], rtol=1e-13, err_msg=text)


def test_beyond_a_domain_compiled_programs_give_values_that_are_not_finite() -> None:
    table = build_programs(map(Expression.parse, ["1/(t - 1)", "sqrt(t - 2)", "log(t - 1)"]))
    run, stack = compiled(formula.evaluate_program), np.zeros((2, 3))
    assert [bool(np.isfinite(run(table, p, 1.0, stack)[0])) for p in range(3)] == [False, False, False]


@pytest.mark.parametrize("evaluate", [formula.evaluate_drives, compiled(formula.evaluate_drives)], ids=["plain", "jit"])
def test_rows_without_a_program_keep_their_constant(programs: Programs, evaluate) -> None:
    row_program = np.array([-1, 2, -1, 1])
    constant = np.array([5.0, 99.0, -1.5, 99.0])
    drive, stack = np.full((4, 3), np.nan), np.zeros((programs.depth[0], 3))
    evaluate(programs, row_program, constant, 0.25, stack, drive)
    expected = [
        (5.0, 0.0, 0.0),
        Expression.parse(TEXTS[2]).jet(0.25),
        (-1.5, 0.0, 0.0),
        (-0.5 * np.pi, -2 * np.pi, 0.0),
    ]
    assert_allclose(drive, expected, rtol=1e-14, atol=1e-13)
