"""Linear models: closed forms, matrices of other formulations, moving states, drivers that stay held."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism

import linkwork as lw
from linkwork.equations.index_3.variations import apply, vary_forces, vary_reactions
from linkwork.errors import AssemblyError, UsageError
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.linearise import linear_model
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


def equations_off(mech: lw.Mechanism, state: lw.State) -> float:
    """By how much a state misses the joints."""
    from linkwork.linearisation.start import compiled_of

    at, t = compiled_of(mech, state, None)
    return float(np.max(np.abs(Equations(at, AppliedForces(at), t).phi)))


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
