"""Formulas of quantities: one language of results, sweeps, sensitivities and, as far as names go, of accuracies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.planner.asked import wanted

HOW = {"t_end": 0.1, "step": 2e-3, "formulation": "canonical", "integrator": "rk4"}


def two_bars() -> lw.Mechanism:
    mech = lw.Mechanism("two bars")
    mech.body("bar 1", mass=1.2, inertia=[0.04, 0.05, 0.01], position=[0, 0, -0.3], angular_velocity=[0, 1.5, 0])
    mech.body("bar-2", mass=0.7, inertia=[0.02, 0.03, 0.01], position=[0.1, 0, -0.8], angular_velocity=[0, -0.5, 0])
    mech.joint("hinge", "revolute", "ground", "bar 1", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("elbow", "revolute", "bar 1", "bar-2", point=[0, 0, -0.6], axis=[0, 1, 0])
    mech.force("coil", "torsion", joint="hinge", stiffness=3.0, damping=0.1)
    mech.sensor("height", "position('bar-2', 'z', [0, 0, -0.1])")
    mech.sensor("unit", type="imu", body="bar-2", point=[0, 0, -0.1])
    return mech


FORMULAS: dict[str, Any] = {
    "'bar 1'.velocity": lambda res: res.velocity("bar 1"),
    "bar 1.velocity.x": lambda res: res.velocity("bar 1")[:, 0],
    "bar-2.rotation": lambda res: res.rotation("bar-2").reshape(-1, 9),
    "elbow.angle": lambda res: res.joint("elbow")["angle"],
    "elbow.angle_acceleration": lambda res: res.joint("elbow")["angle_acceleration"],
    "hinge.reaction_force": lambda res: res.reaction("hinge").force,
    "hinge.force.z": lambda res: res.reaction("hinge").force[:, 2],
    "elbow.torque": lambda res: res.reaction("elbow").torque,
    "energy": lambda res: res.energy,
    "coil.torque": lambda res: res.force("coil")["torque"],
    "height": lambda res: res["height"],
    "unit.acceleration.x": lambda res: res["unit.acceleration"][:, 0],
    "norm('bar-2'.velocity)": lambda res: np.linalg.norm(res.velocity("bar-2"), axis=1),
    "final(bar-2.position)": lambda res: res.position("bar-2")[-1],
    "max(bar 1.velocity.x) - 2*start(height)": lambda res: np.max(res.velocity("bar 1")[:, 0]) - 2 * res["height"][0],
    "integral(coil.power)": lambda res: np.trapezoid(res.force("coil").power, res.time),
    "rms(hinge.angle_rate)": lambda res: np.sqrt(
        np.trapezoid(res.joint("hinge")["angle_rate"] ** 2, res.time) / res.time[-1]
    ),
}
REDUCED = [name for name in FORMULAS if name.startswith(("final", "integral", "rms", "max"))]


def test_values_of_formulas_are_those_of_the_result_and_of_sweeps() -> None:
    mech = two_bars()
    res = lw.simulate(mech, **HOW)
    swept = lw.sweep(mech, {"bar 1.mass": [1.2, 1.3]}, keep=list(FORMULAS), threads=1, **HOW)
    for formula, by_hand in FORMULAS.items():
        found = res.value(formula)
        np.testing.assert_allclose(found, by_hand(res), rtol=1e-13, atol=1e-15, err_msg=formula)
        np.testing.assert_array_equal(swept[formula][0], found, err_msg=formula)


def test_sensitivities_take_formulas_and_agree_with_differences() -> None:
    mech = two_bars()
    numbers = {"coil.stiffness": 3.0, "bar 1.mass": 1.2, "bar-2.inertia.y": 0.03, "elbow.point.z": -0.6}
    found = lw.sensitivities(mech, **HOW, of=list(FORMULAS), to=list(numbers))
    model = lw.compile(mech, formulation="canonical", integrator="rk4")
    for number, value in numbers.items():
        h = 1e-4 * abs(value)
        ahead, behind = (model.run(0.1, 2e-3, parameters={number: value + s}) for s in (h, -h))
        for formula in FORMULAS:
            want = (ahead.value(formula) - behind.value(formula)) / (2 * h)
            scale = max(1.0, float(np.abs(want).max()))
            got = found[formula, number].reshape(want.shape)  # the rotation of a body by name alone is a matrix
            np.testing.assert_allclose(got, want, atol=2e-6 * scale, err_msg=f"{formula} to {number}")
    assert np.abs(found["integral(coil.power)"]).max() > 1e-4


def test_the_adjoint_takes_ends_and_integrals_in_words() -> None:
    mech, to = two_bars(), ["coil.stiffness", "bar 1.mass", "elbow.point.z", "gravity.z"]
    of = ["final(bar-2.position)", "integral(coil.torque**2)", "final(energy)", "final(height)"]
    back = lw.sensitivities(mech, **HOW, of=of, to=to, mode="adjoint")
    along = lw.sensitivities(mech, **HOW, of=of, to=to)
    for name in of:
        np.testing.assert_allclose(back[name], along[name], rtol=1e-9, atol=1e-11 * np.abs(along[name]).max())
        assert np.array_equal(back.values[name], along.values[name])
    with pytest.raises(UsageError, match=r"ask for 'final\(...\)' or 'integral\(...\)'"):
        lw.sensitivities(mech, **HOW, of="max(energy)", to=to, mode="adjoint")


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("bar 1.place", "body 'bar 1' has no 'place'; did you mean|body 'bar 1' has no 'place'; there is"),
        ("hinge.displacement", "joint 'hinge' has no 'displacement'; there is 'angle'"),
        ("coil", "force element 'coil' has torque, angle, angle_rate, power: write coil.power"),
        ("coil.length", "force element 'coil' has no 'length'"),
        ("max(nothing)", "there is no quantity 'nothing'"),
        ("largest(energy)", "there is no function 'largest'"),
        ("energy + 'bar 1'.velocity", "over time"),
        ("__import__('os')", "arithmetic, functions and names are known"),
        ("energy.__class__*1", "there is no body, joint or force element 'energy'"),
        ("1+" * 501 + "1", "at most 1000 characters"),
    ],
)
def test_what_is_no_formula_is_refused_everywhere_with_the_same_words(formula: str, words: str) -> None:
    mech = two_bars()
    if "over time" not in words:
        with pytest.raises(UsageError, match=words):
            lw.simulate(mech, 0.01, 1e-3, "canonical").value(formula)
        with pytest.raises(UsageError, match=words):
            lw.sensitivities(mech, **HOW, of=formula, to="gravity.z")
        with pytest.raises(UsageError, match=words):
            lw.sweep(mech, {"bar 1.mass": [1.0]}, keep=formula, **HOW)


def test_names_of_reactions_and_components_hold_for_equilibria_and_accuracies() -> None:
    assert wanted({"reaction_force": {"hinge": "1 mN"}}) == wanted({"reaction": {"hinge": 1e-3}})
    assert wanted({"hinge.torque": 1e-3, "bar 1.rotation": "1 deg"}) == wanted(
        {"reaction_torque": {"hinge": 1e-3}, "angle": {"bar 1": "1 deg"}}
    )
    with pytest.raises(UsageError, match="said twice"):
        wanted({"hinge.reaction": 1.0, "hinge.reaction_force": 1.0})
    rest = lw.equilibrium(two_bars())
    of = ["hinge.force", "hinge.reaction_force", "hinge.reaction_force.z", "bar-2.position", "bar-2.position.z"]
    found = lw.sensitivities(rest, of=of, to="bar 1.mass")
    assert np.array_equal(found["hinge.force"], found["hinge.reaction_force"])
    np.testing.assert_allclose(found["hinge.reaction_force"][2], found["hinge.reaction_force.z"], rtol=1e-12)
    np.testing.assert_allclose(found["bar-2.position"][2], found["bar-2.position.z"], atol=1e-12)
    assert found["hinge.force"][2, 0] == pytest.approx(9.81, rel=1e-9)


def test_names_from_arrays_are_told_as_plain_texts() -> None:
    mech = two_bars()
    for of, to in ((np.array(["energy", "heigth"]), "gravity.z"), ("energy", np.array(["gravity.z", "bar 1.mas"]))):
        with pytest.raises(UsageError) as refused:
            lw.sensitivities(mech, **HOW, of=of, to=to)
        assert "np.str_" not in str(refused.value)
