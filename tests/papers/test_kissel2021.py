"""Kissel 2021: every item with fewer steps than `linkwork reproduce` takes, and the studies' own references."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.studies.papers.kissel2021 import PAPER, double_pendulum, iterations, mechanisms, orders, speed
from linkwork.studies.papers.kissel2021.one_unknown import BEFORE, PREDICTED, mean_iterations
from linkwork.studies.runs import Runs


@pytest.fixture(scope="module")
def runs() -> Runs:
    """Shared by all items, as in `linkwork reproduce`."""
    return Runs()


def item(name: str, runs: Runs):
    (chosen,) = PAPER.chosen([name])
    return chosen.run(runs)


def test_constraints_are_the_papers(runs):
    found = item("table 7", runs)
    assert found.verdict == "agrees"
    assert found.table["paper"] == found.table["ours"]
    assert sum(found.table["ours"]) == 6 + 18 + 18


def test_iterations_of_table_9(runs):
    found = item("table 9", runs)
    assert found.verdict == "agrees in part"  # fewer than the paper, alike in all formulations
    assert len(found.table["mechanism"]) == 9
    for name in ("predictor (11)", "with accelerations", "extrapolated"):
        assert max(found.table[f"ours, {name}"]) < min(found.table["paper (C1 = C2)"])
    assert found.numbers["single pendulum, rA, predictor (11)"] == pytest.approx(2.0, abs=0.02)


@pytest.mark.parametrize(
    ("start", "kept", "wanted"),
    [(PREDICTED, False, 2.0), (PREDICTED, True, 2.0), (BEFORE, False, 3.0), (BEFORE, True, 3.56)],
)
def test_one_equation_needs_two_iterations(start, kept, wanted):
    found = mean_iterations(start, kept=kept, step=1e-3, tolerance=1e-10, t_end=3.0)
    assert found == pytest.approx(wanted, abs=0.01)


@pytest.mark.parametrize("name", ["figure 2", "figure 4"])
def test_iterations_depend_on_the_step_and_not_on_the_formulation(name, runs, monkeypatch):
    monkeypatch.setattr(iterations, "STEPS", (1e-2, 5e-3, 1e-3, 2e-4))
    found = item(name, runs)
    assert found.verdict == "agrees", found.measured
    assert len(found.table["step [s]"]) == 4
    assert found.panels[0].log == "x"


def test_counts_that_differ_between_formulations_would_not_agree():
    counts = {
        (h, f, w): 3.0 - k * (f == "rA") + (h > 1e-3)
        for k in (1.0,)
        for h in iterations.STEPS
        for f in mechanisms.FORMULATIONS
        for w in iterations.NEWTONS
    }
    assert iterations.over_steps("figure 4", counts, iterations.NEWTONS, "full").verdict == "differs"


def test_the_double_pendulum_tends_to_the_reference(runs, monkeypatch):
    monkeypatch.setattr(double_pendulum, "STEPS", (1e-2, 1e-3, 1e-4, 5e-5, 2e-5))
    monkeypatch.setattr(double_pendulum, "SHOWN", (1e-2, 1e-4))
    found = item("figure 3", runs)
    assert found.verdict == "agrees", found.measured
    assert found.numbers["rA, h = 2e-05 s, at 5 s [m]"] < 0.01


def test_the_reference_is_exact():
    """Energy, and an explicit method of order 8 on other equations."""
    times = np.linspace(0.0, 5.0, 101)
    a, b, da, db = double_pendulum.angles(times)
    p = double_pendulum
    J1, J2 = p.m1 * (p.width**2 + p.l1**2) / 12, p.m2 * (p.width**2 + p.l2**2) / 12
    square = (p.l1 * da) ** 2 + (p.l2 * db / 2) ** 2 + p.l1 * p.l2 * da * db * np.cos(a - b)
    T = 0.5 * (J1 + p.m1 * p.l1**2 / 4) * da**2 + 0.5 * J2 * db**2 + 0.5 * p.m2 * square
    V = -p.g * (p.m1 * p.l1 / 2 * np.cos(a) + p.m2 * (p.l1 * np.cos(a) + p.l2 / 2 * np.cos(b)))
    assert_allclose(T + V, V[0], atol=1e-8)
    run = lw.simulate(lw.load(mechanisms.DOUBLE), 5.0, 2e-3, "lie-se3", "dop853", every=25)
    assert_allclose(run.position("bar 2")[:, 2], double_pendulum.heights(5.0, 100), atol=1e-8)


@pytest.mark.parametrize("number", [5, 6, 7])
def test_velocities_and_accelerations_are_of_first_order(number, runs, monkeypatch):
    monkeypatch.setattr(orders, "STEPS", (5e-3, 2e-3, 1e-3, 5e-4))
    monkeypatch.setattr(orders, "ENDS", (5e-3, 5e-4))
    found = item(f"figure {number}", runs)
    assert found.verdict == "agrees", found.measured
    assert found.numbers["rA, velocity, order of the largest"] == pytest.approx(1.0, abs=0.02)
    assert found.numbers["largest error of positions [m]"] < 1e-10
    assert found.panels[0].log == "xy"


@pytest.mark.parametrize("name", ["table 8", "table 10"])
def test_speeds_are_measured_beside_the_papers(name, runs, monkeypatch):
    monkeypatch.setattr(speed, "SPANS", (0.01, 0.05))
    monkeypatch.setattr(speed, "REPEATS", 1)
    found = item(name, runs)
    assert found.table["paper C1"][0] in (2.21, 2.43)
    assert len(found.table["mechanism"]) == len(found.panels[0].names) * 2
    assert len(found.panels[0].curves) == 4
    assert set(found.data) == {"mechanism", "formulation", "settings", "round", "time per step [us]"}


@pytest.mark.parametrize(
    ("rA", "re", "verdict"),
    [
        (2.4, 1.3, "agrees"),
        (1.3, 1.1, "agrees in part"),
        (1.1, 0.9, "agrees in part"),
        (1.02, 0.9, "within the noise"),
        (0.9, 0.8, "differs"),
        (1.2, 1.3, "differs"),
    ],
)
def test_the_verdict_on_speed_follows_the_numbers(rA, re, verdict, runs):
    price = {"rp": 1.0, "rA": 1.0 / rA, "re": 1.0 / re}
    cost = {
        (m, f, w): np.full(9, us)
        for m in mechanisms.DRIVEN
        for f, us in price.items()
        for w in (speed.THEIRS, speed.OURS)
    }
    found = speed.compared(runs, mechanisms.PUBLISHED["table 8"], mechanisms.DRIVEN, cost, "kinematics")
    assert found.verdict == verdict
    assert bool(found.why) == (verdict != "agrees")


def test_unknowns_are_those_of_the_formulations(runs):
    assert speed.unknowns(runs, mechanisms.SLIDER_CRANK, "rA", "dynamics") == 36
    assert speed.unknowns(runs, mechanisms.SLIDER_CRANK, "rp", "dynamics") == 42
    assert speed.unknowns(runs, mechanisms.SLIDER_CRANK, "rp", "kinematics") == 21
