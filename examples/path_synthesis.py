"""A four-bar linkage whose coupler point goes straight: lengths found by SciPy's least squares on kinematics.

python examples/path_synthesis.py [--out FOLDER]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

import linkwork as lw

GROUND = 0.2  # m, between the pivots
STROKE = 0.4  # m, along which the point is to go straight, at an even pace
HALF = np.linspace(0.0, 0.5, 25)  # s: half a turn of the crank
NAMES = "crank", "coupler", "rocker", "arm along the coupler", "arm across it", "height of the line", "its begin"
GUESS = 0.09, 0.22, 0.27, 0.46, 0.02, 0.35, 0.42  # m
HINGE = {"axis": [0.0, -1.0, 0.0]}


def build(crank: float, coupler: float, rocker: float, along: float, across: float) -> lw.Mechanism:
    """The linkage in the x-z plane, its crank standing up at the start, with a pen on the coupler.

    crank, coupler, rocker : m, between hinges. along, across : m, the pen, seen from the crank pin.
    """
    pin = np.array([0.0, crank])
    apart = np.array([GROUND, 0.0]) - pin
    d = float(np.hypot(*apart))
    first = (coupler**2 - rocker**2 + d**2) / (2.0 * d)
    up = math.sqrt(max(coupler**2 - first**2, 0.0))
    other = pin + first * apart / d + up * np.array([-apart[1], apart[0]]) / d
    x = (other - pin) / coupler
    pen = pin + along * x + across * np.array([-x[1], x[0]])

    mech = lw.Mechanism("straight line")
    turned = [[x[0], 0.0, -x[1]], [0.0, 1.0, 0.0], [x[1], 0.0, x[0]]]
    mech.body("crank", position=[0.0, 0.0, 0.0])
    mech.body("pen", position=[pen[0], 0.0, pen[1]], rotation=turned)
    mech.body("rocker", position=[GROUND, 0.0, 0.0])
    mech.joint("crank pivot", "revolute", "ground", "crank", point=[0.0, 0.0, 0.0], **HINGE)
    mech.joint("crank pin", "revolute", "crank", "pen", point=[pin[0], 0.0, pin[1]], **HINGE)
    mech.joint("rocker pin", "spherical", "pen", "rocker", point=[other[0], 0.0, other[1]])
    mech.joint("rocker pivot", "cylindrical", "ground", "rocker", point=[GROUND, 0.0, 0.0], **HINGE)
    mech.driver("motor", "crank pivot", "2*pi*t")
    return mech


def path(lengths: np.ndarray) -> np.ndarray:
    """(25, 2) m: where the pen is, x and z, in half a turn."""
    run = lw.kinematics(build(*lengths[:5]), HALF[-1], HALF[1])
    found: np.ndarray = run.position("pen")[:, [0, 2]]
    return found


def misses(lengths: np.ndarray) -> np.ndarray:
    """What the pen is off the line by, in millimetres."""
    height, begin = lengths[5:]
    wanted = np.column_stack([begin - STROKE * HALF / HALF[-1], np.full_like(HALF, height)])
    off = path(lengths) - wanted
    return 1e3 * np.hstack([0.05 * off[:, 0], off[:, 1]])  # straight first of all; how evenly counts less


def main(arguments: list[str] | None = None) -> None:
    """Find it, and say what came of it."""
    parser = argparse.ArgumentParser(description="A straight line by a four-bar linkage.")
    parser.add_argument("--out", type=Path, help="a folder for the picture")
    out = parser.parse_args(arguments).out

    guess = np.array(GUESS)
    found = least_squares(misses, guess, x_scale=0.1, diff_step=1e-6)
    for name, length in zip(NAMES, found.x, strict=True):
        print(f"{name}: {1e3 * length:.1f} mm")
    before, after = (float(np.ptp(path(x)[:, 1])) for x in (guess, found.x))
    print(f"the pen strays by {1e3 * before:.1f} mm at first, by {1e3 * after:.2f} mm now, ", end="")
    print(f"over {1e3 * np.ptp(path(found.x)[:, 0]):.0f} mm; {found.nfev} steps")
    if out is not None:
        from matplotlib.figure import Figure

        out.mkdir(parents=True, exist_ok=True)
        page = Figure(figsize=(9.0, 4.0), layout="constrained")
        axes = page.add_subplot()
        for lengths, label in ((guess, "guess"), (found.x, "found")):
            run = lw.kinematics(build(*lengths[:5]), 1.0, 5e-3).position("pen")
            axes.plot(run[:, 0], run[:, 2], label=label)
        axes.set(xlabel="x, m", ylabel="z, m", aspect="equal", title="what the pen draws in a turn of the crank")
        axes.legend()
        page.savefig(out / "path_synthesis.png", dpi=120)


if __name__ == "__main__":
    main()
