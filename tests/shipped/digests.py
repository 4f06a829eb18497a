"""The digits of runs with every formulation and integrator, and what else compiled code does, as a digest of each.

    python digests.py OUT.json

Two mechanisms run with every integrator, the others that come with linkwork with two. `scripts/check_wheel` carries it
out with shipped code in an environment without a compiler, and with code compiled just in time, and compares.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.problems.entry import Entry
from linkwork.shipped import library

LOOP, TREE = "kissel2021_slider_crank", "kissel2021_double_pendulum"
SHIPPED = tuple(
    sorted(path.stem for path in resources.files("linkwork.mechanisms").iterdir() if path.suffix == ".yaml")
)
FEW = ("generalized-alpha", "dop853")


def main(out: str) -> None:
    """Everything, into a file."""
    found: dict[str, dict[str, Any]] = {}

    def note(name: str, work: Callable[[], str]) -> None:
        begun = time.process_time()
        try:
            said = work()
        except LinkworkError as error:
            said = f"{error.code} {error.message}"
        found[name] = {"digest": said, "seconds": round(time.process_time() - begun, 3)}

    for model in SHIPPED:
        whole = model in (LOOP, TREE)
        for formulation, integrator in pairs() if whole else [pair for pair in pairs() if pair[1] in FEW]:
            note(f"{model} {formulation} {integrator}", lambda m=model, f=formulation, i=integrator: run(m, f, i))
        note(f"kinematics {model}", lambda m=model: digest(lw.kinematics(lw.load(m), 0.1, 1e-2)))
    for formulation in ("rp", "re"):
        note(f"kinematics {formulation}", lambda f=formulation: digest(lw.kinematics(lw.load(LOOP), 0.1, 1e-2, f)))
    note("from a state", from_a_state)
    note("accelerations", lambda: plain(lw.accelerations(lw.load(LOOP))))
    note("counting", lambda: plain(lw.counts_of(lw.load(TREE), "canonical")))
    note("certificate", certificate)
    note("comparison", comparison)
    found["compiled code"] = {"digest": run_info(), "numba": "numba" in sys.modules, **entries()}
    Path(out).write_text(json.dumps(found, indent=1), encoding="utf-8")


def pairs() -> list[tuple[str, str]]:
    """Formulations and the integrators that each goes with."""
    from linkwork.run.matching import describe

    return [(each["name"], integrator) for each in describe() for integrator in each["integrators"]]


def run(model: str, formulation: str, integrator: str) -> str:
    """The digest of a short run, derived quantities included."""
    return digest(lw.simulate(lw.load(model), t_end=0.05, step=1e-3, formulation=formulation, integrator=integrator))


def from_a_state() -> str:
    """The digest of a run from the middle of another: what makes a start fit is compiled code of its own."""
    first = lw.simulate(lw.load(LOOP), t_end=0.05, step=1e-3, formulation="rA")
    return digest(lw.simulate(lw.load(LOOP), t_end=0.05, step=1e-3, formulation="rA", state=first.state(20)))


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


def entries() -> dict[str, list[str]]:
    """Entries whose shipped code these runs have asked for, and all that there are."""
    index = library.shipped_index()
    loaded = [
        value for name, module in sys.modules.items() if name.startswith("linkwork.") for value in vars(module).values()
    ]
    asked = {
        f"{one.module}:{one.name}" for one in loaded if isinstance(one, Entry) and vars(one).get("shipped") is not None
    }
    return {"asked": sorted(asked), "all": sorted(index.entries) if index is not None else []}


def run_info() -> str:
    """What the runs say of their code."""
    run = lw.simulate(lw.load(TREE), t_end=0.01, step=1e-3, formulation="canonical")
    return str(run.info["compiled_code"])


if __name__ == "__main__":
    main(*sys.argv[1:])
