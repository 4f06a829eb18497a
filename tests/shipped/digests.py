"""The digits of runs with every formulation and integrator, and what else compiled code does, as a digest of each.

    python digests.py OUT.json [MODEL...]

`scripts/check_wheel` carries it out with shipped code in an environment without a compiler, and with code compiled just
in time, and compares.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.errors import LinkworkError

LOOP, TREE = "kissel2021_slider_crank", "kissel2021_double_pendulum"


def main(out: str, *models: str) -> None:
    """Everything, into a file."""
    found: dict[str, dict[str, Any]] = {}

    def note(name: str, work: Callable[[], str]) -> None:
        begun = time.process_time()
        try:
            said = work()
        except LinkworkError as error:
            said = f"{error.code} {error.message}"
        found[name] = {"digest": said, "seconds": round(time.process_time() - begun, 3)}

    for model in models or (LOOP, TREE):
        for formulation, integrator in pairs():
            if models and integrator not in ("implicit-euler", "rk4"):
                continue
            note(f"{model} {formulation} {integrator}", lambda m=model, f=formulation, i=integrator: run(m, f, i))
    if not models:
        for formulation in ("rA", "rp", "re"):
            note(f"kinematics {formulation}", lambda f=formulation: digest(lw.kinematics(lw.load(LOOP), 0.1, 1e-2, f)))
        note("accelerations", lambda: plain(lw.accelerations(lw.load(LOOP))))
        note("counting", lambda: plain(lw.counts_of(lw.load(TREE), "canonical")))
        note("certificate", certificate)
        note("comparison", comparison)
    found["compiled code"] = {"digest": run_info(), "numba": "numba" in sys.modules}
    Path(out).write_text(json.dumps(found, indent=1), encoding="utf-8")


def pairs() -> list[tuple[str, str]]:
    """Formulations and the integrators that each goes with."""
    from linkwork.run.matching import describe

    return [(each["name"], integrator) for each in describe() for integrator in each["integrators"]]


def run(model: str, formulation: str, integrator: str) -> str:
    """The digest of a short run, derived quantities included."""
    return digest(lw.simulate(lw.load(model), t_end=0.05, step=1e-3, formulation=formulation, integrator=integrator))


def digest(result: Any) -> str:
    """Of all arrays that a result has."""
    whole = sha256()
    for name in sorted(result.variables):
        whole.update(name.encode() + np.ascontiguousarray(result[name]).tobytes())
    return whole.hexdigest()[:24]


def plain(answer: Any) -> str:
    """Of what has no arrays over time."""
    return sha256(repr(answer).encode()).hexdigest()[:24]


def certificate() -> str:
    """Of a run, without what it took."""
    run = lw.simulate(lw.load(TREE), t_end=0.05, step=1e-3, formulation="canonical")
    return plain(lw.verify(run)["digits"])


def comparison() -> str:
    """It comes to an end: what it measures besides errors are times."""
    lw.compare(lw.load(TREE), t_end=0.02, formulations=["rA", "canonical"], steps=[1e-3], repeats=1)
    return "done"


def run_info() -> str:
    """What the runs say of their code."""
    run = lw.simulate(lw.load(TREE), t_end=0.01, step=1e-3, formulation="canonical")
    return str(run.info["compiled_code"])


if __name__ == "__main__":
    main(*sys.argv[1:])
