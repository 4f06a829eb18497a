"""The tree of a formula: how it is built, evaluated as jets and written back as text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.kernels import jets
from linkwork.mechanism.expressions.choices import CHOICES
from linkwork.mechanism.expressions.functions import ARITY, CONSTANTS, FUNCTIONS

MAX_DEPTH = 100
"""Deepest tree: keeps every walk through it far from Python's recursion limit."""

MAX_WHOLE_POWER = 64
"""Whole exponents up to this size are multiplied out."""

SUM, PRODUCT, SIGN, POWER, ATOM = range(1, 6)
BINDING = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT, "neg": SIGN, "**": POWER}
"""How tightly an operator binds, as in Python: -t**2 is -(t**2), and 2**-t is 2**(-t)."""


class NodeError(ValueError):
    """A node that has no meaning; the parser adds the place and makes a FormulaError of it."""

    def __init__(self, problem: str, remedy: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Node:
    """A number (no name), a named constant, t, an operator or a function with its arguments."""

    name: str
    args: tuple[Node, ...] = ()
    constant: float | None = None  # its value, if t does not occur in it
    depth: int = 1
    about: Any = None  # of what the state says: which (`state`)


TIME = Node("t")


def number(value: float) -> Node:
    """A constant; a negative one is a sign and a number, so that every value has one tree."""
    if not math.isfinite(value):
        raise NodeError(f"{value} is not a finite number.")
    if math.copysign(1.0, value) < 0.0:
        return apply("neg", Node("", constant=-value))
    return Node("", constant=value)


def named(name: str) -> Node:
    """pi, tau or e."""
    return Node(name, constant=CONSTANTS[name])


def apply(name: str, *args: Node) -> Node:
    """An operator or function on its arguments. Raises NodeError where the result can have no value."""
    depth = 1 + max(arg.depth for arg in args)
    if depth > MAX_DEPTH:
        raise NodeError(
            f"the formula is nested too deeply, or has more than {MAX_DEPTH} terms in a row.",
            "Group long sums with parentheses.",
        )
    if name == "/" and args[1].constant == 0.0:
        raise NodeError("division by zero.")
    if name == "**" and args[1].constant is None and args[0].constant is not None and args[0].constant <= 0.0:
        raise NodeError("a variable power of a number that is not positive is undefined.")
    if name == "step":
        check_step(args[1].constant, args[2].constant)
    if any(arg.constant is None for arg in args):
        return Node(name, args, None, depth)
    with np.errstate(all="ignore"):
        value = float(evaluate(Node(name, args), (np.float64(0.0), 1.0, 0.0))[0])
    if not math.isfinite(value):
        raise NodeError(f"the value of this constant part is {value}.")
    return Node(name, args, value, depth)


def check_step(start: float | None, end: float | None) -> None:
    """The ends of a smooth ramp: constant, in order, and far enough apart to divide by the distance."""
    if start is None or end is None:
        raise NodeError("the second and third argument of step must be constants.")
    if start >= end:
        raise NodeError(
            "step(t, t0, t1) rises from 0 at t0 to 1 at t1 and needs t0 < t1.",
            "For a falling ramp write 1 - step(t, t0, t1).",
        )
    if not 0.0 < 1.0 / (end - start) < math.inf:
        raise NodeError("the ends of step are too close together or too far apart.")


def evaluate(node: Node, t: jets.Jet) -> jets.Jet:
    """(f, f', f'') of a node; t is the jet of time, of NumPy scalars (real or complex) or arrays.

    NumPy's error state decides on warnings; a value outside a function's domain is inf or nan.
    """
    if node.constant is not None:
        return (np.float64(node.constant), 0.0, 0.0)
    if node.name == "t":
        return t
    if node.about is not None:
        raise NodeError("its value depends on the state, which is known in a run alone.")
    if node.name == "**":
        return power(node.args[0], node.args[1], t)
    u = evaluate(node.args[0], t)
    if node.name in FUNCTIONS:
        return FUNCTIONS[node.name].jet(u)
    if node.name == "neg":
        return jets.jet_scale(-1.0, u)
    if node.name == "step":
        start, end = node.args[1].constant, node.args[2].constant
        assert start is not None
        assert end is not None
        return jets.jet_smooth(jets.jet_scale(1.0 / (end - start), (u[0] - start, u[1], u[2])))
    if node.name in CHOICES:
        return CHOICES[node.name](u, *(evaluate(arg, t) for arg in node.args[1:]))
    v = evaluate(node.args[1], t)
    if node.name == "+":
        return jets.jet_add(u, v)
    if node.name == "-":
        return jets.jet_sub(u, v)
    if node.name == "*":
        return jets.jet_mul(u, v)
    return jets.jet_div(u, v)


def power(base: Node, exponent: Node, t: jets.Jet) -> jets.Jet:
    """base ** exponent; a variable exponent goes through exp(v log u)."""
    u, c = evaluate(base, t), exponent.constant
    if c is None:
        return jets.jet_exp(jets.jet_mul(evaluate(exponent, t), jets.jet_log(u)))
    if c == 0.0:
        return (np.float64(1.0), 0.0, 0.0)
    if c == 1.0:
        return u
    if is_whole(c):
        return jets.jet_whole_power(u, int(c))
    return jets.jet_real_power(u, c)


def is_whole(c: float) -> bool:
    """Whether an exponent is multiplied out."""
    return c == math.floor(c) and abs(c) <= MAX_WHOLE_POWER


def to_text(node: Node, binding: int = SUM) -> str:
    """The node as text with no more parentheses than needed for an operand that must bind so tightly."""
    strength = BINDING.get(node.name, ATOM)
    args: Any = node.args
    if node.name == "":
        assert node.constant is not None
        return number_text(node.constant)
    if node.about is not None:
        return about_text(node)
    if not args:
        return node.name
    if node.name == "if":
        sides = args[0].args if args[0].name == "-" else (args[0], Node("", constant=0.0))
        return f"if({' > '.join(map(to_text, sides))}, {to_text(args[1])}, {to_text(args[2])})"
    if node.name in ARITY or node.name in CHOICES:
        return f"{node.name}({', '.join(map(to_text, args))})"
    if node.name == "neg":
        text = f"-{to_text(args[0], SIGN)}"
    elif strength == POWER:
        text = f"{to_text(args[0], ATOM)}**{to_text(args[1], SIGN)}"
    else:
        sign = f" {node.name} " if strength == SUM else node.name
        text = f"{to_text(args[0], strength)}{sign}{to_text(args[1], strength + 1)}"
    return f"({text})" if strength < binding else text


def about_text(node: Node) -> str:
    """A name, a number measured from the state, or a table, as it is written."""
    if node.name == "name":
        return str(node.about)
    if node.name == "operand":
        return str(node.about)
    function, args = ("table", (node.about,)) if node.name == "table" else node.about
    words = [repr(arg) if isinstance(arg, str) else f"[{', '.join(map(to_text, arg))}]" for arg in args]
    return f"{function}({', '.join([*words, *map(to_text, node.args)])})"


def number_text(value: float) -> str:
    """The shortest decimal text that reads back as the same number."""
    return repr(value).removesuffix(".0")
