"""Munthe-Kaas methods keep the order of their tableau, on both groups, on the paper's examples.

The error is that of the whole state, poses and velocities, the largest over ten instants of the run: at single instants
it can vanish by accident. Steps are chosen where the leading error rules: pairs of order 5 need a long span, as
their errors of the next order are large, low orders a short one, as they need so many steps.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from oracles.free import quaternion_rate, rotation_of, solve
from oracles.munthe_kaas import EXAMPLES, RK4, integrate

import linkwork as lw

TOP, PENDULUM, PAIR, LINKAGE = (
    f"muller2013_{name}" for name in ("heavy_top", "spherical_double_pendulum", "floating_pair", "three_bar")
)
INSTANTS = 10
FASTEST = {TOP: 70.0, PENDULUM: 70.0, PAIR: 12.0, LINKAGE: 60.0}  # rad/s
LARGEST, SMALLEST = 1e-4, 1e-11  # errors that are fitted


class Case(NamedTuple):
    """A method on an example: span [s], coarsest steps in the span, growth of their number, how many sizes."""

    model: str
    method: str
    order: int
    span: float
    coarsest: int
    growth: float
    sizes: int
    within: float = 0.1


CASES = (
    Case(TOP, "euler", 1, 0.02, 8000, 2.0, 5),
    Case(TOP, "heun", 2, 0.02, 200, 2.5, 6),
    Case(TOP, "bs32", 3, 0.2, 600, 2.0, 6),
    Case(TOP, "rk4", 4, 0.2, 200, 1.7, 6),
    Case(TOP, "dp54", 5, 2.0, 1000, 1.5, 6),
    Case(TOP, "ts54", 5, 5.0, 3200, 1.5, 5),
    Case(LINKAGE, "euler", 1, 0.03, 8000, 2.0, 5),
    Case(LINKAGE, "heun", 2, 0.03, 100, 2.5, 6),
    Case(LINKAGE, "bs32", 3, 0.2, 250, 2.0, 6),
    Case(LINKAGE, "rk4", 4, 0.2, 100, 1.7, 6),
    Case(LINKAGE, "dp54", 5, 0.2, 60, 1.5, 5),
    Case(PENDULUM, "ts54", 5, 0.3, 220, 1.5, 5),
    Case(LINKAGE, "dop853", 8, 2.0, 300, 1.25, 6, within=0.3),
    Case(PENDULUM, "dop853", 8, 0.5, 230, 1.15, 6, within=0.3),
)
GROUPS = ("lie-se3", "lie-product")


def state(model: str, result: lw.Result) -> np.ndarray:
    """Poses and velocities (nt, 18 nb), velocities over the fastest spin."""
    n, w = len(result.time), FASTEST[model]
    parts = ("position", 1.0), ("rotation", 1.0), ("velocity", 1 / w), ("angular_velocity", 1 / w)
    return np.hstack([scale * result[name].reshape(n, -1) for name, scale in parts])


@cache
def reference(model: str, span: float) -> np.ndarray:
    """By the method of order 8, whose error is at rounding here, on the other choice of groups."""
    n = INSTANTS * max(200, int(400 * span))
    return state(model, lw.simulate(lw.load(model), span, span / n, "lie-mixed", "dop853", every=n // INSTANTS))


def errors(case: Case, group: str) -> tuple[np.ndarray, np.ndarray]:
    """Steps [s] and errors."""
    steps, found = [], []
    for k in range(case.sizes):
        n = INSTANTS * round(case.coarsest * case.growth**k / INSTANTS)
        result = lw.simulate(lw.load(case.model), case.span, case.span / n, group, case.method, every=n // INSTANTS)
        steps.append(case.span / n)
        found.append(np.abs(state(case.model, result) - reference(case.model, case.span)).max())
    return np.array(steps), np.array(found)


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.method}-{case.model[11:]}")
def test_a_method_has_its_order_on_the_group(case: Case, group: str) -> None:
    h, e = errors(case, group)
    fitted = (e < LARGEST) & (e > SMALLEST)
    assert fitted.sum() >= 4, e
    order = np.polyfit(np.log(h[fitted]), np.log(e[fitted]), 1)[0]
    assert abs(order - case.order) < case.within, f"order {order:.3f}, errors {e}"


@pytest.mark.parametrize("group", [*GROUPS, "lie-mixed"])
def test_the_top_moves_as_eulers_equations_about_its_pivot_say(group: str) -> None:
    """An ordinary differential equation without constraints and groups: quaternion and three spins."""
    mechanism = lw.load(TOP)
    result = lw.simulate(mechanism, 1.0, 2e-4, group, "dop853", every=100)
    body = mechanism.lower().bodies[0]
    arm = np.array([0.5, 0.0, 0.0])
    about_pivot = body.inertia + body.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        w = y[4:]
        return np.r_[quaternion_rate(y[:4], w), np.linalg.solve(about_pivot, np.cross(about_pivot @ w, w))]

    y = solve(rates, [1.0, 0.0, 0.0, 0.0, *body.angular_velocity], result.time)
    A, w = np.array([rotation_of(p) for p in y[:, :4]]), y[:, 4:]
    r = A @ arm
    assert np.abs(result.position("top") - r).max() < 1e-10
    assert np.abs(result.rotation("top") - A).max() < 1e-10
    assert np.abs(result.angular_velocity("top") - w).max() < 1e-8


@pytest.mark.parametrize("model", EXAMPLES)
@pytest.mark.parametrize("space", ["se3", "product"])
def test_steps_are_those_of_the_papers_equations(model: str, space: str) -> None:
    """RK4 with the same step on the paper's own systems, by power series and dense matrices: to rounding."""
    h, steps, every = 1e-3, 200, 20
    wanted = integrate(EXAMPLES[model](), space, steps * h, h, RK4, every)
    found = lw.simulate(lw.load(model), steps * h, h, f"lie-{space}", "rk4", every=every)
    assert np.abs(found["position"] - wanted.r).max() < 1e-12
    assert np.abs(found["rotation"] - wanted.R).max() < 2e-12
    assert np.abs(found["velocity"] - wanted.rdot).max() < 1e-10
    assert np.abs(found["angular_velocity"] - wanted.omega).max() < 1e-10


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("method", ["bs32", "dp54", "ts54", "dop853"])
def test_adaptive_errors_follow_the_tolerance(method: str, group: str) -> None:
    """Nine samples by dense output; the error stays within a factor of the tolerance over four decades."""
    span, ratios = 0.2, []
    for rtol in (1e-5, 1e-7, 1e-9):
        result = lw.simulate(lw.load(LINKAGE), span, span / INSTANTS, group, method, rtol=rtol, atol=1e-2 * rtol)
        assert len(result.time) == INSTANTS + 1
        ratios.append(np.abs(state(LINKAGE, result) - reference(LINKAGE, span)).max() / rtol)
    assert all(0.05 < ratio < 300 for ratio in ratios), ratios
    assert max(ratios) / min(ratios) < 30, ratios


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(("method", "order"), [("euler", 1), ("heun", 2), ("rk4", 3), ("dp54", 4), ("dop853", 7)])
def test_dense_output_has_its_order_on_the_group(method: str, order: int, group: str) -> None:
    """Within single steps from the start: the error of the increment, after exp, falls by one order more."""
    model, longest = LINKAGE, {7: 8e-3, 4: 4e-3}.get(order, 1e-3)
    theta = np.array([0.13, 0.31, 0.5, 0.77, 0.93])
    found = []
    for h in (longest, longest / 2):
        how: dict[str, Any] = {"t_eval": h * theta}
        result = lw.simulate(lw.load(model), h, h, group, method, **how)
        assert result.info["steps"] == 1
        exact = lw.simulate(lw.load(model), h, h / 40, group, "dop853", **how)
        found.append(np.abs(state(model, result) - state(model, exact)).max(axis=1))
    slopes = np.log2(found[0] / found[1])
    assert found[1].max() > 1e-14
    assert slopes.mean() > order + 1 - 0.3, (slopes, found)
