"""Runs with other numbers of drivers, couplings and formulas of forces, which are written: as those that are read
anew, with nothing read, lowered as a whole or compiled again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mechanism_generator import mechanism_with_elements
from mechanism_generator_couplings import mechanism_with_couplings
from unit.same_runs import the_same
from unit.test_lengths import tried
from unit.test_row_codes import read

import linkwork as lw
from linkwork.errors import ModelError
from linkwork.mechanism.number_names import given_fields
from linkwork.run.copied import described_number
from linkwork.run.starting import prepare
from linkwork.run.written import said_of

SPAN = 0.004, 1e-3
X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]


def placed(point: list[float], axis: list[int]) -> dict[str, Any]:
    return {"point": point, "axis": axis}


def shaker() -> lw.Mechanism:
    """A table that a driver shakes, with a pendulum on it, a motor with a formula of the state, a gear, and a cosine
    that runs as an angle."""
    data: dict[str, Any] = {
        "linkwork": 1,
        "name": "shaker",
        "parameters": {"a": {"value": 0.02, "max": 0.0201}, "w": 12.0, "k": 3.0, "n": 2.0},
        "tables": {"drag": {"x": [-2.0, 0.0, 2.0], "y": [-0.2, 0.0, 0.1]}},
        "bodies": [
            {"name": "table", "mass": 2.0, "inertia": [0.1, 0.1, 0.1]},
            {"name": "bob", "mass": 0.5, "inertia": [0.01, 0.01, 0.01], "position": [0, 0, -0.3]},
            {"name": "wheel", "mass": 0.5, "inertia": [0.01, 0.02, 0.01], "position": [0.4, 0, -0.3]},
            {"name": "fan", "mass": 0.2, "inertia": [0.01, 0.01, 0.01], "position": [0, 1, 0]},
        ],
        "joints": [
            {"name": "guide", "type": "translational", "first": "ground", "second": "table"} | placed([0, 0, 0], X),
            {"name": "hinge", "type": "revolute", "first": "table", "second": "bob"} | placed([0, 0, 0], Y),
            {"name": "axle", "type": "revolute", "first": "table", "second": "wheel"} | placed([0.4, 0, -0.3], Y),
            {"name": "mast", "type": "revolute", "first": "ground", "second": "fan"} | placed([0, 1, 0], Z),
        ],
        "constraints": [
            {
                "name": "turned", "type": "DP1", "body_i": "ground", "body_j": "fan",
                "a_i": [1, 0, 0], "a_j": [1, 0, 0], "f": "cos(w*t/n)",
            }
        ],
        "drivers": [{"name": "shake", "joint": "guide", "f": "a*sin(w*t) + step(t, 0.0015, 0.003)/100*n"}],
        "couplings": [{"name": "gear", "type": "gear", "joint": "hinge", "joint2": "axle", "ratio": 1.5}],
        "forces": [
            {
                "name": "motor", "type": "motor", "joint": "hinge",
                "effort": "k*(0.2 - angle('hinge')) - 0.1*rate('hinge') - table('drag', rate('axle'))",
                "limit": 1.25,
            }
        ],
        "sensors": {"tip": "k*position('bob', 'x', [0, 0, -0.1])"},
    }  # fmt: skip
    return lw.Mechanism.from_dict(data)


WAYS = {
    "an amplitude, up to its largest": {"a": 0.02},
    "a frequency, of an angle that stands for a cosine too": {"w": 12.0},
    "the height of a ramp, and a factor in a cosine": {"n": 2.0},
    "a gain": {"k": 3.0},
    "a ratio": {"gear.ratio": 1.5},
    "a ratio and a length": {"gear.ratio": 1.5, "axle.point.z": -0.3},
    "a limit": {"motor.limit": 1.25},
    "a body that a formula measures": {"bob.position.z": -0.3},
    "an amplitude and a mass": {"a": 0.02, "bob.mass": 0.5},
}


def off(told: dict[str, float], share: float) -> dict[str, float]:
    return {name: value * (1.0 + share) for name, value in told.items()}


@pytest.mark.parametrize("formulation", ["rA", "canonical"])
@pytest.mark.parametrize("way", WAYS)
def test_these_are_written(way: str, formulation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mech, told = shaker(), WAYS[way]
    model = lw.compile(mech, formulation, accept_changes=True)
    model.run(*SPAN, parameters=off(told, 1e-5))
    wanted = {
        share: lw.simulate(read(mech, off(told, share)), *SPAN, formulation, accept_changes=True)
        for share in (1e-6, 0.004, -0.05)
    }
    with monkeypatch.context() as patched:
        patched.setattr("linkwork.run.model.variant", lambda *_: pytest.fail("the mechanism is read anew"))
        patched.setattr("linkwork.run.model.simulate", lambda *_, **__: pytest.fail("a run is built"))
        found = {share: model.run(*SPAN, parameters=off(told, share)) for share in wanted}
    for share, one in found.items():
        the_same(one, wanted[share])


@pytest.mark.parametrize("formulation", ["rA", "rp", "lie-mixed", "range-space", "canonical", "articulated-body"])
def test_what_was_run_before_leaves_nothing_behind(formulation: str) -> None:
    mech, model = shaker(), lw.compile(shaker(), formulation, accept_changes=True)
    ways = [{"gear.ratio": 1.5, "axle.point.z": -0.3}, {"bob.position.z": -0.3}, {"k": 3.0, "bob.mass": 0.5}]
    for share, way in ((1e-5, 0), (1e-6, 1), (2e-6, 1), (3e-6, 1), (1e-6, 0), (1e-3, 2), (4e-6, 1)):
        numbers = off(ways[way], share)
        wanted = lw.simulate(read(mech, numbers), *SPAN, formulation, accept_changes=True)
        the_same(model.run(*SPAN, parameters=numbers), wanted)
    for placed in model.set_up(*SPAN).places._free:
        tables = [one for one in (*placed.tables, *placed.couplings) if one.size]
        assert not any(np.shares_memory(one, array) for one in tables for array in placed.held.arrays.values())


def test_a_number_beyond_its_largest_is_refused() -> None:
    model = lw.compile(shaker(), accept_changes=True)
    model.run(*SPAN, parameters={"a": 0.02005})
    with pytest.raises(ModelError, match="above its max"):
        model.run(*SPAN, parameters={"a": 0.03})


@pytest.mark.parametrize("win", [False, True])
def test_drivers_that_disagree_with_the_start_are_told_of_as_in_simulate(win: bool) -> None:
    data = shaker().to_dict()
    data["bodies"][0] |= {"velocity": [0.24, 0, 0], "angular_velocity": [0, 0, 0]}
    mech = lw.Mechanism.from_dict(data)
    how = {"accept_drivers": win}
    model = lw.compile(mech, **how)
    for share in (1e-9, 1e-3, 4e-3):
        numbers = off({"a": 0.02}, share)
        found = tried(lambda: model.run(*SPAN, parameters=numbers))  # noqa: B023
        wanted = tried(lambda: lw.simulate(read(mech, numbers), *SPAN, "rA", **how))  # noqa: B023
        if isinstance(wanted, str):
            assert found == wanted
        else:
            the_same(found, wanted)
    assert ("DriverError" in str(wanted)) is not win


@pytest.mark.parametrize("make", [mechanism_with_elements, mechanism_with_couplings])
@pytest.mark.parametrize("seed", range(3))
def test_numbers_of_couplings_and_forces_start_as_those_that_are_read_anew(make: Any, seed: int) -> None:
    from linkwork.run.lengths import lengths

    mech = make(100 + seed)
    owners = {one.name for one in (*mech.couplings, *mech.forces)}
    written = asked = 0
    for field in given_fields(mech):
        for name in field[:2]:
            base = described_number(mech, name)
            if base in (None, 0.0) or not any(name.startswith(f"{owner}.") for owner in owners):
                continue
            numbers = {name: base * (1.0 + 1e-5)}
            known, asked = lengths(mech, (name,), (True, True)), asked + 1
            found = None if known is None else known.start(numbers)
            if found is not None:
                wanted = prepare(read(mech, numbers), dynamics=True, accept_drivers=True, accept_changes=True)
                assert said_of(found.compiled) == said_of(wanted.compiled)
                written += 1
    assert written > 0.9 * asked
