"""How fast a cam may turn until its follower leaves it: from the force in the contact, which a spring has to keep.

python examples/cam.py
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse

import numpy as np

import linkwork as lw

SPEEDS = (40.0, 60.0, 80.0, 100.0, 120.0, 140.0)  # rad/s


def contact(speed: float) -> tuple[np.ndarray, np.ndarray]:
    """The cam's angle and the force [N] that presses the follower on it, over one turn at a held speed."""
    mech = lw.load("cam").with_parameters(pace=speed)
    mech.change("cam", angular_velocity=[0, 0, speed])
    mech.driver("turning", "shaft", f"{speed}*t")
    run = lw.kinematics(mech, 2 * np.pi / speed, 2 * np.pi / speed / 360)
    angle = run.joint("shaft")["angle"]
    lift = run.joint("guide")
    follower, spring = mech.element("follower"), mech.element("valve spring")
    pressed = follower.mass * lift["displacement_acceleration"]
    pressed += spring.stiffness * (lift["displacement"] - spring.free) + spring.damping * lift["displacement_rate"]
    return angle, pressed


def main(arguments: list[str] | None = None) -> None:
    """The least contact force at every speed, and the speed at which it vanishes."""
    argparse.ArgumentParser(description="A cam, its follower and the force between them.").parse_args(arguments)
    for speed in SPEEDS:
        angle, pressed = contact(speed)
        least = int(np.argmin(pressed))
        said = "stays on the cam" if pressed[least] > 0 else "leaves it"
        print(f"{speed:5.1f} rad/s: least force {pressed[least]:7.1f} N, at {angle[least]:.2f} rad; {said}")
    run = lw.simulate(lw.load("cam"), 1.0)
    said = run.multiplier("profile")
    print(f"dynamics at 26 rad/s: contact force {-said.max():.1f} to {-said.min():.1f} N")


if __name__ == "__main__":
    main()
