"""Work and precision of whole mechanisms: error against processor time, from 1e-2 to 1e-12; ours and other programs.

Andrews' squeezer, a slider crank, a Stewart platform, Bricard's loop, a heavy top and a chain of 100 bars. Ours: five
pairs at every second decade of `rtol`, and what `lw.simulate(..., accuracy=)` makes of every second decade. Peers:
scikit-sundae's IDA and scipy-dae's Radau on stabilised index 2 in absolute coordinates (`absolute_dae`, in NumPy);
MuJoCo with RK4, where all joints are revolute; Exudyn's generalized-alpha on index 3. The error is the largest distance
of a centre of mass from where it should be, over the samples, as a share of the mechanism's length. Truth is
`lie-mixed` with `dop853` at rtol 1e-13; how far it can be trusted tells `articulated-body` with `ts54` at 1e-12.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import monotonic
from typing import Any

import numpy as np

from benchmarks.models import Array
from benchmarks.precision_cases import (
    LATEST_LONG,
    RTOLS,
    Case,
    Point,
    cases,
    interval,
    ladder,
    limited,
    tried,
    truth_of,
)
from benchmarks.precision_peers import peers

PAIRS = (
    ("articulated-body", "dop853"),
    ("lie-mixed", "ts54"),
    ("rA", "radau5"),
    ("rA", "radau9"),
    ("rA", "generalized-alpha"),
)
PLANNED, TRUTH = "planned", "truth"
LEAST_ATOL = 1e-14  # below it is rounding
ASKED = (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)


def ours(case: Case, truth: Array) -> Iterator[Point]:
    """Every pair, and plans."""
    import linkwork as lw

    def run(**how: Any) -> tuple[Array, int]:
        found = lw.simulate(case.mechanism, case.span, interval(case), **how)
        if how.get("accuracy") is not None and not found.success:
            raise ArithmeticError(found.message)
        counts = found.info
        stages = {"radau5": 3, "radau9": 5}.get(str(how.get("integrator")), 1)
        return np.asarray(found["position"]), int(counts.get("evaluations", stages * counts.get("iterations", 0)))

    def made(way: str, setting: float, call: Callable[[], Any]) -> Point:
        if case.long:
            return limited(case, way, setting, call, truth, LATEST_LONG, 2)
        return tried(case, way, setting, call, truth)

    for formulation, integrator in PAIRS:
        projected = "projection" if "stabilisation" in _options(integrator) else None
        name = f"{formulation}, {integrator}"

        def points(
            formulation: str = formulation, integrator: str = integrator, name: str = name, more: str | None = projected
        ) -> Iterator[Point]:
            for rtol in RTOLS:
                how: dict[str, Any] = {"rtol": rtol, "atol": max(1e-3 * rtol, LEAST_ATOL)}
                how |= {"stabilisation": more} if more else {}
                call = partial(run, formulation=formulation, integrator=integrator, **how)
                yield made(name, rtol, call)

        yield from ladder(points())
    yield from ladder(made(PLANNED, each, partial(run, accuracy=each)) for each in ASKED)


def _options(integrator: str) -> Sequence[str]:
    from linkwork.integrators import INTEGRATORS

    return list(INTEGRATORS.load(integrator).options)


def run(
    quick: bool, with_peers: bool = True, say: Callable[[str], None] = print, names: Sequence[str] | None = None
) -> list[Point]:
    """All points, and one of `truth` by mechanism: how far two ways agree.

    say : is told each mechanism's table, too, as soon as it is made. names : of mechanisms, None for all.
    """
    from benchmarks.precision_tables import tables

    found: list[Point] = []
    for case in cases(quick):
        if names is not None and case.name not in names:
            continue
        began = monotonic()
        truth, settled = truth_of(case)
        some = [Point(case.name, TRUTH, float("nan"), settled, 0.0), *ours(case, truth)]
        some += peers(case, truth) if with_peers else []
        say(f"{case.name}: {monotonic() - began:.0f} s, two references differ by {settled:.1e}")
        say("\n".join(tables(some)))
        found += some
    return found
