"""What a recorder makes of blocks: columns under their names, success, and nothing where nothing came."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.run.recording import Recorder, new_header
from linkwork.status import Status
from linkwork.system import compile_mechanism

NAMES = {
    "position": 3, "rotation": 9, "velocity": 3, "angular_velocity": 3, "acceleration": 3, "angular_acceleration": 3,
}  # fmt: skip


@pytest.fixture(scope="module")
def pendulum() -> Any:
    mechanism = lw.load("kissel2021_single_pendulum")
    compiled = compile_mechanism(mechanism.lower())
    return compiled, new_header(mechanism, compiled, {"formulation": "rA"})


def recorder(pendulum: Any, out: Path | None = None) -> Recorder:
    compiled, header = pendulum
    return Recorder(header, compiled, out=out, force=False, expected=4)


def block(compiled: Any, first: int, n: int) -> dict[str, Any]:
    """Samples whose columns count from 0 to 23, plus 100 times their number."""
    samples = first + np.arange(n)
    motion = 100.0 * samples[:, None, None] + np.tile(np.arange(24.0), (n, compiled.nb, 1))
    return {"time": 0.5 * samples, "motion": motion, "multiplier": np.zeros((n, compiled.nc))}


@pytest.mark.parametrize("to_file", [False, True])
def test_columns_come_back_under_their_names(pendulum: Any, to_file: bool, tmp_path: Path) -> None:
    made = recorder(pendulum, tmp_path / "run.nc" if to_file else None)
    made.append(block(pendulum[0], 0, 1))
    made.append(block(pendulum[0], 1, 0))
    made.append(block(pendulum[0], 1, 3))
    found = made.finish(status=Status.OK, message="", messages=("said",), info={"steps": 3})
    assert found.success
    assert found.time.tolist() == [0.0, 0.5, 1.0, 1.5]
    column = 0
    for name, width in NAMES.items():
        wanted = 200.0 + np.arange(column, column + width)
        assert np.array_equal(found[name][2, 0].ravel(), wanted), name
        column += width
    assert found.messages == ("said",)
    assert found.info["steps"] == 3


@pytest.mark.parametrize(
    ("status", "message", "success"),
    [(Status.OK, "", True), (Status.OK, "interrupted", False), (Status.SINGULAR, "singular", False)],
)
def test_only_a_run_that_got_through_is_a_success(pendulum: Any, status: Status, message: str, success: bool) -> None:
    made = recorder(pendulum)
    made.append(block(pendulum[0], 0, 2))
    found = made.finish(status=status, message=message, messages=(), info={})
    assert found.success is success
    assert found.status == int(status)
    assert found.message == message


def test_a_run_without_samples_is_a_result_without_samples(pendulum: Any) -> None:
    found = recorder(pendulum).finish(status=Status.SINGULAR, message="at the start", messages=(), info={})
    assert found.time.size == 0
    assert found["position"].shape == (0, pendulum[0].nb, 3)
    assert not found.success
