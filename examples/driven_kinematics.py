"""Kinematics of a driven slider crank: strokes, dead centres, and what the motor has to do.

python examples/driven_kinematics.py
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse

import numpy as np

import linkwork as lw


def main(arguments: list[str] | None = None) -> None:
    """One turn of the crank, computed from the constraints alone; then the same with masses."""
    argparse.ArgumentParser(description="Kinematics of a slider crank.").parse_args(arguments)
    mech = lw.load("kissel2021_slider_crank")
    motion = lw.kinematics(mech, t_end=1.0, step=1e-3)

    t = motion.time
    x, v, a = (motion[name][:, motion.index("body", "slider"), 0] for name in ("position", "velocity", "acceleration"))
    inner, outer = int(np.argmin(x)), int(np.argmax(x))
    print(f"the slider turns round at {x[inner]:.4f} m (t = {t[inner]:.3f} s)", end=" ")
    print(f"and at {x[outer]:.4f} m (t = {t[outer]:.3f} s)")
    print(f"its speed is at most {np.abs(v).max():.3f} m/s, its acceleration {np.abs(a).max():.2f} m/s^2")

    crank = np.pi / 2 - 2 * np.pi * t
    pin_y, pin_z = 0.1 + 0.08 * np.cos(crank), 0.12 + 0.08 * np.sin(crank)
    exact = np.sqrt(0.3**2 - pin_y**2 - pin_z**2)
    print(f"largest difference from the closed form: {np.abs(x - exact).max():.1e} m")
    print(f"Newton iterations per step: {motion['iterations'][1:].mean():.2f}")

    # The same motion with masses. Reactions need dynamics; the driver's own reaction is the motor's torque.
    dynamics = lw.simulate(mech, t_end=1.0, step=1e-3)
    torque = dynamics.reaction("driver").torque[2:, 0]  # the first steps still settle: docs/troubleshooting.md
    side = np.linalg.norm(dynamics.reaction("slider guide").force[2:], axis=1)
    print(f"the driver's torque on the crank goes from {torque.min():.3f} to {torque.max():.3f} N m about x")
    print(f"the guide carries up to {side.max():.1f} N")
    apart = np.abs(dynamics.position("slider") - motion.position("slider")).max()
    print(f"positions of dynamics and kinematics differ by {apart:.1e} m at most")


if __name__ == "__main__":
    main()
