"""Closed chains of published benchmarks over 10 s: energy, and the true motion, through positions of lower rank."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.studies import generated


def parallel_cranks(t, n):
    """Tips (x, y) of crank 0: on the branch where all cranks stay parallel there is one angle."""
    c = 9.81 * ((n + 1) / 2 + n) / ((n + 1) / 3 + n)
    found = solve_ivp(lambda _, y: [y[1], -c * np.cos(y[0])], (0, t[-1]), [np.pi / 2, -1.0], "DOP853", t,
                      rtol=1e-12, atol=1e-13)  # fmt: skip
    return np.column_stack([np.cos(found.y[0]), np.sin(found.y[0])])


def tip(result, name, along=(0.5, 0.0, 0.0)):
    return result.position(name) + result.rotation(name) @ np.array(along)


@pytest.mark.parametrize("closing", ["point-in-line", "revolute"])
@pytest.mark.parametrize("step", [0.125, 0.1])  # 0.1 s puts a stage on a singular position
@pytest.mark.parametrize("formulation", ["range-space", "augmented", "canonical", "articulated-body"])
def test_two_four_bars_follow_the_reference_through_their_singular_positions(formulation, step, closing):
    result = lw.simulate(generated.ladder(2, closing), 10.0, step, formulation, "dop853", project_every=1)
    assert np.abs(tip(result, "crank 0")[:, :2] - parallel_cranks(result.time, 2)).max() < 1e-3
    assert tip(result, "crank 0")[-1, :2] == pytest.approx([0.32845811, 0.94451854], abs=1e-3)  # published
    assert np.ptp(result.energy) < 1e-3
    assert result["position_violation"].max() < 1e-12


@pytest.mark.parametrize("formulation", ["range-space", "canonical", "articulated-body"])
def test_forty_four_bars_follow_the_reference(formulation):
    result = lw.simulate(generated.ladder(40, "point-in-line"), 20.0, 0.125, formulation, "dop853", project_every=1)
    assert tip(result, "crank 0")[-1, :2] == pytest.approx([0.41090115, 0.91167990], abs=2e-3)
    assert np.ptp(result.energy) < 0.1
    for k in (20, 40):
        assert np.abs(tip(result, f"crank {k}") - [k, 0, 0] - tip(result, "crank 0")).max() < 1e-3


@pytest.mark.parametrize(
    ("formulation", "section"),
    [
        ("range-space", "square"),
        ("augmented", "square"),
        ("augmented", "thin"),
        ("canonical", "square"),
        ("articulated-body", "square"),
    ],
)
def test_bricards_path_is_the_reference(formulation, section):
    """The row found redundant at first is needed 1.25 s later; energy and path do not notice."""
    result = lw.simulate(generated.bricard(section), 10.0, 0.125, formulation, "dop853", project_every=1)
    point = tip(result, "bar 2")
    known = {
        "square": {1.0: (0.27448132, -0.88670794, -0.46233000), 5.0: (0.999932742, -0.999999998, -6.7255e-5),
                   10.0: (0.999730987, -0.999999964, -2.6898e-4)},
        "thin": {},
    }[section]  # fmt: skip
    for time, where in known.items():
        assert point[np.argmin(np.abs(result.time - time))] == pytest.approx(where, abs=1e-7)
    assert np.ptp(result.energy) < 1e-6
    assert result["position_violation"].max() < 1e-12
