"""All formulations, and an independent dense computation, give the same accelerations and reactions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism
from oracles import newton_euler_dense

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.formulations import FORMULATIONS
from linkwork.system import compile_mechanism

AGREED = 1e-9
SHIPPED = (
    "gyroscope", "kissel2021_double_pendulum", "kissel2021_single_pendulum", "kissel2021_slider_crank",
    "planar_four_bar", "rolling_disc", "spatial_slider_crank_spring",
)  # fmt: skip


def assert_agree(found: np.ndarray, wanted: np.ndarray, what: str) -> None:
    size = max(1.0, float(np.linalg.norm(wanted)))
    error = float(np.linalg.norm(np.asarray(found) - wanted))
    assert error < AGREED * size, f"{what}: {error / size:.2e} relative"


def compare(mechanism: lw.Mechanism, state: State | None = None) -> None:
    """Every formulation with the oracle: accelerations, G^T lambda, least multipliers, reactions."""
    compiled = compile_mechanism(mechanism.lower())
    if state is not None:
        compiled = state.within(compiled)
    else:
        state = State.start(mechanism)
    wanted = newton_euler_dense.accelerations(compiled, state.time)
    for name in FORMULATIONS:
        found = lw.accelerations(mechanism, state, formulation=name)
        assert_agree(np.hstack([found.rddot, found.omegadot]), wanted.udot, f"{name} accelerations")
        forces = (wanted.G.T @ wanted.multipliers).reshape(-1, 6)
        assert_agree(found.constraint_forces, forces, f"{name} constraint forces")
        assert_agree(found.multipliers, wanted.multipliers, f"{name} multipliers")
        for joint, (force, torque) in wanted.reactions.items():
            scale = np.linalg.norm(forces)
            for got, want in zip(found.reactions[joint], (force, torque), strict=True):
                assert np.linalg.norm(got - want) < 10 * AGREED * max(1.0, scale), f"{name} reaction of {joint!r}"


@pytest.mark.parametrize("model", SHIPPED)
def test_formulations_agree_with_the_oracle_on_shipped_mechanisms(model: str) -> None:
    compare(lw.assemble(lw.load(model)).mechanism)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**31))
def test_formulations_agree_with_the_oracle_on_random_mechanisms(seed: int) -> None:
    compare(random_mechanism(seed))


def test_accelerations_of_a_result_are_those_it_recorded() -> None:
    """To first order: implicit Euler's accelerations are difference quotients of velocities."""
    mechanism = lw.load("spatial_slider_crank_spring")
    coarse, fine = (lw.simulate(mechanism, t_end=0.05, step=h) for h in (1e-3, 1e-4))
    errors = []
    for result in (coarse, fine):
        found = lw.accelerations(mechanism, State.of(result, -1))
        recorded = np.concatenate([result.acceleration(body)[-1] for body in result.bodies])
        errors.append(np.linalg.norm(found.rddot.ravel() - recorded))
    assert errors[1] < 0.2 * errors[0]


def test_states_at_later_times_take_drivers_and_loads_there() -> None:
    mechanism = lw.load("planar_four_bar")
    result = lw.kinematics(mechanism, t_end=0.3, step=0.01)
    for k in (0, 7, -1):
        compare(mechanism, State.of(result, k))
