"""A mechanism with other numbers: what they touch alone is checked and lowered again, to what a whole reading gives."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from unit.test_model_numbers import arm, geared

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.mechanism.variants import known_names, variant
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
    names = [*known_names(mech), *(f"{body.name}.position.{axis}" for body in mech.bodies for axis in "xyz")]
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
