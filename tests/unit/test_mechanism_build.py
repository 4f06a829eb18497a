"""Building a mechanism in Python: what is said is what is lowered, and every slip names its element."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from linkwork.errors import ModelError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.joints.revolute import Revolute


def pendulum() -> Mechanism:
    mech = Mechanism("pendulum")
    mech.body("bar", mass=1.0, inertia=[0.1, 0.2, 0.2], position=[0, 2, 0], rotation=[[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    mech.joint("pivot", "revolute", "ground", "bar", point=[0, 0, 0], axis=[1, 0, 0])
    return mech


def refused(build: Any, **fields: Any) -> str:
    with pytest.raises(ModelError) as caught:
        build(**fields)
    return str(caught.value)


def test_a_revolute_joint_given_once_lowers_to_rows_on_both_bodies() -> None:
    lowered = pendulum().lower()
    assert [row.kind for row in lowered.rows] == ["DP1", "DP1", "CD", "CD", "CD"]
    assert [row.name for row in lowered.rows][:2] == ["pivot.lock[0]", "pivot.lock[1]"]
    assert {(row.body_i, row.body_j, row.owner) for row in lowered.rows} == {(-1, 0, "pivot")}
    assert_allclose(lowered.rows[0].a_j, [0, 0, 1])  # global x in the bar
    assert_allclose(lowered.rows[2].s_j, [-2, 0, 0])
    (joint,) = lowered.joints
    assert (joint.type, joint.kind, joint.rows) == ("revolute", "joint", (0, 1, 2, 3, 4))
    assert_allclose(joint.s_j, [-2, 0, 0])


def test_a_place_per_body_is_the_same_joint_as_one_given_globally() -> None:
    mech = pendulum()
    mech.change(
        "pivot",
        point=None,
        axis=None,
        on_first={"point": [0, 0, 0], "axis": [1, 0, 0]},
        on_second={"point": [-2, 0, 0], "axis": [0, 0, 1]},
    )
    for ours, theirs in zip(mech.lower().rows, pendulum().lower().rows, strict=True):
        for field in ("a_i", "a_j", "s_i", "s_j"):
            assert_allclose(getattr(ours, field), getattr(theirs, field), atol=1e-15)


def test_a_frame_away_from_the_centre_of_mass_is_converted() -> None:
    mech = Mechanism("offset")
    mech.body(
        "bar",
        mass=1,
        inertia=[1, 1, 1],
        position=[1, 0, 0],
        rotation={"axis": [0, 0, 1], "angle": np.pi / 2},
        angular_velocity=[0, 0, 2],
        velocity=[0, 0, 5],
        centre_of_mass=[3, 0, 0],
    )
    mech.joint("ball", "spherical", "ground", "bar", on_first={"point": [1, 0, 0]}, on_second={"point": [0, 0, 0]})
    mech.force("push", "force", body="bar", components=[1, 0, 0], point=[3, 1, 0])
    mech.constraint("slide", "CD", "ground", "bar", c=[0, 0, 1], s_j=[3, 0, 0])
    lowered = mech.lower()
    (body,) = lowered.bodies
    assert_allclose(body.position, [1, 3, 0], atol=1e-15)
    assert_allclose(body.velocity, [-6, 0, 5], atol=1e-15)
    assert_allclose(lowered.rows[0].s_j, [-3, 0, 0])
    assert_allclose(lowered.rows[3].s_j, [0, 0, 0])
    assert_allclose(lowered.loads[0].point, [0, 1, 0])
    assert "centre of mass" in refused(
        lambda: (mech.constraint("p", "PFAFFIAN", "bar", "ground", g_i=[1] * 6), mech.lower())
    )


def test_drivers_prescribe_angles_and_displacements() -> None:
    mech = Mechanism("two")
    mech.body("a")
    mech.joint("tube", "cylindrical", "ground", "a", point=[0, 0, 0], axis=[0, 0, 2])
    mech.driver("turn", "tube", "2*t", "angle")
    mech.driver("push", "tube", 0.0, "displacement")
    turn, push = mech.lower().rows[-2:]
    assert (turn.kind, turn.driver, turn.name, turn.n) == ("ANGLE", True, "turn", (0, 0, 1))
    assert_allclose(np.cross(turn.n, turn.a_i), turn.b_i)
    assert_allclose(turn.a_j, turn.a_i)
    assert (push.kind, push.a_i, push.f) == ("DP2", (0, 0, 1), 0.0)
    assert turn.f.jet(1.0) == (2.0, 2.0, 0.0)
    assert [j.kind for j in mech.lower().joints] == ["joint", "driver", "driver"]
    assert "needs 'coordinate'" in refused(mech.driver, name="d", joint="tube", f=1)
    assert "has no coordinate" not in refused(mech.driver, name="d", joint="tube", f=1, coordinate="angl")


def test_a_drivers_reaction_acts_at_the_point_of_the_second_body() -> None:
    mech = Mechanism("pushed")
    mech.body("block", position=[2, 0, 0])
    first, second = {"point": [0, 0, 0], "axis": [1, 0, 0]}, {"point": [0.5, 0, 0], "axis": [1, 0, 0]}
    mech.joint("guide", "translational", "ground", "block", on_first=first, on_second=second)
    mech.driver("push", "guide", "2.5 + t")
    assert mech.lower().joints[-1].reaction_at == (0, (0.5, 0.0, 0.0))


def test_an_x_axis_that_is_not_stated_is_that_of_the_first_body_at_the_given_pose() -> None:
    """Of bodies turned by 0.2 and 0.9 rad about the axis that they share."""
    mech = Mechanism("turned")
    for name, angle in (("arm", 0.2), ("wheel", 0.9)):
        mech.body(name, rotation={"axis": [0, 0, 1], "angle": angle})
    first, second = {"point": [0, 0, 0], "axis": [0, 0, 1], "x": [1, 0, 0]}, {"point": [0, 0, 0], "axis": [0, 0, 1]}
    mech.joint("pin", "revolute", "arm", "wheel", on_first=first, on_second=second)
    mech.driver("motor", "pin", "0")
    assert mech.driver_mismatches() == []
    assert_allclose(mech.lower().rows[-1].a_j, [np.cos(0.7), -np.sin(0.7), 0.0])


def test_forces_lower_to_loads_springs_and_torsions() -> None:
    mech = pendulum()
    mech.force("weight", "force", body="bar", components=[0, "sin(t)", "2*3"], axes="body")
    mech.force("motor", "torque", body="bar", components=[1, 0, 0])
    mech.force("spring", "spring", first="ground", second="bar", point=[0, 0, 3], point2=[0, 0, 0], stiffness=2)
    mech.force("coil", "torsion", joint="pivot", stiffness=3, angle=0.5, actuator="t")
    mech.force("free coil", "torsion", first="ground", second="bar", axis=[0, 3, 0])
    lowered = mech.lower()
    weight, motor = lowered.loads
    assert (weight.body_axes, weight.torque, motor.torque) == (True, False, True)
    assert weight.components[2] == 6.0
    assert weight.components[1].jet(0.0)[1] == 1.0
    (spring,) = lowered.of_law("SPRING")
    assert spring.rest == pytest.approx(3.0)
    assert_allclose(spring.s_j, [-2, 0, 0], atol=1e-15)
    coil, free = lowered.of_law("TORSION")
    assert_allclose(coil.n, [1, 0, 0])
    assert_allclose(free.n, [0, 1, 0])
    A = lowered.bodies[0].rotation
    assert_allclose(A @ free.a_j, free.a_i, atol=1e-15)  # zero at the start


def test_a_rod_takes_its_length_from_the_start_pose_or_from_its_own_words() -> None:
    mech = pendulum()
    mech.joint("rod", "distance", "ground", "bar", point=[0, 0, 1], point2=[0, 0, 0])
    mech.joint("long rod", "rod", "ground", "bar", point=[0, 0, 1], point2=[0, 0, 0], length=3)
    assert [row.f for row in mech.lower().rows if row.kind == "D"] == [1.0, 9.0]
    assert "zero length" in refused(
        mech.joint, name="r", type="distance", first="ground", second="bar", point=[0, 0, 1], point2=[0, 0, 1]
    )
    assert "zero length" in refused(
        mech.joint,
        name="r",
        type="distance",
        first="ground",
        second="bar",
        on_first={"point": [0, 2, 0]},
        on_second={"point": [0, 0, 0]},
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"type": "revolut"}, "did you mean 'revolute'?"),
        ({"second": "barr"}, "joints[1] 'j': body 'barr' does not exist; did you mean 'bar'?"),
        ({"second": "ground"}, "joins body 'ground' to itself"),
        ({"name": "bar"}, "which bodies[0] has already"),
        ({"axis": None}, "needs axis"),
        ({"axis": [0, 0, 0]}, "zero vector"),
        ({"point": [0, 0]}, "must be a list of 3"),
        ({"point": [0, 0, float("nan")]}, "point[2] must be a finite number"),
        ({"point": "here"}, "must be a list of 3"),
        ({"axes": [1, 0, 0]}, "did you mean 'axis'?"),
        ({"axis2": [0, 1, 0]}, "a revolute joint does not use"),
        ({"x": [2, 0, 0]}, "along its axis"),
        ({"on_first": {"point": [0, 0, 0]}}, "both globally"),
        ({"type": "rolling-disc", "radius": 1, "first": "bar", "second": "ground", "axis2": [0, 1, 0]}, "'ground'"),
        ({"type": "universal", "axis2": [1, 1, 0]}, "not perpendicular"),
    ],
)
def test_a_wrong_joint_is_refused_by_name(fields: dict[str, Any], words: str) -> None:
    mech = pendulum()
    given = {"name": "j", "type": "revolute", "first": "ground", "second": "bar", "point": [0, 0, 0], "axis": [1, 0, 0]}
    given = {key: value for key, value in (given | fields).items() if value is not None}
    message = refused(mech.joint, **given)
    assert words in message
    assert message.startswith("joints[1]")
    assert len(mech.joints) == 1


def test_all_errors_come_at_once() -> None:
    message = refused(
        Mechanism.from_dict,
        data={
            "bodies": [{"name": "a", "mass": -1}, {"name": "b", "inertia": [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}],
            "joints": [{"name": "c", "type": "spherical", "first": "a", "second": "b"}],
            "gravty": [0, 0, 0],
        },
    )
    assert "4 errors" in message
    for words in (
        "bodies[0] 'a': mass",
        "bodies[1] 'b': inertia is not symmetric",
        "joints[0] 'c': needs point",
        "did you mean 'gravity'?",
    ):
        assert words in message


def test_geometry_that_makes_no_sense_is_found_for_all_elements_on_lowering() -> None:
    mech = Mechanism(
        "x",
        bodies=[{"name": "a"}, {"name": "b"}],
        joints=[
            {
                "name": n,
                "type": "distance",
                "first": "a",
                "second": "b",
                "on_first": {"point": [0, 0, 0]},
                "on_second": {"point": [0, 0, 0]},
            }
            for n in ("r1", "r2")
        ],
    )
    message = refused(mech.lower)
    assert "joints[0] 'r1'" in message
    assert "joints[1] 'r2'" in message


def test_change_gives_what_was_missing_and_checks_it() -> None:
    mech = pendulum()
    mech.change("bar", mass=5)
    assert mech.element("bar").mass == 5
    assert "did you mean 'bar'?" in refused(mech.change, name="baar", mass=1)
    assert "must not be negative" in refused(mech.change, name="bar", mass=-1)
    assert "does not exist" in refused(mech.change, name="pivot", second="nobody")
    assert mech.element("pivot").second == "bar"


def test_a_mechanism_is_its_document() -> None:
    mech = pendulum()
    mech.force("coil", "torsion", joint="pivot", stiffness=3)
    mech.body(
        "ball",
        shape={"type": "sphere", "radius": 1, "density": 2},
        rotation={"euler_zxz": [1, 2, 3]},
        visual=[{"shape": {"type": "box", "size": [1, 2, 3]}, "colour": "red"}],
    )
    again = Mechanism.from_dict(mech.to_dict())
    assert again.to_dict() == mech.to_dict()
    assert_allclose(again.lower().bodies[1].rotation, mech.lower().bodies[1].rotation)


def test_elements_can_be_given_as_objects() -> None:
    joint = Revolute(name="p", first="ground", second="a", point=(0, 0, 0), axis=(0, 0, 1))
    mech = Mechanism("m", bodies=[{"name": "a"}], joints=[joint])
    assert mech.to_dict()["joints"][0]["type"] == "revolute"
    assert len(mech.lower().rows) == 5


def test_every_registered_joint_has_its_name_as_type() -> None:
    for name in JOINTS:
        assert name in str(JOINTS.load(name).model_fields["type"].annotation)


def test_describing_a_mechanism_loads_no_compiler() -> None:
    code = (
        "import sys, linkwork.mechanism as m; x = m.Mechanism('x'); x.body('b');"
        "x.joint('j', 'spherical', 'ground', 'b', point=[0, 0, 0]); x.lower();"
        "print([n for n in ('numba', 'scipy', 'xarray') if n in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
