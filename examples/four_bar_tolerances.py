"""Tolerances of a four-bar linkage: how far its coupler strays when lengths are off by tenths of a millimetre.

python examples/four_bar_tolerances.py [--runs 64] [--out FOLDER]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import linkwork as lw

DEVIATION = 1e-4  # m, of every length
LENGTHS = {  # what is dimensioned: the joint's place on a body, and where it ought to be
    "crank pin.on_first.point.x": 0.1,
    "rocker pin.on_first.point.x": 0.25,
    "rocker pin.on_second.point.x": 0.2,
    "rocker pivot.point.x": 0.5,
}


def swept(runs: int) -> lw.Sweep:
    """A turn of the crank, many times, with lengths at random."""
    return lw.sweep(
        lw.load("planar_four_bar"),
        {name: lw.normal(length, DEVIATION) for name, length in LENGTHS.items()},
        runs=runs,
        plan="sobol",
        seed=1,
        keep={"x": "coupler.position.x", "z": "coupler.position.z"},
        t_end=1.0,
        step=1e-2,
        accept_changes=True,  # assembly moves bodies to where their lengths want them
    )


def main(arguments: list[str] | None = None) -> None:
    """Sweep, and say what came of it."""
    parser = argparse.ArgumentParser(description="Tolerances of a four-bar linkage.")
    parser.add_argument("--runs", type=int, default=64)
    parser.add_argument("--out", type=Path, help="a folder for a picture and the data set")
    asked = parser.parse_args(arguments)

    found = swept(asked.runs)
    nominal = lw.simulate(lw.load("planar_four_bar"), 1.0, 1e-2).position("coupler")
    off = np.hypot(found["x"] - nominal[:, 0], found["z"] - nominal[:, 2])  # of each run, over time
    worst = off.max(axis=1)
    k = int(np.argmax(off.std(axis=0)))
    print(f"{found.runs} linkages, {len(found.failed)} of them impossible")
    print(f"the coupler strays by {1e3 * np.median(worst):.3f} mm at most in half of them, ", end="")
    print(f"by {1e3 * np.quantile(worst, 0.95):.3f} mm in all but 5 %")
    print(f"it spreads most at t = {found.time[k]:.2f} s")
    for name in LENGTHS:
        print(f"  {name}: correlation with x there {np.corrcoef(found[name], found['x'][:, k])[0, 1]:+.2f}")
    if asked.out is not None:
        asked.out.mkdir(parents=True, exist_ok=True)
        found.save(asked.out / "four_bar_tolerances.nc", force=True)
        found.plot("bands", asked.out / "four_bar_tolerances.png", of=["x", "z"], force=True)


if __name__ == "__main__":
    main()
