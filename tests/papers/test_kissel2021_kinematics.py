"""Kissel 2021, section 4.3: kinematics of the driven mechanisms against closed forms, and Table 9."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.driven import motions

import linkwork as lw
from linkwork.studies.published import published

PAPER = ("kissel2021_single_pendulum", "kissel2021_four_link", "kissel2021_slider_crank")
VARIABLES = {
    "position": "r",
    "rotation": "A",
    "velocity": "v",
    "angular_velocity": "w",
    "acceleration": "a",
    "angular_acceleration": "alpha",
}
TABLE_9 = published("kissel2021")["table 9"]  # the same by both of the authors' codes


def errors(result, name: str) -> dict[str, float]:
    """Largest difference from the closed form, by variable, relative where values exceed one."""
    found = {}
    for variable, letter in VARIABLES.items():
        wanted = np.stack([getattr(body, letter) for body in motions(name, result.time)], axis=1)
        found[variable] = float(np.abs(result[variable] - wanted).max() / max(1.0, np.abs(wanted).max()))
    return found


def assert_exact(result, name: str, tolerance: float) -> None:
    found = errors(result, name)
    assert max(found.values()) < tolerance, found


@pytest.mark.parametrize("formulation", ["rA", "rp", "re"])
@pytest.mark.parametrize("name", PAPER)
def test_positions_velocities_and_accelerations_are_those_of_the_closed_form(name, formulation):
    """The paper's 3 s at 1 ms; asked for to 1e-9, met far below it."""
    result = lw.kinematics(lw.load(name), 3.0, 1e-3, formulation)
    assert len(result.time) == 3001
    assert_exact(result, name, 1e-10)


@pytest.mark.parametrize("formulation", ["rA", "rp", "re"])
@pytest.mark.parametrize("name", PAPER)
def test_iterations_are_no_more_than_table_9(name, formulation):
    """An exact Newton needs 2 to 2.4 iterations where the paper counts 3.8 to 4.8.

    The predictor of eq. 11 is off by h^2 |a| / 2, about 1e-6 m here. The first correction has that size, which is
    above the tolerance of 1e-10; it leaves an error of its square, and the second correction, about 1e-12, ends the
    step: 2 iterations on the pendulum, now and then a third where accelerations are larger. The pendulum's average
    of 3.8 in the paper needs a slower contraction than the exact matrix has, whatever the predictor: even from the
    pose of the step before, 2e-3 rad away, corrections go as 1e-3, 1e-6, 1e-12, which is three.
    """
    result = lw.kinematics(lw.load(name), 3.0, 1e-3, formulation, predictor="velocity", newton="full", tolerance=1e-10)
    ours, theirs = float(result["iterations"][1:].mean()), TABLE_9.value(name, formulation, "C1")
    assert ours <= theirs, f"ours {ours:.2f}, paper {theirs:.2f}"
    assert ours == pytest.approx(2.2, abs=0.25)
    if name == "kissel2021_single_pendulum":
        assert ours == pytest.approx(2.0, abs=0.02)
    assert_exact(result, name, 1e-10)


@pytest.mark.parametrize("name", PAPER)
def test_better_predictors_need_fewer_iterations(name):
    counts = [
        lw.kinematics(lw.load(name), 1.0, 1e-3, predictor=p)["iterations"][1:].mean()
        for p in ("velocity", "acceleration", "extrapolated")
    ]
    assert counts[0] >= counts[1] >= counts[2] >= 1.0
    assert counts[2] <= 2.0


@pytest.mark.parametrize("formulation", ["rA", "rp", "re"])
@pytest.mark.parametrize(
    ("name", "t_end", "step"),
    [
        ("kissel2021_slider_crank", 10.0, 0.01),
        ("kissel2021_four_link", 12.0, 0.02),
        ("kissel2021_four_link", 10.0, 0.1),
    ],
)
def test_cosine_drivers_run_through_their_rank_losses_over_many_turns(name, t_end, step, formulation):
    """A cosine loses rank twice a turn, and steps fall exactly on those instants; angles go on turning."""
    result = lw.kinematics(lw.load(name), t_end, step, formulation, newton="full")
    assert_exact(result, name, 1e-9)
    assert any("loses rank" in message for message in result.messages)


@pytest.mark.parametrize("name", PAPER[1:])
def test_euler_angles_pass_their_singularities(name):
    """Bodies start at A = I and others, turn through theta = 0 and pi, and are re-based on the way: said in words."""
    result = lw.kinematics(lw.load(name), 3.0, 1e-2, "re")
    assert any("new reference rotation" in message for message in result.messages)
    assert_exact(result, name, 1e-10)


@pytest.mark.parametrize("formulation", ["rA", "rp", "re"])
def test_redundant_rows_are_no_obstacle(formulation):
    """A planar four-bar of spatial hinges: three rows too many, closed form all the same."""
    result = lw.kinematics(lw.load("planar_four_bar"), 2.0, 1e-3, formulation)
    assert any("follow from others" in message for message in result.messages)
    assert_exact(result, "planar_four_bar", 1e-10)
