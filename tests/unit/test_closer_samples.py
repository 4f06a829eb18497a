"""Planned runs whose work samples do not tell: judged on closer samples of the same motion, right and wrong alike."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import erf

import linkwork as lw
from linkwork.errors import WrongResultError
from linkwork.judgement.energy import work_of
from linkwork.planner import handing_over
from linkwork.planner.closer_samples import PARTS, ROUNDS, Cleared, judged_closely
from linkwork.planner.handing_over import HandedOver
from linkwork.planner.tolerances import Attempt, Outcome
from linkwork.result import Result
from linkwork.status import TIME_UP

FORCES = {
    "a stop": "-9.81 + if(displacement('rail') < -0.3, -2e4*(displacement('rail') + 0.3), 0)",
    "a stop with a damper": "-9.81 + if(displacement('rail') < -0.3, "
    "max(0, -2e4*(displacement('rail') + 0.3) - 20*rate('rail')), 0)",
    "a force that is on over a centimetre": "if(displacement('rail') < -0.1, 0, "
    "if(displacement('rail') < -0.09, 500, -9.81))",
    "a switch that hangs on the time": "if(displacement('rail') + 0.3 > 0.15*sin(5*t), -10, 10)",
    "a push of four milliseconds": "-5*displacement('rail') + if(t < 1.013, 0, if(t < 1.017, 400, 0))",
}  # fmt: skip


def pushed(effort: str) -> lw.Mechanism:
    """One kilogram on a rail."""
    mechanism = lw.Mechanism("pushed")
    mechanism.body("block", mass=1.0, inertia=[0.1, 0.1, 0.1])
    mechanism.joint("rail", "prismatic", "ground", "block", point=[0, 0, 0], axis=[1, 0, 0])
    mechanism.force("push", "motor", joint="rail", effort=effort)
    return mechanism


def ball() -> lw.Mechanism:
    """Falls onto an elastic floor, for 4.4 ms at first."""
    mech = lw.Mechanism("ball", gravity=[0, 0, -9.81])
    mech.body("ball", mass=0.1, inertia=[4e-5] * 3, position=[0, 0, 1], velocity=[1, 0, 0])
    depth, rate = "(0.03 - position('ball', 'z'))", "velocity('ball', 'z')"
    floor = f"if({depth} > 0, max(0, 5e4*{depth} - 5*{rate}), 0)"
    mech.force("floor", "force", body="ball", components=["0", "0", floor])
    return mech


@pytest.mark.parametrize("effort", FORCES.values(), ids=FORCES)
def test_forces_that_are_switched_leave_no_doubt(effort: str) -> None:
    result = lw.simulate(pushed(effort), 3.0)
    assert (result.success, result.judgement, result.verdicts) == (True, "good", ())
    assert result.accuracy is not None
    assert result.accuracy.reached
    assert any("the energy balance was judged on" in one for one in result.messages)
    assert result.time.size == 1001


def test_a_ball_that_bounces_is_not_called_wrong() -> None:
    """Nor are contacts between unevenly spaced samples taken for ones that steps passed over."""
    mech = ball()
    run = lw.simulate(mech, 3.0)
    assert (run.judgement, run.success) == ("good", True)
    touch = np.sqrt(2.0 * 0.97 / 9.81)
    times = np.concatenate(
        [np.linspace(0.0, 0.4, 41), touch + np.linspace(-5e-4, 6e-3, 200), np.linspace(0.6, 1.0, 41)]
    )
    uneven = lw.simulate(mech, 1.0, 0.01, "lie-mixed", "dop853", rtol=1e-9, t_eval=times)
    assert "missed" not in [one.kind for one in uneven.verdicts]


def test_contacts_between_samples_are_a_doubt_of_chosen_methods() -> None:
    """161 steps, samples 3 ms apart, a contact of 4.4 ms: the run is right, and its samples do not tell its work."""
    run = lw.simulate(ball(), 3.0, 0.003, "lie-mixed", "dop853", rtol=1e-8)
    (told,) = run.verdicts
    assert (told.kind, told.severity, run.success) == ("unresolved", "doubtful", True)
    assert "from t = 0.444 s on, in which formulas of the state (force 'floor') may act" in told.text
    loose = lw.simulate(ball(), 3.0, 0.003, "lie-mixed", "dop853", rtol=1e-1, atol=1e-1)
    assert loose.judgement != "good"


def test_equal_calls_do_not_judge_again(monkeypatch: pytest.MonkeyPatch) -> None:
    mech = pushed(FORCES["a stop"])
    first = lw.simulate(mech, 1.0, 0.01)
    monkeypatch.setattr(handing_over, "judged_closely", None)
    again = lw.simulate(mech, 1.0, 0.01)
    assert (again.judgement, again.messages) == ("good", first.messages)
    assert again.info["energy_judged"] == first.info["energy_judged"]
    told, energy = first.info["energy_judged"], first.to_dict()["energy"]
    assert told["samples"] >= 1000
    assert (energy["work"], energy["samples"]) == (first["work"][-1], told["samples"])
    np.testing.assert_array_equal(again["work"], first["work"])
    assert energy["largest_residual"] <= 2.0 * told["unexplained"] < 0.02 * np.ptp(first["kinetic_energy"])
    assert np.max(np.abs(first.energy_balance().residual)) == energy["largest_residual"]
    assert f"on {told['samples']} samples" in first.summary()
    np.testing.assert_array_equal(again["position"], first["position"])


@pytest.mark.parametrize("step", [None, 0.001])
def test_a_part_on_a_shaker_is_not_ended_for_energy_from_nothing(step: float | None) -> None:
    """Contacts of 0.4 ms between samples, by which a moving tray gives all the energy there is."""
    mech = lw.Mechanism("shaker", gravity=[0, 0, -9.81])
    mech.body("part", mass=0.2, inertia=[1e-3] * 3, position=[0, 0, 0])
    mech.joint("rail", "translational", "ground", "part", point=[0, 0, 0], axis=[0, 0, 1])
    gap = "(6e-4*sin(40*pi*t) - displacement('rail'))"
    rate = "(0.024*pi*cos(40*pi*t) - rate('rail'))"
    mech.force("tray", "motor", joint="rail", effort=f"if({gap} > 0, max(0, 1e7*{gap} + 60*{rate}), 0)")
    planned = lw.simulate(mech, 0.5, step, "canonical", "ts54", accuracy=1e-4)
    assert planned.judgement == "good"
    assert planned.accuracy is not None
    assert planned.accuracy.reached
    with pytest.raises(WrongResultError, match=r"limit 9\)"):  # one that was set holds
        lw.simulate(mech, 0.5, 0.001, "canonical", "dop853", rtol=1e-8, limits={"growth": 9.0})
    chosen = lw.simulate(mech, 0.5, 0.001, "canonical", "dop853", rtol=1e-8)
    assert [one.kind for one in chosen.verdicts] in (["sampling"], ["unresolved"])
    np.testing.assert_allclose(chosen["position"][-1], planned["position"][-1], atol=2e-4)


def test_a_run_of_few_samples_for_want_of_time_says_so_when_it_is_cleared() -> None:
    made = lw.plan(pushed(FORCES["a stop"]), 3.0, formulation="canonical", integrator="ts54")
    few = made.run()
    few.success, few.message, few.status = False, "the time limit left time for some samples only.", TIME_UP
    chosen = Attempt(made.chosen.method, 1e-6, few, 0.0, bound=np.zeros(few.time.size))
    told = HandedOver(made.setting, Outcome((chosen,), chosen, reached=True), (chosen,), 1.0)
    balance = Cleared(2000, np.zeros(few.time.size), 0.0)
    cleared = told._cleared(few, balance)
    assert (cleared.success, cleared.message, cleared.status) == (False, few.message, TIME_UP)


def test_few_samples_are_not_called_wrong() -> None:
    effort, times = FORCES["a force that is on over a centimetre"], np.linspace(0.0, 3.0, 7)
    result = lw.simulate(pushed(effort), 3.0, t_eval=times)
    assert (result.success, result.judgement) == (True, "good")
    np.testing.assert_allclose(result.time, times)


def test_a_doubt_that_closer_samples_do_not_clear_stays() -> None:
    result = lw.simulate(pushed(FORCES["a stop with a damper"]), 3.0, limits={"energy": 1e-12})
    assert [one.kind for one in result.verdicts] == ["sampling"]
    assert not any("was judged on" in one for one in result.messages)


def test_a_file_has_the_verdict_of_closer_samples(tmp_path: Any) -> None:
    file = tmp_path / "run.nc"
    lw.simulate(pushed(FORCES["a stop"]), 1.0, out=file)
    kept = lw.open_result(file)
    assert kept.judgement == "good"
    assert np.max(np.abs(kept.energy_balance().residual)) < 0.01 * np.ptp(kept["kinetic_energy"])


class Made(dict[str, Any]):
    """What is asked of a result."""

    bodies, info = ("a",), dict[str, Any]()

    @property
    def time(self) -> NDArray[np.float64]:
        return cast("NDArray[np.float64]", self["time"])


class Motion:
    """A body that is pushed for a millisecond, and gains a multiple of the work; how often it was sampled."""

    def __init__(self, gained: float) -> None:
        self.gained, self.sizes = gained, list[int]()

    def __call__(self, time: NDArray[np.float64]) -> Result:
        self.sizes.append(len(time))
        return self.at(time)

    def at(self, time: NDArray[np.float64]) -> Result:
        x = (time - 0.50037) / 1e-3
        power = np.exp(-(x**2))
        kinetic = 1e-3 + self.gained * 0.5e-3 * np.sqrt(np.pi) * (1.0 + erf(x))
        off = np.max(np.abs(kinetic - kinetic[0] - work_of(time, power))) > 1e-2 * np.ptp(kinetic)
        made = Made(time=time, power=power, kinetic_energy=kinetic, potential_energy=0.0 * time)
        made.info = {"steps": 30, "verdicts": [{"kind": "energy"}] if off else []}
        return cast(Result, made)


def test_intervals_that_hide_work_are_divided() -> None:
    motion = Motion(1.0)
    found = judged_closely(motion.at(np.linspace(0.0, 1.0, 101)), motion, 0.01)
    assert found is not None
    assert not found.info["verdicts"]
    assert motion.sizes[0] == 1000
    assert motion.sizes[-1] < 1000 + 40 * PARTS * ROUNDS


def test_energy_that_no_work_gives_is_given_up_after_a_few_rounds() -> None:
    motion = Motion(1.2)
    found = judged_closely(motion.at(np.linspace(0.0, 1.0, 2001)), motion, 0.01)
    assert found is None
    assert len(motion.sizes) <= 3
