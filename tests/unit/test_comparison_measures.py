"""What a comparison makes of a run, on runs made by hand: errors, shares, prices, orders, words."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from unit.comparison_case import study
from unit.handmade import DT, N, result

from linkwork.reports.comparison import pictures
from linkwork.reports.comparison.page import findings, orders
from linkwork.studies.comparison import words
from linkwork.studies.comparison.agreement import agreement_of
from linkwork.studies.comparison.case import Case, Setting
from linkwork.studies.comparison.comparison import Agreement, Comparison
from linkwork.studies.comparison.measures import Row, conservative, energy_curve, failed, measured, reaction_error
from linkwork.studies.comparison.reference import Reference, conclude
from linkwork.studies.convergence import Convergence
from linkwork.studies.motion import Motion

LENGTH = 0.5
CASE = Case("rA", "generalized-alpha", step=DT / 10)
SAID = {"counts": {"steps": 100, "iterations": 250}, "messages": ["something"], "operations": {"operations": 7}}
CLOCK = {"run_seconds": 3e-3, "peak_memory": 80_000_000, "memory_rise": 5_000_000}
ALL = slice(None)


def of(run: Any, *, truth: Any = None, unique: bool = True, timing: Any = CLOCK) -> Any:
    """The row and curves of a run against a reference, itself unless another is given."""
    other = truth or result()
    reference = Reference(Motion.of(other), 1e-12, 1e-12, "made by hand")
    return measured(
        CASE, "key", SAID, run, interval=DT, length=LENGTH, reference=reference, reference_result=other, timing=timing,
        unique=unique,
    )  # fmt: skip


def test_errors_of_poses_and_velocities() -> None:
    row, curves = of(result(("position", (4, 1, 1), 0.01), ("velocity", (6, 0, 1), 0.02)))
    assert row.pose_error == pytest.approx(0.02)  # 0.01 m of 0.5 m
    assert row.rate_error == pytest.approx(0.01)  # of 2 m/s
    assert row.error == row.pose_error
    assert row.digits == pytest.approx(-math.log10(0.02))
    assert curves.error[4] == pytest.approx(0.02)
    assert curves.error[6] == pytest.approx(0.01)


def test_what_is_said_against_a_run_stands_in_its_row_and_below_the_table() -> None:
    lost = {"kind": "energy", "severity": "wrong", "text": "4 J are gone.", "cure": "Take care."}
    good, _ = of(result(info={"judgement": "good", "verdicts": []}))
    wrong, _ = of(result(info={"judgement": "wrong", "verdicts": [lost]}))
    assert (good.judgement, good.verdicts) == ("good", ())
    assert (wrong.judgement, wrong.verdicts) == ("wrong", ("4 J are gone. Take care.",))
    rows = (good, replace(wrong, case=replace(CASE, formulation="rp"), key="other"))
    found = compared(*rows)
    judged = words.columns(found).index("judged")
    assert [line[judged] for line in words.table(found)] == ["good", "WRONG"]
    assert words.text(found).count("wrong: rp, generalized-alpha, h = 0.01 s: 4 J are gone. Take care.") == 1
    assert [row["judgement"] for row in found.to_dict()["runs"]] == ["good", "wrong"]
    assert list(found.dataset["judgement"].values) == ["good", "wrong"]


def test_errors_of_reactions_are_shares_of_the_largest() -> None:
    """0.1 N of 10 N; 0.1 N m over 0.5 m of 10 N; of the reference's largest, whatever the run's own."""
    for name, share in (("reaction_force", 0.01), ("reaction_torque", 0.02)):
        row, _ = of(result((name, (4, 1, 1), 0.1)))
        assert row.reaction_error == pytest.approx(share)
    doubled = result(("reaction_force", (ALL, 0, 2), 10.0))
    assert of(doubled)[0].reaction_error == pytest.approx(1.0)
    assert math.isnan(of(doubled, unique=False)[0].reaction_error)
    none = result(("reaction_force", (ALL, 0, 2), -10.0))
    assert math.isnan(reaction_error(none, ALL, none, DT, LENGTH))


def test_energy_drift_is_in_joules_and_as_a_share_of_the_largest_kinetic_energy() -> None:
    row, curves = of(result(("potential_energy", slice(5, None), -0.4)))
    assert row.energy_drift == pytest.approx(0.4)
    assert row.energy_share == pytest.approx(0.05)  # of 8 J
    assert_allclose(curves.energy, [0.0] * 5 + [-0.4] * (N - 5), atol=1e-15)


def test_energy_is_measured_against_what_is_known() -> None:
    """Conservative: its own change; driven: the reference; without one: what the work does not explain."""
    pick = np.arange(N)
    run = result(("kinetic_energy", ALL, np.linspace(0.0, 1.0, N)))
    truth = result(("kinetic_energy", ALL, np.linspace(0.0, 0.75, N)))
    assert energy_curve(run, None, pick)[1] == "change since the start"
    power = np.full(N, 0.6)
    for made in (run, truth):
        made._arrays["power"] = power
    curve, what = energy_curve(run, truth, pick)
    assert what == "difference from the reference"
    assert_allclose(curve, np.linspace(0.0, 0.25, N), atol=1e-14)
    curve, what = energy_curve(run, None, pick)
    assert what.startswith("not explained by the work")
    assert curve[-1] == pytest.approx(1.0 - 0.6 * 1.0)


def test_power_that_is_only_rounding_leaves_a_mechanism_conservative() -> None:
    for power, still in ((7e-13, True), (9e-13, False)):  # W over 1 s, of 8 J
        made = result()
        made._arrays["power"] = np.full(N, power)
        assert conservative(made) is still


def test_prices_are_per_step_and_per_simulated_second() -> None:
    made = result()
    made._time = made._time * 4.0  # 4 s in 100 steps, 3 ms
    made._arrays["time"] = made._time
    row, _ = measured(
        CASE, "key", SAID, made, interval=4 * DT, length=LENGTH, reference=None, reference_result=None, timing=CLOCK,
        unique=True,
    )  # fmt: skip
    assert row.us_per_step == pytest.approx(30.0)
    assert row.us_per_second == pytest.approx(750.0)
    assert row.iterations_per_step == pytest.approx(2.5)
    assert (row.peak_memory, row.memory_rise, row.timed) == (80_000_000, 5_000_000, True)
    assert math.isnan(row.error)
    untimed, _ = of(result(), timing={"error": {"code": "LW-X"}})
    assert not untimed.timed
    assert math.isnan(untimed.us_per_step)


def test_violations_are_the_largest_at_compared_times() -> None:
    made = result()
    made._arrays["position_violation"] = np.linspace(0.0, 1e-6, N)
    made._arrays["velocity_violation"] = np.linspace(2e-5, 0.0, N)
    row, curves = of(made)
    assert row.position_violation == pytest.approx(1e-6)
    assert row.velocity_violation == pytest.approx(2e-5)
    assert curves.position_violation[3] == pytest.approx(3e-7)


def test_only_formulations_that_nobody_asked_for_may_refuse() -> None:
    said = {"kind": "UnsupportedElementError", "error": {"code": "LW-UNSUPPORTED", "message": "has no inertia."}}
    assert failed(CASE, "key", said).status == "refused"
    assert failed(replace(CASE, wanted=True), "key", said).status == "failed"
    assert failed(CASE, "key", {**said, "kind": "ConvergenceError"}).status == "failed"


# references -------------------------------------------------------------------------------------------------

TIGHT = {name: Case(name, "dop853", rtol=1e-12) for name in ("lie-se3", "joint-rates", "rotation-matrix")}


def test_the_reference_and_its_witness_are_the_two_that_agree_best() -> None:
    off = {"lie-se3": 0.0, "joint-rates": 1e-4, "rotation-matrix": 1.001e-4}
    motions = {
        case: Motion.of(result(("position", (5, 1, 1), off[name]), ("velocity", (5, 1, 1), 7.0 * off[name])))
        for name, case in TIGHT.items()
    }
    found = conclude(list(TIGHT.values()), motions, LENGTH)
    assert found is not None
    assert found.case == TIGHT["joint-rates"]
    assert found.uncertainty == pytest.approx(1e-7 / LENGTH, rel=1e-6)
    assert found.rate_uncertainty == pytest.approx(7e-7 / 2.0, rel=1e-6)
    assert found.how.startswith("joint-rates, dop853")
    assert conclude([TIGHT["lie-se3"]], motions, LENGTH) is None


def test_steps_are_extrapolated_by_their_order() -> None:
    """Positions 1 + 4 h^2: with h = 0.2 and 0.1 the limit is exactly 1."""
    cases = [Case("rA", "generalized-alpha", step=step) for step in (0.2, 0.1)]
    motions = {case: Motion.of(result(("position", (ALL, 0, 1), 1.0 + 4.0 * case.step**2))) for case in cases}
    found = conclude(cases, motions, LENGTH)
    assert found is not None
    assert_allclose(found.motion.position[:, 0, 1], 1.0, rtol=1e-14)
    assert found.uncertainty == pytest.approx(0.04 / LENGTH)


def test_agreement_is_of_poses() -> None:
    rows = [row(1e-3, name=name) for name in ("rA", "rp", "re")]
    off = {"rA": 0.0, "rp": 5e-6, "re": 5e-3}
    motions = {
        one.key: Motion.of(
            result(("position", (5, 1, 1), off[one.key.split()[0]]), ("velocity", (2, 0, 0), off[one.key.split()[0]]))
        )
        for one in rows
    }
    found = agreement_of(rows, lambda key: motions[key], LENGTH)
    assert [case.formulation for case in found.cases] == ["rA", "rp", "re"]
    assert found.digits[0][1] == found.digits[1][0] == pytest.approx(5.0)
    assert found.digits[2][0] == pytest.approx(2.0)
    assert math.isinf(found.digits[1][1])


# pages ------------------------------------------------------------------------------------------------------


def row(error: float, *, step: float = 1e-3, name: str = "rA", integrator: str = "rk4", **more: Any) -> Row:
    made = {"us_per_second": 100.0, "us_per_step": 1.0, "timed": True, "rate_error": 0.0} | more
    return Row(Case(name, integrator, step=step), f"{name} {integrator} {step}", "done", pose_error=error, **made)


def compared(*rows: Row, **more: Any) -> Comparison:
    reference = Reference(Motion.of(result()), 1e-12, 1e-12, "made by hand")
    made: dict[str, Any] = {
        "study": study(), "mechanism": "by hand", "description": "", "bodies": 2, "joints": 2, "t_end": 1.0,
        "interval": DT, "length": LENGTH, "rows": rows, "curves": {}, "reference": reference, "reference_tried": (),
        "agreement": Agreement(),
    }  # fmt: skip
    return Comparison(**(made | more))


def test_observed_orders_are_those_of_the_finest_steps_that_are_known() -> None:
    """Order 1 first, then order 4, then below twenty times what is known."""
    rows = [row(1e-2, step=0.4), row(5e-3, step=0.2), row(5e-3 / 16, step=0.1), row(1e-9, step=0.05)]
    assert pictures.order(rows, 1e-10) == pytest.approx(4.0)
    assert pictures.order(rows, 4.9e-11) == pytest.approx(math.log2(5e-3 / 16 / 1e-9))
    assert math.isnan(pictures.order(rows[3:], 1e-10))
    assert orders(compared(*rows[:3]))["rA, rk4"] == "4.0"


def test_findings_name_the_best_and_the_cheapest() -> None:
    rows = [
        row(1e-9, name="rA", us_per_second=900.0),
        row(1e-7, name="rp", us_per_second=200.0),
        row(2e-7, name="re", us_per_second=300.0),
        row(1e-1, name="lie-se3", us_per_second=1.0),
    ]
    digits = ((math.inf, 4.7, 5.5), (4.7, math.inf, 6.0), (5.5, 6.0, math.inf))
    agreement = Agreement(tuple(one.case for one in rows[:3]), digits)
    said = " ".join(findings(compared(*rows, agreement=agreement)))
    assert "agree to at least 4.7 digits in poses (rp, rk4, h = 0.001 s, and rA, rk4, h = 0.001 s, agree least)" in said
    assert "Least error: rA, rk4, h = 0.001 s, 9.0 digits, 900 µs per simulated second." in said
    assert "Cheapest run with an error below" in said
    assert "rp, rk4, h = 0.001 s, 7.0 digits, 200 µs" in said


def test_charts_show_errors_over_prices_and_over_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(pictures, "chart", lambda series, **words: shown.append((series, words)))
    made = compared(row(1e-3, step=2e-3, us_per_second=50.0), row(1e-4, us_per_second=100.0, us_per_step=7.0))
    looks = pictures.Looks.of(made)
    pictures.work_precision(made, looks)
    pictures.error_over_step(made, looks)
    (work, said), (steps, _) = shown
    assert (work[0].x, work[0].y) == ([50.0, 100.0], [1e-3, 1e-4])
    assert said["x"] == "µs per simulated second"
    assert (steps[0].x, steps[0].y) == ([2e-3, 1e-3], [1e-3, 1e-4])


def test_keys_of_runs_change_with_their_span() -> None:
    spans = ((1.0, 0.1), (2.0, 0.1), (1.0, 0.2))
    keys = {Setting("{}", *span, *accept).key(CASE) for span in spans for accept in product((True, False), repeat=2)}
    assert len(keys) == 12


def test_slopes_are_fitted_between_coarse_and_rounding() -> None:
    steps = np.array([0.8, 0.4, 0.2, 0.1, 0.05, 0.025])
    errors = np.array([0.5, 8e-5, 4e-5 / 2, 0.5e-5, 1e-12, 3e-12])
    found = Convergence(steps, errors)
    assert found.trusted.tolist() == [False, True, True, True, False, False]
    assert found.order == pytest.approx(2.0, abs=1e-9)
    assert math.isnan(Convergence(steps[:3], errors[:3]).order)
