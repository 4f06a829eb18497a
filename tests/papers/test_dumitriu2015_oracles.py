"""Dumitriu 2015: the oracles against each other, against Newton and Euler, and against what the paper prints."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism
from numpy.testing import assert_allclose
from oracles import double_pendulum as pendulum
from oracles import newton_euler_dense
from oracles import rotation_matrix_dense as dense
from oracles import rotation_matrix_parts as parts
from oracles import turning_body as turning

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.dense import Pose
from linkwork.system.rank import rank_at

TIMES = np.linspace(0.0, 10.0, 41)
FORMS = tuple(dense.FIRST)
SEEDS = st.integers(0, 2**31)


@cache
def bars() -> pendulum.Bars:
    return pendulum.motion(TIMES)


def compiled(mechanism: lw.Mechanism) -> CompiledMechanism:
    return compile_mechanism(mechanism.lower())


def at_start(mechanism: CompiledMechanism, rows: str = "written") -> dense.Equations:
    frames = parts.body_frames(mechanism)
    return parts.equations(mechanism, frames, parts.placed(mechanism, frames), 0.0, rows)


def distorted(mechanism: CompiledMechanism, seed: int) -> dense.Equations:
    """Somewhere near, R no rotation and Rdot anything."""
    rng = np.random.default_rng(seed)
    frames = parts.paper_frames(mechanism)
    place = [x + 0.1 * rng.normal(size=x.shape) for x in parts.placed(mechanism, frames)]
    for x, ground in zip(place, (np.zeros(3), np.eye(3), np.zeros(3), np.zeros((3, 3))), strict=True):
        x[-1] = ground
    return parts.equations(mechanism, frames, parts.Place(*place), 0.0)


def solutions(equations: dense.Equations) -> dict[str, dense.Solution]:
    found = {"whole": dense.whole(equations)}
    for form in FORMS:
        found[f"one-shot, {form}"] = dense.one_shot(equations, form)
        found[f"two-step, {form}"] = dense.two_step(equations, form)
    return found


def residual(equations: dense.Equations, solution: dense.Solution) -> float:
    """What is left of eqs. 9."""
    e, s = equations, solution
    g, R = e.frames.g[:-1], e.place.R[:-1]
    X = e.X - np.einsum("k,kbi->bi", s.multipliers, e.Phi_T)
    Y = e.Y - np.einsum("k,kbij->bij", s.multipliers, e.Phi_R)
    centre = e.mass[:, None] * (s.Tdd + np.einsum("bij,bj->bi", s.Rdd, g)) - X
    K_O = e.K + e.mass[:, None, None] * g[:, :, None] * g[:, None, :]
    turn = s.Rdd @ K_O + e.mass[:, None, None] * s.Tdd[:, :, None] * g[:, None, :] - Y - R @ s.Lambda
    return max(float(np.abs(centre).max()), float(np.abs(turn).max()))


def assert_same(found: np.ndarray, wanted: np.ndarray, tolerance: float, what: str) -> None:
    error = np.linalg.norm(found - wanted) / max(1.0, float(np.linalg.norm(wanted)))
    assert error < tolerance, f"{what}: {error:.1e}"


# the validation case -----------------------------------------------------------------------------------------


def test_the_shipped_pendulum_is_the_papers() -> None:
    """Section 6, eqs. 15 and 18; C = 3.636 kg cm^2."""
    mechanism = compiled(lw.load("dumitriu2015_double_pendulum"))
    assert_allclose(1e4 * pendulum.C, 3.636, atol=5e-4)
    start = pendulum.motion([0.0])
    r, A, _, _ = pendulum.places(start)
    assert_allclose(mechanism.r[:2], r[0], atol=1e-16)
    assert_allclose(mechanism.A[:2].reshape(2, 3, 3), A[0], atol=1e-16)
    frames = parts.paper_frames(mechanism)
    place = parts.placed(mechanism, frames)
    for x, wanted in zip(place, (0.0, np.eye(3), 0.0, 0.0), strict=True):  # eq. 16
        assert_allclose(x, np.broadcast_to(wanted, x.shape), atol=1e-15)
    K = parts.equations(mechanism, frames, place, 0.0).K
    (m, l, a, b) = pendulum.m, pendulum.l, pendulum.a, pendulum.b
    for k, angle in enumerate((pendulum.PHI0, pendulum.PSI0)):
        c, s = np.cos(angle), np.sin(angle)
        off = (l * l - a * a) * s * c
        printed = [[l * l * c * c + a * a * s * s, off, 0], [off, l * l * s * s + a * a * c * c, 0], [0, 0, b * b]]
        assert_allclose(K[k], m / 12 * np.array(printed), atol=1e-18)


def test_two_integrations_find_the_same_angles() -> None:
    extended = pendulum.motion_extended(10.0, 400)[::10].astype(float)
    assert_allclose(bars().angle, extended[:, :2], atol=1e-12)
    assert_allclose(bars().rate, extended[:, 2:], atol=1e-11)
    energy = pendulum.energy(bars())
    assert_allclose(energy, energy[0], atol=1e-14)


def test_reactions_are_the_forces_that_the_motion_needs() -> None:
    """Power balance: rates of angular momentum about O need no force of ground; virtual work gives eq. 26 back."""
    r, _, v, acceleration = pendulum.places(bars())
    on_1, on_2 = pendulum.reactions(bars())
    weight = np.array([pendulum.m * pendulum.g, 0.0, 0.0])
    spin = pendulum.C * bars().acceleration
    moment = np.cross(r, pendulum.m * acceleration - weight).sum(1)[:, 2] + spin.sum(1)
    assert_allclose(moment, 0.0, atol=1e-14)
    arm = r[:, 1] - 2 * r[:, 0]  # from H1 to the second centre
    assert_allclose(np.cross(-arm, on_2)[:, 2], spin[:, 1], atol=1e-14)
    assert_allclose(np.cross(-r[:, 0], on_1 + on_2)[:, 2], spin[:, 0], atol=1e-14)
    power = (weight * v).sum((1, 2))
    kinetic = pendulum.m * (v * acceleration).sum((1, 2)) + (spin * bars().rate).sum(1)
    assert_allclose(kinetic, power, atol=1e-13)


def test_multipliers_along_the_motion_are_those_of_the_closed_forms() -> None:
    """Figures 3-6: the paper's equations solved in the paper's frames, by every method, where the pendulum passes."""
    mechanism = compiled(lw.load("dumitriu2015_double_pendulum"))
    frames = parts.paper_frames(mechanism)
    r, A, v, acceleration = pendulum.places(bars())
    w = bars().rate[:, :, None] * np.array([0.0, 0.0, 1.0])
    wanted = pendulum.multipliers(bars())
    for k in range(len(TIMES)):
        here = State(r[k], A[k], v[k], w[k]).within(mechanism)
        e = parts.equations(here, frames, parts.placed(here, frames), 0.0)
        assert len(e.gamma) == 6
        for name, found in solutions(e).items():
            assert_allclose(found.Lambda[0], wanted.Lambda_1[k], atol=1e-12, err_msg=name)
            assert_allclose(found.Lambda[1], wanted.Lambda_2[k], atol=1e-12, err_msg=name)
            assert_allclose(found.multipliers, np.r_[wanted.Lambda_01[k], wanted.Lambda_12[k]], atol=1e-12)
            udot = dense.body_accelerations(e, found)
            assert_allclose(udot[:, :3], acceleration[k], atol=1e-10)
            assert_allclose(udot[:, 5], bars().acceleration[k], atol=1e-9)


def test_rows_of_balls_are_linear() -> None:
    """Eqs. 13-14: constant derivatives, at any R whatever, and no gamma."""
    mechanism = compiled(lw.load("dumitriu2015_double_pendulum"))
    e = distorted(mechanism, 1)
    H1 = 2 * mechanism.r[0]
    for k in range(3):
        c = np.eye(3)[k]
        assert_allclose(e.Phi_T[[k, 3 + k]], [[c, 0 * c], [-c, c]], atol=1e-15)
        wanted = [[np.zeros((3, 3))] * 2, [-np.outer(c, H1), np.outer(c, H1)]]
        assert_allclose(e.Phi_R[[k, 3 + k]], wanted, atol=1e-15)
    assert_allclose(e.gamma, 0.0, atol=1e-11)


# any mechanism -----------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(seed=SEEDS)
def test_accelerations_are_those_of_newton_and_euler(seed: int) -> None:
    """Every method and form, both kinds of rows. Elimination squares the condition of rows, K^-1 adds its own."""
    mechanism = compiled(random_mechanism(seed))
    wanted = newton_euler_dense.accelerations(mechanism)
    for rows in ("written", "turned"):
        e = at_start(mechanism, rows)
        for name, found in solutions(e).items():
            tolerance = {"whole": 1e-10, "two-step, exact": 1e-9, "two-step, inertia": 1e-9}.get(name, 1e-8)
            assert_same(dense.body_accelerations(e, found), wanted.udot, tolerance, f"{rows}, {name}")
            assert residual(e, found) < 1e-7
            if name.startswith("two-step"):
                assert_same(found.multipliers, wanted.multipliers, tolerance, f"{rows}, {name} multipliers")


@pytest.mark.parametrize(
    "model", ["kissel2021_slider_crank", "spatial_slider_crank_spring", "stewart_platform_actuated"]
)
def test_accelerations_of_shipped_mechanisms(model: str) -> None:
    mechanism = compiled(lw.load(model))
    wanted = newton_euler_dense.accelerations(mechanism)
    e = at_start(mechanism)
    for form in FORMS:
        assert_same(dense.body_accelerations(e, dense.two_step(e, form)), wanted.udot, 1e-10, form)


@settings(max_examples=15)
@given(seed=SEEDS)
def test_frames_change_nothing_but_the_axes_of_lambda(seed: int) -> None:
    """Lambda = B Lambda_body B^T; joint multipliers and motion are the same."""
    mechanism = compiled(random_mechanism(seed))
    frames = parts.paper_frames(mechanism)
    e = parts.equations(mechanism, frames, parts.placed(mechanism, frames), 0.0)
    here, there = (dense.two_step(some) for some in (at_start(mechanism), e))
    B = frames.B[:-1]
    size = 1.0 + float(np.abs(here.Lambda).max())
    assert_allclose(there.Lambda, B @ here.Lambda @ B.transpose(0, 2, 1), atol=1e-9 * size)
    assert_same(there.multipliers, here.multipliers, 1e-9, "multipliers")


@settings(max_examples=15)
@given(seed=SEEDS)
def test_lambda_depends_on_how_rows_are_differentiated(seed: int) -> None:
    """By the symmetric part of R^T (d phi/dR about the centre); the turned rows leave Lambda no part of joints."""
    mechanism = compiled(random_mechanism(seed))
    written, turned = (at_start(mechanism, rows) for rows in ("written", "turned"))
    a, b = dense.two_step(written), dense.two_step(turned)
    R = written.place.R[:-1]
    M = np.einsum("bji,kbjl->kbil", R, written.Phi_R)  # body frames: g = 0
    between = np.einsum("k,kbil->bil", a.multipliers, M + M.transpose(0, 1, 3, 2)) / 2
    size = 1.0 + float(np.abs(between).max())
    assert_allclose(a.Lambda - b.Lambda, between, atol=1e-9 * size)


@settings(max_examples=25)
@given(seed=SEEDS)
def test_one_shot_and_two_step_agree_where_r_is_no_rotation(seed: int) -> None:
    """Form by form; the exact one is the whole system, and it alone meets eq. 23 there."""
    mechanism = compiled(random_mechanism(seed))
    rank = rank_at(mechanism, Pose(mechanism.r, mechanism.A))
    e = distorted(mechanism, seed)
    if rank.rank < mechanism.nc or (mechanism.nc and np.linalg.cond(dense.joint_matrix(e, "exact")) > 1e6):
        return  # dependent rows contradict each other off the constraints
    found = solutions(e)
    for form in FORMS:
        one, two = found[f"one-shot, {form}"], found[f"two-step, {form}"]
        for x, y, what in zip(one, two, dense.Solution._fields, strict=True):
            assert_same(x, y, 1e-7, f"{form} {what}")
    for x, y in zip(found["whole"], found["two-step, exact"], strict=True):
        assert_same(x, y, 1e-7, "whole")
    size = 1.0 + float(np.abs(found["whole"].Rdd).max())
    assert dense.violated(e, found["two-step, exact"])[0] < 1e-9 * size
    for form in ("eq. 25", "inertia"):
        orthogonality, joints = dense.violated(e, found[f"two-step, {form}"])
        assert orthogonality > 1e-4
        assert joints < 1e-8 * size
    for form in ("exact", "inertia"):
        assert_allclose(dense.joint_matrix(e, form), dense.joint_system(e, form)[0], atol=1e-10 * size)


def test_bodies_without_an_inverse() -> None:
    """Eq. 12 and eq. 25 need K^-1, which a flat plate has not; a thin rod has no J^-1 either."""
    hinge = {"type": "spherical", "first": "ground", "second": "body", "point": [0.3, 0.1, 0.0]}
    mech = lw.Mechanism("plate")
    mech.body("body", mass=2.0, shape={"type": "plate", "width": 0.6, "height": 0.4}, angular_velocity=[1.0, 2.0, 3.0])
    mech.joint("hinge", **hinge)
    mechanism = compiled(lw.assemble(mech).mechanism)
    wanted = newton_euler_dense.accelerations(mechanism)
    e = at_start(mechanism)
    for found in (dense.whole(e), dense.two_step(e, "inertia"), dense.two_step(e, "exact")):
        assert_same(dense.body_accelerations(e, found), wanted.udot, 1e-12, "plate")
        assert residual(e, found) < 1e-12
    mech.change("body", shape={"type": "rod", "length": 0.6})
    with pytest.raises(ValueError, match=r"bodies \[0\]"):
        dense.two_step(at_start(compiled(mech)))


# a body that turns freely ------------------------------------------------------------------------------------


def spun(spin: turning.Spin) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocities and -Lambda over four seconds."""
    w = turning.angular_velocity(spin, np.linspace(0.0, 4.0, 21))
    return w, -np.array([turning.multiplier(spin.J, x) for x in w])


def test_first_integrals_of_a_body_that_turns_freely() -> None:
    """tr(-Lambda) = 2 T and tr(K^-1 Lambda K^-1); -Lambda is positive semi-definite."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(20, 3))
        J = (x**2).sum() * np.eye(3) - x.T @ x  # of twenty points
        w, minus = spun(turning.Spin(J, rng.normal(size=3)))
        inverse = np.linalg.inv(turning.poinsot(J))
        assert_allclose(minus, minus.transpose(0, 2, 1), atol=1e-12)
        assert_allclose(np.trace(minus, axis1=1, axis2=2), turning.twice_energy(J, w[0]), rtol=1e-12)
        second = -np.trace(inverse @ minus @ inverse, axis1=1, axis2=2)
        assert_allclose(second, turning.second_integral(J, w[0]), rtol=1e-11)
        assert np.linalg.eigvalsh(minus).min() > -1e-12 * np.abs(minus).max()


def test_eigenvalues_of_lambda_are_not_constant_in_general() -> None:
    """The paper quotes that they are."""
    w = turning.angular_velocity(turning.COUNTEREXAMPLE, [0.0, 2.0])
    first, later = (np.linalg.eigvalsh(-turning.multiplier(turning.COUNTEREXAMPLE.J, x)) for x in w)
    assert_allclose(first, [0.58, 23.1, 40.3], atol=0.05)
    assert_allclose(later, [0.79, 26.9, 36.3], atol=0.05)


@pytest.mark.parametrize(
    "spin",
    [
        turning.Spin(np.diag([3.0, 3.0, 5.0]), np.array([1.0, 2.0, 3.0])),
        turning.Spin(np.diag([4.0, 4.0, 4.0]), np.array([1.0, 2.0, 3.0])),
        turning.Spin(np.diag([3.0, 4.0, 5.0]), np.array([0.0, 0.0, 3.0])),
    ],
    ids=["symmetric", "spherical", "steady"],
)
def test_eigenvalues_are_constant_for_symmetric_bodies_and_steady_spins(spin: turning.Spin) -> None:
    values = np.linalg.eigvalsh(spun(spin)[1])
    assert_allclose(values, np.broadcast_to(values[0], values.shape), atol=1e-11)


# the Stewart platform ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["stewart_platform", "stewart_platform_actuated"])
def test_the_platforms_stand_as_their_page_says(name: str) -> None:
    """Six freedoms, no redundancy, joints on their circles, legs of equal length along x."""
    mech = lw.load(name)
    report = mech.check()
    assert report.freedom.velocities == 6
    assert report.freedom.rank == len(mech.lower().rows) == 72
    bodies = {body.name: body for body in mech.lower().bodies}
    base, top = (np.radians(x) for x in ([10, 110, 130, 230, 250, 350], [50, 70, 170, 190, 290, 310]))
    foot = np.stack([np.cos(base), np.sin(base), 0 * base], axis=1)
    head = np.stack([0.6 * np.cos(top), 0.6 * np.sin(top), 1 + 0 * top], axis=1)
    length = np.sqrt(2.36 - 1.2 * np.cos(np.radians(40)))
    assert_allclose(np.linalg.norm(head - foot, axis=1), length, rtol=1e-14)
    for k in range(6):
        lower, upper = bodies[f"lower leg {k + 1}"], bodies[f"upper leg {k + 1}"]
        for body, part in ((lower, 0.25), (upper, 0.75)):
            assert_allclose(body.position, foot[k] + part * (head[k] - foot[k]), atol=1e-15)
            assert_allclose(body.rotation[:, 0], (head[k] - foot[k]) / length, atol=1e-15)
            rod = body.mass * (length / 2) ** 2 / 12
            assert_allclose(body.inertia, np.diag([1e-3 * body.mass, rod, rod]), rtol=1e-14, atol=1e-18)


def test_the_platform_moves_as_in_other_programs() -> None:
    """Where the upper leg 6 is after 10 s, to the five digits known from elsewhere; energy stays."""
    result = lw.simulate(lw.load("stewart_platform"), 10.0, 0.1, "lie-mixed", "dop853", rtol=1e-10, atol=1e-12)
    assert_allclose(result.position("upper leg 6")[-1], [0.53669, -0.38765, 0.72639], atol=1e-5)
    assert_allclose(result.position("platform")[20], [0.04860717, 0.02891261, 1.04844241], atol=1e-7)
    energy = result["kinetic_energy"] + result["potential_energy"]
    assert_allclose(energy, energy[0], atol=1e-6)
