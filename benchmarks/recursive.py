"""Recursive formulations on chains of pins: one evaluation of forward dynamics, and steps of rk4, beside the peers.

`python -m benchmarks recursive`; see docs/benchmarks.md. Every program has its turn in each round; minima are shown.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks import recursive_calls as calls
from benchmarks.pin_chains import PinChain, pin_chain
from benchmarks.tables import NONE, markdown, number, ratio

Say = Callable[[str], None]
FORMULATIONS = ("articulated-body", "canonical")
EVALUATED, QUICK_EVALUATED = (2, 7, 30, 100, 1000, 10_000), (2, 7, 30)
STEPPED, QUICK_STEPPED = (2, 7, 30, 100), (2, 7)
AIM_PER_BODY = 0.15  # µs
AIM_STEP = {2: 1.5, 7: 4.5, 30: 18.0, 100: 62.0}  # µs
GROWTH_FROM = 7  # bodies, in the fit of the exponent
CACHED = 100  # bodies: what they need fits into the first caches, or nearly
LONG_ENOUGH = 0.05  # s, of one timed call
COUNTED = (12, 13)  # pins: counts lie on a line
KINDS = {"operations": "total", "instructions": "instructions"}  # -> attribute of counts
Line = tuple[int, int]  # so many per pin, and a constant


@dataclass
class Figure:
    """Minimum and median of microseconds; how far results are from the first program's, relative; why not."""

    program: str
    us: float | None = None
    median: float | None = None
    apart: float | None = None
    failure: str = ""


@dataclass
class Row:
    """One chain."""

    bodies: int
    figures: list[Figure] = field(default_factory=list)

    def us(self, program: str) -> float | None:
        """The minimum of a program."""
        return next((f.us for f in self.figures if f.program == program), None)


@dataclass
class Recursive:
    """Everything measured."""

    evaluations: list[Row] = field(default_factory=list)
    steps: list[Row] = field(default_factory=list)
    lines: dict[str, dict[str, Line]] = field(default_factory=dict)  # of formulations, by kind


Maker = tuple[str, Callable[[], calls.Timed]]


def evaluators(lw: Any, chain: PinChain, formulations: Sequence[str], peers: bool) -> list[Maker]:
    """Makers of what is timed, the reference first."""
    made: list[Maker] = []
    n = len(chain)
    if peers and find_spec("pinocchio") and n <= calls.PINOCCHIO_MOST:
        made.append(("Pinocchio, aba in its loop", lambda: calls.pinocchio_inside(chain)))
        made.append(("Pinocchio, aba called from Python", lambda: calls.pinocchio_inside(chain, call=True)))
    made += [(f"linkwork, {name}", partial(calls.ours, lw, chain, name)) for name in formulations]
    if peers and find_spec("mujoco") and n <= calls.MUJOCO_MOST:
        made.append(("MuJoCo, Euler steps in its loop", lambda: calls.mujoco_inside(chain)))
        made.append(("MuJoCo, mj_forward called from Python", lambda: calls.mujoco_inside(chain, call=True)))
    return made


def steppers(lw: Any, chain: PinChain, formulations: Sequence[str], peers: bool) -> list[Maker]:
    """The same of rk4."""
    made: list[Maker] = []
    if peers and find_spec("mujoco"):
        made.append(("MuJoCo", lambda: calls.mujoco_steps(chain)))
    for name in formulations:
        for kept in (False, True):
            program = f"linkwork, {name}{', steps kept' if kept else ''}"
            made.append((program, partial(calls.our_steps, lw, chain, name, kept)))
    if peers and find_spec("exudyn"):
        made.append(("Exudyn, kinematic tree", lambda: calls.exudyn_steps(chain)))
    return made


def measure(bodies: int, makers: Sequence[Maker], rounds: int, most: int | None = None) -> Row:
    """All programs in turn. most : largest count of a call (steps, that trajectories stay comparable)."""
    row, ready = Row(bodies), []
    for program, make in makers:
        figure = Figure(program)
        row.figures.append(figure)
        try:
            timed = make()
            timed.work(most or 2)  # compiles, warms up
            count = most or enough(timed)
            ready.append((figure, timed, count, []))
        except Exception as error:  # a program that cannot must not take the others' figures away
            figure.failure = f"{type(error).__name__}: {error}".splitlines()[0]
    for _ in range(rounds):
        gc.collect()
        gc.disable()
        try:
            for _, timed, count, seconds_each in ready:
                seconds_each.append(timed.work(count))
        finally:
            gc.enable()
    first = None
    for figure, timed, _, seconds_each in ready:
        figure.us, figure.median = 1e6 * min(seconds_each), 1e6 * float(np.median(seconds_each))
        found = timed.result()
        first = found if first is None else first
        figure.apart = float(np.linalg.norm(found - first) / max(1.0, float(np.linalg.norm(first))))
    return row


def enough(timed: calls.Timed) -> int:
    """So many times that a call lasts: entering compiled code costs some 20 µs, which must not count."""
    count = 2
    while timed.work(count) * count < LONG_ENOUGH:
        count *= 2
    return count


def available(formulations: Sequence[str] = FORMULATIONS) -> list[str]:
    """Those that are registered."""
    from linkwork.formulations import FORMULATIONS as known

    return [name for name in formulations if name in known]


def run(quick: bool, peers: bool = True, say: Say = print, formulations: Sequence[str] | None = None) -> Recursive:
    """Measure everything; `say` is told what is being timed."""
    import linkwork as lw

    formulations = available() if formulations is None else formulations
    made = Recursive()
    rounds = 5 if quick else 15
    for n in QUICK_EVALUATED if quick else EVALUATED:
        say(f"evaluations, {n} pins")
        made.evaluations.append(measure(n, evaluators(lw, pin_chain(n), formulations, peers), rounds))
    for n in QUICK_STEPPED if quick else STEPPED:
        say(f"steps of rk4, {n} pins")
        steps = 300 if quick else 1000
        made.steps.append(measure(n, steppers(lw, pin_chain(n), formulations, peers), rounds, steps))
    if set(FORMULATIONS) <= set(formulations):
        say("operations")
        made.lines = {name: operations(lw, name) for name in FORMULATIONS}
    return made


def operations(lw: Any, formulation: str) -> dict[str, Line]:
    """Of one evaluation, counted on our kernels, per pin and a constant: additions, multiplications and divisions; and
    instructions, where a product that is added takes none of its own."""
    few, more = (lw.counts_of(calls.as_mechanism(lw, pin_chain(n)), formulation) for n in COUNTED)
    return {kind: line_through(getattr(few, what), getattr(more, what)) for kind, what in KINDS.items()}


def line_through(few: int, more: int) -> Line:
    """Per pin, and a constant, from counts of chains of `COUNTED` pins."""
    each = (more - few) // (COUNTED[1] - COUNTED[0])
    return each, few - each * COUNTED[0]


def exponent(rows: Sequence[Row], program: str, start: int = GROWTH_FROM) -> float | None:
    """Of the growth of the time with the number of bodies, by least squares of logarithms."""
    points = [(row.bodies, row.us(program)) for row in rows if row.bodies >= start]
    known = [(np.log(n), np.log(us)) for n, us in points if us is not None]
    return float(np.polyfit(*np.array(known).T, 1)[0]) if len(known) > 2 else None


def tables(made: Recursive) -> list[str]:
    """All of them."""
    found = [evaluations_table(made.evaluations), growth_table(made.evaluations), steps_table(made.steps)]
    return [*found, operations_table(made.evaluations, made.lines)] if made.lines else found


def evaluations_table(rows: Sequence[Row]) -> str:
    """Ratios: of the time of Pinocchio in its own loop, and of MuJoCo in its own, to this one's."""
    cells, notes = [], []
    for row in rows:
        pin, mj = row.us("Pinocchio, aba in its loop"), row.us("MuJoCo, Euler steps in its loop")
        for one in row.figures:
            if one.failure:
                notes.append(f"{row.bodies} pins, {one.program}: {one.failure}")
                continue
            each = None if one.us is None else one.us / row.bodies
            us = [number(one.us), number(one.median), number(each), number(one.apart)]
            cells.append([str(row.bodies), one.program, *us, ratio(pin, one.us), ratio(mj, one.us)])
    heads = ["pins", "program", "µs", "median", "µs/body", "apart", "Pinocchio's loop over it", "MuJoCo's over it"]
    return markdown("One evaluation of forward dynamics, chains of pins", heads, cells, notes)


def growth_table(rows: Sequence[Row]) -> str:
    """How the time grows."""
    programs = dict.fromkeys(one.program for row in rows for one in row.figures)
    cells = [[program, number(exponent(rows, program))] for program in programs]
    cells = [row for row in cells if row[1] != NONE]
    return markdown(f"Growth from {GROWTH_FROM} pins: exponent of the number of bodies", ["program", "exponent"], cells)


def counts_at(n: int, lines: dict[str, dict[str, Line]], kind: str) -> list[float]:
    """Of every formulation, of n pins."""
    return [float(lines[name][kind][0] * n + lines[name][kind][1]) for name in FORMULATIONS]


def pace(rows: Sequence[Row], lines: dict[str, dict[str, Line]]) -> tuple[float, float, float] | None:
    """What an evaluation takes besides what is counted, µs, and µs per instruction, one pair for all formulations and
    for chains that the caches hold: least squares of relative errors; and the largest of these."""
    known = [
        (count, us)
        for row in rows
        if row.bodies <= CACHED and all(row.us(f"linkwork, {name}") for name in FORMULATIONS)
        for count, us in zip(
            counts_at(row.bodies, lines, "instructions"),
            (row.us(f"linkwork, {name}") for name in FORMULATIONS),
            strict=True,
        )
    ]
    if len(known) < 4:
        return None
    counts, us = np.array(known).T
    A = np.column_stack([1.0 / us, counts / us])
    found = np.linalg.lstsq(A, np.ones(len(us)))[0]
    return float(found[0]), float(found[1]), float(np.max(np.abs(A @ found - 1.0)))


def operations_table(rows: Sequence[Row], lines: dict[str, dict[str, Line]]) -> str:
    """Whether `canonical` is ahead of `articulated-body` by what their operations promise."""
    cells, fit = [], pace(rows, lines)
    for row in rows:
        cells.append([str(row.bodies)])
        for kind in KINDS:
            counts = counts_at(row.bodies, lines, kind)
            cells[-1] += [*(f"{count:.0f}" for count in counts), ratio(*counts)]
        us = [row.us(f"linkwork, {name}") for name in FORMULATIONS]
        each = [None if time is None else 1e3 * time / count for time, count in zip(us, counts, strict=True)]
        fitted = [fit[0] + fit[1] * count for count in counts] if fit else [None, None]
        cells[-1] += [ratio(*fitted), ratio(*us), *(number(one) for one in each)]
    heads = ["pins"]
    for kind in KINDS:
        heads += [*(f"{kind}, {name}" for name in FORMULATIONS), f"promised by {kind}"]
    heads += ["with the constant", "measured", *(f"ns per instruction, {name}" for name in FORMULATIONS)]
    table = markdown("Operations and time: articulated-body over canonical", heads, cells)
    if fit is None:
        return table
    return (
        f"{table}\nThe constant: up to {CACHED} pins an evaluation by either takes {1e3 * fit[0]:.3g} ns and "
        f"{1e3 * fit[1]:.3g} ns per instruction, to {100.0 * fit[2]:.2g} %.\n"
    )


def steps_table(rows: Sequence[Row]) -> str:
    """Microseconds per step of rk4, 1 ms each."""
    cells, notes = [], []
    for row in rows:
        mj, exu = row.us("MuJoCo"), row.us("Exudyn, kinematic tree")
        for one in row.figures:
            if one.failure:
                notes.append(f"{row.bodies} pins, {one.program}: {one.failure}")
                continue
            aim = AIM_STEP.get(row.bodies) if one.program.startswith("linkwork") else None
            us = [number(one.us), number(one.median), number(aim), number(one.apart)]
            cells.append([str(row.bodies), one.program, *us, ratio(mj, one.us), ratio(exu, one.us)])
    heads = ["pins", "program", "µs/step", "median", "aim", "apart", "MuJoCo over it", "Exudyn over it"]
    return markdown("Steps of rk4, chains of pins", heads, cells, notes)
