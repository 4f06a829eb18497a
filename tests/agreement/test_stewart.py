"""The Stewart platform, free and actuated: the same motion out of every formulation [Dumitriu 2015, future work].

Explicit runs at h = 1e-3 s with RK4 are near enough to the motion; implicit ones of second order are extrapolated from
two steps. The accuracy asked for is 1e-9 (relative) for accelerations, 1e-6 m for the path over 2 s.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles import newton_euler_dense

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.formulations import FORMULATIONS
from linkwork.run.matching import fitting
from linkwork.system import compile_mechanism

MODELS = ("stewart_platform", "stewart_platform_actuated")
SPAN, INSTANT = 2.0, 0.05  # s
NEAR, AGREED = 1e-6, 1e-9
EXPLICIT = tuple(name for name in FORMULATIONS if "rk4" in fitting(name))
IMPLICIT = tuple(name for name in FORMULATIONS if "generalized-alpha" in fitting(name))


@cache
def model(name: str) -> lw.Mechanism:
    return lw.load(name)


@cache
def path(name: str) -> lw.Result:
    """By the method of order 8, whose error is at rounding here."""
    return run(name, 1e-3, "lie-mixed", "dop853")


def run(name: str, step: float, formulation: str, method: str, **how: Any) -> lw.Result:
    """Sampled every 0.05 s."""
    return lw.simulate(model(name), SPAN, step, formulation, method, every=round(INSTANT / step), **how)


def assert_agree(found: np.ndarray, wanted: np.ndarray, what: str, within: float = AGREED) -> None:
    error = np.linalg.norm(found - wanted) / max(1.0, float(np.linalg.norm(wanted)))
    assert error < within, f"{what}: {error:.1e} relative"


@pytest.mark.parametrize("instant", [0, 17, 40])
@pytest.mark.parametrize("name", MODELS)
def test_all_formulations_agree_on_accelerations_and_reactions(name: str, instant: int) -> None:
    """With dense equations of Newton and Euler, at the start and on the way."""
    state = State.of(path(name), instant)
    wanted = newton_euler_dense.accelerations(state.within(compile_mechanism(model(name).lower())), state.time)
    assert np.linalg.norm(wanted.udot) > 1.0
    for formulation in FORMULATIONS:
        found = lw.accelerations(model(name), state, formulation=formulation)
        assert_agree(np.hstack([found.rddot, found.omegadot]), wanted.udot, f"{formulation} accelerations")
        assert_agree(found.multipliers, wanted.multipliers, f"{formulation} multipliers", 10 * AGREED)
        for joint, (force, torque) in wanted.reactions.items():
            for got, want in zip(found.reactions[joint], (force, torque), strict=True):
                assert np.linalg.norm(got - want) < 1e-7, (formulation, joint)


def test_every_formulation_is_among_those_that_are_run() -> None:
    assert set(EXPLICIT) | set(IMPLICIT) == set(FORMULATIONS)
    assert {"lie-se3", "lie-product", "lie-mixed", "rotation-matrix"} <= set(EXPLICIT)
    assert {"rA", "rp", "re"} <= set(IMPLICIT)


@pytest.mark.parametrize("formulation", EXPLICIT)
@pytest.mark.parametrize("name", MODELS)
def test_explicit_formulations_move_it_the_same_way(name: str, formulation: str) -> None:
    found, wanted = run(name, 1e-3, formulation, "rk4"), path(name)
    assert np.abs(found["position"] - wanted["position"]).max() < 0.05 * NEAR
    assert np.abs(found["rotation"] - wanted["rotation"]).max() < 0.05 * NEAR
    assert found["position_violation"].max() < 1e-8


@pytest.mark.parametrize("formulation", IMPLICIT)
@pytest.mark.parametrize("name", MODELS)
def test_implicit_formulations_move_it_the_same_way(name: str, formulation: str) -> None:
    """Generalized-alpha has an error in even powers at first: two steps tell the limit."""
    coarse, fine = (run(name, h, formulation, "generalized-alpha") for h in (1e-3, 5e-4))
    limit = (4.0 * fine["position"] - coarse["position"]) / 3.0
    wanted = path(name)["position"]
    assert np.abs(limit - wanted).max() < NEAR
    assert np.abs(fine["position"] - wanted).max() < 2e-5
    assert np.abs(fine["position"] - wanted).max() < 0.3 * np.abs(coarse["position"] - wanted).max()


@pytest.mark.parametrize("method", ["dop853", "ts54"])
@pytest.mark.parametrize("how", [{}, {"elimination": "one-shot"}], ids=["newton-euler", "one-shot"])
def test_twelve_parameters_follow_the_path_closely(how: dict[str, Any], method: str) -> None:
    found, wanted = run(MODELS[0], 1e-3, "rotation-matrix", method, **how), path(MODELS[0])
    assert np.abs(found["position"] - wanted["position"]).max() < (1e-11 if method == "dop853" else 1e-9)
    assert found["orthogonality_violation"].max() < (1e-11 if method == "dop853" else 1e-9)
    assert_allclose(found.energy, found.energy[0], atol=1e-7)


def test_dense_and_sparse_matrices_make_no_difference() -> None:
    """But for rounding, which a second elimination order changes."""
    runs = [
        lw.simulate(model(MODELS[1]), 0.1, 1e-3, "rotation-matrix", "rk4", elimination=elimination, matrix=matrix)
        for elimination in ("newton-euler", "two-step", "one-shot")
        for matrix in ("sparse", "dense")
    ]
    for other in runs[1:]:
        assert np.abs(other["position"] - runs[0]["position"]).max() < 1e-10
    for sparse, dense in (runs[:2], runs[2:4], runs[4:]):
        assert np.abs(sparse["position"] - dense["position"]).max() < 1e-13
        assert np.abs(sparse["multiplier_matrix"] - dense["multiplier_matrix"]).max() < 1e-9


@pytest.mark.parametrize("formulation", EXPLICIT)
def test_ten_seconds_lose_less_than_a_millijoule(formulation: str) -> None:
    """Nothing dissipates energy."""
    result = lw.simulate(model(MODELS[0]), 10.0, 2e-3, formulation, "dp54", every=50)
    assert np.abs(result.energy - result.energy[0]).max() < 1e-3
    assert result["position_violation"].max() < 1e-6


def test_multipliers_held_over_a_step_tend_to_the_same_path() -> None:
    """With projection, without which their drift off SO(3) does not stay small: of first order."""
    wanted = path(MODELS[0])["position"]
    errors = [
        np.abs(
            run(MODELS[0], h, "rotation-matrix", "rk4", multipliers="step", stabilisation="projection")["position"]
            - wanted
        ).max()
        for h in (5e-4, 2.5e-4, 1.25e-4)
    ]
    assert errors[-1] < 2e-5
    assert np.log2(errors[0] / errors[1]) > 0.7, errors
    assert np.log2(errors[1] / errors[2]) > 0.7, errors


def test_lambda_of_every_body_of_the_platform_is_recorded() -> None:
    """Symmetric, and none of the thirteen is idle."""
    result = run(MODELS[1], 1e-3, "rotation-matrix", "rk4")
    Lambda = result["multiplier_matrix"]
    assert Lambda.shape == (len(result.time), 13, 3, 3)
    assert_allclose(Lambda, np.swapaxes(Lambda, 2, 3), atol=1e-10)
    assert np.abs(Lambda).max(axis=(0, 2, 3)).min() > 1e-3
