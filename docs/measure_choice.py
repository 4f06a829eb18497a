"""What every formulation costs and keeps on four mechanisms: the table of docs/choosing.md, printed as Markdown.

python docs/measure_choice.py
"""

from __future__ import annotations

import sys
from functools import partial

import numpy as np

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.mechanism import Mechanism
from linkwork.studies.papers.dumitriu2015.elimination import chain
from linkwork.studies.timing import processor_time
from linkwork.studies.violations import joint_violations

STEP = 1e-3
SPANS, REPEATS = (0.02, 0.22), 7  # s: 200 steps are timed
EXPLICIT = (
    "lie-se3", "lie-product", "lie-mixed", "rotation-matrix", "range-space", "augmented", "partial", "penalty",
    "joint-rates", "barycentric", "cut-joint", "null-space",
)  # fmt: skip
IMPLICIT = ("rA", "rp", "re", "lie-mixed")
WAYS = [(name, "rk4") for name in EXPLICIT] + [(name, "generalized-alpha") for name in IMPLICIT]
WAYS.append(("rA", "implicit-euler"))


def mechanisms() -> dict[str, tuple[Mechanism, float]]:
    """label -> mechanism and the seconds after which it is compared with the reference."""
    return {
        "spherical double pendulum": (lw.load("muller2013_spherical_double_pendulum"), 0.25),
        "slider crank with spring": (lw.load("spatial_slider_crank_spring"), 1.0),
        "Stewart platform": (lw.load("stewart_platform"), 1.0),
        "chain of 30": (chain(30), 0.25),
    }


def measure(mech: Mechanism, t_end: float) -> dict[tuple[str, str], tuple[float, float, float]]:
    """way -> microseconds per step, distance from the reference at the end, largest gap of a joint, m."""
    exact = (
        lw.simulate(mech, t_end, STEP, "lie-mixed", "dop853", every=round(t_end / STEP)).dataset["position"].values[-1]
    )
    kept, calls = {}, {}
    for formulation, integrator in WAYS:
        run = partial(lw.simulate, mech, step=STEP, formulation=formulation, integrator=integrator)
        try:
            result = run(t_end)
        except LinkworkError as error:
            sys.stderr.write(f"{formulation}, {integrator}: {error}\n")
            continue
        off = np.linalg.norm(result.dataset["position"].values[-1] - exact, axis=-1).max()
        gap = max(values.max() for values in joint_violations(mech, result).values())
        kept[formulation, integrator] = float(off), float(gap)
        calls[formulation, integrator] = run
    seconds = processor_time(calls, SPANS, REPEATS)
    return {way: (1e6 * STEP * seconds[way], *kept[way]) for way in kept}


def main() -> None:
    """The table."""
    found = {}
    for label, (mech, t_end) in mechanisms().items():
        found[label] = measure(mech, t_end)
        sys.stderr.write(f"{label}\n")
    lines = [f"| formulation, integrator | {' | '.join(found)} |", "|---|" + "---|" * len(found)]
    for way in WAYS:
        cells = ["{:.3g} µs, {:.0e}, {:.0e}".format(*one[way]) if way in one else "-" for one in found.values()]
        lines.append(f"| `{way[0]}`, `{way[1]}` | {' | '.join(cells)} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
