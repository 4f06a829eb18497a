"""Laws of formulas, for formulas that Hypothesis writes."""

from __future__ import annotations

import cmath
import math
import re
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from linkwork.errors import FormulaError
from linkwork.kernels import formula
from linkwork.kernels.jit import compiled
from linkwork.mechanism.expressions import Expression, build_programs

LETTERS = ("t", "pi", "tau", "e")
FUNCTIONS = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt")
H = 1e-40


def ramp(u: complex, u0: float, u1: float) -> complex:
    """The smooth ramp, told plainly."""
    x = (u - u0) / (u1 - u0)
    return 0.0 if x.real <= 0.0 else 1.0 if x.real >= 1.0 else 10 * x**3 - 15 * x**4 + 6 * x**5


ORACLE: dict[str, Any] = {"pi": math.pi, "tau": math.tau, "e": math.e, "step": ramp, "__builtins__": {}}
ORACLE |= {name: getattr(cmath, name) for name in FUNCTIONS}


def by_python(text: str, t: complex, nudge: float = 1.0) -> complex:
    """What Python itself makes of a text that this file wrote: an oracle for the grammar and the values.

    nudge: a factor on every number in it, to see how ill-conditioned the formula is.
    """
    source = text.replace("^", "**")
    if nudge != 1.0:
        source = re.sub(r"[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?|\b(t|pi|tau|e)\b", r"(\g<0>*nudge)", source)
    return complex(eval(f"({source})", ORACLE, {"t": t, "nudge": nudge}))


def any_formula() -> st.SearchStrategy[str]:
    """Any text of the grammar, with and without redundant parentheses; its value may be undefined."""
    digits = st.integers(0, 999).map(str)
    decimals = st.tuples(digits, digits).map(".".join)
    leaf = st.sampled_from(LETTERS) | decimals | st.floats(0.0, 1e30).map(repr)
    gap = st.sampled_from(("", "", " ", "\n\t"))
    operator = st.sampled_from(("+", "-", "*", "/", "**", "^"))
    one = ("-{0}", "+ {0}", "({0})", " ( {0} )", "step({0}, 0.5 ,pi)", *(f"{name}({{0}})" for name in FUNCTIONS))

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.tuples(inner, gap, operator, gap, inner).map("".join) | st.builds(
            str.format, st.sampled_from(one), inner
        )

    return st.recursive(leaf, larger, max_leaves=12)


def tame_formula() -> st.SearchStrategy[str]:
    """Formulas that stay within every domain and of moderate size, so that derivatives can be compared."""
    leaf = st.sampled_from(("t", "t", "pi", "0.3", "1.25", "cos(2*t)"))
    one = (
        "(-{0})",
        "sin({0})",
        "cos({0})",
        "atan({0})",
        "tanh({0})",
        "tan(sin({0}))",
        "exp(sin({0}))",
        "log(2.5+sin({0}))",
        "sqrt(1.5+cos({0}))",
        "asin(0.9*sin({0}))",
        "acos(0.8*cos({0}))",
        "sinh(cos({0}))",
        "cosh(sin({0}))",
        "step({0},-0.7,1.9)",
        "sin({0})**3",
        "(2+cos({0}))**-2",
        "(2+cos({0}))^0.37",
        "1.7**sin({0})",
    )
    two = ("({0}+{1})", "({0}-{1})", "({0}*{1})", "({0}/(2+sin({1})))", "(2+cos({0}))**sin({1})")

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.builds(str.format, st.sampled_from(one), inner) | st.builds(
            str.format, st.sampled_from(two), inner, inner
        )

    return st.recursive(leaf, larger, max_leaves=7)


@given(any_formula())
def test_the_text_of_a_formula_parses_to_the_same_formula(text: str) -> None:
    try:
        e = Expression.parse(text)
    except FormulaError as error:
        e, problem = None, str(error)
    if e is None:
        assert re.search("constant part|division by zero|not positive", problem)
        return
    assert Expression.parse(str(e)) == e
    assert str(Expression.parse(str(e))) == str(e)
    assert hash(Expression.parse(str(e))) == hash(e)


@given(any_formula(), st.floats(0.1, 2.0))
def test_values_are_those_of_python(text: str, t: float) -> None:
    try:
        e = Expression.parse(text)
        expected = by_python(text, t)
        change = max(abs(by_python(text, t, nudge) - expected) for nudge in (1 + 1e-13, 1 - 3e-13))
    except (FormulaError, ZeroDivisionError, OverflowError, ValueError):
        assume(False)
    value, size = e.value(t), 1.0 + abs(expected)
    # beyond a real domain Python goes on with complex numbers, where a driver has no value
    assume(math.isfinite(value) and change < 1e-9 * size)
    assert abs(value - expected) <= 1e-8 * size


@given(tame_formula(), st.floats(0.05, 1.5))
def test_jets_are_the_derivatives(text: str, t: float) -> None:
    """f' by a complex step through Python's own evaluation, f'' by one through f'."""
    e = Expression.parse(text)
    f, f1, f2 = e.jet(t)
    stepped = by_python(text, t + 1j * H)
    slope = e.jet(t + 1j * H)[1]
    size = 1.0 + abs(f) + abs(f1) + abs(f2)
    assert_allclose((f, f1, f2), (stepped.real, stepped.imag / H, slope.imag / H), rtol=1e-11, atol=1e-11 * size)


run = compiled(formula.evaluate_program)


@given(st.lists(tame_formula(), min_size=1, max_size=3), st.floats(0.05, 1.5))
def test_programs_give_the_jets_of_the_tree(texts: list[str], t: float) -> None:
    expressions = [Expression.parse(text) for text in texts]
    programs = build_programs(expressions)
    stack = np.full((programs.depth[0], 3), np.nan)
    for p, e in enumerate(expressions):
        expected = np.array(e.jet(t))
        tolerance = 1e-12 * (1.0 + np.abs(expected).sum())
        assert_allclose(run(programs, p, t, stack), expected, rtol=1e-12, atol=tolerance)
        assert_allclose(formula.evaluate_program(programs, p, t, stack), expected, rtol=1e-12, atol=tolerance)


@given(tame_formula(), tame_formula(), st.floats(0.01, 3.0), st.sampled_from((-1, 1)))
def test_a_cosine_keeps_its_value_as_an_angle(text: str, inner: str, c: float, sign: int) -> None:
    e = Expression.parse(f"({sign * c!r})*{'cos' if len(text) % 2 else 'sin'}({inner})")
    form = e.as_cosine()
    if Expression.parse(inner).is_constant:
        assert form is None
        return
    assert form is not None
    factor, angle = form
    t = np.array([0.1, 0.6, 1.1])
    assert factor > 0.0
    assert_allclose(factor * np.cos(angle.value(t)), e.value(t), atol=1e-13 * (1 + np.abs(angle.value(t)).max()))


JUNK = (
    st.text()
    | st.text(alphabet="t()+-*/^., 0123456789episncolgqr_\x00")
    | st.binary().map(lambda junk: junk.decode("latin-1"))
)


@given(JUNK)
def test_junk_raises_a_formula_error_or_is_a_formula(text: str) -> None:
    try:
        e = Expression.parse(text, where="here")
    except FormulaError as error:
        e, problem = None, error
    if e is None:
        assert "column" in str(problem)
        assert problem.element == "here"
    else:
        assert Expression.parse(str(e)) == e
