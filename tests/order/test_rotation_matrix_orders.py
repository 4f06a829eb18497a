"""Orders of the rotation-matrix formulation: those of the tableau with multipliers of every stage, one with multipliers
held over a step, whatever the tableau [Dumitriu 2015, section 5].

Errors are the largest over ten instants; those of poses and velocities, of Lambda, and of the joints' multipliers are
fitted apart. The reference knows nothing of rotation matrices as parameters; of Lambda it is the closed form for the
paper's double pendulum.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from oracles import double_pendulum as pendulum
from oracles import turning_body

import linkwork as lw

PENDULUM, LINKAGE, TOP = "dumitriu2015_double_pendulum", "muller2013_three_bar", "muller2013_heavy_top"
INSTANTS = 10
FASTEST = {PENDULUM: 10.0, LINKAGE: 60.0, TOP: 70.0}  # rad/s
LARGEST, SMALLEST = 1e-2, 1e-12  # errors that are fitted, relative


class Case(NamedTuple):
    """A method on a mechanism: span [s], coarsest steps in the span, growth of their number, how many sizes."""

    model: str
    method: str
    order: int
    span: float
    coarsest: int
    growth: float
    sizes: int
    within: float = 0.15


STAGE = (
    Case(PENDULUM, "euler", 1, 0.3, 1000, 2.0, 5),
    Case(PENDULUM, "heun", 2, 0.5, 200, 2.0, 5),
    Case(PENDULUM, "bs32", 3, 0.5, 100, 2.0, 5),
    Case(PENDULUM, "rk4", 4, 1.0, 100, 1.6, 5),
    Case(PENDULUM, "dp54", 5, 0.4, 100, 1.4, 5),
    Case(LINKAGE, "euler", 1, 0.03, 8000, 2.0, 4),
    Case(LINKAGE, "heun", 2, 0.03, 100, 2.5, 5),
    Case(LINKAGE, "bs32", 3, 0.2, 400, 1.7, 5),
    Case(LINKAGE, "rk4", 4, 0.2, 200, 1.6, 5),
    Case(LINKAGE, "dp54", 5, 0.2, 160, 1.4, 5),
    Case(TOP, "rk4", 4, 0.2, 200, 1.6, 5),
    Case(LINKAGE, "dop853", 8, 0.4, 80, 1.2, 6, within=0.5),
)
STEP = tuple(
    Case(model, method, 1, span, n, 2.0, 4, within=0.2)
    for model, span, n in ((PENDULUM, 0.3, 2000), (LINKAGE, 0.03, 4000))
    for method in ("euler", "heun", "rk4", "dp54", "dop853")
)


def state(model: str, result: lw.Result) -> np.ndarray:
    """Poses and velocities (nt, 18 nb), velocities over the fastest spin."""
    n, w = len(result.time), FASTEST[model]
    parts = ("position", 1.0), ("rotation", 1.0), ("velocity", 1 / w), ("angular_velocity", 1 / w)
    return np.hstack([scale * result[name].reshape(n, -1) for name, scale in parts])


@cache
def reference(model: str, span: float) -> lw.Result:
    """By the method of order 8 on the groups, whose error is at rounding here."""
    n = INSTANTS * max(200, int(400 * span))
    return lw.simulate(lw.load(model), span, span / n, "lie-mixed", "dop853", every=n // INSTANTS)


def runs(case: Case, **how: Any) -> tuple[np.ndarray, list[lw.Result]]:
    """Steps [s] and results at the instants."""
    steps, found, mechanism = [], [], lw.load(case.model)
    for k in range(case.sizes):
        n = INSTANTS * round(case.coarsest * case.growth**k / INSTANTS)
        h, every = case.span / n, n // INSTANTS
        steps.append(h)
        found.append(lw.simulate(mechanism, case.span, h, "rotation-matrix", case.method, every=every, **how))
    return np.array(steps), found


def order(h: np.ndarray, errors: list[float]) -> float:
    e = np.array(errors)
    fitted = (e < LARGEST) & (e > SMALLEST)
    assert fitted.sum() >= 4, e
    return float(np.polyfit(np.log(h[fitted]), np.log(e[fitted]), 1)[0])


def errors(case: Case, found: list[lw.Result]) -> dict[str, list[float]]:
    """Of states, of the joints' multipliers, and of Lambda where it is known."""
    wanted = reference(case.model, case.span)
    out = {
        "state": [float(np.abs(state(case.model, r) - state(case.model, wanted)).max()) for r in found],
        "lambda": [relative(r["multiplier"], wanted["multiplier"]) for r in found],
    }
    if case.model == PENDULUM:
        true = pendulum.multipliers(pendulum.motion(wanted.time))
        both = np.stack([true.Lambda_1, true.Lambda_2], axis=1)
        out["Lambda"] = [relative(r["multiplier_matrix"], both) for r in found]
    return out


def relative(x: np.ndarray, wanted: np.ndarray) -> float:
    return float(np.abs(x - wanted).max() / np.abs(wanted).max())


@pytest.mark.parametrize("case", STAGE, ids=lambda case: f"{case.method}-{case.model}")
def test_with_multipliers_of_every_stage_a_method_has_its_order(case: Case) -> None:
    h, found = runs(case)
    for name, e in errors(case, found).items():
        fitted = order(h, e)
        assert abs(fitted - case.order) < case.within, f"{name}: order {fitted:.3f}, errors {e}"


@pytest.mark.parametrize("case", STEP, ids=lambda case: f"{case.method}-{case.model}")
def test_multipliers_held_over_a_step_have_order_one_whatever_the_tableau(case: Case) -> None:
    h, found = runs(case, multipliers="step")
    for name, e in errors(case, found).items():
        fitted = order(h, e)
        assert abs(fitted - 1.0) < case.within, f"{name}: order {fitted:.3f}, errors {e}"


@pytest.mark.parametrize("matrix", ["sparse", "dense"])
def test_the_one_shot_has_the_order_of_the_tableau_too(matrix: str) -> None:
    case = Case(LINKAGE, "rk4", 4, 0.2, 200, 1.6, 5)
    h, found = runs(case, elimination="one-shot", matrix=matrix)
    for name, e in errors(case, found).items():
        assert abs(order(h, e) - 4.0) < case.within, (name, e)


@pytest.mark.parametrize("how", [{"orthonormalise_every": 1}, {"stabilisation": "projection"}], ids=str)
def test_putting_rotations_back_and_projection_keep_the_order(how: dict[str, Any]) -> None:
    case = Case(LINKAGE, "rk4", 4, 0.2, 200, 1.6, 5)
    h, found = runs(case, **how)
    for name, e in errors(case, found).items():
        assert abs(order(h, e) - 4.0) < case.within, (name, e)


def test_held_multipliers_with_rotations_put_back_stay_of_order_one() -> None:
    case = Case(LINKAGE, "rk4", 1, 0.03, 4000, 2.0, 4)
    h, found = runs(case, multipliers="step", orthonormalise_every=1)
    for name, e in errors(case, found).items():
        assert abs(order(h, e) - 1.0) < 0.2, (name, e)


@pytest.mark.parametrize(("method", "order_"), [("euler", 1), ("heun", 2), ("rk4", 4), ("dp54", 5)])
def test_a_free_body_is_turned_with_the_order_of_the_tableau(method: str, order_: int) -> None:
    """No joints at all: the multipliers of orthogonality alone, against Euler's equations."""
    spin = turning_body.COUNTEREXAMPLE
    m = lw.Mechanism("free", gravity=(0.0, 0.0, 0.0))
    m.body("body", mass=1.0, inertia=spin.J.tolist(), angular_velocity=spin.omega.tolist())
    coarsest = {"euler": 2000, "heun": 400, "rk4": 100, "dp54": 40}[method]
    steps, found = [], []
    for k in range(5):
        n = INSTANTS * round(coarsest * 1.6**k / INSTANTS)
        result = lw.simulate(m, 1.0, 1.0 / n, "rotation-matrix", method, every=n // INSTANTS)
        w = turning_body.angular_velocity(spin, result.time)
        wanted = np.array([turning_body.multiplier(spin.J, x) for x in w])
        steps.append(1.0 / n)
        found.append(
            [relative(result.angular_velocity("body"), w), relative(result["multiplier_matrix"][:, 0], wanted)]
        )
    for e in np.array(found).T:
        assert abs(order(np.array(steps), e.tolist()) - order_) < 0.25, e


@pytest.mark.parametrize("method", ["bs32", "dp54", "ts54", "dop853"])
@pytest.mark.parametrize("model", [LINKAGE, PENDULUM])
def test_adaptive_errors_follow_the_tolerance(model: str, method: str) -> None:
    """Nine samples by dense output, from a spinning start and from rest: within a factor over four decades."""
    span, ratios = 0.2, []
    for rtol in (1e-5, 1e-7, 1e-9):
        how: dict[str, Any] = {"rtol": rtol, "atol": 1e-2 * rtol}
        result = lw.simulate(lw.load(model), span, span / INSTANTS, "rotation-matrix", method, **how)
        assert len(result.time) == INSTANTS + 1
        ratios.append(np.abs(state(model, result) - state(model, reference(model, span))).max() / rtol)
    assert all(0.02 < ratio < 300 for ratio in ratios), ratios
    assert max(ratios) / min(ratios) < 50, ratios


@pytest.mark.parametrize("method", ["dp54", "ts54", "dop853"])
def test_adaptive_steps_from_rest_are_as_careful_as_those_on_a_group(method: str) -> None:
    """The Stewart platform loses as much energy, from the first step on: rates are measured against what they are."""
    for rtol in (1e-5, 1e-6):
        lost = []
        for formulation in ("rotation-matrix", "lie-product"):
            result = lw.simulate(lw.load("stewart_platform"), 0.5, 0.02, formulation, method, rtol=rtol)
            lost.append(np.abs(result.energy - result.energy[0])[[5, -1]])
        assert np.all(lost[0] < 5.0 * lost[1].max()), (rtol, lost)
