"""Where only the start and the end of runs are kept, nothing else is recorded, and every bit is that of all samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from unit.test_model_numbers import arm, geared

import linkwork as lw
from linkwork.lanes import runner
from linkwork.lanes.gpu.device import SIMULATED
from linkwork.sweeps import batch, ends, task
from linkwork.sweeps.kept import kept_of

STEPS = 53
HOW: dict[str, Any] = {"t_end": 1e-3 * STEPS, "step": 1e-3, "judge": False, "threads": 1, "accept_changes": True}
WAYS = (
    ("rA", "implicit-euler"), ("lie-mixed", "generalized-alpha"), ("canonical", "rk4"), ("articulated-body", "dop853"),
    ("lie-se3", "rk4"),
)  # fmt: skip
CARRIED = ({}, {"lanes": True}, {"gpu": True})


@pytest.fixture(autouse=True)
def _recorded_code_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "batch_of", lambda held: None)
    monkeypatch.setenv(SIMULATED, "1")


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Samples of each run that there was room for."""
    found: list[int] = []
    usual = batch.new_room

    def counted(held: Any, *taken: Any) -> Any:
        room = usual(held, *taken)
        found.append(len(room.time))
        return room

    monkeypatch.setattr("linkwork.sweeps.shards.new_room", counted)
    return found


@pytest.mark.parametrize("how", CARRIED, ids=str)
@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_what_is_kept_of_the_end_is_that_of_all_samples(
    formulation: str, integrator: str, how: dict[str, Any], recorded: list[int]
) -> None:
    of = {"formulation": formulation, "integrator": integrator, **HOW, **how}
    for mech, over, quantities in (
        (arm(), {"k": [10.0, 20.0, 5.0]}, ("lower.position", "velocity_violation", "elbow.reaction_torque", "t")),
        (lw.load("kissel2021_slider_crank"), {"crank.mass": [0.5, 2.0]}, ("energy", "slider.acceleration", "power")),
    ):
        recorded.clear()
        both = [f"{name}({one})" for name in ("start", "final") for one in quantities]
        found, whole = (lw.sweep(mech, over, keep=keep, **of) for keep in (both, quantities))
        assert [*dict.fromkeys(recorded)] == [2, STEPS + 1]
        assert not found.failed.size
        np.testing.assert_array_equal(found.time, whole.time)
        for one in quantities:
            np.testing.assert_array_equal(found[f"start({one})"], whole[one][:, 0], err_msg=one)
            np.testing.assert_array_equal(found[f"final({one})"], whole[one][:, -1], err_msg=one)


@pytest.mark.parametrize(
    ("mech", "over", "keep", "how"),
    [
        (arm(), "k", "final(elbow.angle)", {}),  # turns are counted
        (arm(), "k", "final(energy)", {}),  # as those of the spring
        (arm(), "k", "final(cord.force)", {}),
        (arm(), "k", "max(lower.position.x)", {}),
        (arm(), "k", ["final(lower.position.x)", "lower.position.x"], {}),
        (geared(), "a.mass", "final(kinetic_energy)", {}),  # of a coupling with a rotor
        (arm(), "k", "final(lower.position.x)", {"formulation": "range-space", "integrator": "rattle"}),
        (arm(), "k", "final(lower.position.x)", {"integrator": "radau5"}),
        (arm(), "k", "final(lower.position.x)", {"formulation": "canonical", "integrator": "dp54", "rtol": 1e-6}),
    ],
)
def test_what_needs_all_samples_has_them(
    mech: lw.Mechanism, over: str, keep: Any, how: dict[str, Any], recorded: list[int]
) -> None:
    lw.sweep(mech, {over: [1.0, 2.0]}, keep=keep, **{"formulation": "rA", **HOW, **how})
    assert set(recorded) == {STEPS + 1}


def test_formulas_of_ends_are_told_from_others() -> None:
    said = {
        "final(t)": True, "final(norm(lower.position)) - start(2*lower.position.x)": True, "pi*final(energy)": True,
        "max(energy)": False, "final(energy) - max(energy)": False, "final(energy)*t": False,
    }  # fmt: skip
    for text, only in said.items():
        (one,) = kept_of(arm(), {"it": text})
        assert ends.at_ends(one.tree) == only, text


@pytest.mark.parametrize("how", CARRIED, ids=str)
def test_a_run_that_is_not_finite_on_its_way_is_left_to_itself(how: dict[str, Any]) -> None:
    """A stiff spring makes Euler's method burst; its siblings go on."""
    over = {"cord.stiffness": [20.0, 1e9, 30.0]}
    of = {"formulation": "canonical", "integrator": "euler", **HOW, **how, "t_end": 0.4}
    found = lw.sweep(arm(), over, keep="final(lower.position)", **of)
    whole = lw.sweep(arm(), over, keep="lower.position", **of)
    np.testing.assert_array_equal(found.status, whole.status)
    assert found.errors == whole.errors
    assert found.status[1] != 0
    np.testing.assert_array_equal(found["final(lower.position)"], whole["lower.position"][:, -1])


def test_one_model_serves_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "_MODELS", {})
    judged = lw.sweep(arm(), {"k": [10.0, 20.0]}, keep="final(lower.position)", **{**HOW, "judge": True})
    plain = lw.sweep(arm(), {"k": [10.0, 20.0]}, keep="final(lower.position)", **HOW)
    assert len(judged.judged) == 2
    np.testing.assert_array_equal(judged["final(lower.position)"], plain["final(lower.position)"])
