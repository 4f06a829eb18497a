"""Runs of which only the start and the end are kept record these two samples and no others.

A sample is worked out of the state beside the steps, and no step depends on it: what is recorded at the end has the
same bits whatever was recorded before. (An instance that a sample between would have sent from the recorded path to the
general kernels stays on it: last places may differ from those of a sweep that records all.) Left out, as they need all
samples: angles that are counted with their turns, which a joint's coordinate has, and sensors, force elements, springs
and couplings may have; methods whose steps end at samples.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.header import Array
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.quantities.formulas import REACTIONS, REDUCTIONS, WHOLE
from linkwork.run.samples import Samples
from linkwork.run.span import Span
from linkwork.sweeps.columns import body_numbers, is_force
from linkwork.sweeps.kept import Kept

ENDS = "start", "final"  # the reductions that ask for one sample
COUNTED = "energy", "potential_energy", "power"  # which springs that count turns have a part in
METHODS = RungeKuttaRun, ImplicitRun


def ends_of(span: Span, kept: Iterable[Kept]) -> Span | None:
    """Runs as those of a span that record their start and end alone; None where more is needed."""
    if not all(at_ends(one.tree) for one in kept) or any(not in_one_sample(span, one) for one in kept):
        return None
    held = span.borrow()
    run, steps = held.run, held.run.samples - 1
    fits = type(run) in METHODS and run.whole_steps and span.call.samples.every == 1 and steps == run.total
    span.hand_back(held)
    return Span(span.mechanism, replace(span.call, samples=Samples(every=steps))) if fits and steps > 1 else None


def times_of(span: Span) -> Array:
    """Times of all samples of runs with steps of one size [s]."""
    held = span.borrow()
    run: Any = held.run
    found: Array = run.run.start_time[0] + np.arange(run.samples) * span.call.step
    span.hand_back(held)
    return found


def at_ends(tree: ast.AST) -> bool:
    """Whether a formula asks for quantities over time at the start and the end alone."""
    return all(name in ENDS for name in _reduced_by(tree, ""))


def _reduced_by(node: ast.AST, inside: str) -> Iterator[str]:
    """Of each quantity in a formula, by which function it is reduced, directly or not; empty for none."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        for one in node.args:
            yield from _reduced_by(one, inside or (node.func.id if node.func.id in REDUCTIONS else ""))
    elif isinstance(node, ast.Name | ast.Attribute):
        if not (isinstance(node, ast.Name) and node.id == "pi"):
            yield inside
    else:
        for part in ast.iter_child_nodes(node):
            yield from _reduced_by(part, inside)


def in_one_sample(span: Span, one: Kept) -> bool:
    """Whether what a formula is of is known of a sample alone."""
    compiled = span.ready.compiled
    lowered = compiled.lowered
    counted = compiled.angles > 0 or any(effort.potential is not None for effort in lowered.efforts)
    for path in one.quantities:
        if path in (("t",), ("pi",)) or body_numbers(lowered, path) is not None:
            continue
        derived = path[0] in WHOLE if len(path) == 1 else path[1] in REACTIONS and not is_force(lowered, path)
        if not derived or lowered.couplings or (counted and path[0] in COUNTED):
            return False
    return True
