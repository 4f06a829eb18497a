"""An accuracy that is asked for is met, or the result says that it is not; against runs of another formulation."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from unit import handmade
from unit.planned import reference, true_error

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import SingularPositionError, UsageError
from linkwork.formulations.contract import Formulation
from linkwork.header import VARIABLES
from linkwork.io.formats import save
from linkwork.planner import wisdom
from linkwork.planner.asked import KINDS, Wanted, from_words, wanted
from linkwork.planner.candidates import NANOSECONDS
from linkwork.planner.global_error import Apart, apart, ratio, turned
from linkwork.status import NOT_REACHED, TIME_UP

CRANK, TOP, CHAOTIC = "kissel2021_slider_crank", "muller2013_heavy_top", "muller2013_spherical_double_pendulum"


@pytest.fixture(autouse=True)
def unwise(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "wisdom.json")
    wisdom.forget()


@pytest.mark.parametrize("name", [CRANK, TOP, "spatial_slider_crank_spring"])
@pytest.mark.parametrize("accuracy", [1e-3, 1e-6, 1e-9])
def test_accuracy_is_met_and_the_estimate_tells_the_error(name: str, accuracy: float) -> None:
    mech = lw.load(name)
    result = lw.simulate(mech, 1.0, 0.01, accuracy=accuracy)
    error = true_error(result, reference(mech, 1.0, 0.01))
    found = result.accuracy
    assert result.success
    assert found is not None
    assert found.reached
    assert error <= found.error <= accuracy
    assert found.error <= 100.0 * max(error, 1e-12)  # an estimate that says little would be no estimate
    assert found.until == result.time[-1] == 1.0


def test_a_rotation_is_measured_as_an_angle() -> None:
    c, s = np.cos(1e-7), np.sin(1e-7)
    there = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    assert turned(np.eye(3), there) == pytest.approx(1e-7, rel=1e-6)


def test_named_quantities_in_units() -> None:
    mech = lw.load(CRANK)
    asked = {"position": {"slider": "0.001 mm"}, "reaction": "1e-3 N", "velocity": 1e-4}
    result = lw.simulate(mech, 0.5, 0.01, accuracy=asked)
    exact = reference(mech, 0.5, 0.01)
    found = result.accuracy
    assert result.success
    assert found is not None
    off = np.linalg.norm(result.position("slider") - exact.position("slider"), axis=1).max()
    assert off <= found["position"].error <= found["position"].asked == pytest.approx(1e-6)
    assert found["position"].who == "slider"
    assert np.abs(result["velocity"] - exact["velocity"]).max() <= found["velocity"].error <= 1e-4
    assert found["reaction"].unit == "N"


def test_units_may_be_those_that_results_are_written_in() -> None:
    for name, kind in KINDS.items():
        for variable in kind.variables:
            unit = {"pose": "", "angle": "rad"}.get(name, VARIABLES[variable].units)
            assert wanted({name: f"1e-3 {unit}".strip()}) == (Wanted(name, 1e-3),)


def test_a_name_before_a_quantity_is_a_bound_of_one() -> None:
    inside = wanted({"position": {"slider": "1 um", "": 1e-3}, "reaction": {"crank pin": "1 mN"}})
    assert wanted({"slider.position": "1 um", "position": 1e-3, "crank pin.reaction": "1 mN"}) == inside


@pytest.mark.parametrize("how", [{}, {"accuracy": 1e-7, "formulation": "rA"}, {"accuracy": 1e-5, "integrator": "rk4"}])
def test_samples_of_a_planned_run_come_at_the_times_asked_for(how: dict[str, Any]) -> None:
    mech, times = lw.load(CRANK), [0.05, 0.123, 0.3]
    result = lw.simulate(mech, 0.3, t_eval=times, **how)
    exact = lw.simulate(mech, 0.3, 1e-3, "lie-mixed", "dop853", rtol=1e-12, t_eval=times)
    assert result.time.tolist() == times
    assert result.success
    assert result.accuracy is not None
    assert np.abs(result["position"] - exact["position"]).max() <= result.accuracy["pose"].error
    with pytest.raises(UsageError, match="between 0 and t_end"):
        lw.simulate(mech, 0.3, t_eval=[0.5])


@pytest.mark.parametrize("model", [CRANK, "kissel2021_double_pendulum"])
@pytest.mark.parametrize("times", [[0.05, 0.3], [0.05, 0.1, 0.2, 0.3]])
def test_times_of_samples_may_end_before_the_run_and_be_few(model: str, times: list[float]) -> None:
    """An accuracy is reached where all samples that were asked for keep it; what work two of them hide, more tell."""
    mech = lw.load(model)
    result = lw.simulate(mech, 1.0, accuracy=1e-6, t_eval=times)
    exact = lw.simulate(mech, 1.0, 1e-3, "lie-mixed", "dop853", rtol=1e-12, t_eval=times)
    assert (result.success, result.status, result.message) == (True, 0, "")
    assert result.judgement == "good" or [one.kind for one in result.verdicts] == ["sampling"]
    assert result.accuracy is not None
    assert (result.accuracy.reached, result.accuracy.until) == (True, 0.3)
    assert true_error(result, exact) <= result.accuracy["pose"].error <= 1e-6


def test_chaos_is_told_from_when_on_and_what_was_computed_is_kept() -> None:
    mech = lw.load(CHAOTIC)
    result = lw.simulate(mech, 4.0, 0.01, accuracy=1e-4)
    found = result.accuracy
    assert not result.success
    assert result.completed
    assert result.status == NOT_REACHED
    assert found is not None
    assert 1.0 < found.until < 3.5
    assert "neighbouring motions part" in result.message
    assert result.time[-1] == 4.0
    exact = reference(mech, found.until, 0.01)
    n = exact.time.size
    assert np.abs(result["position"][:n] - exact["position"]).max() < 1e-3  # its own digits end soon after


def test_a_time_limit_keeps_what_there_is() -> None:
    lw.plan(
        lw.load("stewart_platform"), 0.01, 1e-3, accuracy=1e-10
    ).run()  # compiled code is loaded before the limit counts
    result = lw.plan(lw.load("stewart_platform"), 10.0, 1e-3, accuracy=1e-10, time_limit=0.3).run()
    assert not result.success
    assert result.status in (NOT_REACHED, TIME_UP)
    assert "time limit" in result.message
    assert result.time.size > 1


@pytest.mark.parametrize(
    ("accuracy", "words"),
    [
        (0.0, "positive"),
        (-1e-6, "positive"),
        (1e-15, "below what rounding allows"),
        (7.0, "asks for nothing. Poses are shares of the mechanism's length and radians: ask for 1 or less"),
        ({"position": "1e300 m"}, "of 1e.300 m asks for nothing. Ask for 1e.100 or less, such as 1e-4 m"),
        ({"angle": 3.15}, "of 3.15 rad asks for nothing. Ask for 3.14 or less"),
        ({"angle": {"slider": "181 deg"}}, "asks for nothing"),
        ("1e-6 m", "is in no unit"),
        (float("nan"), "positive"),
        ({}, "names no quantity"),
        ({"positon": 1e-6}, "Did you mean 'position'"),
        ({"position": "1e-6 kg"}, "not in 'kg'"),
        ({"position": "small"}, "is not a number"),
        ({"position": {"slidr": 1e-6}}, "Did you mean 'slider'"),
        ({"reaction": {"nobody": 1e-3}}, "no joint 'nobody'"),
        ({"slider.positon": 1e-6}, "Did you mean 'slider.position'"),
        ({"slidr.position": 1e-6}, "Did you mean 'slider'"),
        ({"slider.position": 1e-6, "position": {"slider": 1e-5}}, "of 'slider' is said twice"),
        ({"slider.position": {"slider": 1e-6}}, "no quantity 'slider.position'"),
    ],
)
def test_what_cannot_be_asked_is_refused(accuracy: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        lw.simulate(lw.load(CRANK), 1.0, 0.01, accuracy=accuracy)


def test_a_bound_that_exceeds_the_mechanism_is_remarked() -> None:
    wide = lw.plan(lw.load(CRANK), 1.0, 0.01, accuracy={"position": "5 m", "angle": 3.14})
    assert wide.remarks == [
        "position 5 m is more than the mechanism's size of 1 m: it says little, unless bodies travel far"
    ]
    assert not lw.plan(lw.load(CRANK), 1.0, 0.01, accuracy={"position": "0.1 m"}).remarks


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"t_end": 0.0}, "t_end"),
        ({"time_limit": 0.0}, "time_limit"),
        ({"effort": "great"}, "no effort 'great'"),
        ({"rtol": 1e-6}, "do not go together"),
        ({"formulation": "rA", "integrator": "dop853"}, "does not fit"),
        ({"newton": "full"}, "newton"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
def test_calls_that_cannot_be_carried_out(how: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        lw.simulate(lw.load(CRANK), **{"t_end": 1.0, "step": 0.01, "accuracy": 1e-4, **how})


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["run", TOP, "--t-end", "0.2", "--step", "0.01", "--accuracy", "1e-5", "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["info"]["accuracy"]["reached"]
    assert status_of(["run", TOP, "--formulation", "rA", "--time-limit", "1"]) == 2
    assert "goes with --accuracy" in capsys.readouterr().err
    assert status_of(["run", CHAOTIC, "--t-end", "3", "--step", "0.01", "--accuracy", "position=1um", "--json"]) == 9
    told = capsys.readouterr()
    assert json.loads(told.out)["error"]["code"] == "LW-ACCURACY"
    assert "neighbouring motions part" in told.err


def test_words_of_the_command_line() -> None:
    assert from_words(["1e-6"]) == "1e-6"
    assert from_words(["position=1 mm", "reaction:crank pivot=1e-3 N"]) == {
        "position": "1 mm",
        "reaction": {"crank pivot": "1e-3 N"},
    }
    assert [(one.quantity, one.bound) for one in wanted({"angle": "1deg"})] == [("angle", pytest.approx(np.pi / 180))]
    with pytest.raises(UsageError):
        from_words(["1e-6", "2"])


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("rest", ["1 mm", "0.1 mm"])
def test_a_bound_for_all_beside_one_of_a_named_body(order: int, rest: str) -> None:
    words = from_words([f"position={rest}", "position:slider=0.1 mm"][::order])
    found = {(round(1e6 * one.bound), one.who) for one in wanted(words)}  # micrometres
    assert found == ({(1000, ()), (100, ("slider",))} if rest == "1 mm" else {(100, ())})


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["position:=1mm"], "names nobody"),
        (["=1e-4"], "neither a number nor"),
        (["position=1mm", "position=2mm"], "said twice"),
        (["position:a=1mm", "position:a=1mm"], "said twice"),
        (["1e-4", "position=1mm"], "A number stands alone"),
    ],
)
def test_words_that_say_nothing_or_too_much(words: list[str], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        from_words(words)
    assert told in str(caught.value)


def test_what_was_said_of_the_accuracy_is_in_the_file(tmp_path: Any) -> None:
    path = tmp_path / "run.nc"
    result = lw.simulate(lw.load(TOP), 0.2, 0.01, accuracy=1e-5, out=path)
    again = lw.open_result(path)
    assert again.accuracy == result.accuracy
    assert "accuracy reached" in again.summary()
    assert again.success


def test_a_named_method_is_kept_to() -> None:
    mech = lw.load("spatial_slider_crank_spring")
    result = lw.simulate(mech, 0.2, 0.01, "rA", "generalized-alpha", accuracy=1e-4)
    exact = lw.simulate(mech, 0.2, 2e-5, "rA", "generalized-alpha", every=500)
    assert (result.info["formulation"], result.info["integrator"]) == ("rA", "generalized-alpha")
    assert result.success
    assert result.accuracy is not None
    assert true_error(result, exact) <= result.accuracy.error <= 1e-4


def test_a_plan_says_why_and_is_saved(tmp_path: Any) -> None:
    made = lw.plan(lw.load(CRANK), 1.0, 0.01, accuracy=1e-6)
    text = str(made)
    assert "close loops" in text
    assert "operations an evaluation (estimated)" in text
    counted = lw.counts_of(lw.load(CRANK), "articulated-body").total
    assert made.considered[0].operations == pytest.approx(counted, rel=0.4)
    assert f"chosen (estimate): {made.chosen.method.label}" in text
    made.save(tmp_path / "plan.json")
    made.save(tmp_path / "plan.yaml")
    assert json.loads((tmp_path / "plan.json").read_text())["considered"][0]["operations"] > 1000
    assert made.run().success


def test_trials_leave_wisdom_and_what_does_not_fit_is_ignored(tmp_path: Any) -> None:
    mech = lw.load(TOP)
    made = lw.plan(mech, 0.5, 0.01, accuracy=1e-5, effort="patient")
    assert made.chosen.seconds is not None
    assert made.run().success
    document = json.loads(wisdom.path().read_text())
    assert document["topologies"][wisdom.key_of(mech)]["tolerances"]
    wisdom.forget()
    assert wisdom.merge(wisdom.path()) == 1
    for spoilt in ("no json", json.dumps({**document, "version": "0"}), json.dumps({**document, "topologies": 3})):
        (tmp_path / "other.json").write_text(spoilt)
        wisdom.forget()
        with pytest.raises(UsageError, match="nothing was taken"):
            wisdom.merge(tmp_path / "other.json")


def test_one_measured_formulation_stands_beside_others_on_the_same_machine() -> None:
    """A busy machine that took three times as long in one trial: the others would take three times as long, too."""
    mech = lw.load("kissel2021_slider_crank")
    before = [(one.method.label, one.predicted) for one in lw.plan(mech, 0.5, 0.01, accuracy=1e-6).considered]
    wisdom.learn_speed(mech, "articulated-body", 7574, 3 * NANOSECONDS["articulated-body"])
    after = [(one.method.label, one.predicted) for one in lw.plan(mech, 0.5, 0.01, accuracy=1e-6).considered]
    assert [label for label, _ in after] == [label for label, _ in before]
    assert after[1][1] == pytest.approx(3 * before[1][1], rel=0.1)


def test_a_stiff_damper_switches_the_plan_to_an_implicit_method() -> None:
    described = lw.load("spatial_slider_crank_spring").to_dict()
    described["forces"][0] |= {"stiffness": 1e9, "damping": 1e7, "length": None}
    mech = lw.Mechanism.from_dict(described)
    made = lw.plan(mech, 0.02, 0.001, accuracy=1e-5)
    assert made.traits.stiff
    assert not made.chosen.method.explicit
    result = made.run()
    assert result.success
    assert result.accuracy is not None
    explicit = lw.simulate(mech, 0.02, 0.001, "articulated-body", "dop853", rtol=1e-9, stabilisation="projection")
    assert int(result.info["steps"]) < 0.01 * int(explicit.info["steps"])
    assert true_error(result, explicit) <= result.accuracy.error <= 1e-5


def test_the_default_keeps_an_accuracy_of_1e_4_and_takes_a_thousand_samples() -> None:
    mech = lw.load(CRANK)
    result = lw.simulate(mech, 2.0)
    found = result.accuracy
    assert found is not None
    assert found.reached
    assert found["pose"].asked == 1e-4
    assert result.time.size == 1001
    exact = lw.simulate(mech, 2.0, 2e-3, "lie-mixed", "dop853", rtol=1e-12, atol=1e-14, stabilisation="projection")
    assert true_error(result, exact) <= 1e-4
    assert lw.simulate(mech, 0.1, 0.05).time.tolist() == [0.0, 0.05, 0.1]  # a step alone is the time between samples


@pytest.mark.parametrize("how", [{"formulation": "rA"}, {"integrator": "generalized-alpha"}, {"newton": "full"}])
def test_whoever_names_how_is_not_planned_for(how: dict[str, Any]) -> None:
    result = lw.simulate(lw.load(CRANK), 0.02, 1e-3, **how)
    assert result.accuracy is None
    assert result.info["formulation"] == "rA"


def test_rates_of_two_runs_that_are_alike_are_apart_by_rounding() -> None:
    """Both have it: 2e-11 of the largest value, here 2 m/s and 3 rad/s. Poses have none."""
    asked = (Wanted("velocity", 1e-9), Wanted("angular_velocity", 1e-9), Wanted("position", 1e-9))
    of_velocity, of_spin, of_position = apart(handmade.result(), handmade.result(), asked, 1.0)
    assert of_velocity.distance == pytest.approx(2 * 2e-11, rel=1e-9)
    assert of_spin.distance == pytest.approx(3 * 2e-11, rel=1e-9)
    assert np.all(of_position.distance == 0.0)


def test_what_is_not_a_number_meets_no_bound() -> None:
    asked = (Wanted("position", 0.5), Wanted("velocity", 4.0))
    nobody = np.zeros(3, dtype=np.intp)
    found = (Apart(np.array([1.0, np.nan, 0.1]), nobody), Apart(np.array([2.0, 1.0, 1.0]), nobody))
    assert ratio(found, asked).tolist() == [2.0, np.inf, 0.25]


def test_a_mechanism_that_nothing_can_run_is_told_with_its_reason_once(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of many bodies, too: the last two links of a chain of 70 turn and have no mass."""
    mech, before = lw.Mechanism("finger"), "ground"
    for k in range(70):
        massive = k < 68
        mech.body(f"b{k}", mass=float(massive), inertia=[0.1 * massive] * 3, position=[0.1 * k, 0, 0])
        mech.joint(f"j{k}", "revolute", before, f"b{k}", point=[0.1 * k - 0.05, 0, 0], axis=[0, 1, 0.1 * (k % 3)])
        before = f"b{k}"
    made = lw.plan(mech, 0.1)
    assert made.refusal is not None
    assert "'b68', 'b69': a free motion has no inertia" in str(made)
    assert str(made).count("no inertia") == 1
    assert "chosen" not in str(made)
    assert made.to_dict()["formulation"] is None
    with pytest.raises(SingularPositionError, match="no method can run 'finger': 'b68', 'b69'"):
        made.run()
    save(mech, tmp_path / "finger.json")
    assert status_of(["plan", str(tmp_path / "finger.json"), "--t-end", "0.1"]) == SingularPositionError.exit_status
    assert "Give what moves mass" in capsys.readouterr().err


def test_who_can_run_it_is_asked_of_the_cheapest_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    refusal = Formulation.refusal

    def noted(self: Formulation, mechanism: Any) -> str | None:
        asked.append(self.name)
        return refusal(self, mechanism)

    monkeypatch.setattr(Formulation, "refusal", noted)
    made = lw.plan(lw.load(CRANK), 1.0, 0.01)
    assert made.chosen.method.formulation.name == "articulated-body"
    assert asked == ["articulated-body"]
    assert {one.method.formulation.name for one in made.considered} > {"canonical", "lie-mixed", "augmented", "rA"}
    assert sorted(asked) == sorted(set(asked))


def test_an_end_time_that_is_no_number_is_refused_in_words() -> None:
    with pytest.raises(UsageError, match=r"t_end must be a number of seconds, not '1'"):
        lw.simulate(lw.load("planar_four_bar"), "1", 0.1)  # type: ignore[arg-type]


def test_more_samples_than_there_is_room_for_are_refused_in_words() -> None:
    for how in ({}, {"formulation": "lie-mixed", "integrator": "ts54", "rtol": 1e-6}):
        with pytest.raises(UsageError, match="steps"):
            lw.simulate(lw.load("muller2013_heavy_top"), 1.0, 1e-12, **how)  # type: ignore[arg-type]


def test_each_point_of_a_measured_torque_ends_a_step_and_no_run_creeps_for_it() -> None:
    """21,000 points between straight lines: runs were given up as creeping, and an implicit method took 35 s."""
    n, t_end = 21_000, 10.0
    torque = np.cumsum(np.random.default_rng(1).normal(size=n)) * (t_end / n) ** 0.5
    mech = lw.Mechanism("measured")
    mech.body("arm", mass=2, inertia=[0.02, 0.02, 0.001], position=[0, 0, -0.25])
    mech.joint("axle", "revolute", "ground", "arm", point=[0, 0, 0], axis=[0, 1, 0])
    mech.table("torque", x=np.linspace(0.0, t_end, n).tolist(), y=torque.tolist(), between="linear", outside="hold")
    mech.force("motor", "motor", joint="axle", effort="table('torque', t) - 0.1*rate('axle')")
    result = lw.simulate(mech, t_end)
    assert result.accuracy is not None
    assert result.accuracy.reached
    assert [one.failed for one in result.accuracy.trials] == [""] * len(result.accuracy.trials)
    assert int(result.info["steps"]) > 20_000
    fixed = lw.simulate(mech, t_end, 1e-3, "canonical", "rk4")
    np.testing.assert_allclose(result["position"][-1], fixed["position"][-1], atol=1e-4)
