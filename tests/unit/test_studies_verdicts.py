"""Every verdict of `reproduce` is a function of numbers: each on both sides of what decides it.

A verdict that is not here would be fixed in the code; `test_no_verdict_is_left_out` counts them.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from linkwork.studies import papers
from linkwork.studies.finding import Finding, Verdict
from linkwork.studies.noise import BETWEEN, Ratio, all_of, opposite, outermost, ratio
from linkwork.studies.papers.dumitriu2015 import elimination, errors, figures, integrals, regulation
from linkwork.studies.papers.kissel2021 import double_pendulum, iterations, orders, rows, speed
from linkwork.studies.papers.mufti1983 import agreement, cost, loops, penalty
from linkwork.studies.papers.mufti1983 import drift as mufti_drift
from linkwork.studies.papers.muller2013 import energies, groups, stabilisation, top_energy, violations
from linkwork.studies.papers.muller2013.examples import LINKAGE, PENDULUM, PRODUCT, SE3
from linkwork.studies.papers.naudet2003 import drift as naudet_drift
from linkwork.studies.papers.naudet2003 import loops as naudet_loops
from linkwork.studies.papers.naudet2003 import table_1

AGREES, PARTLY, DIFFERS, NOISE, OWN = (
    Verdict.AGREES,
    Verdict.PARTLY,
    Verdict.DIFFERS,
    Verdict.NOISE,
    Verdict.OWN,
)

# ratios of times ----------------------------------------------------------------------------------------------


def test_a_ratio_has_a_range_that_holds_its_middle() -> None:
    found = ratio(np.array([2.0, 2.2, 1.9, 2.1, 2.0, 8.0]), np.ones(6))
    assert found.middle == pytest.approx(2.05)
    assert found.low == pytest.approx(1.9 / (1 + BETWEEN))
    assert found.high == pytest.approx(8.0 * (1 + BETWEEN))
    many = ratio(np.r_[np.linspace(1.99, 2.01, 39), 50.0], np.ones(40))  # one round that was disturbed
    assert many.high < 2.2


def test_rounds_that_took_no_time_say_nothing() -> None:
    assert ratio(np.array([2.0, -1.0, 2.0]), np.ones(3)).middle == 2.0
    assert ratio(np.array([-1.0]), np.ones(1)).above(1.0) is None


@pytest.mark.parametrize(("n", "k"), [(1, 0), (3, 0), (5, 0), (6, 0), (9, 1), (12, 2), (40, 13)])
def test_so_many_values_enclose_the_middle_with_95_percent(n: int, k: int) -> None:
    """Of n fair coins at most k show heads or tails with 5 % at most; fewer than six rounds cannot have it."""
    assert outermost(n) == k
    thrown = np.random.default_rng(n).integers(0, 2, (20_000, n)).sum(axis=1)
    outside = float(np.mean((thrown <= k) | (thrown >= n - k)))
    if n > 5:
        assert outside < 0.055
        assert np.mean((thrown <= k + 1) | (thrown >= n - k - 1)) > 0.045


def test_a_ratio_of_paired_rounds_does_not_feel_a_machine_that_slows_down() -> None:
    speed_of_round = np.linspace(1.0, 3.0, 12)
    found = ratio(1.5 * speed_of_round, speed_of_round)
    assert found.low > 1.4
    assert found.high < 1.6


@pytest.mark.parametrize(
    ("one", "limit", "above"),
    [
        (Ratio(2.0, 1.9, 2.1), 1.8, True),
        (Ratio(2.0, 1.9, 2.1), 2.05, None),
        (Ratio(2.0, 1.9, 2.1), 2.2, False),
    ],
)
def test_what_lies_in_the_range_is_too_close_to_tell(one: Ratio, limit: float, above: bool | None) -> None:
    assert one.above(limit) is above
    assert opposite(one.above(limit)) is (None if above is None else not above)
    assert one.within(0.0, limit) is opposite(above)


def test_an_answer_is_unknown_only_where_no_other_settles_it() -> None:
    assert all_of([True, True]) is True
    assert all_of([True, None]) is None
    assert all_of([None, False]) is False


def test_a_verdict_on_noise_is_none() -> None:
    said = {"claim": "c", "measured": "m", "panels": ()}
    assert Finding.judged(None, **said).verdict is NOISE
    assert Finding.judged(True, **said).verdict is AGREES
    assert Finding.judged(False, otherwise=PARTLY, **said).verdict is PARTLY


# Dumitriu 2015 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("off", "aside", "agrees"), [(9e-7, 0.0, True), (2e-6, 0.0, False), (1e-9, 1e-12, False)])
def test_angles(off: float, aside: float, agrees: bool) -> None:
    assert figures.followed(off, aside) is agrees


@pytest.mark.parametrize(("null", "off", "agrees"), [(0.0, 2e-7, True), (0.0, 1e-6, False), (1e-12, 1e-9, False)])
def test_multipliers(null: float, off: float, agrees: bool) -> None:
    assert figures.as_told(null, off, size=0.3) is agrees


@pytest.mark.parametrize(("held", "verdict"), [(1.0, DIFFERS), (4.0, AGREES)])
def test_orders_with_held_multipliers(held: float, verdict: Verdict) -> None:
    slopes = {(errors.STAGE, m): float(order) for m, order in errors.METHODS.items()}
    slopes |= {(errors.STEP, m): min(held, float(order)) for m, order in errors.METHODS.items()}
    if held > 1.0:
        slopes |= {(errors.STEP, m): float(order) for m, order in errors.METHODS.items()}
    assert errors.verdict(slopes) is verdict


@pytest.mark.parametrize(
    ("by_25", "standing", "verdict"), [(0.9, 24.0, PARTLY), (0.9, 0.0, AGREES), (11.0, 24.0, DIFFERS)]
)
def test_regulation(by_25: float, standing: float, verdict: Verdict) -> None:
    assert regulation.verdict({"exact": 10.0, "R S": 1e10, "eq. 25": by_25}, standing) is verdict


@pytest.mark.parametrize(
    ("least", "changed", "verdict"),
    [
        (0.1, (0.3, 1e-14, 1e-14), PARTLY),
        (0.1, (1e-14, 1e-14, 1e-14), AGREES),
        (0.1, (0.3, 0.2, 0.1), DIFFERS),
        (-0.1, (0.3, 1e-14, 1e-14), DIFFERS),
    ],
)
def test_eigenvalues(least: float, changed: tuple[float, ...], verdict: Verdict) -> None:
    assert integrals.verdict(least, dict(zip(integrals.BODIES, changed, strict=True))) is verdict


def case(name: str, dense: float, scatter: float = 0.0) -> elimination.Case:
    """One mechanism whose one-shot steps take `dense` times as long as the two-step ones."""
    swing = 1.0 + scatter * np.array([-1.0, 1.0, -0.5, 0.5, 0.0, 1.0, -1.0])
    one = {way: np.ones(7) for way in elimination.WAYS}
    return elimination.Case(name, 2, 6, one | {elimination.ONE: dense * swing}, 1e-14)


@pytest.mark.parametrize(
    ("chain", "platform", "verdict"),
    [
        (case("chain of 2", 2.0), case("p", 7.0), AGREES),
        (case("chain of 2", 1.02), case("p", 7.0), NOISE),
        (case("chain of 2", 2.0, 0.8), case("p", 7.0), NOISE),
        (case("chain of 2", 2.0), case("p", 2.0), PARTLY),
        (case("chain of 2", 0.8), case("p", 7.0), PARTLY),
    ],
)
def test_eliminations(chain: elimination.Case, platform: elimination.Case, verdict: Verdict) -> None:
    found = elimination.compared([chain], platform)
    assert found.verdict is verdict
    assert f"{platform.dense:.2g}" in found.measured
    assert found.numbers["chain of 2, one-shot / two-step, dense"] == pytest.approx(chain.dense.middle)


# Kissel 2021 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("near", "fastest", "verdict"),
    [
        (True, None, AGREES),
        (False, True, PARTLY),
        (False, False, DIFFERS),
        (False, None, NOISE),
        (None, True, NOISE),
    ],
)
def test_speeds(near: bool | None, fastest: bool | None, verdict: Verdict) -> None:
    assert speed.verdict(near, fastest) is verdict


def test_speeds_that_scatter_decide_nothing() -> None:
    from linkwork.studies.papers.kissel2021.mechanisms import DRIVEN, PUBLISHED
    from linkwork.studies.runs import Runs

    rng = np.random.default_rng(1)
    cost = {
        (m, f, w): (1.3 if f == "rp" else 1.0) * rng.uniform(0.6, 1.4, 12)
        for m in DRIVEN
        for f in ("rA", "rp", "re")
        for w in (speed.THEIRS, speed.OURS)
    }
    found = speed.compared(Runs(), PUBLISHED["table 8"], DRIVEN, cost, "kinematics")
    assert found.verdict is NOISE
    assert " to " in found.table["ours, as in the paper"][0]


COUNTS = {(m, f): 4.0 for m in ("a", "b") for f in ("rA", "rp", "re")}


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, AGREES),
        (dict.fromkeys(COUNTS, 2.0), PARTLY),
        (dict.fromkeys(COUNTS, 6.0), DIFFERS),
        ({("a", "rA"): 2.0}, DIFFERS),
    ],
)
def test_iterations(change: dict[tuple[str, str], float], verdict: Verdict) -> None:
    assert iterations.counted(COUNTS | change, COUNTS) is verdict


@pytest.mark.parametrize(("between", "change", "agrees"), [(0.1, 2.0, True), (0.9, 2.0, False), (0.1, 0.1, False)])
def test_iterations_over_the_step(between: float, change: float, agrees: bool) -> None:
    assert iterations.by_step_alone(between, change) is agrees


@pytest.mark.parametrize(
    ("positions", "slopes", "agrees"),
    [(1e-12, [1.0, 0.98], True), (1e-9, [1.0, 1.0], False), (1e-12, [1.0, 1.9], False)],
)
def test_first_order(positions: float, slopes: list[float], agrees: bool) -> None:
    assert orders.of_order(1.0, positions, slopes) is agrees


@pytest.mark.parametrize(
    ("most", "apart", "slopes", "agrees"),
    [
        ([3.0, 0.01], 0.1, [1.0], True),
        ([3.0, 1.0], 0.1, [1.0], False),
        ([3.0, 0.01], 0.5, [1.0], False),
        ([3.0, 0.01], 0.1, [2.0], False),
    ],
)
def test_the_double_pendulum(most: list[float], apart: float, slopes: list[float], agrees: bool) -> None:
    assert double_pendulum.tends(most, apart, slopes) is agrees


def test_rows_that_are_others_would_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    from linkwork.studies.runs import Runs

    assert rows.table_7(Runs()).verdict is AGREES
    monkeypatch.setattr(rows, "count", lambda runs, model: {"CD": 3, "DP1": 2, "DP2": 0, "D": 0})
    assert rows.table_7(Runs()).verdict is DIFFERS


# Mufti 1983 ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("worst", "agrees"), [(1e-11, True), (1e-8, False)])
def test_methods_agree(worst: float, agrees: bool) -> None:
    assert agreement.agree({"one": 1e-14, "other": worst}) is agrees


@pytest.mark.parametrize(
    ("once", "iterated", "agrees"), [(1e-7, 1e-12, True), (1e-3, 1e-12, False), (1e-7, 1e-6, False)]
)
def test_penalty(once: float, iterated: float, agrees: bool) -> None:
    assert penalty.approximate_then_exact(once, iterated) is agrees


@pytest.mark.parametrize(
    ("alone", "baumgarte", "projection", "agrees"),
    [(1e-5, 1e-7, 1e-15, True), (1e-7, 1e-5, 1e-15, False), (1e-5, 1e-7, 1e-6, False)],
)
def test_stabilisation_of_methods(alone: float, baumgarte: float, projection: float, agrees: bool) -> None:
    assert mufti_drift.better_held(alone, baumgarte, projection) is agrees


@pytest.mark.parametrize(
    ("off", "named", "agrees"), [(1e-3, {"a": {2}}, True), (0.1, {"a": {2}}, False), (1e-3, {"a": {2, 3}}, False)]
)
def test_redundant_rows(off: float, named: dict[str, set[int]], agrees: bool) -> None:
    assert loops.as_wanted(off, named) is agrees


@pytest.mark.parametrize(("slower", "agrees"), [(1.5, True), (1.02, None), (0.8, False)])
def test_singular_values_cost_more(slower: float, agrees: bool | None) -> None:
    assert cost.dearer([3.0, slower]) is agrees


# Müller 2013 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kept", "left", "verdict"), [(1e-14, 1e-5, AGREES), (1e-9, 1e-5, DIFFERS), (1e-14, 1e-14, DIFFERS)]
)
def test_a_joint_to_ground(kept: float, left: float, verdict: Verdict) -> None:
    assert violations.first_joint({SE3: kept, PRODUCT: left}) is verdict


@pytest.mark.parametrize(("ratio_", "verdict"), [(1.1, AGREES), (0.2, DIFFERS), (5.0, DIFFERS)])
def test_an_inner_joint(ratio_: float, verdict: Verdict) -> None:
    assert violations.inner_joint({SE3: ratio_, PRODUCT: 1.0}) is verdict


@pytest.mark.parametrize(
    ("se3", "product", "verdict"), [(1e-6, 1e-5, AGREES), (1e-5, 1e-5, PARTLY), (1e-9, 1e-5, DIFFERS)]
)
def test_the_second_joint(se3: float, product: float, verdict: Verdict) -> None:
    assert violations.second_joint({SE3: se3, PRODUCT: product}, {SE3: 1e-8, PRODUCT: 1e-6}) is verdict


@pytest.mark.parametrize(("ratio_", "agrees"), [(1.0, True), (0.1, False), (10.0, False)])
def test_energies(ratio_: float, agrees: bool) -> None:
    assert energies.kept_alike(ratio_) is agrees


@pytest.mark.parametrize(
    ("start", "ratio_", "agrees", "said"),
    [
        (1.0, 100.0, True, "agrees with"),
        (1.0, 1.3, False, "two orders cannot come from it"),
        (1.1, 100.0, False, "differs from"),
    ],
)
def test_the_tops_energy(start: float, ratio_: float, agrees: bool, said: str) -> None:
    """What is said about T0 follows from the numbers, too."""
    assert top_energy.as_printed(start * top_energy.T0, ratio_) is agrees
    assert said in top_energy.because(start * top_energy.T0, ratio_, 1e-9, 1e-8)


SURE, OPEN = Ratio(1.2, 1.1, 1.3), Ratio(1.0, 0.95, 1.05)


@pytest.mark.parametrize(
    ("held", "whole", "saved", "verdict"),
    [
        (1e-14, SURE, Ratio(0.9, 0.85, 0.95), AGREES),
        (1e-9, SURE, Ratio(0.9, 0.85, 0.95), PARTLY),
        (1e-14, Ratio(0.9, 0.8, 0.95), OPEN, PARTLY),
        (1e-14, SURE, SURE, PARTLY),
        (1e-14, SURE, OPEN, NOISE),
        (1e-14, OPEN, Ratio(0.9, 0.85, 0.95), NOISE),
    ],
)
def test_groups(held: float, whole: Ratio, saved: Ratio, verdict: Verdict) -> None:
    assert groups.verdict(held, whole, saved) is verdict


def test_stabilisation_of_groups() -> None:
    worst = {(m, way): np.array([0.0, 1e-9]) for m in (PENDULUM, LINKAGE) for way in stabilisation.WAYS}
    better = worst | {(m, "none"): np.array([0.0, 1e-6]) for m in (PENDULUM, LINKAGE)}
    assert stabilisation.improves(better)
    assert not stabilisation.improves(worst)


# Naudet 2003 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "rival", "verdict"),
    [
        ((305, 341), (433, 433), AGREES),
        ((305, 380), (433, 433), PARTLY),
        ((305, 440), (433, 433), PARTLY),
        ((440, 480), (433, 433), DIFFERS),
    ],
)
def test_counts_with_and_without_weight(own: tuple[int, int], rival: tuple[int, int], verdict: Verdict) -> None:
    lines = [
        {way: (per_body, -100) for way, per_body in zip((table_1.THEIRS, table_1.WEIGHED), both, strict=True)}
        for both in (own, rival)
    ]
    assert table_1.verdict(*lines, (363, -475)) is verdict


@pytest.mark.parametrize(
    ("exact", "ratios", "agrees"), [(1e-14, [500.0, 3.0], True), (1e-9, [500.0], False), (1e-14, [500.0, 0.5], False)]
)
def test_loops_with_momenta(exact: float, ratios: list[float], agrees: bool) -> None:
    assert naudet_loops.one_integration(exact, ratios) is agrees


@pytest.mark.parametrize(
    ("ratios", "growth", "said"),
    [
        ([0.7, 1.4], 1.0, ("neither is better", "does not grow")),
        ([1.2, 1.4], 1.0, ("momenta drift less", "does not grow")),
        ([0.7, 0.8], 3.0, ("rates drift less", "verlet does")),
    ],
)
def test_what_is_said_of_energies_follows_from_them(ratios: list[float], growth: float, said: tuple[str, ...]) -> None:
    text = naudet_drift.because(ratios, {"implicit-midpoint": growth, "stormer-verlet": growth})
    assert all(words in text for words in said), text


# all of them --------------------------------------------------------------------------------------------------

DECIDED = re.compile(r"verdict=(?!Verdict\.OWN\b)(?P<how>[^,\n]*)|judged\(\s*(?P<what>[^,\n]*)")
FUNCTION = re.compile(r"^[a-z_]+\(|^(verdict|judged)$|^all\(line\[2\]")


def test_no_verdict_is_left_out() -> None:
    """Each comes from a call, so that it can be tested; the rest are questions of ours."""
    folder = Path(papers.__file__).parent
    found = [
        (path.name, (match["how"] or match["what"]).strip())
        for path in sorted(folder.glob("*/*.py"))
        for match in DECIDED.finditer(path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 20
    assert [one for one in found if not FUNCTION.match(one[1])] == []
