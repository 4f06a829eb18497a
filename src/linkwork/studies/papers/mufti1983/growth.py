"""How the cost of an evaluation grows with the number of bodies: chains, trees, and ladders of four-bars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from linkwork.mechanism import Mechanism
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.generated import chain, ladder, tree
from linkwork.studies.papers.mufti1983.cost import timed
from linkwork.studies.papers.mufti1983.methods import WAYS
from linkwork.studies.runs import Runs
from linkwork.studies.timing import sizes

LONGEST = 5e4  # us: a method whose evaluation takes longer leaves the series
ROUNDS = 4
SMALL = 16  # the largest size where times are to be quick
DECADE = 8.0  # exponents are fitted to the last sizes within this factor


@dataclass(frozen=True)
class Series:
    """Sizes and how to make them. bodies : of a size."""

    name: str
    make: Callable[[int], Mechanism]
    sizes: tuple[int, ...]

    def bodies(self, size: int) -> int:
        """How many there are."""
        return 2 * size + 1 if self.name == "ladder" else size


FAMILIES = (
    Series("chain", chain, (2, 4, 8, 16, 32, 64, 128, 256)),
    Series("tree", tree, (3, 7, 15, 31, 63, 127, 255)),
    Series("ladder", lambda n: ladder(n, "point-in-line"), (1, 2, 4, 8, 16, 32, 64, 128)),
)
Measured = dict[str, dict[str, dict[int, float]]]  # family -> method -> bodies -> us


def growth(runs: Runs) -> Finding:
    """Curves and exponents."""
    found = measured(runs)
    slopes = {(family, way): exponent(found[family][way]) for family in found for way in WAYS}
    lines = []
    for way in WAYS:
        largest = {family: max(found[family][way]) for family in found}
        cells = [(slopes[family, way], largest[family], found[family][way][largest[family]]) for family in found]
        lines.append((way, *(value for slope, n, us in cells for value in (round(slope, 2), n, round(us, 1)))))
    linear = [way for way in WAYS if max(slopes[family, way] for family in found) < 1.25]
    heads = [f"{family}, {what}" for family in found for what in ("exponent", "bodies", "µs")]
    return Finding(
        claim="How does the cost of each method grow with the number of bodies? The paper does not say.",
        measured=f"Exponents below 1.25 on chains, trees and ladders: {', '.join(linear) or 'none'}. "
        + ", ".join(f"{way} {slopes['chain', way]:.2g}" for way in WAYS)
        + " on chains; "
        + ", ".join(f"{way} {slopes['ladder', way]:.2g}" for way in WAYS)
        + " on ladders.",
        why="Exponents are fitted to the last sizes within a factor of eight. A series ends where an evaluation takes "
        f"more than {1e-3 * LONGEST:g} ms. Ladders are closed by points in lines, so that no row is redundant.",
        verdict=Verdict.OWN,
        panels=tuple(
            Panel(
                f"{family}s",
                "bodies",
                "time per evaluation [µs]",
                (
                    *(Curve(way, *points(found[family][way]), dots=True) for way in WAYS),
                    guide(found[family]["augmented"]),
                ),
                log="xy",
            )
            for family in found
        ),
        numbers={f"{family}, {way}, exponent": slope for (family, way), slope in slopes.items()},
        table=columns(("method", *heads), lines),
        data=columns(
            ("family", "method", "bodies", "time [us]"),
            [(f, way, n, us) for f, routes in found.items() for way, some in routes.items() for n, us in some.items()],
        ),
    )


def measured(runs: Runs) -> Measured:
    """All families."""
    return runs.once("mufti1983 growth", lambda: {family.name: series(family) for family in FAMILIES})


def series(family: Series) -> dict[str, dict[int, float]]:
    """Method -> bodies -> microseconds; the slow ones leave on the way."""
    found: dict[str, dict[int, float]] = {way: {} for way in WAYS}
    running = list(WAYS)
    for size in sizes(family.sizes, SMALL):
        bodies = family.bodies(size)
        for way, us in timed(family.make(size), running, ROUNDS).items():
            found[way][bodies] = us
        running = [way for way in running if affordable(found[way], bodies)]
    return found


def affordable(some: dict[int, float], bodies: int) -> bool:
    """Whether twice as many bodies will probably stay within the limit, judged by the last two sizes."""
    last = list(some.values())[-2:]
    times = last[-1] / last[0] if len(last) == 2 else 2.0
    return last[-1] * max(times, 2.0) < LONGEST


def points(some: dict[int, float]) -> tuple[np.ndarray, np.ndarray]:
    """As arrays."""
    return np.array(list(some), dtype=float), np.array(list(some.values()))


def exponent(some: dict[int, float]) -> float:
    """Of the last sizes."""
    n, us = points(some)
    last = n >= n[-1] / DECADE
    return float(np.polyfit(np.log(n[last]), np.log(us[last]), 1)[0])


def guide(some: dict[int, float]) -> Curve:
    """Linear growth, below the curves."""
    n, us = points(some)
    return Curve("linear", n[[0, -1]], 0.25 * us[-1] * n[[0, -1]] / n[-1], guide=True)
