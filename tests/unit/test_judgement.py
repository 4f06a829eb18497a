"""Runs that are wrong say so: verdicts on energies with known numbers, and on runs of every kind of integrator."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from mechanism_generator_couplings import mechanism_with_couplings

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.equations.derived import MechanismDeriver
from linkwork.errors import UnsupportedElementError, UsageError, WrongResultError
from linkwork.io.formats import shipped
from linkwork.judgement.energy import (
    balanced,
    energy_jump,
    exchanged,
    judge_energy,
    passing_power,
    work_of,
    work_uncertainty,
)
from linkwork.judgement.limits import Limits
from linkwork.status import Status
from linkwork.system import compile_mechanism

TOP = "muller2013_heavy_top"
QUIET = np.zeros(201)


def pendulum_on_a_light_cart(mass: float) -> lw.Mechanism:
    """1 kg on a rod of 1 m, hung on a cart on a rail."""
    m = lw.Mechanism("cart")
    m.body("cart", mass=mass, inertia=[mass] * 3)
    m.body("bob", mass=1.0, inertia=[0.01] * 3, position=(1.0, 0, 0))
    m.joint("rail", "translational", "ground", "cart", point=(0, 0, 0), axis=(1, 0, 0))
    m.joint("pin", "revolute", "cart", "bob", point=(0, 0, 0), axis=(0, 1, 0))
    return m


def swing(time: np.ndarray, lost: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Kinetic and potential energy of 10 J that swing to and fro; `lost` per second."""
    kinetic = 10.0 * np.sin(2 * time) ** 2
    return kinetic, 10.0 - kinetic - lost * time


def test_a_swing_exchanges_its_energy_however_often_it_swings() -> None:
    for t_end in (1.6, 100.0):
        time = np.linspace(0.0, t_end, 4001)
        assert exchanged(*swing(time), 0.0 * time) == pytest.approx(10.0, rel=1e-3)


def test_what_turns_steadily_counts_a_tenth_of_its_energy() -> None:
    assert exchanged(QUIET + 50.0, QUIET, QUIET) == pytest.approx(5.0)


def test_energy_that_work_explains_is_not_held_against_a_run() -> None:
    """3 W for 2 s make 6 J."""
    time = np.linspace(0.0, 2.0, 201)
    found = judge_energy(time, 3.0 * time, QUIET, QUIET + 3.0, 1e-9)
    assert found.unexplained == pytest.approx(0.0, abs=1e-9)
    assert found.exchanged == pytest.approx(6.0)
    found = judge_energy(time, 3.0 * time, QUIET, QUIET + 2.0, 1e-9)
    assert found.unexplained == pytest.approx(2.0)
    assert found.fraction == pytest.approx(2.0 / 6.0)
    assert found.time == 2.0


def test_energies_balance_up_to_the_limit_and_no_further() -> None:
    """What is not a number balances nowhere, whatever the limit."""
    time = np.linspace(0.0, 100.0, 20001)
    lost = time, *swing(time, lost=1e-3), 0.0 * time, 1e-9  # 0.1 J of 10.1 J
    assert balanced(*lost, limit=0.01)
    assert not balanced(*lost, limit=0.0098)
    assert not balanced(time, np.nan * time, *lost[2:], limit=np.inf)


def test_a_slow_loss_is_found() -> None:
    time = np.linspace(0.0, 100.0, 20001)
    found = judge_energy(time, *swing(time, lost=1e-3), 0.0 * time, 1e-9)
    assert found.fraction == pytest.approx(0.1 / 10.1, rel=1e-3)


@pytest.mark.parametrize("faster", [0.5, 1.0, 3.0, 10.0, 100.0, 1e4])
@pytest.mark.parametrize("begins", [0.0, 0.9])
def test_a_decay_within_an_interval_is_not_held_against_a_run(faster: float, begins: float) -> None:
    """A damper that takes 7 J, from the start on or from a sample on, done within a share of the samples' distance."""
    time = np.linspace(0.0, 2.0, 41)
    since, rate = time - begins, faster / 0.05
    decay = np.where(since > -1e-9, np.exp(-rate * np.maximum(since, 0.0)), 1.0)
    power = -3.0 - np.where(since > -1e-9, 7.0 * rate * decay, 0.0)
    kinetic = 100.0 - 3.0 * time - 7.0 * (1.0 - decay)
    if begins == 0.0:
        assert judge_energy(time, kinetic, QUIET[:41], power, 1e-9).unexplained <= 1e-9
    off = np.abs(work_of(time, power) - (kinetic - kinetic[0]))
    allowed = work_uncertainty(time, power)
    assert np.all(off <= allowed + 1e-9)
    lost = judge_energy(time, kinetic - 30.0 * time, QUIET[:41], power, 1e-9)
    assert lost.unexplained >= 60.0 - 2.0 * allowed[-1] - 1e-9


def test_a_hard_damper_that_is_done_before_the_first_sample_is_judged_on_closer_ones() -> None:
    """m v' = -c v with c / m = 1e4 / s, between samples every 0.02 s: right, judged wrong once, doubtful later."""
    mech = lw.Mechanism("hard", gravity=(0.5, 0, 0))
    mech.body("cart", mass=1.0, inertia=[1.0] * 3, position=[0, 0, 0], velocity=[2.0, 0, 0])
    mech.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("damper", "joint-spring", joint="rail", damping=1e4)
    run = lw.simulate(mech, 1.0, 0.02, "canonical", "ts54", accuracy=1e-6)
    wanted = 2e-4 * (1 - np.exp(-1e4 * run.time)) + 0.5 / 1e4 * (run.time - (1 - np.exp(-1e4 * run.time)) / 1e4)
    np.testing.assert_allclose(run.position("cart")[:, 0], wanted, atol=1e-6)
    assert (run.judgement, run.success, run.verdicts) == ("good", True, ())
    few = lw.simulate(mech, 1.0, 0.02, "canonical", "ts54", rtol=run.info["rtol"])
    assert [one.kind for one in few.verdicts] == ["sampling"]
    wide = lw.simulate(mech, 1.0, 0.02, "rA", "radau5", accuracy=1e-6)  # ten steps: only a curve between
    assert ([one.kind for one in wide.verdicts], wide.success) == (["sampling"], True)


def test_what_samples_cannot_tell_is_not_held_against_a_run() -> None:
    """Power that changes faster than it is recorded: the trapezoidal rule is off, and that is known."""
    time = np.linspace(0.0, 2.0, 41)
    power = 30.0 * np.cos(9.0 * time)
    exact = 30.0 / 9.0 * np.sin(9.0 * time)
    off = np.abs(work_of(time, power) - exact)
    assert off.max() > 0.05
    assert np.all(off <= work_uncertainty(time, power) + 1e-12)
    found = judge_energy(time, 10.0 + exact, 0.0 * time, power, 1e-9)
    assert found.unexplained == 0.0
    assert found.unsure == pytest.approx(off.max())


@pytest.mark.parametrize("lost", [0.0, 0.3])
def test_what_passes_between_samples_is_not_held_against_a_run_and_a_loss_is(lost: float) -> None:
    """4 W are put on at t = 0 and braked away at once: of their sum, zero at every sample, 0.1 J went into the wheel.

    From then on a loss is seen: nothing passes that samples do not show.
    """
    time = np.linspace(0.0, 2.0, 21)
    taken = np.where(time > 0.0, 4.0, 0.0)
    kinetic = np.where(time > 0.0, 0.1, 0.0) + 5.0 * np.sin(time) ** 2
    potential = 5.0 * np.cos(time) ** 2 - lost * time
    found = judge_energy(time, kinetic, potential, 0.0 * time, 1e-9, taken)
    unseen = 2 * 2 * 40.0 / 0.1 * 0.1**3 / 6.0  # a bend of 40 W/s at 0.1 s, in two intervals of 0.1 s, on both sides
    assert found.unexplained == pytest.approx(max(0.0, 2 * lost - 0.1 - unseen), abs=1e-12)
    blind = judge_energy(time, kinetic, potential, 0.0 * time, 1e-9)
    assert blind.unexplained == pytest.approx(0.1 if lost == 0.0 else 2 * lost - 0.1)


def test_passing_power_is_what_is_given_and_taken_at_once() -> None:
    power, taken = np.array([3.0, -2.0, 1.0, 0.0]), np.array([0.0, 2.0, 5.0, 7.0])
    np.testing.assert_array_equal(passing_power(power, taken), [0.0, 0.0, 5.0, 7.0])


def braked(damping: float, *, swinging: bool = False) -> lw.Mechanism:
    """Three gears, 2 N m on the first from t = 0 on, the last held by a brake; a pendulum of 1 kg beside them."""
    m = lw.Mechanism("gears", gravity=(0, 0, -9.81 if swinging else 0))
    for k, moment in enumerate((0.3, 0.02, 0.05)):
        m.body(f"wheel {k}", mass=1.0, inertia=[moment] * 3, position=(0.4 * k, 0, 0))
        m.joint(f"axle {k}", "revolute", "ground", f"wheel {k}", point=(0.4 * k, 0, 0), axis=(0, 0, 1))
    m.coupling("mesh 1", "gear", joint="axle 1", joint2="axle 0", ratio=-3)
    m.coupling("mesh 2", "gear", joint="axle 2", joint2="axle 1", ratio=-0.5)
    m.force("load", "torque", body="wheel 0", components=[0, 0, 2.0])
    m.force("brake", "torsion", joint="axle 2", stiffness=0.0, damping=damping)
    if swinging:
        m.body("bob", mass=1.0, inertia=[0.01] * 3, position=(3.0, 0, 0))
        m.joint("pin", "revolute", "ground", "bob", point=(2.0, 0, 0), axis=(0, 1, 0))
    return m


@pytest.mark.parametrize(("step", "judgement"), [(1e-2, "doubtful"), (1e-3, "doubtful"), (1e-4, "good")])
def test_a_load_that_a_brake_eats_between_samples_is_no_energy_from_nothing(step: float, judgement: str) -> None:
    """The wheels have their speed of 3 mrad/s before the first sample: nobody sees how they came by it."""
    result = lw.simulate(braked(300.0), 50 * step, step, "lie-mixed", "dop853", rtol=1e-9)
    assert (result.success, result.judgement) == (True, judgement)
    assert [verdict.kind for verdict in result.verdicts] == (["sampling"] if judgement == "doubtful" else [])


@pytest.mark.parametrize("model", ["kissel2021_slider_crank", "planar_four_bar", "suspension"])
@pytest.mark.parametrize("samples", [1, 2, 3, 5, 8, 16, 20])
def test_few_samples_make_no_good_run_wrong(model: str, samples: int) -> None:
    """Second differences of power that is sampled once or twice a period say nothing of the work between."""
    result = lw.simulate(lw.load(model), 2.0, 2.0 / samples, "articulated-body", "dop853", rtol=1e-8)
    assert (result.success, result.judgement) == (True, "doubtful")
    assert {verdict.kind for verdict in result.verdicts} <= {"unresolved", "sampling"}


def turned_by_a_torsion(joint: str, spin: tuple[float, float, float]) -> lw.Mechanism:
    m = lw.Mechanism("held", gravity=[0, 0, 0])
    m.body("b", mass=1.0, inertia=[0.1, 0.2, 0.3], angular_velocity=spin)
    m.joint("pivot", joint, "ground", "b", **({} if joint == "spherical" else {"axis": [0, 0, 1]}), point=[0, 0, 0])
    m.force("coil", "torsion", first="ground", second="b", axis=[0, 0, 1], stiffness=1.0, damping=0.1)
    return m


def test_a_torsion_without_a_common_axis_is_no_error_of_the_method() -> None:
    """Its torque follows from no potential: 0.11 of 0.13 J are unexplained, at any tolerance."""
    for rtol in (1e-6, 1e-11):
        free = lw.simulate(turned_by_a_torsion("spherical", (1.0, 0.5, 0.2)), 3.0, 0.01, "canonical", "ts54", rtol=rtol)
        assert (free.success, [one.kind for one in free.verdicts]) == (True, ["unresolved"])
        assert "torsion spring 'coil', which tilt by" in free.verdicts[0].text
        assert "revolute" in free.verdicts[0].cure
    planned = lw.simulate(turned_by_a_torsion("spherical", (1.0, 0.5, 0.2)), 3.0, 0.01)
    assert (planned.success, planned.judgement) == (True, "doubtful")


def test_a_torsion_on_its_axis_hides_no_energy() -> None:
    good = lw.simulate(turned_by_a_torsion("spherical", (0.0, 0.0, 1.0)), 3.0, 0.01)
    assert good.judgement == "good"
    for joint in ("revolute", "spherical"):
        wrong = lw.simulate(turned_by_a_torsion(joint, (0.0, 0.0, 1.0)), 3.0, 0.05, "rA", "implicit-euler")
        assert (wrong.success, wrong.verdicts[0].kind) == (False, "energy")


def test_few_samples_excuse_nothing_where_they_are_enough() -> None:
    """Nothing works in a free motion; steps of one size end at samples; 100 samples resolve 13 steps."""
    loose = {"formulation": "articulated-body", "integrator": "ts54", "rtol": 1e-2}
    swinging = lw.simulate(lw.load("kissel2021_double_pendulum"), 3.0, 0.75, **loose)
    coarse = lw.simulate(
        lw.load("planar_four_bar"), 2.0, 0.02, "articulated-body", "ts54", rtol=0.1, stabilisation="projection"
    )
    stepped = lw.simulate(braked(0.44, swinging=True), 3.0, 5e-3, "rA", "implicit-euler", every=60)
    assert [run.verdicts[0].kind for run in (swinging, coarse, stepped)] == ["energy"] * 3


def test_a_loss_is_found_beside_a_load_that_a_brake_eats() -> None:
    """4 W pass from the load into the brake while a pendulum of 10 J is damped by the method."""
    result = lw.simulate(braked(0.44, swinging=True), 3.0, 5e-3, "rA", "implicit-euler")
    assert (result.success, result.verdicts[0].kind) == (False, "energy")
    good = lw.simulate(braked(0.44, swinging=True), 3.0, 5e-3, "rA")
    assert (good.success, good.judgement) == (True, "good")


def test_power_is_split_into_what_is_given_and_taken() -> None:
    """Of a motor with damping in one formula, of a spring's actuator beside its damper, of a driver that brakes."""
    m = lw.Mechanism("three", gravity=(0, 0, 0))
    for k, name in enumerate(("motor", "spring", "driver")):
        m.body(name, mass=1.0, inertia=[0.1] * 3, position=(k, 0, 0), angular_velocity=(0, 0, 2.0))
        m.joint(f"axle {name}", "revolute", "ground", name, point=(k, 0, 0), axis=(0, 0, 1))
    m.force("push", "motor", joint="axle motor", effort=5.0, velocity=0.0, damping=0.5)
    m.force("pull", "torsion", joint="axle spring", stiffness=0.0, damping=0.7, actuator=-3.0)
    m.driver("stop", "axle driver", "2*t - t**2")
    result = lw.simulate(m, 0.02, 1e-3, "lie-mixed", "dop853", rtol=1e-9)
    at = [result[name] for name in ("time", "position", "rotation", "velocity", "angular_velocity")]
    names = ("power", "taken_power")
    found = MechanismDeriver(compile_mechanism(m.lower())).derive(names, *at, None, None, result["multiplier"])
    rate = result["angular_velocity"][:, :, 2]
    brakes = 0.5 * rate[:, 0] ** 2 + 0.7 * rate[:, 1] ** 2 + 0.2 * rate[:, 2]
    gives = 5.0 * rate[:, 0] + 3.0 * rate[:, 1]
    np.testing.assert_allclose(found["taken_power"], brakes, rtol=1e-9)
    np.testing.assert_allclose(found["power"], gives - brakes, rtol=1e-9)


def test_limits_are_checked_and_known() -> None:
    assert Limits.of(None) == Limits()
    assert Limits.of({"energy": 0.5, "apart": float("inf")}).changed() == {"energy": 0.5, "apart": float("inf")}
    for bad, hint in (
        ({"enrgy": 1}, "energy"),
        ({"energy": -1}, "positive"),
        ({"energy": "1"}, "positive"),
        (3, "map"),
    ):
        with pytest.raises(UsageError, match=hint):
            Limits.of(bad)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def spoiled() -> lw.Result:
    """A top that implicit Euler takes all energy from."""
    return lw.simulate(lw.load(TOP), 1.0, 1e-3, "rA", "implicit-euler")


def test_a_result_that_has_lost_its_energy_is_no_success(spoiled: lw.Result) -> None:
    assert (spoiled.success, spoiled.completed, spoiled.status) == (False, True, Status.JUDGED_WRONG)
    assert spoiled.judgement == "wrong"
    first = spoiled.verdicts[0]
    assert (first.kind, first.severity, first.limit) == ("energy", "wrong", 0.01)
    assert first.value > 0.5
    assert "generalized-alpha" in first.cure
    text = spoiled.summary()
    assert "judged WRONG" in text
    assert "of energy are unexplained" in text
    assert "WRONG" in repr(spoiled)
    assert spoiled.to_dict()["verdicts"][0]["kind"] == "energy"


def test_what_is_said_against_a_run_stays_in_its_file(spoiled: lw.Result, tmp_path) -> None:
    spoiled.save(tmp_path / "kept.nc")
    streamed = tmp_path / "streamed.nc"
    lw.simulate(lw.load(TOP), 1.0, 1e-3, "rA", "implicit-euler", out=streamed)
    for path in (tmp_path / "kept.nc", streamed):
        again = lw.open_result(path)
        assert (again.success, again.completed, again.judgement) == (False, True, "wrong")
        assert again.verdicts[0].kind == "energy"
        assert again.verdicts[0].value == pytest.approx(spoiled.verdicts[0].value, rel=0.05)


def test_plots_say_in_their_titles_what_is_said_against_a_run(spoiled: lw.Result) -> None:
    assert "JUDGED WRONG" in spoiled.plot()._suptitle.get_text()
    assert spoiled.plot("energy")._suptitle.get_text().startswith("Judged wrong:")
    good = lw.simulate(lw.load(TOP), 0.1, 1e-3, "rA")
    assert (good.success, good.judgement, good.verdicts) == (True, "good", ())
    assert "JUDGED" not in good.plot()._suptitle.get_text()
    assert good.plot("energy")._suptitle is None


def test_coarse_steps_are_doubted_and_the_result_stays_a_success() -> None:
    m = lw.Mechanism("spinning", gravity=(0, 0, 0))
    m.body("wheel", mass=1.0, inertia=[0.1, 0.1, 0.2], angular_velocity=(0, 0, 70.0))
    result = lw.simulate(m, 0.2, 5e-3, "rA")
    assert result.success
    assert result.judgement == "doubtful"
    assert [verdict.kind for verdict in result.verdicts] == ["turn"]
    assert result.verdicts[0].value == pytest.approx(5e-3 * 70.0, rel=0.02)
    assert result.plot("energy")._suptitle.get_text().startswith("Doubtful: Steps are coarse")
    assert not lw.simulate(m, 0.2, 5e-3, "rA", limits={"turn": 0.5}).verdicts


def test_the_exit_status_of_a_wrong_result_is_seven(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", TOP, "--integrator", "implicit-euler", "--t-end", "1", "--step", "1e-3", "--json"]
    assert status_of([*words, "--out", str(tmp_path / "run.nc")]) == 7
    told = capsys.readouterr()
    said = json.loads(told.out)
    assert (said["success"], said["judgement"], said["error"]["code"]) == (False, "wrong", "LW-WRONG")
    assert "judged wrong" in told.err
    assert (tmp_path / "run.nc").exists()
    assert status_of([*words, "--limit", "energy=inf"]) == 0
    assert status_of([*words, "--limit", "energy"]) == 2


@pytest.mark.parametrize("name", shipped())
def test_shipped_mechanisms_are_good_at_their_own_settings(name: str) -> None:
    result = lw.simulate(lw.load(name), formulation="rA")
    assert (result.judgement, result.verdicts) == ("good", ())


# joints that come apart -------------------------------------------------------------------------------------------


def test_joints_that_come_apart_end_the_run_at_a_row_and_a_time() -> None:
    """Articulated-body with rk4 on the four link at steps of 0.05 s: it ended with a violation of 0.245 and success."""
    with pytest.raises(WrongResultError) as caught:
        lw.simulate(lw.load("kissel2021_four_link"), 3.0, 0.05, "articulated-body", "rk4", limits={"apart": 0.002})
    error, result = caught.value, caught.value.result
    assert error.exit_status == 7
    assert "joints come apart: row '" in error.message
    assert (result.success, result.completed, result.status) == (False, False, Status.LIMIT_PASSED)
    assert result.judgement == "wrong"
    assert 0 < result.time.size < 61
    assert f"t = {result.time[-1]:.6g} s" in error.message
    assert "NOT completed" in result.summary()
    result = lw.simulate(lw.load("kissel2021_four_link"), 3.0, 0.05, "articulated-body", "rk4")
    assert not result.success
    assert "violation" in [verdict.kind for verdict in result.verdicts]


def test_a_rod_that_grows_is_no_success() -> None:
    """Canonical and rk4, a pendulum on a very light cart: its rod of 1 m ended 76 m long."""
    try:
        result = lw.simulate(pendulum_on_a_light_cart(1e-6), 2.0, 1e-2, "canonical", "rk4")
    except lw.errors.ConvergenceError as error:
        result = error.result
    assert not result.success
    if not result.completed:
        rod = np.linalg.norm(result.position("bob") - result.position("cart"), axis=1)
        assert np.all(np.abs(rod[:-33] - 1.0) < 0.2)


def test_a_symmetric_method_that_comes_apart_is_ended(tmp_path) -> None:
    """The heavy top, lie-product and stormer-verlet at 2 ms: 1.39 m apart after 20 s, with success."""
    path = tmp_path / "run.nc"
    with pytest.raises(WrongResultError, match="come apart") as caught:
        lw.simulate(lw.load(TOP), 20.0, 2e-3, "lie-product", "stormer-verlet", every=10, out=path)
    kept = lw.open_result(path)
    assert kept.time[-1] < 20.0
    assert (kept.status, kept.judgement) == (Status.LIMIT_PASSED, "wrong")
    assert kept["position_violation"][:-1].max() <= 0.11
    assert caught.value.result.verdicts[0].kind == "apart"


def test_energy_from_nothing_ends_a_run_and_limits_let_it_pass() -> None:
    """A stiff spring that rk4 cannot follow: the amplitude grows until nothing is finite."""
    m = lw.Mechanism("stiff", gravity=(0, 0, 0))
    m.body("block", mass=1.0, inertia=[0.1] * 3, position=(1.1, 0, 0))
    m.joint("rail", "translational", "ground", "block", point=(0, 0, 0), axis=(1, 0, 0))
    m.force("spring", "spring", first="ground", second="block", point=(0, 0, 0), point2=(1.1, 0, 0), stiffness=1e6,
            length=1.0)  # fmt: skip
    with pytest.raises(WrongResultError) as caught:
        lw.simulate(m, 2.0, 3e-3, "lie-product", "rk4")
    assert caught.value.result.verdicts[0].kind in ("growth", "finite")
    assert caught.value.result.time[-1] < 1.0


def test_a_start_that_does_not_fit_is_doubted() -> None:
    m = lw.Mechanism("off")
    m.body("bar", mass=1.0, inertia=[0.1] * 3, position=(1.2, 0, 0))
    for name, c in zip("xyz", np.eye(3).tolist(), strict=True):
        m.constraint(name, "CD", "bar", "ground", c=c, s_i=(-1, 0, 0))
    result = lw.simulate(m, 0.01, 1e-3, "rA")
    assert [verdict.kind for verdict in result.verdicts] == ["assembly"]
    assert "moved body 'bar'" in result.verdicts[0].text


def test_a_pose_that_is_left_out_is_looked_for_without_a_doubt() -> None:
    m = lw.Mechanism("left out")
    m.body("bar", mass=1.0, inertia=[0.1] * 3)
    place = {"point": (0, 0, 0), "axis": (0, 1, 0)}
    m.joint("pivot", "revolute", "ground", "bar", on_first=place, on_second={**place, "point": (-1, 0, 0)})
    result = lw.simulate(m, 0.01, 1e-3, "rA")
    assert any(message.startswith("assembly: body 'bar' moved by 1 m") for message in result.messages)
    assert result.judgement == "good", result.verdicts


def test_the_same_run_gets_the_same_verdicts_whatever_the_chunks() -> None:
    """What is looked at is fixed beforehand and does not depend on the clock."""
    slow = lw.simulate(
        lw.load(TOP), 0.5, 1e-3, "rA", "implicit-euler", progress=lambda t, end: [sum(range(1000)) for _ in range(300)]
    )
    quick = lw.simulate(lw.load(TOP), 0.5, 1e-3, "rA", "implicit-euler")
    assert slow.verdicts == quick.verdicts


# settings beyond reason -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "hint"),
    [
        ({"step": 1e300}, "step must lie between"),
        ({"step": 1e-300, "t_end": 1e-299}, "t_end must lie between"),
        ({"formulation": "lie-se3", "baumgarte": (1e300, 1e300)}, "between 0 and 1e"),
        ({"formulation": 7}, "formulation is named by a word"),
        ({"integrator": 7}, "integrator is named by a word"),
        ({"formulation": "lie-se3", "rtol": 1e-6, "max_step": 1e-12}, "too many"),
        ({"step": 1e-12, "t_end": 1e3}, "too many"),
    ],
)
def test_settings_beyond_reason_are_refused_in_words(how: dict[str, object], hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        lw.simulate(**({"mech": lw.load(TOP), "t_end": 0.1, "step": 1e-3} | how))  # type: ignore[arg-type]


def test_penalty_refuses_a_body_that_is_too_heavy_for_its_inertia() -> None:
    m = lw.Mechanism("heavy")
    m.body("bar", mass=1e30, inertia=[0.1] * 3, position=(1, 0, 0))
    m.joint("pin", "revolute", "ground", "bar", point=(0, 0, 0), axis=(0, 1, 0))
    with pytest.raises(UnsupportedElementError, match="loses its digits"):
        lw.simulate(m, 0.1, 1e-3, "penalty")


def test_energy_that_goes_between_two_samples_alone_is_told() -> None:
    """The contact of a cam pair leaps: `canonical` takes it as a blow that costs 0.9 % of the energy, and was good."""
    mech = mechanism_with_couplings(5247)
    result = lw.simulate(mech, 3.1, 0.02, "canonical", "dop853", rtol=1e-10)
    assert [(one.kind, one.severity) for one in result.verdicts] == [("jump", "doubtful")]
    assert "0.296 J of energy go at once between t = 2.98 s and 3 s" in str(result.verdicts[0])
    assert lw.simulate(mech, 2.9, 0.02, "canonical", "dop853", rtol=1e-10).judgement == "good"


@pytest.mark.parametrize(("everywhere", "power", "told"), [(1e-4, 0.0, True), (1e-2, 0.0, False), (1e-4, 40.0, False)])
def test_a_jump_stands_alone(everywhere: float, power: float, told: bool) -> None:
    """0.5 J of 50 go between two samples; beside errors in all intervals, or power that sets in, nothing is
    said."""
    time, kinetic = np.arange(100) * 0.1, 50.0 * np.sin(np.arange(100) * 0.1) ** 2
    kinetic = kinetic + everywhere * np.arange(100)
    potential = 50.0 - 50.0 * np.sin(time) ** 2
    kinetic[50:] -= 0.5
    given = np.where(np.arange(100) == 50, power, 0.0)
    amount, k = energy_jump(time, kinetic, potential, given, 0.0 * time)
    assert (amount == pytest.approx(-0.5, abs=1e-3) and k == 49) is told


@pytest.mark.parametrize(("spin", "wound"), [(30.0, 0.0), (0.0, 10.0), (0.0, 100.0)])
@pytest.mark.parametrize(
    ("step", "how"),
    [
        (0.5, {"formulation": "articulated-body", "integrator": "dop853", "rtol": 1e-9, "atol": 1e-9}),
        (1e-3, {"formulation": "canonical", "integrator": "rk4", "every": 500}),
    ],
)
def test_coils_that_turn_on_between_samples_are_not_called_wrong(
    spin: float, wound: float, step: float, how: dict[str, Any]
) -> None:
    """A coil of 0.5 N m/rad turns 0.1 kg m^2, by more than half a turn from sample to sample: right, and not judged."""
    m = lw.Mechanism("coil", gravity=[0, 0, 0])
    m.body("rotor", mass=2, inertia=[0.1] * 3, position=[0, 0, 0], angular_velocity=[0, 0, spin])
    m.joint("pin", "revolute", "ground", "rotor", point=[0, 0, 0], axis=[0, 0, 1])
    m.force("spring", "torsion", joint="pin", stiffness=0.5, angle=wound)
    found, rate = lw.simulate(m, 5.0, step, **how), np.sqrt(5.0)
    wanted = spin * np.cos(5.0 * rate) + wound * rate * np.sin(5.0 * rate)
    assert found["angular_velocity"][-1, 0, 2] == pytest.approx(wanted, rel=1e-6)
    (said,) = found.verdicts
    assert (said.kind, said.severity) == ("unresolved", "doubtful")
    assert "and their turns are not known" in said.text
    close = lw.simulate(m, 5.0, min(step, 0.01), **{**how, "every": 1})
    assert close.judgement == "good" or "torsion springs turn" not in close.verdicts[0].text


@pytest.mark.parametrize("speed", [30.1, 31.0, 38.0, 60.0])
def test_the_step_that_a_coarse_run_is_told_to_take_is_fine_enough(speed: float) -> None:
    mech = lw.Mechanism("rotor")
    mech.body("rotor", mass=1.0, inertia=[0.1, 0.1, 0.2], position=[0, 0, 0], angular_velocity=[0, 0, speed])
    mech.joint("axle", "revolute", "ground", "rotor", point=[0, 0, 0], axis=[0, 0, 1], x=[1, 0, 0])
    told = next(one for one in lw.simulate(mech, 0.1, 1e-2, "canonical", "heun").verdicts if one.kind == "turn")
    step = float(told.cure.split()[3])
    assert 0.0 < step < 1e-2
    assert not [one for one in lw.simulate(mech, 20 * step, step, "canonical", "heun").verdicts if one.kind == "turn"]
