"""What the Lie-group benchmarks measured, as Markdown tables. Times are minima: see docs/benchmarks.md."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.lie import GROUPS, STABILISED, TWINS, Agreement, Chain, Lie
from benchmarks.lie_precision import FIXED, PAIRS, Point, seconds_for
from benchmarks.lie_runs import Figures
from benchmarks.tables import NONE, markdown, minimum, number, ratio, startup_table

TARGET_US = {"muller2013_heavy_top": 3.0, "muller2013_spherical_double_pendulum": 8.0}  # issue: one step of rk4
ERRORS = (1e-3, 1e-6, 1e-9)


def tables(made: Lie) -> list[str]:
    """All of them, in reading order."""
    return [
        joints_table(made.joints),
        jointless_table(made.jointless),
        groups_table(made.joints),
        stabilisation_table(made.stabilised),
        chains_table(made.chains),
        precision_table(made.precision),
        startup_table(made.startup),
        agreement_table(made.agreement),
    ]


def failures(some: Sequence[Figures]) -> list[str]:
    """Who failed, and why."""
    return [f"{one.mechanism}, {one.program} {one.method}: {one.failure}" for one in some if one.failure]


def short(name: str) -> str:
    """A mechanism's name without its paper."""
    return name.removeprefix("muller2013_").replace("_", " ")


def joints_table(some: Sequence[Figures]) -> str:
    """Every run; how many times the time of Exudyn's fastest is that of ours."""
    rows = []
    peer: dict[str, float] = {}
    for one in some:
        if one.program == "Exudyn" and one.call is not None:
            peer[one.mechanism] = min(peer.get(one.mechanism, float("inf")), one.call.minimum)
    for one in some:
        if one.failure:
            continue
        us, loop = minimum(one.call), minimum(one.loop)
        target = TARGET_US.get(one.mechanism) if one.method in [f"{group}, rk4" for group in GROUPS] else None
        ahead = [NONE, NONE]
        if one.program == "linkwork":
            ahead = [ratio(peer.get(one.mechanism), us), ratio(peer.get(one.mechanism), loop)]
        cells = [short(one.mechanism), f"{one.program}: {one.method}"]
        rows.append([*cells, *map(number, (us, loop, target)), *ahead, number(one.error), number(one.gap)])
    heads = ["mechanism", "method", "µs/step", "compiled loop", "target", "Exudyn's fastest over it", "over the loop"]
    title = "Lie groups: the examples of Müller 2013, h = 1 ms"
    return markdown(title, [*heads, "error m, rad", "gap m"], rows, failures(some))


def jointless_table(some: Sequence[Figures]) -> str:
    """Explicit methods in pairs of equal order."""
    found = {(one.mechanism, one.method, one.every > 1): one for one in some if not one.failure}
    rows = []
    for name in dict.fromkeys(one.mechanism for one in some):
        for integrator, twin in TWINS.items():
            pair = [f"lie-mixed, {integrator}", f"{twin}, RotationVector"]
            (us, them), (bare, them_bare) = ([found.get((name, way, last)) for way in pair] for last in (False, True))
            if us is None:
                continue
            loop, theirs = minimum(us.loop), least(them)
            figures = [number(minimum(us.call)), number(loop), number(theirs), ratio(theirs, minimum(us.call))]
            figures += [ratio(theirs, loop), ratio(least(them_bare), None if bare is None else minimum(bare.loop))]
            figures += [number(us.error), number(None if them is None else them.error)]
            rows.append([name, integrator, twin, *figures])
    heads = ["mechanism", "ours", "Exudyn's", "µs/step", "compiled loop", "Exudyn", "over ours", "over the loop"]
    title = "Lie groups: explicit methods without joints, lie-mixed, h = 1 ms"
    return markdown(title, [*heads, "the same, nothing kept", "error m, rad", "Exudyn's error"], rows, failures(some))


def least(figures: Figures | None) -> float | None:
    """The least microseconds per step of the whole call."""
    return None if figures is None else minimum(figures.call)


def groups_table(some: Sequence[Figures]) -> str:
    """What each group costs."""
    loops = {(one.mechanism, one.method): minimum(one.loop) for one in some if one.program == "linkwork"}
    rows = []
    for name in dict.fromkeys(one.mechanism for one in some):
        us = [loops.get((name, f"{group}, rk4")) for group in GROUPS]
        rows.append([short(name), *map(number, us), ratio(us[0], us[1])])
    heads = ["mechanism", *GROUPS, "se3/product"]
    return markdown("Lie groups: µs per step of rk4 in the compiled loop", heads, rows)


def stabilisation_table(some: Sequence[Figures]) -> str:
    """What staying on the constraints costs, and what it brings."""
    rows = []
    for one in some:
        if one.failure:
            continue
        plain = next((o for o in some if (o.mechanism, o.method) == (one.mechanism, next(iter(STABILISED)))), one)
        loop = minimum(one.loop)
        cells = [short(one.mechanism), one.method, number(loop), ratio(loop, minimum(plain.loop))]
        rows.append([*cells, number(one.gap), number(one.error)])
    heads = ["mechanism", "stabilisation", "compiled loop µs/step", "over none", "gap m", "error m, rad"]
    return markdown("Lie groups: stabilisation, lie-product, rk4, h = 1 ms, 5 s", heads, rows, failures(some))


def chains_table(some: Sequence[Chain]) -> str:
    """Time per body against the number of bodies."""
    rows = []
    for one in some:
        us, loop, peer = minimum(one.ours), minimum(one.loop), minimum(one.peer)
        figures = map(number, (us, loop, minimum(one.implicit), peer))
        cells = [str(one.bodies), str(one.steps), *figures, ratio(peer, us), ratio(peer, loop), number(one.apart)]
        rows.append([*cells, one.settings or NONE])
    heads = ["bodies", "steps", "rk4 µs/step/body", "compiled loop", "generalized-alpha", "Exudyn", "over rk4"]
    notes = [f"{one.bodies} bodies: {one.failure}" for one in some if one.failure]
    title = "Lie groups: chains of ball joints, lie-mixed, h = 1 ms"
    return markdown(title, [*heads, "over the loop", "apart m", "Exudyn's settings"], rows, notes)


def precision_table(points: Sequence[Point]) -> str:
    """Milliseconds until a method has reached an error."""
    rows = []
    for name in dict.fromkeys(point.mechanism for point in points):
        for integrator, adaptive in [*((one, False) for one in FIXED), *((one, True) for one in PAIRS)]:
            some = [p for p in points if (p.mechanism, p.integrator, p.adaptive) == (name, integrator, adaptive)]
            times = [seconds_for(some, error) for error in ERRORS]
            shown = [number(None if t is None else 1e3 * t) for t in times]
            rows.append([short(name), integrator, "adaptive" if adaptive else "fixed", *shown])
    heads = ["mechanism", "method", "steps", *(f"ms to {error:.0e}" for error in ERRORS)]
    return markdown("Lie groups: work and precision, lie-mixed", heads, rows)


def agreement_table(some: Sequence[Agreement]) -> str:
    """Whether the reference stands."""
    rows = [[short(one.mechanism), number(one.apart)] for one in some if not one.failure]
    notes = [f"{one.mechanism}: {one.failure}" for one in some if one.failure]
    heads = ["mechanism", "largest difference m, rad"]
    return markdown("Lie groups: dop853 at 1e-13 beside the reference", heads, rows, notes)
