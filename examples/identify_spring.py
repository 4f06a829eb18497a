"""A spring and a damper from a noisy record of a swing, by SciPy's least squares with exact derivatives of the run.

python examples/identify_spring.py
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse

import numpy as np
from scipy.optimize import least_squares

import linkwork as lw

T_END, STEP = 1.0, 1e-2  # s
TRUE = 3.0, 0.08  # N m/rad, N m s/rad
NOISE = 2e-3  # rad


def build(stiffness: float, damping: float) -> lw.Mechanism:
    """A rod on a hinge with a torsion spring and a damper, set swinging."""
    mech = lw.Mechanism("swing")
    mech.body("rod", mass=1.2, inertia=[0.04, 0.04, 0.001], position=[0, 0, -0.3], angular_velocity=[0, 1.5, 0])
    mech.joint("hinge", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    mech.force("coil", "torsion", joint="hinge", stiffness=stiffness, damping=damping)
    return mech


class Fit:
    """What an optimiser asks for: how far a run is from the record, and how that changes."""

    def __init__(self, record: np.ndarray) -> None:
        self.record, self.runs = record, 0

    def misses(self, guess: np.ndarray) -> np.ndarray:
        """The hinge's angle less the record, and its derivatives kept."""
        self.runs += 1
        found = lw.sensitivities(build(*guess), T_END, STEP, of="hinge.angle", to=["coil.stiffness", "coil.damping"])
        self.slopes = found["hinge.angle"]
        return found.values["hinge.angle"] - self.record

    def jacobian(self, guess: np.ndarray) -> np.ndarray:
        """Derivatives of `misses`, found with them."""
        return self.slopes


def main(arguments: list[str] | None = None) -> None:
    """Record a swing with noise, and find what made it."""
    argparse.ArgumentParser(description="Identify a spring and a damper.").parse_args(arguments)
    truth = lw.simulate(build(*TRUE), T_END, STEP).joint("hinge")["angle"]
    fit = Fit(truth + NOISE * np.random.default_rng(1).standard_normal(len(truth)))
    found = least_squares(fit.misses, (6.0, 0.3), jac=fit.jacobian, x_scale=(1.0, 0.1))
    spread = NOISE * np.sqrt(np.diag(np.linalg.inv(found.jac.T @ found.jac)))
    for name, value, true, off in zip(("stiffness", "damping"), found.x, TRUE, spread, strict=True):
        print(f"{name}: {value:.4f} +- {off:.4f}, was {true:g}")
    print(f"{fit.runs} runs with their derivatives")


if __name__ == "__main__":
    main()
