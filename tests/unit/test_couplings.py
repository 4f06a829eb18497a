"""Rigid couplings and rotors: closed forms, an oracle of dense matrices, derivatives, all formulations, bad input."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles.coupled import moving, spatial, wheels, with_rotors

import linkwork as lw
from linkwork.errors import ModelError, SingularPositionError
from linkwork.formulations import FORMULATIONS
from linkwork.kernels.couplings import GAMMA, INERTIA, PHI, coupling_gammas
from linkwork.lanes.batch import why_not
from linkwork.planner.traits import traits_of
from linkwork.run.matching import pair
from linkwork.run.starting import new_run, prepare, started
from linkwork.system import compile_mechanism
from linkwork.system.couplings import placed, spread
from linkwork.system.dense import Pose, Rates, acceleration_rhs, constraints, drives

CLOSED = 1e-9
RECURSIONS = ("articulated-body", "canonical")
THREE = pytest.mark.parametrize("formulation", ["lie-mixed", *RECURSIONS])


def oracle(mech: lw.Mechanism, state: lw.State | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations (nb, 6) and all multipliers from one dense matrix, rotors in the mass matrix."""
    c = prepare(mech, dynamics=True, accept_changes=True, state=state).compiled
    nb, drive = c.nb, drives(c, 0.0)
    pose, rates = Pose(c.r, c.A), Rates(c.v, c.w)
    G, gamma = constraints(c, pose, drive)[1], acceleration_rhs(c, pose, rates, drive)
    M, f = np.zeros((6 * nb, 6 * nb)), np.zeros(6 * nb)
    for b in range(nb):
        J, w, at = c.system.bodies.inertia[b].reshape(3, 3), c.w[b], 6 * b
        M[at : at + 3, at : at + 3] = c.system.bodies.mass[b] * np.eye(3)
        M[at + 3 : at + 6, at + 3 : at + 6] = J
        f[at : at + 3], f[at + 3 : at + 6] = c.system.bodies.mass[b] * c.system.gravity, -np.cross(w, J @ w)
    rows = placed(c, c.r, c.A, drive)
    coupling_gammas(c.system, c.couplings, c.r, c.A, c.v, c.w, rows)
    quantities = c.system.quantities
    for k in range(c.rigid, len(c.couplings.about)):
        first, terms = c.couplings.about[k, :2]
        W = np.zeros((nb + 1, 6))
        for m in range(first, first + terms):
            q = c.couplings.term_about[m, 0]
            W[quantities.body_i[q]] += rows.W[m, :6]
            W[quantities.body_j[q]] += rows.W[m, 6:]
        along, inertia = W[:-1].ravel(), c.couplings.number[k, INERTIA]
        M += inertia * np.outer(along, along)
        f += inertia * rows.row[k, GAMMA] * along
    K = np.block([[M, G.T], [G, np.zeros((len(G), len(G)))]])
    x = np.linalg.solve(K, np.concatenate([f, gamma]))
    return x[: 6 * nb].reshape(nb, 6), x[6 * nb :]


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_agrees_with_one_dense_matrix(formulation: str) -> None:
    mech = moving(spatial())
    x, multipliers = oracle(mech)
    start = lw.assemble(mech).state
    found = lw.accelerations(mech, start, formulation=formulation)
    agreed = 1e-8 if formulation == "penalty" else CLOSED
    assert_allclose(np.hstack([found.rddot, found.omegadot]), x, atol=agreed * np.abs(x).max())
    assert_allclose(found.multipliers, multipliers, atol=agreed * np.abs(multipliers).max())


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_rotors_agree_with_one_dense_matrix_and_keep_energy(formulation: str) -> None:
    mech = with_rotors()
    q, v = {"ja": 0.3, "jb": -0.4, "jc": 0.2, "jd": 0.7}, {"ja": 1.3, "jb": -0.9, "jc": 0.5, "jd": 2.0}
    state = lw.start_state(mech, q, v)
    x, multipliers = oracle(mech, state)
    found = lw.accelerations(mech, state, formulation=formulation)
    agreed = 1e-8 if formulation == "penalty" else CLOSED
    assert_allclose(np.hstack([found.rddot, found.omegadot]), x, atol=agreed * np.abs(x).max())
    assert_allclose(found.multipliers, multipliers, atol=agreed * np.abs(multipliers).max())
    run = lw.simulate(mech, 0.1, 1e-3, formulation=formulation, state=state)
    balance = run.energy_balance()
    kept = 1e-5 if formulation in ("rA", "rp", "re") else 1e-9
    assert np.abs(balance.residual).max() < kept * balance.kinetic.max()


def test_rows_and_their_second_derivative_against_complex_steps() -> None:
    mech = compile_mechanism(moving(spatial()).lower())
    random, drive, h = np.random.default_rng(4), drives(mech, 0.0), 1e-30
    q = prepare(moving(spatial()), dynamics=True, accept_changes=True).compiled
    r, A, u = q.r, q.A, random.normal(size=(mech.nb + 1, 6))
    u[-1] = 0.0

    def moved(step: complex) -> tuple[np.ndarray, np.ndarray]:
        turned = np.array([
            a.reshape(3, 3) @ (np.eye(3) + step * tilde(w) + 0.5 * step**2 * tilde(w) @ tilde(w))
            for a, w in zip(A, u[:, 3:], strict=True)
        ])  # fmt: skip
        return r + step * u[:, :3], turned.reshape(-1, 9)

    rate = placed(mech, *moved(1j * h), drive).row[: mech.rigid, PHI].imag / h
    exact = placed(mech, r, A, drive, exact=True)
    assert_allclose(np.einsum("kbc,bc->k", spread(mech, exact), u), rate, atol=1e-12)
    first = np.einsum("kbc,bc->k", spread(mech, placed(mech, *moved(1j * h), drive)), u).imag / h
    at_rest = placed(mech, r, A, drive)
    coupling_gammas(mech.system, mech.couplings, r, A, u[:, :3], u[:, 3:], at_rest)
    assert_allclose(-at_rest.row[: mech.rigid, GAMMA], first, atol=1e-11)


def tilde(w: np.ndarray) -> np.ndarray:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


@THREE
def test_a_gear_train_with_a_rotor_turns_on_and_on(formulation: str) -> None:
    mech = wheels(0.3, 0.02, 0.004)
    mech.coupling("first", "gear", joint="jb", joint2="ja", ratio=-3)
    mech.coupling("second", "gear", joint="jc", joint2="jb", ratio=-2.5)
    mech.coupling("armature", "rotor", joint="jc", inertia=1e-3, ratio=4)
    mech.force("drive", "torque", body="a", components=[0, 0, 2.0])
    run = lw.simulate(mech, 4.0, 1e-2, formulation=formulation)
    reflected = 0.3 + 9 * 0.02 + 7.5**2 * (0.004 + 16e-3)
    angle = run.joint("ja")["angle"]
    assert_allclose(angle, np.arctan2(0, 1) + 0.5 * 2.0 / reflected * run.time**2, atol=CLOSED)
    assert angle[-1] * 7.5 > 8 * np.pi  # the last wheel has turned several times
    assert_allclose(run.joint("jc")["angle"], 7.5 * angle, atol=1e-8)
    # lambda of q_c + 2.5 q_b = 0: minus the torque on c, I_c alpha_c and the rotor's
    assert_allclose(run.multiplier("second"), -(0.004 + 16e-3) * 7.5 * 2.0 / reflected, rtol=1e-9)
    balance = run.energy_balance()
    assert_allclose(balance.residual, 0, atol=1e-8 * balance.kinetic[-1])
    assert run["position_violation"].max() < 1e-9


@THREE
def test_a_differential_shares_torque_and_lets_sides_differ(formulation: str) -> None:
    mech = wheels(0.1, 0.2, 0.5)
    mech.coupling("axle", "differential", input="ja", left="jb", right="jc", ratio=4)
    mech.force("engine", "torque", body="a", components=[0, 0, 1.0])
    run = lw.simulate(mech, 1.0, 1e-2, formulation=formulation)
    # T - I_a a = x; I_b b = I_c c = 2 x; a = 2 (b + c)
    x = 1.0 / (1 + 0.1 * 2 * (2 / 0.2 + 2 / 0.5))
    a, b, c = (run.joint(f"j{name}")["angle"] for name in "abc")
    assert_allclose(b, 0.5 * 2 * x / 0.2 * run.time**2, atol=CLOSED)
    assert_allclose(c, 0.5 * 2 * x / 0.5 * run.time**2, atol=CLOSED)
    assert_allclose(a, 2 * (b + c), atol=CLOSED)
    assert_allclose(run.multiplier("axle"), x, rtol=1e-9)


@THREE
def test_a_rack_on_a_spring_vibrates_with_its_pinion(formulation: str) -> None:
    mech = lw.Mechanism("rack", gravity=[0, 0, 0])
    mech.body("rack", mass=2.0, inertia=[1, 1, 1], position=[0, 0, 0], velocity=[0.3, 0, 0])
    mech.body("pinion", mass=1.0, inertia=[0.01, 0.01, 0.01], position=[0, 0.05, 0])
    mech.joint("slide", "translational", "ground", "rack", point=[0, 0, 0], axis=[1, 0, 0])
    mech.joint("axle", "revolute", "ground", "pinion", point=[0, 0.05, 0], axis=[0, 0, 1])
    mech.coupling("mesh", "rack-and-pinion", rack="slide", pinion="axle", radius=0.05)
    mech.force("spring", "joint-spring", joint="slide", stiffness=150)
    run = lw.simulate(mech, 2.0, 1e-3, formulation=formulation, accept_changes=True)
    omega = np.sqrt(150 / (2.0 + 0.01 / 0.05**2))
    start = run.joint("slide")["displacement_rate"][0]
    x = start / omega * np.sin(omega * run.time)
    assert_allclose(run.joint("slide")["displacement"], x, atol=CLOSED)
    assert_allclose(run.joint("axle")["angle"], x / 0.05, atol=20 * CLOSED)
    assert_allclose(run.multiplier("mesh"), 0.01 / 0.05**2 * omega**2 * -x * -1 * -1, atol=1e-7)


@THREE
def test_a_belt_turns_pulleys_outside_it_the_other_way(formulation: str) -> None:
    mech = wheels(0.1, 0.3, 0.2)
    mech.coupling("belt", "belt", joints=["ja", "jb", "jc"], radii=[0.1, 0.2, -0.05])
    mech.force("motor", "motor", joint="ja", effort=0.7)
    run = lw.simulate(mech, 1.0, 1e-2, formulation=formulation)
    reflected = 0.1 + 0.3 / 4 + 0.2 * 4
    assert_allclose(run.joint("ja")["angle"], 0.35 / reflected * run.time**2, atol=CLOSED)
    assert_allclose(run.joint("jb")["angle"], 0.5 * run.joint("ja")["angle"], atol=CLOSED)
    assert_allclose(run.joint("jc")["angle"], -2 * run.joint("ja")["angle"], atol=CLOSED)
    assert run.rows[-2:] == ("belt[1]", "belt[2]")


def parabola() -> lw.Mechanism:
    """A wheel that moves a slide by 0.4 times its angle squared, at first at rest."""
    mech = lw.Mechanism("parabola", gravity=[0, 0, 0])
    mech.body("wheel", mass=1, inertia=[0.3, 0.3, 0.3], angular_velocity=[0, 0, 1.7])
    mech.body("slider", mass=2.0, inertia=[1, 1, 1], position=[0.5, 0, 0])
    mech.joint("axle", "revolute", "ground", "wheel", point=[0, 0, 0], axis=[0, 0, 1])
    mech.joint("slide", "translational", "ground", "slider", point=[0.5, 0, 0], axis=[1, 0, 0])
    mech.coupling("law", "mimic", joint="slide", joint2="axle", polynomial=[0, 0, 0.4])
    return mech


@pytest.mark.parametrize(
    ("formulation", "options"),
    [("lie-mixed", {}), ("articulated-body", {}), *(("canonical", {"sigma": one}) for one in ("reset", "grow"))],
)
def test_a_law_that_bends_keeps_its_energy_in_closed_form(formulation: str, options: dict[str, Any]) -> None:
    run = lw.simulate(parabola(), 2.0, 2e-3, formulation=formulation, integrator="rk4", **options)
    # (I + m (2 c q)^2) q'^2 is constant: the integral of sqrt(I + m (2 c q)^2) dq grows with time
    q, k = run.joint("axle")["angle"], np.sqrt(2.0 / 0.3) * 0.8
    along = 0.5 * (q * np.sqrt(1 + (k * q) ** 2) + np.arcsinh(k * q) / k)
    assert_allclose(along, 1.7 * run.time, atol=1e-9)
    assert_allclose(run.joint("slide")["displacement"], 0.4 * q**2, atol=1e-9)
    rate, second = run.joint("axle")["angle_rate"], run.joint("axle")["angle_acceleration"]
    # minus the force on the slide, m times its acceleration
    assert_allclose(run.multiplier("law"), -2.0 * 0.8 * (rate**2 + q * second), atol=1e-8)


@pytest.mark.parametrize("formulation", ["augmented", "rA", *RECURSIONS])
def test_a_polynomial_of_fourth_degree_accelerates_as_its_derivatives_say(formulation: str) -> None:
    """A slide at F(q) of a wheel's angle, away from zero: (I + m F'^2) q'' + m F' F'' q'^2 = 0."""
    mech, q, rate, m, moment = parabola(), 0.7, 1.3, 2.0, 0.3
    c = [0.1, -0.2, 0.4, 0.3, -0.25]
    document = mech.to_dict()
    document["couplings"][0]["polynomial"] = c
    mech = lw.Mechanism.from_dict(document)
    F = np.polynomial.Polynomial(c)
    first, second = F.deriv(1)(q), F.deriv(2)(q)
    start = lw.start_state(mech, {"axle": q, "slide": F(q)}, {"axle": rate, "slide": first * rate})
    found = lw.accelerations(mech, start, formulation=formulation)
    turn = -m * first * second * rate**2 / (moment + m * first**2)
    assert_allclose(found.omegadot[0, 2], turn, rtol=1e-11)
    assert_allclose(found.rddot[1, 0], first * turn + second * rate**2, rtol=1e-11)


@pytest.mark.parametrize("formulation", ["augmented", *RECURSIONS])
def test_couplings_that_say_the_same_are_refused(formulation: str) -> None:
    mech = wheels(0.1, 0.2, 0.5)
    for name, factor in (("once", 1.0), ("again", 2.0)):
        mech.coupling(name, "cable", joints=["ja", "jb", "jc"], factors=[factor, factor, -factor])
    with pytest.raises(SingularPositionError):
        lw.simulate(mech, 0.1, 1e-2, formulation=formulation)


@pytest.mark.parametrize("formulation", RECURSIONS)
def test_couplings_beside_redundant_loops(formulation: str) -> None:
    """A planar four-bar on spatial revolute joints, three rows of which the others imply, geared to a wheel."""
    mech = lw.load("planar_four_bar")
    first = next(one for one in mech.joints if one.type == "revolute")
    mech.body("wheel", mass=1, inertia=[0.1, 0.1, 0.1], position=[0, 9, 0])
    mech.joint("axle", "revolute", "ground", "wheel", point=[0, 9, 0], axis=[0, 1, 0])
    mech.coupling("gear", "gear", joint="axle", joint2=first.name, ratio=2)
    want, found = (lw.accelerations(mech, formulation=one) for one in ("augmented", formulation))
    for name in ("rddot", "omegadot", "multipliers"):
        assert_allclose(getattr(found, name), getattr(want, name), atol=1e-9 * np.abs(getattr(want, name)).max())


def test_a_cam_lifts_its_follower_by_a_table() -> None:
    turn = 2 * np.pi
    x = np.linspace(0, turn, 9)
    document = wheels(0.2).to_dict()
    document["tables"] = {"lift": {"x": x.tolist(), "y": (0.01 * (1 - np.cos(x))).tolist(), "between": "cubic"}}
    mech = lw.Mechanism.from_dict(document)
    mech.body("follower", mass=0.5, inertia=[1, 1, 1], position=[0, 0.3, 0])
    mech.joint("guide", "translational", "ground", "follower", point=[0, 0.3, 0], axis=[0, 1, 0])
    mech.coupling("profile", "cam", follower="guide", cam="ja", table="lift", period=turn)
    mech.driver("motor", "ja", "7*t")
    run = lw.kinematics(mech, 2.0, 1e-2)
    slow = np.interp(np.mod(7 * run.time, turn), *fine(mech))
    assert_allclose(run.joint("guide")["displacement"], slow, atol=1e-6)
    assert run["position_violation"].max() < 1e-12


def fine(mech: lw.Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """The table at many places."""
    x = np.linspace(0, 2 * np.pi, 4001)
    pieces = np.array(mech.tables["lift"].repeated("lift", 2 * np.pi).pieces)
    which = np.clip(np.searchsorted(pieces[1:, 0], x, side="right"), 0, len(pieces) - 1)
    d = x - pieces[which, 0]
    return x, sum(pieces[which, 1 + n] * d**n for n in range(4))


def test_implicit_steps_keep_couplings_and_energy() -> None:
    run = lw.simulate(moving(spatial()), 0.2, 1e-3, formulation="rA", accept_changes=True)
    assert run["position_violation"].max() < 1e-12
    balance = run.energy_balance()
    assert np.abs(balance.residual).max() < 1e-5 * balance.kinetic.max()


def test_a_run_goes_on_from_a_state_with_its_turns() -> None:
    mech = wheels(0.3, 0.02)
    mech.coupling("gear", "gear", joint="jb", joint2="ja", ratio=-2.5)
    mech.force("drive", "torque", body="a", components=[0, 0, 9.0])
    whole = lw.simulate(mech, 2.0, 1e-2, formulation="lie-mixed")
    half = lw.simulate(mech, 1.5, 1e-2, formulation="lie-mixed")
    rest = lw.simulate(mech, 2.0, 1e-2, formulation="lie-mixed", state=half.state(-1))
    assert_allclose(rest["rotation"][-1], whole["rotation"][-1], atol=CLOSED)
    assert rest["position_violation"].max() < 1e-9


def test_freedom_is_counted_and_files_come_back() -> None:
    mech = spatial()
    report = mech.check()
    assert report.freedom.velocities == 4  # a ball, and one for what is coupled
    assert lw.Mechanism.from_dict(mech.to_dict()).to_dict() == mech.to_dict()
    apart = wheels(0.1, 0.1)
    apart.coupling("gear", "gear", joint="ja", joint2="jb", ratio=2)
    apart.body("loose", mass=1, inertia=[1, 1, 1])  # which no row joins with the others
    assert apart.check().freedom.velocities == 7


@pytest.mark.parametrize(
    ("coupling", "problem"),
    [
        ({"type": "gear", "joint": "ja", "joint2": "jx", "ratio": 1}, "joint 'jx' does not exist"),
        ({"type": "gear", "joint": "ja", "joint2": "ja", "ratio": 1}, "couples a coordinate to itself"),
        ({"type": "gear", "joint": "ja", "joint2": "jb", "ratio": 2}, "closes a circle"),
        ({"type": "gear", "joint": "ja", "joint2": "ball", "ratio": 2}, "a spherical joint has no coordinate for that"),
        ({"type": "rack-and-pinion", "rack": "ja", "pinion": "jc", "radius": 1}, "which has only: angle"),
        ({"type": "belt", "joints": ["ja", "jc"], "radii": [1]}, "2 joints and 1 radii"),
        ({"type": "belt", "joints": ["ja", "jc"], "radii": [1, 0]}, "radius 0"),
        ({"type": "rotor", "joint": "ja", "inertia": -1}, "must be positive"),
        ({"type": "mimic", "joint": "ja", "joint2": "jc", "polynomial": [1]}, "two to five numbers"),
        ({"type": "cam", "follower": "ja", "cam": "jc", "table": "lift"}, "table 'lift', which does not exist"),
    ],
)
def test_what_makes_no_sense_is_refused(coupling: dict[str, Any], problem: str) -> None:
    mech = wheels(0.1, 0.1, 0.1)
    mech.body("d", mass=1, inertia=[1, 1, 1], position=[0, 0, 1])
    mech.joint("ball", "spherical", "ground", "d", point=[0, 0, 1])
    mech.coupling("first", "gear", joint="ja", joint2="jb", ratio=2)
    with pytest.raises(ModelError, match=problem):
        described(mech, coupling)


def described(mech: lw.Mechanism, coupling: dict[str, Any]) -> None:
    mech.coupling("second", **coupling)
    mech.lower()


def test_plans_know_couplings_and_kernels_compiled_for_lanes_leave_them() -> None:
    mech = moving(spatial())
    start = prepare(mech, dynamics=True, accept_changes=True).compiled
    assert traits_of(start).rows == start.nc
    for name in ("lie-mixed", "articulated-body"):
        formulation, method = pair(name, "rk4")
        run = started(start, partial(new_run, formulation, method, step=1e-2, t_end=1.0))
        assert "couplings" in why_not(run)


@pytest.mark.parametrize("kind", ["cam", "cam that repeats", "point-on-curve"])
def test_curves_with_corners_are_refused_and_straight_or_round_ones_taken(kind: str) -> None:
    def on_curve(x: list[float], y: list[float], between: str, outside: str = "extend") -> lw.Mechanism:
        mech = lw.Mechanism("cam")
        mech.table("lift", x, y, between=between, outside=outside)
        mech.body("shaft", mass=1, inertia=[0.1, 0.1, 0.1])
        mech.body("follower", mass=2, inertia=[0.1, 0.1, 0.1])
        mech.joint("axle", "revolute", "ground", "shaft", point=[0, 0, 0], axis=[0, 0, 1])
        mech.joint("rail", "translational", "ground", "follower", point=[0, 0, 0], axis=[0, 0, 1])
        if kind == "point-on-curve":
            mech.coupling("wire", "point-on-curve", first="shaft", second="follower", table="lift")
        else:
            period = {"period": x[-1]} if kind == "cam that repeats" else {}
            mech.coupling("wire", "cam", follower="rail", cam="axle", table="lift", **period)
        return mech

    with pytest.raises(
        ModelError, match=r"couplings\[0\] 'wire': follows table 'lift'.*corner at x = 1 .*cubic, or pchip"
    ):
        on_curve([0.0, 1.0, 2.0, 4.0], [0.0, 0.0, 0.5, 0.0], "linear").lower()
    for between in ("cubic", "pchip"):
        on_curve([0.0, 1.0, 2.0, 4.0], [0.0, 0.0, 0.5, 0.0], between).lower()
    straight = on_curve([0.0, 1.0, 4.0], [0.1, 0.1, 0.1], "linear")
    assert straight.lower().rigid == (2 if kind == "point-on-curve" else 1)
    if kind == "cam":
        on_curve([0.0, 0.1, 0.3], [0.0, 0.01, 0.03], "linear").lower()  # on a line to rounding
    if kind == "cam that repeats":  # the last point goes on to the first, at the period's end
        with pytest.raises(ValueError, match=r"corner at x = 1 \(slope 1 before, -0\.5 behind\)"):
            on_curve([0.0, 1.0], [0.0, 1.0], "cubic").tables["lift"].model_copy(
                update={"between": "linear"}
            ).need_no_corner("lift", 3.0)
    else:  # an end that is held is a corner where it has a slope, and none where it is level
        level = [0.0, 0.0, 0.5, 0.5], "pchip"
        on_curve([0.0, 1.0, 2.0, 4.0], *level, "hold").lower()
        for x, y, between, at in (
            ([0.0, 1.0, 2.0, 4.0], [0.1, 0.0, 0.5, 0.5], "pchip", "0"),
            ([0.0, 1.0, 2.0, 4.0], [0.0, 0.0, 0.5, 0.0], "pchip", "4"),
            ([0.0, 1.0, 2.0, 4.0], [0.0, 0.0, 0.5, 0.5], "cubic", "0"),
            ([0.0, 0.1, 0.3], [0.0, 0.01, 0.03], "linear", "0"),
        ):
            with pytest.raises(ModelError, match=rf"held from x = {at} on, a corner .* outside: extend"):
                on_curve(x, y, between, "hold").lower()
