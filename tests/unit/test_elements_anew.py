"""Runs with other places and axes of joints, springs and inertias, which are written: as those that are read anew."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism
from unit.same_runs import the_same
from unit.test_lengths import ACCEPTED, CRANK, SPAN, all_of, tried
from unit.test_row_codes import read

import linkwork as lw
from linkwork.formulations import FORMULATIONS
from linkwork.mechanism.lowered import Lowered
from linkwork.mechanism.number_names import given_fields
from linkwork.mechanisms import shipped
from linkwork.run.copied import described_number
from linkwork.run.lengths import Lengths, lengths
from linkwork.run.starting import prepare
from linkwork.run.written import Written

PIN = "crank pin.on_first.point.y"
WAYS = {
    "a point that is global": {"slider guide.point.x": 0.2},
    "an axis that is global": {"slider guide.axis.y": 0.0},
    "an axis of a body": {"slider pin.on_first.axis.y": 0.0},
    "a vector of a raw constraint": {"rod twist.a_j.x": 0.0},
    "an inertia beside a length": {PIN: 0.08, "connecting rod.inertia.x": 0.004},
    "an inertia beside a point that is global": {"crank pivot.point.z": 0.12, "slider.inertia.y": 1e-4},
    "weight beside a length": {PIN: 0.08, "gravity.z": -9.81},
    "a body's place": {"crank.position.y": 0.1},
    "a body's place beside a length": {PIN: 0.08, "connecting rod.position.z": 0.1},
    "a body's velocity": {"connecting rod.velocity.x": 0.0},
    "a body's spin, a mass and weight": {"slider.mass": 1.0, "slider.angular_velocity.x": 0.0, "gravity.z": -9.81},
}
SHIPPED = (
    "kissel2021_slider_crank",
    "stewart_platform",
    "suspension",
    "rolling_disc",
    "cam",
    "planar_four_bar",
    "cart_pole",
)


def of(mech: lw.Mechanism, *names: str) -> Lengths | None:
    return lengths(mech, names, (False, True))


def numbers_of(mech: lw.Mechanism) -> list[str]:
    """All numbers of its description by name."""
    return [name for field in given_fields(mech) for name in field if described_number(mech, name) is not None]


def compared(mech: lw.Mechanism, names: Sequence[str], values: dict[str, float]) -> bool:
    """Compare a start that is written with one that is read anew; whether it is written."""
    found_of = of(mech, *names)
    if found_of is None:
        return False
    wanted, found = tried(lambda: prepare(read(mech, values), dynamics=True, **ACCEPTED)), found_of.start(values)
    if isinstance(wanted, str):
        assert found is None
        return True
    if found is None:
        return False
    assert all_of(found.compiled) == all_of(wanted.compiled)
    assert found.changes == wanted.changes
    assert found_of.says_more or found.messages == wanted.messages
    return True


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_random_mechanisms_start_as_those_that_are_read_anew(data: st.DataObject) -> None:
    mech = random_mechanism(data.draw(st.integers(0, 10_000)))
    names = numbers_of(mech)
    assume(names)
    chosen = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    off = data.draw(st.sampled_from((1e-9, -1e-4, 0.03, -1.9, -1.0)))
    values = {name: (described_number(mech, name) or 0.1) * (1.0 + off * (k + 1)) for k, name in enumerate(chosen)}
    compared(mech, chosen, values)


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_shipped_mechanisms_start_as_those_that_are_read_anew(data: st.DataObject) -> None:
    mech = lw.load(data.draw(st.sampled_from(SHIPPED)))
    chosen = data.draw(st.lists(st.sampled_from(numbers_of(mech)), min_size=1, max_size=3, unique=True))
    off = data.draw(st.sampled_from((1e-9, -1e-5, 0.003)))
    values = {name: (described_number(mech, name) or 1e-3) * (1.0 + off * (k + 1)) for k, name in enumerate(chosen)}
    compared(mech, chosen, values)


@pytest.mark.parametrize("seed", range(6))
def test_every_number_of_random_mechanisms_starts_as_one_that_is_read_anew(seed: int) -> None:
    mech = random_mechanism(200 + seed)
    written = [
        compared(mech, (name,), {name: (described_number(mech, name) or 0.1) * (1.0 + off)})
        for name in numbers_of(mech)
        for off in (1e-6, 0.02)
    ]
    assert sum(written) > len(written) / 2


@pytest.mark.parametrize("name", shipped())
def test_every_number_of_shipped_mechanisms_starts_as_one_that_is_read_anew(name: str) -> None:
    mech = lw.load(name)
    names = numbers_of(mech)
    written = [
        compared(mech, (one,), {one: (described_number(mech, one) or 1e-3) * (1.0 + 1e-4)})
        for one in names[:: 1 + len(names) // 80]
    ]
    assert sum(written) > len(written) / 4


@pytest.mark.parametrize("way", WAYS)
def test_these_ways_are_written(way: str) -> None:
    mech, told = lw.load(CRANK), WAYS[way]
    for off in (1e-7, 1e-5, 1e-3):
        values = {name: value + off * max(abs(value), 0.1) for name, value in told.items()}
        assert compared(mech, tuple(told), values)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_runs_as_one_that_is_read_anew(formulation: str, way: str) -> None:
    mech, told = lw.load(CRANK), WAYS[way]
    model = lw.compile(mech, formulation, accept_changes=True)

    def values(share: float) -> dict[str, float]:
        return {name: value + share * max(abs(value), 0.01) for name, value in told.items()}

    for k in range(26):  # from the 24th on by compiled code
        model.run(*SPAN, parameters=values(1e-6 * (k + 1)))
    for share in (1e-5, 3e-4):
        found = model.run(*SPAN, parameters=values(share))
        the_same(found, lw.simulate(read(mech, values(share)), *SPAN, formulation, accept_changes=True))


def sprung() -> lw.Mechanism:
    mech = lw.Mechanism("boom with a spring")
    mech.parameter("k", 20.0, min=1.0)
    mech.body("boom", mass=1.0, inertia=[0.02, 0.03, 0.04], position=[0.25, 0, 0])
    mech.body("hook", mass=0.5, inertia=[0.01, 0.01, 0.01], position=[0.5, 0, -0.2])
    mech.joint("foot", "revolute", "ground", "boom", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("tip", "revolute", "boom", "hook", point=[0.5, 0, 0], axis=[0, 1, 0])
    mech.force("hinge spring", "torsion", joint="foot", stiffness="k", damping=0.1)
    ends = {"on_first": {"point": [0.1, 0, 0.2]}, "on_second": {"point": [0.1, 0, 0]}}
    mech.force("tie", "spring", first="ground", second="hook", stiffness=50.0, length=0.3, **ends)
    return mech


SPRINGS = (
    {"tip.point.x": 0.51, "tie.stiffness": 60.0},
    {"tip.point.x": 0.51, "k": 25.0},
    {"tip.point.z": 0.01, "tie.on_second.point.x": 0.12, "tie.length": 0.31},
    {"foot.point.x": 0.01, "hinge spring.damping": 0.2},
    {"foot.axis.x": 0.01, "boom.inertia.y": 0.031},
)


@pytest.mark.parametrize("formulation", ["rA", "canonical", "augmented", "lie-se3"])
@pytest.mark.parametrize("told", SPRINGS, ids=lambda told: ", ".join(told))
def test_springs_beside_lengths(formulation: str, told: dict[str, float]) -> None:
    mech = sprung()
    model = lw.compile(mech, formulation, accept_changes=True)
    for share in (0.999, 0.9999, 1.0):
        values = {name: share * value for name, value in told.items()}
        found, wanted = model.run(*SPAN, parameters=values), read(mech, values)
        expected = lw.simulate(wanted, *SPAN, formulation, accept_changes=True)
        the_same(found, expected)
        np.testing.assert_array_equal(found.energy, expected.energy)
        np.testing.assert_array_equal(found.force("tie")["force"], expected.force("tie")["force"])


def test_most_springs_beside_lengths_are_written() -> None:
    assert [of(sprung(), *told) is not None for told in SPRINGS] == [True, True, True, True, True]


def test_what_is_refused_is_refused_in_the_same_words() -> None:
    mech = sprung()
    model = lw.compile(mech, accept_changes=True)
    model.run(*SPAN, parameters={"tip.point.x": 0.501, "tie.length": 0.31, "k": 21.0})
    for told in (
        {"tip.point.x": 0.501, "tie.length": -1.0, "k": 21.0},
        {"tip.point.x": 0.501, "tie.length": 0.31, "k": 0.5},
        {"tip.point.x": 1e101, "tie.length": 0.31, "k": 21.0},
    ):
        wanted = tried(lambda told: lw.simulate(read(mech, told), *SPAN, "rA", accept_changes=True), told)
        assert isinstance(wanted, str)
        assert tried(model.run, *SPAN, parameters=told) == wanted


def test_an_axis_that_turns_a_driven_angle_is_left_to_lowering() -> None:
    mech, name = lw.load(CRANK), "crank pivot.axis.y"
    assert of(mech, name) is None
    model = lw.compile(mech, accept_changes=True)
    found = tried(model.run, *SPAN, parameters={name: 1e-4})
    wanted = tried(lambda: lw.simulate(read(mech, {name: 1e-4}), *SPAN, "rA", accept_changes=True))
    if isinstance(wanted, str):
        assert found == wanted
    else:
        the_same(found, wanted)


def test_the_x_axis_of_a_turned_axis_is_chosen_as_lowering_chooses_it() -> None:
    """From the coordinate axis that is least along it, which is another one here."""
    mech = lw.Mechanism("door")
    mech.body("leaf", mass=1.0, inertia=[0.1, 0.1, 0.1])
    mech.joint("hinge", "revolute", "ground", "leaf", point=[0.3, 0.1, 0], axis=[0.1, 0.2, 1.0])
    for value in (0.1, 0.19, 0.21, 0.9, 3.0):
        assert compared(mech, ("hinge.axis.x",), {"hinge.axis.x": value})
    assert compared(mech, ("hinge.axis.x", "hinge.axis.y"), {"hinge.axis.x": 2.0, "hinge.axis.y": 5.0})


def test_no_part_of_a_flat_mechanism_has_a_value_before_it_is_made() -> None:
    assert not [one.name for one in fields(Lowered) if hasattr(Lowered, one.name)]
    found = of(lw.load(CRANK), PIN)
    assert found is not None
    made = found.compiled({PIN: 0.081})
    assert made is not None
    assert isinstance(made.lowered, Written)
    asked: Any = pickle.loads(pickle.dumps(made.lowered))
    assert type(asked) is Lowered
    assert repr(asked.joints) == repr(made.lowered.joints)
    with pytest.raises(AttributeError):
        _ = made.lowered.nothing


def turning(size: str | float) -> lw.Mechanism:
    """A disc that rolls on a plane whose normal is as long as said."""
    data = lw.load("rolling_disc").to_dict()
    data["joints"][0]["on_first"]["axis"] = [0, 0, size]
    return lw.Mechanism.from_dict(data | {"parameters": {"size": 1.0, "tilt": 0.0}})


@pytest.mark.parametrize("beside", [{}, {"ground contact.on_first.point.z": 0.01}, {"disc.mass": 2.5}], ids=str)
@pytest.mark.parametrize("name", ["ground contact.on_first.axis.z", "size"])
def test_an_axis_that_is_turned_round_is_another_one(name: str, beside: dict[str, float]) -> None:
    """Its length says nothing, which is all that a few numbers alike show; its sign does, and it needs one."""
    mech = turning("size" if name == "size" else 1.0)
    model = lw.compile(mech, "rA", accept_changes=True)
    for value in (2.0, -1.0, 0.0, 1.0):
        told = {name: value, **beside}
        found = tried(model.run, *SPAN, parameters=told)
        wanted = tried(lambda told: lw.simulate(read(mech, told), *SPAN, "rA", accept_changes=True), told)
        if isinstance(wanted, str):
            assert value == 0.0
            assert found == wanted
        else:
            the_same(found, wanted)


def test_an_input_has_two_names() -> None:
    mech = lw.Mechanism("cart")
    mech.input("push", 0.5)
    mech.body("cart", mass=1.0, inertia=[1, 1, 1])
    mech.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("drive", "force", body="cart", components=["input('push')", 0, 0])
    model = lw.compile(mech, "rA")
    for name in ("push", "input.push"):
        assert described_number(mech, name) == 0.5
        the_same(model.run(*SPAN, parameters={name: 2.0}), lw.simulate(read(mech, {name: 2.0}), *SPAN, "rA"))
