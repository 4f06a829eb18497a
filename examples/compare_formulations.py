"""One mechanism, every formulation with its usual integrator: agreement, iterations, factorizations, time.

python examples/compare_formulations.py [MODEL] [--t-end T] [--step H]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse

import numpy as np

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.formulations import FORMULATIONS
from linkwork.run.matching import fitting

VARIANTS = ("full", "no-reaction-variation", "frozen")


def main(arguments: list[str] | None = None) -> None:
    """Run all of them and print a table."""
    parser = argparse.ArgumentParser(description="Compare formulations on one mechanism.")
    parser.add_argument("model", nargs="?", default="kissel2021_slider_crank")
    parser.add_argument("--t-end", type=float, default=1.0)
    parser.add_argument("--step", type=float, default=1e-3)
    given = parser.parse_args(arguments)
    mech = lw.load(given.model)

    first = None
    print(f"{mech.name}, {given.t_end:g} s in steps of {given.step:g} s; differences are from the first line")
    print("formulation     with                   iterations  factored  us/step   position m  velocity m/s")
    for name in FORMULATIONS:
        usual = fitting(name)[0]
        for newton in VARIANTS if usual == "generalized-alpha" else (None,):
            try:
                for _ in range(2):  # the first call compiles, or reads what was compiled
                    result = lw.simulate(mech, given.t_end, given.step, name, usual, newton=newton)
            except LinkworkError as error:  # it cannot treat this mechanism, or does not get through
                print(f"{name:15s} {newton or usual:22s} {error}")
                continue
            if first is None:
                first = result
            apart = [np.abs(result[what] - first[what]).max() for what in ("position", "velocity")]
            solved = 20 * " "
            if newton:
                solved = f"{result['iterations'][1:].mean():9.2f} {result.info['factorizations']:10d}"
            print(
                f"{name:15s} {newton or usual:22s} {solved}"
                f" {1e6 * result.info['run_seconds'] / result.info['steps']:8.2f} {apart[0]:12.1e} {apart[1]:12.1e}"
            )


if __name__ == "__main__":
    main()
