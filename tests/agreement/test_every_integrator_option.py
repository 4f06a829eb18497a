"""Every option of every integrator keeps the motion that adaptive steps of another formulation and method find."""

from __future__ import annotations

from functools import cache
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from mechanism_generator import large_mechanism

import linkwork as lw
from linkwork.integrators import INTEGRATORS
from linkwork.options import declared
from linkwork.problems.shapes import EXPLICIT, IMPLICIT

SEEDS, STEPS, STEP = (7, 12), 20, 5e-4
BY_BAUMGARTE, BY_ITS_DEFAULT = 1e-4, 1e-3  # its terms are errors of their own; gains are 1/(10 h) unless given
MOTION = ("position", "rotation", "velocity", "angular_velocity")
TIMES = [0.0, 0.0031, 0.01]
ADAPTIVE = {"rtol": 1e-7, "atol": 1e-9}

# values of options, and what else an option asks for; the names come from the integrators: one without values fails
VALUES: dict[str, tuple[Any, ...]] = {
    "rtol": (1e-7,),
    "atol": (1e-9,),
    "max_step": (2e-4,),
    "t_eval": (TIMES,),
    "max_iterations": (40,),
    "rho_infinity": (0.0, 0.5, 0.9),
    "baumgarte": ((10.0, 10.0),),
    "project_every": (3,),
    "position_tolerance": (1e-13,),
}
EITHER = {"tolerance", "position_tolerance"}  # of which a call gives one at most
OF_ONE_SIZE = {*EITHER, "start"}  # belong to steps of one size: calls with rtol refuse them
GOES_WITH: dict[str, dict[str, Any]] = {
    "max_step": ADAPTIVE,
    "baumgarte": {"stabilisation": "baumgarte"},
    "project_every": {"stabilisation": "projection"},
}


def of_integrator(name: str) -> Any:
    return INTEGRATORS.load(name)


def values_of(name: str, option: str) -> tuple[Any, ...]:
    """All words to choose from, or those above; corrections of implicit methods are accelerations."""
    if option == "tolerance":
        return (1e-7,) if of_integrator(name).shape == IMPLICIT else (1e-13,)
    return declared(type(of_integrator(name)))[option].choices or VALUES[option]


def ways(name: str) -> list[dict[str, Any]]:
    """One option at a time at each of its values, with what it asks for."""
    found: list[dict[str, Any]] = []
    for option in of_integrator(name).options:
        asked = GOES_WITH.get(option, {})
        if option in ("t_eval", "equations") and "rho_infinity" in of_integrator(name).options:
            asked = ADAPTIVE  # steps of one size of generalized-alpha are on index 3 and have samples at their ends
        found += [{**asked, option: value} for value in values_of(name, option)]
    return found


def formulation_of(name: str) -> str:
    return "rA" if of_integrator(name).shape == IMPLICIT else "lie-product"


@cache
def mechanism_of(seed: int) -> lw.Mechanism:
    return large_mechanism(seed, 5, loops=1)


@cache
def exact(seed: int, times: tuple[float, ...] | None = None) -> lw.Result:
    """By other equations and another method than all that are tried."""
    at = {} if times is None else {"t_eval": list(times)}
    return lw.simulate(
        mechanism_of(seed), STEPS * STEP, STEP, "augmented", "dop853", rtol=1e-11, atol=1e-12, options=at
    )  # fmt: skip


def largest_error(found: lw.Result, wanted: lw.Result) -> float:
    """Of the motion, each quantity in parts of its size."""
    assert found.time == pytest.approx(wanted.time, abs=1e-12)
    sizes = {what: max(1.0, float(np.abs(wanted[what]).max())) for what in MOTION}
    return max(float(np.abs(found[what] - wanted[what]).max()) / sizes[what] for what in MOTION)


def bound(options: dict[str, Any], usual: float) -> float:
    """Some times the error of the method as it is; where steps find their size, the tolerance with some room."""
    if options.get("stabilisation") == "baumgarte":
        return BY_BAUMGARTE if "baumgarte" in options else BY_ITS_DEFAULT
    return 1e-5 if "rtol" in options or "atol" in options else 10.0 * usual + 1e-9


def run(name: str, seed: int, options: dict[str, Any]) -> lw.Result:
    return lw.simulate(mechanism_of(seed), STEPS * STEP, STEP, formulation_of(name), name, options=options)


def test_every_option_of_every_integrator_has_values_to_be_tried() -> None:
    """A new option is covered here the day it is written."""
    named = {(name, option) for name in INTEGRATORS for option in of_integrator(name).options}
    assert len({option for _, option in named}) >= 12
    assert all(values_of(name, option) for name, option in named)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", INTEGRATORS)
def test_each_option_alone_keeps_the_motion(name: str, seed: int) -> None:
    usual = largest_error(run(name, seed, {}), exact(seed))
    assert usual < (3e-2 if name in ("euler", "implicit-euler") else 1e-3), name
    for options in ways(name):
        found = run(name, seed, options)
        assert found.success, (options, found.message)
        times = tuple(options["t_eval"]) if "t_eval" in options else None
        error = largest_error(found, exact(seed, times))
        assert error < bound(options, usual), f"{options}: {error:.2e}, {usual:.2e} without"


def some_way(name: str, rng: np.random.Generator) -> dict[str, Any]:
    """Several options together, each at one of its values; what finds its own steps does so."""
    options = of_integrator(name).options
    found = dict(ADAPTIVE) if "rtol" in options else {}
    for option in (one for one in options if one not in ADAPTIVE):
        if (option in EITHER and EITHER & set(found)) or ("rtol" in found and option in OF_ONE_SIZE):
            continue
        values = values_of(name, option)
        if rng.random() < 0.6:
            found[option] = values[int(rng.integers(len(values)))]
    return found


@pytest.mark.parametrize("name", [name for name in INTEGRATORS if of_integrator(name).shape != EXPLICIT])
def test_options_together_keep_the_motion(name: str) -> None:
    rng = np.random.default_rng(crc32(name.encode()))
    usual = largest_error(run(name, 7, {}), exact(7))
    for _ in range(3):
        options = some_way(name, rng)
        found = run(name, 7, options)
        assert found.success, (options, found.message)
        times = tuple(options["t_eval"]) if "t_eval" in options else None
        error = largest_error(found, exact(7, times))
        assert error < bound(options, usual), f"{options}: {error:.2e}, {usual:.2e} without"
