"""Energies, violations and reactions of a sweep's runs: derived from what was recorded, nothing is run once more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from unit.test_lanes_said import WAYS
from unit.test_model_numbers import arm, geared

import linkwork as lw
from linkwork.lanes import runner
from linkwork.mechanism.variants import variant
from linkwork.run.model import Model
from linkwork.run.span import Span

SPAN = 0.01, 1e-3
CASES: tuple[tuple[Callable[[], lw.Mechanism], dict[str, list[float]], str], ...] = (
    (arm, {"k": [20.0, 45.0], "lower.mass": [2.0, 3.5], "load.components.0": [1.0, -2.0]}, "elbow"),
    (geared, {"a.mass": [1.0, 1.5]}, geared().joints[0].name),
    (lambda: lw.load("kissel2021_slider_crank"), {"crank.mass": [0.5, 1.0], "gravity.z": [-9.81, -1.62]}, "slider pin"),
)


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
@pytest.mark.parametrize("case", range(len(CASES)))
def test_what_is_derived_is_that_of_the_record(
    case: int, formulation: str, integrator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, over, joint = CASES[case]
    monkeypatch.setattr(runner, "batch_of", lambda held: None)
    monkeypatch.setattr(runner, "why_not", lambda run: "Numba is not installed")
    mech, keep = make(), ["energy", "power", "position_violation", "velocity_violation", "kinetic_energy"]
    reaction = f"{joint!r}.reaction_force"
    how = {"keep": [*keep, reaction], "formulation": formulation, "integrator": integrator, "judge": False}
    wanted = []
    runs = lw.sweep(mech, over, keep="t", t_end=2e-3, step=1e-3).values
    for k in range(len(next(iter(runs.values())))):
        given = {name: float(column[k]) for name, column in runs.items()}
        wanted.append(lw.simulate(variant(mech, given), *SPAN, formulation, integrator))

    def never(*_: object, **__: object) -> None:
        raise AssertionError("run once more")

    monkeypatch.setattr(Model, "run", never)
    alone, lanes = (lw.sweep(mech, over, t_end=SPAN[0], step=SPAN[1], lanes=one, **how) for one in (False, True))
    assert lanes["in_lanes"].all(), lanes.info["one_by_one"]
    for k, one in enumerate(wanted):
        for name in keep:
            found = one.energy if name == "energy" else one[name]
            np.testing.assert_array_equal(alone[name][k], found, err_msg=name)
            np.testing.assert_allclose(lanes[name][k], found, rtol=2e-6, atol=1e-6, err_msg=name)
        np.testing.assert_array_equal(alone[reaction][k], one.reaction(joint).force)
        np.testing.assert_allclose(lanes[reaction][k], one.reaction(joint).force, rtol=1e-6, atol=1e-6)


def test_no_mechanism_is_compiled_for_an_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    usual = Span.compiled
    monkeypatch.setattr(Span, "compiled", lambda span, given: compiled.append(given) or usual(span, given))
    over = {"k": lw.uniform(10.0, 50.0), "lower.mass": lw.uniform(2.0, 4.0), "load.components.0": lw.uniform(-1.0, 1.0)}
    found = lw.sweep(arm(), over, 60, ["final(energy)", "max(power)"], t_end=2e-3, step=1e-3, judge=False, threads=1)
    assert len(set(found["final(energy)"].tolist())) == 60
    assert len(compiled) < 10


@pytest.mark.parametrize("what", ["a plain number", "a length", "a state"])
def test_a_models_results_are_derived_without_being_judged(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mech = lw.load("kissel2021_slider_crank" if what != "a state" else "kissel2021_double_pendulum")
    model = lw.compile(mech, accept_changes=True)
    given = {"a plain number": {"crank.mass": 0.7}, "a length": {"crank pin.on_first.point.y": 0.081}}.get(what, {})
    state = {mech.joints[0].name: 0.3} if what == "a state" else None
    wanted = lw.simulate(variant(mech, given), *SPAN, "rA", accept_changes=True, state=state)
    monkeypatch.setattr("linkwork.run.span.completed", lambda *_: 1 / 0)
    found = model.run(*SPAN, parameters=given, state=state)
    for name in ("reaction_force", "kinetic_energy", "power", "position_violation"):
        np.testing.assert_array_equal(found[name], wanted[name], err_msg=name)
        assert name in found
    np.testing.assert_array_equal(found.energy, wanted.energy)
    monkeypatch.undo()
    judged = model.run(*SPAN, parameters=given, state=state)
    before = judged["power"]
    assert judged.judgement == "good"
    np.testing.assert_array_equal(judged["power"], before)
    with pytest.raises(lw.errors.UsageError, match="kinetic_enrgy"):
        judged["kinetic_enrgy"]


@pytest.mark.parametrize("spring", ["coil", "bush"])
def test_springs_begin_anew_with_every_instance(spring: str) -> None:
    mech = lw.Mechanism("swing", gravity=[0, 0, -9.81])
    turning = {"position": [0, 0, -0.5], "velocity": [-6, 0, 0], "angular_velocity": [0, 12, 0]}
    mech.body("rod", mass=1.0, inertia=[0.1, 0.1, 0.01], **turning)
    mech.body("ball", mass=1.0, inertia=[0.1, 0.1, 0.01], **turning)
    mech.joint("pin", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("socket", "spherical", "ground", "ball", point=[0, 0, 0])
    mech.force("coil", "torsion", joint="pin", stiffness=0.1)
    mech.force("bush", "spherical-spring", joint="socket", stiffness=0.1)
    over, keep = {f"{spring}.stiffness": [0.1, 0.2, 0.05]}, ["energy", "potential_energy"]
    found = lw.sweep(mech, over, keep=keep, t_end=1.0, step=1e-3, threads=1, judge=False)
    for k, stiffness in enumerate(over[f"{spring}.stiffness"]):
        wanted = lw.simulate(variant(mech, {f"{spring}.stiffness": stiffness}), 1.0, 1e-3, "rA")
        np.testing.assert_array_equal(found["energy"][k], wanted.energy)
        np.testing.assert_array_equal(found["potential_energy"][k], wanted["potential_energy"])
        assert np.ptp(wanted.joint("pin")["angle"]) > 2 * np.pi  # turns are counted


def sensing() -> lw.Mechanism:
    """A rod that turns many times, with formulas of parameters, inputs and turns, and a measuring unit."""
    return lw.Mechanism.from_dict(
        {
            "name": "sensing",
            "gravity": [0.0, 0.0, -9.81],
            "parameters": {"k": 0.1, "L": 0.5},
            "inputs": {"push": 0.2},
            "bodies": [
                {"name": "rod", "mass": 1.0, "inertia": [0.1, 0.1, 0.01], "position": [0, 0, "-L"],
                 "velocity": ["-12*L", 0, 0], "angular_velocity": [0, 12, 0]},
            ],
            "joints": [
                {"name": "pin", "type": "revolute", "first": "ground", "second": "rod", "point": [0, 0, 0],
                 "axis": [0, 1, 0]},
            ],
            "forces": [
                {"name": "coil", "type": "torsion", "joint": "pin", "stiffness": "k", "actuator": "input('push')"},
            ],
            "sensors": {
                "turn": "k*angle('pin') + input('push')",
                "root": "sqrt(angle('pin') - 1)",
                "hard": "max(0, rate('pin') - 10)*turn",
                "imu": {"type": "imu", "body": "rod", "point": [0, 0, -0.1]},
            },
        }
    )  # fmt: skip


READINGS = {"turn": "turn", "root": "root", "hard": "hard", "a": "imu.acceleration", "w": "imu.angular_velocity"}


@pytest.mark.parametrize(
    "over",
    [
        {"k": [0.1, 0.3, 0.05], "gravity.z": [-9.81, -1.62, -5.0], "push": [0.2, 0.1, 0.3]},
        {"L": [0.5, 0.6, 0.45], "k": [0.1, 0.2, 0.3]},
        {"pin.angle": [0.1, 0.5, -7.0], "pin.angle_rate": [3.0, 12.0, 9.0]},
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_what_sensors_read_is_kept(over: dict[str, list[float]], threads: int) -> None:
    mech, span = sensing(), (0.6, 1e-3)
    how = {"t_end": span[0], "step": span[1], "threads": threads, "judge": False}
    with np.errstate(invalid="ignore"):
        found = lw.sweep(mech, over, plan="list", keep=READINGS, **how)
    for k in range(3):
        given = {name: values[k] for name, values in over.items() if not name.startswith("pin")}
        state = {"pin": (over["pin.angle"][k], over["pin.angle_rate"][k])} if "pin.angle" in over else None
        wanted = lw.simulate(variant(mech, given), *span, "rA", state=state)
        for name, text in READINGS.items():
            np.testing.assert_array_equal(found[name][k], wanted[text], err_msg=f"{name} of run {k}")
    assert "root" in found.not_finite
    peak = lw.sweep(mech, over, plan="list", keep=["max(imu.acceleration.z)", "final(hard)"], **how)
    np.testing.assert_array_equal(peak["max(imu.acceleration.z)"], found["a"][:, :, 2].max(axis=1))


def test_readings_that_are_not_there_are_refused() -> None:
    for text, told in (("imu", "acceleration and angular_velocity"), ("trn", "did you mean 'turn'"),
                       ("turn.x", "no body, joint or force element 'turn'"), ("imu.accel", "imu")):  # fmt: skip
        with pytest.raises(lw.errors.UsageError, match=told):
            lw.sweep(sensing(), {"k": [0.1]}, keep=text, t_end=0.01, step=1e-3)
