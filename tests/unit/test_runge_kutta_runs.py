"""Runge-Kutta methods on mechanisms, compiled: settings, chunks, samples, and how runs end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from unit.vector_space import NAMES, PAIRS

import linkwork as lw
from linkwork.errors import ConvergenceError, UsageError
from linkwork.integrators import INTEGRATORS
from linkwork.integrators.runge_kutta import RungeKutta
from linkwork.integrators.tableaux import load_tableau
from linkwork.run.chunks import Chunks

# settings -----------------------------------------------------------------------------------------------------


def test_integrators_describe_themselves() -> None:
    for name in NAMES:
        method = INTEGRATORS.load(name)
        assert isinstance(method, RungeKutta)
        found = method.describe()
        assert found["name"] == name
        assert found["order"] == load_tableau(name).order
        assert ("error estimate" in found["summary"]) == (name in PAIRS)


TOP = "muller2013_heavy_top"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"t_eval": []}, "t_eval"),
        ({"t_eval": ["soon"]}, "t_eval"),
        ({"t_eval": [0.02, 0.01]}, "ascend"),
        ({"t_eval": [0.01, 0.01]}, "ascend"),
        ({"t_eval": [0.01, 0.2]}, "between 0 and t_end"),
        ({"t_eval": [-0.01, 0.02]}, "between 0 and t_end"),
        ({"t_eval": [np.nan]}, "t_eval"),
        ({"t_eval": [0.01, np.inf]}, "t_eval"),
        ({"rtol": 1e-6}, "dp54"),
        ({"atol": 1e-6, "integrator": "euler"}, "bs32"),
        ({"rtol": 0.0, "integrator": "dp54"}, "rtol"),
        ({"rtol": -1e-3, "integrator": "dp54"}, "rtol"),
        ({"atol": "fine", "integrator": "dp54"}, "atol"),
        ({"max_step": 1e-3, "integrator": "dp54"}, "rtol"),
        ({"max_step": 0.0, "rtol": 1e-6, "integrator": "dp54"}, "max_step"),
        ({"stabilisation": "some"}, "projection"),
        ({"stabilisation": "none", "baumgarte": (1, 1)}, "baumgarte"),
        ({"stabilisation": "projection", "baumgarte": (1, 1)}, "baumgarte"),
        ({"stabilisation": "baumgarte", "project_every": 2}, "project_every"),
        ({"baumgarte": (1.0,)}, "two gains"),
        ({"baumgarte": 3.0}, "two gains"),
        ({"baumgarte": (1.0, -1.0)}, "gains"),
        ({"baumgarte": (np.nan, 1.0)}, "gains"),
        ({"project_every": 0}, "project_every"),
        ({"project_every": 1.5}, "project_every"),
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused_in_words(how: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        lw.simulate(lw.load(TOP), 0.1, 1e-3, "lie-se3", **{"integrator": "rk4", **how})


# mechanisms, compiled -----------------------------------------------------------------------------------------


def top(integrator: str = "dp54", t_end: float = 0.3, step: float = 1e-2, **how: Any) -> lw.Result:
    return lw.simulate(lw.load(TOP), t_end, step, "lie-se3", integrator, **how)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("size", [1, 7])
def test_chunks_leave_no_trace(name: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = top(name, rtol=1e-7)
    fixed = top(name, step=1e-3)
    monkeypatch.setattr(Chunks, "next", lambda self, left: min(left, size))
    for one, two in ((whole, top(name, rtol=1e-7)), (fixed, top(name, step=1e-3))):
        for variable in ("time", "position", "rotation", "angular_velocity", "acceleration", "multiplier"):
            assert_array_equal(two[variable], one[variable], err_msg=variable)
        assert {k: two.info[k] for k in ("steps", "evaluations", "rejected")} == {
            k: one.info[k] for k in ("steps", "evaluations", "rejected")
        }


@pytest.mark.parametrize("name", PAIRS)
def test_neither_samples_nor_every_change_the_steps(name: str) -> None:
    often = top(name, step=1e-3, rtol=1e-7)
    for other in (
        top(name, step=1e-1, rtol=1e-7),
        top(name, step=1e-3, every=7, rtol=1e-7),
        top(name, rtol=1e-7, t_eval=[0.3]),
        top(name, rtol=1e-7, t_eval=np.linspace(0, 0.3, 11)),
    ):
        assert other.info["steps"] == often.info["steps"]
        assert other.info["rejected"] == often.info["rejected"]
        assert other.time[-1] == 0.3
        assert_allclose(other["position"][-1], often["position"][-1], atol=1e-12)
        for k, t in enumerate(other.time):
            at = np.flatnonzero(np.abs(often.time - t) < 1e-9)
            if len(at):
                assert_allclose(other["position"][k], often["position"][at[0]], atol=1e-12)


@pytest.mark.parametrize("how", [{}, {"rtol": 1e-9, "atol": 1e-11}], ids=["fixed", "adaptive"])
def test_samples_come_at_the_times_asked_for(how: dict[str, float]) -> None:
    fine = top("dp54", t_end=0.1, step=1e-4)
    for times in ([0.0], [0.1], 0.05, [0.0, 0.1], [1e-12, 0.03, 0.1], [0.0123, 0.0124, 0.0777]):
        result = top("dp54", t_end=0.1, step=1e-3, t_eval=times, **how)
        assert_array_equal(result.time, np.ravel(times))
        for k, t in enumerate(result.time):
            on_grid = round(t / 1e-4)
            if abs(on_grid * 1e-4 - t) < 1e-10:
                assert_allclose(result["position"][k], fine["position"][on_grid], atol=1e-8)
                assert_allclose(result["velocity"][k], fine["velocity"][on_grid], atol=1e-6)


def test_times_that_miss_the_end_by_rounding_are_taken_to_be_the_end() -> None:
    times = 0.1 * np.arange(4)  # 0.30000000000000004
    for how in ({}, {"rtol": 1e-12, "atol": 1e-13}):
        result = top("dp54", t_end=0.3, t_eval=times, **how)
        assert_allclose(result.time, times, rtol=1e-15)
    result = top("dp54", t_end=0.3, t_eval=[0.3 * (1 + 9e-13)])
    assert_allclose(result.time, 0.3, rtol=1e-12)


@pytest.mark.parametrize(("t_end", "step"), [(0.1, 0.03), (1e-9, 1e-3), (1e-3, 1e-2), (0.05, 0.05)])
def test_adaptive_runs_end_on_time_whatever_the_samples(t_end: float, step: float) -> None:
    result = top("dp54", t_end=t_end, step=step, rtol=1e-8)
    assert result.time[0] == 0.0
    assert result.time[-1] == t_end
    assert_allclose(np.diff(result.time)[:-1], step, rtol=1e-9)
    assert np.diff(result.time)[-1] > 1e-9 * step
    assert result.info["steps"] >= 1


def test_a_run_counts_its_steps() -> None:
    fixed = top("rk4", step=1e-3)
    assert (fixed.info["steps"], fixed.info["rejected"]) == (300, 0)
    assert fixed.info["evaluations"] == 4 * 300 + 1
    sampled = top("rk4", step=1e-3, t_eval=[0.1, 0.3])
    assert sampled.info["steps"] == 300
    adaptive = top("dp54", rtol=1e-8)
    assert adaptive.info["rtol"] == 1e-8
    assert adaptive.info["atol"] == 1e-9
    assert adaptive.info["steps"] > 10


def test_half_a_turn_in_a_step_is_refused_with_the_body() -> None:
    """70 rad/s: 40 ms are too long for a fixed step; adaptive ones find that out themselves."""
    with pytest.raises(ConvergenceError, match="body 'top' at") as error:
        top("rk4", step=0.05)
    assert "half a revolution" in str(error.value)
    assert error.value.result is not None
    assert len(error.value.result.time) == 1
    assert top("dp54", step=0.1, rtol=1e-2, atol=1e-2).time[-1] == 0.3


def spent(**how: Any) -> lw.Result:
    """A thrust that has no value beyond t = 0.1 s."""
    m = lw.Mechanism("spent", gravity=(0, 0, 0))
    m.body("ship", mass=1.0, inertia=[0.1, 0.1, 0.1])
    m.force("thrust", "force", body="ship", components=("sqrt(0.1 - t)", 0.0, 0.0))
    return lw.simulate(m, 0.3, 1e-2, "lie-product", **how)


def test_forces_that_are_no_numbers_end_a_run_in_words() -> None:
    with pytest.raises(ConvergenceError, match="no step was small enough") as error:
        spent(integrator="dp54", rtol=1e-8)
    result = error.value.result
    assert_allclose(result.time, 1e-2 * np.arange(len(result.time)), atol=1e-15)
    assert result.time[-1] == pytest.approx(0.09)
    assert "0.1 s" in str(error.value)
    wanted = (0.1**1.5 - (0.1 - result.time) ** 1.5) / 1.5
    assert_allclose(result.velocity("ship")[:, 0], wanted, atol=1e-6)
    with pytest.raises(ConvergenceError, match="not finite") as error:
        spent(integrator="rk4")
    assert error.value.result.time[-1] == pytest.approx(0.1)
