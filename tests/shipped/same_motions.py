"""Compares what `motions.py` found with two kinds of code: python same_motions.py ONE.json OTHER.json

Differences are shares of the largest number of an array, and as large as rounding makes them in a hundred steps. Forces
of implicit steps hang on where Newton's iteration stops, which rounding decides.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

MOST = 1e-10
MOST_FORCES = 1e-6  # of implicit steps: 1.6e-8 and 2.7e-8 between x86-64-v2 and v3


def main(one: str, other: str) -> int:
    """1 if something is not as it should be."""
    ours, theirs = (json.loads(Path(file).read_text(encoding="utf-8")) for file in (one, other))
    wrong = sorted(set(ours) ^ set(theirs))
    for name in sorted(set(ours) & set(theirs)):
        a, b = ours[name], theirs[name]
        if a["numba"] or "just in time" in a["code"] or a["code"] == b["code"]:
            wrong.append(f"{name}: {a['code']}, {b['code']}")
        apart = {key: difference(a[key], b[key]) for key in a if key not in ("code", "numba")}
        for key, value in apart.items():
            loose = key == "reaction_force" and "generalized-alpha" in name
            if not value <= (MOST_FORCES if loose else MOST):
                wrong.append(f"{name}: {key} {value:.1e} apart")
        said = ", ".join(f"{key} {value:.1e}" for key, value in apart.items())
        sys.stdout.write(f"{name}: {said}\n")
    sys.stdout.write("\n".join([*wrong, f"{len(ours)} runs, {len(wrong)} wrong\n"]))
    return min(1, len(wrong))


def difference(a: object, b: object) -> float:
    """The largest, as a share of the largest number; infinite where shapes or numbers are not those of a motion."""
    x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    if x.shape != y.shape or not x.size or not (np.isfinite(x).all() and np.isfinite(y).all()):
        return float("inf")
    return float(np.abs(x - y).max() / max(np.abs(y).max(), 1e-300))


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
