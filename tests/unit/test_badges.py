"""Colours of verdicts, the summary of a paper, axes of charts: what a page says, not that it is made."""

from __future__ import annotations

import re
from typing import Any

import pytest

from linkwork.errors import LinkworkError
from linkwork.reports.comparison.scales import Scale
from linkwork.reports.page import TONES, Badge, Page, Section, html
from linkwork.reports.render import render
from linkwork.reports.reproduction import BADGES, FAILED, caption, section, summary
from linkwork.studies.finding import Finding, Panel, Verdict
from linkwork.studies.reproduction import Entry


def hue(tone: str) -> str:
    """Which of red, green and blue a tone's letters are, or grey."""
    found = re.search(rf"\.badge\.{tone} {{ color: #([0-9a-f]{{6}})", render("style.css"))
    assert found is not None
    red, green, blue = (int(found[1][k : k + 2], 16) for k in (0, 2, 4))
    if max(red, green, blue) - min(red, green, blue) < 32:
        return "grey"
    if green > red and green > blue:
        return "green"
    return "amber" if green > 0.5 * red else "red"


@pytest.mark.parametrize(("tone", "colour"), [*zip(TONES, ("green", "amber", "red", "grey"), strict=True)])
def test_tones_have_their_colours(tone: str, colour: str) -> None:
    assert hue(tone) == colour


@pytest.mark.parametrize(
    ("verdict", "words", "colour"),
    [
        (Verdict.AGREES, "agrees", "green"),
        (Verdict.PARTLY, "agrees in part", "amber"),
        (Verdict.DIFFERS, "differs", "red"),
        (Verdict.OWN, "not in the paper", "grey"),
    ],
)
def test_verdicts_have_their_colours(verdict: Verdict, words: str, colour: str) -> None:
    badge = BADGES[verdict]
    assert badge.text == words == str(verdict)
    assert hue(badge.tone) == colour
    shown = section(entry("one", verdict), lambda panel: "")
    assert shown.badge == badge
    assert f'<span class="badge {badge.tone}">{words}</span>' in html(Page("t", sections=[shown]))


def entry(name: str, verdict: Verdict | None, **parts: Any) -> Any:
    """An item with a finding, or one that failed."""
    if verdict is None:
        return Entry(item(name), error=LinkworkError("it stopped."))
    source = "" if verdict is Verdict.OWN else "section 5"
    return Entry(item(name), Finding("claimed", "measured", verdict, (), source=source, **parts))


def item(name: str) -> Any:
    from linkwork.studies.paper import Item

    return Item(name, f"title of {name}", lambda runs: None)  # type: ignore[arg-type, return-value]


def test_what_failed_is_red_and_says_why() -> None:
    shown = section(entry("one", None), lambda panel: "")
    assert shown.badge == FAILED
    assert hue(FAILED.tone) == "red"
    assert dict(shown.words)["why"].startswith("it stopped.")


def test_the_summary_counts_items_of_the_paper_alone() -> None:
    entries = [
        entry("a", Verdict.AGREES), entry("b", Verdict.AGREES), entry("c", Verdict.PARTLY), entry("d", Verdict.DIFFERS),
        entry("e", None), entry("f", Verdict.OWN),
    ]  # fmt: skip
    said = (
        "2 of 5 items of the paper agree. In part: c. Different: d. Not carried out: e. 1 more are questions of ours."
    )
    assert summary(entries) == said
    assert summary(entries[:2]) == "2 of 2 items of the paper agree."


def test_reasons_of_what_differs_are_labelled_as_such() -> None:
    for verdict, label in ((Verdict.DIFFERS, "why"), (Verdict.AGREES, "remark")):
        words = dict(section(entry("a", verdict, why="because"), lambda panel: "").words)
        assert words[label] == "because"
        assert words["paper"] == "claimed"


def test_captions_say_what_is_over_what() -> None:
    assert caption(Panel("growth", "time [s]", "y [m]", ())) == "growth: y [m] over time [s]"


def test_badges_are_counted_the_most_frequent_first() -> None:
    page = Page(
        "t", sections=[Section(f"s{k}", badge) for k, badge in enumerate([FAILED, BADGES[Verdict.OWN], FAILED])]
    )
    assert page.counts == [(FAILED, 2), (Badge("not in the paper", "plain"), 1)]


def test_logarithmic_axes_place_numbers_by_their_powers() -> None:
    scale = Scale(1e-8, 1.0, 100.0, 20.0, log=True)
    assert scale(1e-8) == pytest.approx(100.0)
    assert scale(1e-4) == pytest.approx(60.0)
    assert scale(1e-2) == pytest.approx(40.0)
    assert scale(1.0) == pytest.approx(20.0)
    assert scale(100.0) == scale(1.0)
    assert ("10⁻⁶") in [label for _, label in scale.ticks()]
    assert all(value == pytest.approx(10.0 ** round(scale_power(label))) for value, label in scale.ticks())


def scale_power(label: str) -> int:
    """What a label with raised digits says."""
    return 0 if label == "1" else int(label[2:].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 1)


def test_linear_axes_place_numbers_by_their_size() -> None:
    scale = Scale(0.0, 4.0, 0.0, 100.0)
    assert [scale(x) for x in (0.0, 1.0, 3.0, 9.0)] == [0.0, 25.0, 75.0, 100.0]
