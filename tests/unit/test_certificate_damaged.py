"""Certificates of results that were changed, cut or controlled: nothing is confirmed that was not looked at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import UsageError

MODEL = "kissel2021_double_pendulum"
N = 501  # samples; 400 of them are compared


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "run.nc"
    lw.simulate(lw.load(MODEL), 0.5, 1e-3, "rA", "generalized-alpha").save(path)
    return path


@pytest.fixture
def changed(kept: Path, tmp_path: Path) -> Callable[[Callable[[Any], None]], lw.Result]:
    def change(what: Callable[[Any], None]) -> lw.Result:
        path = tmp_path / "changed.nc"
        path.write_bytes(kept.read_bytes())
        with h5py.File(path, "r+") as file:
            what(file)
        return lw.open_result(path)

    return change


def passed_over() -> int:
    """A sample that is not compared."""
    return int(np.setdiff1d(np.arange(N), np.unique(np.linspace(0, N - 1, 400).round().astype(int)))[50])


def test_how_many_samples_were_compared_is_told(kept: Path) -> None:
    found = lw.verify(lw.open_result(kept))
    assert found["confirmed"]
    assert found["samples"] == [400, N]
    assert found["ends"] is None
    assert "400 of 501 samples were compared." in found["statement"]


@pytest.mark.parametrize("name", ["position", "angular_velocity", "reaction_torque", "potential_energy"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_no_number_confirms_nothing(changed: Any, name: str, value: float) -> None:
    k = passed_over()

    def spoil(file: Any) -> None:
        array = file[name][...]
        array[k] = value
        file[name][...] = array

    found = lw.verify(changed(spoil))
    assert not found["confirmed"]
    assert found["statement"] == f"NOT confirmed: its {name} is no finite number at t = {k * 1e-3:.6g} s."


def test_a_result_that_was_cut_is_confirmed_up_to_its_end_alone(changed: Any) -> None:
    def cut(file: Any) -> None:
        for array in file.values():
            if array.ndim and array.maxshape[0] is None and array.shape[0] == N:
                array.resize(201, axis=0)

    found = lw.verify(changed(cut))
    assert found["ends"] == [pytest.approx(0.2), 0.5]
    assert "The result ends at t = 0.2 s, its run was to go to 0.5 s" in found["statement"]


def test_runs_whose_last_sample_is_not_at_the_end_are_whole() -> None:
    run = lw.simulate(lw.load(MODEL), 0.1, 1e-2, "rA", "generalized-alpha", every=3)
    assert run.time[-1] == pytest.approx(0.09)
    assert lw.verify(run)["ends"] is None


def test_runs_under_controllers_are_refused() -> None:
    """They were said to be wrong from the first sample on: the check knows no controller."""
    mech = lw.Mechanism("cart", gravity=(0, 0, 0))
    mech.body("cart", mass=2.0, inertia=[1, 1, 1])
    mech.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("motor", "force", body="cart", components=[0, 0, 0])
    pid = lw.PID(output="rail.displacement", input="motor.x", period=0.01, kp=40, ki=30, kd=20, setpoint=0.3)
    run = lw.control(mech, pid, t_end=0.1, step=0.01)
    with pytest.raises(UsageError, match="under sampled controllers cannot be verified"):
        lw.verify(run)
    assert "certificate" not in run.info
