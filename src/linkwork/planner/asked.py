"""What accuracy is asked for: quantities, each with a bound on its global error, of all bodies or of named ones."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from linkwork.arguments import positive_number
from linkwork.errors import UsageError, nearest
from linkwork.mechanism.elements import LARGEST as LARGEST_NUMBER

Bound: TypeAlias = "float | str"
Accuracy: TypeAlias = "float | str | Mapping[str, Bound | Mapping[str, Bound]]"

USUAL = 1e-4  # where nobody says otherwise
ROUNDING = 2e-11  # of poses: an estimate is never said to be less, as constraints are met to 1e-11 of the length
LEAST = 1e-10  # of poses
LARGEST = {"pose": 1.0, "angle": math.pi}  # beyond it nothing is asked: no rotation is further from another than pi


@dataclass(frozen=True)
class Kind:
    """A quantity that may be asked for. of : ``body`` or ``joint``. unit : of its error. variables : of a result."""

    of: str
    unit: str
    variables: tuple[str, ...]


KINDS = {
    "pose": Kind("body", "", ("position", "rotation")),
    "position": Kind("body", "m", ("position",)),
    "angle": Kind("body", "rad", ("rotation",)),
    "velocity": Kind("body", "m/s", ("velocity",)),
    "angular_velocity": Kind("body", "rad/s", ("angular_velocity",)),
    "acceleration": Kind("body", "m/s^2", ("acceleration",)),
    "reaction": Kind("joint", "N", ("reaction_force",)),
    "reaction_torque": Kind("joint", "N m", ("reaction_torque",)),
}
ALSO = {"reaction_force": "reaction", "force": "reaction", "torque": "reaction_torque", "rotation": "angle"}
UNITS = {
    "m": {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "um": 1e-6, "µm": 1e-6, "km": 1e3},
    "rad": {"rad": 1.0, "mrad": 1e-3, "deg": 0.017453292519943295},
    "m/s": {"m/s": 1.0, "mm/s": 1e-3, "cm/s": 1e-2, "m s-1": 1.0},  # the last as results write it
    "rad/s": {"rad/s": 1.0, "deg/s": 0.017453292519943295, "rad s-1": 1.0},
    "m/s^2": {"m/s^2": 1.0, "m/s²": 1.0, "mm/s^2": 1e-3, "m/s2": 1.0, "m s-2": 1.0},
    "N": {"N": 1.0, "mN": 1e-3, "kN": 1e3},
    "N m": {"N m": 1.0, "Nm": 1.0, "mN m": 1e-3, "kN m": 1e3},
    "": {"": 1.0, "%": 1e-2},
}


@dataclass(frozen=True)
class Wanted:
    """One quantity and the bound on its global error, in the quantity's unit; `who`: names, () for all."""

    quantity: str
    bound: float
    who: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """What the quantity is."""
        return KINDS[self.quantity]

    @property
    def unit(self) -> str:
        """Of the bound."""
        return self.kind.unit

    def __str__(self) -> str:
        named = f" of {', '.join(self.who)}" if self.who else ""
        return f"{self.quantity.replace('_', ' ')}{named} {self.bound:.3g} {self.unit}".rstrip()


def wanted(accuracy: Any) -> tuple[Wanted, ...]:
    """What is asked for, from a user's words. Raises UsageError for what cannot be asked.

    accuracy : a number, the global error of poses (share of the mechanism's length, rad); or quantity -> bound,
        ``{"position": "1e-6 m", "reaction": {"crank pivot": "1e-3 N"}}``: numbers in SI units, or words with a unit;
        the name ``""`` stands for all bodies or joints, ``{"position": {"": "1 mm", "slider": "0.01 mm"}}``;
        ``{"slider.position": "0.01 mm"}`` is the same for one.
    """
    if not isinstance(accuracy, Mapping):
        return (_within_doubles(Wanted("pose", _bound("accuracy", accuracy, ""))),)
    if not accuracy:
        raise UsageError("accuracy names no quantity.", remedy=f"There are: {', '.join(KINDS)}.")
    found = []
    for name, each in _by_quantity(accuracy).items():
        unit = KINDS[name].unit
        bounds: dict[float, list[str]] = {}
        for who, bound in each.items():
            bounds.setdefault(_bound(f"accuracy of {name}", bound, unit), []).append(str(who))
        found += [Wanted(name, bound, () if "" in names else tuple(names)) for bound, names in bounds.items()]
    return tuple(map(_within_doubles, found))


def _by_quantity(accuracy: Mapping[Any, Any]) -> dict[str, dict[str, Any]]:
    """Bounds by quantity and name, ``""`` for all: ``slider.position`` is a bound on the position of the slider."""
    found: dict[str, dict[str, Any]] = {}
    for said, bound in accuracy.items():
        who, _, quantity = ("", "", said) if said in KINDS else str(said).rpartition(".")
        quantity = ALSO.get(quantity, quantity)
        if quantity not in KINDS or (who and isinstance(bound, Mapping)):
            near = nearest(quantity, KINDS)
            raise UsageError(
                f"there is no quantity {said!r} whose accuracy could be asked for.",
                remedy=f"Did you mean {'.'.join(filter(None, (who, near)))!r}?"
                if near
                else f"There are: {', '.join(KINDS)}.",
            )
        each = dict(bound) if isinstance(bound, Mapping) else {who: bound}
        if not each:
            raise UsageError(f"accuracy of {quantity} names nobody.")
        if twice := found.get(quantity, {}).keys() & each.keys():
            raise UsageError(f"accuracy of {quantity} of {', '.join(map(repr, sorted(twice)))} is said twice.")
        found.setdefault(quantity, {}).update(each)
    return found


def _within_doubles(one: Wanted) -> Wanted:
    if one.quantity == "pose" and one.bound < LEAST:
        raise UsageError(
            f"an accuracy of {one.bound:g} is below what rounding allows.",
            remedy=f"Poses are shares of the mechanism's length and radians: ask for {LEAST:g} or more.",
        )
    largest = LARGEST.get(one.quantity, LARGEST_NUMBER)
    if one.bound > largest:
        poses = "Poses are shares of the mechanism's length and radians: " if one.quantity == "pose" else ""
        raise UsageError(
            f"an accuracy of {one.bound:g} {one.unit}".rstrip() + " asks for nothing.",
            remedy=f"{poses}{'ask' if poses else 'Ask'} for {largest:.3g} or less, such as {_such_as(one.unit)}.",
        )
    return one


def beyond(asked: Sequence[Wanted], extent: float) -> list[str]:
    """Bounds of positions that exceed the mechanism, in words. extent : its size, m."""
    return [
        f"{one} is more than the mechanism's size of {extent:.3g} m: it says little, unless bodies travel far"
        for one in asked
        if one.quantity == "position" and one.bound > extent
    ]


def _bound(name: str, said: Any, unit: str) -> float:
    """A bound in the unit, from a number or from words such as ``1e-6 m``."""
    if not isinstance(said, str):
        return _positive(name, said, unit)
    match = re.fullmatch(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*)", said.strip())
    if match is None:
        raise UsageError(
            f"{name} {said!r} is not a number, or a number with a unit.", remedy=f"Ask for {_such_as(unit)}, say."
        )
    value, given = float(match.group(1)), match.group(2)
    factors = UNITS[unit]
    if given and given not in factors:
        other = "" if unit else " Lengths are asked for by name: position=1mm, or {'position': '1 mm'}."
        raise UsageError(
            f"{name} is in {unit or 'no unit'}, not in {given!r}.", remedy=f"Units: {_known(factors)}.{other}"
        )
    return _positive(name, value * factors.get(given, 1.0), unit)


def _positive(name: str, value: Any, unit: str) -> float:
    try:
        return positive_number(name, value, unit)
    except UsageError as error:
        raise UsageError(error.message, remedy=f"It bounds an error: ask for {_such_as(unit)}, say.") from None


def _such_as(unit: str) -> str:
    """A bound in words."""
    return f"1e-4 {unit}".strip()


def _known(factors: Mapping[str, float]) -> str:
    return ", ".join(unit for unit in factors if unit)


def need_names(asked: Sequence[Wanted], bodies: Sequence[str], joints: Sequence[str]) -> None:
    """Raise UsageError for a body or joint that the mechanism lacks."""
    for one in asked:
        names = bodies if one.kind.of == "body" else joints
        for name in one.who:
            if name not in names:
                near = nearest(name, names)
                raise UsageError(
                    f"the mechanism has no {one.kind.of} {name!r} whose {one.quantity} could be asked for.",
                    remedy=f"Did you mean {near!r}?" if near else f"There are: {', '.join(names[:12])}.",
                )
        if not names:
            raise UsageError(f"the mechanism has no {one.kind.of} whose {one.quantity} could be asked for.")


def from_words(words: Sequence[str]) -> Any:
    """What the command line says: ``1e-6``, or ``position=1e-6 m`` and ``reaction:crank pivot=1e-3 N``, several. Raises
    UsageError for words that say nothing, nobody, or the same thing twice."""
    if len(words) == 1 and "=" not in words[0]:
        return words[0]
    found: dict[str, dict[str, str]] = {}
    for word in words:
        left, equals, value = word.partition("=")
        quantity, colon, who = left.partition(":")
        if not equals or not value or not quantity:
            remedy = (
                "A number stands alone; several bounds are of quantities: --accuracy pose=1e-4 --accuracy position=1mm."
            )
            raise UsageError(
                f"--accuracy {word!r} is neither a number nor QUANTITY=BOUND or QUANTITY:NAME=BOUND.", remedy=remedy
            )
        if colon and not who:
            raise UsageError(f"--accuracy {word!r} names nobody.", remedy=f"For all of them say {quantity}={value}.")
        if who in found.get(quantity, {}):
            raise UsageError(f"--accuracy {left!r} is said twice.", remedy="Give one bound.")
        found.setdefault(quantity, {})[who] = value
    return {quantity: each[""] if [*each] == [""] else each for quantity, each in found.items()}
