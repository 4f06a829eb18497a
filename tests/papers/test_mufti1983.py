"""The comparison that Mufti 1983 leaves open: every item of the study, on a few mechanisms and methods."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from linkwork.formulations import FORMULATIONS
from linkwork.studies.finding import Verdict
from linkwork.studies.papers.mufti1983 import PAPER, agreement, comparison, cost, drift, growth, loops, methods, penalty
from linkwork.studies.runs import Runs

FEW = ("muller2013_three_bar", "planar_four_bar", "chain of 10")
SOME = {name: methods.WAYS[name] for name in ("augmented", "penalty", "null-space, qr", "null-space, svd", "cut-joint")}


@pytest.fixture(scope="module")
def runs() -> Any:
    """Shared by all items, as in `linkwork reproduce`, with less to do."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (agreement, penalty, comparison):
            patch.setattr(module, "MECHANISMS", FEW)
        for module in (agreement, drift, growth, comparison):
            patch.setattr(module, "WAYS", SOME)
        patch.setattr(comparison, "TIMED", FEW[:1])
        patch.setattr(drift, "SPAN", 1.0)
        patch.setattr(growth, "FAMILIES", [dataclasses.replace(one, sizes=(1, 2, 4)) for one in growth.FAMILIES])
        patch.setattr(penalty, "FACTORS", (1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8))
        forms = {name: loops.FORMS[name] for name in (*SOME, "range-space", "rA")}
        patch.setattr(loops, "FORMS", forms)
        yield Runs()


def finding(name: str, runs: Runs) -> Any:
    (item,) = PAPER.chosen([name])
    return item.run(runs)


def test_the_methods_are_those_of_the_registry() -> None:
    named = {how["formulation"] for how in methods.WAYS.values()}
    assert named == {name for name in FORMULATIONS if FORMULATIONS.load(name).paper == "Mufti 1983"}
    assert len(methods.MECHANISMS) >= 10


def test_methods_agree(runs: Runs) -> None:
    found = finding("agreement", runs)
    assert found.verdict is Verdict.AGREES
    assert all(value < 1e-9 for value in found.numbers.values())
    assert list(found.table["mechanism"]) == ["three bar", "planar four bar", "chain of 10"]


def test_drift_is_that_of_the_integration(runs: Runs) -> None:
    found = finding("drift", runs)
    assert found.verdict is Verdict.AGREES
    alone = [found.numbers[f"{drift.LOOP}, {way}, none, {drift.NAMES[0]}"] for way in SOME]
    assert max(alone) < 1.001 * min(alone)
    assert found.numbers[f"{drift.TREE}, cut-joint, {drift.REBUILT}, {drift.NAMES[0]}"] < 1e-13


def test_a_cost_is_the_least_of_the_rounds_after_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Microseconds per evaluation, each round in as many as the round before says that a run should have."""
    took = {"augmented": iter((1.0, 50.0, 40.0, 60.0)), "penalty": iter((2e3, 3e3, 4e3, 5e3))}  # us per evaluation
    asked: dict[str, list[int]] = {name: [] for name in took}

    def simulate(made: Any, t_end: float, step: float, *, formulation: str, every: int, **_: Any) -> Any:
        asked[formulation].append(every)
        assert t_end == every * step
        return SimpleNamespace(info={"processor_seconds": 1e-6 * every * next(took[formulation])})

    monkeypatch.setattr(cost, "simulate", simulate)
    found = cost.timed(None, took, rounds=4)  # type: ignore[arg-type]
    assert found == {"augmented": pytest.approx(40.0), "penalty": pytest.approx(3e3)}
    assert asked == {"augmented": [3, 4000, 100, 125], "penalty": [3, 3, 3, 3]}


@pytest.mark.parametrize(("values", "verdict"), [(10.0, Verdict.AGREES), (0.5, Verdict.PARTLY)])
def test_the_verdict_on_costs_follows_the_numbers(values: float, verdict: Verdict) -> None:
    """Singular values against QR, which takes 2 us here."""
    us = {name: dict.fromkeys(cost.WAYS, 2.0) | {"null-space, svd": 10.0} for name in cost.MECHANISMS}
    us["planar_four_bar"]["null-space, svd"] = values
    found = cost.cost(SimpleNamespace(once=lambda key, make: us))  # type: ignore[arg-type]
    assert found.verdict is verdict
    assert f"at least {values / 2.0:.2g} times" in found.measured


def test_growth_has_exponents_for_all(runs: Runs) -> None:
    found = finding("growth", runs)
    assert len(found.numbers) == len(SOME) * len(growth.FAMILIES)
    assert len(found.panels) == len(growth.FAMILIES)


def test_exponents_come_from_the_last_sizes() -> None:
    some = {n: 50.0 + 1e-3 * n**3 for n in (1, 2, 4, 8, 1000, 2000, 4000)}
    assert growth.exponent(some) == pytest.approx(3.0, abs=1e-3)
    assert not growth.affordable({500: 1e4, 1000: 6e4}, 1000)
    assert not growth.affordable({500: 4e3, 1000: 3e4}, 1000), "it would take eight times as long"
    assert growth.affordable({500: 1e3, 1000: 2e3}, 1000)


def test_one_solution_with_a_penalty_is_approximate_and_several_are_exact(runs: Runs) -> None:
    found = finding("penalty", runs)
    assert found.verdict is Verdict.AGREES
    assert found.numbers["slope of one solution"] == pytest.approx(-1.0, abs=0.1)
    assert found.numbers["best of until it stands still"] < 1e-12 < found.numbers["best of 1 solution"]


def test_redundant_rows_run_everywhere(runs: Runs) -> None:
    found = finding("redundant", runs)
    assert found.verdict is Verdict.AGREES
    assert "6 in Bricard" in found.measured
    assert np.nanmax(list(found.numbers.values())) < loops.ENERGY


def test_missing_inertia_is_refused_by_name(runs: Runs) -> None:
    found = finding("singular inertia", runs)
    held, free = (
        next(words for head, words in found.table.items() if head.startswith(name + ":"))
        for name in (loops.THIN_BRICARD, loops.NEEDLE)
    )
    lines = dict(zip(found.table["formulation"], held, strict=True))
    assert lines["range-space"] == lines["penalty"] == "refuses: needs inertia about every axis"
    assert all("refuses" not in lines[way] for way in ("augmented", "null-space, qr", "cut-joint", "rA"))
    assert all("refuses" in word for word in free)


def test_all_in_one_table(runs: Runs) -> None:
    found = finding("comparison", runs)
    assert found.table["method"] == list(SOME)
    assert all(word == "runs" for word in found.table["redundant rows"])
