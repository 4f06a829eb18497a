"""Every kind of number goes into a compiled model of every formulation with the bits of a mechanism built with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from unit.same_runs import the_same

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.formulations import FORMULATIONS
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.mechanism.variants import variant
from linkwork.run.held import Held
from linkwork.run.starting import prepare

WAYS: tuple[tuple[str, str | None, dict[str, Any]], ...] = (
    *((name, None, {}) for name in FORMULATIONS),
    ("lie-mixed", "generalized-alpha", {}),
    ("rA", "radau5", {}),
    ("range-space", "rattle", {}),
    ("canonical", "implicit-midpoint", {}),
    ("rotation-matrix", None, {"elimination": "one-shot"}),
    ("rotation-matrix", None, {"elimination": "newton-euler"}),
    ("null-space", None, {"basis": "partition"}),
    ("null-space", None, {"basis": "graph"}),
)
EVERY = pytest.mark.parametrize("way", WAYS, ids=lambda way: " ".join(map(str, (way[0], way[1], *way[2].values()))))
SPAN = 0.005, 1e-3


def arm() -> lw.Mechanism:
    """A ball and a hinge, with all that forces have; the second body is heavier than the first."""
    found = lw.Mechanism.from_dict(
        {
            "name": "arm",
            "gravity": [0.0, 0.0, -9.81],
            "parameters": {"k": 30.0, "L": 0.4},
            "bodies": [
                {"name": "upper", "mass": 2.0, "inertia": [0.1, 0.12, 0.05], "position": [0, 0, "-L/2"],
                 "velocity": ["-L/2", 0, 0], "angular_velocity": [0.0, 1.0, 0.5]},
                {"name": "lower", "mass": 3.0, "inertia": [[0.1, 0.0, 0.01], [0.0, 0.2, 0.0], [0.01, 0.0, 0.15]],
                 "position": [0, 0, "-1.5*L"], "velocity": ["-1.5*L", 0, 0], "angular_velocity": [0.0, 1.0, 0.5]},
            ],
            "joints": [
                {"name": "shoulder", "type": "spherical", "first": "ground", "second": "upper",
                 "on_first": {"point": [0, 0, 0]}, "on_second": {"point": [0, 0, "L/2"]}},
                {"name": "elbow", "type": "revolute", "first": "upper", "second": "lower",
                 "on_first": {"point": [0, 0, "-L/2"], "axis": [0, 1, 0]},
                 "on_second": {"point": [0, 0, "L/2"], "axis": [0, 1, 0]}},
            ],
            "forces": [
                {"name": "spring", "type": "torsion", "joint": "elbow", "stiffness": "2*k", "damping": 0.1},
                {"name": "cord", "type": "spring", "first": "ground", "second": "lower",
                 "on_first": {"point": [1, 0, 0]}, "on_second": {"point": [0.1, 0, 0]},
                 "stiffness": 50.0, "length": 0.5},
                {"name": "load", "type": "force", "body": "lower", "components": [1.0, 0, 0], "point": [0, 0, 0.1]},
            ],
        }
    )  # fmt: skip
    return found


PLAIN: tuple[dict[str, float], ...] = (
    {"upper.mass": 1.5},
    {"upper.mass": 7.0},  # the heaviest now
    {"lower.mass": 0.1, "upper.mass": 1.9},
    {"upper.inertia.1": 0.13},
    {"lower.inertia.1.1": 0.22},
    {"k": 12.0},
    {"cord.stiffness": 20.0},
    {"cord.length": 0.3},
    {"load.components.x": -2.0},
    {"load.point.z": 0.2},
    {"gravity.z": -1.6},
    {"gravity.z": -20.0, "upper.mass": 1.5},
)
BUILT: tuple[dict[str, float], ...] = (
    {"L": 0.5},
    {"gravity.z": 3.0},  # of another sign than was tried
    {"gravity.z": 0.0},
    {"gravity.x": 2.0},
    {"upper.angular_velocity.y": 0.3},
    {"elbow.on_first.point.y": 0.02},
    {"upper.inertia.0": 1e-13},  # hardly any: other ways to solve
    {"upper.inertia.1": 0.9},  # as no real body has it: some refuse it
)


def tried(run: Callable[[], lw.Result]) -> lw.Result | str:
    """A run, or what it is refused with, in words."""
    try:
        return run()
    except LinkworkError as error:
        return f"{type(error).__name__}: {error}"


def both(model: lw.Model, mech: lw.Mechanism, way: Any, given: dict[str, float], state: Any = None) -> lw.Result | str:
    """Hold the model's run against a mechanism built with the numbers; returns what the latter came to."""
    formulation, integrator, options = way
    built = variant(mech, given)
    wanted = tried(lambda: lw.simulate(built, *SPAN, formulation, integrator, state=state, **options))
    found = tried(lambda: model.run(*SPAN, parameters=given, state=state))
    if isinstance(wanted, str) or isinstance(found, str):
        assert found == wanted
    else:
        the_same(found, wanted)
    return wanted


@EVERY
def test_masses_and_forces_build_nothing(way: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mech, (formulation, integrator, options) = arm(), way
    model = lw.compile(mech, formulation, integrator, **options)
    for given in PLAIN:
        model.run(*SPAN, parameters=given)
    with monkeypatch.context() as patched:
        patched.setattr(Held, "__init__", None)
        patched.setattr("linkwork.run.span.prepare", None)
        found = [model.run(*SPAN, parameters=given)["position"] for given in PLAIN]
    for given, position in zip(PLAIN, found, strict=True):
        wanted = both(model, mech, way, given)
        assert isinstance(wanted, lw.Result), wanted
        np.testing.assert_array_equal(position, wanted["position"])


@EVERY
def test_lengths_and_starts_have_the_bits_of_simulate(way: Any) -> None:
    mech, (formulation, integrator, options) = arm(), way
    model = lw.compile(mech, formulation, integrator, **options)
    for given in BUILT:
        both(model, mech, way, given)
    both(model, mech, way, {"upper.mass": 4.0}, {"elbow": (0.3, -1.0)})
    both(model, mech, way, {}, lw.simulate(mech, *SPAN, formulation, integrator, **options).state(2))


MOVED: tuple[dict[str, float], ...] = ({"L": 0.5}, {"gravity.z": -1.6}, {"upper.angular_velocity.y": 0.3})


@EVERY
def test_other_starts_and_lengths_build_no_problem(way: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    mech, (formulation, integrator, options) = arm(), way
    model = lw.compile(mech, formulation, integrator, accept_changes=True, **options)
    run = lw.simulate(mech, *SPAN, formulation, integrator, **options)
    states = [run.state(1), replace(run.state(3), time=run.time[1])]
    asked: list[dict[str, Any]] = [
        *({"parameters": given} for given in MOVED),
        {"state": states[0]},
        {"parameters": {"L": 0.45}, "state": {"elbow": (0.2, 0.1)}},
        {"state": {"elbow": (0.3, -1.0)}},
    ]
    for one in asked:
        model.run(*SPAN, **one)
    with monkeypatch.context() as patched:
        patched.setattr("linkwork.run.placing._new", None)
        patched.setattr("linkwork.run.span.started_run", None)
        found = [model.run(*SPAN, **one) for one in asked]
        found.append(model.run(*SPAN, state=states[1]))
    asked.append({"state": states[1]})
    for one, run in zip(asked, found, strict=True):
        there = variant(mech, one.get("parameters", {}))
        how = {"state": one.get("state"), "accept_changes": True, **options}
        the_same(run, lw.simulate(there, *SPAN, formulation, integrator, **how))


def test_numbers_that_decide_which_arrays_there_are_build_anew() -> None:
    mech = arm()
    model = lw.compile(mech, "rA")
    for y in (0.02, 0.03, 0.0):  # where it is zero, entries of the matrix are
        given = {"elbow.on_first.point.y": y, "elbow.on_second.point.y": y}
        the_same(model.run(*SPAN, parameters=given), lw.simulate(variant(mech, given), *SPAN, "rA"))


def test_a_problem_that_forgets_a_number_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    mech = arm()
    model = lw.compile(mech, "rA")
    with monkeypatch.context() as patched:
        patched.setattr(ImplicitRun, "set_start", lambda run, mechanism, tolerance: True)
        found = model.run(*SPAN, state={"elbow": 0.3})
    assert model.set_up(*SPAN)._true == {(): False}
    the_same(found, lw.simulate(mech, *SPAN, "rA", state={"elbow": 0.3}))


def geared() -> lw.Mechanism:
    """Two wheels that mesh, and a rotor."""
    mech = lw.Mechanism("geared", gravity=[0, 0, -9.81])
    for k, name in enumerate("ab"):
        spin = -2.0 * k or 1.0
        mech.body(name, mass=1.0 + k, inertia=[0.1, 0.2, 0.3], position=[k, 0, -0.2], angular_velocity=[0, spin, 0],
                  velocity=[-0.2 * spin, 0, 0])  # fmt: skip
        mech.joint(f"axle {name}", "revolute", "ground", name, point=[k, 0, 0], axis=[0, 1, 0])
    mech.coupling("mesh", "gear", joint="axle a", joint2="axle b", ratio=-0.5)
    mech.coupling("motor", "rotor", joint="axle a", inertia=0.01, ratio=4)
    return mech


@EVERY
def test_numbers_of_coupled_mechanisms_reach_every_table(way: Any) -> None:
    mech, (formulation, integrator, options) = geared(), way
    plain = tried(lambda: lw.simulate(mech, *SPAN, formulation, integrator, **options))
    if isinstance(plain, str):
        assert "coupling" in plain or "rotor" in plain, plain
        return
    model = lw.compile(mech, formulation, integrator, **options)
    for given in (
        {"a.mass": 3.0}, {"b.inertia.1": 0.9}, {"motor.inertia": 0.3}, {"a.mass": 2.0, "b.mass": 1.0},
        {"motor.ratio": 3.0}, {"motor.ratio": 2.0, "motor.inertia": 0.02}, {"gravity.z": -5.0},
    ):  # fmt: skip
        both(model, mech, way, given)
    assert all(model.set_up(*SPAN)._true.values())


def test_other_weights_of_a_slider_crank_in_loops() -> None:
    mech = lw.load("kissel2021_slider_crank")
    for way in (("canonical", None, {}), ("articulated-body", None, {}), ("rA", None, {}), ("augmented", None, {})):
        model = lw.compile(mech, way[0])
        for given in ({"slider.mass": 0.01}, {"crank.mass": 30.0, "connecting rod.inertia.2": 0.01}):
            both(model, mech, way, given)


def test_gravity_has_a_name() -> None:
    mech = arm()
    assert variant(mech, {"gravity.x": 1.0}).gravity == (1.0, 0.0, -9.81)
    assert prepare(variant(mech, {"gravity.z": 0.0}), dynamics=True).compiled.system.gravity[2] == 0.0


@pytest.mark.parametrize("formulation", ["rA", "canonical", "range-space"])
def test_numbers_that_are_too_small_are_refused_as_described_ones_are(formulation: str) -> None:
    mech = lw.load("spatial_slider_crank_spring")
    for told in ({"crank.mass": 1e-120}, {"crank.inertia.x": 1e-120}, {"crank.mass": 1e-120, "slider.mass": 1.0}):
        model = lw.compile(mech, formulation, accept_changes=True)
        model.run(0.003, 1e-3, parameters=dict.fromkeys(told, 0.1))
        with pytest.raises(LinkworkError, match="too small to be reckoned with"):
            model.run(0.003, 1e-3, parameters=told)
        beside = {"crank pin.on_first.point.y": 0.08, **told}
        with pytest.raises(LinkworkError, match="too small to be reckoned with"):
            model.run(0.003, 1e-3, parameters=beside)
