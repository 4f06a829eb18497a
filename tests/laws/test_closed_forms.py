"""Motions of elements beside closed forms and SciPy's integrations of equations written by hand, to 1e-9 or better."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.linalg import expm, solve_continuous_are
from scipy.special import ellipj

import linkwork as lw
from linkwork.formulations import FORMULATIONS

EXAMPLES = Path(__file__).parents[2] / "examples"
FAST = ("lie-mixed", "articulated-body", "canonical", "augmented", "joint-rates")
TIGHT = {"rtol": 1e-12, "atol": 1e-13}
CLOSE = 1e-9


def run(mech: lw.Mechanism, t_end: float, formulation: str = "lie-mixed", **options: Any) -> lw.Result:
    return lw.simulate(mech, t_end, t_end / 50, formulation, "dop853", **TIGHT, accept_changes=True, **options)


def by_hand(rate: Callable[..., Any], start: list[float], time: np.ndarray) -> np.ndarray:
    """(n, nt) of an independent integration."""
    return solve_ivp(rate, (0.0, time[-1]), start, "DOP853", t_eval=time, rtol=1e-13, atol=1e-14).y


def on_rail(mass: float, **body: Any) -> lw.Mechanism:
    mech = lw.Mechanism("on a rail", gravity=(0.0, 0.0, 0.0))
    mech.body("cart", mass=mass, inertia=[0.1, 0.1, 0.1], **body)
    mech.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    return mech


@pytest.mark.parametrize("formulation", ["lie-mixed", "canonical", "articulated-body"])
def test_duffing_is_a_jacobi_elliptic_function(formulation: str) -> None:
    """m x'' + k x + c x^3 = 0 from rest at X: x = X cn(w t), w^2 = (k + c X^2)/m, parameter c X^2/(2 m w^2)."""
    m, k, c, X = 2.0, 8.0, 40.0, 0.7
    mech = on_rail(m)
    mech.force("spring", "joint-spring", joint="rail", stiffness=k, force=f"{c}*displacement**3")
    found = run(mech, 5.0, formulation, state={"rail": X})
    w = np.sqrt((k + c * X**2) / m)
    cn = ellipj(w * found.time, c * X**2 / (2 * m * w**2))[1]
    assert_allclose(found.joint("rail")["displacement"], X * cn, atol=CLOSE)


def test_a_pendulum_on_a_shaken_base_stands_and_follows_its_equation() -> None:
    """l th'' = (g + a''(t)) sin th from the upper position [Kapitza]; a = A cos(w t), fast enough to hold it."""
    length, A, w = 0.2, 0.01, 300.0
    mech = lw.Mechanism("kapitza")
    mech.body("bob", mass=1.0, inertia=[1e-12, 1e-12, 1e-12], position=[0, 0, length])
    mech.joint("pivot", "revolute", "ground", "bob", point=[0, 0, 0], axis=[0, 1, 0])
    mech.force("shaking", "base-acceleration", components=[0, 0, f"-{A * w * w}*cos({w}*t)"])
    found = run(mech, 1.0, state={"pivot": 0.1})

    def rate(t: float, y: np.ndarray) -> list[float]:
        return [y[1], (9.81 - A * w * w * np.cos(w * t)) / length * np.sin(y[0])]

    wanted = by_hand(rate, [0.1, 0.0], found.time)[0]
    assert np.abs(wanted).max() < 0.12
    assert_allclose(found.joint("pivot")["angle"], wanted, atol=CLOSE)


@pytest.mark.parametrize("formulation", ["lie-mixed", "canonical"])
def test_a_cubic_spring_in_space(formulation: str) -> None:
    """m r'' = -(k + c |r|^2) r: a spring of no free length, from a start that is in no plane of the axes."""
    m, k, c = 0.8, 30.0, 200.0
    mech = lw.Mechanism("ball", gravity=(0.0, 0.0, 0.0))
    r, v = [0.2, -0.1, 0.3], [1.0, 0.8, -0.4]
    mech.body("ball", mass=m, inertia=[1, 1, 1], position=r, velocity=v, angular_velocity=[0, 0, 0])
    ends = {"on_first": {"point": [0, 0, 0]}, "on_second": {"point": [0, 0, 0]}}
    mech.force("band", "spring", first="ground", second="ball", **ends, length=0, actuator=f"{k}*length+{c}*length^3")
    found = run(mech, 2.0, formulation)

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        return np.r_[y[3:], -(k + c * y[:3] @ y[:3]) / m * y[:3]]

    wanted = by_hand(rate, [*r, *v], found.time)
    assert_allclose(found["position"][:, 0].T, wanted[:3], atol=CLOSE)
    turning = np.cross(found["position"][:, 0], found["velocity"][:, 0])
    assert_allclose(turning, np.tile(turning[0], (len(turning), 1)), atol=CLOSE)


def test_a_servo_arm_is_a_linear_oscillator() -> None:
    """(I + n^2 J) q'' + n d q' + n k (q - q0) = 0 with a rotor J behind a gear n."""
    I, J, n, k, d, target = 0.08, 2e-5, 50.0, 0.05, 8e-3, 1.0
    mech = lw.Mechanism("servo", gravity=(0, 0, 0))
    mech.body("arm", mass=1e-3, inertia=[I, I, I])
    mech.joint("shoulder", "revolute", "ground", "arm", point=[0, 0, 0], axis=[0, 0, 1])
    mech.force("servo", "motor", joint="shoulder", position=target, stiffness=k, damping=d, ratio=n)
    mech.coupling("rotor", "rotor", joint="shoulder", inertia=J, ratio=n)
    found = run(mech, 4.0)
    M = I + n * n * J
    decay = n * d / (2 * M)
    w = np.sqrt(n * k / M - decay**2)
    t = found.time
    wanted = target * (1 - np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t)))
    assert_allclose(found.joint("shoulder")["angle"], wanted, atol=CLOSE)
    assert_allclose(found.force("servo")["effort"][0], n * k * target, rtol=1e-12)


def test_a_cam_with_its_follower_against_a_spring() -> None:
    """(I + m s'^2) q'' + m s' s'' q'^2 + k s s' = T with the table's natural spline s(q)."""
    I, m, k, T = 0.02, 0.5, 300.0, 0.3
    x = np.linspace(0.0, 4.0, 17)
    y = 0.05 * np.sin(0.5 * x) ** 2
    s = CubicSpline(x, y, bc_type="natural")
    mech = lw.Mechanism("cam", gravity=(0, 0, 0))
    mech.body("disc", mass=1, inertia=[I, I, I])
    mech.body("follower", mass=m, inertia=[1, 1, 1], position=[0, 0.3, 0])
    mech.joint("shaft", "revolute", "ground", "disc", point=[0, 0, 0], axis=[0, 0, 1])
    mech.joint("guide", "translational", "ground", "follower", point=[0, 0.3, 0], axis=[0, 1, 0])
    mech.table("lift", x.tolist(), y.tolist(), between="cubic", outside="extend")
    mech.coupling("profile", "cam", follower="guide", cam="shaft", table="lift")
    mech.force("spring", "joint-spring", joint="guide", stiffness=k)
    mech.force("motor", "motor", joint="shaft", effort=T)
    found = lw.simulate(mech, 0.6, 2e-4, "lie-mixed", "rk4", state=lw.start_state(mech, {"shaft": 0.3}, {"shaft": 1.0}))

    def rate(t: float, z: np.ndarray) -> list[float]:
        q, v = z
        s0, s1, s2 = s(q), s(q, 1), s(q, 2)
        return [v, (T - m * s1 * s2 * v * v - k * s0 * s1) / (I + m * s1 * s1)]

    tight = {"rtol": 1e-12, "atol": 1e-13, "max_step": 1e-3}
    q = solve_ivp(rate, (0, 0.6), [0.3, 1.0], "DOP853", t_eval=found.time, **tight).y[0]
    assert np.ptp(q) > 0.3
    assert_allclose(found.joint("shaft")["angle"], q, atol=CLOSE)
    assert_allclose(found.joint("guide")["displacement"], s(q), atol=CLOSE)


@pytest.mark.parametrize("first", ["ground", "frame"])
def test_a_bead_slides_on_a_wire_of_given_points(first: str) -> None:
    """(1 + y'^2) x'' + y' y'' x'^2 + g y' = 0 on the natural spline through the points, above the x axis."""
    x = np.linspace(-1.2, 1.2, 25)
    s = CubicSpline(x, 0.4 * x**2, bc_type="natural")
    mech = lw.Mechanism("bead")
    if first == "frame":  # fixed to ground, turned and moved away
        place = {"position": [0.3, -0.2, 0.1], "rotation": {"axis": [0, 0, 1], "angle": np.pi / 2}}
        mech.body("frame", mass=1, inertia=[1, 1, 1], **place)
        mech.joint("fixed", "fixed", "ground", "frame")
    mech.body("bead", mass=0.2, inertia=[1e-3, 2e-3, 1e-3], position=[0.7, 0, s(0.7) - 0.05],
              velocity=[0, 0, 0], angular_velocity=[0, 0, 0])  # fmt: skip
    mech.table("wire", x.tolist(), s(x).tolist(), between="cubic", outside="extend")
    axes = {"along": [1, 0, 0], "across": [0, 0, 1]}
    if first == "frame":
        axes = {"along": [0, -1, 0], "across": [0, 0, 1], "origin": [0.2, 0.3, -0.1]}
    mech.coupling("slides", "point-on-curve", first=first, second="bead", point=[0, 0, 0.05], table="wire", **axes)
    for turn in ("roll", "pitch", "yaw"):
        mech.joint("loose", "free", "ground", "bead") if turn == "roll" else None
        mech.driver(turn, "loose", 0, turn)
    assert mech.check().freedom.positions == 1
    found = lw.simulate(mech, 1.0, 2e-4, "lie-mixed", "rk4", every=10, accept_changes=True)

    def rate(t: float, z: np.ndarray) -> list[float]:
        q, v = z
        s1, s2 = s(q, 1), s(q, 2)
        return [v, -(s1 * s2 * v * v + 9.81 * s1) / (1 + s1 * s1)]

    tight = {"rtol": 1e-12, "atol": 1e-13, "max_step": 1e-3}
    q = solve_ivp(rate, (0, 1.0), [0.7, 0.0], "DOP853", t_eval=found.time, **tight).y[0]
    reached = found.point("bead", [0, 0, 0.05])["position"]
    assert_allclose(reached[:, 0], q, atol=1e-8)
    assert_allclose(reached[:, 2], s(reached[:, 0]), atol=1e-8)
    assert_allclose(reached[:, 1], 0.0, atol=CLOSE)


@pytest.mark.parametrize("kind", ["isotropic", "anisotropic"])
def test_a_bushing_is_a_linear_system_of_six_freedoms(kind: str) -> None:
    """M d'' + C d' + K d = 0 by the matrix exponential, for motions so small that what is left out is below 1e-9."""
    random = np.random.default_rng(5)
    if kind == "isotropic":
        given: dict[str, Any] = {"stiffness": [500.0, 20.0], "damping": [3.0, 0.2]}
        K, C = np.diag([500.0] * 3 + [20.0] * 3), np.diag([3.0] * 3 + [0.2] * 3)
    else:
        K, C = (s * (Q @ Q.T + np.eye(6)) for s, Q in zip((60.0, 0.5), random.normal(size=(2, 6, 6)), strict=True))
        given = {"stiffness": K.tolist(), "damping": C.tolist()}
    mass, J = 2.0, np.array([0.1, 0.2, 0.25])
    size = 1e-5
    d = size * random.normal(size=6)

    def mounted(velocity: np.ndarray) -> lw.Mechanism:
        mech = lw.Mechanism("mounted", gravity=(0, 0, 0))
        motion = {"velocity": velocity[:3].tolist(), "angular_velocity": velocity[3:].tolist()}
        mech.body("block", mass=mass, inertia=J.tolist(), **motion)
        mech.force("mount", "bushing", first="ground", second="block", point=[0, 0, 0], **given)
        return mech

    inverse = np.diag(1.0 / np.r_[np.full(3, mass), J])
    A = np.block([[np.zeros((6, 6)), np.eye(6)], [-inverse @ K, -inverse @ C]])
    rest = mounted(np.zeros(6))
    roots = sorted_roots(lw.linearise(rest, lw.State.start(rest)).eigenvalues())
    assert_allclose(roots, sorted_roots(np.linalg.eigvals(A)), rtol=CLOSE)
    tight = {"formulation": "lie-mixed", "integrator": "dop853", "rtol": 1e-13, "atol": 1e-18}
    there, back = (lw.simulate(mounted(s * d), 1.0, 0.02, **tight) for s in (1.0, -1.0))
    wanted = np.array([expm(A * t) @ np.r_[np.zeros(6), d] for t in there.time])
    # half the difference of both: what is quadratic in the motion drops out
    assert_allclose((there["position"] - back["position"])[:, 0] / 2, wanted[:, :3], atol=CLOSE * size)
    assert_allclose((turns(there) - turns(back)) / 2, wanted[:, 3:6], atol=CLOSE * size)


def sorted_roots(found: np.ndarray) -> np.ndarray:
    return np.array(sorted(found, key=lambda s: (round(s.imag, 6), s.real)))


def turns(found: lw.Result) -> np.ndarray:
    R = found["rotation"][:, 0]
    return 0.5 * np.array([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]]).T


def balanced(mech: lw.Mechanism, joints: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A, B of the coordinates and rates at zero under a force on the cart, and the regulator's gains."""
    zero = dict.fromkeys(joints, 0.0)
    upright = lw.start_state(mech, zero, zero)
    model = lw.linearise(mech, upright, inputs=["cart.force.x"], outputs=coordinates(mech, joints))
    T = np.vstack([model.C, model.C @ model.A])
    A, B = T @ model.A @ np.linalg.inv(T), T @ model.B
    n = len(joints)
    P = solve_continuous_are(A, B, np.diag([1.0] + [10.0] * (n - 1) + [1.0] * n), np.eye(1))
    return A, B, (B.T @ P)[0]


def coordinates(mech: lw.Mechanism, joints: list[str]) -> list[str]:
    return [f"{one}.{mech.element(one).coordinates[0]}" for one in joints]


def law(gains: np.ndarray, joints: list[str]) -> str:
    words = [f"{'displacement' if k == 0 else 'angle'}('{one}')" for k, one in enumerate(joints)]
    words += [f"rate('{one}')" for one in joints]
    return " - ".join(["0", *(f"({gain!r})*{word}" for gain, word in zip(gains.tolist(), words, strict=True))])


def test_a_balanced_cart_pole_follows_its_equations() -> None:
    M, m, l, I = 1.0, 0.1, 0.5, 0.01
    mech = on_rail(M)
    mech.gravity = (0.0, 0.0, -9.81)
    mech.body("pole", mass=m, inertia=[I, I, I], position=[0, 0, l])
    mech.joint("hinge", "revolute", "cart", "pole", point=[0, 0, 0], axis=[0, 1, 0])
    A, B, gains = balanced(mech, ["rail", "hinge"])
    full = np.array([[M + m, m * l], [m * l, I + m * l * l]])
    assert_allclose(A[2:, :2], np.linalg.solve(full, np.diag([0.0, m * 9.81 * l])), atol=CLOSE)
    assert_allclose(B[2:, 0], np.linalg.solve(full, [1.0, 0.0]), atol=CLOSE)
    mech.force("motor", "motor", joint="rail", effort=law(gains, ["rail", "hinge"]))
    found = run(mech, 3.0, state={"rail": 0.1, "hinge": 0.3})

    def rate(t: float, z: np.ndarray) -> np.ndarray:
        _, q, dx, dq = z
        both = np.array([[M + m, m * l * np.cos(q)], [m * l * np.cos(q), I + m * l * l]])
        return np.r_[dx, dq, np.linalg.solve(both, [-gains @ z + m * l * np.sin(q) * dq**2, m * 9.81 * l * np.sin(q)])]

    wanted = by_hand(rate, [0.1, 0.3, 0.0, 0.0], found.time)
    assert_allclose(found.joint("rail")["displacement"], wanted[0], atol=CLOSE)
    assert_allclose(found.joint("hinge")["angle"], wanted[1], atol=CLOSE)
    closed = lw.linearise(mech, lw.start_state(mech, {"rail": 0.0, "hinge": 0.0}, {"rail": 0.0, "hinge": 0.0}))
    eigenvalues = np.linalg.eigvals(A - B @ gains[None])
    assert_allclose(np.sort_complex(closed.eigenvalues()), np.sort_complex(eigenvalues), rtol=1e-8)


def test_a_balanced_double_pendulum_follows_its_equations() -> None:
    """Two bobs on rods without mass above a cart; angles from the vertical are a and a + b."""
    M, m1, m2, l1, l2, g = 1.0, 0.2, 0.1, 0.5, 0.4, 9.81
    mech = on_rail(M)
    mech.gravity = (0.0, 0.0, -g)
    mech.body("lower", mass=m1, inertia=[1e-12] * 3, position=[0, 0, l1])
    mech.body("upper", mass=m2, inertia=[1e-12] * 3, position=[0, 0, l1 + l2])
    mech.joint("a", "revolute", "cart", "lower", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("b", "revolute", "lower", "upper", point=[0, 0, l1], axis=[0, 1, 0])
    joints = ["rail", "a", "b"]
    _, _, gains = balanced(mech, joints)
    mech.force("motor", "motor", joint="rail", effort=law(gains, joints))
    found = run(mech, 3.0, state={"rail": 0.0, "a": 0.05, "b": -0.08})

    def rate(t: float, z: np.ndarray) -> np.ndarray:
        x, p, q, dx, dp, dq = z  # q from the vertical
        c1, s1, c2, s2, c12, s12 = np.cos(p), np.sin(p), np.cos(q), np.sin(q), np.cos(p - q), np.sin(p - q)
        full = np.array([
            [M + m1 + m2, (m1 + m2) * l1 * c1, m2 * l2 * c2],
            [(m1 + m2) * l1 * c1, (m1 + m2) * l1**2, m2 * l1 * l2 * c12],
            [m2 * l2 * c2, m2 * l1 * l2 * c12, m2 * l2**2],
        ])  # fmt: skip
        force = -gains @ np.array([x, p, q - p, dx, dp, dq - dp])
        right = [
            force + (m1 + m2) * l1 * s1 * dp**2 + m2 * l2 * s2 * dq**2,
            (m1 + m2) * g * l1 * s1 - m2 * l1 * l2 * s12 * dq**2,
            m2 * g * l2 * s2 + m2 * l1 * l2 * s12 * dp**2,
        ]
        return np.r_[dx, dp, dq, np.linalg.solve(full, right)]

    wanted = by_hand(rate, [0, 0.05, -0.03, 0, 0, 0], found.time)
    assert_allclose(found.joint("rail")["displacement"], wanted[0], atol=CLOSE)
    assert_allclose(found.joint("a")["angle"], wanted[1], atol=CLOSE)
    assert_allclose(found.joint("b")["angle"], wanted[2] - wanted[1], atol=CLOSE)
    assert abs(wanted[1, -1]) < 0.01


def test_a_six_axis_arm_under_computed_torques_follows_its_path() -> None:
    """Torques of inverse dynamics as tables of time, and a servo about the path for what the tables leave out."""
    random = np.random.default_rng(7)
    mech = lw.Mechanism("six axes")
    before, at = "ground", np.zeros(3)
    axes = ([0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0])
    paths = [f"{a:.3f}*(sin({w:.3f}*t) - {w:.3f}*t*exp(-3*t))" for a, w in random.uniform([0.2, 1.5], [0.5, 3], (6, 2))]
    for k, axis in enumerate(axes):
        step = np.array([0.05, 0.02, 0.2])
        inertia = random.uniform(0.01, 0.012, 3).tolist()
        mech.body(f"link {k}", mass=2.0 / (k + 1), inertia=inertia, position=(at + 0.5 * step).tolist())
        mech.joint(f"axis {k}", "revolute", before, f"link {k}", point=at.tolist(), axis=axis)
        before, at = f"link {k}", at + step
    led = lw.Mechanism.from_dict(mech.to_dict())
    for k, path in enumerate(paths):
        led.driver(f"drive {k}", f"axis {k}", path)
    motion = lw.kinematics(led, 1.0, 1e-3)
    loads = lw.inverse_dynamics(led, motion)
    for k, path in enumerate(paths):
        mech.table(f"torque_{k}", loads.time.tolist(), loads.load(f"drive {k}").tolist(), between="cubic")
        effort = f"table('torque_{k}', t) - 2*rate + 2*({rate_of(path)})"
        mech.force(f"motor {k}", "motor", joint=f"axis {k}", effort=effort, position=path, stiffness=50)
    found = lw.simulate(mech, 1.0, 5e-4, "canonical", "rk4", every=2)
    for k in range(6):
        assert_allclose(found.joint(f"axis {k}")["angle"], motion.joint(f"axis {k}")["angle"], atol=CLOSE)
    tip = [0.025, 0.01, 0.1]
    reached = found.point("link 5", tip)["position"] - motion.point("link 5", tip)["position"]
    assert_allclose(reached, 0.0, atol=CLOSE)


def rate_of(path: str) -> str:
    """The derivative of a path of the form above."""
    a, rest = path.split("*(sin(", 1)
    w = rest.split("*t)", 1)[0]
    return f"{a}*{w}*(cos({w}*t) - exp(-3*t) + 3*t*exp(-3*t))"


def test_a_fast_body_far_from_the_origin_keeps_its_digits() -> None:
    """7.5 km/s and 7,000 km away: m v^2 times rounding is larger than the torque that turns it. Nothing says that it
    has no inertia, and neither the product v x (m v) nor the distance from the origin reaches its rotation."""
    example = run_path(str(EXAMPLES / "gravity_field.py"))
    mech = example["build"](0.0, 0.01)
    wanted = lw.accelerations(mech, formulation="augmented")
    assert abs(wanted.omegadot[0, 1]) > 1e-8
    for name in FORMULATIONS:
        if name == "penalty":  # iterates to a share of the largest acceleration, 8 m/s^2
            continue
        found = lw.accelerations(mech, formulation=name)
        assert_allclose(found.omegadot, wanted.omegadot, atol=1e-9 * abs(wanted.omegadot[0, 1]), err_msg=name)
    span = 0.5 * np.pi * np.sqrt(example["NEAR"] ** 3 / example["MU"])
    runs = [lw.simulate(mech, span, span / 50, name, "dop853", rtol=1e-9, atol=1e-9) for name in FAST]
    assert all(run.info["steps"] < 30 for run in runs)
    for run in runs[1:]:
        assert_allclose(run["rotation"], runs[0]["rotation"], atol=2e-8)
    assert lw.simulate(mech, span, span / 50).judgement == "good"


def spacecraft(speed: float, railed: bool) -> lw.Mechanism:
    """A hub with a hinged panel and, on a slide off its centre, a counterweight, all passing by at `speed`, no force
    acting; the hub is free, or slides along a rail on ground."""
    mech, along = lw.Mechanism("spacecraft", gravity=(0.0, 0.0, 0.0)), np.array([0.6, 0.8, 0.0])
    turning = np.zeros(3) if railed else np.array([0.01, -0.02, 0.03])
    opening, panel, weight = np.array([0.0, 0.0, 0.05]), np.array([1.0, 0.0, 0.0]), np.array([-0.7, 0.2, 0.0])
    hinge = np.array([0.4, 0.0, 0.0])
    mech.body("hub", mass=5.0, inertia=[0.4, 0.3, 0.5], velocity=speed * along, angular_velocity=turning)
    mech.body(
        "panel", mass=1.0, inertia=[0.02, 0.05, 0.06], position=panel, angular_velocity=turning + opening,
        velocity=speed * along + np.cross(turning, hinge) + np.cross(turning + opening, panel - hinge),
    )  # fmt: skip
    mech.body(
        "weight", mass=0.5, inertia=[0.01, 0.01, 0.01], position=weight, angular_velocity=turning,
        velocity=speed * along + np.cross(turning, weight) + [0.02, 0.0, 0.0],
    )  # fmt: skip
    mech.joint("hinge", "revolute", "hub", "panel", point=hinge, axis=[0.0, 0.0, 1.0])
    mech.joint("slide", "prismatic", "hub", "weight", point=weight, axis=[1.0, 0.0, 0.0])
    if railed:
        mech.joint("rail", "prismatic", "ground", "hub", point=[0.0, 0.0, 0.0], axis=along)
    return mech


@pytest.mark.parametrize("railed", [False, True])
def test_how_links_move_beside_each_other_does_not_depend_on_a_common_velocity(railed: bool) -> None:
    """Galilean invariance of `canonical`: at 10 km/s a free tree, and one on a rail, moves as it does about rest. With
    v x (m v) in the rates of momenta the rates of joints were 3e-7 off."""
    runs = [
        lw.simulate(spacecraft(speed, railed), 2.0, 0.5, "canonical", "dop853", rtol=1e-10, atol=1e-10)
        for speed in (0.0, 1e4)
    ]
    for joint, what in (("hinge", "angle"), ("slide", "displacement")):
        for name in (what, f"{what}_rate"):
            still, fast = (run.joint(joint)[name] for run in runs)
            assert np.ptp(still) > 1e-4
            assert_allclose(fast, still, atol=2e-9, err_msg=name)
    assert_allclose(runs[1]["rotation"], runs[0]["rotation"], atol=2e-9)
