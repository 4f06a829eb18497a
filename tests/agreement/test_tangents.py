"""Tangents of runs, formulations with every kind of method, against complex steps through the very same map.

LINKWORK_TANGENTS=N takes all pairs, and N random mechanisms (A:B those from A up to B); a figure for each case is
printed (`-rP`).
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
from linkwork.errors import LinkworkError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.integrators.implicit_kernels import ADVANCE
from linkwork.integrators.runge_kutta_kernels import START
from linkwork.integrators.start import PERTURB, SOLVE_ACCELERATIONS
from linkwork.run.matching import fitting

MECHANISMS = Path(lw.__file__).parent / "mechanisms"
STEPS = 3
SIZES = {"rk4": 1e-2, "dop853": 1e-2, "generalized-alpha": 0.05, "implicit-euler": 0.05}  # s; rounding of positions
# over h^2 is the rounding of what implicit methods find of accelerations
# Of the largest value, by one kg, m/s^2 or rad/s: rounding of the values, which tangents have however small they are,
# none included where constraints hold what a number would move. Where steps are implicit that over h^2. A tangent that
# is not found, or one too many, is no rounding.
STILL = {"rk4": 3e-14, "dop853": 3e-14, "generalized-alpha": 4e-13, "implicit-euler": 4e-13}
METHODS = ("rk4", "dop853", "generalized-alpha", "implicit-euler")
FEW = [
    ("articulated-body", "rk4"),
    ("augmented", "dop853"),
    ("rA", "generalized-alpha"),
    ("re", "implicit-euler"),
]
ALL = [(name, method) for name in FORMULATIONS for method in METHODS if method in fitting(name)]
MANY = os.environ.get("LINKWORK_TANGENTS", "")
PAIRS, SEEDS = (ALL, range(*(int(end) for end in MANY.split(":")))) if MANY else (FEW, range(1))
SHIPPED = {
    "kissel2021_double_pendulum": ["gravity[2]", "bar 1.shape.size[0]", "pivot.point[1]"],
    "spatial_slider_crank_spring": ["slider.mass", "spring.stiffness", "connecting rod.inertia[1]"],
}

# rows of solvers are picked, and powers raised, by whole numbers that stand among real ones
COMPLEX = r"ignore:Casting complex:numpy.exceptions.ComplexWarning:linkwork\."
pytestmark = [pytest.mark.filterwarnings(COMPLEX + room) for room in ("solvers", r"kernels\.formula")]


def worst(mech: lw.Mechanism, to: list[str], formulation: str, method: str, monkeypatch: Any) -> float:
    """The largest difference of tangents from complex steps beyond rounding of the values, as a share of the largest
    tangent of its kind."""
    sharp: dict[str, Any] = {} if method in ("rk4", "dop853") else {"tolerance": 1e-11}
    h = SIZES[method]
    nominal = carried_out(mech, STEPS * h, h, formulation, method, None, sharp)
    moving = Moving(nominal, numbers_of(mech, to))
    assert len(moving.samples["time"]) == STEPS + 1  # compiled, before anything is replaced
    keep_small(monkeypatch)
    settle_newton(monkeypatch)
    off, inertia, heaviest = 0.0, 0.0, max(float(body.mass) for body in mech.lower().bodies)
    for k in range(len(to)):
        prepared = nominal.prepared(nominal.ready.compiled)
        run = ComplexRun(prepared, moving.starts[:, k])
        if prepared.implicit:
            assert run.call(SOLVE_ACCELERATIONS) == 0
            if prepared.run.perturbed:
                run.call(PERTURB)  # as in a run: where steps do not resolve the motion the start stays a consistent one
            status, samples = run.call(ADVANCE, STEPS)
        else:
            assert run.call(prepared.run._compiled(), START)[0] == 0
            status, samples = run.call(prepared.run._compiled(), STEPS)
        assert (status, samples) == (0, STEPS)
        for of in ("motion", "multiplier"):
            wanted = run.imaginary(getattr(prepared.block, of))[:STEPS]
            found = moving.samples[of][1:, ..., 1 + k]
            size = float(np.max(np.abs(wanted), initial=0.0))
            values = float(np.max(np.abs(moving.samples[of][..., 0]), initial=0.0))
            if of == "motion":
                inertia = heaviest * float(np.max(np.abs(moving.samples[of][..., 18:, 0]), initial=0.0))
            else:  # what is left of forces and inertia: of bodies that fall freely nothing but their rounding
                values = max(values, inertia)
            still = STILL[method] * values
            if size <= still:  # what loops lock does not move: both are the rounding of nothing
                assert float(np.max(np.abs(found))) <= still
            else:
                off = max(off, (float(np.max(np.abs(found - wanted))) - still) / size)
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
    try:
        off = worst(mech, to, formulation, method, monkeypatch)
    except UsageError as refused:
        if "change rank on the way" not in str(refused):
            raise
        pytest.skip(f"refused: {refused}")
    print(f"FIGURE {formulation} {method} random-{seed} {off:.1e}")  # noqa: T201  # with -rP
    assert off <= bound(formulation, method)


@pytest.mark.parametrize("formulation", ["augmented", "articulated-body"])
def test_reactions_of_dependent_rows_that_have_drifted(formulation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They share them as the search's pivots say, which are met in their columns alone. Of seed 49 tangents were off by
    8e-10."""
    to = ["body 0.mass", "gravity[2]", "body 0.angular_velocity[1]"]
    assert worst(random_mechanism(49), to, formulation, "rk4", monkeypatch) <= 1e-12
