"""The grammar of formulas of the state: that of time, and

    operand  = name | measure "(" argument { "," argument } ")" | "table" "(" text "," formula ")"
             | "if" "(" formula ("<" | "<=" | ">" | ">=") formula "," formula "," formula ")"
    argument = text | "[" formula "," formula "," formula "]"

Texts stand between quotes. Nothing is looked up here but functions; names of elements, parameters and tables are looked
up when the mechanism is lowered.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from linkwork.errors import nearest
from linkwork.mechanism.expressions.choices import CHOICES
from linkwork.mechanism.expressions.functions import ARITY, CONSTANTS
from linkwork.mechanism.expressions.parser import MAX_NUMBER, Parser
from linkwork.mechanism.expressions.state import MEASURES, clip_node, measure_node, name_node, table_node
from linkwork.mechanism.expressions.tree import SUM, Node, apply

TOKEN = re.compile(
    r"[ \t\r\n]*(?:"
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<text>'[^'\n]*'|\"[^\"\n]*\")"
    r"|(?P<sign>\*\*|<=|>=|[-+*/^(),<>\[\]])"
    r"|(?P<end>\Z)"
    r"|(?P<junk>.))",
    re.DOTALL,
)
TAKES = {"abs": 1, "sign": 1, "hypot": 2, "atan2": 2, "clip": 3, "smoothstep": 3}
MANY = ("min", "max", "hypot")


class StateParser(Parser):
    """One pass over one formula of the state."""

    pattern = TOKEN

    def name(self, nesting: int) -> Node:
        """A name, a constant, or a function with its arguments."""
        start, name = self.token.start, self.token.text
        if name in ARITY or name == "t" or name in CONSTANTS:
            return super().name(nesting)
        self.consume()
        if self.token.text != "(":
            if name in CHOICES or name in TAKES or name == "table":
                self.fail(f"the function '{name}' needs its arguments in parentheses, as in {name}(...).", start)
            return name_node(name)
        if name in MEASURES:
            return self.measure(name, start, nesting)
        if name == "table":
            return self.table(nesting)
        if name == "if":
            return self.condition(start, nesting)
        if name in TAKES or name in CHOICES:
            return self.choice(name, start, nesting)
        return self.fail_at(name, start)

    def fail_at(self, name: str, start: int) -> NoReturn:
        """A function that there is not."""
        known = [*ARITY, *CHOICES, *TAKES, *MEASURES, "table"]
        near = nearest(name, known)
        shown = name if len(name) <= MAX_NUMBER else f"{name[:MAX_NUMBER]}..."
        functions = ", ".join(sorted(set(known)))
        remedy = f"Did you mean '{near}'?" if near else f"Known: {functions}; a table is read by table('NAME', x)."
        self.fail(f"the function '{shown}' is not known here.", start, remedy)

    def measure(self, name: str, start: int, nesting: int) -> Node:
        """A function of elements."""
        args = self.listed(")", lambda: self.argument(nesting))
        if not args or not isinstance(args[0], str):
            self.fail(f"'{name}' takes {MEASURES[name]}, in quotes, as in {name}('...').", start)
        return measure_node(name, tuple(args))

    def argument(self, nesting: int) -> Any:
        """A text, or three constants."""
        if self.token.kind == "text":
            return self.consume().text[1:-1]
        if self.token.text == "[":
            start = self.token.start
            vector = self.listed("]", lambda: self.expression(SUM, nesting + 1))
            if len(vector) != 3:
                self.fail(f"a point has 3 components, not {len(vector)}.", start)
            return tuple(vector)
        return self.fail("a name in quotes, or a point as in [0, 0, 0.1], is expected here.", self.token.start)

    def listed(self, closing: str, read: Any) -> list[Any]:
        """What stands between the current bracket and `closing`, separated by commas."""
        opening = self.consume().start
        found = []
        if self.token.text != closing:
            found.append(read())
            while self.token.text == ",":
                self.consume()
                found.append(read())
        self.expect(closing, f"the bracket of column {opening + 1} is not closed here.")
        return found

    def table(self, nesting: int) -> Node:
        """A table of a formula."""
        opening = self.consume().start
        if self.token.kind != "text":
            self.fail("'table' takes the name of a table in quotes and a formula.", self.token.start)
        name = self.consume().text[1:-1]
        self.expect(",", "a comma and a formula are expected behind the table's name.")
        u = self.expression(SUM, nesting + 1)
        self.expect(")", f"the '(' of column {opening + 1} is not closed here.")
        return table_node(name, u)

    def condition(self, start: int, nesting: int) -> Node:
        """if(left > right, then, otherwise)."""
        opening = self.consume().start
        left = self.expression(SUM, nesting + 1)
        if self.token.text not in ("<", "<=", ">", ">="):
            self.fail("a comparison (<, <=, > or >=) is expected here.", self.token.start)
        sign = self.consume().text
        right = self.expression(SUM, nesting + 1)
        self.expect(",", "'if' takes a comparison and two formulas.")
        then = self.expression(SUM, nesting + 1)
        self.expect(",", "'if' takes a comparison and two formulas.")
        otherwise = self.expression(SUM, nesting + 1)
        self.expect(")", f"the '(' of column {opening + 1} is not closed here.")
        if sign in ("<", ">="):
            left, right = right, left
        if sign in ("<=", ">="):
            then, otherwise = otherwise, then
        return self.build(start, lambda: apply("if", apply("-", left, right), then, otherwise))

    def choice(self, name: str, start: int, nesting: int) -> Node:
        """min, max, abs, ... of formulas."""
        args = self.arguments(nesting)
        if name in MANY:
            if len(args) < 2:
                self.fail(f"'{name}' takes 2 arguments or more, not {len(args)}.", start)
        elif len(args) != TAKES[name]:
            wanted = "1 argument" if TAKES[name] == 1 else f"{TAKES[name]} arguments"
            self.fail(f"'{name}' takes {wanted}, not {len(args)}.", start)
        return self.build(start, made, name, args)


def made(name: str, args: list[Node]) -> Node:
    """The node of a function of formulas."""
    if name == "clip":
        return clip_node(*args)
    if name == "smoothstep":
        return apply("step", *args)
    node = args[0]
    if name in MANY:
        for arg in args[1:]:
            node = apply(name, node, arg)
        return node
    return apply(name, *args)
