"""Quantities of a result by the names that formulas have for them, and values of formulas of it."""

from __future__ import annotations

from typing import Any

from linkwork.header import Array
from linkwork.mechanism.lowered import Lowered
from linkwork.quantities.forces import Alone, ElementForce, elements_of, every_curve
from linkwork.quantities.formulas import AXES, BODY, REACTIONS, Formula, formula_of
from linkwork.quantities.model import lowered_of, mechanism_of
from linkwork.result import Result


class OfResult:
    """Samples of one run, of its result, as formulas ask for them. alone : as of `every_curve`."""

    def __init__(self, result: Result, alone: Alone | None = None) -> None:
        self.result, self.time, self._alone = result, result.time, alone
        self._forces: dict[str, ElementForce] = {}

    def quantity(self, path: tuple[str, ...]) -> Array:
        """(1, nt) or (1, nt, components) of a quantity over time, ("rod", "velocity", "x")."""
        return self.curve(path)[None]

    def curve(self, path: tuple[str, ...]) -> Array:
        """(nt,) or (nt, components) of a quantity over time."""
        if len(path) == 1:
            return of_variables(lowered_of(self.result), path, self.result)
        first, what, *_ = path
        return of_curve(self._whole(first, what), path)

    def _whole(self, owner: str, what: str) -> Array:
        if owner in self.result.bodies and what in BODY:
            motion: Array = getattr(self.result, what)(owner)
            return motion.reshape(len(motion), -1)
        lowered = lowered_of(self.result)
        if owner in elements_of(lowered):
            if owner not in self._forces:
                self._forces[owner] = every_curve(self.result, owner, self._alone)
            return self._forces[owner][what]
        if what in REACTIONS or any(one.name == owner for one in lowered.sensors):
            return of_variables(lowered, (owner, what), self.result)
        coordinate: Array = self.result.joint(owner)[what]
        return coordinate


def of_curve(curve: Array, path: tuple[str, ...]) -> Array:
    """The component that ("rod", "velocity", "x") names of a curve (..., nt, components); all of it without one."""
    return curve[..., AXES.index(path[2])] if len(path) == 3 else curve


def variables_of(lowered: Lowered, path: tuple[str, ...]) -> tuple[str, ...]:
    """The derived variables of a result that an energy, a violation, a reaction or a reading is found in."""
    if len(path) == 1:
        return ("kinetic_energy", "potential_energy") if path == ("energy",) else path
    if any(one.name == path[0] for one in lowered.sensors):
        return (f"{path[0]}.{path[1]}",)
    return (f"reaction_{REACTIONS[path[1]]}",)


def of_variables(lowered: Lowered, path: tuple[str, ...], variables: Any) -> Array:
    """(..., nt) or (..., nt, components) of such a quantity. variables : by name, of a result or of several."""
    first, *others = variables_of(lowered, path)
    found: Array = variables[first]
    for other in others:
        found = found + variables[other]
    if first.startswith("reaction_") and len(path) > 1:
        found = found[..., [one.name for one in lowered.joints].index(path[0]), :]
    return found[..., AXES.index(path[2])] if len(path) == 3 else found


def value_of(formula: Formula, result: Result) -> Array:
    """What a formula comes to: (nt, ...) of one over time, else (...)."""
    found: Array = formula.of(OfResult(result), 1)[0]
    return found


def value(result: Result, formula: str) -> Array:
    """`Result.value`."""
    return value_of(formula_of(mechanism_of(result), formula), result)
