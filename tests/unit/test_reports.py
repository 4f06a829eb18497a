"""Report pages: whole in one file, everything escaped, pictures that do not get into each other's way."""

from __future__ import annotations

import math
import re
import struct
import zlib
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from linkwork.errors import OutputExistsError
from linkwork.plots.panels import svg
from linkwork.reports.embed import picture
from linkwork.reports.page import TONES, Badge, Figure, Page, Section, Table, html, write
from linkwork.reports.render import cell, render
from linkwork.studies.finding import Curve, Panel

x = np.linspace(0.0, 1.0, 5)
DRAWING = svg(Panel("a < b", "time [s]", "y [m]", (Curve("a", x, x**2), Curve("b & c", x, 2 * x))))
EVIL = '<script>alert("x")</script>&'
VOID = {"meta", "img", "br", "link", "hr", "input", "use", "path"}
PAGE = Page(
    "Title & more",
    subtitle="under it",
    lead=["First.", EVIL],
    sections=[
        Section(
            "figure 2: growth",
            Badge("agrees", "good"),
            words=[("paper", "it grows"), ("measured", EVIL)],
            figures=[Figure(DRAWING, "growth"), Figure(DRAWING, "again", full_width=True)],
            tables=[Table({"name": ["a", "b"], "value [m]": [1.25e-5, math.nan]}, "numbers")],
            files=[("picture", "figure-2.png")],
        ),
        Section("table 8", Badge("differs", "bad")),
        Section("table 9", Badge("differs", "bad")),
    ],
    tables=[Table({"step [s]": [0.001]})],
    facts={"linkwork": "0.1.0"},
)


class Outline(HTMLParser):
    """Elements that are open, ids, links and words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        given = dict(attrs)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given[name] for name in ("href", "src") if name in given]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


def test_a_page_is_whole_and_well_nested() -> None:
    text = html(PAGE)
    outline = Outline(text)
    assert outline.open == []
    assert text.startswith("<!doctype html>")
    assert len(set(outline.ids)) == len(outline.ids)
    inner = {link[1:] for link in outline.links if link.startswith("#")}
    assert inner <= set(outline.ids)
    assert {"figure-2-growth", "table-8"} <= inner
    assert all(link.startswith("#") or link == "figure-2.png" for link in outline.links)
    assert not re.search(r"https?://|@import|url\((?!#)", text)
    for word in ("Title & more", "it grows", "How this was made", "0.1.0", "step [s]"):
        assert word in outline.words
    assert text.count("<svg") == 2
    assert html(PAGE) == text


def test_nothing_from_outside_becomes_markup() -> None:
    text = html(PAGE)
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == 2
    assert "script" not in Outline(text).tags


def test_verdicts_are_counted_at_the_top() -> None:
    assert PAGE.counts == [(Badge("differs", "bad"), 2), (Badge("agrees", "good"), 1)]
    top = html(PAGE).partition("<section")[0]
    assert '2&nbsp;<span class="badge bad">differs</span>' in top
    style = render("style.css")
    assert all(f".badge.{tone}" in style for tone in TONES)


def test_numbers_are_written_as_people_do() -> None:
    assert cell(1.25e-5) == "1.25&thinsp;&times;&thinsp;10<sup>\N{MINUS SIGN}5</sup>"
    assert cell(1e12) == "10<sup>12</sup>"
    assert cell(math.nan) == cell(None) == "&ndash;"
    assert cell(-2.5) == "\N{MINUS SIGN}2.5"
    assert cell(12345) == "12345"
    assert cell(np.float64(0.12344)) == "0.1234"
    assert cell("a<b") == "a&lt;b"


def test_two_pictures_share_no_ids() -> None:
    one, two = (str(picture(DRAWING, "c", f"f{k}-")) for k in (1, 2))
    ids = [set(re.findall(r'\bid="([^"]*)"', text)) for text in (one, two)]
    assert ids[0]
    assert not ids[0] & ids[1]
    for text, own in zip((one, two), ids, strict=True):
        assert set(re.findall(r'href="#([^"]*)"', text)) | set(re.findall(r"url\(#([^)]*)\)", text)) <= own
    assert 'role="img"' in one
    assert "b &amp; c" in one  # letters stay letters


@pytest.mark.parametrize(
    "source",
    [
        "<p>no</p>",
        "<svg></svg>",
        '<svg viewBox="0 0 1 1"><script>1</script></svg>',
        '<svg viewBox="0 0 1 1"><image href="http://x/y.png"/></svg>',
        b"GIF89a",
    ],
)
def test_what_is_no_harmless_picture_is_refused(source: str | bytes) -> None:
    with pytest.raises(ValueError, match="the picture"):
        picture(source, "c", "p")


def test_png_becomes_part_of_the_page() -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    data = b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")
    text = html(Page("t", figures=[Figure(data, 'a "dot"')]))
    assert 'src="data:image/png;base64,' in text
    assert "a &#34;dot&#34;" in text


def test_a_page_is_written_whole_and_replaces_nothing_unasked(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write(PAGE, path)
    assert path.read_text(encoding="utf-8") == html(PAGE)
    with pytest.raises(OutputExistsError):
        write(PAGE, path)
    with pytest.raises(ValueError, match="zip"):
        write(Page("t", tables=[Table({"a": [1], "b": []})]), path, force=True)
    assert path.read_text(encoding="utf-8") == html(PAGE)
    assert list(tmp_path.iterdir()) == [path]


def test_long_curves_weigh_little_and_keep_their_peaks() -> None:
    t = np.linspace(0.0, 5.0, 5001)
    y = np.sin(40.0 * t)
    y[2500] = 7.0
    panels = [Panel("p", "time [s]", "y [m]", tuple(Curve(name, t, y) for name in "abc")) for _ in range(30)]
    text = svg(panels[0])
    assert len(text) < 90_000
    points = np.array(re.findall(r"([\d.]+) ([\d.]+)", max(re.findall(r' d="([^"]*)"', text), key=len)), dtype=float)
    assert np.diff(np.sort(points[:, 1]))[0] > 20.0  # the peak stands far above the rest
    page = Page("t", sections=[Section(f"figure {k}", figures=[Figure(svg(p), "c")]) for k, p in enumerate(panels)])
    assert len(html(page).encode()) < 3_000_000
