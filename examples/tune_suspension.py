"""A quarter car: a damper chosen so that the body is shaken least, by SciPy's optimiser on linear models.

python examples/tune_suspension.py
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse

import numpy as np
from scipy.optimize import minimize_scalar

import linkwork as lw

WHEEL, BODY, TYRE, STRUT = 40.0, 300.0, 2e5, 2e4  # kg, kg, N/m, N/m
FREQUENCIES = 2 * np.pi * np.geomspace(0.5, 20.0, 60)  # rad/s
TRAVEL = 0.3  # what a metre of the strut's travel counts against 100 m/s^2 of the body


def build(damping: float) -> lw.Mechanism:
    """Wheel and body on vertical guides; the tyre's actuator stands for the road."""
    mech = lw.Mechanism("quarter car")
    mech.body("wheel", mass=WHEEL, inertia=[1, 1, 1], position=[0, 0, 0.3])
    mech.body("body", mass=BODY, inertia=[20, 20, 20], position=[0, 0, 0.8])
    for name in ("wheel", "body"):
        mech.joint(f"{name} guide", "translational", "ground", name, point=[0, 0, 0], axis=[0, 0, 1])
    between = {"on_first": {"point": [0, 0, 0]}, "on_second": {"point": [0, 0, 0]}}
    free = 0.3 + (WHEEL + BODY) * 9.81 / TYRE, 0.5 + BODY * 9.81 / STRUT  # they carry the weight as it stands
    mech.force("tyre", "spring", first="ground", second="wheel", stiffness=TYRE, length=free[0], **between)
    mech.force(
        "strut", "spring", first="wheel", second="body", stiffness=STRUT, damping=damping, length=free[1], **between
    )
    return mech


def shaken(damping: float) -> float:
    """How much a rough road shakes the body and moves the strut, per metre of road, over all frequencies."""
    mech = build(damping)
    model = lw.linearise(
        mech,
        lw.equilibrium(mech),
        inputs=["tyre"],
        outputs=["body.acceleration.z", "body.position.z", "wheel.position.z"],
    )
    answer = TYRE * model.response(FREQUENCIES)[:, :, 0] / FREQUENCIES[:, None]  # a road whose slopes are alike
    discomfort, travel = np.abs(answer[:, 0]) / 100.0, np.abs(answer[:, 1] - answer[:, 2])
    return float(np.sqrt(np.mean(discomfort**2) + TRAVEL * np.mean(travel**2)))


def main(arguments: list[str] | None = None) -> None:
    """Tune it, and say what came of it."""
    argparse.ArgumentParser(description="Tune the suspension of a quarter car.").parse_args(arguments)
    found = minimize_scalar(shaken, bounds=(200.0, 8000.0), method="bounded", options={"xatol": 10.0})
    for what, damping in (("before", 500.0), ("after", found.x)):
        modes = lw.modes(build(damping))
        print(f"{what}: {damping:.0f} N s/m; shaken by {shaken(damping):.4f}")
        for frequency, ratio in zip(modes.frequencies, modes.damping_ratios, strict=True):
            print(f"  {frequency:.3f} Hz, damping ratio {ratio:.3f}")
    print(f"{found.nfev} linear models; the body is shaken {shaken(500.0) / found.fun:.2f} times less")


if __name__ == "__main__":
    main()
