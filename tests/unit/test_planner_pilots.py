"""Pilot runs of a plan: what they record, what is worked out of them, and what is handed over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.planner import pilots, wisdom
from linkwork.planner.pilots import PilotResult
from linkwork.run import recording


@pytest.fixture(autouse=True)
def unwise(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "wisdom.json")
    wisdom.forget()


def pilots_of(mech: lw.Mechanism, t_end: float) -> tuple[list[PilotResult], lw.Result]:
    """Those of a planned run that is kept with its mechanism, and the run."""
    made = lw.plan(mech, t_end, 0.01)
    result = made.run()
    found = [one.result for one in made.known[0].attempts]
    assert all(isinstance(one, PilotResult) for one in found)
    return found, result  # type: ignore[return-value]


@pytest.mark.parametrize("accuracy", [1e-4, {"reaction": 1e-1}])
def test_pilots_that_are_not_handed_over_are_not_completed(accuracy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    documents: list[Any] = []
    described = recording._document

    def noted(mechanism: lw.Mechanism) -> tuple[str, str]:
        documents.append(mechanism)
        return described(mechanism)

    monkeypatch.setattr(recording, "_document", noted)
    made = lw.plan(lw.load("gyroscope"), 3.0, 0.01, accuracy=accuracy)
    result = made.run()
    assert len(documents) == 1  # of what is handed over
    for one in (each.result for each in made.known[0].attempts):
        assert isinstance(one, PilotResult)
        assert one.unfinished
        assert one.info["steps"] > 0
        assert one.joints == result.joints
    best = made.known[0].found.best
    assert best is not None
    one = best.result
    assert isinstance(one, PilotResult)
    counts, steps = dict(one.info), one.info["steps"]
    assert "model_hash" not in counts
    assert set(one.variables) == set(result.variables)  # coordinates of joints, too
    assert one.info["model_hash"] == result.info["model_hash"]
    assert one.info["steps"] == steps == result.info["steps"]
    assert one.mechanism_document == result.mechanism_document
    np.testing.assert_array_equal(one["joint_coordinate"], result["joint_coordinate"][::2])


def test_stages_of_dense_output_are_counted_where_samples_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample of the gyroscope's pilots takes four evaluations, as most steps have one: the second of two, which is
    handed over in one plan of twelve, records half of them, the first one all."""
    recorded: list[bool] = []
    again: Callable[..., Any] = pilots.Pilots._again

    def noted(self: pilots.Pilots, *how: Any, whole: bool, **others: Any) -> Any:
        recorded.append(whole)
        return again(self, *how, whole=whole, **others)

    monkeypatch.setattr(pilots.Pilots, "_again", noted)
    found, result = pilots_of(lw.load("gyroscope"), 3.0)
    assert recorded == [True, False]
    assert [one.time.size for one in found] == [151, 151]
    assert result.time.size == 301


def test_open_trees_have_nothing_to_be_projected_onto() -> None:
    how: dict[str, Any] = {"rtol": 1e-7, "atol": 1e-10}
    one, other = (
        lw.simulate(lw.load("gyroscope"), 0.5, 0.01, "canonical", "dop853", stabilisation=way, **how)
        for way in ("projection", "none")
    )
    assert one.info["projections"] == 0
    for name in ("position", "rotation", "velocity", "joint_momentum"):
        np.testing.assert_array_equal(one[name], other[name])
    loop = lw.simulate(lw.load("planar_four_bar"), 0.1, 0.01, "canonical", "dop853", stabilisation="projection", **how)
    assert loop.info["projections"] > 0
    driven = lw.simulate(lw.load("kissel2021_single_pendulum"), 0.1, 0.01, "canonical", "ts54", project_every=1)
    assert driven.info["projections"] > 0
