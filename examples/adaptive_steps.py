"""Adaptive steps and samples at chosen times: tolerances against true errors, on the heavy top of Müller 2013.

python examples/adaptive_steps.py [--t-end T]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse

import numpy as np

import linkwork as lw

PAIRS = ("bs32", "dp54", "ts54", "dop853")


def main(arguments: list[str] | None = None) -> None:
    """A table of errors and costs, and what samples do to the steps: nothing."""
    parser = argparse.ArgumentParser(description="Adaptive steps on a Lie group.")
    parser.add_argument("--t-end", type=float, default=1.0)
    t_end = parser.parse_args(arguments).t_end
    mech = lw.load("muller2013_heavy_top")
    times = np.geomspace(0.01, 1.0, 25) * t_end  # wherever they are wanted

    exact = lw.simulate(mech, t_end, t_end / 4000, "lie-se3", "dop853", t_eval=times)
    print(f"largest error at {len(times)} times (entries of the rotation matrix) | steps tried | evaluations")
    for rtol in (1e-4, 1e-6, 1e-8, 1e-10):
        line = f"  rtol = {rtol:.0e}  "
        for pair in PAIRS:
            run = lw.simulate(mech, t_end, t_end, "lie-se3", pair, rtol=rtol, atol=1e-3 * rtol, t_eval=times)
            error = np.abs(run["rotation"] - exact["rotation"]).max()
            tried = run.info["steps"] + run.info["rejected"]
            line += f"  {pair} {error:7.1e} | {tried:5d} | {run.info['evaluations']:6d}"
        print(line)

    few, many = (
        lw.simulate(mech, t_end, t_end, "lie-se3", "ts54", rtol=1e-8, t_eval=np.linspace(0.0, t_end, n))
        for n in (3, 3001)
    )
    apart = np.abs(few["position"] - many["position"][::1500]).max()
    print(f"3 samples or 3001: {few.info['steps']} and {many.info['steps']} steps, {apart:.0e} m apart")


if __name__ == "__main__":
    main()
