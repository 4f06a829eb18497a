"""The four examples of section 5, and what every study of them measures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.result import Result
from linkwork.studies.published import published
from linkwork.studies.runs import Runs
from linkwork.studies.violations import joint_violations

Array = NDArray[Any]

TOP = "muller2013_heavy_top"
PENDULUM = "muller2013_spherical_double_pendulum"
PAIR = "muller2013_floating_pair"
LINKAGE = "muller2013_three_bar"
EXAMPLES = {
    TOP: "heavy top",
    PENDULUM: "spherical double pendulum",
    PAIR: "floating pair",
    LINKAGE: "three-bar linkage",
}

PUBLISHED = published("muller2013")
SE3, PRODUCT, MIXED = "lie-se3", "lie-product", "lie-mixed"
GROUPS = (SE3, PRODUCT, MIXED)
T_END = 5.0  # s, ours: the paper's figures are not at hand
STEP = PUBLISHED.settings["step_s"]


def run(runs: Runs, model: str, group: str, **options: Any) -> Result:
    """A run of 5 s at the paper's step with the classical Runge-Kutta method."""
    return runs.simulate(model, T_END, STEP, group, "rk4", **options)


def violation(runs: Runs, model: str, result: Result, joint: str) -> Array:
    """(nt,) m, the distance between a joint's ball and its socket."""
    return joint_violations(runs.mechanism(model), result)[joint]


def energy_drift(result: Result) -> Array:
    """(nt,) the total energy's change over the kinetic energy at the start."""
    energy = result.energy
    drift: Array = (energy - energy[0]) / result["kinetic_energy"][0]
    return drift


def largest(values: Array) -> float:
    """The largest magnitude."""
    return float(np.abs(values).max())
