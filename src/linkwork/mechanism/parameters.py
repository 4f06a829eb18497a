"""Named numbers of a description: parameters, usable wherever a number stands, and inputs, given from outside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError, model_validator

from linkwork.errors import LinkworkError
from linkwork.mechanism.elements import Element, Number, NumberOrText, Text, did_you_mean, invalid, sentence, shown
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.functions import ARITY, CONSTANTS
from linkwork.mechanism.expressions.state import MEASURES
from linkwork.mechanism.expressions.tree import Node, NodeError, number
from linkwork.mechanism.validation_errors import InvalidValue, from_pydantic

WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")
TAKEN = {"t", "if", "table", *CONSTANTS, *ARITY, *MEASURES}
E = TypeVar("E", bound=Element)


class Parameter(Element):
    """A named number: `value` (a number, or a formula of other parameters), its `unit`, and bounds `min` and `max`."""

    value: NumberOrText
    unit: Text = ""
    min: Number | None = None
    max: Number | None = None
    description: Text = ""

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Parameter:
        if self.min is not None and self.max is not None and self.min > self.max:
            raise invalid(f"has a min, {self.min:g}, above its max, {self.max:g}: no value fits")
        return self


class Input(Element):
    """A channel whose value a run is given from outside: its `default`, where none is given, and its `unit`."""

    default: Number = 0.0
    unit: Text = ""
    description: Text = ""


def named(kind: str, cls: type[E], data: Any, short: str = "") -> tuple[dict[str, E], list[InvalidValue]]:
    """A mapping of names to elements, and all that is wrong with it. short : the field that a bare value stands for."""
    if data is None:
        return {}, []
    if not isinstance(data, Mapping):
        return {}, [InvalidValue((kind,), f"must be a mapping of names to values, not {shown(data)}")]
    found: dict[str, E] = {}
    errors: list[InvalidValue] = []
    for name, said in data.items():
        if not isinstance(name, str) or not WORD.match(name):
            errors.append(InvalidValue((kind,), f"has the name {shown(name)}: letters, digits and _ alone"))
        elif kind == "parameters" and name in TAKEN:
            errors.append(InvalidValue((kind, name), "has a name that formulas know already"))
        elif isinstance(said, cls):
            found[name] = said
        else:
            try:
                found[name] = cls.model_validate({short: said} if short and not isinstance(said, Mapping) else said)
            except ValidationError as error:
                errors += from_pydantic(error, (kind, name))
    return found, errors


def values_of(parameters: Mapping[str, Parameter]) -> tuple[dict[str, float], list[InvalidValue]]:
    """The numbers of all parameters, and what is wrong with them: circles, names that are not there, bounds."""
    work = _Values(parameters)
    for name in parameters:
        work.need(name)
    return work.values, work.errors


class _Values:
    """The numbers while they are found."""

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        self.parameters = parameters
        self.values: dict[str, float] = {}
        self.errors: list[InvalidValue] = []
        self.waiting: list[str] = []
        self.failed: set[str] = set()

    def need(self, name: str) -> None:
        """Find a parameter's number."""
        if name in self.values or name in self.failed:
            return
        parameter = self.parameters[name]
        self.waiting.append(name)
        try:
            value = value_of(parameter.value, self)
        except (NodeError, LinkworkError) as error:
            problem = (
                error.problem if isinstance(error, NodeError) else f"{error.message} {error.remedy or ''}".rstrip()
            )
            self.errors.append(InvalidValue(("parameters", name), f"has a value that makes no sense: {problem}"))
            self.failed.add(name)
        else:
            self.values[name] = value
            for bound, wrong in ((parameter.min, "below its min"), (parameter.max, "above its max")):
                if bound is not None and (value < bound if wrong[0] == "b" else value > bound):
                    self.errors.append(InvalidValue(("parameters", name), f"is {value:g}, {wrong} {bound:g}"))
        self.waiting.pop()

    def name(self, name: str) -> Node:
        """Another parameter in a formula."""
        if name in self.waiting:
            circle = " -> ".join([*self.waiting[self.waiting.index(name) :], name])
            raise NodeError(f"it depends on itself: {circle}.")
        if name not in self.parameters:
            raise NodeError(sentence(f"there is no parameter {name!r}{did_you_mean(name, (*self.parameters, 'pi'))}"))
        self.need(name)
        if name in self.failed:
            raise NodeError(f"parameter {name!r} has no value.")
        return number(self.values[name])

    def measured(self, function: str, args: tuple[Any, ...]) -> Node:
        """Nothing is measured here."""
        raise NodeError(f"'{function}' is known in a run alone.")

    def table(self, name: str) -> str:
        """No tables here."""
        raise NodeError("tables are known in formulas of forces alone.")


def value_of(value: float | str, scope: Any) -> float:
    """A number, or what a formula of parameters comes to."""
    if not isinstance(value, str):
        return float(value)
    found = Expression.of_state(value).resolved(scope)
    if found.constant is None:
        raise NodeError("it depends on time.")
    return found.constant
