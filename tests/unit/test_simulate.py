"""linkwork.simulate as a caller sees it: samples, files, progress, interruption, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import linkwork as lw
from linkwork.errors import (
    AssemblyError,
    DriverError,
    IncompatiblePairError,
    MissingMassError,
    ModelError,
    OutputExistsError,
    RunInterruptedError,
    UsageError,
)

STORED = (
    "time",
    "position",
    "rotation",
    "velocity",
    "angular_velocity",
    "acceleration",
    "angular_acceleration",
    "multiplier",
    "iterations",
)
DERIVED = ("reaction_force", "reaction_torque", "kinetic_energy", "potential_energy", "power", "position_violation")


def pendulum() -> lw.Mechanism:
    return lw.load("kissel2021_double_pendulum")


def assert_same_bits(one: lw.Result, two: lw.Result, names=STORED + DERIVED) -> None:
    for name in names:
        assert_array_equal(one[name], two[name], err_msg=name)


def test_samples_are_at_every_step_from_the_start_on():
    result = lw.simulate(pendulum(), 0.5, 1e-2, "rA")
    assert_allclose(result.time, 1e-2 * np.arange(51), rtol=1e-15)
    assert result["position"].shape == (51, 2, 3)
    assert result.success
    start = pendulum().lower().bodies
    for k, body in enumerate(start):
        assert_allclose(result["position"][0, k], body.position, atol=1e-12)
        assert_allclose(result["rotation"][0, k], body.rotation, atol=1e-12)
    assert result["iterations"][0] == 0
    assert np.all(result["iterations"][1:] >= 1)


def test_the_start_sample_has_the_accelerations_of_the_equations_of_motion():
    """Level bar from rest: the double pendulum's own two-angle equations at t = 0 (solved by hand, bar 2 hangs).

    With b = 0, a = pi/2 and no motion: (I1 + m1 l1^2/4 + m2 l1^2) a'' = -(m1/2 + m2) g l1, b'' = 0.
    """
    result = lw.simulate(pendulum(), 0.01, 0.01, "rA")
    inertia = 78 * (0.05**2 + 16) / 12 + 78 * 4 + 39 * 16
    turn = -(78 / 2 + 39) * 9.81 * 4 / inertia
    assert_allclose(result.acceleration("bar 1")[0], [0, 0, 2 * turn], atol=1e-10)
    assert_allclose(result.acceleration("bar 2")[0], [0, 0, 4 * turn], atol=1e-10)
    assert_allclose(result.angular_acceleration("bar 2")[0], 0, atol=1e-10)


@pytest.mark.parametrize("every", [1, 3, 7, 100])
def test_every_thins_the_samples_and_changes_nothing_else(every):
    whole = lw.simulate(pendulum(), 0.5, 1e-3, "rA")
    thinned = lw.simulate(pendulum(), 0.5, 1e-3, "rA", every=every)
    assert len(thinned.time) == 500 // every + 1
    for name in STORED + DERIVED:
        assert_array_equal(thinned[name], whole[name][::every][: len(thinned.time)], err_msg=name)
    assert thinned.info["steps"] == 500


@pytest.mark.parametrize("formulation", ["rA", "rp", "re"])
def test_a_streamed_result_is_the_one_in_memory(tmp_path, formulation):
    path = tmp_path / "run.nc"
    streamed = lw.simulate(lw.load("spatial_slider_crank_spring"), 1.0, 1e-3, formulation, out=path)
    in_memory = lw.simulate(lw.load("spatial_slider_crank_spring"), 1.0, 1e-3, formulation)
    assert_same_bits(streamed, in_memory)
    opened = lw.open_result(path)
    assert_same_bits(opened, in_memory)
    assert opened.success
    assert opened.messages == in_memory.messages
    with pytest.raises(OutputExistsError, match=r"run\.nc"):
        lw.simulate(pendulum(), 0.1, 1e-2, "rA", out=path)
    lw.simulate(pendulum(), 0.1, 1e-2, "rA", out=path, force=True)
    assert len(lw.open_result(path).time) == 11


def test_a_run_that_cannot_start_leaves_no_file(tmp_path):
    m = pendulum()
    m.change("bar 1", shape=None)
    with pytest.raises(MissingMassError):
        lw.simulate(m, 0.1, 1e-2, "rA", out=tmp_path / "run.nc")
    assert list(tmp_path.iterdir()) == []


def test_t_end_between_steps_is_passed_and_said():
    result = lw.simulate(pendulum(), 0.25, 0.1, "rA")
    assert_allclose(result.time, [0, 0.1, 0.2, 0.3], rtol=1e-15)
    assert any("whole number of steps" in message for message in result.messages)
    result = lw.simulate(pendulum(), 0.3, 0.1, "rA")  # 0.3 / 0.1 is not 3 in floating point
    assert len(result.time) == 4
    assert not any("whole number" in message for message in result.messages)
    assert len(lw.simulate(pendulum(), 0.01, 0.1, "rA").time) == 2


def test_the_mechanisms_hints_are_used():
    result = lw.simulate(lw.load("planar_four_bar"), formulation="rA")
    assert (result.time[-1], len(result.time)) == (2.0, 2001)
    m = lw.Mechanism("no hints")
    m.body("a", mass=1.0, inertia=[1, 1, 1])
    with pytest.raises(UsageError, match="t_end"):
        lw.simulate(m, formulation="rA")
    with pytest.raises(UsageError, match="step"):
        lw.simulate(m, 1.0, formulation="rA")


@pytest.mark.parametrize("formulation", ["rA", "rp", "re"])
def test_the_same_input_gives_the_same_bits(formulation):
    one, two = (lw.simulate(lw.load("kissel2021_slider_crank"), 0.3, 1e-3, formulation) for _ in range(2))
    assert_same_bits(one, two)


def test_how_a_run_is_cut_into_chunks_does_not_show():
    """Progress calls mark the chunks; their sizes depend on the clock, results must not."""
    calls = []
    quick = lw.simulate(pendulum(), 2.0, 1e-4, "rA", every=50)

    def slow(t, t_end):
        calls.append(t)

    watched = lw.simulate(pendulum(), 2.0, 1e-4, "rA", every=50, progress=slow)
    assert_same_bits(quick, watched)
    assert calls == sorted(calls)
    assert calls[-1] == pytest.approx(2.0)


@pytest.mark.parametrize("to_file", [False, True])
def test_ctrl_c_keeps_what_was_computed(tmp_path, to_file):
    path = tmp_path / "run.nc" if to_file else None
    reached = []

    def progress(t, t_end):
        assert t_end == 1e5
        reached.append(t)
        if t > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(RunInterruptedError, match="interrupted") as caught:
        lw.simulate(pendulum(), 1e5, 1e-4, "rA", every=10, out=path, progress=progress)
    assert caught.value.exit_status == 130
    result = caught.value.result
    assert result.time[-1] == pytest.approx(reached[-1], abs=1.1e-3)
    assert not result.success
    t_end = float(result.time[-1])
    whole = lw.simulate(pendulum(), t_end, 1e-4, "rA", every=10)
    assert_same_bits(result, whole)
    if path is not None:
        kept = lw.open_result(path)
        assert not kept.success
        assert_same_bits(kept, whole)


@pytest.mark.parametrize("call", [lw.simulate, lw.kinematics])
def test_progress_that_is_no_function_is_refused(call):
    with pytest.raises(UsageError, match="progress is a function"):
        call(pendulum(), 0.5, 1e-2, progress=True)


def test_an_error_in_progress_is_not_swallowed_and_leaves_no_half_file(tmp_path):
    def progress(t, t_end):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        lw.simulate(pendulum(), 0.5, 1e-2, "rA", progress=progress)


@pytest.mark.parametrize(
    ("bad", "error", "says"),
    [
        ({"step": 0.0}, UsageError, "step"),
        ({"step": float("nan")}, UsageError, "step"),
        ({"step": "fast"}, UsageError, "step"),
        ({"t_end": -1.0}, UsageError, "t_end"),
        ({"t_end": float("inf")}, UsageError, "t_end"),
        ({"t_end": True}, UsageError, "t_end"),
        ({"t_end": 1e9, "step": 1e-6}, UsageError, "too many"),
        ({"every": 0}, UsageError, "every"),
        ({"every": 1.5}, UsageError, "every"),
        ({"every": True}, UsageError, "every"),
        ({"newton": "frosen"}, UsageError, "newton|frosen"),
        ({"formulation": "rB"}, UsageError, "rB"),
        ({"integrator": "rk5"}, UsageError, "rk5"),
        ({"tolerance": -1.0}, UsageError, "tolerance"),
        ({"tolerance": "tight"}, UsageError, "tolerance"),
        ({"position_tolerance": 0.0}, UsageError, "position_tolerance"),
        ({"tolerance": 1e-3, "position_tolerance": 1e-9}, UsageError, "both"),
        ({"max_iterations": 0}, UsageError, "max_iterations"),
        ({"max_iterations": 2.5}, UsageError, "max_iterations"),
        ({"mech": "pendulum.json"}, UsageError, "Mechanism"),
        ({"mech": None}, UsageError, "Mechanism"),
    ],
    ids=str,
)
def test_arguments_without_sense_are_refused(bad, error, says):
    with pytest.raises(error, match=says) as caught:
        lw.simulate(**({"mech": pendulum(), "t_end": 1.0, "step": 0.1} | bad))
    assert caught.value.exit_status == 2


def test_an_integrator_that_does_not_fit_is_refused_with_those_that_do():
    from linkwork.integrators import INTEGRATORS

    assert "implicit-euler" in dict(INTEGRATORS.items())
    assert issubclass(IncompatiblePairError, UsageError)


def test_a_mechanism_without_bodies_is_refused():
    with pytest.raises((UsageError, ModelError), match="no bodies"):
        lw.simulate(lw.Mechanism("empty"), 1.0, 0.1, "rA")


def test_missing_masses_are_named_all_together():
    m = lw.load("planar_four_bar")
    m.change("crank", shape=None)
    m.change("rocker", shape=None, mass=1.0)
    with pytest.raises(MissingMassError, match="crank") as caught:
        lw.simulate(m, 0.1, 1e-2, "rA")
    assert "'rocker'" in caught.value.message
    assert "'coupler'" not in caught.value.message
    assert caught.value.exit_status == 3


@pytest.mark.parametrize(
    ("f", "differs"), [("2*pi*t + 0.3", "value"), ("pi*t", "rate"), ("-2*pi*t", "rate")], ids=["value", "rate", "sense"]
)
def test_a_driver_that_contradicts_the_start_state_is_refused_unless_accepted(f, differs):
    m = lw.load("planar_four_bar")
    m.change("motor", f=f)
    with pytest.raises(DriverError, match="motor") as caught:
        lw.simulate(m, 0.1, 1e-3, "rA")
    assert "accept_drivers" in caught.value.remedy
    result = lw.simulate(m, 0.1, 1e-3, "rA", accept_drivers=True)
    assert any("motor" in message for message in result.messages)
    crank = result.rotation("crank")
    start = np.pi / 3
    angle = np.unwrap(np.arctan2(crank[:, 2, 0], crank[:, 0, 0])) - start
    wanted = {
        "2*pi*t + 0.3": 2 * np.pi * result.time + 0.3,
        "pi*t": np.pi * result.time,
        "-2*pi*t": -2 * np.pi * result.time,
    }
    assert_allclose(angle, wanted[f], atol=1e-9)


def test_a_mechanism_that_cannot_be_assembled_is_refused_with_its_rows():
    m = lw.load("planar_four_bar")
    m.joint("impossible", "rod", "ground", "coupler", point=(5, 0, 0), point2=(0.3, 0, 0.3), length=0.1)
    with pytest.raises(AssemblyError, match="impossible") as caught:
        lw.simulate(m, 0.1, 1e-3, "rA")
    assert caught.value.exit_status == 4


def test_what_assembly_moved_is_said():
    m = pendulum()
    m.change("bar 2", velocity=(0, 0, 1.0))
    result = lw.simulate(m, 0.1, 1e-2, "rA", accept_changes=True)
    assert any("assembly" in message and "bar 2" in message for message in result.messages)
    assert result.info["assembly"]["velocity_change"]["body"] == "bar 2"
    assert result["velocity_violation"][0] < 1e-12


def test_provenance_says_how_the_run_was_made():
    result = lw.simulate(pendulum(), 0.1, 1e-2, "rp", newton="full", every=2)
    expected = {
        "analysis": "dynamics",
        "formulation": "rp",
        "integrator": "generalized-alpha",
        "step": 1e-2,
        "t_end": 0.1,
        "newton": "full",
        "every": 2,
        "steps": 10,
        "linkwork_version": lw.__version__,
        "model": "kissel2021 double pendulum",
    }
    for key, value in expected.items():
        assert result.info[key] == value, key
    assert result.info["iterations"] >= 10
    assert result.info["factorizations"] >= 10
    assert lw.Mechanism.from_dict(__import__("json").loads(result.mechanism_document)).name == result.info["model"]


@pytest.mark.parametrize(
    "call",
    [
        lambda mech: lw.simulate(mech, 0.1, 1e-2, "rA", force=True),
        lambda mech: lw.simulate(mech, 0.1, 1e-2, "rA", samples=lw.Samples(force=True)),
        lambda mech: lw.kinematics(lw.load("planar_four_bar"), 0.1, 1e-2, force=True),
        lambda mech: lw.plan(mech, 0.1, accuracy=1e-4, force=True).run(),
    ],
)
def test_leave_to_replace_a_file_where_none_is_written_is_refused(call: Any) -> None:
    """It was taken without a word."""
    with pytest.raises(UsageError, match="force replaces a file, and no file is written"):
        call(pendulum())
