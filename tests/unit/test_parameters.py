"""Named parameters, inputs and tables of a description: where they may stand, how they change, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import CubicSpline, PchipInterpolator

import linkwork as lw
from linkwork.errors import ModelError, UsageError
from linkwork.kernels.curves import value_of
from linkwork.mechanism import Mechanism
from linkwork.mechanism.tables import Table
from linkwork.system import compile_mechanism
from linkwork.system.operands import with_profiles

PENDULUM = {
    "name": "pendulum",
    "parameters": {"L": {"value": 0.4, "unit": "m", "min": 0.1, "max": 2}, "m": 2, "half": "L/2", "k": 30.0},
    "gravity": [0, 0, "-9.81*1"],
    "bodies": [{"name": "rod", "mass": "m", "inertia": [["m*L^2/12", 0, 0], [0, "m*L^2/12", 0], [0, 0, 0.001]],
                "position": [0, 0, "-half"]}],
    "joints": [{"name": "hip", "type": "revolute", "first": "ground", "second": "rod", "point": [0, 0, 0],
                "axis": [0, 1, 0]}],
    "drivers": [],
    "forces": [{"name": "spring", "type": "torsion", "joint": "hip", "stiffness": "k", "actuator": "-k*angle**3"},
               {"name": "push", "type": "force", "body": "rod", "components": ["m*sin(t)", 0, 0]}],
}  # fmt: skip


def test_parameters_stand_wherever_numbers_do() -> None:
    mech = Mechanism.from_dict(PENDULUM)
    rod = mech.bodies[0]
    assert rod.mass == 2.0
    assert rod.position == (0.0, 0.0, -0.2)
    assert rod.inertia[0][0] == pytest.approx(2 * 0.16 / 12)
    assert mech.gravity == (0.0, 0.0, -9.81)
    lowered = mech.lower()
    assert lowered.of_law("TORSION")[0].stiffness == 30.0
    assert lowered.loads[0].components[0].value(0.5) == pytest.approx(2 * np.sin(0.5))
    assert len(lowered.efforts) == 1


def test_other_values_give_another_mechanism_and_the_description_keeps_its_formulas() -> None:
    mech = Mechanism.from_dict(PENDULUM)
    longer = mech.with_parameters(L=1.0, k=5)
    assert longer.bodies[0].position == (0.0, 0.0, -0.5)
    assert longer.lower().of_law("TORSION")[0].stiffness == 5.0
    assert mech.bodies[0].position == (0.0, 0.0, -0.2)
    document = longer.to_dict()
    assert document["bodies"][0]["position"][2] == "-half"
    assert document["parameters"]["L"]["value"] == 1.0
    again = Mechanism.from_dict(document)
    assert again.to_dict() == document
    assert compile_mechanism(again.lower()).tables.body[0, 0] == 2.0


def test_a_mechanism_built_step_by_step_has_parameters_too() -> None:
    mech = lw.Mechanism("built")
    mech.parameter("m", 3.0, unit="kg")
    mech.input("gas", 0.5)
    mech.table("curve", [0, 1, 2], [0, 1, 4])
    mech.body("b", mass="2*m", inertia=[[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    mech.force("f", "force", body="b", components=["input('gas')*m", "table('curve', speed('b'))", 0])
    assert mech.bodies[0].mass == 6.0
    mech.change("b", position=["m", 0, 0])
    assert mech.to_dict()["bodies"][0]["mass"] == "2*m"
    assert mech.with_parameters(m=1).bodies[0].position == (1.0, 0.0, 0.0)
    compiled = compile_mechanism(mech.lower())
    assert compiled.operands()[-1] == 0.5


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"parameters": {"a": "b", "b": "2*a"}}, "depends on itself: a -> b -> a"),
        ({"parameters": {"L": 1, "half": "l/2"}}, "no parameter 'l'; did you mean 'L'"),
        ({"parameters": {"pi": 3}}, "formulas know already"),
        ({"parameters": {"L": {"value": 0.05, "min": 0.1}}}, "below its min"),
        ({"parameters": {"a b": 1}}, "letters, digits and _"),
        ({"parameters": 3}, "must be a mapping"),
        ({"tables": {"c": {"x": [0, 2, 1], "y": [1, 2, 3]}}}, "not ascending"),
        ({"tables": {"c": {"x": [0, 2], "y": [1, 2, 3]}}}, "2 numbers in x and 3 in y"),
        ({"bodies": [{"name": "rod", "mass": "n"}]}, "no parameter 'n'; there is 'm'"),
        ({"bodies": [{"name": "rod", "mass": "m*t"}]}, "depends on time"),
        ({"inputs": {"gas": "high"}}, "no parameter 'high'"),
    ],
)
def test_what_makes_no_sense_is_refused(change: dict[str, object], words: str) -> None:
    document = {"parameters": {"m": 1}, **change}
    with pytest.raises(ModelError, match=words):
        Mechanism.from_dict(document)


@pytest.mark.parametrize(
    ("f", "words"),
    [
        ("angle('hop')", "did you mean 'hip'"),
        ("position('rud', 'x')", "did you mean 'rod'"),
        ("position('rod', 'w')", "an axis is"),
        ("displacement('hip')", "has angle"),
        ("input('gas')", "input 'gas' does not exist"),
        ("table('tyre', t)", "table 'tyre' does not exist"),
        ("kk*t", "did you mean 'k'"),
        ("velocity('rod')", "takes a body and an axis"),
        ("distance('rod')", "between two bodies"),
    ],
)
def test_formulas_that_name_what_does_not_exist_are_refused(f: str, words: str) -> None:
    mech = Mechanism.from_dict(PENDULUM)
    mech.force("bad", "force", body="rod", components=[f, 0, 0])
    with pytest.raises(ModelError, match=words):
        mech.lower()


def test_with_parameters_refuses_other_names_and_values_beyond_bounds() -> None:
    mech = Mechanism.from_dict(PENDULUM)
    with pytest.raises(ModelError, match="did you mean 'half'"):
        mech.with_parameters(halve=1)
    with pytest.raises(ModelError, match="above its max"):
        mech.with_parameters(L=5)


X, Y = np.array([0.0, 0.5, 1.2, 2.0, 3.5]), np.array([1.0, 0.2, 0.3, 0.9, -2.0])


@pytest.mark.parametrize("between", ["linear", "cubic", "pchip"])
def test_tables_are_what_scipy_makes_of_the_same_points(between: str) -> None:
    curves, _ = with_profiles([Table(x=X, y=Y, between=between).lowered("c")], ())
    wanted = {
        "linear": lambda u: np.interp(u, X, Y),
        "cubic": CubicSpline(X, Y, bc_type="natural"),
        "pchip": PchipInterpolator(X, Y),
    }[between]
    u = np.linspace(0.0, 3.5, 57)
    assert_allclose([value_of(curves, 0, x) for x in u], wanted(u), atol=1e-14)
    assert value_of(curves, 0, -9.0) == Y[0]
    assert value_of(curves, 0, 9.0) == pytest.approx(Y[-1], abs=1e-15)


def test_ends_extend_along_their_slopes_where_that_is_asked_for() -> None:
    curves, _ = with_profiles([Table(x=[0, 1], y=[0, 2], outside="extend").lowered("c")], ())
    assert value_of(curves, 0, -1.0) == -2.0
    assert value_of(curves, 0, 3.0) == 6.0


def test_the_command_line_sets_parameters() -> None:
    from linkwork.cli.set_parameters import with_set

    mech = with_set(Mechanism.from_dict(PENDULUM), ["L=1.2", "k=2*m"])
    assert mech.bodies[0].position == (0.0, 0.0, -0.6)
    assert mech.lower().of_law("TORSION")[0].stiffness == 4.0
    for word in ("L", "=3", "L="):
        with pytest.raises(UsageError, match="NAME=VALUE"):
            with_set(mech, [word])
