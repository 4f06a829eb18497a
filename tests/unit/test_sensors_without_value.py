"""Sensors without a value at some sample end no run: its messages tell, in memory, in files, under controllers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.mechanism.expressions import Expression
from linkwork.run.sensors_without_value import can_lose_its_value

FIRST = "sensor 'root' has no finite value at 2 of 6 samples, first at t = 0.004 s"


def arm() -> lw.Mechanism:
    mech = lw.Mechanism("arm")
    mech.input("gain", 0.0)
    mech.body("bar", mass=1.5, inertia=[0.02, 0.03, 0.01], position=[0.2, 0, 0])
    mech.joint("hip", "revolute", "ground", "bar", point=[0, 0, 0], axis=[0, 1, 0])
    mech.sensor("root", "sqrt(0.0035 - t)", unit="m")
    mech.sensor("fine", "t**2/3 + angle('hip')")
    return mech


def test_runs_of_every_kind_tell_the_sensor_and_the_first_time(tmp_path: Path) -> None:
    mech = arm()
    streamed = lw.simulate(mech, 0.005, 1e-3, "lie-mixed", out=tmp_path / "run.nc")
    compiled = lw.compile(mech, "lie-mixed")
    for result in (
        lw.simulate(mech, 0.005, 1e-3, "rA"),
        streamed,
        lw.open_result(tmp_path / "run.nc"),
        compiled.run(0.005, 1e-3),
        compiled.run(0.005, 1e-3),
    ):
        (told,) = (one for one in result.messages if one.startswith("sensor"))
        assert told.startswith(FIRST)
        assert result.success
        assert np.isnan(result["root"]).tolist() == [False] * 4 + [True] * 2
        assert result["fine"][-1] == pytest.approx(0.005**2 / 3, abs=1e-3)


def test_kinematics_tells_too() -> None:
    mech = arm()
    mech.driver("motor", "hip", "t")
    assert any(one.startswith(FIRST) for one in lw.kinematics(mech, 0.005, 1e-3).messages)


def test_inputs_of_controllers_are_known_to_it() -> None:
    mech = arm()
    mech.sensor("inverse", "1/(input('gain') - 1)")

    @lw.controller(period=1e-3)
    def jump(t: float, outputs: object) -> dict[str, float]:
        return {"gain": float(t > 0.0015)}

    told = " ".join(lw.control(mech, jump, t_end=0.005, step=1e-3).messages)
    assert "sensor 'inverse' has no finite value at 3 of 6 samples, first at t = 0.003 s" in told


def test_the_command_line_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "arm.json"
    file.write_text(json.dumps(arm().to_dict()), encoding="utf-8")
    assert status_of(["run", str(file), "--t-end", "0.005", "--step", "1e-3", "--formulation", "rA"]) == 0
    assert FIRST in capsys.readouterr().err


@pytest.mark.parametrize(
    ("formula", "can"),
    [
        ("t**2*sin(t)", False),
        ("min(t, 3)/2 + angle('hip')", False),
        ("1/t", True),
        ("t**-1", True),
        ("t**0.5", True),
        ("log(1 + t)", True),
        ("if(t > 1, asin(t), 0)", True),
    ],
)
def test_only_formulas_that_can_lose_their_value_are_looked_at(formula: str, can: bool) -> None:
    assert can_lose_its_value(Expression.of_state(formula)) is can
