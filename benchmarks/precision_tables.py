"""Tables and a picture of `benchmarks.work_precision`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.precision_cases import Point
from benchmarks.precision_peers import EXUDYN, IDA, MUJOCO, RADAU
from benchmarks.tables import markdown
from benchmarks.work_precision import PLANNED, TRUTH

HEADS = ("loosest: error, ms", *[""] * 4, "tightest")
SHORT = "did not reach"
LOST = 0.3  # an error beyond which nothing is told


def tables(points: Sequence[Point]) -> list[str]:
    """By mechanism: each way at every setting, error, milliseconds."""
    made = []
    for name in dict.fromkeys(point.mechanism for point in points):
        some = [point for point in points if point.mechanism == name]
        settled = next((point.error for point in some if point.way == TRUTH), float("nan"))
        rows = []
        for way in dict.fromkeys(point.way for point in some if point.way != TRUTH):
            each = [point for point in some if point.way == way]
            cells = [_cell(point) for point in each]
            rows.append([way, *cells, *[""] * (len(HEADS) - len(cells))])
        made.append(markdown(f"{name}; two references differ by {settled:.1e}", ["way", *HEADS], rows))
    return made


def _cell(point: Point) -> str:
    if point.failure:
        where = f"at {point.setting:.0e}: " if np.isfinite(point.setting) else ""
        return where + re.sub(r"^mechanism .*?: ", "", point.failure).partition(";")[0]
    return f"{point.error:.1e}, {1e3 * point.seconds:.3g}"


def picture(points: Sequence[Point], path: Path) -> None:
    """Processor time against error, a field for each mechanism."""
    from matplotlib.figure import Figure

    from linkwork.plots.style import COLOURS, applied

    names = list(dict.fromkeys(point.mechanism for point in points))
    ways = list(dict.fromkeys(point.way for point in points if point.way != TRUTH))
    with applied():
        page = Figure(figsize=(10.4, 3.2 * ((len(names) + 2) // 3) + 0.6), layout="constrained")
        lines: dict[str, Any] = {}
        for k, name in enumerate(names):
            ax = page.add_subplot((len(names) + 2) // 3, min(3, len(names)), k + 1)
            for number, way in enumerate(ways):
                some = [p for p in points if (p.mechanism, p.way) == (name, way) and p.error < LOST and p.error > 0.0]
                if some:
                    (lines[way],) = ax.loglog(
                        [p.error for p in some],
                        [1e3 * p.seconds for p in some],
                        color="black" if way == PLANNED else COLOURS[number % len(COLOURS)],
                        linestyle="--" if way in (IDA, RADAU, MUJOCO, EXUDYN) else "-",
                        marker="o",
                        markersize=3.0,
                    )
            short = [f"{p.way}\n  {p.failure}" for p in points if p.mechanism == name and p.failure.startswith(SHORT)]
            ax.text(0.02, 0.98, "\n".join(short), transform=ax.transAxes, va="top", fontsize=6.5)
            ax.invert_xaxis()
            ax.set_title(name, loc="left")
            ax.set_xlabel("largest error, of the length")
            ax.set_ylabel("processor time [ms]")
        page.legend(list(lines.values()), list(lines), loc="outside right center", fontsize=8.0)
        path.parent.mkdir(parents=True, exist_ok=True)
        page.savefig(path, dpi=150)
