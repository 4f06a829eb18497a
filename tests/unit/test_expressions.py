"""Formulas of time: grammar, values, exact derivatives, text, and the forms that drivers ask for."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose

from linkwork.errors import FormulaError
from linkwork.mechanism.expressions import Expression

T = 0.37


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2+3*4", 14.0),
        ("2-3-4", -5.0),
        ("24/4/3", 2.0),
        ("2*-3", -6.0),
        ("-2**2", -4.0),
        ("2**-1", 0.5),
        ("2^3^2", 512.0),
        ("-(1 - 3)", 2.0),
        ("+ - - 5.", 5.0),
        (".5e1", 5.0),
        ("1E-3", 1e-3),
        ("0**0", 1.0),
        ("9**.5", 3.0),
        ("tau/pi + log(e)", 3.0),
        ("step(3, 1, 5)", 0.5),
        (" \t\n sqrt ( 16 )\r\n", 4.0),
        (7, 7.0),
        (-2.5, -2.5),
        (np.float32(0.5), 0.5),
        (np.int64(3), 3.0),
    ],
)
def test_constant_formulas_have_the_value_that_python_gives_them(text: object, value: float) -> None:
    e = Expression.parse(text)
    assert e.is_constant
    assert e.constant == pytest.approx(value, rel=1e-15)
    assert e.jet(T) == (e.constant, 0.0, 0.0)


HAND = [
    ("t", lambda t: (t, 1.0, 0.0)),
    ("3", lambda t: (3.0, 0.0, 0.0)),
    ("-t**2", lambda t: (-t * t, -2 * t, -2.0)),
    ("t**5", lambda t: (t**5, 5 * t**4, 20 * t**3)),
    ("t**-2", lambda t: (t**-2, -2 * t**-3, 6 * t**-4)),
    ("t^1.5", lambda t: (t**1.5, 1.5 * t**0.5, 0.75 * t**-0.5)),
    ("2**t", lambda t: (2**t, math.log(2) * 2**t, math.log(2) ** 2 * 2**t)),
    ("t**t", lambda t: (t**t, t**t * (math.log(t) + 1), t**t * ((math.log(t) + 1) ** 2 + 1 / t))),
    ("1/t", lambda t: (1 / t, -1 / t**2, 2 / t**3)),
    ("(1+t)/(1-t)", lambda t: ((1 + t) / (1 - t), 2 / (1 - t) ** 2, 4 / (1 - t) ** 3)),
    ("sin(3*t)", lambda t: (math.sin(3 * t), 3 * math.cos(3 * t), -9 * math.sin(3 * t))),
    ("cos(t)", lambda t: (math.cos(t), -math.sin(t), -math.cos(t))),
    ("tan(t)", lambda t: (math.tan(t), math.cos(t) ** -2, 2 * math.tan(t) * math.cos(t) ** -2)),
    ("asin(t)", lambda t: (math.asin(t), (1 - t * t) ** -0.5, t * (1 - t * t) ** -1.5)),
    ("acos(t)", lambda t: (math.acos(t), -((1 - t * t) ** -0.5), -t * (1 - t * t) ** -1.5)),
    ("atan(t)", lambda t: (math.atan(t), 1 / (1 + t * t), -2 * t / (1 + t * t) ** 2)),
    ("sinh(t)", lambda t: (math.sinh(t), math.cosh(t), math.sinh(t))),
    ("cosh(t)", lambda t: (math.cosh(t), math.sinh(t), math.cosh(t))),
    ("tanh(t)", lambda t: (math.tanh(t), math.cosh(t) ** -2, -2 * math.tanh(t) * math.cosh(t) ** -2)),
    ("exp(-2*t)", lambda t: (math.exp(-2 * t), -2 * math.exp(-2 * t), 4 * math.exp(-2 * t))),
    ("log(t)", lambda t: (math.log(t), 1 / t, -1 / t**2)),
    ("sqrt(t)", lambda t: (t**0.5, 0.5 * t**-0.5, -0.25 * t**-1.5)),
    (
        "step(t, 0, 2)",
        lambda t: (
            (t / 2) ** 3 * (10 - 15 * (t / 2) + 6 * (t / 2) ** 2),
            15 * (t / 2) ** 2 * (1 - t / 2) ** 2,
            15 * (t / 2) * (1 - t / 2) * (1 - t),
        ),
    ),
]


@pytest.mark.parametrize(("text", "by_hand"), HAND, ids=[text for text, _ in HAND])
def test_derivatives_agree_with_those_taken_by_hand(text: str, by_hand) -> None:
    assert_allclose(Expression.parse(text).jet(T), by_hand(T), rtol=2e-14)


# f, f' and f'' as the published models of Kissel 2021 write them out
PUBLISHED = [
    ("cos(-2*pi*t + pi/2)", "2*pi*cos(2*pi*t)", "-4*pi**2*sin(2*pi*t)"),
    ("cos(2*pi*t + pi/2)", "-2*pi*cos(2*pi*t)", "4*pi**2*sin(2*pi*t)"),
    ("cos(pi * t + pi/2)", "-pi*cos(pi*t)", "pi**2*sin(pi*t)"),
    (
        "cos(pi/4*cos(2*t) + pi/2)",
        "1/2*pi*sin(2*t)*cos(1/4*pi*cos(2*t))",
        "1/4*pi*(4*cos(2*t)*cos(1/4*pi*cos(2*t)))+pi**2/4*sin(2*t)**2*sin(1/4*pi*cos(2*t))",
    ),
]


@pytest.mark.parametrize("formulas", PUBLISHED, ids=[p[0] for p in PUBLISHED])
def test_published_drivers_and_their_written_out_derivatives_agree(formulas: tuple[str, str, str]) -> None:
    t = np.linspace(0.0, 2.0, 41)
    written = [Expression.parse(text).value(t) for text in formulas]
    assert_allclose(Expression.parse(formulas[0]).jet(t), written, atol=1e-13)


def test_the_smooth_ramp_joins_its_ends_twice_differentiably() -> None:
    e = Expression.parse("step(t, 1, 3)")
    assert e.jet(0.5) == (0.0, 0.0, 0.0)
    assert e.jet(4.0) == (1.0, 0.0, 0.0)
    assert_allclose(e.jet(1.0 + 1e-6), (0.0, 0.0, 0.0), atol=1e-4)
    assert_allclose(e.jet(3.0 - 1e-6), (1.0, 0.0, 0.0), atol=1e-4)
    assert math.isnan(e.value(math.nan))


def test_values_take_the_shape_of_the_times() -> None:
    t = np.linspace(0.1, 0.9, 6).reshape(2, 3)
    for text in ("2", "t", "3*t", "step(t, 0.3, 0.6)/t**2", "exp(-t)*sin(t)**3"):
        e = Expression.parse(text)
        jets = e.jet(t)
        assert [x.shape for x in jets] == [(2, 3)] * 3
        for k in np.ndindex(t.shape):
            assert_allclose([x[k] for x in jets], e.jet(t[k]), rtol=1e-14)
    assert isinstance(Expression.parse("t").value(1), float)
    assert Expression.parse("t").value([1, 2]).tolist() == [1.0, 2.0]


def test_out_of_a_domain_the_value_is_not_finite_and_nothing_warns(recwarn: pytest.WarningsRecorder) -> None:
    assert Expression.parse("1/t").value(0.0) == math.inf
    assert Expression.parse("t**-2").value(0.0) == math.inf
    assert Expression.parse("exp(exp(t))").value(10.0) == math.inf
    assert math.isnan(Expression.parse("sqrt(t)").value(-1.0))
    assert math.isnan(Expression.parse("acos(t)").value(1.5))
    assert not recwarn.list


def test_text_is_normalised_and_keeps_its_constants() -> None:
    expected: dict[str, str] = {
        "pi/2+pi/4*cos( 2*t )": "pi/2 + pi/4*cos(2*t)",
        "((t))^(2)": "t**2",
        "-(2*t)": "-(2*t)",
        "-2*t": "-2*t",
        "+t": "t",
        "1.50": "1.5",
        "2.0": "2",
        "t-(1-t)": "t - (1 - t)",
        "(t-1)-t": "t - 1 - t",
        "(-t)**2": "(-t)**2",
        "2**(-t)": "2**-t",
        "(2**t)**t": "(2**t)**t",
        "t/(2*t)": "t/(2*t)",
    }
    for text, normal in expected.items():
        assert str(Expression.parse(text)) == normal
    assert repr(Expression.parse("2 * t")) == "Expression.parse('2*t')"


def test_expressions_are_values() -> None:
    a, b = Expression.parse("2*t"), Expression.parse(" (2) * t ")
    assert a == b
    assert hash(a) == hash(b)
    assert a != Expression.parse("t*2")
    assert Expression.parse(a) is a
    assert pickle.loads(pickle.dumps(a)) == a
    assert not a.is_constant
    assert a.constant is None
    with pytest.raises(AttributeError):
        a.root = b.root  # type: ignore[misc]


def test_arithmetic_with_expressions_and_numbers() -> None:
    e = Expression.parse("t + 1")
    assert str(2 * e - 3) == "2*(t + 1) - 3"
    assert str(-(e / 2) + 1) == "-((t + 1)/2) + 1"
    assert str(1 - e * e) == "1 - (t + 1)*(t + 1)"
    assert (1 / (1 + e)).value(2.0) == 0.25
    assert Expression.constant_of(-2).constant == -2.0
    with pytest.raises(FormulaError, match="division by zero"):
        e / 0
    with pytest.raises(FormulaError, match="finite"):
        e * math.nan


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("cos(2*t)", 1.0),
        ("-cos(2*t)", 1.0),
        ("sin(2*t)", 1.0),
        ("-sin(2*t)", 1.0),
        ("-3*cos(t)/2", 1.5),
        ("2*(cos(pi/4*cos(2*t) + pi/2)*-5)", 10.0),
        ("sin(t**2)*pi", math.pi),
    ],
)
def test_a_cosine_is_recognised_with_its_sign_and_factor(text: str, factor: float) -> None:
    e = Expression.parse(text)
    form = e.as_cosine()
    assert form is not None
    c, angle = form
    assert c == pytest.approx(factor, rel=1e-15)
    t = np.linspace(-1.0, 2.0, 13)
    assert_allclose(c * np.cos(angle.value(t)), e.value(t), atol=1e-14)


@pytest.mark.parametrize(
    "text", ["t", "3", "cos(1)", "cos(t) + 1", "t*cos(t)", "2/cos(t)", "cos(t)**2", "0*cos(t)", "tan(t)"]
)
def test_anything_else_is_no_cosine(text: str) -> None:
    assert Expression.parse(text).as_cosine() is None
