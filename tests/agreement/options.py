"""Values of every option that formulations have. The names come from the formulations: one without values fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from linkwork.formulations import FORMULATIONS
from linkwork.formulations.lie.groups import NAMES as GROUPS
from linkwork.options import declared
from linkwork.system import CompiledMechanism

Values = Callable[[CompiledMechanism], tuple[Any, ...]]


def of(*values: Any) -> Values:
    """The same for every mechanism."""
    return lambda mechanism: values


def ends(mechanism: CompiledMechanism) -> tuple[Any, ...]:
    """The first body, and the last one."""
    return tuple(dict.fromkeys((mechanism.body_names[0], mechanism.body_names[-1])))


def turn_about(mechanism: CompiledMechanism) -> tuple[Any, ...]:
    """Bodies on one group and the other by turns, both ways."""
    known = tuple(GROUPS)
    return tuple({name: known[(k + first) % 2] for k, name in enumerate(mechanism.body_names)} for first in (0, 1))


VALUES: dict[str, Values] = {
    "groups": turn_about,
    "orthonormalise_every": of(0, 1, 3),
    "penalty_factor": of(1e4, 1e6),  # rounding grows with it, as its page says: 1e7 leaves 1.3e-9
    "penalty_passes": of(50, 200),
    "root": ends,
    "rebuild": of(False, True),
}


def values_of(name: str, option: str, mechanism: CompiledMechanism) -> tuple[Any, ...]:
    """Of a formulation's option: all words to choose from, or those above."""
    return declared(type(FORMULATIONS.load(name)))[option].choices or VALUES[option](mechanism)


# options of implicit problems alone, and an integrator that asks for one
IMPLICIT = {
    "newton": "generalized-alpha",
    "reference": "generalized-alpha",
}


def single_ways(mechanism: CompiledMechanism) -> list[tuple[str, dict[str, Any]]]:
    """Every formulation as it is, and with one option at a time at each of its values."""
    found: list[tuple[str, dict[str, Any]]] = []
    for name in FORMULATIONS:
        found.append((name, {}))
        for option in FORMULATIONS.load(name).options:
            found += [(name, {option: value}) for value in values_of(name, option, mechanism)]
    return found


def some_way(name: str, mechanism: CompiledMechanism, rng: np.random.Generator) -> dict[str, Any]:
    """A combination of values at random, of any of the formulation's options."""
    chosen = {}
    for option in FORMULATIONS.load(name).options:
        values = values_of(name, option, mechanism)
        if rng.random() < 0.5:
            chosen[option] = values[int(rng.integers(len(values)))]
    return chosen


def integrator_for(options: dict[str, Any]) -> str | None:
    """The integrator that these options need; None: any."""
    return next((IMPLICIT[name] for name in options if name in IMPLICIT), None)
