"""Line charts as inline SVG: light, sharp on every screen and on paper, with the numbers as tooltips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from linkwork.reports.comparison.scales import Scale

WIDTH, HEIGHT = 440, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 424, 12, 274
READABLE = 20  # height of a band that has room for words
MARKS = (
    "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0z",  # circle
    "M-3-3h6v6h-6z",  # square
    "M0-4l3.8 6.8h-7.6z",  # triangle
    "M0-4.2l4 4.2l-4 4.2l-4-4.2z",  # diamond
    "M0 4l3.8-6.8h-7.6z",  # triangle on its head
    "M-1.1-4h2.2v2.9h2.9v2.2h-2.9v2.9h-2.2v-2.9h-2.9v-2.2h2.9z",  # plus
    "M-2 -3.6h4l2.2 3.6l-2.2 3.6h-4l-2.2-3.6z",  # hexagon
    "M-3.6-3.6l3.6 2l3.6-2l-2 3.6l2 3.6l-3.6-2l-3.6 2l2-3.6z",  # star
    "M-4-1.4h8v2.8h-8z",  # bar
)


@dataclass(frozen=True)
class Series:
    """A line of a chart. classes : CSS classes that a legend can hide; mark : a number of MARKS, or None; tips : a
    tooltip per point, or one for the line."""

    x: Sequence[float]
    y: Sequence[float]
    colour: str
    classes: str = ""
    mark: int | None = None
    dashed: bool = False
    tips: Sequence[str] = ()


def chart(
    series: Sequence[Series],
    *,
    title: str,
    x: str,
    y: str,
    log_x: bool = False,
    log_y: bool = True,
    least: float = 1e-17,
    floor: float = math.nan,
) -> Markup:
    """A chart. least : logarithmic values below are shown at the edge; floor : below it lies what is not known."""
    across = Scale.of([v for one in series for v in one.x], LEFT, RIGHT, log=log_x)
    values = [v for one in series for v in one.y]
    up = Scale.of(values, BOTTOM, TOP, log=log_y, least=least)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">']
    if math.isfinite(floor) and floor > up.low:
        at = up(floor)
        parts.append(
            f'<rect class="unknown" x="{LEFT}" y="{at:.1f}" width="{RIGHT - LEFT}" height="{BOTTOM - at:.1f}"/>'
        )
        if BOTTOM - at >= READABLE:
            parts.append(f'<text class="unknown" x="{RIGHT - 4}" y="{BOTTOM - 6}" text-anchor="end">not known</text>')
    parts += _axes(across, up, x, y)
    parts += [_line(one, across, up, log_x, log_y) for one in series]
    return Markup("\n".join([*parts, "</svg>"]))  # everything that came from outside was escaped above


def mark(number: int, colour: str) -> Markup:
    """A mark by itself, for a legend."""
    return Markup(
        f'<svg class="mark" viewBox="-5 -5 10 10"><path d="{MARKS[number % len(MARKS)]}" fill="{colour}"/></svg>'
    )


def _axes(across: Scale, up: Scale, x: str, y: str) -> list[str]:
    parts = ['<g class="grid">']
    parts += [f'<path d="M{across(v):.1f} {TOP}V{BOTTOM}"/>' for v, _ in across.ticks()]
    parts += [f'<path d="M{LEFT} {up(v):.1f}H{RIGHT}"/>' for v, _ in up.ticks()]
    parts += [f'</g><path class="frame" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>']
    parts += [f'<text x="{across(v):.1f}" y="{BOTTOM + 17}" text-anchor="middle">{t}</text>' for v, t in across.ticks()]
    parts += [f'<text x="{LEFT - 6}" y="{up(v) + 4:.1f}" text-anchor="end">{t}</text>' for v, t in up.ticks()]
    middle, centre = 0.5 * (LEFT + RIGHT), 0.5 * (TOP + BOTTOM)
    parts.append(f'<text class="label" x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x)}</text>')
    parts.append(
        f'<text class="label" transform="translate(13 {centre:.0f}) rotate(-90)" text-anchor="middle">'
        f"{escape(y)}</text>"
    )
    return parts


def _line(one: Series, across: Scale, up: Scale, log_x: bool, log_y: bool) -> str:
    tips = list(one.tips) if len(one.tips) == len(one.x) else [""] * len(one.x)
    points = [
        (across(a), up(b), tip)
        for a, b, tip in zip(one.x, one.y, tips, strict=True)
        if math.isfinite(a) and math.isfinite(b) and (a > 0.0 or not log_x) and (b >= 0.0 or not log_y)
    ]
    if not points:
        return ""
    path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b, _ in points)
    dashes = ' stroke-dasharray="5 3"' if one.dashed else ""
    parts = [f'<g class="{escape(one.classes)}">']
    if len(one.tips) == 1 and len(points) > 1:
        parts.append(f"<title>{escape(one.tips[0])}</title>")
    if len(points) > 1:
        parts.append(f'<path class="line" d="{path}" stroke="{one.colour}"{dashes}/>')
    if one.mark is not None:
        shape = MARKS[one.mark % len(MARKS)]
        parts += [
            f'<path d="{shape}" transform="translate({a:.1f} {b:.1f})" fill="{one.colour}">'
            f"{f'<title>{escape(tip)}</title>' if tip else ''}</path>"
            for a, b, tip in points
        ]
    return "".join([*parts, "</g>"])
