"""A mechanism with other numbers: what they touch alone is checked and lowered again, to what a whole reading gives."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from unit.test_model_numbers import arm, geared

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.errors import LinkworkError, UsageError
from linkwork.mechanism.number_names import given_fields, keys_of
from linkwork.mechanism.variants import need_numbers, variant
from linkwork.remembered import arrays_of
from linkwork.system import compile_mechanism

MODELS: dict[str, Callable[[], lw.Mechanism]] = {
    "arm": arm,
    "geared": geared,
    **{
        name: lambda name=name: lw.load(name)  # type: ignore[misc]
        for name in ("kissel2021_slider_crank", "suspension", "stewart_platform_actuated", "cam", "planar_four_bar")
    },
}


def found(make: Callable[[], lw.Mechanism]) -> Any:
    """All that a mechanism comes to, or what is said against it."""
    try:
        mech = make()
        lowered = mech.lower()
        compiled = compile_mechanism(lowered)
    except LinkworkError as error:
        return f"{type(error).__name__}: {error}"
    arrays = [
        *arrays_of(compiled.tables),
        *arrays_of(compiled.couplings),
        compiled.r,
        compiled.A,
        compiled.v,
        compiled.w,
    ]
    return mech.to_dict(), lowered.notes, repr(lowered.joints), [array.tobytes() for array in arrays]


@pytest.mark.parametrize("model", MODELS)
def test_what_a_number_touches_alone_gives_what_a_whole_reading_gives(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mech = MODELS[model]()
    names = [name for field in given_fields(mech) for name in field]
    for k, name in enumerate(names):
        for given in ({name: (0.3, -1.2, 2.5, 1e-3)[k % 4]}, {name: 0.7, names[(5 * k) % len(names)]: 0.2}):
            quick = found(lambda given=given: variant(mech, given))  # type: ignore[misc]
            with monkeypatch.context() as patched:
                patched.setattr("linkwork.mechanism.variants._by_elements", lambda *which: None)
                assert found(lambda given=given: variant(mech, given)) == quick  # type: ignore[misc]


def test_elements_that_a_number_does_not_touch_are_the_very_same() -> None:
    mech = arm()
    other = variant(mech, {"L": 0.5, "gravity.z": -3.0})
    assert other.forces[1] is mech.forces[1]
    assert other.joints[0] is not mech.joints[0]
    first, second = variant(mech, {"cord.length": 0.4}).lower(), variant(mech, {"cord.length": 0.2}).lower()
    assert all(a is b for a, b in zip(first.rows, second.rows, strict=True))
    assert first.rows


def test_gravity_by_a_formula_stays_one() -> None:
    mech = lw.Mechanism.from_dict(
        {"parameters": {"g": 9.81}, "gravity": [0, 0, "-g"], "bodies": [{"name": "ball", "mass": 1.0}]}
    )
    other = variant(mech, {"ball.mass": 2.0})
    assert other.to_dict()["gravity"] == [0.0, 0.0, "-g"]
    assert variant(other, {"g": 1.6}).gravity == (0.0, 0.0, -1.6)


def test_a_variant_stands_alone() -> None:
    mech = arm()
    other = variant(mech, {"L": 0.5})
    before = found(lambda: other)
    mech.change("upper", mass=9.0)
    mech.parameter("extra", 1.0)
    assert found(lambda: other) == before
    assert found(lambda: pickle.loads(pickle.dumps(other))) == before == found(lambda: copy.deepcopy(other))
    other.change("upper", mass=3.0)
    assert mech.element("upper").mass == 9.0


def bar() -> lw.Mechanism:
    mech = lw.Mechanism("bar")
    mech.parameter("k", 3.0)
    mech.input("wind", 0.5)
    mech.body("rod", shape={"type": "box", "size": [0.1, 0.2, 0.3], "density": 1000.0}, position=[0, 0, 1])
    mech.body("bob", mass=2.0, inertia=[[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]], velocity=[0, 0, 0])
    mech.joint("hinge", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    mech.force("coil", "torsion", joint="hinge", stiffness="k")
    return mech


@pytest.mark.parametrize(
    ("names", "keys"),
    [
        (["k"], ("parameters", "k", "value")),
        (["wind", "input.wind"], ("inputs", "wind", "default")),
        (["gravity.z", "gravity.2", "gravity[2]"], ("gravity", 2)),
        (["rod.position.z", "rod.position.2", "rod.position[2]"], ("bodies", 0, "position", 2)),
        (["bob.inertia[0][1]", "bob.inertia.0.1", "bob.inertia[0].y"], ("bodies", 1, "inertia", 0, 1)),
        (["bob.inertia[1][0]"], ("bodies", 1, "inertia", 1, 0)),
        (["rod.shape.size.y", "rod.shape.size[1]"], ("bodies", 0, "shape", "size", 1)),
    ],
)
def test_a_number_has_the_same_names_wherever_it_is_asked_for(names: list[str], keys: tuple[Any, ...]) -> None:
    mech = bar()
    for name in names:
        assert keys_of(mech, name) == keys
        (number,) = numbers_of(mech, name)
        assert number.path == keys
        assert number.moved(0.25).to_dict() == variant(mech, {name: number.value + 0.25}).to_dict()
    if len(names) > 1:
        with pytest.raises(UsageError, match="are one number"):
            need_numbers(mech, names[:2])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rod.mass", "name 'rod.shape.density'"),
        ("rod.inertia.x", "name 'rod.shape.density'"),
        ("rod.density", "did you mean 'rod.shape.density'"),
        ("rod.position", "Say which: rod.position.x to .z"),
        ("bob.inertia", r"Say which: bob.inertia\[0\]\[0\] to \[2\]\[2\]"),
        ("rod.shape", "Say which: rod.shape.density, rod.shape.size.x to .z"),
        ("gravity", "Say which: gravity.x to .z"),
        ("gravity.7", "gives no number 'gravity.7'"),
        ("rod.velocity.z", "'rod.velocity.z' is left out of the description"),
        ("hinge.first", "gives no number 'hinge.first'"),
        ("rod.position.z.z", "gives no number"),
        ("rod.position[-1]", "gives no number"),
        ("gravity.", "gives no number"),
        ("nothing", "It gives k, input.wind, gravity.x to .z, rod.shape"),
    ],
)
def test_what_can_take_no_number_is_refused_before_anything_runs(name: str, words: str) -> None:
    mech = bar()
    how = {"t_end": 0.01, "step": 1e-3, "formulation": "canonical", "integrator": "rk4"}
    with pytest.raises(UsageError, match=words):
        lw.sweep(mech, {name: [1.0, 2.0]}, keep="energy", **how)
    with pytest.raises(UsageError, match=words):
        lw.compile(mech, formulation="canonical").run(0.01, 1e-3, parameters={name: 1.0})
    assert mech.to_dict() == bar().to_dict()


def test_what_stands_at_its_usual_value_is_a_number_too() -> None:
    mech = bar()
    (number,) = numbers_of(mech, "coil.damping")
    assert number.value == 0.0
    assert number.moved(0.5).to_dict() == variant(mech, {"coil.damping": 0.5}).to_dict()
    found = lw.sensitivities(
        mech, 0.1, 1e-2, "canonical", "rk4", of="rod.position", to=["coil.damping", "rod.shape.density"]
    )
    one, other = (
        lw.simulate(variant(mech, {"coil.damping": d}), 0.1, 1e-2, "canonical", "rk4").position("rod")
        for d in (1e-4, 0)
    )
    assert found.to == ("coil.damping", "rod.shape.density")
    np.testing.assert_allclose(found["rod.position", "coil.damping"], (one - other) / 1e-4, atol=2e-5)


def test_a_product_of_inertia_stands_on_both_sides_of_the_diagonal() -> None:
    mech = bar()
    other = variant(mech, {"bob.inertia[1][2]": 0.2})
    assert other.element("bob").inertia == ((1.0, 0.1, 0.0), (0.1, 1.0, 0.2), (0.0, 0.2, 1.0))
    with pytest.raises(UsageError, match="are one number"):
        need_numbers(mech, ["bob.inertia[1][2]", "bob.inertia[2][1]"])
    six = [f"bob.inertia[{i}][{j}]" for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))]
    assert [one.name for one in numbers_of(mech, "bob.inertia")] == six


def test_the_name_that_is_wrong_is_blamed_and_no_other() -> None:
    mech = lw.Mechanism.from_dict(bar().to_dict() | {"parameters": {"m": 1.5}})
    mech.body("weight", mass="m", inertia=[1, 1, 1], position=[0, 0, -2])
    need_numbers(mech, ["weight.mass"])
    for wrong in ("hinge.first", "weight.name"):
        for names in (["weight.mass", wrong], [wrong, "weight.mass"]):
            with pytest.raises(UsageError, match=f"gives no number '{wrong}'"):
                need_numbers(mech, names)


def test_elements_whose_names_look_like_numbers_of_others() -> None:
    mech = lw.Mechanism("names")
    for name in ("rod", "rod.1", "rod[0]"):
        mech.body(name, mass=1.0, inertia=[1.0, 1.0, 1.0], position=[0.0, 0.0, 0.0])
    for k, name in enumerate(("rod.mass", "rod.1.mass", "rod[0].mass")):
        assert keys_of(mech, name) == ("bodies", k, "mass")
    found = numbers_of(mech, ["rod[0].position.y", "rod.1.mass", "rod.mass"])
    assert [one.path for one in found] == [("bodies", 2, "position", 1), ("bodies", 1, "mass"), ("bodies", 0, "mass")]
    assert [keys_of(mech, name) for name in ("rod", "rods.mass", "ro.mass", "rod.1", ".mass")] == [None] * 5
