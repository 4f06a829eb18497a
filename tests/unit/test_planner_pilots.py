"""Pilot runs of a plan: what they record, what is worked out of them, and what is handed over."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from unit.planned import reference, true_error

import linkwork as lw
from linkwork.errors import ConvergenceError, RunInterruptedError, SingularPositionError
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS, runge_kutta_run
from linkwork.planner import handing_over, pilots, wisdom
from linkwork.planner.handing_over import HandedOver
from linkwork.planner.methods import Method
from linkwork.planner.pilots import PilotResult
from linkwork.planner.tolerances import Attempt, Outcome, alike
from linkwork.result import Result
from linkwork.run import recording
from linkwork.status import NOT_REACHED

CRANK, TOP, CHAOTIC = "kissel2021_slider_crank", "muller2013_heavy_top", "muller2013_spherical_double_pendulum"


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
    recorded.clear()
    lw.simulate(lw.load(CRANK), 3.0, 0.01)  # few steps, of whose second run the samples are few evaluations
    assert recorded == [True, True, True]


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


def test_few_samples_hide_no_energy_that_more_would_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is judged by more samples is wrong where these say so."""
    few = lw.simulate(lw.load(CRANK), 3.0, 0.6, "lie-mixed", "dop853", rtol=1e-8)
    assert few.judgement == "doubtful"
    bad = lw.simulate(lw.load(CRANK), 2.0, 0.01, "articulated-body", "ts54", rtol=1e-3)
    assert bad.judgement == "wrong"
    monkeypatch.setattr(handing_over, "one_run", lambda *words, **how: bad)
    made = lw.plan(lw.load(CRANK), 3.0, 0.6)
    chosen = Attempt(made.chosen.method, 1e-4, few, 0.0, compared=(), bound=np.zeros(few.time.size))
    told = HandedOver(made.setting, Outcome((chosen,), chosen, reached=True), (chosen,), None)._fairly_judged(few)
    assert (told.success, told.judgement, told.status, told.message) == (False, "wrong", bad.status, bad.message)
    assert np.array_equal(told["position"], few["position"])


def test_runs_are_the_same_bits_whatever_ran_before() -> None:
    mech = lw.load(TOP)
    one = lw.simulate(mech, 0.2, 0.01, accuracy=1e-5)
    lw.simulate(mech, 0.2, 0.01, accuracy=1e-8)
    assert np.array_equal(one["position"], lw.simulate(mech, 0.2, 0.01, accuracy=1e-5)["position"])


def test_what_is_handed_over_is_the_run_whose_error_was_estimated() -> None:
    mech = lw.load(CRANK)
    result = lw.simulate(mech, 2.0, 1e-3)
    said = {name: result.info[name] for name in ("rtol", "atol", "max_step")}
    again = lw.simulate(
        lw.load(CRANK),
        2.0,
        1e-3,
        result.info["formulation"],
        result.info["integrator"],
        stabilisation="projection",
        **said,
    )
    np.testing.assert_array_equal(result["position"], again["position"])
    np.testing.assert_array_equal(result["reaction_force"], again["reaction_force"])


def test_a_planned_run_streams_and_is_gone_on_with(tmp_path: Any) -> None:
    mech, file = lw.load(CHAOTIC), tmp_path / "run.nc"
    whole = lw.simulate(mech, 4.0, 1e-5, every=10)
    runs = whole.accuracy
    assert runs is not None

    def press(time: float, end: float) -> None:
        if any(tmp_path.iterdir()) and 0.5 < time < 3.9:  # the run that is handed over, not one before it
            raise KeyboardInterrupt

    with pytest.raises(RunInterruptedError):
        lw.simulate(lw.load(CHAOTIC), 4.0, 1e-5, every=10, out=file, progress=press)
    result = lw.resume(file)
    np.testing.assert_array_equal(result["position"], whole["position"])
    assert (result.success, result.status, result.message) == (False, NOT_REACHED, whole.message)
    kept = lw.open_result(file)
    assert kept.accuracy is not None
    assert kept.accuracy.until == runs.until
    assert not kept.success


def test_pilots_that_creep_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pilots, "CREEPING", 5)
    monkeypatch.setattr(pilots, "TIMES_PREDICTED", 0)
    monkeypatch.setattr(runge_kutta_run, "STEPS_PER_CALL", 16)  # between two looks
    result = lw.plan(lw.load(TOP), 1.0, 0.01, accuracy=1e-6).run()
    found = result.accuracy
    assert found is not None
    assert "steps become ever smaller" in found.trials[0].failed
    assert found.reached
    assert found.trials[-1].how.startswith(("lie-mixed with radau", "rA with radau"))


def test_whole_runs_in_the_place_of_pilots_that_creep_are_given_up_too() -> None:
    """A pilot that meets a loss of rank is taken as a whole run, which had no end where it crept up to it."""
    try:
        result = lw.simulate(random_mechanism(36), 1.0, 0.25)
    except SingularPositionError as met:  # it may be met to the last place, or one step before
        said = str(met)
    else:
        assert not result.success
        said = result.message
    assert "t = 0.546" in said


def test_too_good_a_run_is_loosened() -> None:
    mech = lw.load(CRANK)
    result = lw.simulate(mech, 1.0, 0.01, accuracy=1e-3)
    assert 1e-3 / 30 < true_error(result, reference(mech, 1.0, 0.01)) <= 1e-3


def test_a_loosened_run_is_bounded_by_the_known_one_and_says_so() -> None:
    mech = lw.load("stewart_platform_actuated")
    result = lw.simulate(mech, 0.2, 0.01, accuracy=1e-3)
    found = result.accuracy
    assert found is not None
    assert found.reached
    chosen = min(found.trials, key=lambda one: abs(one.steps - int(result.info["steps"])))
    assert chosen.value > found.trials[0].value, "the first run was too good"
    assert "and that run's own bound" in str(found)
    assert true_error(result, reference(mech, 0.2, 0.01)) <= found.error <= 1e-3


def test_errors_that_fall_less_than_they_should_are_trusted_less() -> None:
    alpha = Method(FORMULATIONS.load("rA"), INTEGRATORS.load("generalized-alpha").with_options(rtol=1e-4))
    dop = Method(FORMULATIONS.load("lie-mixed"), INTEGRATORS.load("dop853").with_options(rtol=1e-4))
    assert alpha.remaining() == pytest.approx(10.0 ** (-2.0 / 3.0))
    assert dop.remaining() == pytest.approx(0.1)
    assert dop.remaining(3.0) == dop.remaining(), "errors that fall faster are not believed to go on so"
    assert dop.remaining(0.7) == pytest.approx(10.0**-0.7)
    assert dop.remaining(-1.0) == dop.remaining(0.5)


def test_samples_far_apart_are_no_reason_to_call_a_run_wrong(tmp_path: Any) -> None:
    mech, file = lw.load(CRANK), tmp_path / "run.nc"  # work between such samples cannot be told from them
    plain = lw.simulate(mech, 3.0, 0.6, "lie-mixed", "dop853", rtol=1e-8)
    assert (plain.success, [one.kind for one in plain.verdicts]) == (True, ["unresolved"])
    result = lw.simulate(mech, 3.0, 0.6, out=file)
    assert result.success
    assert result.judgement == "good", "by more samples than were asked for"
    assert lw.open_result(file).success
    exact = reference(mech, 3.0, 0.6)
    assert true_error(result, exact) <= 1e-4


def test_an_interrupted_pilot_keeps_what_it_has(tmp_path: Any) -> None:
    def press(time: float, end: float) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "run.nc"
    with pytest.raises(RunInterruptedError) as caught:
        lw.simulate(lw.load(TOP), 5.0, 0.01, out=file, progress=press)
    assert not caught.value.result.success
    assert lw.open_result(file).time.size == caught.value.result.time.size > 1


def test_an_equal_call_begins_with_what_the_first_one_found() -> None:
    mech = lw.load("cart_pole")
    first, second = (lw.simulate(mech, 1.0, 0.01) for _ in range(2))
    other = lw.simulate(lw.load("cart_pole"), 1.0, 0.01)
    assert first.accuracy == second.accuracy  # seconds of pilots included: these were not made again
    for name in ("position", "rotation", "reaction_force"):
        np.testing.assert_array_equal(first[name], second[name])
        np.testing.assert_array_equal(first[name], other[name])
    tighter = lw.simulate(mech, 1.0, 0.01, accuracy=1e-7)
    assert tighter.accuracy is not None
    assert tighter.accuracy.trials[0].value < first.accuracy.trials[0].value  # type: ignore[union-attr]  # both have one
    mech.change(mech.bodies[0].name, mass=2.0 * mech.bodies[0].mass)
    changed = lw.simulate(mech, 1.0, 0.01)
    assert changed.accuracy != first.accuracy
    assert not np.array_equal(changed["position"], first["position"])


def test_what_cannot_be_reached_is_found_out_once() -> None:
    mech = lw.load("muller2013_spherical_double_pendulum")
    made = lw.plan(mech, 3.0, 0.01, accuracy=1e-4)
    first, second = made.run(), lw.plan(mech, 3.0, 0.01, accuracy=1e-4).run()
    assert made.known
    assert not first.success
    assert (first.message, first.accuracy) == (second.message, second.accuracy)
    np.testing.assert_array_equal(first["position"], second["position"])


def test_what_a_time_limit_ended_is_not_kept() -> None:
    lw.simulate(lw.load("muller2013_spherical_double_pendulum"), 0.01)
    made = lw.plan(lw.load("muller2013_spherical_double_pendulum"), 400.0, 0.02, accuracy=1e-4, time_limit=0.2)
    assert not made.run().success
    assert not made.known


def test_a_run_with_a_state_keeps_nothing() -> None:
    mech = lw.load("kissel2021_double_pendulum")
    state = lw.simulate(mech, 0.5, 0.01).state(-1)
    made = lw.plan(mech, 1.0, 0.01, state=state)
    made.run()
    assert lw.plan(mech, 1.0, 0.01, state=state).known is not made.known


class Judged(dict[str, Any]):
    """A stand-in for a run that is judged wrong by an energy of this share, and by others; J, its largest energy."""

    def __init__(self, value: float, *others: str, energy: float = 3.0) -> None:
        super().__init__(kinetic_energy=np.array([0.0, energy]))
        wrong = [{"kind": kind, "severity": "wrong", "value": value} for kind in ("energy", *others)]
        self.info = {"verdicts": [{"kind": "sampling", "severity": "doubtful"}, *wrong]}


def verdicts(value: float, *others: str, energy: float = 3.0) -> Any:
    return Judged(value, *others, energy=energy)


def test_energy_that_no_tolerance_explains_is_told_by_two_runs() -> None:
    assert alike(verdicts(0.10), verdicts(0.104))
    assert not alike(verdicts(0.10), verdicts(0.106))
    assert not alike(verdicts(0.10, "position"), verdicts(0.10))
    assert not alike(verdicts(0.10), SimpleNamespace(info={"verdicts": []}))  # type: ignore[arg-type]  # a stand-in
    assert not alike(None, verdicts(0.10))
    assert not alike(verdicts(0.9, energy=3e-3), verdicts(0.9, energy=1e-3))  # a method's error, of less and less


def test_samples_too_far_apart_for_the_work_do_not_tighten_a_run() -> None:
    """A damper that is done within the first sample: its work is not told by 50 samples, at whatever tolerance."""
    mech = lw.Mechanism("thrown", gravity=[0, 0, 0])
    mech.body("b", mass=1.0, inertia=[0.1] * 3, velocity=[1.0, 0, 0])
    mech.body("slow", mass=1.0, inertia=[0.1] * 3, position=[0, 1, 0], velocity=[0.1, 0, 0])
    for name, y in (("b", 0.0), ("slow", 1.0)):
        mech.joint(f"{name} rail", "translational", "ground", name, point=[0, y, 0], axis=[1, 0, 0])
    mech.force("brake", "spring", first="ground", second="b", point=[-1, 0, 0], point2=[0, 0, 0], stiffness=0.0,
               damping=2000.0)  # fmt: skip
    found = lw.simulate(mech, 1.0, 0.02, "articulated-body", "dop853", accuracy=1e-4)
    assert found.accuracy is not None
    assert found.accuracy.reached
    assert found.info["rtol"] == pytest.approx(max(one.value for one in found.accuracy.trials if one.bound))


def test_a_run_judged_wrong_by_its_energy_is_tightened_and_not_sampled_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 1e-2 the platform's springs lose 15 % of the energy, however many samples tell it; an equal call begins with
    what was handed over before."""
    made: list[tuple[float, float]] = []
    whole = handing_over.one_run

    def noted(setting: Any, method: Any, value: float, *more: Any, **how: Any) -> Result:
        made.append((setting.interval, value))
        return whole(setting, method, value, *more, **how)

    monkeypatch.setattr(handing_over, "one_run", noted)
    mech = lw.load("stewart_platform")
    first = lw.simulate(mech, 1.0, 0.05, accuracy=1e-2)
    assert first.judgement == "good"
    assert [interval for interval, _ in made] == [0.05] * len(made)
    assert len(made) == 2
    assert made[0][1] / made[1][1] == pytest.approx(10.0)
    again = lw.simulate(mech, 1.0, 0.05, accuracy=1e-2)
    assert made[2:] == made[1:2]
    assert np.array_equal(first["position"], again["position"])


def test_what_takes_the_place_of_a_run_judged_wrong_is_written(tmp_path: Any) -> None:
    out = tmp_path / "run.nc"
    result = lw.simulate(lw.load("stewart_platform"), 1.0, 0.05, accuracy=1e-2, out=out)
    kept = lw.open_result(out)
    assert kept.judgement == result.judgement == "good"
    assert np.array_equal(kept["position"], result["position"])


def test_many_turns_are_begun_with_a_tighter_run() -> None:
    method = Method(FORMULATIONS.load("canonical"), INTEGRATORS.load("dop853"))
    few = method.first(1e-4, 0.01, 19.9)
    assert few == method.first(1e-4, 0.01, 1.0) == pytest.approx(0.3 * method.first(1e-4, 0.01))  # the latter: driven
    assert method.first(1e-4, 0.01, 60.0) == pytest.approx(few / 9.0)
    assert method.first(1e-4, 0.01, 1e6) == pytest.approx(few / 400.0)
    assert method.first(1e-10, 0.01, 1e6) == pytest.approx(1e-12)  # a tenth of it is the tightest there is
    implicit = Method(FORMULATIONS.load("rA"), INTEGRATORS.load("radau9"))  # whose finer runs meet rounding sooner
    assert implicit.first(1e-9, 0.01, 19.9) == implicit.first(1e-9, 0.01)


def test_stability_that_limits_steps_is_begun_with_a_looser_run() -> None:
    """The motor of the cam holds its speed a hundred times faster than it turns: steps follow no tolerance there."""
    mech = lw.load("cam")
    made = lw.plan(mech, 1.0, 0.01)
    method = made.chosen.method
    assert made.traits.fastest == pytest.approx(0.5 / 4e-4)  # its damping over the cam's moment
    assert made.setting.size.limited(method, made.traits)
    result = made.run()
    found = result.accuracy
    assert found is not None
    assert found.reached
    first = found.trials[0]
    assert first.value == method.first(1e-4, 0.01, limited=True)
    assert first.value > 5.0 * method.first(1e-4, 0.01, 30.0)
    assert true_error(result, reference(mech, 1.0, 0.01)) <= found.error <= 1e-4
    assert len(found.trials) == 2


@pytest.mark.parametrize("interval", [5e-4, 1e-3, 2e-3])
def test_what_stays_at_rest_is_not_called_wrong_for_its_rounding(interval: float) -> None:
    """Nothing moves from an equilibrium: all energy that is exchanged is the method's error, and unexplained, at every
    tolerance the same share of it, which is no reason to stop tightening."""
    mech = lw.equilibrium(lw.load("suspension"), stable=True).mechanism
    result = lw.simulate(mech, 0.5, interval)
    assert result.success, result.message
    assert np.abs(result["position"] - result["position"][0]).max() < 1e-4 * 0.96


def test_a_run_that_would_not_end_says_so() -> None:
    """Dry friction holds a link where it turns round: steps become ever smaller, of whatever method."""
    mech = lw.Mechanism("held")
    mech.body("leg", mass=2, inertia=[0.03, 0.03, 0.001], position=[0, 0, -0.2])
    mech.body("shin", mass=1, inertia=[0.01, 0.01, 0.001], position=[0, 0, -0.6])
    mech.joint("hip", "revolute", "ground", "leg", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("knee", "revolute", "leg", "shin", point=[0, 0, -0.4], axis=[0, 1, 0])
    mech.force("friction", "joint-spring", joint="hip", force="0.8*sign(rate)")
    mech.force("drive", "motor", joint="knee", effort="sin(2*t)")
    said = r"'held': steps become ever smaller, \d+ of them up to t = .*formula of force 'friction' .*round it off"
    with pytest.raises(ConvergenceError, match=said):
        lw.simulate(mech, 1.2, 1e-2, accuracy={"position": 1e-6})


def test_a_run_that_slides_along_a_switch_ends_soon() -> None:
    """Switched to and fro at x = -v/2, along which the motion decays: each passing takes some fifty steps, and there is
    no end of them. It went on for minutes, as less than 1e8 steps would have brought it to its end."""
    mech = lw.Mechanism("switched", gravity=[0, 0, 0])
    mech.body("cart", mass=1, inertia=[0.1, 0.1, 0.1], position=[1, 0, 0])
    mech.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("relay", "motor", joint="rail", effort="if(position('cart', 'x') + rate('rail')/2 > 0, -10, 10)")
    with pytest.raises(ConvergenceError, match=r"ever smaller, (\d+) of them.* formula of force 'relay'") as met:
        lw.simulate(mech, 3.0, 1e-2, accuracy=1e-4)
    steps = re.search(r"smaller, (\d+)", str(met.value))
    assert steps is not None
    assert int(steps[1]) < 1e6
