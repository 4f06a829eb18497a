"""A block on a rail, a spring and a damper: against the closed form, and where the energy goes.

python examples/spring_and_damper.py
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse

import numpy as np

import linkwork as lw

MASS, STIFFNESS, DAMPING, PULLED = 2.0, 200.0, 4.0, 0.1  # kg, N/m, N s/m, m


def build() -> lw.Mechanism:
    """The block starts 0.1 m beyond the spring's free length of 0.5 m, at rest."""
    mech = lw.Mechanism("block on a spring")
    mech.body("block", mass=MASS, inertia=[0.01, 0.01, 0.01], position=[0.5 + PULLED, 0, 0])
    mech.joint("rail", "translational", "ground", "block", point=[0.5 + PULLED, 0, 0], axis=[1, 0, 0])
    mech.force(
        "spring",
        "spring",
        first="ground",
        second="block",
        point=[0, 0, 0],
        point2=[0.5 + PULLED, 0, 0],
        stiffness=STIFFNESS,
        damping=DAMPING,
        length=0.5,
    )
    return mech


def exact(t: np.ndarray) -> np.ndarray:
    """The block's place: a damped oscillation."""
    decay = DAMPING / (2 * MASS)
    omega = np.sqrt(STIFFNESS / MASS - decay**2)
    return 0.5 + PULLED * np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t))


def main(arguments: list[str] | None = None) -> None:
    """Halve the step four times and look at error and energy."""
    argparse.ArgumentParser(description="A block on a spring.").parse_args(arguments)
    mech = build()
    print("   step      error at 2 s   unexplained energy       of what the damper took")
    for step in (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4):
        result = lw.simulate(mech, t_end=2.0, step=step, formulation="rA")
        error = abs(result.position("block")[-1, 0] - exact(result.time)[-1])
        balance = result.energy_balance()
        lost, damped = abs(balance.residual[-1]), -balance.work[-1]
        print(f"{step:9.2e} s {error:12.2e} m {lost:18.2e} J {100 * lost / damped:20.4f} %")
    print("generalized-alpha is of second order: half the step, a quarter of the error")


if __name__ == "__main__":
    main()
