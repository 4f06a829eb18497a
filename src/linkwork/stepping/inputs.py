"""What a program gives a simulator by name: inputs of the description, actuators and loads that are plain numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import Array, near_names
from linkwork.problems.explicit import ExplicitProblem
from linkwork.problems.implicit import ImplicitProblem
from linkwork.system.packed import ACTUATOR

Place = tuple[Array, tuple[int, ...]]  # an array that compiled code reads, and where in it
LOAD = 3  # first column of a load's components in both its tables (`system.packed`)


class Inputs(MutableMapping[str, float]):
    """Inputs by name; each keeps its value until it is given another.

    changed : called when one was given. They act from the present time on, and are held over each step.
    """

    def __init__(self, problem: ExplicitProblem | ImplicitProblem, changed: Callable[[], None]) -> None:
        self.places, self.changed = places_of(problem), changed

    def __getitem__(self, name: str) -> float:
        array, at = self._place(name)
        return float(array[at].real)

    def __setitem__(self, name: str, value: float) -> None:
        array, at = self._place(name)
        array[at] = finite_number(name, value)
        self.changed()

    def checked(self, values: Mapping[Any, Any]) -> dict[str, float]:
        """Values as they can be given. Raises UsageError for other names, and for what is no finite number."""
        for name in values:
            self._place(name)
        return {name: finite_number(name, value) for name, value in values.items()}

    def __delitem__(self, name: str) -> None:
        raise UsageError(f"input {name!r} cannot be taken away; give it its value.")

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __repr__(self) -> str:
        return f"Inputs({dict(self)})"

    def read(self, values: dict[str, float]) -> None:
        """The same values as another's, of the same mechanism."""
        for name, value in values.items():
            self[name] = value

    def _place(self, name: str) -> Place:
        found = self.places.get(name)
        if found is None:
            told = "" if self.places else " Actuators and loads that are plain numbers are inputs, too."
            raise UsageError(f"there is no input {name!r}.{told}", remedy=near_names(str(name), tuple(self.places)))
        return found


def finite_number(name: str, value: Any) -> float:
    """What an input is given. Raises UsageError for anything else."""
    try:
        number = float(value + 0.0)  # text, which float would read, is no number
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"input {name!r} must be a finite number, not {value!r}.")
    return number


def places_of(problem: Any) -> dict[str, Place]:
    """Where each input stands: the description's own, then actuators of force elements and components of loads.

    A problem's arrays differ by its shape, hence Any.
    """
    mechanism = problem.mechanism
    lowered, tables = mechanism.lowered, mechanism.tables
    found: dict[str, Place] = {}
    described = getattr(lowered, "inputs", ())
    if described:
        operands = problem.work.operands
        found |= {one.name: (operands, (len(operands) - len(described) + k,)) for k, one in enumerate(described)}
    for k, element in enumerate(lowered.elements):
        if tables.element_int[k, 3] < 0:
            found.setdefault(element.name, (tables.element, (k, ACTUATOR)))
    for k, load in enumerate(lowered.loads):
        for c, axis in enumerate("xyz"):
            if tables.load_int[k, LOAD + c] < 0:
                found.setdefault(f"{load.name}.{axis}", (tables.load, (k, LOAD + c)))
    return found


def values_now(inputs: Inputs) -> Array:
    """(n,) of all inputs, in order."""
    return np.array(list(inputs.values()))
