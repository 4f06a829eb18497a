"""What every formulation costs and keeps on four mechanisms: the table of docs/choosing.md, printed as Markdown.

python docs/measure_choice.py [FORMULATION ...]
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
SHORT, REPEATS = 0.02, 9  # s: what preparation costs, which does not count
EXPLICIT = (
    "lie-se3", "lie-product", "lie-mixed", "rotation-matrix", "range-space", "augmented", "partial", "penalty",
    "joint-rates", "barycentric", "cut-joint", "null-space", "canonical", "articulated-body",
)  # fmt: skip
IMPLICIT = ("rA", "rp", "re", "lie-mixed")
ALL = [(name, "rk4") for name in EXPLICIT] + [(name, "generalized-alpha") for name in IMPLICIT]
ALL.append(("rA", "implicit-euler"))
WAYS = [way for way in ALL if way[0] in sys.argv[1:] or not sys.argv[1:]]


def mechanisms() -> dict[str, tuple[Mechanism, float, float]]:
    """label -> mechanism, the seconds after which it is compared with the reference, and the span that is timed."""
    return {
        "spherical double pendulum": (lw.load("muller2013_spherical_double_pendulum"), 0.25, 5.0),
        "slider crank with spring": (lw.load("spatial_slider_crank_spring"), 1.0, 3.0),
        "Stewart platform": (lw.load("stewart_platform"), 1.0, 0.5),
        "chain of 30": (chain(30), 0.25, 0.3),
    }


def measure(mech: Mechanism, t_end: float, timed: float) -> dict[tuple[str, str], tuple[float, float, float]]:
    """way -> microseconds per step, distance from the reference at the end, largest gap of a joint, m."""
    exact = (
        lw.simulate(mech, t_end, STEP, "lie-mixed", "dop853", every=round(t_end / STEP)).dataset["position"].values[-1]
    )
    kept, calls = {}, {}
    for formulation, integrator in WAYS:
        run = partial(lw.simulate, mech, step=STEP, formulation=formulation, integrator=integrator, every=10)
        try:
            result = run(t_end)
        except LinkworkError as error:
            sys.stderr.write(f"{formulation}, {integrator}: {error}\n")
            continue
        off = np.linalg.norm(result.dataset["position"].values[-1] - exact, axis=-1).max()
        gap = max(values.max() for values in joint_violations(mech, result).values())
        kept[formulation, integrator] = float(off), float(gap)
        calls[formulation, integrator] = run
    seconds = processor_time(calls, (SHORT, SHORT + timed), REPEATS)
    return {way: (1e6 * STEP * seconds[way], *kept[way]) for way in kept}


def main() -> None:
    """The table."""
    found = {}
    for label, (mech, t_end, timed) in mechanisms().items():
        found[label] = measure(mech, t_end, timed)
        sys.stderr.write(f"{label}\n")
    lines = [f"| formulation, integrator | {' | '.join(found)} |", "|---|" + "---|" * len(found)]
    for way in WAYS:
        cells = ["{:.3g} µs, {:.0e}, {:.0e}".format(*one[way]) if way in one else "-" for one in found.values()]
        lines.append(f"| `{way[0]}`, `{way[1]}` | {' | '.join(cells)} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
