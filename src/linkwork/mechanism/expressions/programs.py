"""From tree to stack program: constants folded, linear functions of time fused, for `kernels.formula`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from linkwork.kernels import formula, state_formula
from linkwork.kernels.tables import Programs
from linkwork.mechanism.expressions.choices import OPERATIONS
from linkwork.mechanism.expressions.functions import FUNCTIONS
from linkwork.mechanism.expressions.tree import Node, NodeError, is_whole

if TYPE_CHECKING:
    from linkwork.mechanism.expressions.expression import Expression

BINARY = {"+": formula.ADD, "-": formula.SUB, "*": formula.MUL, "/": formula.DIV}


class Places(Protocol):
    """Where the numbers stand that formulas of the state read."""

    def operand(self, about: Any) -> int:
        """The place of what a resolved node is about."""

    def curve(self, name: str) -> int:
        """The number of a table."""


class Steps(list[tuple[int, float]]):
    """Operations of a formula of the state, which knows where its operands are."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        self.places = places


class Program(NamedTuple):
    """Operations of `kernels.formula`, one argument each (0 where unused), and the stack they need."""

    ops: list[int]
    args: list[float]
    depth: int


def build_programs(expressions: Iterable[Expression], places: Places | None = None) -> Programs:
    """The table of programs that kernels read, in the order given. places : for formulas of the state."""
    start, ops, args, depth = [0], list[int](), list[float](), 1
    for expression in expressions:
        program = expression.program(places)
        ops += program.ops
        args += program.args
        start.append(len(ops))
        depth = max(depth, program.depth)
    return Programs(
        start=np.array(start, dtype=np.int64),
        ops=np.array(ops, dtype=np.int64),
        args=np.array(args, dtype=np.float64),
        depth=np.array([depth], dtype=np.int64),
    )


def compile_program(root: Node, places: Places | None = None) -> Program:
    """The program of one tree. places : where the operands of a formula of the state are."""
    emitted: list[tuple[int, float]] = [] if places is None else Steps(places)
    emit(root, emitted)
    height = deepest = 0
    for op, _ in emitted:
        height += 1 if op in state_formula.PUSHES else -1 if op in state_formula.TAKES_TWO else 0
        height -= 2 if op == state_formula.SELECT else 0
        deepest = max(deepest, height)
    return Program([op for op, _ in emitted], [arg for _, arg in emitted], deepest)


def emit(node: Node, steps: list[tuple[int, float]]) -> None:
    """Append the operations that leave the node's value on top of the stack."""
    line = linear(node)
    if line is not None:
        emit_linear(node.constant is None, *line, steps)
    elif node.about is not None:
        emit_state(node, steps)
    elif node.name in OPERATIONS:
        for arg in node.args:
            emit(arg, steps)
        steps.append((OPERATIONS[node.name], 0.0))
    elif node.name == "**":
        emit_power(node.args[0], node.args[1], steps)
    elif node.name in FUNCTIONS:
        emit(node.args[0], steps)
        steps.append((FUNCTIONS[node.name].op, 0.0))
    elif node.name == "neg":
        emit(node.args[0], steps)
        steps.append((formula.SCALE, -1.0))
    elif node.name == "step":
        emit_step(node.args[0], node.args[1], node.args[2], steps)
    else:
        emit_binary(node.name, node.args[0], node.args[1], steps)


def emit_state(node: Node, steps: list[tuple[int, float]]) -> None:
    """An operand, or a table of one."""
    if not isinstance(steps, Steps):
        raise NodeError("what depends on the state stands where only time is known.")
    for arg in node.args:
        emit(arg, steps)
    if node.name == "table":
        steps.append((state_formula.CURVE, float(steps.places.curve(node.about))))
    else:
        steps.append((state_formula.OPERAND, float(steps.places.operand(node.about))))


def linear(node: Node) -> tuple[float, float, bool] | None:
    """(a, b, whether anything is added) if the node is a t + b with finite a and b; otherwise None."""
    if node.constant is not None:
        return (0.0, node.constant, True)
    if node.name == "t":
        return (1.0, 0.0, False)
    if node.name not in ("+", "-", "*", "/", "neg"):
        return None
    first = linear(node.args[0])
    last = (
        first if len(node.args) == 1 else linear(node.args[1])
    )  # once per node: a hundred signs in a row are read, too
    if first is None or last is None:
        return None
    (a, b, added), (c, d, more) = first, last
    if node.name == "neg":
        a, b = -a, -b
    elif node.name in ("+", "-"):
        sign = 1.0 if node.name == "+" else -1.0
        a, b, added = a + sign * c, b + sign * d, added or more
    elif node.args[-1].constant is not None:
        a, b = (a * d, b * d) if node.name == "*" else (a / d, b / d)
    elif node.name == "*" and node.args[0].constant is not None:
        a, b, added = b * c, b * d, more
    else:
        return None
    return (a, b, added) if math.isfinite(a) and math.isfinite(b) else None


def emit_linear(varies: bool, a: float, b: float, added: bool, steps: list[tuple[int, float]]) -> None:
    """Push a t + b. What varies does so by the same operations where a or b is zero: a parameter may move it off."""
    if not varies:
        steps.append((formula.CONSTANT, b))
        return
    steps.append((formula.LINEAR, a))
    if added:
        steps.append((formula.SHIFT, b))


def emit_binary(name: str, left: Node, right: Node, steps: list[tuple[int, float]]) -> None:
    """left op right, with one operation fewer where a side is constant."""
    c, d = left.constant, right.constant
    if d is not None and name in ("+", "-"):
        emit(left, steps)
        steps.append((formula.SHIFT, d if name == "+" else -d))
    elif d is not None and (name == "*" or 1e-300 < abs(d) < 1e300):
        emit(left, steps)
        steps.append((formula.SCALE, d if name == "*" else 1.0 / d))
    elif c is not None and name in ("+", "-", "*"):
        emit(right, steps)
        if name == "-":
            steps.append((formula.SCALE, -1.0))
        steps.append((formula.SCALE, c) if name == "*" else (formula.SHIFT, c))
    else:
        emit(left, steps)
        emit(right, steps)
        steps.append((BINARY[name], 0.0))


def emit_power(base: Node, exponent: Node, steps: list[tuple[int, float]]) -> None:
    """base ** exponent; a variable exponent goes through exp(v log u)."""
    c = exponent.constant
    if c is None:
        emit(exponent, steps)
        if base.constant is not None:
            steps.append((formula.SCALE, math.log(base.constant)))
        else:
            emit(base, steps)
            steps += [(formula.LOG, 0.0), (formula.MUL, 0.0)]
        steps.append((formula.EXP, 0.0))
    elif c == 0.0:
        steps.append((formula.CONSTANT, 1.0))
    else:
        emit(base, steps)
        if c != 1.0:
            steps.append((formula.WHOLE_POWER if is_whole(c) else formula.REAL_POWER, c))


def emit_step(u: Node, start: Node, end: Node, steps: list[tuple[int, float]]) -> None:
    """The smooth ramp of (u - start) / (end - start)."""
    assert start.constant is not None
    assert end.constant is not None
    emit(u, steps)
    steps += [
        (formula.SHIFT, -start.constant),
        (formula.SCALE, 1.0 / (end.constant - start.constant)),
        (formula.SMOOTH, 0.0),
    ]
