"""Rotors on ball and free joints: MuJoCo's armature, an oracle of dense matrices, energy, and who refuses them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles.coupled import pendulum

import linkwork as lw
from linkwork.errors import ConvergenceError, ModelError
from linkwork.formulations import FORMULATIONS

BALL, HINGE, FREE = 0.07, 0.03, 0.11

MODEL = f"""
<mujoco><option gravity="0 0 -9.81"/><compiler balanceinertia="false"/><worldbody>
  <body name="a" pos="0 0 1">
    <joint type="ball" pos="0 0 0.4" armature="{BALL}"/><inertial pos="0 0 0" mass="1.5" diaginertia="0.1 0.12 0.17"/>
    <body name="b" pos="0.5 0 0">
      <joint type="hinge" axis="0 1 0.3" pos="-0.2 0 0" armature="{HINGE}"/>
      <inertial pos="0 0 0" mass="0.8" diaginertia="0.02 0.03 0.04"/>
      <body name="c" pos="0.4 0.1 0">
        <joint type="ball" pos="-0.1 0 0.1" armature="{2 * BALL}"/>
        <inertial pos="0 0 0" mass="0.6" diaginertia="0.01 0.02 0.025"/>
      </body></body></body>
  <body name="d" pos="2 0 0">
    <joint type="free" armature="{FREE}"/><inertial pos="0 0 0" mass="0.9" diaginertia="0.03 0.05 0.06"/></body>
</worldbody></mujoco>"""


def mujoco_at(seed: int) -> tuple[Any, Any]:
    """Model and data at a random state, forward dynamics done."""
    mj = pytest.importorskip("mujoco")
    model = mj.MjModel.from_xml_string(MODEL)
    data, random = mj.MjData(model), np.random.default_rng(seed)
    mj.mj_integratePos(model, data.qpos, random.normal(size=model.nv), 0.7)
    data.qvel[:] = random.normal(size=model.nv)
    mj.mj_forward(model, data)
    mj.mj_rnePostConstraint(model, data)
    return model, data


def ours(model: Any, data: Any) -> lw.Mechanism:
    """The same in linkwork, described at that state."""
    import mujoco as mj

    mech, velocity = lw.Mechanism("armature"), np.zeros(6)
    for k, name in enumerate("abcd", 1):
        mj.mj_objectVelocity(model, data, mj.mjtObj.mjOBJ_BODY, k, velocity, 1)  # local, angular first
        A = data.xmat[k].reshape(3, 3)
        mech.body(
            name,
            mass=float(model.body_mass[k]),
            inertia=model.body_inertia[k].tolist(),
            position=data.xpos[k].tolist(),
            rotation=A.tolist(),
            velocity=(A @ velocity[3:]).tolist(),
            angular_velocity=velocity[:3].tolist(),
        )
    places, axes = data.xanchor.tolist(), data.xaxis.tolist()
    mech.joint("ja", "spherical", "ground", "a", point=places[0])
    mech.joint("jb", "revolute", "a", "b", point=places[1], axis=axes[1])
    mech.joint("jc", "spherical", "b", "c", point=places[2])
    mech.joint("jd", "free", "ground", "d")
    for joint, inertia in (("ja", BALL), ("jb", HINGE), ("jc", 2 * BALL), ("jd", FREE)):
        mech.coupling(f"rotor {joint}", "rotor", joint=joint, inertia=inertia)
    return mech


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_accelerations_are_those_of_mujocos_armature(formulation: str) -> None:
    import mujoco as mj

    for seed in (1, 2, 3):
        model, data = mujoco_at(seed)
        mech = ours(model, data)
        found = lw.accelerations(mech, lw.assemble(mech).state, formulation=formulation)
        wanted, got, each = [], [], np.zeros(6)
        for k in range(1, 5):
            mj.mj_objectAcceleration(model, data, mj.mjtObj.mjOBJ_BODY, k, each, 0)
            wanted.append(np.hstack([each[3:] + model.opt.gravity, each[:3]]))
            A = data.xmat[k].reshape(3, 3)
            got.append(np.hstack([found.rddot[k - 1], A @ found.omegadot[k - 1]]))
        agreed = 1e-8 if formulation == "penalty" else 1e-12
        assert_allclose(got, wanted, atol=agreed * np.abs(wanted).max())


def test_the_kinetic_energy_is_mujocos() -> None:
    import mujoco as mj

    model, data = mujoco_at(4)
    momenta = np.zeros(model.nv)
    mj.mj_mulM(model, data, momenta, data.qvel)
    run = lw.simulate(ours(model, data), 1e-3, 1e-3, "lie-mixed")
    assert_allclose(run["kinetic_energy"][0], 0.5 * data.qvel @ momenta, rtol=1e-12)


@pytest.mark.parametrize(
    "formulation", ["lie-mixed", "lie-se3", "null-space", "rotation-matrix", "articulated-body", "canonical"]
)
def test_energy_and_angular_momentum_about_the_axle_are_kept(formulation: str) -> None:
    run = lw.simulate(pendulum(), 0.5, 1e-3, formulation, accept_changes=True)
    balance = run.energy_balance()
    assert np.abs(balance.residual).max() < 1e-9 * balance.kinetic.max()


def test_the_mass_matrix_and_inverse_dynamics_have_them_and_reactions_of_all_agree() -> None:
    mech, bare = pendulum(), pendulum(inertia=1e-300)
    added = lw.mass_matrix(mech) - lw.mass_matrix(bare)
    assert_allclose(added, np.diag([0, *[0.05 * 2.25] * 3]), atol=1e-15)
    state = lw.assemble(mech).state
    found = lw.accelerations(mech, state, "lie-se3")
    for formulation in ("rA", "re", "augmented", "cut-joint"):
        other = lw.accelerations(mech, state, formulation)
        assert_allclose(other.multipliers, found.multipliers, atol=1e-9 * np.abs(found.multipliers).max())


def test_the_mass_matrix_has_those_that_are_no_coordinate_of_the_tree() -> None:
    """A floating body with a centre of mass off its origin, and a driven joint: beside the kinetic energy of a run."""
    mech = lw.Mechanism("floating", gravity=[0, 0, -9.81])
    mech.body("a", mass=1.5, inertia=[0.1, 0.12, 0.17], centre_of_mass=[0.1, -0.2, 0.3], velocity=[0.4, 0.1, -0.2],
              angular_velocity=[1.0, -2.0, 1.5])  # fmt: skip
    mech.body("b", mass=0.7, inertia=[0.03, 0.04, 0.05], position=[0.5, 0, 0], angular_velocity=[1.0, -2.0, 0.5])
    mech.joint("loose", "free", "ground", "a")
    mech.joint("arm", "spherical", "a", "b", point=[0.4, 0, 0.1])
    mech.body("c", mass=0.7, inertia=[0.03, 0.04, 0.05], position=[0.8, 0, 0])
    mech.joint("motor", "revolute", "b", "c", point=[0.6, 0, 0], axis=[0.3, 0, 1])
    mech.driver("turning", joint="motor", f="0.3*t + t^2")
    for k, joint in enumerate(("loose", "arm", "motor")):
        mech.coupling(f"rotor {joint}", "rotor", joint=joint, inertia=0.3 + 0.1 * k)
    mech = lw.assemble(mech).mechanism
    v = lw.joint_coordinates(mech)
    run = lw.simulate(mech, 1e-3, 1e-3, "lie-mixed")
    M = lw.mass_matrix(mech)
    bare = lw.Mechanism.from_dict({**mech.to_dict(), "drivers": [], "gravity": [0, 0, 0]})
    all_rates = lw.joint_coordinates(bare)
    whole = lw.mass_matrix(bare)
    assert_allclose(0.5 * all_rates.rates @ whole @ all_rates.rates, run["kinetic_energy"][0], rtol=1e-12)
    names = [all_rates.names.index(name) for name in v.names]
    assert_allclose(M, whole[np.ix_(names, names)], atol=1e-14)


@pytest.mark.parametrize("formulation", ["articulated-body", "canonical"])
def test_recursions_take_them_beside_redundant_rows_and_through_singular_positions(formulation: str) -> None:
    """A parallelogram with one of its hinges twice, which folds flat on its way; rotors on cut joints, too."""
    mech = lw.Mechanism("parallelogram", gravity=[0, -9.81, 0])
    spin = {"angular_velocity": [0, 0, 3.0]}
    for name, x in (("left", 0.0), ("right", 0.6)):
        mech.body(name, mass=0.8, inertia=[0.02, 0.02, 0.02], position=[x, 0.2, 0], velocity=[-0.6, 0, 0], **spin)
    mech.body("rod", mass=0.5, inertia=[0.01, 0.03, 0.03], position=[0.3, 0.4, 0], velocity=[-1.2, 0, 0])
    for name, first, second, point in (
        ("a", "ground", "left", [0, 0, 0]), ("b", "ground", "right", [0.6, 0, 0]), ("c", "left", "rod", [0, 0.4, 0]),
        ("d", "right", "rod", [0.6, 0.4, 0]), ("again", "ground", "right", [0.6, 0, 0.2]),
    ):  # fmt: skip
        mech.joint(name, "revolute", first, second, point=point, axis=[0, 0, 1])
        mech.coupling(f"rotor {name}", "rotor", joint=name, inertia=0.02, ratio=1.5)
    how = {"rtol": 1e-12, "atol": 1e-14, "stabilisation": "projection"}
    run = lw.simulate(mech, 1.0, 1e-2, formulation, "dop853", **how)
    turned = run.joint("a")["angle"]
    assert np.ptp(turned) > np.pi  # flat twice
    balance = run.energy_balance()
    assert np.abs(balance.residual).max() < 1e-9 * balance.kinetic.max()
    # one freedom: the rod moves along, both cranks turn, and so do rotors a, b, again; c and d turn back
    inertia = 2 * (0.02 + 0.8 * 0.2**2) + 0.5 * 0.4**2 + 5 * 0.02 * 1.5**2
    weight = 9.81 * (2 * 0.8 * 0.2 + 0.5 * 0.4)
    energy = 0.5 * inertia * run.joint("a")["angle_rate"] ** 2 + weight * np.cos(turned - turned[0])
    assert_allclose(energy, energy[0], rtol=1e-7)


def top(extra: float, rotor: float) -> lw.Mechanism:
    """A heavy top on a ball, `extra` kg m^2 more about every axis, and a rotor on the ball."""
    mech = lw.Mechanism("top", gravity=[0, 0, -9.81])
    inertia, spin = [0.03 + extra, 0.03 + extra, 0.01 + extra], [0.3, -0.2, 12.0]
    mech.body("top", mass=0.8, inertia=inertia, position=[0.1, 0, 0.2], angular_velocity=spin)
    mech.joint("ball", "spherical", "ground", "top", point=[0, 0, 0])
    if rotor:
        mech.coupling("rotor", "rotor", joint="ball", inertia=rotor / 4.0, ratio=-2.0)
    return mech


@pytest.mark.parametrize("integrator", ["rattle", "shake", "rattle4"])
@pytest.mark.parametrize("formulation", ["lie-mixed", "lie-se3"])
def test_symplectic_steps_of_a_rotor_against_ground_are_those_of_a_body_with_more_inertia(
    formulation: str, integrator: str
) -> None:
    """The rotor's discrete Lagrangian is then that of the inertia added to the body's: the same steps to rounding."""
    one, other = (
        lw.simulate(top(*which), 0.5, 1e-2, formulation, integrator, accept_changes=True)
        for which in ((0.0, 0.05), (0.05, 0.0))
    )
    assert np.abs(one["angular_velocity"] - lw.simulate(top(0, 0), 0.5, 1e-2)["angular_velocity"]).max() > 0.1
    for quantity in ("position", "rotation", "velocity", "angular_velocity"):
        assert_allclose(one[quantity], other[quantity], atol=1e-11)
    assert_allclose(one.energy_balance().kinetic, other.energy_balance().kinetic, rtol=1e-12)


def carried() -> lw.Mechanism:
    """The pendulum, whose rotor's ball turns with the arm, in a gravity field."""
    return lw.Mechanism.from_dict({**pendulum(inertia=0.3).to_dict(), "gravity": [0, 0, -9.81]})


def test_symplectic_steps_of_rotors_between_bodies_have_second_order_and_keep_the_energy() -> None:
    fine = {"accept_changes": True, "rtol": 1e-11, "atol": 1e-11}
    reference = lw.simulate(carried(), 0.6, 0.1, "lie-mixed", "dop853", **fine)
    errors = []
    for h, every in ((5e-3, 20), (2.5e-3, 40)):
        run = lw.simulate(carried(), 0.6, h, "lie-mixed", "rattle", every=every, accept_changes=True)
        assert_allclose(run.time, reference.time, atol=1e-12)
        errors.append([np.abs(run[q] - reference[q]).max() for q in ("position", "rotation", "angular_velocity")])
    assert_allclose(np.log2(np.divide(*errors)), 2.0, atol=0.1)
    long = lw.simulate(carried(), 20.0, 1e-2, "lie-mixed", "rattle", every=5, accept_changes=True)
    energy = long["kinetic_energy"] + long["potential_energy"]
    first, last = np.ptp(energy[: len(energy) // 4]), np.ptp(energy[-len(energy) // 4 :])
    assert last < 1.5 * first  # swings, and does not grow
    assert np.ptp(energy) < 5e-3 * np.ptp(long["kinetic_energy"])


def test_a_relative_turn_that_has_no_rotation_vector_of_its_own_ends_a_run() -> None:
    """Two wheels turn by 2 rad in a step, against each other: together by more than half a turn."""
    mech = lw.Mechanism("wheels", gravity=[0, 0, 0])
    for name, spin in (("left", 8.0), ("right", -8.0)):
        mech.body(name, mass=1.0, inertia=[0.1, 0.1, 0.1], angular_velocity=[0, 0, spin])
    mech.joint("ball", "spherical", "left", "right", point=[0, 0, 0])
    lw.simulate(mech, 1.0, 0.25, "lie-mixed", "rattle", accept_changes=True)
    mech.coupling("rotor", "rotor", joint="ball", inertia=0.02)
    with pytest.raises(ConvergenceError, match="half a revolution"):
        lw.simulate(mech, 1.0, 0.25, "lie-mixed", "rattle", accept_changes=True)
    lw.simulate(mech, 1.0, 0.19, "lie-mixed", "rattle", accept_changes=True)


def test_coordinates_that_a_ball_does_not_have() -> None:
    with pytest.raises(ModelError, match="rotation"):
        pendulum(coordinate="angle")
