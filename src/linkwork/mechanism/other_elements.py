"""A mechanism with other data of single elements: only these are checked, all others stay the very same objects."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, Self, cast

from pydantic import ValidationError

from linkwork.mechanism.document import Document, Names, check_names, one_element
from linkwork.mechanism.elements import Element, with_parameters
from linkwork.mechanism.kept import Kept
from linkwork.mechanism.named_numbers import NamedNumbers, as_said, names_any, read_again
from linkwork.mechanism.parameters import Parameter

if TYPE_CHECKING:
    from linkwork.mechanism.document import NamedElement
    from linkwork.mechanism.mechanism import Mechanism


class OtherElements(NamedNumbers):
    """What a mechanism knows of its elements' data, and how it gets others."""

    gravity: Any
    reading_notes: Any
    written: Any
    _elements: dict[str, list[Any]]
    _said: dict[str, list[Any]]
    _names: Names
    _kept: Kept

    @abstractmethod
    def _checked(self, kind: str, k: int, data: dict[str, Any]) -> NamedElement:
        """The element that data describe. Raises ModelError."""

    def with_data(self, data: Mapping[tuple[str, int], dict[str, Any]]) -> Self:
        """The mechanism with other data of elements, by kind and place; each is checked on its own. Names must stay."""
        elements, said = self._copied_lists()
        for (kind, k), of in data.items():
            elements[kind][k], said[kind][k] = self._checked(kind, k, of), of
        names, _ = check_names(list(elements.items()))
        made = self._with_lists(elements, said, names)
        made.reading_notes = []
        return made

    def described(self, kind: str, k: int) -> Any:
        """An element as plain data, formulas of parameters as they were said."""
        data = plain(self._elements[kind][k])
        return as_said(data, self._said[kind][k]) if self.parameters else data

    def _with_formulas(self) -> list[tuple[str, int]]:
        """The elements (kind and number) in which words of parameters stand."""
        return [
            (kind, k)
            for kind, some in self._said.items()
            for k, said in enumerate(some)
            if names_any(said if isinstance(said, Mapping) else plain(said), self.parameters)
        ]

    def _described_besides(self, kind: str) -> Any:
        """Gravity or inputs as plain data, formulas of parameters as they were said."""
        some = list(self.gravity) if kind == "gravity" else {k: dumped(one) for k, one in self.inputs.items()}
        return as_said(some, self._said_besides.get(kind)) if self.parameters else some

    def _moved(self, numbers: Mapping[str, float]) -> set[str]:
        """Parameters that have other values than these."""
        return {name for name, value in numbers.items() if value != self.parameter_values.get(name)}

    def _with_elements(
        self,
        data: Mapping[tuple[str, int], Any],
        parameters: dict[str, Parameter],
        numbers: dict[str, float],
        besides: Mapping[str, Any],
    ) -> Self | None:
        """The same with these elements (by kind and number) of other data; None where something is wrong.

        parameters, numbers : and the numbers of all. besides : gravity and inputs as they are said, where others.
        """
        elements, said = self._copied_lists()
        told, moved = {**self._said_besides, **besides}, self._moved(numbers)
        if names_any(told.get("run"), moved):
            return None
        try:
            with with_parameters(numbers):
                for (kind, k), one in data.items():
                    said[kind][k] = dict(one)
                    elements[kind][k] = one_element(kind, one)
                taken = self.gravity
                if "gravity" in besides or names_any(told.get("gravity"), moved):
                    taken = Document.model_validate({"gravity": told["gravity"]}).gravity
                read = read_again(told, moved, *besides)
        except ValidationError:
            return None
        names, errors = check_names(list(elements.items()))
        if errors or read is None:
            return None
        made = self._with_lists(elements, said, names)
        made.parameters, made.parameter_values, made.gravity, made._said_besides = parameters, numbers, taken, told
        vars(made).update(read)
        return made

    def _with_checked(
        self, checked: Mapping[tuple[str, int], NamedElement], parameters: dict[str, float]
    ) -> Self | None:
        """The same with these elements, by kind and number, whose names and whom they name are as they were, and with
        these values of parameters (`with_parameters`) in inputs, tables and sensors; None where something is wrong with
        these."""
        read = read_again(self._said_besides, self._moved(parameters))
        if read is None:
            return None
        elements = {kind: [*some] for kind, some in self._elements.items()}
        for (kind, k), one in checked.items():
            elements[kind][k] = one
        made = self._with_lists(elements, self._said, self._names)
        made.parameter_values = parameters
        vars(made).update(read)
        return made

    def _copied_lists(self) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
        """Lists of elements, and of what was said of them, to be changed."""
        elements = {kind: [*some] for kind, some in self._elements.items()}
        return elements, {kind: [*some] for kind, some in self._said.items()}

    def _with_lists(self, elements: dict[str, list[Any]], said: dict[str, list[Any]], names: Names) -> Self:
        """A mechanism that is kin to this one: what the same elements came to is taken from it."""
        made = copy(self)
        made._elements, made._said, made._names, made.written = elements, said, names, None
        made._kept = Kept(self._kept.kin or cast("Mechanism", self), self._kept.locate)
        return made


def dumped(element: Element) -> dict[str, Any]:
    """What was said of it, and nothing more."""
    return element.model_dump(mode="json", exclude_unset=True)


def plain(element: Element) -> dict[str, Any]:
    """The element as JSON-like data: what was said about it, and nothing more."""
    data = dumped(element)
    kind = element.model_dump(mode="json", include={"type"})  # also where it was implied by the class
    if kind:
        data = {"name": data.pop("name"), **kind, **data}
    return data
