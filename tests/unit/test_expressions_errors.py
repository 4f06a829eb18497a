"""Formulas outside the grammar: one clear error, whatever the text."""

from __future__ import annotations

import time

import pytest

import linkwork as lw
from linkwork.errors import FormulaError, ModelError
from linkwork.mechanism.expressions import Expression

WRONG = [
    # text, column, a part of the message
    ("", 1, "empty"),
    (" \n ", 1, "empty"),
    ("cso(t)", 1, "Did you mean 'cos'?"),
    ("2*PI", 3, "Did you mean 'pi'?"),
    ("arcsin(t)", 1, "Did you mean 'asin'?"),
    ("np.cos(t)", 1, "stand alone"),
    ("u + 1", 1, "Known: t, pi"),
    ("1 + abs(t)", 5, "not twice differentiable"),
    ("Min(t, 1)", 1, "not twice differentiable"),
    ("2t", 2, "operator is missing before 't'"),
    ("2(t)", 2, "operator is missing before '('"),
    ("1_000", 2, "operator is missing"),
    ("0x10", 2, "operator is missing"),
    ("t(2)", 1, "'t' is not a function"),
    ("cos t", 1, "needs its argument in parentheses"),
    ("sin(t, 2)", 1, "takes 1 argument, not 2"),
    ("step(t)", 1, "takes 3 arguments, not 1"),
    ("sin()", 5, "')' stands where"),
    ("2*(t + 1", 9, "the '(' of column 3 is not closed"),
    ("t)", 2, "out of place"),
    ("1, 2", 2, "out of place"),
    ("3*", 3, "ends where"),
    ("3*/t", 3, "'/' stands where"),
    ("t;t", 2, "has no place"),
    ("t == 1", 3, "compare with >"),
    ("t != 1", 3, "compare with >"),
    ("1 + t/(2 - 2)", 6, "division by zero"),
    ("t*log(-1)", 3, "value of this constant part is nan"),
    ("0**-1", 2, "value of this constant part is inf"),
    ("(-2)**t", 5, "power of a number that is not positive"),
    ("1e999", 1, "not a finite number"),
    ("1" * 41, 1, "more than 40 characters"),
    ("step(t, 1, 0)", 1, "needs t0 < t1"),
    ("step(t, 0, t)", 1, "must be constants"),
    ("step(t, 0, 1e-320)", 1, "too close together"),
]


@pytest.mark.parametrize(("text", "column", "part"), WRONG, ids=[repr(w[0])[:40] for w in WRONG])
def test_the_error_names_the_column_and_what_is_wrong(text: str, column: int, part: str) -> None:
    with pytest.raises(FormulaError) as caught:
        Expression.parse(text, where="drivers[0] 'motor'")
    message = str(caught.value)
    assert f"column {column}:" in message
    assert part in message
    assert message.startswith("drivers[0] 'motor': formula ")


ATTACKS = {
    "import": "__import__('os').system('true')",
    "attribute": "t.__class__.__mro__",
    "lambda": "lambda: 0",
    "comprehension": "[t for t in (1, 2)]",
    "huge power": "9**9**9**9",
    "huge power inside": "t + 10^10^10",
    "parentheses": "(" * 100_000,
    "closed parentheses": "(" * 5000 + "t" + ")" * 5000,
    "signs": "-" * 100_000 + "t",
    "powers": "t**" * 5000 + "t",
    "calls": "sin(" * 5000 + "t" + ")" * 5000,
    "long sum": "+".join("t" * 5000),
    "long flat": "(" + "t+" * 90 + "t)" + ("*(" + "t+" * 90 + "t)") * 50,
    "long name": "a" * 1_000_000,
    "long number": "1" * 1_000_000,
    "unicode digit": "\u0663",
    "fullwidth": "\uff11+\uff54",
    "greek": "2*\u03c0",
    "null": "t\x00",
    "surrogate": "\ud800",
    "walrus": "(t := 1)",
    "imaginary": "1j",
}


@pytest.mark.parametrize("text", ATTACKS.values(), ids=ATTACKS.keys())
def test_attacks_and_monsters_are_refused_at_once(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(FormulaError) as caught:
        Expression.parse(text)
    assert time.perf_counter() - start < 1.0
    assert len(str(caught.value)) < 500


def test_the_longest_formulas_in_bounds_are_good() -> None:
    series = " + ".join(f"{0.5**k!r}*cos({k}*t)" for k in range(1, 90))
    for text in (series, "(" * 99 + "t" + ")" * 99, "sin(" * 99 + "t" + ")" * 99, "1-(" * 98 + "t" + ")" * 98):
        e = Expression.parse(text)
        assert Expression.parse(str(e)) == e
        assert e.program().depth <= 101


@pytest.mark.parametrize("source", [None, True, [1.0], {"f": 1}, b"t", 1j, 10**400, float("nan"), float("inf")])
def test_what_is_neither_text_nor_a_finite_number_is_refused(source: object) -> None:
    with pytest.raises(FormulaError) as caught:
        Expression.parse(source, where="constraints[3].f")
    assert caught.value.element == "constraints[3].f"
    assert caught.value.exit_status == 3


@pytest.mark.parametrize(
    ("formula", "instead"),
    [
        ("-3*ball.position.z", "Write position('ball', 'z')."),
        ("'long rod'.velocity", "Write velocity('long rod', 'x')."),
        ("sin(hip.angle)", "Write angle('hip')."),
        ("np.cos(t)", "stand alone"),
    ],
)
def test_quantities_named_as_in_results_are_told_as_formulas_have_them(formula: str, instead: str) -> None:
    mech = lw.Mechanism("one")
    mech.body("ball", mass=1.0, inertia=[0.1] * 3)
    with pytest.raises(ModelError) as caught:
        mech.force("pull", "force", body="ball", components=[0, 0, formula])
    assert instead in str(caught.value)
