"""Linear models and modes: closed forms, matrices of other formulations, moving states, large mechanisms, refusals."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from scipy.spatial.transform import Rotation

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.equations.index_3.variations import apply, vary_forces, vary_reactions
from linkwork.errors import AssemblyError, SingularPositionError, UsageError
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.linearise import linear_model
from linkwork.linearisation.signals import output_of
from linkwork.linearisation.slow_modes import slow_modes
from linkwork.linearisation.start import equations_of
from linkwork.system.dense import Pose

G = 9.81
Y = {"axis": [0, 1, 0]}


def pendulum(upright: bool = False, spring: float = 0.0) -> lw.Mechanism:
    """Two bars of 1 and 0.5 m hanging (or standing) in the x-z plane."""
    mech, sign = lw.Mechanism("double pendulum"), 1.0 if upright else -1.0
    mech.body("upper", mass=2.0, inertia=[0.2, 0.3, 0.1], position=[0, 0, 0.5 * sign])
    mech.body("lower", mass=1.5, inertia=[0.1, 0.2, 0.05], position=[0, 0, 1.25 * sign])
    mech.joint("shoulder", "revolute", "ground", "upper", point=[0, 0, 0], **Y)
    mech.joint("elbow", "revolute", "upper", "lower", point=[0, 0, sign], **Y)
    if spring:
        mech.force("coil", "torsion", joint="elbow", stiffness=spring, damping=0.3)
    return mech


def pendulum_matrices() -> tuple[Any, Any]:
    """M and K of the hanging one in the bars' angles to the vertical, by hand."""
    m1, m2, l1, a1, a2 = 2.0, 1.5, 1.0, 0.5, 0.25
    M = np.array([[0.3 + m1 * a1**2 + m2 * l1**2, m2 * l1 * a2], [m2 * l1 * a2, 0.2 + m2 * a2**2]])
    return M, G * np.diag([m1 * a1 + m2 * l1, m2 * a2])


def test_double_pendulum_against_its_closed_form() -> None:
    M, K = pendulum_matrices()
    wanted = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)) / (2 * np.pi)
    found = lw.modes(pendulum())
    np.testing.assert_allclose(found.frequencies, wanted, rtol=1e-12)
    np.testing.assert_allclose(found.damping_ratios, 0.0, atol=1e-12)
    np.testing.assert_allclose(found.participation.sum(axis=1), 1.0, rtol=1e-12)
    shape = found.shapes[0]  # both bars swing to the same side, the lower one further
    assert 0.0 < (shape[0, 4] / shape[1, 4]).real < 1.0


def test_coil_and_damper_at_the_elbow_with_inputs_and_outputs() -> None:
    """Against M, C, K by hand: eigenvalues, and the response of the elbow's angle to a torque on the lower bar."""
    M, K = pendulum_matrices()
    between = np.array([[1.0, -1.0], [-1.0, 1.0]])
    K, C = K + 40.0 * between, 0.3 * between
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    mech = pendulum(spring=40.0)
    model = lw.linearise(mech, inputs=["lower.torque.y", "coil"], outputs=["elbow.angle", "upper.rotation.y"])
    wanted = np.linalg.eigvals(A)
    wanted = wanted[np.lexsort((wanted.imag, wanted.real, np.round(np.abs(wanted), 9)))]
    np.testing.assert_allclose(model.eigenvalues(), wanted, rtol=1e-11)
    w = 3.0
    x = np.linalg.solve(-w * w * M + 1j * w * C + K, [[0.0, 1.0], [1.0, -1.0]])  # the actuator pulls on the first
    found = model.response([w])[0]
    np.testing.assert_allclose(found, [x[1] - x[0], x[0]], rtol=1e-12)


def test_quarter_car() -> None:
    """A suspension: wheel and body on a vertical guide, against its 4 x 4 matrix."""
    m, M, kt, k, c = 40.0, 300.0, 2e5, 2e4, 1500.0
    mech = lw.Mechanism("quarter car", gravity=(0, 0, 0))
    at: dict[str, Any] = {"axis": [0, 0, 1]}
    mech.body("wheel", mass=m, inertia=[1, 1, 1], position=[0, 0, 0.3])
    mech.body("body", mass=M, inertia=[9, 9, 9], position=[0, 0, 0.8])
    mech.joint("wheel guide", "translational", "ground", "wheel", point=[0, 0, 0], **at)
    mech.joint("body guide", "translational", "ground", "body", point=[0, 0, 0], **at)
    mech.force("tyre", "spring", first="ground", second="wheel", stiffness=kt, point=[0, 0, 0], point2=[0, 0, 0.3])
    mech.force(
        "strut", "spring", first="wheel", second="body", stiffness=k, damping=c, point=[0, 0, 0.3], point2=[0, 0, 0.8]
    )
    A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-(kt + k) / m, k / m, -c / m, c / m], [k / M, -k / M, c / M, -c / M]])
    wanted = np.linalg.eigvals(A)
    found = lw.linearise(mech, inputs=["tyre"], outputs=["body.acceleration.z"])
    for value in wanted:
        assert np.min(np.abs(found.eigenvalues() - value)) < 1e-11 * abs(value)
    w = np.array([5.0, 60.0])
    x = [np.linalg.solve(1j * s * np.eye(4) - A, [0, 0, -1 / m, 0]) for s in w]  # the actuator pulls the wheel down
    np.testing.assert_allclose(
        found.response(w)[:, 0, 0], [-s * s * one[1] for s, one in zip(w, x, strict=True)], rtol=1e-11
    )


def test_formulas_of_the_state_are_linearised_too() -> None:
    """A spring by formula is the spring itself, and an input that formulas read has its column of B."""

    def block(**spring: Any) -> lw.Mechanism:
        mech = lw.Mechanism("block", gravity=(0, 0, 0))
        mech.body("block", mass=2.0, inertia=[1, 1, 1], position=[0, 0, 0.5])
        mech.joint("guide", "translational", "ground", "block", point=[0, 0, 0], axis=[0, 0, 1])
        ends = {"on_first": {"point": [0, 0, 0]}, "on_second": {"point": [0, 0, 0]}}
        mech.force("spring", "spring", first="ground", second="block", length=0.5, **ends, **spring)
        return mech

    plain = lw.linearise(block(stiffness=30.0, damping=4.0), inputs=["spring"], outputs=["block.position.z"])
    document = block(actuator=0.0).to_dict() | {"inputs": {"pull": 0.25}}
    document["forces"][0]["actuator"] = "30*stretch + 4*rate + 3*input('pull')**2 - 3*0.25**2"
    formula = lw.linearise(lw.Mechanism.from_dict(document), inputs=["pull"], outputs=["block.position.z"])
    np.testing.assert_allclose(formula.eigenvalues(), plain.eigenvalues(), rtol=1e-12)
    np.testing.assert_allclose(formula.response([2.0]), 1.5 * plain.response([2.0]), rtol=1e-12)


def governor(speed: float, turned: float) -> lw.Mechanism:
    """A ball of isotropic inertia on an arm of 0.4 m, pinned to a shaft that a driver turns."""
    mech = lw.Mechanism("governor")
    place = [0.4 * math.sin(turned), 0, -0.4 * math.cos(turned)]
    mech.body("shaft", mass=1.0, inertia=[0.1, 0.1, 0.1], angular_velocity=[0, 0, speed])
    mech.body(
        "ball", mass=0.7, inertia=[0.01, 0.01, 0.01], position=place, angular_velocity=[0, 0, speed],
        velocity=[0, speed * place[0], 0],
    )  # fmt: skip
    mech.joint("bearing", "revolute", "ground", "shaft", point=[0, 0, 0], axis=[0, 0, 1], x=[1, 0, 0])
    mech.joint("pin", "revolute", "shaft", "ball", point=[0, 0, 0], **Y)
    mech.driver("motor", "bearing", f"{speed}*t")
    return mech


def test_spinning_governor() -> None:
    """A rheonomic row, a steady motion: the frequency at the angle of balance."""
    speed = 7.0
    cosine = G / (0.4 * speed**2)
    mech = governor(speed, math.acos(cosine))
    found = lw.modes(mech, lw.State.start(mech), turning=(0, 0, speed))
    steady = lw.equilibrium(governor(speed, 0.4), turning=(0, 0, speed), stable=True)  # found from elsewhere
    assert -steady.position("ball")[2] == pytest.approx(0.4 * cosine, rel=1e-12)
    assert steady.stability == "stable"
    np.testing.assert_allclose(lw.modes(governor(speed, 0.4), steady).eigenvalues, found.eigenvalues, atol=1e-10)
    inertia = 0.7 * 0.4**2 + 0.01
    wanted = speed * math.sqrt(0.7 * 0.4**2 * (1 - cosine**2) / inertia)
    assert len(found.eigenvalues) == 1
    assert abs(found.eigenvalues[0] - 1j * wanted) < 1e-11 * wanted


def top(theta: float, precession: float) -> lw.Mechanism:
    """A symmetric top on a ball joint in steady precession."""
    m, arm, across, along = 0.6, 0.15, 0.002, 0.0015
    pivot = across + m * arm**2
    spin = (pivot * precession**2 * math.cos(theta) + m * G * arm) / (along * precession)  # omega along the axis
    axis = np.array([math.sin(theta), 0.0, math.cos(theta)])
    A = np.array([[math.cos(theta), 0.0, math.sin(theta)], [0.0, 1.0, 0.0], [-math.sin(theta), 0.0, math.cos(theta)]])
    omega = np.array([0.0, 0.0, precession])
    omega = omega + (spin - omega @ axis) * axis
    mech = lw.Mechanism("top")
    mech.body(
        "top", mass=m, inertia=[across, across, along], position=(arm * axis).tolist(), rotation=A.tolist(),
        velocity=np.cross(omega, arm * axis).tolist(), angular_velocity=(A.T @ omega).tolist(),
    )  # fmt: skip
    mech.joint("pivot", "spherical", "ground", "top", point=[0, 0, 0])
    return mech


def test_nutation_of_a_heavy_top_in_steady_precession() -> None:
    theta, precession = 0.5, 3.0
    mech = top(theta, precession)
    found = lw.modes(mech, lw.State.start(mech), turning=(0, 0, precession))
    pivot, weight = 0.002 + 0.6 * 0.15**2, 0.6 * G * 0.15
    squared = pivot**2 * precession**4 - 2 * pivot * precession**2 * weight * math.cos(theta) + weight**2
    wanted = math.sqrt(squared) / (pivot * precession)
    assert np.min(np.abs(found.eigenvalues - 1j * wanted)) < 1e-11 * wanted


def rolling(speed: float) -> lw.Mechanism:
    """A thin disc of radius 0.3 m that rolls upright along x."""
    mech = lw.Mechanism("disc")
    mech.body(
        "disc", mass=2.0, shape={"type": "disc", "axis": "z", "radius": 0.3}, position=[0, 0, 0.3],
        rotation=[[1, 0, 0], [0, 0, -1], [0, 1, 0]], velocity=[speed, 0, 0], angular_velocity=[0, 0, -speed / 0.3],
    )  # fmt: skip
    place = {"on_first": {"point": [0, 0, 0], "axis": [0, 0, 1]}, "on_second": {"axis": [0, 0, 1]}}
    mech.joint("contact", "rolling-disc", "ground", "disc", radius=0.3, **place)
    return mech


@pytest.mark.parametrize("share", [0.5, 0.99, 1.01, 2.0])
def test_a_rolling_disc_stands_above_its_critical_speed(share: float) -> None:
    """Non-holonomic: lambda^2 = 12/5 (g / R - 3 v^2 / R^2), of a thin disc that rolls straight on."""
    speed = share * math.sqrt(G * 0.3 / 3)
    mech = rolling(speed)
    found = lw.modes(mech, lw.State.start(mech), turning=(0, 0, 0)).eigenvalues
    squared = 0.8 * (G / 0.3 - 3 * speed**2 / 0.3**2)
    fastest = found[np.argmax(np.abs(found))]
    assert fastest**2 == pytest.approx(squared, rel=1e-9)
    assert (np.max(found.real) > 1e-3) == (share < 1)


def test_a_disc_in_a_circle_has_its_own_turning_as_an_eigenvalue() -> None:
    mech = lw.load("rolling_disc")
    found = lw.modes(mech, lw.State.start(mech), turning=(0, 0, 1.5)).eigenvalues
    assert np.min(np.abs(found - 1.5j)) < 1e-10  # moved aside, it runs in the same circle elsewhere


@pytest.mark.parametrize("name", ["rA", "rp", "re"])
def test_matrices_of_newton_are_singular_at_the_eigenvalues(name: str) -> None:
    """M + c_v C + c_q K with the rows, of a formulation: det = 0 at c_v = 1/s, c_q = 1/s^2."""
    from linkwork.equations.index_3.absolute import absolute_kernels
    from linkwork.formulations import FORMULATIONS

    mech = pendulum(upright=True, spring=3.0)
    e = equations_of(mech, lw.equilibrium(mech).state)
    _, lam = e.accelerations()
    formulation = type(FORMULATIONS.load(name))(newton="full")
    problem = formulation.build(e.at)
    kernels, work, matrix = absolute_kernels(formulation.space), problem.work, problem.structure.matrix
    work.z[problem.layout.multipliers] = lam
    work.request.has_forces[0] = 1
    pattern = problem.structure.pattern

    def determinant(s: float) -> float:
        work.request.c_v[0], work.request.c_q[0] = 1.0 / s, 1.0 / s**2
        work.step_star[:] = 0.0
        work.rate_star[:] = 0.0
        kernels.begin(e.at.tables, work)
        apply(e.at.tables, work)
        kernels.evaluate(e.at.tables, work)
        vary_forces(e.at.tables, work, matrix)
        vary_reactions(e.at.tables, work, matrix)
        kernels.assemble(e.at.tables, work, matrix)
        dense = np.zeros((problem.layout.total, problem.layout.total))
        for row in range(problem.layout.total):
            for at in range(pattern.indptr[row], pattern.indptr[row + 1]):
                dense[row, pattern.indices[at]] += matrix.values[at]
        sign, size = np.linalg.slogdet(dense)
        return float(sign * np.exp(size - 40.0))

    grow = linear_model(e).eigenvalues()
    s = float(np.max(grow.real))
    near, far = s * (1 - 1e-4), s * (1 + 1e-4)
    at_near, at_far = determinant(near), determinant(far)
    assert at_near * at_far < 0
    for _ in range(6):
        middle = near - at_near * (far - near) / (at_far - at_near)
        near, at_near, far, at_far = far, at_far, middle, determinant(middle)
        if at_far == at_near or abs(far - near) < 1e-13 * s:
            break
    assert far == pytest.approx(s, rel=1e-11)


def beside(e: Equations, x: Any) -> Any:
    """The state with coordinates x beside that of the equations, on the rows."""
    nz = e.displacements.count
    pose = Pose(e.at.r, e.at.A).moved(e.displacements.basis @ x[:nz])
    at = e.at.at(pose.r, pose.A, e.at.v, e.at.w)
    for _ in range(4):
        now = Equations(at, AppliedForces(at), e.time)
        pose = Pose(at.r, at.A).moved(e.displacements.least_change(-now.phi[~now.velocity_level]))
        at = at.at(pose.r, pose.A, at.v, at.w)
    u = e.u + e.velocities.basis @ x[nz:]
    now = Equations(at, AppliedForces(at), e.time)
    for _ in range(4):
        u = u + e.velocities.least_change(now.rows.nu - now.G @ u)
    v, w = at.v.copy(), at.w.copy()
    v[:-1], w[:-1] = u.reshape(-1, 6)[:, :3], u.reshape(-1, 6)[:, 3:]
    return at.at(at.r, at.A, v, w)


@pytest.mark.parametrize("seed", [3, 8, 17, 23])
def test_accelerations_beside_a_moving_state(seed: int) -> None:
    """The lower half of A against differences of accelerations at states beside it, loops and drivers included."""
    e = equations_of(random_mechanism(seed))
    model = linear_model(e)
    n, nz = len(model.A), e.displacements.count
    step = 1e-5

    def rate(x: Any) -> Any:
        at = beside(e, x)
        return e.velocities.coordinates(Equations(at, AppliedForces(at), e.time).accelerations()[0])

    eye = np.eye(n)
    found = np.array([(rate(step * x) - rate(-step * x)) / (2 * step) for x in eye]).T.reshape(-1, n)
    np.testing.assert_allclose(model.A[nz:], found, atol=1e-6 * max(1.0, np.max(np.abs(found), initial=0.0)))


def shaken_crane(**wind: float) -> lw.Mechanism:
    """A universal joint and a slide that move, on a shaken base, with sensors of all kinds and a force by an input."""
    mech = lw.Mechanism("crane")
    mech.input("wind", wind.get("wind", 0.3))
    mech.body("boom", mass=2.0, inertia=[[0.2, 0.01, 0], [0.01, 0.3, 0.02], [0, 0.02, 0.1]], position=[0.1, 0, -0.5])
    mech.body("load", mass=0.7, inertia=[0.02, 0.03, 0.04], position=[0.1, 0.1, -1.2])
    mech.joint("u", "universal", "ground", "boom", point=[0, 0, 0], axis=[0, 1, 0], axis2=[1, 0, 0])
    mech.joint("p", "prismatic", "boom", "load", point=[0.1, 0.1, -1.0], axis=[0, 0.2, 1])
    mech.force("rope", "spring", first="boom", second="load", point=[0, 0, 0], point2=[0, 0, 0.1], stiffness=80.0)
    mech.force("gust", "force", body="load", components=["input('wind')*(1 + t)", "-0.2*velocity('load', 'y')", 0])
    mech.force("quake", "base-acceleration", components=["2*cos(t)", 0.0, "1 + t"])
    mech.sensor("height", "position('load', 'z', [0, 0.1, -0.1])^2")
    mech.sensor("turning", "rate('u', 'angle_1')*angle('u', 'angle_2') + 0.5*speed('load')")
    mech.sensor("gauge", "sin(distance('load', 'boom'))*input('wind') + velocity('load', 'x', [0, 0, 0.2])")
    mech.sensor("both", "height + 2*turning")
    mech.sensor("unit", type="imu", body="load", point=[0, 0.1, 0.2], rotation={"axis": [1, 2, 3], "angle": 0.7})
    mech.sensor("still", type="imu", body="ground")
    return mech


UNIT = [f"unit.{what}.{axis}" for what in ("acceleration", "angular_velocity") for axis in "xyz"]
READ = ["height", "turning", "gauge", "both", *UNIT]
RATES = ["u.angle_1_rate", "u.angle_2_rate", "p.displacement_rate"]


def test_sensors_and_rates_are_outputs() -> None:
    """C and D against differences of what a run reads at states beside a moving one."""
    mech = shaken_crane()
    state = lw.start_state(mech, {"u.angle_1": (0.4, 1.3), "u.angle_2": (-0.3, 0.9), "p": (0.05, -0.6)}, time=0.2)
    model = lw.linearise(mech, state, inputs=["wind", "load.force.x"], outputs=[*READ, *RATES, "still.acceleration.x"])
    e = equations_of(mech, state)

    def read(at: Any, wind: float = 0.3) -> Any:
        one = shaken_crane(wind=wind)
        where = replace(state, position=at.r[:-1], rotation=at.A[:-1].reshape(-1, 3, 3), velocity=at.v[:-1])
        run = lw.simulate(one, 0.2 + 1e-6, 1e-6, "lie-mixed", state=replace(where, angular_velocity=at.w[:-1]))
        rates = [run.joint(name.split(".")[0])[name.split(".")[1]][0] for name in RATES]
        return np.array([*(run.value(name)[0] for name in READ), *rates])

    h = 1e-6
    C = np.array([(read(beside(e, h * x)) - read(beside(e, -h * x))) / (2 * h) for x in np.eye(len(model.A))]).T
    np.testing.assert_allclose(model.C[:-1], C, atol=2e-8 * np.abs(C).max())
    D = (read(e.at, 0.3 + 1e-4) - read(e.at, 0.3 - 1e-4)) / 2e-4
    np.testing.assert_allclose(model.D[:-1, 0], D, atol=1e-8)
    assert np.abs(model.D[2, 0]) > 0.1
    assert np.abs(model.D[4:7]).max() > 0.1
    assert not model.C[-1].any()
    assert not model.D[-1].any()


def test_sensors_without_slope_or_along_fixed_axes_are_refused_as_outputs() -> None:
    mech = shaken_crane()
    mech.sensor("far", "abs(position('load', 'y') - 0.1)")
    with pytest.raises(UsageError, match="sensor 'far' has a kink or a jump at this state"):
        lw.linearise(mech, outputs="far")
    with pytest.raises(UsageError, match="output 'hight' does not exist; did you mean 'height'"):
        lw.linearise(mech, outputs="hight")
    disc = lw.load("rolling_disc")
    disc.sensor("height", f"position('{disc.bodies[0].name}', 'z')")
    with pytest.raises(UsageError, match="sensor 'height' reads along fixed axes"):
        lw.linearise(disc, lw.State.start(disc), turning=(0, 0, 1.5), outputs="height")


def hanging(n: int) -> lw.Mechanism:
    """n bars of 0.1 m that hang on pins, with coils at them."""
    mech = lw.Mechanism("bars")
    for k in range(n):
        mech.body(f"bar {k}", mass=0.5, inertia=[1e-3, 1e-3, 1e-4], position=[0, 0, -0.1 * k - 0.05])
        joint = f"pin {k}"
        mech.joint(joint, "revolute", "ground" if k == 0 else f"bar {k - 1}", f"bar {k}", point=[0, 0, -0.1 * k], **Y)
        mech.force(f"coil {k}", "torsion", joint=joint, stiffness=2.0, damping=0.01)
    return mech


def test_slow_modes_of_many_bodies_by_sparse_iteration() -> None:
    e = equations_of(hanging(24))
    values, moves, _ = slow_modes(e, 5)
    wanted = linear_model(e).eigenvalues()
    wanted = wanted[wanted.imag >= 0][:5]
    np.testing.assert_allclose(values, wanted, rtol=1e-9)
    assert moves.shape == (e.size, 5)


def test_a_mode_is_a_motion_that_can_be_drawn() -> None:
    found = lw.modes(pendulum())
    motion = found.motion(0, amplitude=0.01, samples=8)
    assert motion.time.size == 9
    assert motion.time[-1] == pytest.approx(1.0 / found.frequencies[0], rel=1e-12)
    mech = pendulum()
    for k in range(9):
        assert equations_off(mech, motion.state(k)) < 1e-12
    assert max(motion["velocity_violation"]) < 1e-12
    assert motion["rotation"][-1] == pytest.approx(motion["rotation"][0], abs=1e-12)
    away = np.abs(motion["position"] - found.state.position).max()
    assert 0.003 < away <= 0.0101
    with pytest.raises(UsageError, match="no mode 2"):
        found.motion(2)
    with pytest.raises(UsageError, match="amplitude"):
        found.motion(0, amplitude=-1.0)


def equations_off(mech: lw.Mechanism, state: lw.State) -> float:
    """By how much a state misses the joints."""
    from linkwork.linearisation.start import compiled_of

    at, t = compiled_of(mech, state, None)
    return float(np.max(np.abs(Equations(at, AppliedForces(at), t).phi)))


def test_outputs_of_every_coordinate_that_a_joint_has() -> None:
    """Rows of outputs times velocities are the rates that a run records: cross, plane, slide and turn, screw."""
    mech = lw.Mechanism("row of joints")
    joints = (("u", "universal", {"axis": [0, 1, 0], "axis2": [1, 0, 0]}), ("p", "planar", {"axis": [0, 1, 0]}))
    joints += (("c", "cylindrical", {"axis": [1, 0, 0]}), ("s", "screw", {"axis": [0, 0, 1], "lead": 0.1}))
    last = "ground"
    for k, (name, kind, given) in enumerate(joints):
        body = f"body {k}"
        mech.body(body, mass=1.0 + k, inertia=[0.1, 0.2, 0.15], position=[0.3 * k, 0.1 * k, -0.2 * k])
        mech.joint(name, kind, last, body, point=[0.3 * k - 0.1, 0.1 * k, -0.2 * k + 0.1], **given)
        last = body
    rates = {"u.angle_1": 0.7, "u.angle_2": -0.4, "p.displacement_1": 0.3, "p.displacement_2": -0.8, "p.angle": 1.1}
    rates |= {"c.angle": 0.9, "c.displacement": -0.5, "s.angle": 0.6}
    run = lw.simulate(
        mech, 1e-3, 1e-3, formulation="lie-mixed", state={name: (0.2, rate) for name, rate in rates.items()}
    )
    e = equations_of(mech, run.state(0))
    for name in [*rates, "s.displacement"]:
        joint, coordinate = name.split(".")
        wanted = run.joint(joint).arrays[coordinate + "_rate"][0]
        assert abs(wanted) > 1e-3
        np.testing.assert_allclose(output_of(e, name, np.zeros(e.size)).by_place @ e.u, wanted, rtol=1e-12)
    with pytest.raises(UsageError, match=r"output 'p.displacement' .* has p.displacement_1, p.displacement_2, p.angle"):
        output_of(e, "p.displacement", np.zeros(e.size))


def test_angular_outputs_of_a_turning_body_are_those_of_the_global_vectors() -> None:
    """The turn of the body's axes was left out of them: omega and omegadot of a free body by a difference."""
    mech, J = lw.Mechanism("free", gravity=(0, 0, 0)), np.array([0.2, 0.3, 0.4])
    mech.body("block", mass=1.0, inertia=J.tolist(), angular_velocity=[1.0, -2.0, 0.7], rotation={
        "axis": [1, 2, -1], "angle": 0.8})  # fmt: skip
    kinds = ("angular_velocity", "angular_acceleration")
    model = lw.linearise(mech, outputs=[f"block.{kind}.{axis}" for kind in kinds for axis in "xyz"])
    A, w, step = model.state.rotation[0], model.state.angular_velocity[0], 1e-5

    def vectors(x: Any) -> Any:
        turned = A @ Rotation.from_rotvec((model.displacements @ x)[3:]).as_matrix()
        now = w + (model.velocities @ x)[3:]
        return np.hstack([turned @ now, turned @ (-np.cross(now, J * now) / J)])

    eye = np.eye(len(model.A))
    wanted = np.array([(vectors(step * x) - vectors(-step * x)) / (2 * step) for x in eye]).T
    np.testing.assert_allclose(model.C, wanted, atol=1e-8)
    assert np.max(np.abs(wanted[:, :6])) > 1.0  # by displacements


def test_what_is_refused_is_named() -> None:
    mech = pendulum()
    with pytest.raises(UsageError, match=r"input 'elbo' does not exist"):
        lw.linearise(mech, inputs=["elbo"])
    with pytest.raises(UsageError, match=r"output 'elbow.angel' does not exist: joint 'elbow' has elbow.angle"):
        lw.linearise(mech, outputs=["elbow.angel"])
    with pytest.raises(UsageError, match=r"output 'elbow.displacement' does not exist: joint 'elbow' has elbow.angle"):
        lw.linearise(mech, outputs=["elbow.displacement"])
    start = lw.State.start(mech)
    apart = lw.State(
        start.position + np.array([[0, 0, 0], [0.1, 0, 0]]), start.rotation, start.velocity, start.angular_velocity
    )
    with pytest.raises(AssemblyError, match="row 'elbow"):
        lw.linearise(mech, apart)
    aside = lw.forward_kinematics(mech, {"shoulder.angle": 0.3})
    with pytest.raises(UsageError, match="the state is no equilibrium"):
        lw.modes(mech, aside)
    with pytest.raises(UsageError, match="no steady one"):
        lw.modes(mech, aside, turning=(0, 0, 1))
    with pytest.raises(UsageError, match="count must be a whole number, at least 1"):
        lw.modes(mech, count=0)


def test_to_control_hands_the_matrices_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package itself is not needed for it."""
    import sys
    from types import SimpleNamespace

    model = lw.linearise(pendulum(), inputs=["lower.torque.y"], outputs=["elbow.angle"])
    made = SimpleNamespace(StateSpace=lambda *matrices, **names: (matrices, names))
    monkeypatch.setitem(sys.modules, "control", made)
    matrices, names = model.to_control()
    assert all(one is other for one, other in zip(matrices, (model.A, model.B, model.C, model.D), strict=True))
    assert names == {"inputs": ["lower.torque.y"], "outputs": ["elbow.angle"]}
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(UsageError, match="pip install control"):
        model.to_control()


def test_the_command_line_prints_modes_and_draws_them(tmp_path: Any, capsys: Any) -> None:
    assert status_of(["modes", "kissel2021_double_pendulum", "--plot", str(tmp_path / "modes.svg")]) == 0
    assert "0.247229 Hz" in capsys.readouterr().out
    assert (tmp_path / "modes.svg").stat().st_size > 1000
    assert status_of(["modes", "kissel2021_double_pendulum", "--json"]) == 0
    assert '"damping_ratio"' in capsys.readouterr().out


def test_the_command_line_writes_nothing_where_a_mode_is_not_there(tmp_path: Any, capsys: Any) -> None:
    """The plot was written before the mode was looked for, and --mode without --view did nothing."""
    page, plot = tmp_path / "mode.html", tmp_path / "modes.svg"
    words = ["modes", "kissel2021_double_pendulum", "--mode", "9", "--plot", str(plot)]
    assert status_of([*words, "--view", str(page)]) == 2
    assert "there are 2 modes, 0 to 1, no mode 9" in capsys.readouterr().err
    assert status_of(words) == 2
    assert "--mode says which mode --view shows" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda mech: lw.linearise(mech, "here"), "a State, an equilibrium or a steady motion is wanted, not str"),
        (lambda mech: lw.modes(mech, count=1.5), "count must be a whole number, at least 1, not 1.5"),
        (lambda mech: lw.equilibrium(mech, t="now"), "the time must be a finite number of seconds, not 'now'"),
        (lambda mech: lw.equilibria(mech, most=0), "most must be a whole number, at least 1, not 0"),
        (lambda mech: lw.branch(lambda x: mech, (0.0, 1.0), most=0), "most must be a whole number, at least 1, not 0"),
        (lambda mech: lw.branch(lambda x: mech, ("a", 1.0)), "values must be two different finite numbers"),
        (lambda mech: lw.steady_motion(mech, turning="z"), "turning must be three finite numbers, rad/s, not 'z'"),
        (lambda mech: lw.floquet(mech, 1.0, accuracy=0), "accuracy must be a positive number, not 0"),
        (lambda mech: lw.branch(3, (0.0, 1.0)), "family must be a function from a number to a mechanism, not int"),
        (lambda mech: lw.branch(lambda x: mech, (0.0, 1.0), step="a"), "step must be a number, not 'a'"),
        (lambda mech: lw.linearise(mech, inputs=None), "inputs must be a list of names, not None"),
        (lambda mech: lw.linearise(mech, outputs=[1.5]), "outputs must be a list of names; 1.5 is none"),
        (lambda mech: lw.linearise(mech, turning="z"), "turning must be three finite numbers, rad/s, not 'z'"),
        (lambda mech: lw.linearise(mech).response(["a"]), "frequencies must be a list of finite numbers"),
        (lambda mech: lw.linearise(mech).plot([1.0]), "has no outputs: there is no response to draw"),
        (lambda mech: seen(mech).plot([]), "drawn over positive frequencies, rad/s, at least one"),
        (lambda mech: seen(mech).plot([0.0, 1.0]), "drawn over positive frequencies"),
        (lambda mech: seen(mech).plot([1.0], input=1), "there are 1 inputs, counted from 0, no input 1"),
        (lambda mech: lw.modes(mech).motion(1.5), "mode must be a whole number, at least 0, not 1.5"),
        (lambda mech: lw.equilibrium(mech).sensitivity(3), "name of a number is wanted, such as 'BODY.mass', not 3"),
        (lambda mech: lw.steady_motion(mech, turning=(0, 0, 1), keep=3), "keep must be a list of names, not 3"),
        (lambda mech: lw.floquet(mech, "long"), "the period must be a number of seconds, not 'long'"),
        (lambda mech: lw.equilibrium(mech, stable="no"), "stable must be true or false, not 'no'"),
        (lambda mech: lw.equilibrium(mech, t=True), "the time must be a finite number of seconds, not True"),
        (lambda mech: lw.equilibrium(mech, t=""), "the time must be a finite number of seconds, not ''"),
        (lambda mech: lw.branch(lambda x: mech, ("0", "1")), "values must be two different finite numbers"),
        (lambda mech: lw.linearise(mech, inputs={"a": 1}), "inputs must be a list of names, not the mapping"),
        (lambda mech: lw.linearise(mech, turning=["0", "0", "1"]), "turning must be three finite numbers"),
        (lambda mech: lw.linearise(mech, turning=[0, 0, True]), "turning must be three finite numbers"),
        (lambda mech: lw.linearise(mech).response([True]), "frequencies must be a list of finite numbers"),
        (lambda mech: lw.linearise(mech, lw.modes(mech)), "or a steady motion is wanted, not Modes"),
    ],
)
def test_arguments_of_no_sense_are_refused_in_words(call: Any, words: str) -> None:
    """They ended in TypeError and ValueError, or were taken without a word."""
    with pytest.raises(UsageError, match=words):
        call(pendulum())


def seen(mech: lw.Mechanism) -> lw.LinearModel:
    """One input, one output, each by its name alone."""
    body = mech.bodies[0].name
    return lw.linearise(mech, lw.equilibrium(mech), inputs=f"{body}.force.x", outputs=f"{body}.position.x")


def test_a_response_at_an_eigenvalue_is_refused() -> None:
    mech = lw.Mechanism("free", gravity=(0, 0, 0))
    mech.body("block", mass=1.0, inertia=[1, 1, 1])
    with pytest.raises(SingularPositionError, match="the response is infinite there"):
        seen(mech).response([0.0])


def test_a_response_at_a_pole_that_no_number_meets_is_infinite_too() -> None:
    """Rounding alone keeps the matrix from being singular there: 4e11 was given as the response."""
    mech = lw.load("kissel2021_double_pendulum")
    rest = lw.equilibrium(mech)
    model = lw.linearise(mech, rest, inputs=["bar 1.torque.x"], outputs=["elbow.angle"])
    for pole in 2 * np.pi * lw.modes(mech, rest).frequencies:
        with pytest.raises(SingularPositionError, match=f"{pole:.6g} rad/s is the frequency of an undamped mode"):
            model.response([1.0, pole])
        beside = np.abs(model.response([pole * (1 + 1e-9), pole * (1 - 1e-9)]).ravel())
        assert beside[0] == pytest.approx(beside[1], rel=1e-4)


def test_about_an_equilibrium_drivers_stay_held() -> None:
    """A pendulum on a driven carriage: it was refused, as the carriage of the equilibrium does not move."""

    def hung(place: str) -> lw.Mechanism:
        mech = lw.Mechanism("hung", gravity=(0, 0, -9.81))
        mech.body("carriage", mass=1.0, inertia=[1, 1, 1])
        mech.body("rod", mass=2.0, inertia=[0.3, 0.3, 0.1], position=[0, 0, -0.5])
        mech.joint("rail", "translational", "ground", "carriage", point=[0, 0, 0], axis=[1, 0, 0])
        mech.joint("pin", "revolute", "carriage", "rod", point=[0, 0, 0], axis=[0, 1, 0])
        mech.driver("motor", "rail", place)
        return mech

    moving, w = hung("0.3*t + 2*t^2"), np.sqrt(2 * 9.81 * 0.5 / (0.3 + 2 * 0.25))
    for t in (0.0, 0.2):
        about = lw.equilibrium(moving, t=t)
        np.testing.assert_allclose(lw.linearise(moving, about).eigenvalues(), [-1j * w, 1j * w], atol=1e-12 * w)
        np.testing.assert_allclose(lw.modes(moving, about).eigenvalues, [1j * w], atol=1e-12 * w)
    assert lw.modes(lw.load("kissel2021_slider_crank")).eigenvalues.shape == (0,)
    with pytest.raises(AssemblyError, match="row 'motor' changes at a wrong rate"):
        lw.linearise(moving, lw.equilibrium(moving).state)


def on_a_rail(formula: str) -> lw.Mechanism:
    """A block on a rail along x, pushed by a formula."""
    mech = lw.Mechanism("stop", gravity=(0, 0, 0))
    mech.table("law", x=[-1, 0, 1], y=[-1, 0, 5], between="linear")
    mech.table("soft", x=[-1, 0, 1], y=[-1, 0, 5], between="pchip")
    mech.body("block", mass=2.0, inertia=[1, 1, 1])
    mech.joint("rail", "translational", "ground", "block", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("push", "force", body="block", components=[formula, 0, 0])
    return mech


X, V = "displacement('rail')", "rate('rail')"


KINKS = (
    f"abs({X})", f"-max(0, {X})", f"-sign({V})", f"if({X} < 0, 0, -5*{X})", f"-table('law', {X})", f"-{V}*(2+sign({X}))"
)  # fmt: skip
SLOPES = (
    (f"-{V}*abs({V})", 0), (f"-max(0, {X})^2", 0), (f"-3*{X} - abs({X} - 1e-4)", 2), (f"-table('soft', {X})", None)
)  # fmt: skip


@pytest.mark.parametrize("formula", KINKS)
def test_a_formula_with_a_kink_at_the_state_is_named(formula: str) -> None:
    for ask in (lw.linearise, lw.modes):
        with pytest.raises(UsageError, match=r"force 'push'.*has a kink or a jump"):
            ask(on_a_rail(formula))


@pytest.mark.parametrize(("formula", "stiffness"), SLOPES)
def test_a_formula_with_a_slope_at_the_state_is_not(formula: str, stiffness: float | None) -> None:
    found = lw.linearise(on_a_rail(formula)).A[1, 0]
    unit = lw.linearise(on_a_rail(f"-{X}")).A[1, 0] / -1.0
    assert stiffness is None or abs(found + stiffness * unit) < 1e-12


def test_a_sample_that_has_drifted_is_brought_back_and_its_angles_keep_their_turns() -> None:
    """It was refused, with the advice to take a sample of a run; and whole turns were lost on the way."""
    mech = lw.load("planar_four_bar")
    mech.force("coil", "torsion", joint="crank pivot", stiffness=1.0)
    run = lw.simulate(mech, 1.2, 0.02, formulation="lie-mixed", integrator="rk4")
    state = run.state(-1)
    assert 1e-8 < equations_off(mech, state) < 1e-4
    model = lw.linearise(mech, state)
    assert equations_off(mech, model.state) < 1e-13
    assert np.max(np.abs(model.state.position - state.position)) < 1e-4
    assert model.state.counted_angles == pytest.approx(state.counted_angles, abs=1e-4)
    assert abs(model.state.counted_angles[0]) > np.pi
    apart = replace(state, position=state.position + np.diag([0, 0.1, 0]))
    with pytest.raises(AssemblyError, match="does not fit the constraints"):
        lw.linearise(mech, apart)
