"""Motors, joint springs, couplings, bushings and shaken bases: what they exert, against their equations by hand."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.equations.applied import put_applied_forces
from linkwork.errors import ModelError
from linkwork.kernels.records import new_record
from linkwork.kernels.so3 import exp_so3
from linkwork.mechanism.elements import Law, Name
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.state import operand_node
from linkwork.mechanism.forces import FORCES
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import LoweredEffort, Operand, Quantity
from linkwork.mechanism.markers import Poses
from linkwork.problems.implicit import A, R, V, W
from linkwork.problems.request import ImplicitRequest
from linkwork.system import compile_mechanism


def mechanism() -> lw.Mechanism:
    """Two bars on hinges about y at the origin of each, and a cart on a rail along x; no weight."""
    mech = lw.Mechanism("parts", gravity=(0.0, 0.0, 0.0))
    for name in ("a", "b", "cart"):
        mech.body(name, mass=2.0, inertia=[0.1, 0.1, 0.1])
    for name in ("a", "b"):
        mech.joint(f"hinge {name}", "revolute", "ground", name, point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    return mech


def applied(mech: lw.Mechanism, pose: dict[int, Any], speed: dict[int, Any], t: float = 0.0) -> np.ndarray:
    """(nb, 6) forces and torques with bodies at (r, rotation vector) and at (v, omega)."""
    compiled = compile_mechanism(mech.lower())
    s, nb = compiled.system, compiled.nb
    work = SimpleNamespace(
        motion=np.zeros((nb + 1, 37)), e=np.zeros((nb + 1, 6)), operands=compiled.operands(),
        request=new_record(ImplicitRequest),
        load_values=s.loads.constant, element_values=s.elements.constant,
        counted_angles=np.zeros(compiled.angles), stack=np.zeros((int(s.programs.depth[0]) + 1, 3)),
    )  # fmt: skip
    work.motion[:, A : A + 9] = np.eye(3).ravel()
    for b, (r, turn) in pose.items():
        work.motion[b, R : R + 3], work.motion[b, A : A + 9] = r, exp_so3(tuple(turn))
    for b, (v, w) in speed.items():
        work.motion[b, V : V + 3], work.motion[b, W : W + 3] = v, w
    work.request.time[0] = t
    put_applied_forces(compiled.tables, work)
    return np.array(work.e[:nb])


ZERO = (0.0, 0.0, 0.0)
TURNED = {0: (ZERO, (0.0, 0.3, 0.0)), 1: (ZERO, (0.0, -0.2, 0.0)), 2: ((0.5, 0.0, 0.0), ZERO)}
MOVING = {0: (ZERO, (0.0, 2.0, 0.0)), 1: (ZERO, (0.0, 1.0, 0.0)), 2: ((0.7, 0.0, 0.0), ZERO)}


def test_a_servo_with_a_gear_and_a_limit() -> None:
    mech = mechanism()
    mech.force("servo", "motor", joint="hinge a", position="0.5*cos(t)", stiffness=40, damping=3, ratio=5)
    expected = 5 * (40 * (0.5 - 0.3) - 3 * 2.0)
    assert applied(mech, TURNED, MOVING)[0, 4] == pytest.approx(expected)
    mech.change("servo", limit=1.5)
    assert applied(mech, TURNED, MOVING)[0, 4] == pytest.approx(5 * 1.5)


def test_a_speed_controller_and_a_motor_with_an_effort() -> None:
    mech = mechanism()
    mech.input("current", 0.25)
    mech.force("spin", "motor", joint="hinge b", velocity=10, damping=0.2)
    mech.force("push", "motor", joint="rail", effort="8*input('current') - rate", ratio=2)
    e = applied(mech, TURNED, MOVING)
    assert e[1, 4] == pytest.approx(0.2 * 9.0)
    assert e[2, 0] == pytest.approx(2 * (2.0 - 0.7))


def test_a_joint_spring_on_an_angle_and_on_a_way() -> None:
    mech = mechanism()
    mech.force("hip", "joint-spring", joint="hinge a", stiffness=6, damping="0.1*abs(rate)", free=0.1)
    mech.force("buffer", "joint-spring", joint="rail", force="max(0, 900*(displacement - 0.4))")
    e = applied(mech, TURNED, MOVING)
    assert e[0, 4] == pytest.approx(-(6 * 0.2 + 0.1 * 4.0))
    assert e[2, 0] == pytest.approx(-90.0)


def test_a_rack_on_a_pinion_gives_what_it_takes() -> None:
    mech = mechanism()
    mech.force("rack", "coupling", joint="rail", joint2="hinge a", ratio=0.2, stiffness=1000, damping=10, offset=0.05)
    e = applied(mech, TURNED, MOVING)
    mesh = 1000 * (0.5 - 0.2 * 0.3 - 0.05) + 10 * (0.7 - 0.2 * 2.0)
    assert e[2, 0] == pytest.approx(-mesh)
    assert e[0, 4] == pytest.approx(0.2 * mesh)
    spent = e[2, 0] * 0.7 + e[0, 4] * 2.0
    assert spent == pytest.approx(-mesh * (0.7 - 0.4))


def test_a_full_bushing_is_its_matrix_for_small_motions_and_has_a_reaction() -> None:
    random = np.random.default_rng(3)
    K, C = (M @ M.T + np.eye(6) for M in random.normal(size=(2, 6, 6)))
    mech = mechanism()
    mech.force("mount", "bushing", first="a", second="b", point=[0, 0, 0], stiffness=K, damping=C)
    d, rate = 1e-7 * random.normal(size=6), 1e-7 * random.normal(size=6)
    e = applied(mech, {1: (d[:3], d[3:])}, {1: (rate[:3], rate[3:])})
    assert_allclose(e[1], -(K @ d + C @ rate), atol=1e-12)
    assert_allclose(e[0], -e[1], atol=1e-12)
    e = applied(mech, {0: ((0.1, 0, 0), (0.2, 0.1, 0.3)), 1: ((0.3, 0.2, 0.1), (0.1, -0.3, 0.2))}, {})
    assert_allclose(e[0, :3], -e[1, :3], atol=1e-13)
    A_0, A_1 = (np.array(exp_so3(turn)).reshape(3, 3) for turn in ((0.2, 0.1, 0.3), (0.1, -0.3, 0.2)))
    moment = A_0 @ e[0, 3:] + A_1 @ e[1, 3:]
    moment += np.cross([0.1, 0, 0], e[0, :3]) + np.cross([0.3, 0.2, 0.1], e[1, :3])
    assert_allclose(moment, 0.0, atol=1e-13)


def test_a_bushing_takes_two_numbers_and_turns_with_its_first_body() -> None:
    mech = mechanism()
    mech.force("mount", "bushing", first="a", second="b", point=[0, 0, 0], stiffness=[500, 20])
    turn = (0.4, 0.2, -0.1)
    pose = {0: (ZERO, turn), 1: (np.array(exp_so3(turn)).reshape(3, 3) @ [0.01, 0.02, 0.0], turn)}
    e = applied(mech, pose, {})
    assert np.linalg.norm(e[1, :3]) == pytest.approx(500 * np.hypot(0.01, 0.02))
    assert_allclose(e[1, 3:], 0.0, atol=1e-14)


def test_a_shaken_base_pushes_every_body_against_its_acceleration() -> None:
    mech = mechanism()
    mech.force("floor", "base-acceleration", components=["3*sin(2*t)", 0, "speed('cart')"])
    e = applied(mech, TURNED, MOVING, t=0.6)
    assert_allclose(e[:, :3], -2.0 * np.tile([3 * np.sin(1.2), 0, 0.7], (3, 1)))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"type": "motor", "joint": "hinge c"}, "did you mean 'hinge"),
        ({"type": "motor", "joint": "hinge a", "position": 1}, "no stiffness"),
        ({"type": "motor", "joint": "hinge a", "velocity": 1}, "no damping"),
        ({"type": "motor", "joint": "hinge a", "stiffness": 1}, "joint-spring"),
        ({"type": "joint-spring", "joint": "hinge a", "coordinate": "displacement"}, "which has only: angle"),
        ({"type": "bushing", "first": "a", "second": "b", "point": [0, 0, 0], "stiffness": [1, 2, 3]}, "2 or 6"),
        ({"type": "coupling", "joint": "hinge a", "joint2": "rial", "stiffness": 1}, "did you mean 'rail'"),
    ],
)
def test_what_makes_no_sense_is_refused(fields: dict[str, Any], words: str) -> None:
    mech = mechanism()

    def described() -> None:
        mech.force("bad", **fields)
        mech.lower()

    with pytest.raises(ModelError, match=words):
        described()


class Magnet(Force):
    """The recipe's: a force between two points that falls with the square of their distance."""

    type: Literal["magnet"] = "magnet"
    first: Name
    second: Name
    strength: Law

    def bodies(self) -> dict[str, str]:
        return {"first": self.first, "second": self.second}

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> list[LoweredEffort]:
        between = Quantity("LENGTH", poses.index(self.first), poses.index(self.second))
        law = Expression.of_state(f"-({self.strength})/gap**2")
        return [LoweredEffort(self.name, between, law, local={"gap": operand_node(Operand(between))})]


def test_a_law_of_an_element_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORCES._entries, "magnet", f"{__name__}:Magnet")
    mech = mechanism()
    mech.parameter("s", 3.0)
    mech.force("pull", "magnet", first="a", second="cart", strength="s*(1 + t)")
    e = applied(mech, TURNED, MOVING, t=1.0)
    assert_allclose(e[2, :3], [-6.0 / 0.25, 0, 0])
    assert_allclose(e[0, :3], [6.0 / 0.25, 0, 0])


def test_a_spring_of_no_free_length_may_start_at_none() -> None:
    mech = mechanism()
    ends = {"first": "ground", "second": "cart", "point": [0, 0, 0], "point2": [0, 0, 0]}
    mech.force("band", "spring", **ends, length=0, stiffness=70)
    assert mech.lower().elements[0].rest == 0.0
    assert_allclose(applied(mech, TURNED, MOVING)[2, :3], [-35.0, 0.0, 0.0])
    mech.change("band", length=0.1)
    with pytest.raises(ModelError, match="same point"):
        mech.lower()


def test_efforts_that_are_constant_act_as_well() -> None:
    mech = mechanism()
    mech.force("push", "motor", joint="rail", effort=4.0, ratio=2.0)
    mech.force("drag", "force", body="a", components=["-rate('hinge a')", 0.0, -5.0])
    found = applied(mech, TURNED, {0: (ZERO, (0.0, 2.0, 0.0))})
    assert_allclose(found[2, :3], [8.0, 0.0, 0.0], atol=1e-15)
    assert_allclose(found[0, :3], [-2.0, 0.0, -5.0], atol=1e-14)


@pytest.mark.parametrize("stiffness", [[2000, 3000, 4000, 30, 40, 50], [2000, 30]])
def test_a_bushing_stays_at_rest_where_its_equilibrium_is_described(stiffness: list[float]) -> None:
    """Equilibria as mechanisms describe bodies elsewhere: bushings go on being zero where they were."""
    mech = lw.Mechanism("hung up")
    mech.body("a", mass=1, inertia=[0.1, 0.1, 0.1], position=[0.1, 0, 0])
    mech.body("c", mass=1, inertia=[0.1, 0.12, 0.1], position=[0.5, 0, 0.1])
    mech.joint("hinge", "revolute", "ground", "a", point=[0, 0, 0], axis=[0, 1, 0])
    for name, first in (("inner", "a"), ("outer", "ground")):
        mech.force(name, "bushing", first=first, second="c", point=[0.3, 0, 0.05], stiffness=stiffness, x=[0, 1, 0.2])
    rest = lw.equilibrium(mech)
    assert np.abs(rest.moved).max() > 1e-3
    again = lw.Mechanism.from_dict(rest.mechanism.to_dict())
    run = lw.simulate(again, 0.2, 1e-2, "lie-mixed")
    assert_allclose(run["position"], np.broadcast_to(run["position"][0], run["position"].shape), atol=1e-12)


@pytest.mark.parametrize(
    ("places", "problem"),
    [
        ({}, "needs a point"),
        ({"on_first": {"point": [0, 0, 0]}}, "on_first and on_second instead"),
        (
            {"on_first": {"point": [0, 0, 0]}, "on_second": {"axis": [0, 0, 1]}},
            "needs a point in on_first and in on_second",
        ),
    ],
)
def test_a_bushing_says_its_frame_once(places: dict[str, object], problem: str) -> None:
    mech = lw.Mechanism("block")
    mech.body("block", mass=1, inertia=[1, 1, 1])
    with pytest.raises(lw.errors.ModelError, match=problem):
        mech.force("rubber", "bushing", first="ground", second="block", stiffness=[1, 1], **places)
