"""What a force by formula of the state exerts along its quantities: effort, and the quantity with its rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from linkwork.equations.sensing import Sensing
from linkwork.header import Array, Variable
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.lowered import Lowered, LoweredEffort, LoweredSensor, Quantity
from linkwork.mechanism.measuring import rate, value
from linkwork.result import Result

ALONG = ("time",)
WORDS = {"TURN": ("angle", "rad", "rad s-1"), "LENGTH": ("length", "m", "m s-1")}


class Effort(NamedTuple):
    """One effort over time: its value, and value and rate of the quantity that it acts along; (nt,) each."""

    effort: Array
    value: Array
    rate: Array


def efforts_over_time(
    result: Result, lowered: Lowered, efforts: Sequence[LoweredEffort], angles: dict[Quantity, float]
) -> list[Effort]:
    """Every effort at the recorded samples. angles : that quantities started at, with their turns."""
    sensing = sensing_of(lowered, efforts)
    for m, quantity in enumerate(sensing.quantities):
        sensing.last.operands[2 * m] = angles.get(quantity, 0.0)
    r, A, v, w = (result[name] for name in ("position", "rotation", "velocity", "angular_velocity"))
    return efforts_in(sensing.read(result.time, r, A, v, w, None, None), len(efforts))


def sensing_of(lowered: Lowered, efforts: Sequence[LoweredEffort]) -> Sensing:
    """What reads each effort, and value and rate of its quantity."""
    sensors: list[LoweredSensor] = []
    for k, one in enumerate(efforts):
        for word, f in (
            ("effort", one.f),
            ("value", Expression(value(one.quantity))),
            ("rate", Expression(rate(one.quantity))),
        ):
            sensors.append(LoweredSensor(f"{word}_{k}", "", "", f))
    return Sensing(replace(lowered, sensors=tuple(sensors)))


def efforts_in(read: Mapping[str, Array], count: int) -> list[Effort]:
    """The efforts among these readings."""
    return [Effort(*(read[f"{word}_{k}"] for word in Effort._fields)) for k in range(count)]


def told(name: str, efforts: Sequence[LoweredEffort], found: Sequence[Effort]) -> dict[str, tuple[Variable, Array]]:
    """As curves: `effort` with its coordinate and rate; of several, forces and torques by what each is called."""
    curves: dict[str, tuple[Variable, Array]] = {}
    for one, over in zip(efforts, found, strict=True):
        kind = one.quantity.kind
        coordinate, unit, per_second = WORDS.get(kind, ("displacement", "m", "m s-1"))
        what, newton = ("torque", "N m") if kind == "TURN" else ("force", "N")
        alone = len(efforts) == 1
        end = "" if alone else f"_{one.label}"
        curves["effort" if alone else f"{what}{end}"] = (
            Variable(ALONG, newton, f"{what} of {name} on the second body along its {coordinate}"),
            over.effort,
        )
        if kind != "TURN" or any(one.quantity.a_i):  # a turn that is a rate alone has no angle
            curves[f"{coordinate}{end}"] = Variable(ALONG, unit, f"that {name} acts along"), over.value
        curves[f"{coordinate}_rate{end}"] = Variable(ALONG, per_second, f"rate of the {coordinate}"), over.rate
    return curves
