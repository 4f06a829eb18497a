"""Formulas without a value, and names and bounds in them that make no sense: the field that was written is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import linkwork as lw
from linkwork.errors import ConvergenceError, ModelError, SingularPositionError
from linkwork.mechanism.expressions.functions import OF_STATE
from linkwork.mechanism.expressions.state import MEASURES


def arm(**parts: Any) -> lw.Mechanism:
    document = {
        "parameters": {"k": 2.0},
        "inputs": {"gas": 0.0},
        "bodies": [{"name": "bob", "mass": 1, "inertia": [0.01, 0.01, 0.01], "position": [0.5, 0, 0]}],
        "joints": [
            {"name": "hinge", "type": "revolute", "first": "ground", "second": "bob", "point": [0, 0, 0]}
            | {"axis": [0, 1, 0]}
        ],
    }
    return lw.Mechanism.from_dict(document | parts)


def on_hinge(kind: str, **fields: Any) -> lw.Mechanism:
    return arm(forces=[{"name": "one", "type": kind, "joint": "hinge", **fields}])


@pytest.mark.parametrize(
    ("kind", "field", "more"),
    [
        ("motor", "effort", {}),
        ("motor", "stiffness", {"position": 0}),
        ("motor", "position", {"stiffness": 1}),
        ("motor", "damping", {}),
        ("motor", "velocity", {"damping": 1}),
        ("joint-spring", "stiffness", {}),
        ("joint-spring", "damping", {}),
        ("joint-spring", "force", {}),
        ("torsion", "damping", {}),
        ("torsion", "actuator", {}),
    ],
)
def test_the_field_that_was_written_is_named_when_read_and_when_it_has_no_value(
    kind: str, field: str, more: dict[str, Any]
) -> None:
    with pytest.raises(ModelError, match=f"formula in {field} that makes no sense: joint 'hinj'.*did you mean 'hinge'"):
        on_hinge(kind, **{field: "k + angle('hinj')"}, **more).lower()
    failing = on_hinge(kind, **{field: "k/(0.0045 - t) + sqrt(0.0045 - t) + 0*rate('hinge')"}, **more)
    with pytest.raises(ConvergenceError, match=rf"the formula of force 'one' \({field}\) has no finite value at t ="):
        lw.simulate(failing, 0.01, 1e-3, "rA")


@pytest.mark.parametrize("formulation", ["rA", "lie-mixed", "canonical"])
def test_at_the_start_the_formula_its_value_and_a_remedy_are_told(formulation: str) -> None:
    said = r"force 'one' \(damping\) has no finite value at t = 0 s \(it is (-inf|inf|nan)\). .*change the formula"
    with pytest.raises(SingularPositionError, match=said):
        lw.simulate(on_hinge("motor", damping="k/t"), 0.01, 1e-3, formulation)
    with pytest.raises(ModelError, match=r"damping is '1/t', which is inf at t = 0\. .*change the formula"):
        arm(forces=[{"name": "m", "type": "motor", "joint": "hinge", "damping": "1/t"}], parameters={})


def test_forces_need_a_value_at_the_start_and_drivers_derivatives_too() -> None:
    push = {"name": "push", "type": "force", "body": "bob", "components": ["sqrt(t)", 0, 0]}
    plain = lw.simulate(arm(forces=[push], parameters={}), 0.01, 1e-3, "lie-mixed")
    state = lw.simulate(arm(forces=[push | {"components": ["sqrt(t)*k/2", 0, 0]}]), 0.01, 1e-3, "lie-mixed")
    assert plain.success
    assert plain["position"] == pytest.approx(state["position"], abs=1e-15)
    with pytest.raises(ModelError, match=r"f is 'sqrt\(t\)', not finite at t = 0 .*change the formula"):
        arm(drivers=[{"name": "motor", "joint": "hinge", "f": "sqrt(t)"}], parameters={})


def test_bounds_in_the_wrong_order_are_refused_with_their_element() -> None:
    with pytest.raises(ModelError, match=r"parameters.k has a min, 3, above its max, 1: no value fits"):
        arm(parameters={"k": {"value": 2, "min": 3, "max": 1}})
    with pytest.raises(ModelError, match=r"forces\[0\] 'one'.*low <= high; here low is 2 and high 1"):
        on_hinge("motor", effort="clip(t, 2, 1)")
    with pytest.raises(
        ModelError, match=r"forces\[0\] 'one'.*formula in effort .*low <= high; here low is 2 and high 1"
    ):
        on_hinge("motor", effort="clip(t, k, 1)").lower()
    assert on_hinge("motor", effort="clip(t, -k, k)").to_dict()["forces"][0]["effort"] == "clip(t, -k, k)"
    assert lw.simulate(on_hinge("motor", effort="clip(t, -angle('hinge'), k)"), 0.01, 1e-3, "rA").success


def test_what_is_looked_up_late_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "arm.yaml"
    file.write_text(
        "linkwork: 1\nparameters: {k: 1}\nbodies:\n  - {name: bob, mass: 1, inertia: [1, 1, 1]}\nforces:\n"
        "  - {name: a, type: torque, body: bob, components: [0, 0, 0]}\n"
        "  - {name: b, type: torque, body: bob, components: [\"input('gaz')\", 0, 0]}\nsensors:\n  tip: angle('hip')\n",
        encoding="utf-8",
    )
    mech = lw.load(file)
    for one in (mech, mech.with_parameters(k=2)):
        with pytest.raises(ModelError) as found:
            one.lower()
        assert "forces[1] 'b' (line 7): has a formula in components[0]" in str(found.value)
        assert "line 9: sensors.tip makes no sense" in str(found.value)
    mech.force("c", "torque", body="bob", components=["input('gaz')", 0, 0])  # stands in no file
    with pytest.raises(ModelError, match=r"forces\[2\] 'c': has a formula"):
        mech.lower()


def test_an_input_is_no_parameter_and_where_it_is_given_is_said() -> None:
    with pytest.raises(ModelError, match=r"'gas' is an input, not a parameter.*default.*sim.step"):
        arm().with_parameters(gas=2.0)


def test_what_a_prescribed_motion_cannot_read_is_said_with_what_can() -> None:
    assert set(MEASURES) | {"table"} == OF_STATE
    for f in ("angle('hinge')", "input('gas')", "table('lift', t)"):
        with pytest.raises(ModelError, match=r"formula of time alone; '\w+' is for forces: a servo"):
            arm(drivers=[{"name": "motor", "joint": "hinge", "f": f}], parameters={})
    with pytest.raises(ModelError, match="'clip' is not twice differentiable; use step"):
        arm(drivers=[{"name": "motor", "joint": "hinge", "f": "clip(t, 0, 1)"}], parameters={})


def test_functions_of_elements_say_what_they_take() -> None:
    with pytest.raises(ModelError, match="'position' takes a body and an axis 'x', 'y' or 'z', not these arguments"):
        arm(sensors={"tip": "position('bob')"}).lower()
