"""Cost over size, drawn: one panel for each kind of mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt

from benchmarks.growth import LIMITS, Cost, exponent

TITLES = {"chain": "Chains of pins", "tree": "Binary trees of pins", "ladder": "Ladders of four-bars"}
MARKS = "osD^vP*X"


def picture(some: Sequence[Cost], path: Path) -> None:
    """Microseconds per evaluation over bodies, both axes logarithmic; exponents in the legend."""
    kinds = list(dict.fromkeys(c.kind for c in some))
    figure, panels = plt.subplots(1, len(kinds), figsize=(4.6 * len(kinds), 4.8), sharey=True, squeeze=False)
    for panel, kind in zip(panels[0], kinds, strict=True):
        for k, way in enumerate(LIMITS):
            costs = [c for c in some if (c.kind, c.way) == (kind, way) and c.evaluation is not None]
            if not costs:
                continue
            slope = exponent(costs)
            label = way if slope is None else f"{way}: {slope:.2f}"
            x, y = [c.bodies for c in costs], [c.evaluation.minimum for c in costs if c.evaluation]
            panel.loglog(x, y, marker=MARKS[k], markersize=5, linewidth=1.3, color=f"C{k}", label=label)
        panel.set(title=TITLES.get(kind, kind), xlabel="bodies")
        panel.grid(True, which="major", linewidth=0.4, alpha=0.6)
        panel.legend(fontsize=8, title="exponent from 50 bodies on", title_fontsize=8)
    panels[0][0].set_ylabel("µs per evaluation")
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    plt.close(figure)
