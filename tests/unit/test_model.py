"""A mechanism compiled once: runs with the same bits as `simulate`, whatever was run before."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from unit.same_runs import the_same
from unit.test_row_codes import read

import linkwork as lw
from linkwork.errors import ConvergenceError, LinkworkError, ModelError, UsageError
from linkwork.mechanism.variants import variant
from linkwork.run.held import Held
from linkwork.run.later import LaterResult


def pendulum() -> lw.Mechanism:
    """With parameters that are plain (k, push) and one that moves the start pose (L)."""
    return lw.Mechanism.from_dict(
        {
            "name": "pendulum",
            "run": {"t_end": 0.05, "step": 1e-3},
            "parameters": {"L": {"value": 0.4, "min": 0.1, "max": 2.0}, "k": {"value": 30.0, "min": 0.0}, "push": 0.0},
            "bodies": [
                {"name": "rod", "mass": 2.0, "inertia": [0.1, 0.1, 0.001], "position": [0, 0, "-L/2"]},
            ],
            "joints": [
                {"name": "hip", "type": "revolute", "first": "ground", "second": "rod", "point": [0, 0, 0],
                 "axis": [0, 1, 0]},
            ],
            "forces": [
                {"name": "spring", "type": "torsion", "joint": "hip", "stiffness": "2*k", "actuator": 0.5},
                {"name": "load", "type": "force", "body": "rod", "components": ["push", 0, 0]},
            ],
        }
    )  # fmt: skip


@pytest.mark.parametrize(("formulation", "integrator"), [("rA", None), ("canonical", "rk4")])
def test_a_compiled_model_gives_the_bits_of_simulate(formulation: str, integrator: str | None) -> None:
    mech = pendulum()
    model = lw.compile(mech, formulation, integrator)
    values: list[dict[str, float]] = [{}, {"k": 12.5}, {"k": 50.0, "push": -3.0}, {"L": 0.7}, {}, {"k": 12.5}]
    for given in values:
        reference = lw.simulate(mech.with_parameters(**given), formulation=formulation, integrator=integrator)
        found = model.run(parameters=given)
        the_same(found, reference)
        assert isinstance(found, LaterResult)


def test_plain_numbers_build_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    model = lw.compile(pendulum())
    model.run(parameters={"k": 11.0})
    made: list[Held] = []
    usual = Held.__init__

    def counted(self: Held, run: Any) -> None:
        made.append(self)
        usual(self, run)

    monkeypatch.setattr(Held, "__init__", counted)
    monkeypatch.setattr("linkwork.run.model.simulate", None)
    results = [model.run(parameters={"k": k}) for k in (5.0, 6.0)]
    assert not made
    assert not np.array_equal(results[0]["rotation"], results[1]["rotation"])


def test_other_ends_and_steps_are_other_runs_of_the_same_model() -> None:
    mech = pendulum()
    model = lw.compile(mech)
    for t_end, step in ((0.05, 1e-3), (0.02, 2e-3), (0.05, 1e-3)):
        the_same(
            model.run(t_end, step, parameters={"k": 9.0}), lw.simulate(mech.with_parameters(k=9.0), t_end, step, "rA")
        )


def test_a_run_may_start_elsewhere() -> None:
    mech = pendulum()
    state = {"hip": (0.3, -1.0)}
    found = lw.compile(mech).run(state=state, parameters={"k": 2.0})
    the_same(found, lw.simulate(mech.with_parameters(k=2.0), state=state, formulation="rA"))


def five_bar() -> lw.Mechanism:
    """A loop of two freedoms: where one rate is given, masses decide how the rest moves."""
    mech, points = lw.Mechanism("five bar"), [(0.0, 0.0), (-0.3, 0.8), (0.4, 1.3), (1.1, 0.9), (1.0, 0.0)]
    names = ["left", "upper left", "upper right", "right"]
    for name, (x, z), (x2, z2) in zip(names, points, points[1:], strict=False):
        place = [0.5 * (x + x2), 0.0, 0.5 * (z + z2)]
        mech.body(name, mass=1.0, inertia=[0.05, 0.05, 0.05], position=place)
    ends = ["ground", *names, "ground"]
    for k, (x, z) in enumerate(points):
        mech.joint(f"pin {k}", "revolute", ends[k], ends[k + 1], point=[x, 0, z], axis=[0, 1, 0])
    return mech


def test_a_start_at_joint_coordinates_asks_the_masses_of_its_run() -> None:
    mech, span, state = five_bar(), (0.004, 1e-3), {"pin 0": (0.1, 2.0)}
    model = lw.compile(mech)
    light, heavy = ({"right.mass": mass} for mass in (1.0, 30.0))
    for numbers in (light, heavy, light):
        wanted = lw.simulate(read(mech, numbers), *span, "rA", state=state)
        the_same(model.run(*span, parameters=numbers, state=state), wanted)
    rates = [model.run(*span, parameters=one, state=state).joint("pin 3").rates[:, 0] for one in (light, heavy)]
    assert abs(rates[0][0] - rates[1][0]) > 0.1
    over = {"right.mass": [1.0, 30.0], "pin 0": [0.1], "pin 0_rate": [2.0]}
    found = lw.sweep(mech, over, keep=["'pin 3'.angle_rate"], t_end=span[0], step=span[1])
    np.testing.assert_array_equal(found["'pin 3'.angle_rate"], rates)


def test_numbers_of_elements_are_parameters_too() -> None:
    mech = pendulum()
    found = lw.compile(mech).run(parameters={"rod.mass": 3.5, "rod.inertia.1": 0.2})
    the_same(found, lw.simulate(variant(mech, {"rod.mass": 3.5, "rod.inertia.1": 0.2}), formulation="rA"))
    negative = {"spring.damping": -0.5}  # none is described: of another sign than was tried
    the_same(lw.compile(mech).run(parameters=negative), lw.simulate(variant(mech, negative), formulation="rA"))
    changed = pendulum()
    changed.change("rod", mass=3.5, inertia=[0.1, 0.2, 0.001])
    np.testing.assert_array_equal(found.rotation("rod"), lw.simulate(changed, formulation="rA").rotation("rod"))


@pytest.mark.parametrize(
    ("given", "kind", "text"),
    [
        ({"kk": 1.0}, UsageError, "did you mean 'k'"),
        ({"k": "soft"}, UsageError, "must be a finite number"),
        ({"k": float("nan")}, UsageError, "must be a finite number"),
        ({"k": -1.0}, ModelError, "below its min"),
        ({"rod.mass": -1.0}, ModelError, "must not be negative"),
        ({"rod.inertia": 1.0}, LinkworkError, "inertia"),
        ({"rod.position.w": 1.0}, UsageError, "gives no number .rod.position.w."),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_lost(given: Any, kind: type[Exception], text: str) -> None:
    mech = pendulum()
    model = lw.compile(mech)
    with pytest.raises(kind, match=text):
        model.run(parameters=given)
    the_same(model.run(), lw.simulate(mech, formulation="rA"))


def test_numbers_that_are_refused_name_their_line_as_in_simulate(tmp_path: Any) -> None:
    path = tmp_path / "rod.yaml"
    path.write_text(
        "linkwork: 1\nname: rod\nbodies:\n  - name: rod\n    mass: 2.0\n    inertia: [1, 1, 1]\n"
        "joints:\n  - {name: hip, type: revolute, first: ground, second: rod, point: [0, 0, 0], axis: [0, 1, 0]}\n",
        "utf-8",
    )
    mech = lw.load(path)
    mech.body("added", mass=1.0, inertia=[1, 1, 1])
    for numbers, line in (({"rod.mass": -1.0}, "(line 5)"), ({"added.mass": -1.0}, "'added':")):
        with pytest.raises(ModelError) as found:
            lw.compile(mech).run(0.01, 1e-3, parameters=numbers)
        with pytest.raises(ModelError) as wanted:
            lw.simulate(mech.with_numbers(numbers), 0.01, 1e-3, "rA")
        assert str(found.value) == str(wanted.value)
        assert line in str(found.value)
        assert "rod.yaml" in str(found.value)


def test_a_step_that_fails_raises_as_simulate_does_and_the_model_stays() -> None:
    mech = pendulum()
    model = lw.compile(mech, "rA")
    reference = lw.simulate(mech, formulation="rA")
    errors = []
    for run in (model.run, lambda *span, parameters: lw.simulate(mech.with_parameters(**parameters), *span, "rA")):
        with pytest.raises(ConvergenceError) as caught:
            run(1.0, 0.05, parameters={"push": 1e7})
        errors.append(str(caught.value))
    assert errors[0] == errors[1]
    the_same(model.run(), reference)


def test_simulate_again_starts_from_what_was_kept() -> None:
    mech = pendulum()
    first = lw.simulate(mech, formulation="rA")
    for _ in range(3):
        the_same(lw.simulate(mech, formulation="rA"), first)
    mech.change("rod", mass=5.0)
    other, fresh = lw.simulate(mech, formulation="rA"), pendulum()
    fresh.change("rod", mass=5.0)
    the_same(other, lw.simulate(fresh, formulation="rA"))


def test_a_result_is_completed_when_asked_and_can_be_copied() -> None:
    found = lw.compile(pendulum()).run()
    assert "header" not in vars(found)
    assert found.position("rod").shape == (51, 3)
    assert "header" not in vars(found)
    copied = pickle.loads(pickle.dumps(lw.compile(pendulum()).run()))
    np.testing.assert_array_equal(copied.position("rod"), found.position("rod"))
    assert found.judgement == copied.judgement == "good"
    with pytest.raises(UsageError):
        found.position("road")


@pytest.mark.parametrize("option", [{"out": "a.nc"}, {"verify": True}, {"progress": print}, {"samples": 3}])
def test_what_models_do_not_take_is_named(option: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"takes no {next(iter(option))!r}"):
        lw.compile(pendulum(), **option)
