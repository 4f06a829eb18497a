"""What results derive from states: reactions (size, sign, point), energies, power, violations."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import linkwork as lw

g = 9.81
FORMULATIONS = ("rA", "rp", "re")
W = 2.0 * g  # the weight of the bodies that hang here


def held(first: str, second: str, **place) -> lw.Mechanism:
    """2 kg, turned somehow, its centre at (1, 0, 0.5), held by one fixed joint."""
    m = lw.Mechanism("held")
    m.body(
        "block", mass=2.0, inertia=[0.1, 0.2, 0.25], position=(1, 0, 0.5), rotation={"axis": [1, 2, 3], "angle": 0.7}
    )
    m.joint("weld", "fixed", first, second, **place)
    return m


def settled(m: lw.Mechanism, formulation: str = "rA", **how) -> lw.Result:
    return lw.simulate(m, 0.02, 0.01, formulation, **how)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_weld_carries_the_weight_on_its_second_body(formulation):
    result = settled(held("ground", "block", point=(0, 0, 0)), formulation)
    force, torque = result.reaction("weld")
    assert_allclose(force, np.broadcast_to([0, 0, W], (3, 3)), atol=1e-9)
    # about the origin weight turns by r x (0, 0, -W) = (0, W, 0); the joint holds against it
    assert_allclose(torque, np.broadcast_to([0, -W, 0], (3, 3)), atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_with_ground_as_the_second_body_the_reaction_is_that_on_ground(formulation):
    result = settled(held("block", "ground", point=(0, 0, 0)), formulation)
    force, torque = result.reaction("weld")
    assert_allclose(force, np.broadcast_to([0, 0, -W], (3, 3)), atol=1e-9)
    assert_allclose(torque, np.broadcast_to([0, W, 0], (3, 3)), atol=1e-9)
    assert result.reaction_place("weld").body == "ground"
    assert_allclose(result.reaction_place("weld").point, 0.0, atol=1e-15)


def test_without_a_point_the_reaction_acts_at_the_second_bodys_centre():
    force, torque = settled(held("ground", "block")).reaction("weld")
    assert_allclose(force, np.broadcast_to([0, 0, W], (3, 3)), atol=1e-9)
    assert_allclose(torque, 0.0, atol=1e-9)


def test_reactions_add_up_along_a_chain():
    """The upper joint carries both bodies, the lower one the second only; points are where the joints are."""
    m = held("ground", "block", point=(0, 0, 0))
    m.body("lamp", mass=1.0, inertia=[0.1, 0.1, 0.1], position=(2, 0, 0), rotation={"axis": [0, 1, 0], "angle": 1.0})
    m.joint("hook", "fixed", "block", "lamp", point=(1.5, 0, 0))
    result = settled(m)
    force, torque = result.reaction("hook")
    assert_allclose(force[-1], [0, 0, g], atol=1e-9)
    assert_allclose(torque[-1], [0, -0.5 * g, 0], atol=1e-9)
    force, torque = result.reaction("weld")
    assert_allclose(force[-1], [0, 0, 3 * g], atol=1e-9)
    assert_allclose(torque[-1], [0, -W - 2 * g, 0], atol=1e-9)
    place = result.reaction_place("hook")
    body, A = result.position("lamp")[-1], result.rotation("lamp")[-1]
    assert_allclose(body + A @ place.point, [1.5, 0, 0], atol=1e-12)


@pytest.mark.parametrize("swap", [False, True])
def test_raw_constraints_report_their_own_reactions_at_their_points(swap):
    """A block on three CD rows at a point and three DP1 rows: each row's force alone, signs by which body is j."""
    m = lw.Mechanism("raw")
    m.body("block", mass=2.0, inertia=[0.1, 0.2, 0.25], position=(1, 0, 0))
    i, j = ("ground", "block") if swap else ("block", "ground")
    on_block = "s_j" if swap else "s_i"
    for axis, c in zip("xyz", np.eye(3).tolist(), strict=True):
        m.constraint(f"point {axis}", "CD", i, j, c=c, **{on_block: (-1, 0, 0)})
    for name, a, b in (("xy", (1, 0, 0), (0, 1, 0)), ("xz", (1, 0, 0), (0, 0, 1)), ("yz", (0, 1, 0), (0, 0, 1))):
        m.constraint(name, "DP1", i, j, a_i=a, a_j=b)
    result = settled(m)
    sign = 1.0 if swap else -1.0
    assert_allclose(result.reaction("point z").force[-1], [0, 0, sign * W], atol=1e-9)
    for quiet in ("point x", "point y", "xy", "yz"):
        assert_allclose(result.reaction(quiet).force[-1], 0, atol=1e-9)
        assert_allclose(result.reaction(quiet).torque[-1], 0, atol=1e-9)
    assert_allclose(result.reaction("xz").torque[-1], [0, -sign * W, 0], atol=1e-9)
    assert_allclose(result.reaction("xz").force[-1], 0, atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_rod_pulls_along_itself(formulation):
    """2 kg on a rod of 2 m, and another below on a rod: tension 3 g above, 1 g below, no torque."""
    m = lw.Mechanism("rods")
    m.body("upper", mass=2.0, inertia=[0.1, 0.1, 0.1], position=(0, 0, -2))
    m.body("lower", mass=1.0, inertia=[0.1, 0.1, 0.1], position=(0, 0, -3.5))
    m.joint("long", "rod", "ground", "upper", point=(0, 0, 0), point2=(0, 0, -2))
    m.joint("short", "rod", "upper", "lower", point=(0, 0, -2), point2=(0, 0, -3.5))
    result = settled(m, formulation)
    assert_allclose(result.reaction("long").force[-1], [0, 0, 3 * g], atol=1e-9)
    assert_allclose(result.reaction("short").force[-1], [0, 0, g], atol=1e-9)
    for rod in ("long", "short"):
        assert_allclose(result.reaction(rod).torque, 0, atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_an_upright_disc_rolling_straight_presses_with_its_weight(formulation):
    m = lw.Mechanism("wheel")
    m.body(
        "wheel", mass=2.0, shape={"type": "disc", "radius": 0.3, "axis": "y"}, position=(0, 0, 0.3),
        velocity=(1.5, 0, 0), angular_velocity=(0, 5.0, 0),
    )  # fmt: skip
    m.joint("road", "rolling-disc", "ground", "wheel", radius=0.3, point=(0, 0, 0), axis=(0, 0, 1), axis2=(0, 1, 0))
    result = lw.simulate(m, 1.0, 1e-2, formulation)
    force = result.reaction("road").force
    # Euler parameters do not turn at an even rate under implicit Euler: an error of order h along the road
    assert_allclose(force, np.broadcast_to([0, 0, W], (101, 3)), atol=0.1 if formulation == "rp" else 1e-6)
    assert_allclose(force[:, 1:], np.broadcast_to([0, W], (101, 2)), atol=1e-6)
    assert_allclose(result.position("wheel")[:, 0], 1.5 * result.time, atol=0.03 if formulation == "rp" else 1e-9)
    assert_allclose(result["power"], 0.0, atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_leaning_disc_is_held_on_its_circle(formulation):
    """Shipped: its centre runs in a circle at constant height, so the road carries the weight and m v^2 / R inwards."""
    errors = []
    for step in (1e-3, 5e-4):
        result = lw.simulate(lw.load("rolling_disc"), 1.0, step, formulation, "implicit-euler")
        r, v = result.position("disc"), result.velocity("disc")
        speed = np.linalg.norm(v[0])
        # the circle's centre: the disc starts at x = 0 moving along y, and turns once in 4.189 s
        radius = speed * 4.18879 / (2 * np.pi)
        centre = np.array([r[0, 0] + np.sign(result.acceleration("disc")[0, 0]) * radius, r[0, 1]])
        inward = (centre - r[:, :2]) / radius
        force = result.reaction("ground contact").force
        wanted = np.column_stack([2.0 * speed**2 / radius * inward, np.full(len(r), W)])
        errors.append(np.abs(force - wanted)[5:].max())
    assert errors[0] < 0.2
    assert errors[1] < 0.6 * errors[0]


SAMPLES = (
    "kissel2021_double_pendulum",
    "kissel2021_four_link",
    "kissel2021_slider_crank",
    "planar_four_bar",
    "rolling_disc",
    "gyroscope",
)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", SAMPLES)
def test_reactions_and_weights_are_what_accelerates_each_body(name, formulation):
    """Newton and Euler for every body from reported numbers alone: forces, torques, points and signs together.

    Each reaction acts on its body as reported and on the other in the opposite sense at the same place.
    """
    m = lw.load(name)
    lowered = m.lower()
    result = lw.simulate(m, 0.3, 1e-3, formulation, newton="full")  # its last correction leaves nothing
    force = {b.name: b.mass * (result.acceleration(b.name) - [0, 0, -g]) for b in lowered.bodies}
    torque = {}
    for b in lowered.bodies:
        w, alpha = result.angular_velocity(b.name), result.angular_acceleration(b.name)
        J = np.asarray(b.inertia)
        own = alpha @ J + np.cross(w, w @ J)
        torque[b.name] = np.einsum("nij,nj->ni", result.rotation(b.name), own)
    size = max(np.abs(result["reaction_force"]).max(), np.abs(result["reaction_torque"]).max())
    for joint in lowered.joints:
        F, T = result.reaction(joint.name)
        place = result.reaction_place(joint.name)
        if place.body == "ground":
            point = np.broadcast_to(place.point, F.shape)
        else:
            point = result.position(place.body) + np.einsum("nij,j->ni", result.rotation(place.body), place.point)
        for k in (joint.body_i, joint.body_j):
            if k >= 0:
                sign = 1.0 if lowered.bodies[k].name == place.body else -1.0
                body = lowered.bodies[k].name
                force[body] = force[body] - sign * F
                torque[body] = torque[body] - sign * (T + np.cross(point - result.position(body), F))
    for left in (*force.values(), *torque.values()):
        assert np.abs(left).max() < 1e-7 * size


def test_kinetic_and_potential_energy_are_those_of_the_formulas():
    m = lw.load("spatial_slider_crank_spring")
    result = lw.simulate(m, 0.5, 1e-3, "rA")
    kinetic, potential = np.zeros(501), np.zeros(501)
    for b in m.lower().bodies:
        v, w = result.velocity(b.name), result.angular_velocity(b.name)
        kinetic += 0.5 * b.mass * np.sum(v * v, axis=1) + 0.5 * np.sum(w * (w @ np.asarray(b.inertia)), axis=1)
        potential += b.mass * g * result.position(b.name)[:, 2]
    length = np.linalg.norm(result.position("slider") - [0.5, 0, 0], axis=1)
    potential += 0.5 * 200.0 * (length - 0.25) ** 2
    assert_allclose(result["kinetic_energy"], kinetic, rtol=1e-12, atol=1e-13)
    assert_allclose(result["potential_energy"], potential, rtol=1e-12)
    # the damper alone takes energy: -c v^2
    rate = np.einsum("ni,ni->n", result.velocity("slider"), result.position("slider") - [0.5, 0, 0]) / length
    assert_allclose(result["power"], -0.5 * rate**2, rtol=1e-9, atol=1e-9)
    assert_array_equal(result.energy, result["kinetic_energy"] + result["potential_energy"])


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(
    "name", ["kissel2021_four_link", "kissel2021_slider_crank", "planar_four_bar", "spatial_slider_crank_spring"]
)
def test_the_energy_balance_closes_with_the_step(name, formulation):
    """Work of drivers and dampers accounts for the change of energy up to the method's error: order two."""
    left = []
    for step in (1e-3, 5e-4):
        balance = lw.simulate(lw.load(name), 0.7, step, formulation).energy_balance()
        left.append(np.abs(balance.residual).max() / np.ptp(balance.kinetic))
    assert left[0] < 1e-3
    assert left[0] / left[1] == pytest.approx(4.0, rel=0.2)


@pytest.mark.parametrize(("integrator", "order"), [("implicit-euler", 1), ("generalized-alpha", 2)])
def test_velocity_violation_is_that_of_the_method_and_positions_are_met(integrator, order):
    """Index 3 meets positions; velocities fit them to the order of the method."""
    violations = []
    for step in (1e-2, 5e-3):
        result = lw.simulate(lw.load("kissel2021_double_pendulum"), 0.5, step, integrator=integrator)
        assert result["position_violation"].max() < 1e-10
        violations.append(result["velocity_violation"][1:].max())
    assert violations[0] / violations[1] == pytest.approx(2.0**order, rel=0.1)


def test_a_torsion_springs_energy_counts_its_turns_in_any_slice():
    """Wound up over several turns, the energy is k theta^2 / 2, whichever part of the result is asked for first."""
    m = lw.Mechanism("wound", gravity=(0, 0, 0))
    m.body("wheel", mass=1.0, inertia=[0.1, 0.1, 0.1], angular_velocity=(0, 0, 20.0))
    m.joint("axle", "revolute", "ground", "wheel", point=(0, 0, 0), axis=(0, 0, 1))
    m.force("spring", "torsion", joint="axle", stiffness=0.2)
    result = lw.simulate(m, 3.0, 1e-3, "rA")
    theta = np.unwrap(np.arctan2(result.rotation("wheel")[:, 1, 0], result.rotation("wheel")[:, 0, 0]))
    assert np.ptp(theta) > 4 * np.pi
    wanted = 0.5 * 0.2 * theta**2
    assert_allclose(result.read("potential_energy", 1000, 1200), wanted[1000:1200], atol=1e-9)
    assert_allclose(result["potential_energy"], wanted, atol=1e-9)
    assert_allclose(result.read("potential_energy", 500, 700), wanted[500:700], atol=1e-9)
