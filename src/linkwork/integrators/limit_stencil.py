"""What looking at states beside takes along: where the run stood, and weighted sums of what was found elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Columns, Shape, new_record
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.explicit import ACC, ExplicitProblem

if TYPE_CHECKING:
    from linkwork.integrators.evaluation import Run


class LimitStencil(NamedTuple):
    """What it takes to look at states beside the present one and come back (`integrators.singular_configurations`)."""

    base: Annotated[
        Floats,
        Shape("rows", "columns"),
        "the problem's base: (., .) and, where it needs more, another (., .); counted angles",
    ]
    more: Annotated[Floats, Shape("rows", "columns"), "a second array of the base"]
    counted_angles: Annotated[Floats, Shape("N"), "rad", "the problem's, with their turns"]
    momenta: Annotated[Floats, Shape("d", 2), "the part of base that is ExplicitProblem.momenta, (0, 2) without"]
    kept: Annotated[Floats, Shape("rows", "columns"), "copies of the first three, of size and of psi"]
    kept_more: Annotated[Floats, Shape("rows", "columns"), "copy of `more`"]
    kept_counted_angles: Annotated[Floats, Shape("N"), "rad", "copy of `counted_angles`"]
    kept_size: Annotated[Floats, Shape("N"), "copy of Run.size"]
    psi: Annotated[Floats, Shape("N"), "copy of Run.psi"]
    rates: Annotated[Floats, Shape("N"), "rates of the first half of psi"]
    psi_rate: Annotated[Floats, Shape("N"), "weighted sums: of slopes,"]
    motion: Annotated[Floats, Shape("nb + 1", 6), "accelerations,"]
    lam: Annotated[Floats, Shape("nc"), "multipliers,"]
    extra: Annotated[Floats, Shape("nb + 1", "w"), "what is solved for and recorded besides,"]
    impulse: Annotated[Floats, Shape("d", 2), "and momenta"]
    counts: Annotated[Ints, Shape(1, 6), "all of these:"]
    limits: Annotated[Ints, Columns("counts"), "limits of right-hand sides taken at singular configurations"]
    fewest_dropped: Annotated[Ints, Columns("counts"), "fewest redundant rows so far; -1: not known"]
    not_before: Annotated[
        Ints,
        Columns("counts"),
        "steps before which no limit is tried: at the start others find out which rows depend on each other",
    ]
    projection_due: Annotated[Ints, Columns("counts"), "1: the state should be projected onto the constraints"]
    output_done: Annotated[Ints, Columns("counts"), "1: what is recorded of the placed state is a weighted sum already"]
    reacting: Annotated[Ints, Columns("counts"), "1: k[0] is of momenta that reactions change"]
    first_loss: Annotated[Floats, Shape(1), "s", "when the first limit was taken"]


def new_limit_stencil(problem: ExplicitProblem) -> LimitStencil:
    """Room to look at states beside and come back; none where the problem cannot be brought back to where it was."""
    work, bases = problem.work, getattr(problem, "bases", ())
    none = np.zeros((0, 0))
    base, more, counted_angles = (*bases, none, none)[:2] + ((work.counted_angles,) if bases else (none[0:0].ravel(),))
    rows = len(work.motion) if bases else 0
    n = len(work.psi) if bases else 0
    momenta = problem.momenta if bases else np.zeros((0, 2))
    found = new_record(
        LimitStencil,
        given={
            "base": base,
            "more": more,
            "counted_angles": counted_angles,
            "momenta": momenta,
            "kept": base.copy(),
            "kept_more": more.copy(),
            "kept_counted_angles": counted_angles.copy(),
            "kept_size": np.zeros(n),
            "psi": np.zeros(n),
            "rates": np.zeros(n),
            "psi_rate": np.zeros(n),
            "motion": np.zeros((rows, 6)),
            "lam": np.zeros(len(work.lam) if bases else 0),
            "extra": np.zeros((rows, problem.extra.shape[1] if bases and problem.solves_extra else 0)),
            "impulse": np.zeros_like(momenta),
        },
    )
    found.fewest_dropped[0], found.not_before[0] = -1, 1
    return found


@kernel
def keep_base(run: Run) -> None:
    """Keep copies of base, counted angles, size and psi, to come back to."""
    b = run.stencil
    copy2(b.base, b.kept)
    copy2(b.more, b.kept_more)
    copy1(b.counted_angles, b.kept_counted_angles)
    copy1(run.size, b.kept_size)
    copy1(run.psi, b.psi)


@kernel
def come_back(run: Run) -> None:
    """Base, counted angles, size and psi as `keep_base` kept them."""
    b = run.stencil
    copy2(b.kept, b.base)
    copy2(b.kept_more, b.more)
    copy1(b.kept_counted_angles, b.counted_angles)
    copy1(b.kept_size, run.size)
    copy1(b.psi, run.psi)


@kernel
def forget(run: Run) -> None:
    """All weighted sums of the stencil become zero."""
    add_found(run, 0.0)


@kernel
def add_found(run: Run, weight: float) -> None:
    """What the run has just found, so much of it, into the sums; 0 makes them zero."""
    b = run.stencil
    add1(b.psi_rate, run.psi_rate, weight)
    add2(b.motion, run.motion[:, ACC : ACC + 6], weight)
    add2(b.extra, run.extra, weight)
    add1(b.lam, run.lam, weight)
    add2(b.impulse, b.momenta, weight)


@kernel
def copy1(a: Floats, b: Floats) -> None:
    """b[:n] becomes a copy of a (n,)."""
    for c in range(a.shape[0]):
        b[c] = a[c]


@kernel
def copy2(a: Floats, b: Floats) -> None:
    """b = a, as far as a goes."""
    for r in range(a.shape[0]):
        for c in range(a.shape[1]):
            b[r, c] = a[r, c]


@kernel
def add1(total: Floats, x: Floats, weight: float) -> None:
    """total += weight x; weight 0: total = 0."""
    for c in range(total.shape[0]):
        total[c] = total[c] + weight * x[c] if weight != 0.0 else 0.0


@kernel
def add2(total: Floats, x: Floats, weight: float) -> None:
    """The same of tables, as far as the total goes."""
    for r in range(total.shape[0]):
        for c in range(total.shape[1]):
            total[r, c] = total[r, c] + weight * x[r, c] if weight != 0.0 else 0.0
