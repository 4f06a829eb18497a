"""A mechanism with other data of single elements: only these are checked, all others stay the very same objects."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Self, cast

from pydantic import ValidationError

from linkwork.mechanism.document import Document, Names, check_names, one_element
from linkwork.mechanism.elements import Element, with_parameters
from linkwork.mechanism.kept import Kept
from linkwork.mechanism.named_numbers import NamedNumbers, as_said, names_any
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

    def _has_formulas_besides(self) -> bool:
        """Whether words of parameters stand elsewhere than in elements and in other parameters."""
        return names_any(self._said_besides, self.parameters)

    def _with_elements(
        self,
        data: Mapping[tuple[str, int], Any],
        parameters: dict[str, Parameter],
        numbers: dict[str, float],
        gravity: Sequence[float],
    ) -> Self | None:
        """The same with these elements (by kind and number) of other data; None where something is wrong.

        parameters, numbers : and the numbers of all.
        """
        elements, said = self._copied_lists()
        try:
            with with_parameters(numbers):
                for (kind, k), one in data.items():
                    said[kind][k] = dict(one)
                    elements[kind][k] = one_element(kind, one)
                taken = self.gravity
                if list(gravity) != list(taken):
                    taken = Document.model_validate({"gravity": list(gravity)}).gravity
        except ValidationError:
            return None
        names, errors = check_names(list(elements.items()))
        if errors:
            return None
        made = self._with_lists(elements, said, names)
        made.parameters, made.parameter_values, made.gravity = parameters, numbers, taken
        if taken != self.gravity:  # else it stays as it was said
            made._said_besides = {**self._said_besides, "gravity": list(taken)}
        return made

    def _with_checked(self, checked: Mapping[tuple[str, int], NamedElement], parameters: dict[str, float]) -> Self:
        """The same with these elements, by kind and number, whose names and whom they name are as they were, and with
        these values of parameters."""
        elements = {kind: [*some] for kind, some in self._elements.items()}
        for (kind, k), one in checked.items():
            elements[kind][k] = one
        made = self._with_lists(elements, self._said, self._names)
        made.parameter_values = parameters
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


def plain(element: Element) -> dict[str, Any]:
    """The element as JSON-like data: what was said about it, and nothing more."""
    data = element.model_dump(mode="json", exclude_unset=True)
    kind = element.model_dump(mode="json", include={"type"})  # also where it was implied by the class
    if kind:
        data = {"name": data.pop("name"), **kind, **data}
    return data
