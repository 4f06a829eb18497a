"""A four-bar linkage built in Python: checked, driven, simulated, and plotted if you say where.

python examples/four_bar.py [--out FOLDER]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import linkwork as lw

AXIS = [0, -1, 0]  # all hinges; the linkage moves in the x-z plane, and a positive angle goes from x to z


def build() -> lw.Mechanism:
    """Crank 0.2 m, coupler 0.5 m, rocker 0.5 m, pivots 0.4 m apart, all of 20 mm square steel."""
    mech = lw.Mechanism("four-bar", run={"t_end": 2.0, "step": 1e-3})
    steel = {"type": "box", "density": 7800}
    mech.body("crank", shape=steel | {"size": [0.02, 0.02, 0.2]}, position=[0, 0, 0.1])
    mech.body(
        "coupler",
        shape=steel | {"size": [0.5, 0.02, 0.02]},
        position=[0.2, 0, 0.35],
        rotation=[[0.8, 0, -0.6], [0, 1, 0], [0.6, 0, 0.8]],
    )
    mech.body("rocker", shape=steel | {"size": [0.02, 0.02, 0.5]}, position=[0.4, 0, 0.25])
    mech.joint("crank pivot", "revolute", "ground", "crank", point=[0, 0, 0], axis=AXIS)
    mech.joint("crank pin", "revolute", "crank", "coupler", point=[0, 0, 0.2], axis=AXIS)
    mech.joint("rocker pin", "spherical", "coupler", "rocker", point=[0.4, 0, 0.5])
    mech.joint("rocker pivot", "cylindrical", "ground", "rocker", point=[0.4, 0, 0], axis=AXIS)
    mech.driver("motor", "crank pivot", "2*pi*t")
    return mech


def main(arguments: list[str] | None = None) -> None:
    """Build, check, run, and say what came out."""
    parser = argparse.ArgumentParser(description="A four-bar linkage.")
    parser.add_argument("--out", type=Path, help="a folder for the mechanism, the run and a picture")
    out = parser.parse_args(arguments).out

    mech = build()
    print(mech.check().text())
    result = lw.simulate(mech)
    print()
    print(result.summary())

    pin = result.position("rocker")[:, 0] - 0.4
    swing = np.degrees(np.arcsin(pin / 0.25))
    torque = result.reaction("motor").torque[1000:, 1]  # the second turn, about y
    print()
    print(f"the rocker swings between {swing.min():.1f} and {swing.max():.1f} degrees from the vertical")
    print(f"the motor's torque on the crank goes from {-torque.max():.2f} to {-torque.min():.2f} N m")

    if out is not None:
        from linkwork.io.formats import save

        out.mkdir(parents=True, exist_ok=True)
        save(mech, out / "four_bar.yaml", force=True)
        result.save(out / "four_bar.nc", force=True)
        result.plot(path=out / "four_bar.png", force=True)
        print(f"written: {', '.join(sorted(path.name for path in out.glob('four_bar.*')))}")


if __name__ == "__main__":
    main()
