"""Slips in descriptions and runs with formulas, tables, inputs and controllers: each is named, with its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ControllerError, LinkworkError, ModelError, UsageError
from linkwork.sweeps.files import load_sweep


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


def refused(call: Callable[[], Any]) -> str:
    with pytest.raises(LinkworkError) as error:
        call()
    return error.value.message


def test_a_question_ends_a_message_without_a_full_stop(tmp_path: Path) -> None:
    """What was meant is asked; where nothing is near, the message ends in a full stop."""
    crank = lw.load("kissel2021_slider_crank")
    file = tmp_path / "sweep.yaml"
    file.write_text("mechanism: kissel2021_slider_crank\nover: {crank.mass: [1.0]}\nruns: 1\nsead: 3\n", "utf-8")
    messages = [
        refused(lambda: lw.sweep(crank, {"crank.mas": [1.0]}, keep="final(energy)")),
        refused(lambda: lw.sweep(crank, {"crank.mass": [1.0]}, keep="final(enrgy)")),
        refused(lambda: lw.sweep(crank, {"crank.mass": [1.0]}, keep="finel(energy)")),
        refused(lambda: lw.sensitivities(crank, 0.01, 1e-3, of="final(energy)", to="crank.mas")),
        refused(lambda: load_sweep(file)),
    ]
    assert all(re.search(r"did you mean '[^']+'\?$", message) for message in messages), messages
    assert refused(lambda: lw.sweep(crank, {"qqqqq": [1.0]}, keep="final(energy)")).endswith("'qqqqq'.")
    sources = Path(lw.__file__).parent.rglob("*.py")
    asked = re.compile(r"did_you_mean\([^\n]*\)\}\.")
    assert not [path for path in sources if asked.search(path.read_text("utf-8"))]


def servo_arm(push: str) -> lw.Mechanism:
    servo = {"name": "servo", "type": "motor", "joint": "hip", "position": 0.1, "stiffness": "30 + rate^2"}
    made = torque(push).to_dict()
    return lw.Mechanism.from_dict(made | {"forces": [servo | {"damping": 0.5}, *made["forces"]]})


@pytest.mark.parametrize(
    ("push", "formulation", "integrator", "words"),
    [
        ("1e300*(1 + angle('hip'))", "lie-mixed", "rk4", r"force 'push' \(y\) is 1e\+300"),
        ("1e300*(1 + angle('hip'))", "rA", None, r"force 'push' \(y\) (is|has)"),
    ],
)
def test_a_formula_is_not_blamed_for_what_another_did(
    push: str, formulation: str, integrator: str | None, words: str
) -> None:
    with pytest.raises(LinkworkError, match=words) as caught:
        lw.simulate(servo_arm(push), 0.2, 1e-3, formulation, integrator)
    assert "servo" not in str(caught.value)


def test_a_formula_without_a_value_at_the_start_is_told_what_to_change() -> None:
    with pytest.raises(LinkworkError, match=r"force 'push' \(y\) has no finite value at t = 0 s") as caught:
        lw.simulate(servo_arm("1/angle('hip')"), 0.2, 1e-3, "rA")
    assert "change the formula" in (caught.value.remedy or "")
    assert "singular" not in str(caught.value)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize(
    ("formulation", "integrator", "options"),
    [("rA", None, {}), ("lie-mixed", "rk4", {}), ("lie-mixed", "dop853", {"rtol": 1e-6})],
)
def test_a_driver_without_a_rate_is_named(formulation: str, integrator: str | None, options: dict[str, float]) -> None:
    driven = arm().to_dict() | {"drivers": [{"name": "crank", "joint": "hip", "f": "sqrt(0.1 - t) - sqrt(0.1)"}]}
    with pytest.raises(LinkworkError, match=r"formula of driver 'crank' .* at t = 0\.10?1? s"):
        lw.simulate(lw.Mechanism.from_dict(driven), 0.2, 1e-3, formulation, integrator, accept_changes=True, **options)


@pytest.mark.parametrize("value", ["1", b"1", np.nan, np.inf, None, 1j, np.array([1.0, 2.0]), [1.0], {}])
def test_inputs_of_a_simulator_are_numbers(value: Any) -> None:
    sim = lw.Simulator(torque("input('gas')"), 1e-3, "lie-mixed", "rk4")
    with pytest.raises(UsageError, match="input 'gas' must be a finite number, not"):
        sim.step({"gas": value})
    assert sim.time == 0.0
