"""Naudet 2003, Table 1: lines from counts, and the verdict from the lines; the counts themselves where they exist."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.studies.papers.naudet2003 import PAPER, drift, loops, table_1
from linkwork.studies.runs import Runs


def test_lines_are_found_exactly_or_refused():
    assert table_1.line([363 * n - 475 for n in table_1.BODIES]) == (363, -475)
    with pytest.raises(ValueError, match="line"):
        table_1.line([n * n for n in table_1.BODIES])


@pytest.mark.parametrize(
    ("canonical", "articulated", "verdict"),
    [(300, 500, "agrees"), (323, 411, "agrees"), (330, 500, "agrees in part"), (500, 480, "differs")],
)
def test_the_verdict_follows_the_counts(canonical, articulated, verdict):
    """Weight costs momenta 40 more per body: it counts as well."""
    found = {
        (f, way): table_1.Cost((slope // 2, -200), (slope - slope // 2 + weighing * ("weight" in way), -275))
        for f, slope, weighing in (("canonical", canonical, 40), ("articulated-body", articulated, 0))
        for way in table_1.WAYS
    }
    finding = table_1.compared(found)
    assert finding.verdict == verdict
    assert finding.table["total"][:5] == ["611 n - 238", "480 n - 566", "432 n - 688", "411 n - 669", "363 n - 475"]
    assert finding.table["total"][5] == f"{canonical} n - 475"
    assert len(finding.table["total"]) == 5 + 2 * len(table_1.WAYS)


def test_the_chain_is_a_chain_of_pins_in_general_position():
    mech = table_1.chain(4)
    assert [joint.type for joint in mech.joints] == ["revolute"] * 4
    assert len(mech.lower().rows) == 20


def test_pictures_of_long_runs_show_the_largest_error_of_each_window():
    time = np.arange(0.0, 40.1, drift.EVERY)
    error = 1e-6 * time * np.cos(40.0 * time)
    ends, most = drift.largest(time, error)
    np.testing.assert_allclose(ends, [10.0, 20.0, 30.0, 40.0])
    assert [max(abs(error[(time > end - 10.0) & (time <= end)])) for end in ends] == list(most)


def test_the_paper_has_its_item():
    assert [item.name for item in PAPER.items] == ["table 1", "energy", "loops"]


def test_energies_are_measured_and_said(monkeypatch):
    """Twenty seconds instead of a thousand: RK4 loses as h^5 in both forms, the symplectic methods do not grow."""
    monkeypatch.setattr(drift, "T_END", 20.0)
    monkeypatch.setattr(drift, "STEPS", (0.02, 0.01))
    monkeypatch.setattr(drift, "SHARES", (1.0,))
    found = drift.energy_over_time(Runs())
    assert found.verdict == "not in the paper"
    keys = zip(found.table["method"], found.table["step [s]"], strict=True)
    largest = dict(zip(keys, found.table["largest |drift| [1]"], strict=True))
    for formulation in drift.FORMULATIONS:
        fall = largest[f"{formulation}, rk4", 0.02] / largest[f"{formulation}, rk4", 0.01]
        assert 16.0 < fall < 64.0
    for method in drift.SYMPLECTIC:
        fall = largest[f"canonical, {method}", 0.02] / largest[f"canonical, {method}", 0.01]
        assert 3.0 < fall < 5.0
    assert found.numbers["RK4, rates over momenta at 0.01 s [1]"] == pytest.approx(
        found.numbers["RK4, rates over momenta, 1 times the angles [1]"]
    )
    assert "symplectic" in found.why


def test_loops_drift_less_with_momenta(monkeypatch):
    monkeypatch.setattr(loops, "MECHANISMS", {"planar_four_bar": 0.4})
    found = loops.loops(Runs())
    assert found.verdict == "agrees", found.measured
    rows = dict(zip(found.table["method"], found.table["velocity violation [m/s]"], strict=True))
    assert rows["canonical (index 2)"] < 1e-13 < rows["articulated-body (index 1)"]
    assert found.numbers["position violation, index 1 over index 2, planar_four_bar [1]"] > 1.0
    two, grown, one = list(loops.WAYS)[:3]
    exchanged = {two: ("articulated-body", {}), grown: loops.WAYS[grown], one: ("canonical", {})}
    monkeypatch.setattr(loops, "WAYS", exchanged)
    assert loops.loops(Runs()).verdict == "differs"  # what is called index 2 now has accelerations as unknowns
