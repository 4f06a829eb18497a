"""What a description states of the start stays, what it leaves out is found, and what cannot stay is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import StartStateError
from linkwork.io.formats import shipped
from linkwork.mechanism.body import Body
from linkwork.run.starting import Start, prepare
from linkwork.system import compile_mechanism
from linkwork.system.altered import altered
from linkwork.system.assembly import assemble


def top(**state: object) -> lw.Mechanism:
    """A body on a ball joint at the global origin."""
    mechanism = lw.Mechanism("top")
    mechanism.body("top", **{"mass": 2.0, "inertia": [0.3, 0.2, 0.1], "position": [1, 0, 0], **state})
    mechanism.joint("ball", "spherical", "ground", "top", point=[0, 0, 0])
    return mechanism


def start(mechanism: lw.Mechanism, **options: bool) -> Start:
    return prepare(mechanism, dynamics=True, **options)


@pytest.mark.parametrize("spin", [[0, 0, 10.0], [3.0, -2.0, 5.0]])
def test_a_stated_angular_velocity_stays_where_the_velocity_is_left_out(spin: list[float]) -> None:
    """Today's case: omega = 10 rad/s about a ball joint ran with 5."""
    found = start(top(angular_velocity=spin))
    np.testing.assert_array_equal(found.compiled.w[0], spin)
    np.testing.assert_allclose(found.compiled.v[0], np.cross(spin, [1, 0, 0]), atol=1e-13)
    assert found.messages == ("assembly: velocities that are not stated were found for 'top'",)
    assert found.changes["velocity_change"]["body"] == "top"


def test_a_fast_top_from_yaml_starts_with_the_energy_stated(tmp_path) -> None:
    """The heavy top of the Lie-group literature, without its velocity: 5436 J, of which a run had 5314."""
    path = tmp_path / "top.yaml"
    path.write_text(
        "linkwork: 1\nbodies:\n"
        "  - {name: top, mass: 15, inertia: [0.234375, 0.46875, 0.234375], position: [0, 1, 0],\n"
        "     angular_velocity: [0, 150, -4.61538]}\n"
        "joints:\n"
        "  - {name: ball, type: spherical, first: ground, second: top, point: [0, 0, 0]}\n",
        encoding="utf-8",
    )
    found = start(lw.load(path))
    v, w = found.compiled.v[0], found.compiled.w[0]
    np.testing.assert_array_equal(w, [0, 150, -4.61538])
    energy = 0.5 * 15 * v @ v + 0.5 * w @ (np.array([0.234375, 0.46875, 0.234375]) * w)
    assert energy == pytest.approx(5273.4375 + 0.5 * 15.234375 * 4.61538**2)


def test_a_stated_velocity_stays_where_the_angular_one_is_left_out() -> None:
    found = start(top(velocity=[0, 4.0, 0]))
    np.testing.assert_array_equal(found.compiled.v[0], [0, 4, 0])
    np.testing.assert_allclose(found.compiled.w[0], [0, 0, 4], atol=1e-14)


@pytest.mark.parametrize("given", [{"velocity": [0, 2.0, 0]}, {"angular_velocity": [0, 0, 2.0]}])
def test_a_stated_velocity_is_the_frames_where_the_centre_of_mass_is_elsewhere(given: dict) -> None:
    found = start(top(centre_of_mass=[0.5, 0, 0], **given))
    np.testing.assert_allclose(found.compiled.v[0], [0, 3, 0], atol=1e-14)
    np.testing.assert_allclose(found.compiled.w[0], [0, 0, 2], atol=1e-14)


def test_statements_that_do_not_fit_are_refused_by_body_and_values() -> None:
    mechanism = top(velocity=[0, 0, 0], angular_velocity=[0, 0, 10])
    with pytest.raises(StartStateError) as caught:
        start(mechanism)
    text = str(caught.value)
    assert "body 'top' cannot have its stated angular velocity (0, 0, 10) rad/s" in text
    assert "accept_changes" in text
    assert caught.value.code == "LW-START"
    assert caught.value.exit_status == 4
    accepted = start(mechanism, accept_changes=True)
    assert any("cannot have its stated velocity (0, 0, 0) m/s" in text for text in accepted.messages)
    v, w = accepted.compiled.v[0], accepted.compiled.w[0]
    np.testing.assert_allclose(v, np.cross(w, [1, 0, 0]), atol=1e-13)
    # the least change in kinetic energy: m v dv + J (w - 10) dw = 0 with v = w
    assert w[2] == pytest.approx(10 * 0.1 / (0.1 + 2.0))


@pytest.mark.parametrize(("digits", "fits"), [(7, True), (3, False)])
def test_rounded_numbers_are_no_contradiction(digits: int, fits: bool) -> None:
    spin = np.array([1.23456789, 2.3456789, 9.87654321])
    mechanism = top(angular_velocity=spin.tolist(), velocity=np.round(np.cross(spin, [1, 0, 0]), digits).tolist())
    if fits:
        start(mechanism)
    else:
        with pytest.raises(StartStateError, match="cannot have its stated"):
            start(mechanism)


def test_one_statement_moves_a_whole_linkage() -> None:
    stated, document = lw.load("planar_four_bar"), lw.load("planar_four_bar").to_dict()
    for body in document["bodies"]:
        body.pop("velocity")
        if body["name"] != "coupler":
            body.pop("angular_velocity")
    document.pop("drivers")
    found, whole = start(lw.Mechanism.from_dict(document)).compiled, start(stated).compiled
    np.testing.assert_array_equal(found.w[1], whole.w[1])
    np.testing.assert_allclose(found.v, whole.v, atol=1e-9)
    np.testing.assert_allclose(found.w, whole.w, atol=1e-9)


def test_unknown_velocities_are_those_of_least_kinetic_energy() -> None:
    """A light bob on a heavy cart, both free: the momentum is that of a start from rest, zero along the rail."""
    mechanism = lw.Mechanism("cart")
    mechanism.body("cart", mass=100.0, inertia=[1, 1, 1])
    mechanism.body("bob", mass=1.0, inertia=[1e-2, 1e-2, 1e-2], position=[0, 0, -1], angular_velocity=[0, 3, 0])
    mechanism.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    mechanism.joint("pin", "revolute", "cart", "bob", point=[0, 0, 0], axis=[0, 1, 0])
    v = start(mechanism).compiled.v
    assert v[1, 0] - v[0, 0] == pytest.approx(-3.0)
    assert 100.0 * v[0, 0] + v[1, 0] == pytest.approx(0.0, abs=1e-12)


def test_a_driver_moves_what_is_left_open_and_meets_what_is_stated() -> None:
    mechanism = lw.Mechanism("wheel")
    mechanism.body("wheel", mass=1.0, inertia=[1, 1, 1], position=[1, 0, 0], velocity=[0, 2.0, 0])
    mechanism.joint("axle", "revolute", "ground", "wheel", point=[0, 0, 0], axis=[0, 0, 1])
    mechanism.driver("motor", "axle", "2*t")
    assert not mechanism.driver_mismatches()
    assert start(mechanism).compiled.w[0, 2] == pytest.approx(2.0)
    mechanism.change("motor", f="3*t")
    with pytest.raises(StartStateError, match=r"stated velocity \(0, 2, 0\)"):
        start(mechanism)
    assert start(mechanism, accept_drivers=True).compiled.v[0, 1] == pytest.approx(3.0)
    kinematic = prepare(mechanism, dynamics=False).compiled  # there the drivers say how fast it goes
    assert kinematic.v[0, 1] == pytest.approx(3.0)


def test_a_pose_left_out_moves_before_a_stated_one() -> None:
    """The rod's pose is open; the block, stated a little off its rail's end, stays."""
    mechanism = lw.Mechanism("hung")
    mechanism.body("block", mass=1.0, inertia=[1, 1, 1], position=[1.0, 0, 0], rotation=np.eye(3).tolist())
    mechanism.body("bob", mass=1.0, inertia=[1, 1, 1])
    places = {"on_first": {"point": [0, 0, -0.5]}, "on_second": {"point": [0, 0, 0.5]}}
    mechanism.joint("weld", "fixed", "ground", "block", point=[1.0, 0, 0])
    mechanism.joint("ball", "spherical", "block", "bob", **places)
    found = start(mechanism)
    np.testing.assert_array_equal(found.compiled.r[0], [1, 0, 0])
    np.testing.assert_allclose(
        found.compiled.r[1] + found.compiled.A[1].reshape(3, 3)[:, 2] * 0.5, [1, 0, -0.5], atol=1e-9
    )
    assert found.changes["moved"]["body"] == "bob"


@pytest.mark.parametrize("angle", [0.3, 1.2])
def test_a_stated_pose_moves_a_little_but_not_far(angle: float) -> None:
    mechanism = lw.Mechanism("door")
    mechanism.body("door", mass=1.0, inertia=[1, 1, 1], rotation={"axis": [1, 0, 0], "angle": angle})
    place = {"point": [0, 0, 0], "axis": [0, 0, 1]}
    mechanism.joint("hinge", "revolute", "ground", "door", on_first=place, on_second=place)
    if angle > np.pi / 4:
        with pytest.raises(
            StartStateError, match=r"body 'door' has to turn by 68\.\d+ degrees from its stated rotation"
        ):
            start(mechanism)
        assert not lw.check(mechanism).ok
        assert lw.check(mechanism).exit_status == 4
        assert not lw.check(mechanism).can[0].possible
    found = start(mechanism, accept_changes=True)
    assert any("'door' turned by" in text for text in found.messages)
    assert found.changes["turned"] == {"body": "door", "largest": pytest.approx(angle)}


def test_unknown_velocities_come_back_from_a_document() -> None:
    mechanism = top(angular_velocity=[0, 0, 1], velocity=None)
    again = lw.Mechanism.from_dict(json.loads(json.dumps(mechanism.to_dict())))
    assert again.bodies[0].velocity is None
    assert again.bodies[0].angular_velocity == (0, 0, 1)
    assert lw.Mechanism("m", bodies=[Body(name="b", velocity=None)]).bodies[0].stated == (False, False, False, False)
    settled = lw.assemble(mechanism).mechanism
    assert settled.bodies[0].velocity == pytest.approx((0, 1, 0))
    assert not start(settled).changes


def test_a_bodys_weight_says_which_of_two_statements_gives_way() -> None:
    """Two stated velocities at one ball joint that contradict each other: the heavier weight keeps its own."""
    mechanism = lw.Mechanism("pair", gravity=(0, 0, 0))
    state = {"mass": 1.0, "inertia": [1, 1, 1], "angular_velocity": [0, 0, 0]}
    mechanism.body("a", velocity=[1, 0, 0], **state)
    mechanism.body("b", velocity=[2, 0, 0], **state)
    mechanism.joint("together", "fixed", "a", "b")
    report = lw.assemble(mechanism, weights={"a": 1e8})
    assert report.velocity("b")[0] == pytest.approx(1.0, abs=1e-6)
    compiled = compile_mechanism(mechanism.lower())
    assert [one.body for one in altered(compiled, assemble(compiled, weights=np.array([1e12, 1.0])))] == ["b"]


@pytest.mark.parametrize("name", shipped())
def test_shipped_mechanisms_start_as_they_are_written(name: str) -> None:
    mechanism = lw.load(name)
    found = prepare(mechanism, dynamics=True)
    assert not [text for text in found.messages if text.startswith("assembly")]
    assert max([change["largest"] for key, change in found.changes.items() if key != "length"], default=0.0) < 1e-8
