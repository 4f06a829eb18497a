"""What a study runs, how motions are measured, and how independent formulations are."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from unit.comparison_case import MODEL, study

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.mechanism.rotation import turn
from linkwork.run.matching import fitting
from linkwork.studies import independence
from linkwork.studies.comparison.case import Case, Setting
from linkwork.studies.comparison.plan import plan_of, sampling, suitable
from linkwork.studies.comparison.reference import conclude, turned
from linkwork.studies.motion import Motion, angle_between, at_grid, difference, digits

# what is run ------------------------------------------------------------------------------------------------


def test_every_formulation_is_planned_with_integrators_that_fit() -> None:
    plan = plan_of(study(steps=1e-3), lw.load(MODEL))
    assert {case.formulation for case in plan.cases} == set(FORMULATIONS) - {"range-space"}
    for case in plan.cases:
        assert case.integrator in fitting(case.formulation)
        assert case.integrator in suitable(case.formulation)
        assert not case.wanted


def test_a_formulation_under_a_second_name_runs_once() -> None:
    """range-space is lie-product bit for bit: beside it, it says nothing; alone, or with another step, it runs."""
    both = plan_of(study(steps=1e-3, formulations=["lie-product", "range-space"], integrators="rk4"), lw.load(MODEL))
    assert [case.formulation for case in both.cases] == ["lie-product"]
    assert both.notes == ("range-space is lie-product under another name, bit for bit: not run a second time",)
    alone = plan_of(study(steps=1e-3, formulations=["range-space"], integrators="rk4"), lw.load(MODEL))
    assert [case.formulation for case in alone.cases] == ["range-space"]
    runs = [{"formulation": "lie-product", "step": 2e-3}, {"formulation": "range-space", "step": 1e-3}]
    assert len(plan_of(study(runs=runs), lw.load(MODEL)).cases) == 2
    assert independence.differing("range-space", "lie-product") == ()
    assert FORMULATIONS.load("range-space").describe()["same_as"] == "lie-product"


def test_a_second_name_is_the_same_to_the_last_bit() -> None:
    one, other = (lw.simulate(lw.load(MODEL), 0.01, 1e-3, name, "rk4") for name in ("lie-product", "range-space"))
    for variable in ("position", "rotation", "velocity", "angular_velocity", "multiplier"):
        np.testing.assert_array_equal(one[variable], other[variable])


def test_tolerances_go_to_integrators_that_control_their_error() -> None:
    plan = plan_of(study(rtol=[1e-6], integrators="all", formulations=["rA", "lie-se3"]), lw.load(MODEL))
    implicit = ("generalized-alpha", "radau5", "radau9", "radau13", "radau")
    explicit = ("bs32", "dp54", "ts54", "dop853")
    assert {(case.formulation, case.integrator) for case in plan.cases} == {
        *(("rA", name) for name in implicit),
        *(("lie-se3", name) for name in (*implicit, *explicit)),
    }


def test_single_runs_stand_beside_the_grid_or_alone() -> None:
    alone = plan_of(study(runs=[{"formulation": "rA", "step": 1e-3}]), lw.load(MODEL))
    assert [case.label for case in alone.cases] == ["rA, generalized-alpha, h = 0.001 s"]
    beside = plan_of(study(runs=[{"formulation": "rA", "step": 1e-3}], formulations="rA", steps=2e-3), lw.load(MODEL))
    assert len(beside.cases) == 2


def test_shared_options_reach_those_that_have_them() -> None:
    plan = plan_of(study(steps=1e-3, options={"newton": "full"}, formulations=["rA", "augmented"]), lw.load(MODEL))
    assert {(case.formulation, case.options.get("newton")) for case in plan.cases} == {
        ("rA", "full"),
        ("augmented", None),
    }


def test_what_a_study_cannot_use_is_said() -> None:
    plan = plan_of(study(steps=1e-3, formulations=["rA", "augmented"], integrators="rk4"), lw.load(MODEL))
    assert plan.notes == ("rA has no run: no chosen integrator fits it at the steps or tolerances given",)
    with pytest.raises(UsageError, match=r"has the option 'newtn'.*'newton'"):
        plan_of(study(steps=1e-3, options={"newtn": "full"}), lw.load(MODEL))


def test_a_study_without_runs_is_refused() -> None:
    with pytest.raises(UsageError, match="no run"):
        plan_of(study(rtol=1e-6, formulations="rA", integrators="implicit-euler"), lw.load(MODEL))


@pytest.mark.parametrize(
    ("t_end", "steps", "samples", "interval"),
    [(1.0, [1e-3, 2e-3], 200, 0.008), (3.0, [4e-3, 1e-2], 1000, 0.02), (1.0, [], 100, 0.01), (0.5, [1e-3], 1000, 1e-3)],
)
def test_samples_lie_where_all_steps_meet(t_end: float, steps: list[float], samples: int, interval: float) -> None:
    found, notes = sampling(t_end, steps, samples)
    assert_allclose(found, interval, rtol=1e-12)
    assert not notes


def test_steps_that_never_meet_are_refused() -> None:
    with pytest.raises(UsageError, match=r"meet first at 0\.021 s"):
        sampling(0.02, [3e-3, 7e-3], 100)


def test_a_step_longer_than_the_run_is_refused() -> None:
    with pytest.raises(UsageError, match=r"the step, 0\.01 s, is longer than the run, 0\.001 s"):
        sampling(0.001, [1e-2], 100)


def test_a_span_that_ends_between_samples_is_said() -> None:
    interval, notes = sampling(0.1, [3e-3], 200)
    assert interval == pytest.approx(3e-3)
    assert "up to t = 0.099 s" in notes[0]


def test_a_key_changes_with_everything_that_shapes_a_run() -> None:
    setting, case = Setting("{}", 1.0, 0.1), Case("rA", "implicit-euler", step=1e-3)
    others = [
        (Setting("{ }", 1.0, 0.1), case),
        (Setting("{}", 2.0, 0.1), case),
        (Setting("{}", 1.0, 0.2), case),
        (setting, Case("rp", "implicit-euler", step=1e-3)),
        (setting, Case("rA", "implicit-euler", step=2e-3)),
        (setting, case.with_options(newton="full")),
    ]
    keys = {setting.key(case), *(one.key(other) for one, other in others)}
    assert len(keys) == 1 + len(others)
    assert setting.key(case) == setting.key(Case("rA", "implicit-euler", step=1e-3, wanted=True))


def test_planned_runs_are_asked_for_by_accuracy() -> None:
    """Alone they are the whole study, else they come after the others; from loose to tight, whatever the order."""
    plan = plan_of(study(accuracy=[1e-6, 1e-2]), lw.load(MODEL))
    assert plan.cases == (Case.planned(1e-2), Case.planned(1e-6))
    both = plan_of(study(accuracy=1e-4, formulations=["rA"], rtol=1e-5, options={"newton": "full"}), lw.load(MODEL))
    assert [case.formulation for case in both.cases] == ["rA"] * (len(both.cases) - 1) + ["planned"]
    assert both.cases[-1].options == {}
    said = both.setting.arguments(both.cases[-1])
    assert said == {
        "t_end": 0.1, "step": both.setting.interval, "accuracy": 1e-4, "accept_drivers": False, "accept_changes": False,
    }  # fmt: skip
    assert len({both.setting.key(Case.planned(accuracy)) for accuracy in (1e-4, 1e-5)}) == 2
    assert Case.from_dict(both.cases[-1].to_dict()) == replace(both.cases[-1], wanted=False)


@pytest.mark.parametrize(("accuracy", "words"), [(1e-14, "below what rounding allows"), (7.0, "asks for nothing")])
def test_an_accuracy_that_cannot_be_asked_for_is_refused_before_anything_runs(accuracy: float, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        plan_of(study(accuracy=accuracy), lw.load(MODEL))


# how it is measured -----------------------------------------------------------------------------------------


def motion(angle: float, n: int = 3) -> Motion:
    time = np.arange(n, dtype=float)
    R = np.array([[turn((0.6, 0.0, -0.8), angle * t)] for t in time]).reshape(n, 1, 3, 3)
    position = np.stack([[[t, 0.0, 0.0]] for t in time])
    return Motion(time, position, R, np.ones((n, 1, 3)), np.zeros((n, 1, 3)))


def test_angles_between_rotations_are_exact_when_small() -> None:
    for angle in (1e-12, 1e-6, 0.1, 3.0):
        one, other = np.eye(3), np.array(turn((0.6, -0.8, 0.0), angle)).reshape(3, 3)
        assert_allclose(angle_between(one, other), angle, rtol=1e-3 if angle < 1e-10 else 1e-9)


def test_a_difference_is_the_larger_of_distance_and_angle() -> None:
    found = difference(motion(1e-3), motion(2e-3), 2.0)
    assert_allclose(found.pose, [0.0, 1e-3, 2e-3], rtol=1e-6, atol=1e-15)
    assert found.largest_rate == 0.0


def test_digits() -> None:
    assert digits(1e-5) == pytest.approx(5.0)
    assert digits(0.0) == pytest.approx(17.0)
    assert digits(10.0) == 0.0
    assert math.isnan(digits(math.nan))


def test_samples_are_found_on_the_grid() -> None:
    time = np.array([0.0, 0.1, 0.2, 0.25, 0.3])
    assert list(at_grid(time, 0.1)) == [0, 1, 2, 4]
    assert list(at_grid(np.array([0.0, 0.1, 0.3]), 0.1)) == [0, 1]


def test_part_of_a_turn() -> None:
    R = np.array(turn((0.0, 0.6, -0.8), 0.3)).reshape(1, 3, 3)
    third = turned(R, 1.0 / 3.0)
    assert_allclose(third @ third @ third, R, atol=1e-14)
    assert_allclose(turned(np.eye(3)[None], 0.5), np.eye(3)[None], atol=0.0)


def test_richardson_gains_an_order() -> None:
    mech = lw.load(MODEL)
    setting = Setting(json.dumps(mech.to_dict()), 0.2, 0.02)
    pair = [Case("rA", "generalized-alpha", step=step) for step in (2e-3, 1e-3)]
    motions = {case: Motion.of(lw.simulate(mech, **setting.arguments(case))) for case in pair}
    truth = Motion.of(lw.simulate(mech, 0.2, 1e-3, "lie-se3", "dop853", every=20))
    found = conclude(pair, motions, 4.0)
    assert found is not None
    assert found.case is None
    assert "Richardson" in found.how
    plain = difference(motions[pair[1]], truth, 4.0).largest
    better = difference(found.motion, truth, 4.0).largest
    assert better < 0.1 * plain
    assert 0.3 < found.uncertainty / plain < 3.0


# how independent formulations are ---------------------------------------------------------------------------


def test_every_formulation_says_how_it_goes_about_it_or_counts_as_different() -> None:
    for name in FORMULATIONS:
        assert len(independence.classification(name)) == len(independence.CLASSIFICATION)
    assert independence.differing("rA", "rA") == ()
    assert "solver" in independence.differing("augmented", "range-space")
    for name in FORMULATIONS:
        first = independence.by_independence([name])[0]
        assert len(independence.differing(name, first)) >= 3


def test_the_controlled_integrator_is_of_the_highest_order_and_another_one_where_asked() -> None:
    assert independence.controlled("rA") is None
    assert independence.controlled("lie-se3") == "dop853"
    assert independence.controlled("lie-se3", besides="dop853") not in (None, "dop853")
