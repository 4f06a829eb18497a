"""All formulations, and an independent dense computation, give the same accelerations and reactions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism
from oracles import newton_euler_dense
from oracles.redundant import bricard, n_four_bar

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.errors import UnsupportedElementError
from linkwork.formulations import FORMULATIONS
from linkwork.formulations.lie import groups
from linkwork.solvers import choice
from linkwork.system import compile_mechanism

AGREED = 1e-9
PENALTY_ROUNDING = 10 * 1e6 * float(np.finfo(float).eps)  # of its forces: ten times the factor times the unit roundoff
SHIPPED = (
    "gyroscope", "kissel2021_double_pendulum", "kissel2021_single_pendulum", "kissel2021_slider_crank",
    "muller2013_floating_pair", "muller2013_heavy_top", "muller2013_spherical_double_pendulum", "muller2013_three_bar",
    "planar_four_bar", "rolling_disc", "spatial_slider_crank_spring",
)  # fmt: skip
FLAT = ("kissel2021_four_link",)  # bodies without inertia about an axis that joints hold
SOLVERS = ("range_space", "range_space_dense", "augmented")


def forced(name: str) -> Any:
    """`choice.new_solver`, but always this solver."""
    usual = choice.new_solver
    return lambda mechanism, group, droppable, room, *_, **__: usual(mechanism, group, droppable, room, name)


def assert_agree(found: np.ndarray, wanted: np.ndarray, what: str, agreed: float = AGREED) -> None:
    size = max(1.0, float(np.linalg.norm(wanted)))
    error = float(np.linalg.norm(np.asarray(found) - wanted))
    assert error < agreed * size, f"{what}: {error / size:.2e} relative"


def compare(
    mechanism: lw.Mechanism, state: State | None = None, formulations: Sequence[str] = tuple(FORMULATIONS)
) -> None:
    """Formulations with the oracle: accelerations, G^T lambda, least multipliers, reactions."""
    compiled = compile_mechanism(mechanism.lower())
    if state is not None:
        compiled = state.within(compiled)
    else:
        state = State.start(mechanism)
    wanted = newton_euler_dense.accelerations(compiled, state.time)
    for name in formulations:
        found = lw.accelerations(mechanism, state, formulation=name)
        assert_agree(np.hstack([found.rddot, found.omegadot]), wanted.udot, f"{name} accelerations")
        forces = (wanted.G.T @ wanted.multipliers).reshape(-1, 6)
        agreed = PENALTY_ROUNDING if name == "penalty" else AGREED
        assert_agree(found.constraint_forces, forces, f"{name} constraint forces", agreed)
        if name == "penalty" and np.linalg.matrix_rank(wanted.G, tol=1e-6) < len(wanted.G):
            continue  # redundant rows share a reaction by their prices there, not by least norm
        assert_agree(found.multipliers, wanted.multipliers, f"{name} multipliers", agreed)
        for joint, (force, torque) in wanted.reactions.items():
            scale = np.linalg.norm(forces)
            for got, want in zip(found.reactions[joint], (force, torque), strict=True):
                assert np.linalg.norm(got - want) < 10 * AGREED * max(1.0, scale), f"{name} reaction of {joint!r}"


@pytest.mark.parametrize("model", SHIPPED)
def test_formulations_agree_with_the_oracle_on_shipped_mechanisms(model: str) -> None:
    compare(lw.assemble(lw.load(model)).mechanism)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**31))
@example(seed=1449)  # redundant rows: rounding of penalty comes to 1.2e-9
def test_formulations_agree_with_the_oracle_on_random_mechanisms(seed: int) -> None:
    compare(random_mechanism(seed))


def solved_beside_the_rows(mechanism: Any, A: Any, M: Any, F: Any, G: Any, gamma: Any) -> Any:
    """The oracle's solution where M alone has no inverse: M + G^T G with F + G^T gamma has the same one."""
    rows = G[:, : 6 * mechanism.nb]
    return solved(mechanism, A, M + rows.T @ rows, F + rows.T @ gamma, G, gamma)


solved = newton_euler_dense._solved


@pytest.mark.parametrize("model", FLAT)
def test_bodies_may_lack_inertia_about_an_axis(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a formulation needs the inertia, it says so."""
    mechanism = lw.assemble(lw.load(model)).mechanism
    monkeypatch.setattr(newton_euler_dense, "_solved", solved_beside_the_rows)
    able = []
    for name in FORMULATIONS:
        try:
            compare(mechanism, formulations=(name,))
            able.append(name)
        except UnsupportedElementError as error:
            assert "no inertia" in str(error)  # noqa: PT017
    assert {"rA", "rp", "re", "lie-se3", "lie-product", "lie-mixed"} <= set(able)
    compare(lw.assemble(lw.load("planar_four_bar")).mechanism, formulations=able)  # where both ways have to agree


@pytest.mark.parametrize("solver", SOLVERS)
@settings(max_examples=25)
@given(seed=st.integers(0, 2**31))
def test_every_solver_and_any_choice_of_groups_agrees_with_the_oracle(solver: str, seed: int) -> None:
    mechanism = random_mechanism(seed)
    group = np.random.default_rng(seed).integers(0, 2, len(mechanism.bodies))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "new_solver", forced(solver))
        patch.setattr(groups, "chosen", lambda *given: group)
        compare(mechanism, formulations=("lie-mixed",))


@pytest.mark.parametrize("model", ["bricard", "A02"])
def test_solvers_agree_on_loops_with_redundant_rows(model: str) -> None:
    """Somewhere along the way, not at the start alone."""
    mechanism = {"bricard": bricard, "A02": lambda: n_four_bar(2)}[model]()
    for body in mechanism.bodies:  # A02's bars have no inertia about their lines
        mechanism.change(body.name, inertia=[0.02, 0.08, 0.09])
    result = lw.simulate(mechanism, 0.4, 2e-3, "lie-mixed", "dp54", stabilisation="projection", every=100)
    for k in (1, 2):
        state = State.of(result, k)
        for solver in SOLVERS:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(choice, "new_solver", forced(solver))
                compare(mechanism, state, ("lie-se3", "lie-product", "lie-mixed"))


def test_accelerations_of_a_result_are_those_it_recorded() -> None:
    """To first order: implicit Euler's accelerations are difference quotients of velocities."""
    mechanism = lw.load("spatial_slider_crank_spring")
    coarse, fine = (lw.simulate(mechanism, t_end=0.05, step=h, formulation="rA") for h in (1e-3, 1e-4))
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
