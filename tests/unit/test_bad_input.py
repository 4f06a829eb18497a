"""Slips in descriptions and runs with formulas, tables, inputs and controllers: each is named, with its place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ControllerError, LinkworkError, ModelError, UsageError


def arm(**more: Any) -> lw.Mechanism:
    document = {
        "linkwork": 1,
        "name": "arm",
        "bodies": [{"name": "arm", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.2, 0, 0]}],
        "joints": [{"name": "hip", "type": "revolute", "first": "ground", "second": "arm", "point": [0, 0, 0],
                    "axis": [0, 1, 0]}],
        "inputs": {"gas": 0},
    }  # fmt: skip
    return lw.Mechanism.from_dict(document | more)


def torque(formula: str, **more: Any) -> lw.Mechanism:
    return arm(forces=[{"name": "push", "type": "torque", "body": "arm", "components": [0, formula, 0]}], **more)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("rate('hop')", "joint 'hop' does not exist; did you mean 'hip'"),
        ("speed('amr')", "body 'amr' does not exist; did you mean 'arm'"),
        ("input('gaz')", "input 'gaz' does not exist; did you mean 'gas'"),
        ("table('liff', 1)", "table 'liff' does not exist; did you mean 'lift'"),
        ("stifness*angle('hip')", "'stifness' is no parameter; did you mean 'stiffness'"),
        ("angel('hip')", "Did you mean 'angle'"),
        ("displacement('hip')", "has angle"),
        ("velocity('arm', 'w')", "an axis is 'x', 'y' or 'z'"),
    ],
)
def test_formulas_that_name_what_is_not_there(formula: str, words: str) -> None:
    table = {"lift": {"x": [0, 1], "y": [0, 1]}}
    with pytest.raises(ModelError, match=words) as caught:
        torque(formula, tables=table, parameters={"stiffness": 3}).lower()
    assert "'push'" in str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"a": "b + 1", "b": "2*a"}, "it depends on itself: a -> b -> a"),
        ({"a": "a"}, "parameters.a has a value that makes no sense: it depends on itself: a -> a"),
        ({"a": "b", "b": "c", "c": "a/2"}, "it depends on itself: a -> b -> c -> a"),
    ],
)
def test_parameters_that_depend_on_themselves(parameters: dict[str, str], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        arm(parameters=parameters)


@pytest.mark.parametrize("formulation", ["lie-mixed", "canonical", "rA"])
def test_a_division_by_zero_on_the_way_is_named_and_what_was_computed_is_kept(formulation: str) -> None:
    mech = torque("1/(0.05 - t)*speed('arm')")
    integrator = {} if formulation == "rA" else {"integrator": "rk4"}
    with pytest.raises(LinkworkError, match=r"force 'push' \(y\) has no finite value at t = 0\.05 s") as caught:
        lw.simulate(mech, 0.1, 1e-3, formulation, **integrator)
    kept = caught.value.result
    assert 40 <= len(kept.time) <= 50
    assert np.all(np.isfinite(kept["position"]))


@pytest.mark.parametrize(("formulation", "integrator"), [("lie-mixed", "dop853"), ("rA", "radau5")])
def test_a_division_by_zero_that_steps_creep_up_to_is_named(formulation: str, integrator: str) -> None:
    with pytest.raises(LinkworkError, match=r"force 'push' \(y\) is .*e\+.* at t = 0\.05 s") as caught:
        lw.simulate(torque("1/(0.05 - t)*speed('arm')"), 0.1, 1e-3, formulation, integrator, rtol=1e-6)
    assert 40 <= len(caught.value.result.time) <= 50


@pytest.mark.parametrize(
    ("x", "words"),
    [([0, 2, 1], "not ascending"), ([0, 1, 1], "not ascending"), ([0, 1], "2 numbers in x and 3 in y")],
)
def test_tables_that_are_none(x: list[float], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        arm(tables={"lift": {"x": x, "y": [0, 1, 2]}})


def test_inputs_that_are_not_there_and_values_that_are_none() -> None:
    sim = lw.Simulator(torque("input('gas')"), 1e-3, "lie-mixed", "rk4")
    with pytest.raises(UsageError, match="gaz"):
        sim.step({"gaz": 1.0})
    for value in (float("nan"), float("inf"), "much", None):
        with pytest.raises((UsageError, LinkworkError), match="gas"):
            sim.step({"gas": value})
    sim.step({"gas": 1.0})


def test_a_controller_that_raises_or_returns_nonsense() -> None:
    mech = torque("input('gas')")

    @lw.controller(period=0.01)
    def broken(t, outputs):
        if t > 0.045:
            raise KeyError("hip")
        return {"gas": 0.1}

    with pytest.raises(ControllerError, match=r"t = 0\.05 s: controller 'broken' raised KeyError") as caught:
        lw.control(mech, broken, 0.1, 5e-3, "lie-mixed", "rk4")
    assert caught.value.result.time[-1] == pytest.approx(0.05)

    @lw.controller(period=0.01)
    def wrong(t, outputs):
        return {"gaz": 1.0}

    with pytest.raises(LinkworkError, match="gaz"):
        lw.control(mech, wrong, 0.1, 5e-3, "lie-mixed", "rk4")
