"""What was measured, as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks import paper
from benchmarks.linkwork_runs import OurRun
from benchmarks.sizes import Size
from benchmarks.startup import StartUp
from benchmarks.steps import PeerFigures, Steps
from benchmarks.timing import Spread

NONE = "-"


def markdown(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]], notes: Sequence[str] = ()) -> str:
    """A titled table, the first column left, the others right; below it what could not be measured."""
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    if lines:
        rule = ["---", *("---:" for _ in heads[1:])]
        lines = [*(f"| {' | '.join(cells)} |" for cells in (heads, rule)), *lines, ""]
    if notes:
        lines += ["Not measured:", *(f"- {note}" for note in notes), ""]
    return "\n".join([f"### {title}", "", *lines]) if lines else ""


def number(x: float | None, digits: int = 3) -> str:
    """A figure with so many digits that count, without an exponent for everyday sizes."""
    if x is None:
        return NONE
    if x != 0.0 and not 1e-3 <= abs(x) < 1e5:
        return f"{x:.1e}"
    return f"{x:#.{digits}g}".rstrip(".")


def ratio(a: float | None, b: float | None) -> str:
    """a / b."""
    return NONE if a is None or not b else number(a / b)


def median(some: Spread | None) -> float | None:
    """The median, None where nothing was measured."""
    return None if some is None else some.median


def minimum(some: Spread | None) -> float | None:
    """The minimum, None where nothing was measured."""
    return None if some is None else some.minimum


def setup_ms(run: OurRun) -> float | None:
    """Milliseconds per call outside the compiled loop."""
    if run.call is None or run.compiled is None:
        return None
    return (run.call.median - run.compiled.median) * run.steps * 1e-3


def ours_table(runs: Sequence[OurRun], kind: str) -> str:
    """Each formulation beside the paper's published code."""
    rows, notes = [], []
    for run in runs:
        if run.kind != kind:
            continue
        if run.failure:
            notes.append(f"{run.mechanism}, {run.formulation}: {run.failure}")
            continue
        us = median(run.call)
        target = paper.target_us(kind, run.mechanism, run.formulation)
        published = paper.published_us(kind, run.mechanism, run.formulation)
        figures = (us, minimum(run.call), median(run.compiled), setup_ms(run), run.iterations, run.error, target)
        rows.append([run.mechanism, run.formulation, *map(number, figures), ratio(us, target), ratio(published, us)])
    heads = ["mechanism", "formulation", "µs/step", "minimum", "compiled loop", "setup ms", "iterations", "error m"]
    return markdown(f"linkwork, {kind}", [*heads, "target µs", "µs/target", "published code/ours"], rows, notes)


def peers_table(steps: Steps) -> str:
    """rA beside Exudyn: above 1 linkwork is ahead."""
    ours = {run.mechanism: run for run in steps.ours if (run.kind, run.formulation) == ("dynamics", "rA")}
    rows, notes = [], []
    for peer in steps.peers:
        run = ours.get(peer.mechanism, OurRun("dynamics", peer.mechanism, "rA"))
        us = median(run.call)
        cells = [peer.mechanism, number(us), number(median(peer.fastest)), ratio(median(peer.fastest), us)]
        cells += [number(median(peer.default)), ratio(median(peer.default), us)]
        cells += [number(run.error), number(peer.fastest_error), number(peer.default_error)]
        if peer.failure:
            notes.append(f"{peer.mechanism}: {peer.failure}")
        rows.append([*cells, peer.fastest_settings or NONE])
    heads = ["mechanism", "rA µs/step", "Exudyn fastest", "over rA", "Exudyn 1e-8", "over rA"]
    return markdown(
        "Beside Exudyn, dynamics", [*heads, "error m: rA", "fastest", "1e-8", "fastest settings"], rows, notes
    )


def speedup_table(runs: Sequence[OurRun]) -> str:
    """Tables 8 and 10: how much faster than rp."""
    found = {(run.kind, run.mechanism, run.formulation): median(run.call) for run in runs}
    rows = []
    for (kind, name), printed in paper.SPEEDUP.items():
        rp = found.get((kind, name, "rp"))
        if rp is None:
            continue
        cells = [name, kind]
        for formulation in ("rA", "re"):
            us = found.get((kind, name, formulation))
            cells += [ratio(rp, us), *(number(x) for x in printed[formulation])]
        rows.append(cells)
    heads = ["mechanism", "analysis", "rA ours", "paper C1", "paper C2", "re ours", "paper C1", "paper C2"]
    return markdown("Speed-up over rp (Kissel 2021, Tables 8 and 10)", heads, rows)


def iterations_table(runs: Sequence[OurRun]) -> str:
    """Table 9: Newton iterations per step of the kinematics analysis."""
    found = {(run.mechanism, run.formulation): run.iterations for run in runs if run.kind == "kinematics"}
    rows = [
        [name, *(number(x) for f in paper.FORMULATIONS for x in (found.get((name, f)), printed[f]))]
        for name, printed in paper.ITERATIONS.items()
        if any((name, f) in found for f in paper.FORMULATIONS)
    ]
    heads = [text for f in paper.FORMULATIONS for text in (f"{f} ours", "paper")]
    return markdown("Iterations per step, kinematics (Kissel 2021, Table 9)", ["mechanism", *heads], rows)


def startup_table(some: Sequence[StartUp]) -> str:
    """Seconds of whole commands."""
    rows = [
        [s.command, number(s.seconds.median), number(s.seconds.minimum), str(s.seconds.repetitions), number(s.aim)]
        for s in some
    ]
    notes = [f"{s.command}: {s.failure}" for s in some if s.failure]
    return markdown("Start-up, seconds", ["command", "median", "minimum", "repetitions", "aim"], rows, notes)


def sizes_table(some: Sequence[Size]) -> str:
    """Microseconds per step and body against the number of bodies."""
    rows = []
    for size in some:
        ours, peer = median(size.ours), median(size.peer)
        figures = (number(ours), number(size.compiled), number(peer), ratio(peer, size.compiled), number(size.apart))
        rows.append([str(size.bodies), str(size.steps), *figures])
    heads = ["bodies", "steps", "rA µs/step/body", "compiled loop", "Exudyn", "over the loop", "apart m"]
    notes = [f"{size.bodies} bodies: {size.failure}" for size in some if size.failure]
    return markdown("Chains of N bars on pins, absolute coordinates", heads, rows, notes)


def machine_table(facts: dict[str, str]) -> str:
    """The machine, in words."""
    return markdown("Machine", ["", ""], facts.items())


def steps_tables(steps: Steps) -> list[str]:
    """Every table of the time per step, in reading order."""
    return [
        ours_table(steps.ours, "dynamics"),
        ours_table(steps.ours, "kinematics"),
        peers_table(steps),
        speedup_table(steps.ours),
        iterations_table(steps.ours),
    ]


def peers_ahead(peers: Sequence[PeerFigures], ours: Sequence[OurRun]) -> list[str]:
    """The mechanisms on which the peer's fastest is not slower than rA."""
    rA = {run.mechanism: median(run.call) for run in ours if (run.kind, run.formulation) == ("dynamics", "rA")}
    pairs = ((peer.mechanism, median(peer.fastest), rA.get(peer.mechanism)) for peer in peers)
    return [name for name, theirs, us in pairs if theirs is not None and us is not None and theirs <= us]
