"""What force elements do is kept of a sweep's runs by name: the curves of `Result.force`, in all ways to carry runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from unit.test_model_numbers import arm

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.lanes import runner
from linkwork.lanes.gpu.device import SIMULATED
from linkwork.mechanism.variants import variant
from linkwork.quantities import forces
from linkwork.quantities.forces import force
from linkwork.quantities.model import ran_with
from linkwork.result import Result
from linkwork.run.model import Model
from linkwork.sweeps import derived
from linkwork.sweeps.element_forces import element_numbers
from linkwork.sweeps.files import load_sweep
from linkwork.sweeps.forces_of_several import ForcesOfSeveral

SPAN = 0.02, 1e-3


def springs() -> lw.Mechanism:
    """An arm with one force element of every kind."""
    mech = arm()
    mech.force("ball", "spherical-spring", joint="shoulder", stiffness=3.0, damping=0.1)
    mech.force("motor", "motor", joint="elbow", effort="2 - 0.3*rate('elbow')")
    mech.force("bush", "bushing", first="ground", second="lower", point=[0, 0, -0.5], stiffness=[10, 20, 30, 1, 2, 3])
    mech.force("twist", "torque", body="upper", components=[0.1, "sin(9*t)", 0.0])
    mech.force("late", "force", body="upper", components=[0.0, 0.0, "k*step(t, 1, 2)"])
    return mech


CURVES = (
    "spring.torque", "spring.angle", "spring.angle_rate", "spring.power", "cord.force", "cord.length",
    "cord.length_rate", "load.force", "load.power", "ball.torque", "ball.rotation_vector", "ball.angle", "motor.effort",
    "motor.angle", "twist.torque", "late.force", "bush.power", "bush.force_on_lower", "bush.force_on_upper",
)  # fmt: skip
OVER: tuple[dict[str, list[float]], ...] = (
    {"k": [30.0, 12.0], "upper.mass": [1.5, 2.0], "cord.stiffness": [20.0, 60.0]},
    {"load.point.z": [0.1, 0.2], "gravity.z": [-9.81, -1.62]},
    {"L": [0.4, 0.45], "k": [25.0, 30.0]},
    {"elbow.angle": [0.2, -0.4], "k": [25.0, 30.0]},
)


def curve(result: Result, text: str) -> np.ndarray:
    name, of = text.split(".")
    found = result.force(name)
    return found[of] if of in found else np.zeros((len(result.time), 3))


def single(over: dict[str, list[float]], k: int, **how: Any) -> Result:
    state = {name.split(".")[0]: values[k] for name, values in over.items() if name == "elbow.angle"}
    given = {name: values[k] for name, values in over.items() if name != "elbow.angle"}
    how = {"formulation": "rA", "accept_changes": True, **how}
    return lw.simulate(variant(springs(), given), *SPAN, state=state or None, **how)


def swept(over: dict[str, list[float]], keep: Any, **how: Any) -> lw.Sweep:
    how = {"t_end": SPAN[0], "step": SPAN[1], "plan": "list", "judge": False, "accept_changes": True, **how}
    found = lw.sweep(springs(), over, keep=keep, **how)
    assert not found.failed.size, found.errors
    return found


@pytest.mark.parametrize("over", OVER, ids=lambda over: " ".join(over))
@pytest.mark.parametrize("threads", [1, 2])
def test_every_bit_is_that_of_a_single_run(over: dict[str, list[float]], threads: int) -> None:
    found = swept(over, CURVES, threads=threads)
    for k in range(2):
        wanted = single(over, k)
        for text in CURVES:
            np.testing.assert_array_equal(found[text][k], curve(wanted, text), err_msg=f"{text} of run {k}")
    assert np.abs(found["bush.force_on_lower"]).max() > 0.05
    assert not found["bush.force_on_upper"].any()
    assert not found["late.force"].any()


@pytest.mark.parametrize("device", [False, True])
def test_lanes_and_devices_keep_them_and_run_nothing_again(device: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "batch_of", lambda held: None)
    monkeypatch.setattr(runner, "why_not", lambda run: "Numba is not installed")
    if device:
        monkeypatch.setenv(SIMULATED, "1")
    how = {"formulation": "articulated-body", "integrator": "rk4"}
    wanted = [single(OVER[0], k, **how) for k in range(2)]
    monkeypatch.setattr(Model, "run", lambda *_, **__: 1 / 0)
    found = swept(OVER[0], CURVES, lanes=not device, gpu=device, **how)
    assert (found["in_lanes"] == 1 + device).all(), (found.info["one_by_one"], found.info["off_device"])
    for k in range(2):
        for text in CURVES:
            expected = curve(wanted[k], text)
            np.testing.assert_allclose(found[text][k], expected, rtol=1e-9, atol=1e-9, err_msg=text)


def test_runs_beside_each_other_lower_and_compile_no_mechanism(monkeypatch: pytest.MonkeyPatch) -> None:
    mech, over = arm(), {"k": [30.0, 12.0, 14.0], "upper.mass": [1.5, 2.0, 2.5], "cord.stiffness": [20.0, 60.0, 61.0]}
    keep = ("spring.torque", "spring.angle", "cord.force", "cord.length_rate", "load.power")
    wanted = [
        lw.simulate(variant(mech, {name: values[k] for name, values in over.items()}), *SPAN, "rA", accept_changes=True)
        for k in range(3)
    ]
    curves = [{text: curve(one, text) for text in keep} for one in wanted]
    how = {"t_end": SPAN[0], "step": SPAN[1], "plan": "list", "judge": False, "accept_changes": True, "threads": 1}
    lw.sweep(mech, over, keep=keep, **how)  # which finds where numbers stand
    monkeypatch.setattr(derived, "variant", lambda *_: 1 / 0)
    monkeypatch.setattr(forces, "compile_mechanism", lambda *_: 1 / 0)
    found = lw.sweep(mech, over, keep=keep, **how)
    assert not found.failed.size, found.errors
    for k in range(3):
        for text in keep:
            np.testing.assert_array_equal(found[text][k], curves[k][text], err_msg=f"{text} of run {k}")


def motors() -> lw.Mechanism:
    """An arm with elements whose formulas know the state, an input and the time; numbers of a sweep stand in these."""
    mech = arm()
    mech.parameter("gain", 0.3)
    mech.input("hand", 0.2)
    mech.force("motor", "motor", joint="elbow", effort="2*input('hand') - gain*rate('elbow') + 0.1*sin(9*t)")
    mech.force("twisted", "torsion", joint="elbow", stiffness="gain*(1 + angle**2)", damping=0.02)
    return mech


def test_motors_and_springs_by_formula_are_worked_out_of_several_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    mech, over = motors(), {"gain": [0.3, 0.5, 0.9], "hand": [0.2, -0.4, 0.1], "upper.mass": [1.5, 2.0, 2.5]}
    keep = (
        "motor.effort", "motor.angle", "motor.angle_rate", "motor.power", "twisted.torque", "twisted.angle",
        "twisted.angle_rate", "twisted.power",
    )  # fmt: skip
    how = {"t_end": SPAN[0], "step": SPAN[1], "plan": "list", "judge": False, "accept_changes": True, "threads": 1}
    asked = ForcesOfSeveral.curves
    several: list[int] = []

    def counted(self: ForcesOfSeveral, rows: np.ndarray, *rest: Any) -> Any:
        several.append(len(rows))
        return asked(self, rows, *rest)

    monkeypatch.setattr(ForcesOfSeveral, "curves", counted)
    monkeypatch.setattr(Model, "run", lambda *_, **__: 1 / 0)
    monkeypatch.setattr(derived.Deriving, "quantities", lambda *_: 1 / 0)  # a run by itself
    found = lw.sweep(mech, {name: values * 44 for name, values in over.items()}, keep=keep, **how)
    assert not found.failed.size, found.errors
    assert 3 in several  # of a part of the plan
    for text in keep:
        np.testing.assert_array_equal(found[text][:-3], found[text][3:])
    for k in range(3):
        wanted = lw.simulate(
            variant(mech, {name: values[k] for name, values in over.items()}), *SPAN, "rA", accept_changes=True
        )
        for text in keep:
            np.testing.assert_array_equal(found[text][k], curve(wanted, text), err_msg=f"{text} of run {k}")
            assert found[text][k].any()


def test_numbers_in_formulas_of_forces_are_no_copies() -> None:
    assert element_numbers(arm(), ("k", "cord.stiffness")) is not None
    assert element_numbers(springs(), ("upper.mass",)) is not None
    assert element_numbers(springs(), ("k",)) is None  # the components of a load
    assert element_numbers(lw.load("cart_pole"), ("k_x",)) is None  # what a motor's effort is


def test_a_force_is_told_without_judging_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    found = lw.compile(lw.load("spatial_slider_crank_spring")).run(*SPAN)
    monkeypatch.setattr(type(found), "finish", lambda self: 1 / 0)
    assert "input" not in found
    assert "position" in found
    assert "kinetic_energy" in found
    ran_with(found, lw.load("spatial_slider_crank_spring"), lw.load("spatial_slider_crank_spring").lower())
    assert force(found, "spring")["force"].shape == (21,)


def test_they_are_reduced_and_enter_formulas() -> None:
    keep = {
        "most": "max(norm(ball.torque))", "least": "min(cord.force)", "last": "final(bush.force_on_lower.z)",
        "work": "integral(spring.power)", "mean": "mean(motor.effort*motor.angle_rate)",
        "when": "time_of_max(cord.length)", "first": "start(load.force)",
    }  # fmt: skip
    found = swept(OVER[0], keep)
    for k in range(2):
        run = single(OVER[0], k)
        ball, cord, power = run.force("ball")["torque"], run.force("cord"), run.force("spring").power
        assert found["most"][k] == np.max(np.sqrt(np.sum(ball * ball, axis=1)))
        assert found["least"][k] == np.min(cord["force"])
        assert found["last"][k] == run.force("bush")["force_on_lower"][-1, 2]
        assert found["work"][k] == np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(run.time))
        motor = run.force("motor")
        mean = np.trapezoid(motor["effort"] * motor["angle_rate"], run.time) / SPAN[0]
        np.testing.assert_allclose(found["mean"][k], mean, rtol=1e-12)
        assert found["when"][k] == run.time[np.argmax(cord["length"])]
        np.testing.assert_array_equal(found["first"][k], run.force("load")["force"][0])


def test_a_sweep_in_a_file_names_them(tmp_path: Path) -> None:
    (tmp_path / "arm.json").write_text(json.dumps(springs().to_dict()))
    (tmp_path / "sweep.yaml").write_text(
        "mechanism: arm.json\nover: {k: [30.0, 12.0]}\nkeep: ['max(cord.force)', ball.torque.x]\n"
        "t_end: 0.02\nstep: 0.001\n"
    )
    mech, asked = load_sweep(tmp_path / "sweep.yaml")
    found = lw.sweep(mech, **asked, judge=False)
    wanted = swept({"k": [30.0, 12.0]}, ["max(cord.force)", "ball.torque.x"])
    for name in wanted.arrays:
        np.testing.assert_array_equal(found[name], wanted[name])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cord.tension", "force element 'cord' has no 'tension'; there is 'force', 'length', 'length_rate', 'power'"),
        ("cord", "force element 'cord' has force, length, length_rate, power: write cord.power"),
        ("cort.force", "did you mean 'cord'"),
        ("nothing_alike_at_all.force", "'twist'"),
        ("cord.force.x", "has no 'force.x'"),
        ("bush.force_on_ground", "did you mean 'force_on_"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        swept({"k": [30.0]}, text)
    assert told in str(caught.value)
