"""Quantities of a result by the names that formulas have for them, and values of formulas of it."""

from __future__ import annotations

from linkwork.header import Array
from linkwork.quantities.forces import ElementForce, elements_of, every_curve
from linkwork.quantities.formulas import AXES, BODY, REACTIONS, Formula, formula_of
from linkwork.quantities.model import lowered_of, mechanism_of
from linkwork.result import Result


class OfResult:
    """Samples of one run, of its result, as formulas ask for them."""

    def __init__(self, result: Result) -> None:
        self.result, self.time = result, result.time
        self._forces: dict[str, ElementForce] = {}

    def quantity(self, path: tuple[str, ...]) -> Array:
        """(1, nt) or (1, nt, components) of a quantity over time, ("rod", "velocity", "x")."""
        return self.curve(path)[None]

    def curve(self, path: tuple[str, ...]) -> Array:
        """(nt,) or (nt, components) of a quantity over time."""
        first, *rest = path
        if not rest:
            return self.result.energy if first == "energy" else self.result[first]
        found = self._whole(first, rest[0])
        return found[:, AXES.index(rest[1])] if len(rest) == 2 else found

    def _whole(self, owner: str, what: str) -> Array:
        if owner in self.result.bodies and what in BODY:
            motion: Array = getattr(self.result, what)(owner)
            return motion.reshape(len(motion), -1)
        lowered = lowered_of(self.result)
        if any(one.name == owner for one in lowered.sensors):
            return self.result[f"{owner}.{what}"]
        if owner in elements_of(lowered):
            if owner not in self._forces:
                self._forces[owner] = every_curve(self.result, owner)
            return self._forces[owner][what]
        if what in REACTIONS:
            reaction = self.result.reaction(owner)
            return reaction.force if REACTIONS[what] == "force" else reaction.torque
        coordinate: Array = self.result.joint(owner)[what]
        return coordinate


def value_of(formula: Formula, result: Result) -> Array:
    """What a formula comes to: (nt, ...) of one over time, else (...)."""
    found: Array = formula.of(OfResult(result), 1)[0]
    return found


def value(result: Result, formula: str) -> Array:
    """`Result.value`."""
    return value_of(formula_of(mechanism_of(result), formula), result)
