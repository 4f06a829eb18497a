"""What of a mechanism is a copy of its numbers, or of what formulas of parameters come to: found by a few trials."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.expressions.tree import NodeError
from linkwork.mechanism.naming import NamedValues
from linkwork.mechanism.parameters import value_of, values_of
from linkwork.mechanism.variants import document_with, place_of
from linkwork.run.worked import Values

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
TRIALS = (1.0857362047581296, 0.9186650126139152, 1.2094757077012089)  # times the number itself
FROM_ZERO = (0.3719370943, 0.7213940512, 0.1893478205)  # where it is zero
NEARER = (1.0, -0.5, 0.01, -0.01, 1e-6)  # of the way there, where what lies further off is refused
T = TypeVar("T")
WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def copies_of(
    mech: Mechanism, names: Sequence[str], trials: Sequence[Mapping[str, float]], seen: Sequence[Sequence[float]]
) -> tuple[dict[int, str], Values]:
    """Which spots hold, bit by bit, one of these numbers or what a formula of the description comes to, by the name or
    the formula's text, and what these hold with other numbers.

    trials : of the numbers by name. seen : what each spot holds in each trial.
    """
    formulas = dict(_formulas(mech, names))
    known = [_evaluated(mech, formulas, trial) for trial in trials]
    chosen: dict[int, str] = {}
    for k, some in enumerate(seen):
        fitting = (
            name for name in formulas if all(_same(one.get(name), x) for one, x in zip(known, some, strict=True))
        )
        if (name := next(fitting, None)) is not None:
            chosen[k] = name
    wanted, names_of = {name: formulas[name] for name in chosen.values()}, list(chosen.values())
    values: Callable[..., Values] = _by_formula if _others_follow(mech, names, wanted) else AsGiven
    return chosen, values(mech, names, names_of, wanted)


def trials(
    mech: Mechanism, names: Sequence[str], make: Callable[[Mapping[str, float]], T]
) -> Iterator[tuple[dict[str, float], T]]:
    """Other numbers of these names, a few, with what is made of them; none where something is no number. Where they are
    refused, numbers nearer to those described are tried. Raises LinkworkError where these are refused, too."""
    base = {name: described_number(mech, name) for name in names}
    if names and None not in base.values():
        told = {name: float(value or 0.0) for name, value in base.items()}
        for far in other_numbers(told):
            yield _nearest_taken(told, far, make)


def _nearest_taken(
    base: Mapping[str, float], far: Mapping[str, float], make: Callable[[Mapping[str, float]], T]
) -> tuple[dict[str, float], T]:
    """Numbers between these, or as far on the other side, that are not refused, and what is made of them."""
    for share in NEARER:
        trial = {name: value + share * (far[name] - value) for name, value in base.items()}
        try:
            return trial, make(trial)
        except LinkworkError as error:
            refused = error
    raise refused


def other_numbers(base: Mapping[str, float]) -> Iterator[dict[str, float]]:
    """Other numbers, a few."""
    for k in range(len(TRIALS)):
        yield {
            name: value * TRIALS[(k + j) % 3] if value else FROM_ZERO[(k + j) % 3] * (1 + j)
            for j, (name, value) in enumerate(base.items())
        }


def _others_follow(mech: Mechanism, names: Sequence[str], wanted: Mapping[str, str | None]) -> bool:
    """Whether anything besides these numbers follows from them: formulas that are wanted, other parameters."""
    texts = (one.value for name, one in mech.parameters.items() if name not in names)
    return any(text is not None for text in wanted.values()) or any(
        not set(names).isdisjoint(WORD.findall(text)) for text in texts if isinstance(text, str)
    )


def _by_formula(
    mech: Mechanism, names: Sequence[str], chosen: Sequence[str], wanted: Mapping[str, str | None]
) -> Values:
    """Row by row, with all formulas."""

    def values(given: Array) -> tuple[Array, Flags]:
        found, good = np.zeros((len(given), len(chosen))), np.zeros(len(given), dtype=bool)
        for k, row in enumerate(given.tolist()):
            one = _evaluated(mech, wanted, dict(zip(names, row, strict=True)))
            good[k] = one.keys() >= wanted.keys()
            if good[k]:
                found[k] = [one[name] for name in chosen]
        return found, good

    return values


class AsGiven:
    """What stands in each spot is one of the numbers themselves, and nothing else depends on them: `Values`."""

    def __init__(
        self, mech: Mechanism, names: Sequence[str], chosen: Sequence[str], wanted: Mapping[str, str | None]
    ) -> None:
        self.chosen, self.columns = chosen, [names.index(name) for name in chosen]
        bounds = [mech.parameters.get(name) for name in names]
        self.least = np.array([-math.inf if one is None or one.min is None else one.min for one in bounds])
        self.most = np.array([math.inf if one is None or one.max is None else one.max for one in bounds])
        limits = zip(names, self.least.tolist(), self.most.tolist(), strict=True)
        self.bounded = [(name, low, high) for name, low, high in limits if math.isfinite(low) or math.isfinite(high)]

    def __call__(self, given: Array) -> tuple[Array, Flags]:
        return given[:, self.columns], ~np.any((given < self.least) | (given > self.most), axis=1)

    def of(self, given: Mapping[str, float]) -> list[float] | None:
        """What the spots hold with these numbers; None where one is beyond its bounds."""
        if self.bounded and any(given[name] < low or given[name] > high for name, low, high in self.bounded):
            return None
        return [given[name] for name in self.chosen]


def _same(a: float | None, b: float) -> bool:
    return a is not None and a == b and math.copysign(1.0, a) == math.copysign(1.0, b)


def parameter_values(mech: Mechanism, given: Mapping[str, float]) -> dict[str, float] | None:
    """All parameters with other numbers of some; None where one is beyond its bounds."""
    wanted = {name: value for name, value in given.items() if name in mech.parameters}
    if not wanted:
        return mech.parameter_values
    changed = {
        name: one.model_copy(update={"value": wanted[name]}) if name in wanted else one
        for name, one in mech.parameters.items()
    }
    values, errors = values_of(changed)
    return None if errors else values


def described_number(mech: Mechanism, name: str) -> float | None:
    """The number as it is described."""
    if name in mech.parameters:
        return mech.parameter_values[name]
    place = place_of(mech, name)
    if place is None:
        return None
    root, first, *rest = place.keys
    if root == "inputs":  # by their name alone, or as input.name
        return float(mech.inputs[str(first)].default)
    at: Any = getattr(mech, str(root))[int(first)]
    key: Any
    for key in rest:
        try:
            at = at[key] if isinstance(at, tuple | list) else getattr(at, str(key))
        except (AttributeError, IndexError, TypeError):
            return None
    return float(at) if isinstance(at, float | int) else None


def _formulas(mech: Mechanism, names: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Formulas of parameters that the description has, and the numbers themselves (None)."""
    yield from ((name, None) for name in names)
    if mech.parameters:
        yield from ((name, name) for name in mech.parameters if name not in names)
        for text in _texts({key: value for key, value in mech.to_dict().items() if key != "parameters"}):
            if text not in names and not set(WORD.findall(text)).isdisjoint(mech.parameters):
                yield (text, text)


def idle_parameters(mech: Mechanism, names: Sequence[str]) -> Iterator[str]:
    """Parameters among these names that no formula takes where all of these have numbers."""
    data = document_with(mech, dict.fromkeys(names, 1.0))
    words = set(WORD.findall(" ".join(_texts(data))))
    yield from (name for name in names if name in mech.parameters and name not in words)


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _texts(value)


def _evaluated(mech: Mechanism, formulas: Mapping[str, str | None], given: Mapping[str, float]) -> dict[str, float]:
    """What these formulas come to; those that are none, and values beyond a parameter's bounds, are left out."""
    found = {name: given[name] for name, text in formulas.items() if text is None and name in given}
    if not mech.parameters:
        return found
    values = parameter_values(mech, given)
    if values is None:
        return {}
    scope = NamedValues(values)
    for name, text in formulas.items():
        if text is not None:
            try:
                found[name] = values[text] if text in values else value_of(text, scope)
            except (NodeError, LinkworkError):
                continue
    return found
