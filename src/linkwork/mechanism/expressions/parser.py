"""From text to tree: a small operator-precedence parser that knows only the grammar of docs/formulas.md.

    formula  = operand { ("+" | "-" | "*" | "/" | "**" | "^") operand }      binding as in Python
    operand  = ("+" | "-") formula | number | "t" | "pi" | "tau" | "e"
             | function "(" formula { "," formula } ")" | "(" formula ")"

Nothing is looked up, called or evaluated but the names listed in `functions`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from linkwork.errors import FormulaError
from linkwork.mechanism.expressions.functions import ARITY, CONSTANTS, NOT_SMOOTH, remedy_for
from linkwork.mechanism.expressions.tree import (
    BINDING,
    MAX_DEPTH,
    POWER,
    SIGN,
    SUM,
    TIME,
    Node,
    NodeError,
    named,
    number,
)
from linkwork.mechanism.expressions.tree import apply as apply_node

MAX_TOKENS = 2000
MAX_NUMBER = 40
"""Characters of one number."""
SHOWN = 60
"""Characters of the formula that an error message shows."""

QUOTES = "'\""
OWNER = re.compile(
    r"['\"]([^'\"]+)['\"]$|(\w+)$"
)  # of a quantity that is named as in a result, behind which a dot stands
QUANTITY = re.compile(r"\.(position|velocity|angular_velocity|angle|displacement|rate|speed)\b(?:\.([xyz])\b)?")
TOKEN = re.compile(
    r"[ \t\r\n]*(?:"
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<sign>\*\*|[-+*/^(),])"
    r"|(?P<end>\Z)"
    r"|(?P<junk>.))",
    re.DOTALL,
)


class Token(NamedTuple):
    """A piece of the text: kind (number, name, sign, end, junk), the text itself, and where it starts."""

    kind: str
    text: str
    start: int


class Parser:
    """One pass over one formula. `where` names the element it stands in, for error messages."""

    pattern = TOKEN

    def __init__(self, text: str, where: str | None = None) -> None:
        self.text = text
        self.where = where
        self.tokens = 0
        self.position = 0
        self.token = self.next_token()

    def fail(self, problem: str, start: int, remedy: str | None = None) -> NoReturn:
        """Raise FormulaError with the text, the column (from 1) and what is wrong."""
        low = max(0, min(start - SHOWN // 2, len(self.text) - SHOWN))
        shown = self.text[low : low + SHOWN]
        shown = ("..." if low else "") + shown + ("..." if low + SHOWN < len(self.text) else "")
        raise FormulaError(
            f"formula {shown!r}, column {start + 1}: {problem}", element=self.where, remedy=remedy
        ) from None

    def next_token(self) -> Token:
        """Read one token."""
        match = self.pattern.match(self.text, self.position)
        assert match is not None  # the last branches take anything
        kind = match.lastgroup or ""
        token = Token(kind, match[kind], match.start(kind))
        self.position = match.end()
        self.tokens += 1
        if kind == "junk":
            self.fail(f"{token.text!r} has no place in a formula.", token.start, remedy_for_junk(self.text, token))
        if self.tokens > MAX_TOKENS:
            self.fail(f"the formula is too long (more than {MAX_TOKENS} numbers, names and signs).", token.start)
        return token

    def consume(self) -> Token:
        """The current token; step to the next one."""
        token = self.token
        self.token = self.next_token()
        return token

    def expect(self, sign: str, problem: str) -> None:
        """Step over `sign`, or fail."""
        if self.token.kind != "sign" or self.token.text != sign:
            self.fail(problem, self.token.start)
        self.consume()

    def build(self, start: int, make: Callable[..., Node], *args: object) -> Node:
        """Make a node; what is wrong with it is reported at `start`."""
        try:
            return make(*args)
        except NodeError as error:
            self.fail(error.problem, start, error.remedy)

    def formula(self) -> Node:
        """The whole text."""
        if self.token.kind == "end":
            self.fail("the formula is empty.", 0)
        node = self.expression(SUM, 1)
        if self.token.kind != "end":
            self.fail_at_rest()
        return node

    def fail_at_rest(self) -> NoReturn:
        """A whole formula was read, and something follows it."""
        if self.token.text in (")", ","):
            self.fail(f"'{self.token.text}' is out of place here.", self.token.start)
        self.fail(
            f"an operator is missing before '{self.token.text[:MAX_NUMBER]}'.",
            self.token.start,
            "Write products with *, as in 2*t.",
        )

    def expression(self, binding: int, nesting: int) -> Node:
        """Operands joined by operators that bind at least as tightly as `binding`."""
        left = self.operand(nesting)
        while self.token.kind == "sign":
            sign = "**" if self.token.text == "^" else self.token.text
            strength = BINDING.get(sign, 0)
            if strength < binding:
                break
            start = self.consume().start
            # powers group from the right and let a sign follow, the others group from the left
            right = self.expression(strength + 1, nesting) if strength < POWER else self.expression(SIGN, nesting + 1)
            left = self.build(start, apply_node, sign, left, right)
        return left

    def operand(self, nesting: int) -> Node:
        """A number, a name, a call, a sign with its operand, or something in parentheses."""
        start, kind, text = self.token.start, self.token.kind, self.token.text
        if nesting > MAX_DEPTH:
            self.fail(f"the formula is nested too deeply (more than {MAX_DEPTH} levels).", start)
        if kind == "end":
            self.fail("the formula ends where a number, t or a function is expected.", start)
        if kind == "number":
            return self.literal()
        if kind == "name":
            return self.name(nesting)
        if text not in ("(", "+", "-"):
            problem = f"{text if text[0] in QUOTES else repr(text)} stands where a number, t or a function is expected."
            self.fail(problem, start, as_formulas_have_it(self.text, start + len(text)))
        self.consume()
        if text == "(":
            inside = self.expression(SUM, nesting + 1)
            self.expect(")", f"the '(' of column {start + 1} is not closed here.")
            return inside
        inside = self.expression(SIGN, nesting + 1)
        return inside if text == "+" else self.build(start, apply_node, "neg", inside)

    def literal(self) -> Node:
        """A decimal number."""
        token = self.consume()
        if len(token.text) > MAX_NUMBER:
            self.fail(f"a number of more than {MAX_NUMBER} characters.", token.start)
        return self.build(token.start, number, float(token.text))

    def name(self, nesting: int) -> Node:
        """t, a constant, or a function with its arguments."""
        start, name = self.token.start, self.token.text
        if name not in ARITY and name != "t" and name not in CONSTANTS:
            shown = name if len(name) <= MAX_NUMBER else f"{name[:MAX_NUMBER]}..."
            what = "is left out of the grammar." if name.lower() in NOT_SMOOTH else "is not known here."
            self.fail(f"the name '{shown}' {what}", start, remedy_for(name))
        self.consume()
        called = self.token.text == "("
        if name not in ARITY:
            if called:
                self.fail(f"'{name}' is not a function.", start, f"For a product write {name}*(...).")
            return TIME if name == "t" else named(name)
        if not called:
            self.fail(f"the function '{name}' needs its argument in parentheses, as in {name}(...).", start)
        args = self.arguments(nesting)
        if len(args) != ARITY[name]:
            wanted = "1 argument" if ARITY[name] == 1 else f"{ARITY[name]} arguments"
            self.fail(f"'{name}' takes {wanted}, not {len(args)}.", start)
        return self.build(start, apply_node, name, *args)

    def arguments(self, nesting: int) -> list[Node]:
        """The formulas between parentheses, separated by commas."""
        opening = self.consume().start
        args = [self.expression(SUM, nesting + 1)]
        while self.token.text == ",":
            self.consume()
            args.append(self.expression(SUM, nesting + 1))
        self.expect(")", f"the '(' of column {opening + 1} is not closed here.")
        return args


def remedy_for_junk(formula: str, token: Token) -> str | None:
    """Hints for characters people try."""
    hints = {"π": "Write pi.", "τ": "Write tau.", "·": "Write *.", "×": "Write *.", "−": "Write -.", "²": "Write **2."}
    if token.text == ".":
        instead = as_formulas_have_it(formula, token.start)
        return instead or "Functions and constants stand alone, as in cos(pi*t)."
    if token.text in ("=", "!"):
        return (
            "Nothing is assigned in a formula, and numbers of a run are hardly ever equal: compare with >, <, >=, <=."
        )
    return hints.get(token.text)


def as_formulas_have_it(formula: str, dot: int) -> str | None:
    """What to write for a quantity that is named as in a result, `ball.position.z`; None where none is. dot : where
    the dot behind the owner's name should stand."""
    who, what = OWNER.search(formula[:dot]), QUANTITY.match(formula[dot:])
    if who is None or what is None:
        return None
    quantity, component = what.groups()
    vector = "" if quantity in ("angle", "displacement", "rate", "speed") else f", {component or 'x'!r}"
    return f"Write {quantity}({(who[1] or who[2])!r}{vector})."
