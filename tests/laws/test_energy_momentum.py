"""Laws of mechanics that simulations must obey: momentum, energy, oscillators, and motions known from elsewhere.

Implicit Euler is of first order: where the law holds for it exactly it is checked to rounding, elsewhere errors must
shrink in proportion to the step.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles.free import loaded_body, rolling_disc, skate_on_a_slope

import linkwork as lw

FORMULATIONS = ("rA", "rp", "re")
g = 9.81
NO_WEIGHT = (0.0, 0.0, 0.0)
EULER = "implicit-euler"


def order(run, steps=(2e-3, 1e-3, 5e-4)) -> tuple[np.ndarray, list]:
    """Orders between successive steps (halved each time) of the errors that run(step) returns."""
    errors = [np.asarray(run(step)) for step in steps]
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:])), errors


def assert_first_order(run, steps=(2e-3, 1e-3, 5e-4), within=0.05, below=np.inf) -> None:
    found, errors = order(run, steps)
    assert np.all(np.abs(found - 1.0) < within), f"orders {found}, errors {errors}"
    assert np.all(errors[-1] < below), errors


def tumbling() -> lw.Mechanism:
    m = lw.Mechanism("tumbling", gravity=NO_WEIGHT)
    m.body("a", mass=2.0, inertia=[0.3, 0.4, 0.5], velocity=(0.3, -0.2, 0.1), angular_velocity=(1.0, 2.0, 3.0))
    return m


def pair() -> lw.Mechanism:
    """Two bodies on a ball joint and a spring, nothing else in the world."""
    m = lw.Mechanism("pair", gravity=NO_WEIGHT)
    m.body("a", mass=2.0, inertia=[0.3, 0.4, 0.5], velocity=(0, 0, 0.1), angular_velocity=(1.0, 2.0, 3.0))
    m.body("b", mass=1.0, inertia=[0.1, 0.2, 0.25], position=(1, 0, 0), angular_velocity=(0, 2, 0))
    m.joint("ball", "spherical", "a", "b", point=(0.4, 0, 0))
    m.force(
        "spring", "spring", first="a", second="b", point=(0, 0.5, 0), point2=(1, 0.3, 0.2), stiffness=30, length=0.8
    )
    return m


def momenta(result: lw.Result, m: lw.Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """Linear momentum and angular momentum about the origin, over time, global components."""
    linear, angular = 0.0, 0.0
    for b in m.lower().bodies:
        p = b.mass * result.velocity(b.name)
        spin = np.einsum("nij,nj->ni", result.rotation(b.name), result.angular_velocity(b.name) @ np.asarray(b.inertia))
        linear = linear + p
        angular = angular + np.cross(result.position(b.name), p) + spin
    return linear, angular


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("make", [tumbling, pair])
def test_without_outer_forces_momentum_stays(make, formulation):
    """Linear momentum exactly; angular momentum and energy to first order."""

    def run(step):
        m = make()
        result = lw.simulate(m, 0.5, step, formulation, EULER)
        linear, angular = momenta(result, m)
        assert_allclose(linear, np.broadcast_to(linear[0], linear.shape), atol=1e-9)
        return np.abs(angular - angular[0]).max(), np.abs(result.energy - result.energy[0]).max()

    assert_first_order(run, within=0.12)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_body_spins_on_about_a_principal_axis(formulation):
    m = lw.Mechanism("spin", gravity=NO_WEIGHT)
    m.body("a", mass=1.0, inertia=[0.3, 0.4, 0.5], angular_velocity=(0, 0, 3.0))
    result = lw.simulate(m, 1.0, 1e-3, formulation, EULER)
    close = 0.01 if formulation == "rp" else 1e-9  # p does not turn at an even rate under implicit Euler: order h
    assert_allclose(result.angular_velocity("a"), np.broadcast_to([0, 0, 3.0], (1001, 3)), atol=close)
    assert_allclose(result.rotation("a")[-1, 0, 0], np.cos(3.0), atol=close)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_free_fall_is_the_sum_implicit_euler_makes_of_it(formulation):
    m = lw.Mechanism("fall")
    m.body("a", mass=2.0, inertia=[0.3, 0.4, 0.5], velocity=(1.0, 0, 2.0))
    h = 0.01
    result = lw.simulate(m, 1.0, h, formulation, EULER)
    n = np.arange(101)
    assert_allclose(result.velocity("a")[:, 2], 2.0 - g * h * n, atol=1e-12)
    assert_allclose(result.position("a")[:, 2], 2.0 * h * n - g * h * h * n * (n + 1) / 2, atol=1e-12)
    assert_allclose(result.acceleration("a"), np.broadcast_to([0, 0, -g], (101, 3)), atol=1e-10)


def oscillation(n, h, x, v, k, c, load):
    """Implicit Euler on x'' = -k x - c v + load(t), step by step."""
    out = [x]
    for step in range(1, n + 1):
        v = (v + h * (load(step * h) - k * x)) / (1 + h * c + h * h * k)
        x = x + h * v
        out.append(x)
    return np.array(out)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_spring_damper_actuator_makes_the_oscillator_it_should(formulation):
    """2 kg on a guide, 50 N/m from a point 1 m away with free length 0.7 m, 0.8 N s/m, actuator 3 sin 4t (a pull)."""
    m = lw.Mechanism("oscillator", gravity=NO_WEIGHT)
    m.body("mass", mass=2.0, inertia=[0.1, 0.1, 0.1], position=(1, 0, 0))
    m.joint("guide", "translational", "ground", "mass", point=(0, 0, 0), axis=(1, 0, 0))
    m.force(
        "spring", "spring", first="ground", second="mass", point=(0, 0, 0), point2=(1, 0, 0), stiffness=50, damping=0.8,
        length=0.7, actuator="3*sin(4*t)",
    )  # fmt: skip
    h, n = 1e-2, 300
    result = lw.simulate(m, n * h, h, formulation, EULER)
    wanted = oscillation(n, h, 0.3, 0.0, 25.0, 0.4, lambda t: -1.5 * np.sin(4 * t))
    assert_allclose(result.position("mass")[:, 0] - 0.7, wanted, atol=1e-9)
    # frequency, from a long undamped run: zero crossings at half periods of 2 pi / 5
    m.change("spring", damping=None, actuator=None)
    result = lw.simulate(m, 6.0, 1e-4, formulation, EULER, every=10)
    x = result.position("mass")[:, 0] - 0.7
    k = np.flatnonzero(x[:-1] * x[1:] < 0)
    crossing = result.time[k] + 1e-3 * x[k] / (x[k] - x[k + 1])
    assert_allclose(np.diff(crossing), np.pi / 5, rtol=2e-5)


def wound(stiffness, damping, actuator) -> lw.Mechanism:
    m = lw.Mechanism("wound", gravity=NO_WEIGHT)
    m.body("wheel", mass=1.0, inertia=[0.1, 0.1, 0.1], angular_velocity=(0, 0, 20.0))
    m.joint("axle", "revolute", "ground", "wheel", point=(0, 0, 0), axis=(0, 0, 1))
    m.force("spring", "torsion", joint="axle", stiffness=stiffness, damping=damping, angle=0.5, actuator=actuator)
    return m


def turned(result: lw.Result) -> np.ndarray:
    """The wheel's angle with its turns."""
    A = result.rotation("wheel")
    return np.unwrap(np.arctan2(A[:, 1, 0], A[:, 0, 0]))


def test_a_torsion_spring_counts_its_turns():
    """Wound up over more than two turns and back; rotation vectors about one axis add up, so rA is exact."""
    h, n = 1e-3, 3000
    theta = turned(lw.simulate(wound(0.2, 0.01, "0.3*cos(2*t)"), n * h, h, "rA", EULER))
    assert np.ptp(theta) > 4 * np.pi
    # about 0.5 rad; the actuator turns the second body backwards, like the spring
    wanted = oscillation(n, h, -0.5, 20.0, 2.0, 0.1, lambda t: -3.0 * np.cos(2 * t))
    assert_allclose(theta - 0.5, wanted, atol=1e-8)


@pytest.mark.parametrize("formulation", ["rp", "re"])
def test_a_torsion_spring_in_other_coordinates_tends_to_the_same(formulation):
    def run(step):
        t = step * np.arange(round(2.0 / step) + 1)
        root = np.sqrt(2.0)
        wanted = 0.5 - 0.5 * np.cos(root * t) + 20.0 / root * np.sin(root * t)
        return np.abs(turned(lw.simulate(wound(0.2, 0.0, 0.0), 2.0, step, formulation, EULER)) - wanted).max()

    assert_first_order(run, steps=(5e-4, 2.5e-4, 1.25e-4))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_loads_in_both_axes_move_a_body_as_the_equations_of_motion_say(formulation):
    """Forces at points and torques, in global and body axes, constant and formulas of time, all at once."""
    m_, J = 2.0, np.diag([0.3, 0.4, 0.5])
    point, second = np.array([0.1, -0.2, 0.3]), np.array([0.0, 0.3, -0.1])
    m = lw.Mechanism("loaded")
    m.body("a", mass=m_, inertia=[0.3, 0.4, 0.5], velocity=(0.1, 0, 0), angular_velocity=(0.5, -0.4, 0.3))
    m.force("push", "force", body="a", components=(1.0, "2*sin(3*t)", -0.5), point=point.tolist())
    m.force("jet", "force", body="a", components=("cos(t)", 0.5, 1.0), point=second.tolist(), axes="body")
    m.force("wind", "force", body="a", components=(0.0, 0.0, "t"))
    m.force("twist", "torque", body="a", components=(0.1, "0.2*t", 0.0))
    m.force("motor", "torque", body="a", components=(0.0, 0.1, "0.3*cos(2*t)"), axes="body")

    def push(t):
        return np.array([1.0, 2 * np.sin(3 * t), -0.5])

    def jet(t):
        return np.array([np.cos(t), 0.5, 1.0])

    def force(t, A):
        return push(t) + A @ jet(t) + [0, 0, t - m_ * g]

    def torque(t, A):
        outer = np.cross(point, A.T @ push(t)) + A.T @ np.array([0.1, 0.2 * t, 0.0])
        return outer + np.cross(second, jet(t)) + [0.0, 0.1, 0.3 * np.cos(2 * t)]

    def run(step):
        result = lw.simulate(m, 1.0, step, formulation, EULER)
        r, A, v, w = loaded_body(result.time, m_, J, (0.1, 0, 0), (0.5, -0.4, 0.3), force, torque)
        return [
            np.abs(result.position("a") - r).max(),
            np.abs(result.rotation("a") - A).max(),
            np.abs(result.velocity("a") - v).max(),
            np.abs(result.angular_velocity("a") - w).max(),
        ]

    assert_first_order(run)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_skate_on_a_slope_runs_in_cycloids(formulation):
    """A knife edge under the centre of mass: down the slope, round, and never away (closed form)."""
    slope, spin = 2.0, 3.0
    m = lw.Mechanism("skate", gravity=(slope, 0, -9.0))
    m.body("skate", mass=1.5, inertia=[0.1, 0.1, 0.2], angular_velocity=(0, 0, spin))
    m.joint("ice", "planar", "ground", "skate", point=(0, 0, 0), axis=(0, 0, 1))
    m.joint("blade", "knife-edge", "ground", "skate", point=(0, 0, 0), axis=(0, 1, 0))

    def run(step):
        result = lw.simulate(m, 2.0, step, formulation, EULER)
        x, y = skate_on_a_slope(result.time, slope, spin)
        across = np.einsum("ni,ni->n", result.velocity("skate"), result.rotation("skate")[:, :, 1])
        assert np.abs(across).max() < 1e-8, "the blade never slips"
        r = result.position("skate")
        return np.abs(r[:, 0] - x).max(), np.abs(r[:, 1] - y).max()

    assert_first_order(run)


def test_a_pfaffian_row_ties_two_speeds_together():
    """v_a + 2 v_b = f(t) along x: impulses in the ratio 1 : 2 (closed form, exact at the steps)."""
    m = lw.Mechanism("tied", gravity=NO_WEIGHT)
    m.body("a", mass=2.0, inertia=[0.1, 0.1, 0.1], velocity=(0.4, 0, 0))
    m.body("b", mass=0.5, inertia=[0.1, 0.1, 0.1], position=(0, 1, 0), velocity=(0.3, 0, 0))
    m.constraint("tie", "PFAFFIAN", "a", "b", g_i=(1, 0, 0, 0, 0, 0), g_j=(2, 0, 0, 0, 0, 0), f="1 + 0.5*sin(2*t)")
    result = lw.simulate(m, 1.0, 1e-2, integrator=EULER)
    change = 0.5 * np.sin(2 * result.time) / (1 / 2.0 + 4 / 0.5)
    assert_allclose(result.velocity("a")[:, 0], 0.4 + change / 2.0, atol=1e-10)
    assert_allclose(result.velocity("b")[:, 0], 0.3 + 2 * change / 0.5, atol=1e-10)
    assert result["velocity_violation"].max() < 1e-10


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_disc_rolls_as_its_own_equations_say(formulation):
    """Released leaning, wobbling: position, attitude and road force against an ODE without constraints."""
    mass, R, lean = 2.0, 0.3, 0.3
    w0 = np.array([0.2, 0.5, 6.0])  # the wheel's axis is its z axis
    p0 = np.array([np.cos(np.pi / 4 - lean / 2), np.sin(np.pi / 4 - lean / 2), 0.0, 0.0])  # about x by pi/2 - lean
    r0 = np.array([0.0, 0.0, R * np.cos(lean)])
    t = np.linspace(0.0, 1.0, 11)
    r, A, F = rolling_disc(t, mass, R, r0, p0, w0)
    m = lw.Mechanism("disc")
    start = {"position": r0.tolist(), "rotation": A[0].tolist(), "angular_velocity": w0.tolist()}
    # no slip: rdot = -omega x rho, rho from the centre to the road
    a, n = A[0][:, 2], np.array([0.0, 0.0, 1.0])
    down = n - (n @ a) * a
    velocity = np.cross(A[0] @ w0, R * down / np.linalg.norm(down))
    m.body("disc", mass=mass, shape={"type": "disc", "radius": R, "axis": "z"}, velocity=velocity.tolist(), **start)
    m.joint("road", "rolling-disc", "ground", "disc", radius=R, point=(0, 0, 0), axis=(0, 0, 1), axis2=a.tolist())

    def run(step):
        result = lw.simulate(m, 1.0, step, formulation, EULER, every=round(0.1 / step))
        assert not any("assembly" in message for message in result.messages), result.messages
        return [
            np.abs(result.position("disc") - r).max(),
            np.abs(result.rotation("disc") - A).max(),
            np.abs(result.reaction("road").force[1:] - F[1:]).max(),
        ]

    assert_first_order(run, steps=(4e-4, 2e-4, 1e-4), within=0.1)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_gyroscope_keeps_its_height_and_precesses(formulation):
    """Shipped in its slow steady precession: the axis goes round at 5.2325 rad/s."""

    def run(step):
        result = lw.simulate(lw.load("gyroscope"), 0.4, step, formulation, EULER, every=round(4e-3 / step))
        r = result.position("top")
        angle = np.unwrap(np.arctan2(r[:, 1], r[:, 0]))
        return np.abs(r[:, 2] - 0.05).max(), np.abs(angle - 5.232473 * result.time).max()

    found, errors = order(run, (4e-4, 2e-4, 1e-4))
    assert np.all(found[-1] > 0.8), (found, errors)
    assert errors[-1][1] < 0.3
