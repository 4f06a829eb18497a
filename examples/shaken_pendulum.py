"""A pendulum that stands upside down while its pivot is shaken, and the speed from which it does [Kapitza 1951].

python examples/shaken_pendulum.py [--t-end T]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import math

import linkwork as lw

LENGTH, GRAVITY, AMPLITUDE = 0.2, 9.81, 0.01


def pendulum() -> lw.Mechanism:
    """A bob on a rod without mass, 0.1 rad beside its upper position; the pivot moves up and down as a cos(w t)."""
    mech = lw.Mechanism("shaken pendulum", gravity=(0.0, 0.0, -GRAVITY))
    mech.parameter("a", AMPLITUDE, unit="m")
    mech.parameter("w", 100.0, unit="rad/s")
    tilt = 0.1
    bob = [LENGTH * math.sin(tilt), 0.0, LENGTH * math.cos(tilt)]
    mech.body("bob", mass=1.0, inertia=[1e-9, 1e-9, 1e-9], position=bob)
    mech.joint("pivot", "revolute", "ground", "bob", point=[0, 0, 0], axis=[0, 1, 0])
    mech.force("shaking", "base-acceleration", components=[0, 0, "-a*w**2*cos(w*t)"])
    return mech


def main(arguments: list[str] | None = None) -> None:
    """How far the pendulum swings at speeds around the critical one, sqrt(2 g l) / a."""
    parser = argparse.ArgumentParser(description="Kapitza's pendulum.")
    parser.add_argument("--t-end", type=float, default=2.0)
    t_end = parser.parse_args(arguments).t_end
    critical = math.sqrt(2.0 * GRAVITY * LENGTH) / AMPLITUDE
    print(f"critical speed {critical:.1f} rad/s")
    mech = pendulum()
    for share in (0.6, 0.8, 1.2, 1.5):
        run = lw.simulate(mech.with_parameters(w=share * critical), t_end, 2e-4, "canonical", "rk4", every=20)
        lowest = run["position"][:, 0, 2].min() / LENGTH
        print(f"  {share:.1f} of it: lowest height {lowest:+.2f} l, {'stands' if lowest > 0.9 else 'falls'}")


if __name__ == "__main__":
    main()
