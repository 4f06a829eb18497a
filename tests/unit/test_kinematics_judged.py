"""Runs of kinematics are judged as those of dynamics are: violation, speeds, the start, and what a driver asks for."""

from __future__ import annotations

import json

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import ConvergenceError, UsageError
from linkwork.status import Status

MODEL = "planar_four_bar"


def turning(f: str, kind: str = "DP1", **more: object) -> lw.Mechanism:
    """A body 1 m from its pin along y, its x axis 60 degrees from the global one; a row of `kind` drives it."""
    m = lw.Mechanism("turning")
    c, s = np.cos(np.pi / 3), np.sin(np.pi / 3)
    m.body("bar", position=(c, 0, -s), rotation=[[c, 0, s], [0, 1, 0], [-s, 0, c]])
    first, second = {"point": (0, 0, 0), "axis": (0, 1, 0)}, {"point": (-1, 0, 0), "axis": (0, 1, 0)}
    m.joint("pin", "revolute", "ground", "bar", on_first=first, on_second=second)
    m.constraint("motor", kind, "ground", "bar", f=f, **(more or {"a_i": (1, 0, 0), "a_j": (1, 0, 0)}))
    return m


def test_a_motion_against_which_nothing_speaks_is_good() -> None:
    result = lw.kinematics(lw.load(MODEL), 0.2, 1e-2)
    assert (result.judgement, result.verdicts, result.success) == ("good", (), True)


def test_a_fast_body_is_doubted_and_named() -> None:
    usual = lw.kinematics(lw.load(MODEL), 0.2, 1e-2)
    fastest = max(np.linalg.norm(usual.velocity(name), axis=1).max() for name in usual.bodies)
    assert lw.kinematics(lw.load(MODEL), 0.2, 1e-2, limits={"speed": 1.001 * fastest}).judgement == "good"
    result = lw.kinematics(lw.load(MODEL), 0.2, 1e-2, limits={"speed": 0.999 * fastest})
    assert (result.judgement, result.success) == ("doubtful", True)
    (found,) = result.verdicts
    assert found.kind == "speed"
    assert found.value == pytest.approx(fastest)
    assert any(f"Body '{name}' moves at" in found.text for name in result.bodies)
    assert "DOUBTFUL" in result.summary()


def test_a_violation_beyond_its_limit_is_no_success() -> None:
    """Rounding is beyond a limit of 1e-19 of the length."""
    result = lw.kinematics(lw.load(MODEL), 0.2, 1e-2, limits={"violation": 1e-19})
    assert (result.judgement, result.success, result.status) == ("wrong", False, Status.JUDGED_WRONG)
    assert result.verdicts[0].kind == "violation"
    assert "Joints are apart: row '" in result.message
    assert "tolerance" in result.verdicts[0].cure
    assert result.completed


def test_a_start_that_does_not_fit_is_doubted() -> None:
    m = turning("0.5")
    m.change("bar", position=(0.5, 0, -0.9))
    assert lw.kinematics(turning("0.5"), 0.01, 1e-3).judgement == "good"
    result = lw.kinematics(m, 0.01, 1e-3, accept_changes=True)
    assert [verdict.kind for verdict in result.verdicts] == ["assembly"]


def test_what_a_stream_held_is_judged_as_well(tmp_path) -> None:
    result = lw.kinematics(lw.load(MODEL), 0.2, 1e-2, limits={"violation": 1e-19}, out=tmp_path / "run.nc")
    assert lw.open_result(tmp_path / "run.nc").verdicts == result.verdicts


def test_the_command_line_says_so_with_its_status(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["kinematics", MODEL, "--t-end", "0.2", "--step", "1e-2", "--json"]
    assert status_of(words) == 0
    assert json.loads(capsys.readouterr().out)["judgement"] == "good"
    assert status_of([*words, "--limit", "violation=1e-19"]) == 7
    assert json.loads(capsys.readouterr().out)["judgement"] == "wrong"


def test_limits_without_sense_are_refused() -> None:
    with pytest.raises(UsageError, match="no limit 'violaton'"):
        lw.kinematics(lw.load(MODEL), 0.2, 1e-2, limits={"violaton": 1.0})


def test_a_cosine_beyond_one_is_the_cause_that_is_told() -> None:
    """cos 60 degrees + t is 1 at 0.5 s."""
    with pytest.raises(ConvergenceError, match=r"a driver asks for a cosine beyond one; it is row 'motor'") as caught:
        lw.kinematics(turning("0.5 + t"), 1.0, 1e-2)
    assert caught.value.result.status == Status.DRIVER_LIMIT
    assert "drive the angle" in caught.value.remedy
    assert caught.value.result.time[-1] == pytest.approx(0.5, abs=0.011)


def test_a_rod_without_length_is_the_cause_that_is_told() -> None:
    """The body is to come to a point 1 m from the pin; the squared distance is 0 at 0.5 s."""
    m = turning("0.5 - t", "D", s_i=(1, 0, 0), s_j=(0, 0, 0))
    with pytest.raises(ConvergenceError, match=r"a rod is to have no length; it is row 'motor'") as caught:
        lw.kinematics(m, 1.0, 1e-2, accept_drivers=True)
    assert caught.value.result.status == Status.ROD_COLLAPSED


@pytest.mark.parametrize("name", ["energy", "apart", "growth", "turn"])
def test_limits_of_dynamics_are_refused(name: str) -> None:
    """They were taken, and nothing was judged by them."""
    with pytest.raises(UsageError, match=f"limit '{name}' is of runs of dynamics.*judged by violation, slip, speed"):
        lw.kinematics(lw.load(MODEL), 0.2, 1e-2, limits={name: 1.0})
