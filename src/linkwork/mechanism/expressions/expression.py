"""What the rest of linkwork knows of a formula: parse it, ask its value and derivatives, write it back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from linkwork.errors import FormulaError
from linkwork.kernels.jets import Jet
from linkwork.mechanism.expressions.choices import CHOICES
from linkwork.mechanism.expressions.parser import Parser
from linkwork.mechanism.expressions.programs import Places, Program, compile_program
from linkwork.mechanism.expressions.state import Scope, nodes_of, resolved
from linkwork.mechanism.expressions.state_parser import StateParser
from linkwork.mechanism.expressions.tree import Node, NodeError, apply, evaluate, named, number, to_text


@dataclass(frozen=True, slots=True)
class Expression:
    """A formula of time, immutable; made by `parse` or `constant_of`.

    Two expressions are equal when they are written alike up to spaces, redundant parentheses and signs.
    """

    root: Node

    @staticmethod
    def parse(source: object, *, where: str | None = None) -> Expression:
        """The expression that a text, a number or another expression stands for.

        `where` names the element in error messages. Raises FormulaError with the column and what is wrong.
        """
        if isinstance(source, Expression):
            return source
        if isinstance(source, str):
            try:
                return _read(Parser, source, where)
            except RecursionError:  # the limits hold unless the caller itself is nearly out of stack
                raise FormulaError("the formula is nested too deeply.", element=where) from None
        if isinstance(source, int | float | np.integer | np.floating) and not isinstance(source, bool):
            return Expression.constant_of(source, where=where)
        kind = type(source).__name__
        raise FormulaError(f"a formula must be text or a number, not {kind}.", element=where)

    @staticmethod
    def constant_of(value: Any, *, where: str | None = None) -> Expression:
        """A constant. Raises FormulaError unless it is a finite number."""
        try:
            return Expression(number(float(value)))
        except NodeError as error:
            raise FormulaError(f"formula: {error.problem}", element=where) from None
        except OverflowError:
            raise FormulaError("formula: the number is too large.", element=where) from None

    def __str__(self) -> str:
        """Normalised text: parsing it gives an equal expression."""
        return to_text(self.root)

    def __repr__(self) -> str:
        """As it can be typed."""
        return f"Expression.parse({str(self)!r})"

    @property
    def is_constant(self) -> bool:
        """Whether t does not occur."""
        return self.root.constant is not None

    @property
    def constant(self) -> float | None:
        """The value, if t does not occur; otherwise None."""
        return self.root.constant

    def jet(self, t: Any) -> Jet:
        """(f, f', f'') at t: floats for a number, arrays of the shape of t for an array; complex t is welcome.

        Outside a function's domain the values are inf or nan, without warnings.
        """
        times = np.asarray(t)
        times = times.astype(np.complex128 if times.dtype.kind == "c" else np.float64)
        with np.errstate(all="ignore"):
            f, f1, f2 = evaluate(self.root, (times[()], 1.0, 0.0))
        return (_like(f, times), _like(f1, times), _like(f2, times))

    def value(self, t: Any) -> Any:
        """f at t; see `jet`."""
        return self.jet(t)[0]

    def as_cosine(self) -> tuple[float, Expression] | None:
        """(c, u) with c > 0 such that f = c cos(u), where the formula has that form; otherwise None.

        Recognised: cos and sin of anything that varies, with signs and constant factors around them;
        sin(u) = cos(u - pi/2) and -cos(u) = cos(u + pi).
        """
        factor, node = 1.0, self.root
        while node.constant is None and node.name in ("neg", "*", "/"):
            left, right = node.args[0], node.args[-1]
            if node.name == "neg":
                factor, node = -factor, left
            elif right.constant is not None:
                factor, node = factor * right.constant if node.name == "*" else factor / right.constant, left
            elif node.name == "*" and left.constant is not None:
                factor, node = factor * left.constant, right
            else:
                return None
        if node.constant is not None or node.name not in ("cos", "sin") or not 0.0 < abs(factor) < math.inf:
            return None
        angle = Expression(node.args[0])
        pi = Expression(named("pi"))
        if node.name == "sin":
            angle = angle + pi / 2.0 if factor < 0.0 else angle - pi / 2.0
        elif factor < 0.0:
            angle = angle + pi
        return (abs(factor), angle)

    def program(self, places: Places | None = None) -> Program:
        """Its stack program: operations, arguments, and the depth of the stack it needs. places : of the state."""
        return compile_program(self.root, places)

    @staticmethod
    def of_state(source: object, *, where: str | None = None) -> Expression:
        """`parse` with what formulas of the state may contain (docs/formulas.md); names in it are not looked up yet."""
        if not isinstance(source, str):
            return Expression.parse(source, where=where)
        try:
            return _read(StateParser, source, where)
        except RecursionError:
            raise FormulaError("the formula is nested too deeply.", element=where) from None

    @property
    def needs_state(self) -> bool:
        """Whether more than time, or a function without derivatives, occurs in it."""
        some = (node for node in nodes_of(self.root) if node.constant is None)
        return any(node.about is not None or node.name in CHOICES for node in some)

    def resolved(self, scope: Scope) -> Expression:
        """The same with its names, joints, bodies and tables looked up. Raises NodeError for what there is not."""
        return Expression(resolved(self.root, scope)) if self.needs_state else self

    def __neg__(self) -> Expression:
        return _combine("neg", self)

    def __add__(self, other: Expression | float) -> Expression:
        return _combine("+", self, other)

    def __radd__(self, other: Expression | float) -> Expression:
        return _combine("+", other, self)

    def __sub__(self, other: Expression | float) -> Expression:
        return _combine("-", self, other)

    def __rsub__(self, other: Expression | float) -> Expression:
        return _combine("-", other, self)

    def __mul__(self, other: Expression | float) -> Expression:
        return _combine("*", self, other)

    def __rmul__(self, other: Expression | float) -> Expression:
        return _combine("*", other, self)

    def __truediv__(self, other: Expression | float) -> Expression:
        return _combine("/", self, other)

    def __rtruediv__(self, other: Expression | float) -> Expression:
        return _combine("/", other, self)


@lru_cache(maxsize=512)
def _read(parser: type[Parser], source: str, where: str | None) -> Expression:
    """What a text says: the same text is read often where a mechanism's numbers change."""
    return Expression(parser(source, where).formula())


def _like(x: Any, times: Any) -> Any:
    """x with the shape of times; plain numbers for a plain time."""
    if times.ndim == 0:
        return np.asarray(x).item()
    return np.array(np.broadcast_to(x, times.shape))


def _combine(name: str, *parts: Expression | float) -> Expression:
    """An operator on expressions and numbers. Raises FormulaError where the result can have no value."""
    nodes = [Expression.parse(part).root for part in parts]
    try:
        return Expression(apply(name, *nodes))
    except NodeError as error:
        raise FormulaError(f"formulas combined by '{name}': {error.problem}", remedy=error.remedy) from None
