"""Runs with other lengths, which are written into flat mechanisms and tables: as those that are read anew."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from unit.same_runs import the_same
from unit.test_row_codes import read

import linkwork as lw
from linkwork.errors import LinkworkError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.mechanism.variants import variant
from linkwork.run.lengths import Lengths, lengths
from linkwork.run.starting import flat, prepare
from linkwork.run.written import said_of
from linkwork.system import CompiledMechanism, compile_mechanism

CRANK, PIN = "kissel2021_slider_crank", "crank pin.on_first.point.y"
SPAN = 0.003, 1e-3
ACCEPTED = {"accept_drivers": False, "accept_changes": True}


def with_local_points(mech: lw.Mechanism) -> lw.Mechanism:
    """The mechanism with joints' places on each body by itself, as numbers that can be changed."""
    data, told = mech.to_dict(), {joint.name: joint for joint in flat(mech).joints}
    for joint in data.get("joints", []):
        if joint["type"] not in ("spherical", "revolute", "cylindrical", "translational", "fixed"):
            continue
        for name in ("point", "axis", "x", "on_first", "on_second"):
            joint.pop(name, None)
        for name, marker in zip(("on_first", "on_second"), told[joint["name"]].markers or (), strict=True):
            joint[name] = {"point": list(marker.point)}
            if joint["type"] != "spherical":
                joint[name] |= {"axis": list(marker.z), "x": list(marker.x)}
    return lw.Mechanism.from_dict(data)


def names_of(mech: lw.Mechanism) -> Iterator[str]:
    """Numbers of joints' places that are not zero."""
    for joint in mech.to_dict().get("joints", []):
        for side in ("on_first", "on_second"):
            for axis, value in zip("xyz", joint.get(side, {}).get("point", ()), strict=False):
                if value:
                    yield f"{joint['name']}.{side}.point.{axis}"


def tried(run: Any, *args: Any, **how: Any) -> Any:
    try:
        return run(*args, **how)
    except LinkworkError as error:
        return f"{type(error).__name__}: {error}"


def of(mech: lw.Mechanism, *names: str) -> tuple[lw.Mechanism, Lengths | None]:
    return mech, lengths(mech, names, (False, True))


def known(mech: lw.Mechanism, *names: str) -> Lengths:
    found = of(mech, *names)[1]
    assert found is not None
    return found


def all_of(compiled: CompiledMechanism) -> tuple[Any, ...]:
    """Of a start: tables and state, bit by bit."""
    return said_of(compiled), np.asarray(compiled.squares).tobytes()


@pytest.mark.parametrize("seed", range(40))
def test_random_mechanisms_have_the_start_of_those_that_are_read_anew(seed: int) -> None:
    mech = with_local_points(random_mechanism(seed))
    names = list(names_of(mech))
    if not names:
        pytest.skip("all points are zero")
    rng = np.random.default_rng(seed)
    chosen = tuple(rng.choice(names, size=min(2, len(names)), replace=False).tolist())
    lengths_of = lengths(mech, chosen, (False, True))
    if lengths_of is None:
        pytest.skip("more than lengths hangs on these")
    for off in (1e-9, 1e-4, 0.02):
        data = mech.to_dict()
        values = {name: number_in(data, name) * (1.0 + off * rng.uniform(0.5, 1.0)) for name in chosen}
        wanted, found = tried(prepare, read(mech, values), dynamics=True, **ACCEPTED), lengths_of.start(values)
        if isinstance(wanted, str):
            assert found is None
        else:
            assert found is not None
            assert all_of(found.compiled) == all_of(wanted.compiled)
            assert (found.messages, found.changes) == (wanted.messages, wanted.changes)


def number_in(data: dict[str, Any], name: str) -> float:
    joint, side, _, axis = name.rsplit(".", 3)
    one = next(one for one in data["joints"] if one["name"] == joint)
    return float(one[side]["point"]["xyz".index(axis)])


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_runs_as_one_that_is_read_anew(formulation: str) -> None:
    mech = lw.load(CRANK)
    model = lw.compile(mech, formulation, accept_changes=True)
    for k in range(26):  # from the 24th on by compiled code
        model.run(*SPAN, parameters={PIN: 0.08 + 1e-5 * k})
    for value in (0.081, 0.0823, 0.07):
        found = model.run(*SPAN, parameters={PIN: value})
        the_same(found, lw.simulate(read(mech, {PIN: value}), *SPAN, formulation, accept_changes=True))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_random_mechanisms_run_as_those_that_are_read_anew(formulation: str) -> None:
    done = 0
    for seed in range(60, 80):
        mech = with_local_points(random_mechanism(seed))
        names = tuple(names_of(mech))[:1]
        if not names or lengths(mech, names, (False, True)) is None:
            continue
        model = tried(lw.compile, mech, formulation, accept_changes=True)
        if isinstance(model, str):
            continue
        values = {name: number_in(mech.to_dict(), name) * 1.003 for name in names}
        found = tried(model.run, *SPAN, parameters=values)
        wanted = tried(lw.simulate, read(mech, values), *SPAN, formulation, accept_changes=True)
        if isinstance(wanted, str) or isinstance(found, str):
            assert found == wanted
        else:
            the_same(found, wanted)
            done += 1
        if done == 3:
            break
    assert done


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_masses_beside_lengths(formulation: str) -> None:
    mech = lw.load(CRANK)
    model = lw.compile(mech, formulation, accept_changes=True)
    for k in range(25):
        model.run(*SPAN, parameters={PIN: 0.08 + 1e-5 * k, "slider.mass": 1.0 + 0.1 * k})
    for value, mass in ((0.081, 0.3), (0.0823, 40.0), (0.07, 1e-9), (0.07, -1.0), (0.07, 0.0)):
        given = {PIN: value, "slider.mass": mass}
        found = tried(model.run, *SPAN, parameters=given)
        wanted = tried(lambda given: lw.simulate(read(mech, given), *SPAN, formulation, accept_changes=True), given)
        if isinstance(wanted, str) or isinstance(found, str):
            assert found == wanted
        else:
            the_same(found, wanted)
            np.testing.assert_array_equal(found.energy, wanted.energy)


def test_lengths_neither_lower_nor_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    model = lw.compile(lw.load(CRANK), accept_changes=True)
    wanted = [model.run(*SPAN, parameters={PIN: value})["position"] for value in (0.08, 0.081)]
    monkeypatch.setattr("linkwork.run.model.variant", None)
    monkeypatch.setattr("linkwork.run.starting.compile_mechanism", None)
    found = [model.run(*SPAN, parameters={PIN: value})["position"] for value in (0.08, 0.081)]
    np.testing.assert_array_equal(found, wanted)


def parametric() -> lw.Mechanism:
    mech = lw.Mechanism("crane", run={"t_end": 0.01, "step": 1e-3})
    mech.parameter("reach", 0.5, min=0.1, max=2.0)
    for name, x in (("boom", 0.25), ("hook", 0.5)):
        mech.body(name, mass=1.0, inertia=[0.02, 0.02, 0.02], position=[x, 0, 0])
    mech.joint("foot", "revolute", "ground", "boom", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint(
        "tip", "spherical", "boom", "hook", on_first={"point": ["reach/2", 0, 0]}, on_second={"point": [0, 0, 0]}
    )
    return mech


def test_formulas_of_parameters_are_lengths_and_keep_their_bounds() -> None:
    mech = parametric()
    found = known(mech, "reach")
    made = found.compiled({"reach": 0.62})
    assert made is not None
    assert all_of(made) == all_of(compile_mechanism(variant(mech, {"reach": 0.62}).lower()))
    assert found.compiled({"reach": 2.1}) is None
    model = lw.compile(mech, accept_changes=True)
    model.run(parameters={"reach": 0.6})
    with pytest.raises(LinkworkError, match="reach"):
        model.run(parameters={"reach": 2.1})
    with pytest.raises(UsageError, match="reach"):
        model.run(parameters={"reech": 0.6})


def test_what_cannot_be_assembled_is_refused_in_the_same_words() -> None:
    mech, name = lw.load("planar_four_bar"), ""
    name = next(names_of(with_local_points(mech)))
    mech = with_local_points(mech)
    model = lw.compile(mech, accept_changes=True)
    model.run(*SPAN, parameters={name: number_in(mech.to_dict(), name) * 1.0001})
    values = {name: 50.0}
    wanted = tried(lw.simulate, read(mech, values), *SPAN, accept_changes=True)
    assert isinstance(wanted, str)
    assert tried(model.run, *SPAN, parameters=values) == wanted
    values = {name: 1e101}
    assert tried(model.run, *SPAN, parameters=values) == tried(read, mech, values)


def test_numbers_that_are_no_lengths_alone_are_left() -> None:
    crank = lw.load(CRANK)
    turned = known(crank, "crank.rotation[0][0]")  # which may be others by what is allowed of rotations, and no more
    assert turned.compiled({"crank.rotation[0][0]": 1.0 + 3e-7}) is not None
    assert turned.compiled({"crank.rotation[0][0]": 1.1}) is None
    assert of(crank, PIN, "driver.a_i.y")[1] is None
    found = known(crank, PIN)
    assert found.compiled({PIN: 0.0}) is None
    assert found.compiled({PIN: -0.08}) is not None


def test_what_is_left_leaves_lengths_as_they_are() -> None:
    """Numbers that are no lengths, asked for first, and what is kept with a mechanism."""
    model = lw.compile(lw.load(CRANK), accept_changes=True)
    model.run(*SPAN, parameters={"slider.inertia.z": 0.003})
    model.run(*SPAN, parameters={"crank.position.y": 0.001})
    found = model.run(*SPAN, parameters={PIN: 0.081})
    the_same(found, lw.simulate(read(lw.load(CRANK), {PIN: 0.081}), *SPAN, "rA", accept_changes=True))
