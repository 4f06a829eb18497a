"""Count chains of pins of up to a hundred bodies, draw docs/images/operation_counts.png, and print the polynomials.

python docs/make_operation_counts.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from linkwork.analysis.counts import counts_of
from linkwork.plots import panels
from linkwork.studies.finding import Curve, Panel
from linkwork.studies.generated import chain
from linkwork.studies.published import published

NUMBERS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100)
WAYS = {
    ("canonical", "screws", False): "canonical, screws",
    ("canonical", "screws", True): "canonical, screws, weight",
    ("canonical", "joints", False): "canonical, joints",
    ("articulated-body", "screws", True): "articulated-body, screws",
    ("articulated-body", "joints", True): "articulated-body, joints",
}
IMAGE = Path(__file__).parent / "images" / "operation_counts.png"


def main() -> None:
    """Count, check that all lie on lines from n = 2 on, draw."""
    n = np.array(NUMBERS, dtype=float)
    curves = []
    for (formulation, frames, weight), label in WAYS.items():
        found = [counts_of(chain(k), formulation, frames=frames, weight=weight) for k in NUMBERS]
        total = np.array([one.total for one in found], dtype=float)
        slope, constant = np.polyfit(n[1:], total[1:], 1)
        assert np.allclose(total[1:], round(slope) * n[1:] + round(constant), rtol=0.0, atol=1e-9)
        sys.stdout.write(f"{label}: {round(slope)} n {round(constant):+d}; n = 1: {total[0]:g}\n")
        curves.append(Curve(label, n, total / n, dots=True))
    printed = published("naudet2003")["table 1"]
    x = np.linspace(3.0, 100.0, 400)
    for name in printed.values:
        line = [printed.value(name, "total", part) for part in ("per_body", "constant")]
        curves.append(Curve(f"{name}, printed", x, line[0] + line[1] / x, guide=True))
    page = panels.figure([Panel("operations per body and evaluation", "bodies", "[1]", tuple(curves), "x")])
    page.savefig(IMAGE, dpi=110)


if __name__ == "__main__":
    main()
