"""An arm turned by a servo with a gear and a rotor, beside the closed form of the linear oscillator that it is.

python examples/servo_arm.py
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse

import numpy as np

import linkwork as lw

INERTIA, ROTOR, RATIO = 0.08, 2e-5, 50.0  # kg m^2 of the arm about its hinge, of the rotor; turns per turn
STIFFNESS, DAMPING, TARGET = 0.05, 8e-3, 1.0  # N m per rad and per rad/s of the rotor's load; rad


def build(limit: float | None = None) -> lw.Mechanism:
    """An arm on an upright hinge, so that weight does nothing."""
    mech = lw.Mechanism("servo arm")
    mass, reach = 0.5, 0.2
    about_centre = INERTIA - mass * reach**2
    mech.body("arm", mass=mass, inertia=[1e-3, about_centre, about_centre], position=[reach, 0, 0])
    mech.joint("shoulder", "revolute", "ground", "arm", point=[0, 0, 0], axis=[0, 0, 1])
    gains = {"stiffness": STIFFNESS, "damping": DAMPING, "ratio": RATIO}
    limited = {} if limit is None else {"limit": limit}
    mech.force("servo", "motor", joint="shoulder", position=TARGET, **gains, **limited)
    mech.coupling("rotor", "rotor", joint="shoulder", inertia=ROTOR, ratio=RATIO)
    return mech


def closed_form(t: np.ndarray) -> np.ndarray:
    """The angle of (I + n^2 J) q'' + n d q' + n k (q - target) = 0 from rest at zero."""
    inertia = INERTIA + RATIO**2 * ROTOR
    decay, stiff = RATIO * DAMPING / (2 * inertia), RATIO * STIFFNESS / inertia
    w = np.sqrt(stiff - decay**2)
    return TARGET * (1 - np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t)))


def main(arguments: list[str] | None = None) -> None:
    """The step response, how far it is from the closed form, and what a limit of torque does to it."""
    argparse.ArgumentParser(description="A servo arm beside its closed form.").parse_args(arguments)
    run = lw.simulate(build(), 4.0, 2e-3, "lie-mixed", "rk4")
    angle = run.joint("shoulder")["angle"]
    print(f"reflected inertia of the rotor: {RATIO**2 * ROTOR:.3f} kg m^2, the arm's {INERTIA:g}")
    print(f"largest difference from the closed form: {np.abs(angle - closed_form(run.time)).max():.1e} rad")
    limited = lw.simulate(build(limit=0.02), 4.0, 2e-3, "lie-mixed", "rk4")
    for name, one in (("free", run), ("limited", limited)):
        effort = one.force("servo")["effort"]
        overshoot = one.joint("shoulder")["angle"].max() - TARGET
        print(f"{name}: overshoot {overshoot:.3f} rad, torque at most {np.abs(effort).max():.2f} N m")


if __name__ == "__main__":
    main()
