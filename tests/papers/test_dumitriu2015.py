"""Dumitriu 2015: every figure's verdict, the error analysis, and the study's own closed forms against the oracles."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles import double_pendulum as pendulum
from oracles import rotation_matrix_dense as dense
from oracles import rotation_matrix_parts as parts
from oracles import turning_body as turning

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.errors import ConvergenceError
from linkwork.studies import timing
from linkwork.studies.papers.dumitriu2015 import (
    PAPER,
    case,
    drift,
    elimination,
    errors,
    integrals,
    regulation,
    stewart,
    stewart_speed,
)
from linkwork.studies.runs import Runs
from linkwork.system import compile_mechanism


@pytest.fixture(scope="module")
def runs() -> Runs:
    """Shared by all items, as in `linkwork reproduce`."""
    return Runs()


def item(name: str, runs: Runs):
    (chosen,) = PAPER.chosen([name])
    return chosen.run(runs)


# the reference ----------------------------------------------------------------------------------------------


def test_the_reference_is_exact():
    """Against extrapolation in extended precision, and the oracle's multipliers."""
    exact = case.reference()
    extended = pendulum.motion_extended(10.0, 400).astype(float)
    assert_allclose(exact.angle[::25], extended[:, :2], atol=1e-13)
    assert_allclose(exact.rate[::25], extended[:, 2:], atol=1e-12)
    wanted = pendulum.multipliers(pendulum.motion(exact.time[::1000]))
    assert_allclose(exact.joint_multipliers()[0][::1000], wanted.Lambda_01, atol=1e-12)
    assert_allclose(exact.joint_multipliers()[1][::1000], wanted.Lambda_12, atol=1e-12)
    assert_allclose(exact.multiplier_matrix(0)[::1000], wanted.Lambda_1, atol=1e-13)
    assert_allclose(exact.multiplier_matrix(1)[::1000], wanted.Lambda_2, atol=1e-13)


def test_the_mechanism_is_the_references():
    bodies = lw.load(case.MODEL).lower().bodies
    assert [body.mass for body in bodies] == [case.m, case.m]
    assert_allclose([body.inertia[2][2] for body in bodies], case.C, rtol=1e-14)
    assert_allclose(1e4 * case.C, 3.636, atol=5e-4)


# figures ----------------------------------------------------------------------------------------------------


def test_angles(runs):
    """The issue's figure: 1e-6 rad over 10 s at h = 1e-3, and nothing out of the plane."""
    found = item("figure 2", runs)
    assert found.verdict == "agrees", found.measured
    assert found.numbers["largest error of the angles [rad]"] == pytest.approx(1.39e-8, rel=0.05)
    assert found.numbers["largest error, newton-euler [rad]"] == pytest.approx(8.3e-7, rel=0.02)
    assert found.numbers["largest component along z0 [m, 1]"] < 1e-14
    assert 0.1 < found.numbers["largest error, multipliers held over the step [rad]"] < 1.0


@pytest.mark.parametrize("number", [3, 4])
def test_multiplier_matrices(number, runs):
    found = item(f"figure {number}", runs)
    assert found.verdict == "agrees", found.measured
    assert found.numbers["off the closed form [N m]"] < 5e-7
    assert found.numbers["largest of the other elements [N m]"] == 0.0


@pytest.mark.parametrize("number", [5, 6])
def test_joint_multipliers_act_on_the_first_body(number, runs):
    """Ground is pulled down by bar 1, bar 1 by bar 2: x0 points down."""
    found = item(f"figure {number}", runs)
    assert found.verdict == "agrees", found.measured
    assert found.numbers["off Newton's law [N]"] < 5e-6
    index = {5: "01", 6: "12"}[number]
    assert found.numbers[f"Λ{index},x at the start [N]"] > 0.0


# the error analysis -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", errors.METHODS)
def test_orders_with_multipliers_of_every_stage(method, runs):
    order = errors.METHODS[method]
    found = errors.converge(runs, "stage", method).order
    # pairs of order 5 have small leading errors, so that the next order shows
    assert order - 0.1 < found < order + (0.1 if order < 5 else 0.7)


@pytest.mark.parametrize("method", ["euler", "rk4", "dop853"])
def test_held_multipliers_leave_order_1(method, runs):
    assert errors.converge(runs, "step", method).order == pytest.approx(1.0, abs=0.02)


def test_drift(runs):
    """R^T R - I grows like t^2 and no faster, ball joints are kept; put back on SO(3), it is the other way round."""
    alone = drift.attempt(runs, 10.0, "rk4", "stage", "none")
    off = drift.orthogonality(alone)
    assert off[-1] / off[len(off) // 2] == pytest.approx(4.0, rel=0.2)
    assert drift.worst(runs, alone)[2] < 1e-12
    put = drift.worst(runs, drift.attempt(runs, 10.0, "rk4", "stage", "orthonormalised every step"))
    assert put[0] < 2e-8
    assert put[1] < 1e-15
    assert 1e-9 < put[2] < 1e-7
    projected = drift.worst(runs, drift.attempt(runs, 10.0, "rk4", "stage", "projection"))
    assert max(projected[1:3]) < 1e-12
    assert projected[3] < 1e-10
    held = drift.worst(runs, drift.attempt(runs, 10.0, "rk4", "step", "none"))
    assert held[1] == pytest.approx(
        0.1784, abs=1e-3
    )  # 1.1 if the first stage puts R^T R = I in where later ones do not
    printed = drift.worst(runs, drift.attempt(runs, 10.0, "rk4", "stage", drift.PRINTED))
    assert printed[1] < 0.1 * off.max()  # eq. 25 regulates
    assert drift.power(alone) == pytest.approx(2.0, abs=0.2)
    best = drift.worst(runs, drift.attempt(runs, 10.0, "dop853", "stage", "none"))
    assert max(best) < 2e-13


@pytest.mark.parametrize("form", regulation.FORMS)
@pytest.mark.parametrize("k", [0, 1])
def test_what_becomes_of_an_error_of_orthogonality(form, k):
    """eps_dd of the oracle's accelerations near SO(3) is eps N + N^T eps, up to eps squared."""
    at, size = 2500, 1e-7
    bars = pendulum.motion([0.0, case.reference().time[at]])
    r, A, v, _ = (x[1] for x in pendulum.places(bars))
    spin = bars.rate[1][:, None] * np.array([0.0, 0.0, 1.0])
    mechanism = State(r, A, v, spin).within(compile_mechanism(lw.load(case.MODEL).lower()))
    frames = parts.body_frames(mechanism)
    place = parts.placed(mechanism, frames)
    eps = np.zeros((3, 3))
    eps[:2, :2] = size * np.array([[0.6, -0.3], [-0.3, 1.0]])
    R, Rdot = place.R.copy(), place.Rdot.copy()
    stretch = np.eye(3) + eps / 2  # R^T R = I + eps at rest of eps
    R[k], Rdot[k] = R[k] @ stretch, Rdot[k] @ np.linalg.inv(stretch)
    equations = parts.equations(mechanism, frames, place._replace(R=R, Rdot=Rdot), 0.0)
    Rdd = dense.two_step(equations, {"R S": "inertia"}.get(form, form)).Rdd[k]
    found = R[k].T @ Rdd + Rdd.T @ R[k] + 2.0 * Rdot[k].T @ Rdot[k]
    N = regulation.operator(k, form)[at]
    wanted = eps[:2, :2] @ N + N.T @ eps[:2, :2]
    assert_allclose(found[:2, :2], wanted, atol=1e-4 * size * max(1.0, np.abs(N).max()))
    assert_allclose(found[2], 0.0, atol=1e-4 * size)


def test_multipliers_regulate_in_eq_25_only(runs):
    found = item("regulation", runs)
    assert found.verdict == "agrees in part"
    assert found.numbers["bar 2, eq. 25"] < 1.0
    assert found.numbers["bar 2, exact"] == pytest.approx(10.0, rel=1e-6)
    assert found.numbers["bar 2, R S"] > 1e9


# first integrals --------------------------------------------------------------------------------------------


def test_first_integrals(runs):
    found = item("first-integrals", runs)
    assert found.verdict == "agrees in part"
    assert found.numbers["largest relative change of the two integrals [1]"] < 1e-11
    assert found.numbers["tr(-Λ) over 2 T, off one [1]"] < 1e-11
    assert found.numbers["least eigenvalue of -Λ [N m]"] > -1e-12
    assert found.numbers["axis of symmetry, relative change of the eigenvalues [1]"] < 1e-11
    assert found.numbers["steady spin, relative change of the eigenvalues [1]"] < 1e-11
    counted = [[found.numbers[f"three moments, eigenvalue {k} at {t} s [N m]"] for k in (1, 2, 3)] for t in (0, 2)]
    assert_allclose(counted, [[0.58, 23.1, 40.3], [0.79, 26.9, 36.3]], rtol=7e-3)


def test_multipliers_of_turning_bodies_are_the_oracles():
    result = integrals.turning()
    for body, (moments, omega) in integrals.BODIES.items():
        J = np.diag(moments)
        wanted = [
            turning.multiplier(J, w)
            for w in turning.angular_velocity(turning.Spin(J, np.array(omega)), result.time[::2000])
        ]
        assert_allclose(result["multiplier_matrix"][::2000, result.index("body", body)], wanted, atol=1e-9)
        second = integrals.integrals(result, body)[1][0]
        assert second == pytest.approx(turning.second_integral(J, np.array(omega)), rel=1e-12)


def test_minus_lambda_is_volume_times_mean_stress():
    """The upper of two hanging bars carries 2 mg at its top and mg at its foot, the lower mg and nothing."""
    bars = [
        {"name": f"bar {k}", "mass": 0.5, "shape": {"type": "box", "size": [0.2, 0.02, 0.01]}, "position": [x, 0, 0]}
        for k, x in ((1, 0.1), (2, 0.3))
    ]
    balls = [
        {"name": f"ball {k}", "type": "spherical", "first": first, "second": f"bar {k}", "point": [x, 0, 0]}
        for k, first, x in ((1, "ground", 0.0), (2, "bar 1", 0.2))
    ]
    mechanism = lw.Mechanism("hanging", bars, balls, gravity=(9.81, 0, 0))
    Lambda = lw.simulate(mechanism, 1e-3, 1e-3, "rotation-matrix")["multiplier_matrix"][0]
    pull = 0.5 * 9.81 * 0.2
    assert_allclose(Lambda, [np.diag([-1.5 * pull, 0, 0]), np.diag([-0.5 * pull, 0, 0])], atol=1e-15)


# eliminations and the Stewart platform ----------------------------------------------------------------------


@pytest.fixture
def hasty(monkeypatch):
    """Few rounds of timing."""
    monkeypatch.setattr(timing, "PATIENCE", 0.0)
    monkeypatch.setattr(stewart_speed, "ROUNDS", 1)


@pytest.mark.usefixtures("hasty")
def test_eliminations(runs):
    """Sizes as the paper counts them; the same accelerations; two steps far ahead in operations with many bodies."""
    pair = elimination.case(runs.mechanism(case.MODEL), "double pendulum")
    assert pair.unknowns == (6, 18)
    assert pair.apart < 1e-12
    chain = elimination.case(elimination.chain(20), "chain")
    assert chain.unknowns == (60, 180)
    assert chain.apart < 1e-12
    one, two = (
        lw.counts_of(elimination.chain(20), "rotation-matrix", options=elimination.WAYS[way]).total
        for way in (elimination.ONE, elimination.TWO)
    )
    assert one > 5.0 * two
    lean = lw.counts_of(elimination.chain(20), "rotation-matrix", options=elimination.WAYS[elimination.NEWTON_EULER])
    assert two > lean.total


def test_all_formulations_move_the_platform_alike(runs):
    exact = stewart.reference(runs, stewart.SPAN, stewart.SAMPLES)
    wanted = stewart.start_of(runs, "rA")
    for formulation, method in stewart.PAIRS:
        result = stewart.run(runs, formulation, method)
        assert case.largest(stewart.distance(exact, result)) < (1e-12 if method == "dop853" else 1e-6)
        off = stewart.start_of(runs, formulation) - wanted
        assert case.largest(off) < 1e-9 * case.largest(wanted)


@pytest.mark.usefixtures("hasty")
def test_ten_seconds_within_a_millijoule(runs):
    exact = stewart.reference(runs, stewart_speed.SPAN, stewart_speed.SAMPLES)
    for way, options in stewart_speed.WAYS.items():
        found = stewart_speed.sprint(runs, exact, options)
        assert found.energy < stewart_speed.ALLOWED, way
        assert found.off < (1e-2 if "generalized-alpha" in way else 3e-5), way


def test_a_run_that_fails_is_a_gap_in_the_table(runs, monkeypatch):
    def fails(*_, **__):
        raise ConvergenceError("no")

    monkeypatch.setattr(drift, "run", fails)
    assert drift.attempt(runs, 10.0, "rk4", "stage", "none") is None
    assert np.isnan(drift.worst(runs, None)).all()
