"""Motions of short runs, as numbers: python motions.py OUT.json

For code of another kind of processor, whose last digits may differ. `scripts/check_aarch64` carries it out under
emulation and on this machine, and compares.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

import linkwork as lw

MODELS = ("kissel2021_slider_crank", "kissel2021_double_pendulum")
FORMULATIONS = {"rA": "generalized-alpha", "lie-mixed": "dop853", "canonical": "rk4", "augmented": "rk4"}
NAMES = ("position", "rotation", "velocity", "angular_velocity", "reaction_force", "kinetic_energy")


def main(out: str) -> None:
    """All of them, into a file."""
    found: dict[str, dict[str, object]] = {}
    for model in MODELS:
        for formulation, integrator in FORMULATIONS.items():
            run = lw.simulate(lw.load(model), t_end=0.1, step=1e-3, formulation=formulation, integrator=integrator)
            arrays = {name: np.asarray(run[name]).tolist() for name in NAMES}
            code = str(run.info["compiled_code"])
            found[f"{model} {formulation} {integrator}"] = {"code": code, "numba": "numba" in sys.modules, **arrays}
            sys.stderr.write(f"{model} {formulation}: {code}\n")
    Path(out).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
