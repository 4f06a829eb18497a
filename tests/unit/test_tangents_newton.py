"""Tangents of implicit methods by recorded steps: values of the run to the last bit, tangents those of dual numbers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives import moving as moving_module
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.derivatives.tangent_run import Tangents
from linkwork.derivatives.tangents_newton import NewtonTangents
from linkwork.errors import UsageError
from linkwork.lanes.traced import shared_reactions, tangent_code
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.tangents import derivative_by_operand
from linkwork.run.recording import named
from linkwork.status import Status

MECHANISMS = Path(lw.__file__).parent / "mechanisms"
PENDULUM, CRANK = "kissel2021_double_pendulum", "spatial_slider_crank_spring"
TO = {
    PENDULUM: ["gravity[2]", "bar 1.shape.size[0]", "pivot.point[1]", "bar 2.angular_velocity[0]"],
    CRANK: ["slider.mass", "spring.stiffness", "connecting rod.inertia[1]"],
}


def moving_of(name: str, formulation: str, integrator: str, steps: int = 30, h: float = 1e-2, **options: Any) -> Moving:
    mech = lw.load(MECHANISMS / f"{name}.yaml")
    nominal = carried_out(mech, steps * h, h, formulation, integrator, None, options)
    return Moving(nominal, numbers_of(mech, TO[name]))


@pytest.mark.parametrize(("name", "integrator"), [(PENDULUM, "generalized-alpha"), (CRANK, "implicit-euler")])
def test_values_are_those_of_the_run_and_tangents_those_of_differences(name: str, integrator: str) -> None:
    """Differences of runs, which Newton's tolerance leaves with few digits."""
    mech, h, steps = lw.load(MECHANISMS / f"{name}.yaml"), 1e-2, 30
    to = TO[name][:2]
    found = lw.sensitivities(mech, steps * h, h, "rA", integrator, of=["position", "velocity"], to=to)
    assert found.same_bits
    assert found.way == "recorded steps"
    for number in numbers_of(mech, to):
        by = 1e-5 * abs(number.value)
        moved = (number.moved(x) for x in (by, -by))
        above, below = (lw.simulate(one, steps * h, h, "rA", integrator, accept_changes=True) for one in moved)
        for of in found.of:
            near = (above[of] - below[of]) / (2.0 * by)
            assert np.max(np.abs(found[of, number.name] - near)) <= 2e-6 * np.max(np.abs(near))


def test_many_numbers_take_several_passes_over_the_same_steps() -> None:
    """Nine numbers, the first twice: its tangents are those of a pass of its own."""
    mech = lw.load(MECHANISMS / f"{PENDULUM}.yaml")
    several = ["gravity", "bar 1.shape.size", "bar 2.shape.size", "gravity[2]"]
    nominal = carried_out(mech, 0.2, 1e-2, "rA", "implicit-euler", None, {})
    moving = Moving(nominal, numbers_of(mech, several))
    found = NewtonTangents(nominal.prepared(nominal.ready.compiled, 0), moving.starts).samples()
    assert found["motion"].shape[-1] == 1 + 10
    poses = found["motion"][:, :, :12]  # accelerations hold their rounding over h^2
    assert np.max(np.abs(poses[..., 10])) > 1e-3
    assert np.max(np.abs(poses[..., 3] - poses[..., 10])) <= 1e-12 * np.max(np.abs(poses[..., 3]))


def test_tangents_that_do_not_settle_are_left_to_dual_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tangent_code, "MOST", 1)
    moving = moving_of(PENDULUM, "rA", "implicit-euler", steps=4)
    with pytest.raises(NotTracedError, match="another course"):
        NewtonTangents(moving.nominal.prepared(moving.nominal.ready.compiled, 0), moving.starts).samples()


def test_what_is_not_recorded_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dual numbers go on, and a word says why they did."""
    monkeypatch.setattr(Moving, "dual_samples", lambda moving: {})
    monkeypatch.setattr(moving_module, "need_worth", lambda run: None)
    monkeypatch.setattr(shared_reactions, "LEAST_PIVOT", 2.0)
    mech = lw.load(MECHANISMS / "planar_four_bar.yaml")
    moving = Moving(carried_out(mech, 0.02, 1e-3, "rA", "implicit-euler", None, {}), numbers_of(mech, "gravity[2]"))
    assert moving.samples == {}
    assert "dual numbers" in moving.way
    assert "next to nothing" in moving.way


def test_slopes_of_operations() -> None:
    """Against complex steps, or differences where a function takes none."""
    functions: dict[str, Any] = {
        "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
        "max": max, "min": min, "atan2": math.atan2,
    }  # fmt: skip
    single: dict[str, Any] = {"neg": lambda a: -a, "abs": abs, "sqrt": math.sqrt, "exp": math.exp, "tan": math.tan}
    for a, b in ((0.7, 1.3), (1.4, 0.3)):
        for name, f in functions.items():
            for j, (da, db) in enumerate(((1e-6, 0.0), (0.0, 1e-6))):
                near = (f(a + da, b + db) - f(a - da, b - db)) / 2e-6
                assert derivative_by_operand(name, j, [a, b], f(a, b)) == pytest.approx(near, abs=1e-8)
        for name, f in single.items():
            near = (f(a + 1e-6) - f(a - 1e-6)) / 2e-6
            assert derivative_by_operand(name, 0, [a], f(a)) == pytest.approx(near, abs=1e-8)
    assert derivative_by_operand("abs", 0, [-1.0], 1.0) == -1.0
    with pytest.raises(NotTracedError, match="the derivative of"):
        derivative_by_operand("unknown", 0, [1.0], 1.0)


BY_DENSITY = ["bar 1.shape.density", "elbow.point[1]"]  # poses move with the latter, accelerations do not


@pytest.mark.parametrize(
    ("integrator", "h", "near"),
    [("generalized-alpha", 1e-4, 1e-6), ("generalized-alpha", 1e-5, 1e-6), ("implicit-euler", 1e-5, 3e-3)],
)
def test_small_steps_leave_tangents_of_positions_as_good_as_they_are(integrator: str, h: float, near: float) -> None:
    """Corrections are rounding over h^2 there, and shrink no more: of accelerations, not of positions. near : what the
    method's own error leaves."""
    mech = lw.load(MECHANISMS / f"{PENDULUM}.yaml")
    moving, exact = (
        Moving(carried_out(mech, 1000 * h, h, *pair, None, {}), numbers_of(mech, BY_DENSITY))
        for pair in (("rA", integrator), ("canonical", "rk4"))
    )
    wanted = exact.samples["motion"][-1, :, :3, 1:]
    for found in (moving.samples, moving.dual_samples()):
        off = found["motion"][-1, :, :3, 1:] - wanted
        assert np.max(np.abs(off)) <= near * np.max(np.abs(wanted))


@pytest.mark.parametrize(
    ("formulation", "integrator", "h"),
    [
        ("rA", "implicit-euler", 2e-4),
        ("lie-mixed", "generalized-alpha", 3e-4),
        ("rA", "generalized-alpha", 2e-4),  # samples of index-1 equations, whose pivots change on the way
    ],
)
def test_long_runs_by_small_steps_are_recorded(formulation: str, integrator: str, h: float) -> None:
    """Where accelerations' tangents are small beside those of positions; the adjoint says the same."""
    mech, of = lw.load(MECHANISMS / f"{PENDULUM}.yaml"), {"end": lw.Final("position")}
    tangent, adjoint = (
        lw.sensitivities(mech, 2.0, h, formulation, integrator, of=of, to=BY_DENSITY, mode=mode)
        for mode in ("tangent", "adjoint")
    )
    assert tangent.way == adjoint.way == "recorded steps"
    assert np.max(np.abs(tangent["end"] - adjoint["end"])) <= 1e-8 * np.max(np.abs(adjoint["end"]))


def test_tangents_that_do_not_settle_are_told_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    moving = moving_of(PENDULUM, "rA", "generalized-alpha")
    failed = Tangents(Status.NEWTON_DIVERGED, {})
    monkeypatch.setattr(moving_module, "tangent_run", lambda *_: failed)
    with pytest.raises(UsageError, match=r"tangents of rA \+ generalized-alpha do not settle.*Take a larger step"):
        moving.dual_samples()


@pytest.mark.parametrize(
    ("name", "formulation", "integrator", "h"),
    [
        (PENDULUM, "rA", "generalized-alpha", 1e-4),
        (CRANK, "rp", "implicit-euler", 1e-5),
        (PENDULUM, "lie-se3", "generalized-alpha", 1e-4),
    ],
)
def test_samples_of_index_1_equations_are_recorded(name: str, formulation: str, integrator: str, h: float) -> None:
    """At small steps accelerations and multipliers are those of equations that each sample solves; the start's are as
    they stand, perturbed or not. Of dual numbers rounding over h^2 is in the way."""
    moving = moving_of(name, formulation, integrator, h=h)
    assert moving.nominal.from_index_1 == 1
    recorded, dual, result = moving.samples, moving.dual_samples(), moving.nominal.result
    assert moving.way == "recorded steps"
    values = named({key: array[..., 0] for key, array in recorded.items()})
    for kind in ("time", "position", "rotation"):
        assert np.max(np.abs(values[kind] - result[kind])) <= 1e-15, kind
    for kind in ("velocity", "angular_velocity", "acceleration", "angular_acceleration", "multiplier"):
        assert np.max(np.abs(values[kind] - result[kind])) <= 1e-11 * np.max(np.abs(result[kind])), kind
    for a, b in ((recorded[key], dual[key]) for key in ("motion", "multiplier")):
        assert np.max(np.abs(a - b)[0]) <= 1e-11 * np.max(np.abs(b))
        assert np.max(np.abs(a - b)[..., 1:]) <= 2e-10 * np.max(np.abs(b[..., 1:]))  # rounding over h^2: 1.2e-10
