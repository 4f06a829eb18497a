"""Laws under the rotation-matrix formulation: first integrals, drift off SO(3) and off the joints, the validation case.

Rows of ball joints are linear in position and rotation matrix, so that every Runge-Kutta method keeps them to
rounding; A^T A = I and other rows are kept to the method's error [Dumitriu 2015].
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from oracles import double_pendulum as pendulum
from oracles import turning_body as turning
from oracles.redundant import bricard, n_four_bar

import linkwork as lw
from linkwork.judgement.limits import UNENDED

PENDULUM, LINKAGE, PAIR = "dumitriu2015_double_pendulum", "muller2013_three_bar", "muller2013_floating_pair"
ROUNDING = 1e-12
ELIMINATIONS = ("newton-euler", "two-step", "one-shot")


def run(model: str | lw.Mechanism, t_end: float, step: float, method: str = "rk4", **how: Any) -> lw.Result:
    mechanism = lw.load(model) if isinstance(model, str) else model
    return lw.simulate(mechanism, t_end, step, "rotation-matrix", method, **how)


def largest(result: lw.Result, name: str) -> float:
    return float(np.abs(result[name]).max())


def hinged() -> lw.Mechanism:
    """Two bodies on hinges about different axes, let go sideways."""
    m = lw.Mechanism("hinged", gravity=(0.0, 0.0, -9.81))
    m.body("first", mass=1.0, inertia=[0.02, 0.03, 0.04], position=(0.3, 0.1, 0.0))
    m.body("second", mass=0.6, inertia=[0.01, 0.015, 0.02], position=(0.7, 0.2, -0.1))
    m.joint("shoulder", "revolute", "ground", "first", point=(0, 0, 0), axis=(0.0, 0.8, 0.6))
    m.joint("elbow", "revolute", "first", "second", point=(0.5, 0.1, 0.0), axis=(0.6, 0.0, 0.8))
    return m


# a body that turns freely ---------------------------------------------------------------------------------------


def spinning(spin: turning.Spin) -> lw.Mechanism:
    """Turned and moving at the start, which changes nothing of what follows but the axes of Lambda."""
    m = lw.Mechanism("spinning", gravity=(0.0, 0.0, 0.0))
    m.body(
        "body",
        mass=1.3,
        inertia=spin.J.tolist(),
        position=(0.3, -0.2, 0.5),
        rotation={"axis": [0.6, 0.0, 0.8], "angle": 0.7},
        velocity=(0.1, 0.2, -0.3),
        angular_velocity=spin.omega.tolist(),
    )
    return m


def in_the_body(result: lw.Result) -> np.ndarray:
    """Lambda in body components (nt, 3, 3)."""
    A_0 = result.rotation("body")[0]
    return A_0.T @ result["multiplier_matrix"][:, 0] @ A_0


@cache
def free(elimination: str, method: str, step: float) -> lw.Result:
    return run(spinning(turning.COUNTEREXAMPLE), 5.0, step, method, elimination=elimination)


@pytest.mark.parametrize("elimination", ELIMINATIONS)
def test_lambda_of_a_free_body_is_the_closed_form(elimination: str) -> None:
    """Along the motion that Euler's equations give."""
    result = free(elimination, "dop853", 5e-3)
    w = turning.angular_velocity(turning.COUNTEREXAMPLE, result.time)
    assert_allclose(result.angular_velocity("body"), w, atol=1e-10)
    wanted = np.array([turning.multiplier(turning.COUNTEREXAMPLE.J, x) for x in w])
    assert_allclose(in_the_body(result), wanted, atol=1e-9)
    assert_allclose(result["multiplier_matrix"], np.swapaxes(result["multiplier_matrix"], 2, 3), atol=1e-12)


@pytest.mark.parametrize("elimination", ELIMINATIONS)
def test_both_true_first_integrals_are_constant(elimination: str) -> None:
    """tr(-Lambda) = 2 T and tr(K^-1 Lambda K^-1), which follows from energy and |H|."""
    J, w = turning.COUNTEREXAMPLE
    over = np.linalg.inv(turning.poinsot(J))
    result = free(elimination, "dop853", 5e-3)
    Lambda = in_the_body(result)
    first = -np.trace(Lambda, axis1=1, axis2=2)
    second = np.trace(over @ Lambda @ over, axis1=1, axis2=2)
    assert_allclose(first, turning.twice_energy(J, w), rtol=1e-11)
    assert_allclose(first, 2.0 * (result["kinetic_energy"] - 0.5 * 1.3 * 0.14), rtol=1e-11)
    assert_allclose(second, turning.second_integral(J, w), rtol=1e-11)


def test_first_integrals_drift_with_the_methods_order() -> None:
    J, w = turning.COUNTEREXAMPLE
    drifts = []
    for step in (1e-2, 5e-3):
        first = -np.trace(in_the_body(free("newton-euler", "rk4", step)), axis1=1, axis2=2)
        drifts.append(np.abs(first - turning.twice_energy(J, w)).max())
    assert drifts[1] > 1e-12
    assert np.log2(drifts[0] / drifts[1]) > 3.7, drifts


def test_eigenvalues_of_lambda_are_not_constant_in_general() -> None:
    """The paper quotes that they are; a body with three different moments, spun about no axis of its own, says no."""
    result = free("newton-euler", "dop853", 5e-3)
    values = np.linalg.eigvalsh(-result["multiplier_matrix"][:, 0])
    assert_allclose(values[0], (0.58, 23.1, 40.3), atol=0.06)
    assert_allclose(values[np.argmin(np.abs(result.time - 2.0))], (0.79, 26.9, 36.3), atol=0.06)
    assert np.all(values > -1e-10), "-Lambda is positive semi-definite"


@pytest.mark.parametrize(
    "spin",
    [
        turning.Spin(np.diag([3.0, 3.0, 5.0]), np.array([1.0, 2.0, 3.0])),
        turning.Spin(np.diag([4.0, 4.0, 4.0]), np.array([1.0, 2.0, 3.0])),
        turning.Spin(np.diag([3.0, 4.0, 5.0]), np.array([0.0, 0.0, 3.0])),
    ],
    ids=["axis of symmetry", "ball", "about a principal axis"],
)
def test_eigenvalues_are_constant_for_symmetric_bodies_and_steady_spins(spin: turning.Spin) -> None:
    values = np.linalg.eigvalsh(-run(spinning(spin), 5.0, 5e-3, "dop853")["multiplier_matrix"][:, 0])
    assert_allclose(values, np.broadcast_to(values[0], values.shape), atol=1e-9)


# energy and momentum --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "order"), [("heun", 2), ("bs32", 3), ("rk4", 4), ("dp54", 5)])
@pytest.mark.parametrize("model", [PENDULUM, LINKAGE])
def test_energy_drifts_with_the_order_of_the_method_at_least(model: str, method: str, order: int) -> None:
    h = {2: 4e-4, 3: 1e-3, 4: 2e-3, 5: 2e-3}[order] * (5.0 if model == PENDULUM else 1.0)
    drifts = []
    for step in (h, h / 2):
        energy = run(model, 0.2, step, method).energy
        drifts.append(float(np.abs(energy - energy[0]).max()))
    assert drifts[1] > 1e-14
    assert np.log2(drifts[0] / drifts[1]) > order - 0.3, drifts


@pytest.mark.parametrize("elimination", ELIMINATIONS)
def test_momentum_of_floating_bodies_is_kept(elimination: str) -> None:
    """Linear momentum to rounding, as it is linear in the parameters' rates; angular with the method's error."""
    m = lw.load(PAIR)
    drifts = []
    for step in (2e-3, 1e-3):
        result = run(m, 1.0, step, elimination=elimination)
        linear, angular = np.zeros((len(result.time), 3)), np.zeros((len(result.time), 3))
        for b in m.lower().bodies:
            p = b.mass * result.velocity(b.name)
            linear += p
            H = result.angular_velocity(b.name) @ np.asarray(b.inertia)
            angular += np.cross(result.position(b.name), p) + np.einsum("nij,nj->ni", result.rotation(b.name), H)
        assert np.abs(linear - linear[0]).max() < 1e-12
        drifts.append(np.abs(angular - angular[0]).max())
    assert np.log2(drifts[0] / drifts[1]) > 3.7, drifts


# drift ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["euler", "heun", "rk4", "dp54", "dop853"])
@pytest.mark.parametrize("elimination", ELIMINATIONS)
@pytest.mark.parametrize("model", [PENDULUM, LINKAGE])
def test_ball_joints_are_kept_by_any_method(model: str, elimination: str, method: str) -> None:
    """Positions and velocities, whatever the step; rotations are not, though the linkage spins at 60 rad/s."""
    step = 2e-4 if method == "euler" else 1e-3
    result = run(model, 0.3, step, method, elimination=elimination)
    assert largest(result, "position_violation") < ROUNDING
    if method in ("euler", "heun", "rk4"):
        assert largest(result, "orthogonality_violation") > 1e3 * largest(result, "position_violation")


@pytest.mark.parametrize(("method", "order"), [("heun", 2), ("rk4", 4)])
def test_rotations_and_hinges_drift_with_the_methods_order(method: str, order: int) -> None:
    """Hinges have rows that are products of parameters, which no method keeps."""
    steps = (2e-3, 1e-3) if method == "heun" else (1e-2, 5e-3)
    found = [run(hinged(), 2.0, h, method) for h in steps]
    for name in ("orthogonality_violation", "position_violation"):
        coarse, fine = (largest(r, name) for r in found)
        assert fine > 1e-14, name
        assert np.log2(coarse / fine) > order - 0.4, (name, coarse, fine)


@pytest.mark.parametrize("elimination", ELIMINATIONS)
def test_what_rounding_leaves_of_orthogonality_does_not_grow_exponentially(elimination: str) -> None:
    """By the method of order 8 rounding is all there is."""
    result = run(PENDULUM, 10.0, 2e-3, "dop853", elimination=elimination)
    assert largest(result, "orthogonality_violation") < 1e-11
    assert largest(result, "position_violation") < 1e-11


@pytest.mark.parametrize("every", [1, 5])
def test_putting_rotations_back_costs_the_ball_joints(every: int) -> None:
    """A is orthonormal whenever it is put back; the joints, which were kept without it, drift with its corrections."""
    plain = run(LINKAGE, 0.3, 1e-3)
    result = run(LINKAGE, 0.3, 1e-3, orthonormalise_every=every)
    off = result["orthogonality_violation"].max(axis=1)
    assert off[::every].max() < 1e-14
    if every > 1:
        assert off.max() > 1e-9
    assert largest(plain, "position_violation") < ROUNDING < 1e-9 < largest(result, "position_violation")
    assert largest(result, "position_violation") < 1e-4
    assert result.info["orthonormalise_every"] == every


def test_rotations_are_put_back_every_so_many_steps_whatever_is_projected_between() -> None:
    """Projections put them back, too, and are no steps."""
    result = run(LINKAGE, 0.06, 1e-3, stabilisation="projection", project_every=10, orthonormalise_every=4)
    off = result["orthogonality_violation"].max(axis=1)
    k = np.arange(len(off))
    due = (k % 4 == 0) | (k % 10 == 0)
    assert off[due].max() < 1e-14
    assert off[~due].min() > 1e-13


@pytest.mark.parametrize("elimination", ELIMINATIONS)
@pytest.mark.parametrize("model", [LINKAGE, PENDULUM, "planar_four_bar", "stewart_platform"])
def test_projection_holds_joints_and_rotations(model: str, elimination: str) -> None:
    result = run(model, 0.2, 1e-3, stabilisation="projection", elimination=elimination)
    assert largest(result, "position_violation") < 1e-11
    assert largest(result, "velocity_violation") < 1e-10
    assert largest(result, "orthogonality_violation") < 1e-14


@pytest.mark.parametrize("elimination", ELIMINATIONS)
def test_baumgarte_holds_joints_and_rotations_within_the_methods_error(elimination: str) -> None:
    plain = run(hinged(), 2.0, 1e-2, elimination=elimination)
    held = run(hinged(), 2.0, 1e-2, elimination=elimination, stabilisation="baumgarte", baumgarte=(10.0, 10.0))
    for name in ("orthogonality_violation", "position_violation"):
        assert largest(held, name) < 0.5 * largest(plain, name), name


def test_baumgarte_brings_back_what_is_off() -> None:
    """Two sizes of step, one off SO(3) at the same time: with gains the drift stays bounded over a long run."""
    early, late = (
        run(hinged(), t, 1e-2, "heun", stabilisation="baumgarte", baumgarte=(10.0, 10.0)) for t in (2.0, 10.0)
    )
    assert largest(late, "orthogonality_violation") < 5.0 * largest(early, "orthogonality_violation")
    assert largest(late, "position_violation") < 5.0 * largest(early, "position_violation")


# loops, redundant rows, rank changes ------------------------------------------------------------------------------


@pytest.mark.parametrize("elimination", ELIMINATIONS)
@pytest.mark.parametrize("make", [bricard, lambda: n_four_bar(2)], ids=["bricard", "A02"])
def test_loops_with_redundant_rows_move_as_with_increments_on_a_group(make: Any, elimination: str) -> None:
    mechanism = make()
    for body in mechanism.bodies:  # A02's bars have no extent across their lines
        mechanism.change(body.name, inertia=[0.05, 0.08, 0.09])
    how: dict[str, Any] = {"stabilisation": "projection", "every": 50}
    found = run(mechanism, 0.5, 1e-3, elimination=elimination, **how)
    wanted = lw.simulate(mechanism, 0.5, 1e-3, "lie-product", "rk4", **how)
    assert any("imply" in text for text in found.messages)
    assert np.abs(found["position"] - wanted["position"]).max() < 1e-8
    assert np.abs(found["rotation"] - wanted["rotation"]).max() < 1e-8
    size = np.abs(wanted["multiplier"]).max()
    assert np.abs(found["multiplier"] - wanted["multiplier"]).max() < 1e-6 * size


@pytest.mark.parametrize("method", ["rk4", "dp54"])
@pytest.mark.parametrize(
    "how", [{}, {"matrix": "dense"}, {"elimination": "one-shot"}, {"orthonormalise_every": 3}], ids=str
)
def test_positions_where_rows_are_lost_are_passed_evenly(how: dict[str, Any], method: str) -> None:
    """A parallelogram, flat at 1 s and 3 s: rows come back exactly met, so that the second time is like the first."""
    result = run(parallelogram(), 3.5, 1e-3, method, **how)
    assert any("lose rank" in text for text in result.messages)
    assert np.abs(result.energy - result.energy[0]).max() < 1e-9
    assert largest(result, "position_violation") < 1e-10
    u = np.pi / 2 * (1 + result.time)
    arm = np.stack([np.cos(u), 0 * u, np.sin(u)], axis=1)
    assert_allclose(result.position("crank"), arm / 2, atol=1e-8)
    assert_allclose(result.position("coupler"), arm + np.array([1.0, 0.0, 0.0]), atol=1e-8)


def parallelogram() -> lw.Mechanism:
    """Cranks of 1 m, 2 m apart, turning at pi/2 rad/s without weight."""
    bar: dict[str, Any] = {"mass": 1.0, "inertia": [0.01, 0.1, 0.1]}
    turn: dict[str, Any] = {
        "rotation": [[0, 0, -1], [0, 1, 0], [1, 0, 0]],
        "velocity": (-np.pi / 4, 0, 0),
        "angular_velocity": (0, -np.pi / 2, 0),
    }
    m = lw.Mechanism("parallelogram", gravity=(0, 0, 0))
    m.body("crank", **bar, **turn, position=(0, 0, 0.5))
    m.body("rocker", **bar, **turn, position=(2, 0, 0.5))
    m.body("coupler", **bar, position=(1, 0, 1), velocity=(-np.pi / 2, 0, 0))
    m.joint("pivot", "revolute", "ground", "crank", point=(0, 0, 0), axis=(0, -1, 0))
    m.joint("cross", "universal", "crank", "coupler", point=(0, 0, 1), axis=(0, 1, 0), axis2=(0, 0, 1))
    m.joint("ball", "spherical", "coupler", "rocker", point=(2, 0, 1))
    m.joint("far pivot", "revolute", "ground", "rocker", point=(2, 0, 0), axis=(0, -1, 0))
    return m


# the validation case ----------------------------------------------------------------------------------------------


@cache
def bars() -> pendulum.Bars:
    return pendulum.motion(np.arange(10001) * 1e-3)


@cache
def hanging(elimination: str, method: str = "rk4") -> lw.Result:
    return run(PENDULUM, 10.0, 1e-3, method, elimination=elimination)


def angles(result: lw.Result) -> np.ndarray:
    """phi, psi (nt, 2), the angles of the bars from x0."""
    along = (result.rotation(bar)[:, :2, 0] for bar in ("bar 1", "bar 2"))
    return np.stack([np.unwrap(np.arctan2(e[:, 1], e[:, 0])) for e in along], axis=1)


@pytest.mark.parametrize("elimination", ELIMINATIONS)
def test_angles_of_the_double_pendulum_are_within_a_microradian(elimination: str) -> None:
    """Over 10 s at h = 1e-3 s with RK4 and multipliers of every stage."""
    assert np.abs(angles(hanging(elimination)) - bars().angle).max() < 1e-6


def test_angles_of_the_double_pendulum_by_order_8_are_those_of_the_reference() -> None:
    assert np.abs(angles(hanging("two-step", "dop853")) - bars().angle).max() < 1e-11


@pytest.mark.parametrize("elimination", ELIMINATIONS)
def test_nothing_leaves_the_plane(elimination: str) -> None:
    result = hanging(elimination)
    A, Lambda = result["rotation"], result["multiplier_matrix"]
    out = [
        result["position"][:, :, 2], result["velocity"][:, :, 2], result["angular_velocity"][:, :, :2],
        A[:, :, 2, :2], A[:, :, :2, 2], A[:, :, 2, 2] - 1.0, Lambda[:, :, 2, :], Lambda[:, :, :, 2],
        result["pseudo_translation"][:, :, 2], result["reaction_force"][:, :, 2],
    ]  # fmt: skip
    assert max(float(np.abs(x).max()) for x in out) < 1e-14


@pytest.mark.parametrize(("elimination", "method", "within"), [("two-step", "rk4", 1e-5), ("one-shot", "rk4", 1e-5),
                                                              ("two-step", "dop853", 1e-10)])  # fmt: skip
def test_all_multipliers_of_the_double_pendulum(elimination: str, method: str, within: float) -> None:
    """Lambda of both bars along x0, y0, z0, and the paper's joint vectors, which act on the first body of a pair."""
    result, wanted = hanging(elimination, method), pendulum.multipliers(bars())
    Lambda = result["multiplier_matrix"]
    for found, value in (
        (Lambda[:, result.bodies.index("bar 1")], wanted.Lambda_1),
        (Lambda[:, result.bodies.index("bar 2")], wanted.Lambda_2),
        (-result.reaction("O").force, wanted.Lambda_01),
        (-result.reaction("H1").force, wanted.Lambda_12),
    ):
        assert np.abs(found - value).max() < within
    assert np.abs(Lambda).max() > 0.05
    assert_allclose(Lambda, np.swapaxes(Lambda, 2, 3), atol=1e-12)


def test_pseudo_translations_are_where_the_bodies_carry_the_origin() -> None:
    """T* = r - R r_0, zero at the start [eqs. 1, 4]; of bar 1, which turns about the origin, always."""
    result = hanging("two-step")
    T = result["pseudo_translation"]
    assert_allclose(T[0], 0.0, atol=1e-16)
    assert np.abs(T[:, result.bodies.index("bar 1")]).max() < 1e-13
    k = result.bodies.index("bar 2")
    R = result.rotation("bar 2") @ result.rotation("bar 2")[0].T
    r = result.position("bar 2")
    assert_allclose(T[:, k], r - R @ r[0], atol=1e-13)
    assert np.abs(T[:, k]).max() > 0.05


def test_energy_of_the_double_pendulum() -> None:
    result = hanging("two-step")
    wanted = pendulum.energy(bars())
    assert np.abs(result.energy - result.energy[0]).max() < 1e-7
    assert result.energy[0] == pytest.approx(wanted[0], abs=1e-12)


# what every method records ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["euler", "heun", "rk4", "bs32", "dp54", "ts54", "dop853"])
@pytest.mark.parametrize("multipliers", ["stage", "step"])
def test_recorded_multipliers_belong_to_the_recorded_state(method: str, multipliers: str) -> None:
    """Whatever the tableau: methods whose last stage is the next first, too."""
    mechanism = lw.load(PENDULUM)
    result = run(mechanism, 0.05, 1e-3, method, multipliers=multipliers, every=10)
    last, wanted = bars(), pendulum.multipliers(bars())
    k = np.searchsorted(np.arange(10001) * 1e-3, result.time - 1e-9)
    assert result.time[-1] == pytest.approx(k[-1] * 1e-3)
    assert np.abs(angles(result) - last.angle[k]).max() < 5e-3
    near = 1e-2 if method == "euler" or multipliers == "step" else 1e-4
    assert np.abs(result["multiplier_matrix"][:, 0] - wanted.Lambda_1[k]).max() < near
    assert np.ptp(wanted.Lambda_1[k], axis=0).max() > 5e-2 * np.abs(wanted.Lambda_1).max()


@pytest.mark.parametrize("multipliers", ["stage", "step"])
def test_adaptive_steps_and_chosen_times(multipliers: str) -> None:
    """Samples by dense output carry their own Lambda."""
    times = np.array([0.0, 0.0303, 0.1, 0.2501, 0.3])
    rtol = 1e-9 if multipliers == "stage" else 1e-5
    how = {"rtol": rtol, "atol": 1e-2 * rtol, "multipliers": multipliers}
    if multipliers == "step":
        how["max_step"] = 1e-3  # what holding them costs the estimate does not see: see the next test
    result = run(PENDULUM, 0.3, 1e-2, "dp54", t_eval=times, **how)
    assert_array_equal(result.time, times)
    wanted = pendulum.motion(times)
    Lambda = pendulum.multipliers(wanted)
    near = 1e-6 if multipliers == "stage" else 2e-2
    assert np.abs(angles(result) - wanted.angle).max() < near
    assert np.abs(result["multiplier_matrix"][:, 0] - Lambda.Lambda_1).max() < near
    fixed = run(PENDULUM, 0.3, 1e-2, "dp54", **how)
    assert len(fixed.time) == 31


def test_an_error_estimate_does_not_see_that_multipliers_are_held() -> None:
    """All stages share them, so that what holding costs drops out of the difference of two methods."""
    off = {}
    for rtol in (1e-5, 1e-8):
        result = run(PENDULUM, 0.3, 1e-2, "dp54", rtol=rtol, atol=1e-2 * rtol, multipliers="step", limits=UNENDED)
        off[rtol] = np.abs(angles(result)[-1] - pendulum.motion(result.time).angle[-1]).max()
    assert off[1e-5] > 1e3 * 1e-5
    assert off[1e-8] > 1e3 * 1e-8


@pytest.mark.parametrize(("elimination", "off"), [("two-step", 0.1784), ("one-shot", 0.1784)])
def test_held_multipliers_let_rotations_drift_as_eq_25_does(elimination: str, off: float) -> None:
    """10 s of the paper's case at 1 ms, A^T A = I put in wherever it is in eq. 25 and nowhere else: both ways alike."""
    result = run(PENDULUM, 10.0, 1e-3, multipliers="step", elimination=elimination, limits=UNENDED)
    assert largest(result, "orthogonality_violation") == pytest.approx(off, abs=1e-4)
    assert result.info["elimination"] == elimination


def test_eq_25_holds_rotations_better_than_the_exact_equations_do() -> None:
    """Multipliers of every stage: the regulating role that the paper suspects, on its own case."""
    exact, printed = (largest(hanging(e), "orthogonality_violation") for e in ("newton-euler", "two-step"))
    assert printed < 0.1 * exact


def test_results_come_back_from_files_with_what_is_their_own(tmp_path: Path) -> None:
    result = run(PENDULUM, 0.02, 1e-3, out=tmp_path / "run.nc")
    again = lw.open_result(tmp_path / "run.nc")
    kept = run(PENDULUM, 0.02, 1e-3)
    kept.save(tmp_path / "saved.nc")
    saved = lw.open_result(tmp_path / "saved.nc")
    for name, shape in (
        ("multiplier_matrix", (21, 2, 3, 3)),
        ("pseudo_translation", (21, 2, 3)),
        ("orthogonality_violation", (21, 2)),
    ):
        for other in (result, again, saved):
            assert other[name].shape == shape
            assert_array_equal(other[name], kept[name])
    dataset = again.dataset
    assert dataset["multiplier_matrix"].dims == ("time", "body", "xyz", "xyz_body")
    assert dataset["multiplier_matrix"].attrs["units"] == "J"
    assert dataset["pseudo_translation"].attrs["units"] == "m"
    assert again.info["elimination"] == "newton-euler"
    assert again.info["multipliers"] == "stage"
    assert "multiplier_matrix" not in lw.simulate(lw.load(PENDULUM), 0.01, 1e-3, "lie-product")


@pytest.mark.parametrize("how", [{}, {"elimination": "one-shot"}, {"multipliers": "step"}])
def test_the_same_run_gives_the_same_bits(how: dict[str, Any]) -> None:
    first, second = (run("stewart_platform", 0.02, 1e-3, **how) for _ in range(2))
    for name in ("position", "rotation", "velocity", "multiplier", "multiplier_matrix"):
        assert_array_equal(first[name], second[name])
