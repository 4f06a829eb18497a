"""Tangents of runs, formulations with every kind of method, against complex steps through the very same map.

LINKWORK_TANGENTS=N takes all pairs, and N random mechanisms; a figure for each case is printed (`-rP`).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from unit.complex_runs import ComplexRun, keep_small, settle_newton

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.errors import LinkworkError
from linkwork.formulations import FORMULATIONS
from linkwork.integrators.implicit_kernels import ADVANCE
from linkwork.integrators.runge_kutta_kernels import START
from linkwork.integrators.start import PERTURB, SOLVE_ACCELERATIONS
from linkwork.run.matching import fitting

MECHANISMS = Path(lw.__file__).parent / "mechanisms"
STEPS = 3
SIZES = {"rk4": 1e-2, "dop853": 1e-2, "generalized-alpha": 0.05, "implicit-euler": 0.05}  # s; rounding of positions
# over h^2 is the rounding of what implicit methods find of accelerations
METHODS = ("rk4", "dop853", "generalized-alpha", "implicit-euler")
FEW = [
    ("articulated-body", "rk4"),
    ("augmented", "dop853"),
    ("rA", "generalized-alpha"),
    ("re", "implicit-euler"),
]
ALL = [(name, method) for name in FORMULATIONS for method in METHODS if method in fitting(name)]
MANY = os.environ.get("LINKWORK_TANGENTS", "")
PAIRS, SEEDS = (ALL, range(int(MANY))) if MANY else (FEW, range(1))
SHIPPED = {
    "kissel2021_double_pendulum": ["gravity[2]", "bar 1.shape.size[0]", "pivot.point[1]"],
    "spatial_slider_crank_spring": ["slider.mass", "spring.stiffness", "connecting rod.inertia[1]"],
}

# rows of solvers are picked by whole numbers that stand among real ones
pytestmark = pytest.mark.filterwarnings(r"ignore:Casting complex:numpy.exceptions.ComplexWarning:linkwork\.solvers")


def worst(mech: lw.Mechanism, to: list[str], formulation: str, method: str, monkeypatch: Any) -> float:
    """The largest difference of tangents from complex steps, as a share of the largest tangent of its kind."""
    sharp: dict[str, Any] = {} if method in ("rk4", "dop853") else {"tolerance": 1e-11}
    h = SIZES[method]
    nominal = carried_out(mech, STEPS * h, h, formulation, method, None, sharp)
    moving = Moving(nominal, numbers_of(mech, to))
    assert len(moving.samples["time"]) == STEPS + 1  # compiled, before anything is replaced
    keep_small(monkeypatch)
    settle_newton(monkeypatch)
    off = 0.0
    for k in range(len(to)):
        prepared = nominal.prepared(nominal.ready.compiled)
        run = ComplexRun(prepared, moving.starts[:, k])
        if prepared.implicit:
            assert run.call(SOLVE_ACCELERATIONS) == 0
            assert not prepared.run.perturbed or run.call(PERTURB) == 0
            status, samples = run.call(ADVANCE, STEPS)
        else:
            assert run.call(prepared.run._compiled(), START)[0] == 0
            status, samples = run.call(prepared.run._compiled(), STEPS)
        assert (status, samples) == (0, STEPS)
        for of in ("motion", "multiplier"):
            wanted = run.imaginary(getattr(prepared.block, of))[:STEPS]
            found = moving.samples[of][1:, ..., 1 + k]
            size = float(np.max(np.abs(wanted), initial=0.0))
            if size > 0.0:
                off = max(off, float(np.max(np.abs(found - wanted))) / size)
            else:
                assert not np.any(found)
    return off


def bound(formulation: str, method: str) -> float:
    """generalized-alpha divides rounding of positions by h^2, and in its perturbed start by a fraction of h; penalty
    multiplies rounding by its factors."""
    if formulation == "penalty":
        return 1e-9
    return 1e-11 if method == "generalized-alpha" else 1e-12


@pytest.mark.parametrize(("formulation", "method"), PAIRS)
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped(name: str, formulation: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    off = worst(lw.load(MECHANISMS / f"{name}.yaml"), SHIPPED[name], formulation, method, monkeypatch)
    print(f"FIGURE {formulation} {method} {name} {off:.1e}")  # noqa: T201  # with -rP
    assert off <= bound(formulation, method)


@pytest.mark.parametrize(("formulation", "method"), PAIRS)
@pytest.mark.parametrize("seed", SEEDS)
def test_random(seed: int, formulation: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mech = random_mechanism(seed)
    try:
        lw.simulate(mech, STEPS * SIZES[method], SIZES[method], formulation, method)
    except LinkworkError as refused:
        pytest.skip(f"no run: {refused}")
    to = ["body 0.mass", "gravity[2]", "body 0.angular_velocity[1]"]
    off = worst(mech, to, formulation, method, monkeypatch)
    print(f"FIGURE {formulation} {method} random-{seed} {off:.1e}")  # noqa: T201  # with -rP
    assert off <= bound(formulation, method)
