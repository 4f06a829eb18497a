"""What a run may do before it is doubted, called wrong, or ended. Every limit can be set, and none is hidden."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

from linkwork.errors import UsageError
from linkwork.header import near_names
from linkwork.system.near_singular import CONDITION

UNENDED = {"apart": float("inf"), "growth": float("inf")}  # for whoever measures how wrong runs become


KINEMATIC = ("violation", "slip", "speed", "condition")  # what runs are judged by whose energies are not known


@dataclass(frozen=True)
class Limits:
    """Limits of a run; infinity switches one off.

    energy : unexplained energy, a share of the energy exchanged (`judgement.energy`); above it the result is wrong.
    violation : how far a constraint is from being met, a share of the mechanism's length; above it the result is wrong.
    apart : the same; above it the run ends.
    growth : energy from nothing, in parts of what the start, falling weights, springs that let go and work have given;
        above it the run ends. (The usual limit ends none whose steps find their own size where formulas of forces can
        change fast with the state, as at a stop: samples do not tell their work. One that was set does.)
    slip : how far a velocity row is from being met, a share of the largest speed; above it the result is doubted.
    turn : radians that a motion may go on in a step, of methods of second order; half as much where the order is one
        [rad], three times as much from order four on. Above it the result is doubted.
    speed : the largest speed of a body that is not doubted [m/s].
    missed : how far a formula is, within a step of one size, from all between its values at the step's ends, a share of
        its range (`judgement.between_steps`, `judgement.along_motion`); above it the result is doubted. Of adaptive
        steps, formulas of the state: from what they are before and after, where velocities show nothing of it.
    defect : how far velocities change, over a few steps of one size, otherwise than accelerations say, a share of that
        change (`judgement.defects`); above it the result is doubted.
    condition : the largest singular value of constraint rows over the smallest one that counts, at the start
        (`system.near_singular`); above it the result is doubted.
    """

    energy: float = 0.01
    violation: float = 1e-3
    apart: float = 0.1
    growth: float = 10.0
    slip: float = 0.05
    turn: float = 0.3
    speed: float = 1e4
    missed: float = 0.1
    defect: float = 0.5
    condition: float = CONDITION

    @classmethod
    def of(cls, given: Mapping[str, Any] | None, *, only: Collection[str] = ()) -> Limits:
        """The usual ones, or those that a user has set. Raises UsageError for a name or number that is none, and for
        one that such a run is not judged by. only : what it is judged by, everything where that is nothing."""
        if given is None:
            return USUAL
        known = [field.name for field in fields(cls)]
        if not isinstance(given or {}, Mapping):
            raise UsageError(f"limits must be a mapping from name to number, not {given!r}.")
        for name, value in (given or {}).items():
            if name not in known:
                raise UsageError(f"there is no limit {name!r}.", remedy=near_names(str(name), known))
            if only and name not in only:
                raise UsageError(
                    f"limit {name!r} is of runs of dynamics whose energies are known: this one is judged by "
                    f"{', '.join(only)}."
                )
            if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
                raise UsageError(f"limit {name!r} must be a positive number (infinity switches it off), not {value!r}.")
        return cls(**{name: float(value) for name, value in (given or {}).items()})

    def changed(self) -> dict[str, float]:
        """Those that are not the usual ones, as plain data."""
        return {one.name: value for one in fields(self) if (value := getattr(self, one.name)) != one.default}

    def turn_of(self, order: int) -> float:
        """Radians per step that a method of this order resolves."""
        return self.turn * (1.0 / 6.0 if order < 2 else 1.0 if order < 4 else 3.0)


USUAL = Limits()
