"""How many digits forward dynamics keeps on chains of pins, beside references of 40 digits made by the tests' oracle.

`python -m benchmarks digits`. Errors are norm-wise and relative: of the accelerations and angular accelerations of all
bodies for linkwork, of joint accelerations for the others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.models import Array
from benchmarks.recursive_calls import PINOCCHIO_MOST
from benchmarks.tables import markdown, number

Say = Callable[[str], None]
SPREADS = {"hanging": 0.3, "coiled": 3.0}  # rad
COUNTS, QUICK_COUNTS = (10, 100, 300, 1000), (10, 100)
OURS = ("articulated-body", "canonical", "range-space")
PROGRAMS = (*OURS, "Pinocchio, aba", "Pinocchio, crba and solve", "MuJoCo", "MuJoCo's M and solve")


@dataclass
class Digits:
    """Relative errors on one chain, by program."""

    name: str
    bodies: int
    errors: dict[str, float] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)


def oracles() -> Any:
    """The tests' chains."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from oracles import chains

    return chains


def relative(found: Array, wanted: Array) -> float:
    """|found - wanted| / |wanted|."""
    return float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted))


def by_linkwork(lw: Any, tree: Any, state: Any, wanted: Any, formulation: str) -> float:
    """Of all bodies."""
    from oracles import trees

    found = lw.accelerations(trees.mechanism(tree, state), trees.linkwork_state(tree, state), formulation)
    exact = np.hstack([wanted["a"], wanted["alpha"]])
    return relative(np.hstack([found.rddot, found.omegadot]), exact)


def by_pinocchio(tree: Any, state: Any, wanted: Any) -> dict[str, float]:
    """The articulated-body algorithm, and a mass matrix solved by NumPy."""
    import pinocchio as pin
    from oracles import trees_pinocchio

    model = trees_pinocchio.model_of(tree)
    q, v = model.vectors(state)
    aba = np.array(pin.aba(model.model, model.data, q, v, 0 * v))
    bias = np.array(pin.rnea(model.model, model.data, q, v, 0 * v))
    solved = np.linalg.solve(trees_pinocchio.mass_matrix(model, state), -bias)  # one joint per link: orders agree
    both = (relative(aba, wanted["qdd"]), relative(solved, wanted["qdd"]))
    return dict(zip(("Pinocchio, aba", "Pinocchio, crba and solve"), both, strict=True))


def by_mujoco(tree: Any, state: Any, wanted: Any) -> dict[str, float]:
    """Its own factorisation, and its mass matrix solved by NumPy."""
    import mujoco
    from oracles import trees_mujoco

    model = trees_mujoco.model_of(tree)
    model.adopt(state)
    mujoco.mj_forward(model.model, model.data)
    order = [model.model.joint(f"joint {k} 0").dofadr[0] for k in range(len(tree.links))]
    M = np.zeros((len(order), len(order)))
    mujoco.mj_fullM(model.model, model.data, M)
    solved = np.linalg.solve(M, -np.array(model.data.qfrc_bias))
    both = (relative(x[order], wanted["qdd"]) for x in (np.array(model.data.qacc), solved))
    return dict(zip(("MuJoCo", "MuJoCo's M and solve"), both, strict=True))


def chain_digits(lw: Any, name: str, count: int, formulations: Sequence[str], peers: bool) -> Digits:
    """One chain; the reference of the longest is stored with the tests."""
    chains, made = oracles(), Digits(name, count)
    tree, state = chains.chain(count, SPREADS[name])
    stored = chains.STORED[name] == (count, SPREADS[name])
    wanted = chains.stored(name)[2] if stored else chains.exact(tree, state)
    for formulation in formulations:
        try:
            made.errors[formulation] = by_linkwork(lw, tree, state, wanted, formulation)
        except Exception as error:  # the others' figures still count
            made.failures[formulation] = f"{type(error).__name__}: {error}".splitlines()[0]
    if peers and find_spec("pinocchio") and count <= PINOCCHIO_MOST:
        made.errors |= by_pinocchio(tree, state, wanted)
    if peers and find_spec("pinocchio") and find_spec("mujoco"):
        made.errors |= by_mujoco(tree, state, wanted)
    return made


def run(quick: bool, peers: bool = True, say: Say = print, formulations: Sequence[str] | None = None) -> list[Digits]:
    """Measure everything; `say` is told what is being computed."""
    import linkwork as lw
    from linkwork.formulations import FORMULATIONS

    known = [name for name in (formulations or OURS) if name in FORMULATIONS]
    made = []
    for count in QUICK_COUNTS if quick else COUNTS:
        for name in SPREADS:
            say(f"digits, {count} pins, {name}")
            made.append(chain_digits(lw, name, count, known, peers))
    return made


def table(some: Sequence[Digits]) -> str:
    """Errors."""
    rows = [[one.name, str(one.bodies), *(number(one.errors.get(program)) for program in PROGRAMS)] for one in some]
    notes = [f"{one.bodies} pins, {name}: {why}" for one in some for name, why in one.failures.items()]
    title = "Digits of forward dynamics, chains of pins: relative errors against 40 digits"
    return markdown(title, ["chain", "pins", *PROGRAMS], rows, notes)
