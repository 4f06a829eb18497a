"""Names in a description: what was meant by one that does not exist, and the numbers that parameters stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from linkwork.errors import nearest
from linkwork.mechanism.expressions.tree import Node, NodeError, number


def shown(value: Any) -> str:
    """A value as an error message shows it: never longer than a few words."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, a list inside itself
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def sentence(text: str) -> str:
    """The text with a full stop, unless it ends in a question."""
    return text if text.endswith("?") else f"{text}."


def did_you_mean(word: Any, known: Iterable[str]) -> str:
    """``"; did you mean 'crank'?"``, or the list of what there is, or nothing."""
    names = list(known)
    if near := nearest(word, names):
        return f"; did you mean {near!r}?"
    return f"; there is {', '.join(repr(n) for n in names)}" if 0 < len(names) <= 20 else ""


PARAMETERS: ContextVar[Mapping[str, float]] = ContextVar("PARAMETERS")  # of the description that is being validated


@contextmanager
def with_parameters(values: Mapping[str, float]) -> Iterator[None]:
    """Numbers and formulas of time that are validated within may name these."""
    token = PARAMETERS.set(values)
    try:
        yield
    finally:
        PARAMETERS.reset(token)


class NamedValues:
    """Parameters as what the names in a formula stand for (`expressions.state.Scope`)."""

    def __init__(self, values: Mapping[str, float], besides: Iterable[str] = ("pi",)) -> None:
        self.values, self.besides = values, besides  # what else a formula may name, for who mistypes it

    def name(self, name: str) -> Node:
        if name not in self.values:
            raise NodeError(
                sentence(f"there is no parameter {name!r}{did_you_mean(name, (*self.values, *self.besides))}")
            )
        return number(self.values[name])

    def measured(self, function: str, args: tuple[Any, ...]) -> Node:
        raise NodeError(f"'{function}' depends on the state, which is not known here.")

    def table(self, name: str) -> str:
        raise NodeError("a table depends on the state, which is not known here.")
