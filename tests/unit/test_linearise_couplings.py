"""Equilibria, linear models, modes and loads of mechanisms with couplings and rotors: closed forms, and differences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from mechanism_generator_couplings import mechanism_with_couplings

import linkwork as lw
from linkwork.errors import UnsupportedElementError, UsageError
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.start import equations_of
from linkwork.system.assembly import assemble
from linkwork.system.dense import Pose

G = 9.81
Z = {"axis": [0.0, 0.0, 1.0]}


def shafts(ratio: float, rotor: float = 0.0) -> lw.Mechanism:
    """Two shafts, 0.3 and 0.02 kg m^2, a gear between them, and a coil of 40 N m/rad on the first."""
    mech = lw.Mechanism("shafts", gravity=[0, 0, 0])
    for name, x, moment in (("big", 0.0, 0.3), ("small", 0.4, 0.02)):
        mech.body(name, mass=1, inertia=[moment, moment, moment], position=[x, 0, 0])
        mech.joint(f"axle {name}", "revolute", "ground", name, point=[x, 0, 0], **Z)
    mech.coupling("mesh", "gear", joint="axle small", joint2="axle big", ratio=ratio)
    mech.force("coil", "torsion", joint="axle big", stiffness=40.0)
    if rotor:
        mech.coupling("motor", "rotor", joint="axle small", inertia=rotor, ratio=4)
    return mech


@pytest.mark.parametrize("rotor", [0.0, 1e-3])
def test_gears_reflect_inertia(rotor: float) -> None:
    reflected = 0.3 + 9.0 * (0.02 + 16.0 * rotor)
    found = lw.modes(shafts(-3.0, rotor))
    assert len(found.frequencies) == 1
    assert 2 * math.pi * found.frequencies[0] == pytest.approx(math.sqrt(40.0 / reflected), rel=1e-12)
    shape = found.shapes[0][:, 5].real
    assert shape[1] / shape[0] == pytest.approx(-3.0, rel=1e-12)


def test_a_rack_on_a_spring() -> None:
    mech = lw.Mechanism("rack", gravity=[0, 0, 0])
    mech.body("pinion", mass=1, inertia=[0.05, 0.05, 0.05])
    mech.body("rack", mass=2.0, inertia=[1, 1, 1], position=[0, -0.1, 0])
    mech.joint("axle", "revolute", "ground", "pinion", point=[0, 0, 0], **Z)
    mech.joint("guide", "translational", "ground", "rack", point=[0, -0.1, 0], axis=[1, 0, 0])
    mech.coupling("teeth", "rack-and-pinion", rack="guide", pinion="axle", radius=0.1)
    mech.force(
        "coil",
        "spring",
        first="ground",
        second="rack",
        point=[-1, -0.1, 0],
        point2=[0, -0.1, 0],
        stiffness=300.0,
        length=1.0,
    )
    wanted = math.sqrt(300.0 / (2.0 + 0.05 / 0.01))
    assert 2 * math.pi * lw.modes(mech).frequencies[0] == pytest.approx(wanted, rel=1e-12)


def test_a_differential_shares_the_torque() -> None:
    """input = (left + right) / 2: a coil on each wheel and a torque on the input."""
    mech = lw.Mechanism("axle", gravity=[0, 0, 0])
    for k, name in enumerate(("shaft", "left", "right")):
        mech.body(name, mass=1, inertia=[0.1, 0.1, 0.1], position=[0.3 * k, 0, 0])
        mech.joint(f"j {name}", "revolute", "ground", name, point=[0.3 * k, 0, 0], **Z)
    mech.coupling("gears", "differential", input="j shaft", left="j left", right="j right")
    mech.force("one", "torsion", joint="j left", stiffness=20.0)
    mech.force("other", "torsion", joint="j right", stiffness=5.0)
    mech.force("engine", "torque", body="shaft", components=[0, 0, 2.0])
    found = lw.equilibrium(mech)
    angles = [math.atan2(A[1, 0], A[0, 0]) for A in found.state.rotation]
    assert angles == pytest.approx([0.5 * (1.0 / 20 + 1.0 / 5), 1.0 / 20, 1.0 / 5], rel=1e-11)  # each wheel 1 N m
    assert found.multipliers[-1] == pytest.approx(2.0, rel=1e-11)
    assert found.stability == "stable"


def pendula() -> lw.Mechanism:
    """A pendulum that turns another one, not in proportion, on a tilted frame that swings; with a rotor."""
    mech = lw.Mechanism("geared pendula", gravity=[0, 0, -G])
    mech.body("frame", mass=3.0, inertia=[0.4, 0.5, 0.3], position=[0.1, 0.0, -0.6], angular_velocity=[0.0, 0.4, 0.0])
    mech.joint("swing", "revolute", "ground", "frame", point=[0, 0, 0], axis=[0, 1, 0])
    for name, x in (("one", -0.3), ("two", 0.4)):
        mech.body(name, mass=1.0, inertia=[0.02, 0.03, 0.01], position=[x, 0.1, -0.9])
        mech.joint(f"pin {name}", "revolute", "frame", name, point=[x, 0.1, -0.7], axis=[0.6, 0.8, 0.0])
    mech.coupling("cam", "mimic", joint="pin two", joint2="pin one", polynomial=[0, 0.8, 0.3, -0.2])
    mech.coupling("motor", "rotor", joint="pin one", inertia=0.004, ratio=2.5)
    mech.change("one", angular_velocity=[0.66, 1.28, 0.0])
    return mech


def test_accelerations_are_those_of_the_formulations() -> None:
    mech = pendula()
    e = equations_of(mech)
    udot, lam = e.accelerations()
    found = lw.accelerations(mech, formulation="lie-mixed")
    np.testing.assert_allclose(udot.reshape(-1, 6)[:, :3], found.rddot, atol=1e-10)
    np.testing.assert_allclose(udot.reshape(-1, 6)[:, 3:], found.omegadot, atol=1e-10)
    assert np.max(np.abs(lam)) > 0.1


def moved(e: Equations, model: Any, x: np.ndarray) -> Equations:
    """The equations at a state a little beside, on the constraints again."""
    at, nb = e.at, e.at.nb
    pose = Pose(at.r, at.A).moved(model.displacements @ x)
    u = (e.u + model.velocities @ x).reshape(nb, 6)
    v, w = at.v.copy(), at.w.copy()
    v[:nb], w[:nb] = u[:, :3], u[:, 3:]
    found = assemble(at.at(pose.r, pose.A, v, w), e.time)
    return Equations(at.at(found.pose.r, found.pose.A, found.rates.v, found.rates.w), e.applied, e.time)


def test_a_moving_linear_model_is_the_derivative_of_the_accelerations() -> None:
    """A x of the velocities by central differences of fourth order, at a state in full motion."""
    mech = pendula()
    e = equations_of(mech)
    model = lw.linearise(mech)
    n, h = len(model.A), 1e-3
    Z = e.displacements.count
    for k in range(n):
        step = np.eye(n)[k]
        rates = []
        for share in (-2.0, -1.0, 1.0, 2.0):
            there = moved(e, model, share * h * step)
            rates.append(there.accelerations()[0])
        by = (rates[0] - 8 * rates[1] + 8 * rates[2] - rates[3]) / (12 * h)
        wanted = e.velocities.coordinates(by)
        np.testing.assert_allclose(model.A[Z:, k], wanted, atol=2e-6 * max(1.0, np.abs(model.A).max()))


def test_loads_of_a_geared_motor_give_the_motion_back() -> None:
    mech = shafts(-3.0, 1e-3)
    motion = np.zeros((2, 6))
    motion[0, 5], motion[1, 5] = 2.0, -6.0
    loads = lw.inverse_dynamics(mech, motion, lw.State.start(mech), actuators=["axle small"])
    reflected = 0.02 + 16e-3 + 0.3 / 9.0
    assert loads.values[0, 0] == pytest.approx(-6.0 * reflected, rel=1e-12)


def test_a_geared_pair_shaken_in_its_period() -> None:
    """Floquet multipliers through a coupling: the same as of one body with the reflected inertia."""
    coil = "40 + 20*cos(11*t)"

    def of(geared: bool) -> Any:
        mech = lw.Mechanism("shaken", gravity=[0, 0, 0])
        moments = (0.3, 0.02) if geared else (0.3 + 9 * 0.02,)
        for k, moment in enumerate(moments):
            mech.body(f"b{k}", mass=1, inertia=[moment, moment, moment], position=[0.4 * k, 0, 0])
            mech.joint(f"j{k}", "revolute", "ground", f"b{k}", point=[0.4 * k, 0, 0], **Z)
        if geared:
            mech.coupling("mesh", "gear", joint="j1", joint2="j0", ratio=-3)
        mech.force("coil", "motor", joint="j0", effort=f"-({coil})*angle('j0')")
        return np.sort_complex(lw.floquet(mech, 2 * math.pi / 11).multipliers)

    np.testing.assert_allclose(of(True), of(False), atol=1e-8)


def test_a_planet_rolls_round_its_sun_in_steady_motion() -> None:
    """A planet on an arm, geared to the arm's turn: it spins by three times that, without a force of the gear."""
    mech = lw.Mechanism("planet", gravity=[0, 0, -G])
    mech.body("arm", mass=2.0, inertia=[0.1, 0.2, 0.3], position=[0.2, 0, 0], angular_velocity=[0, 0, 2.0])
    mech.body("planet", mass=1.0, inertia=[0.02, 0.02, 0.01], position=[0.4, 0, 0], angular_velocity=[0, 0, 8.0])
    mech.joint("axle", "revolute", "ground", "arm", point=[0, 0, 0], **Z)
    mech.joint("pin", "revolute", "arm", "planet", point=[0.4, 0, 0], **Z)
    mech.coupling("mesh", "gear", joint="pin", joint2="axle", ratio=3)
    mech.coupling("rotor", "rotor", joint="pin", inertia=1e-3, ratio=5)
    found = lw.steady_motion(mech, turning=(0, 0, 2.0))
    assert found.spin[1] == pytest.approx(6.0, abs=1e-10)
    assert np.abs(found.multipliers[-1]) < 1e-10
    np.testing.assert_allclose(found.reactions["pin"].force, [-0.4 * 4.0, 0, G], atol=1e-9)


@pytest.mark.parametrize("rotor", [0.0, 0.04])
def test_a_governor_whose_arms_are_geared_together(rotor: float) -> None:
    """cos(angle) = g / (l w^2); rotors on the arms do nothing to it, since the arms stand still against the shaft."""
    mech, length, w, start = lw.Mechanism("governor", gravity=[0, 0, -G]), 0.5, 6.0, 0.9
    mech.body("shaft", mass=1.0, inertia=[0.1, 0.1, 0.05], position=[0, 0, 0], angular_velocity=[0, 0, w])
    mech.joint("axle", "revolute", "ground", "shaft", point=[0, 0, 0], **Z)
    for name, side in (("left", -1.0), ("right", 1.0)):
        place = [side * length * math.sin(start), 0, -length * math.cos(start)]
        mech.body(name, mass=0.7, inertia=[1e-12, 1e-12, 1e-12], position=place, angular_velocity=[0, 0, w])
        mech.joint(f"hinge {name}", "revolute", "shaft", name, point=[0, 0, 0], axis=[0, 1, 0])
    mech.coupling("mirror", "gear", joint="hinge left", joint2="hinge right", ratio=-1)
    if rotor:
        mech.coupling("rotor", "rotor", joint="hinge left", inertia=rotor)
    found = lw.steady_motion(mech, turning=(0, 0, w))
    angle = math.acos(G / (length * w * w))
    for k, side in ((1, -1.0), (2, 1.0)):
        r = found.state.position[k]
        np.testing.assert_allclose(np.hypot(r[0], r[1]), length * math.sin(angle), rtol=1e-9)
        np.testing.assert_allclose(r[2], -length * math.cos(angle), rtol=1e-9)
        assert np.sign(r[0]) == side


def test_what_takes_none_says_so() -> None:
    with pytest.raises(UnsupportedElementError, match="in which everything turns do not take couplings"):
        lw.equilibrium(shafts(-3.0), turning=(0, 0, 1.0))


def test_an_equilibrium_is_found_where_a_gear_turns_on_the_way() -> None:
    """A pendulum falls by a right angle, and the wheel geared to it turns by three: further than turns can be told from
    the start at once."""
    mech = lw.Mechanism("geared", gravity=(0, 0, -9.81))
    mech.body("rod", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[1, 0, 0])
    mech.body("wheel", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[0, 1, 0])
    mech.joint("hinge", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("axle", "revolute", "ground", "wheel", point=[0, 1, 0], axis=[0, 1, 0])
    mech.coupling("gear", "gear", joint="hinge", joint2="axle", ratio=3.0)
    found = lw.equilibrium(mech)
    assert found.stability == "stable"
    assert np.abs(found.position("rod") - [0, 0, -1]).max() < 1e-12
    lw.modes(mech, found)


def test_stability_where_velocity_rows_take_nothing() -> None:
    """A rolling row that positions hold already: displacements came in a basis of their own, of the other sign, so that
    the stable equilibrium was called unstable and searches downhill went up."""
    mech = mechanism_with_couplings(32)
    found = lw.equilibrium(mech)
    about = equations_of(mech, found.state, held=True)
    assert about.velocity_level.any()
    assert about.displacements.rank == about.velocities.rank
    np.testing.assert_array_equal(about.displacements.basis, about.velocities.basis)
    assert found.stability == "stable"
    assert np.all(lw.linearise(mech, found).eigenvalues().real < 0.0)
    assert lw.equilibrium(mech, found.state, stable=True).iterations <= 1


@pytest.mark.parametrize(("between", "speed", "refused"), [
    ("cubic", 0.0, False), ("cubic", 0.7, True), ("pchip", 0.0, True), ("pchip", 0.7, True),
])  # fmt: skip
@pytest.mark.parametrize("beside", [0.0, 0.1])
def test_a_cam_at_a_point_of_its_table(between: str, speed: float, refused: bool, beside: float) -> None:
    """A cubic table has no third derivative at its points, which a moving cam needs; pchip no second.

    The linear model was that of one side, without a word.
    """
    mech = lw.Mechanism("cam", gravity=(0, 0, -G))
    mech.table("lift", x=[-0.5, beside, 0.7, 1.5], y=[0.0, 0.1, 0.4, 0.3], between=between, outside="extend")
    mech.body("shaft", mass=1, inertia=[0.1, 0.1, 0.1], angular_velocity=[0, 0, speed])
    mech.body("follower", mass=2, inertia=[0.1, 0.1, 0.1])
    mech.joint("axle", "revolute", "ground", "shaft", point=[0, 0, 0], **Z)
    mech.joint("rail", "translational", "ground", "follower", point=[0, 0, 0], **Z)
    mech.coupling("cam", "cam", follower="rail", cam="axle", table="lift")
    state = lw.assemble(mech, hold=["shaft"]).state
    assert state.angular_velocity[0, 2] == pytest.approx(speed)
    if refused and not beside:
        with pytest.raises(UsageError, match=r"table of coupling 'cam' has a point at this state, at -?0:"):
            lw.linearise(mech, state)
    else:
        assert lw.linearise(mech, state).A.shape == (2, 2)
