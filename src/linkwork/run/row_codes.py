"""Machine code of the rows of mechanisms that differ in numbers alone, where many starts of them are asked for.

A start that is described is made to fit its rows in plain Python. Recorded (`lanes.traced.rows`) rows take a tenth of
that, with the same bits, and so do the steps between their evaluations (`equations.described_start`). Recording takes
as long as some twenty starts: it is done when there were as many.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.kernels.so3 import exp_so3
from linkwork.mechanism import Mechanism
from linkwork.mechanism.kept import kept
from linkwork.system import CompiledMechanism
from linkwork.system.assembled import Assembled
from linkwork.system.assembly import assemble
from linkwork.system.dense import Pose, drives, parts_of
from linkwork.system.least_change import unit_columns

if TYPE_CHECKING:
    from linkwork.equations.described_start import DescribedStarts
    from linkwork.system.compiled import RowEvaluation

SEVERAL = 24  # starts, until recording is thought worth while
MOST = 200  # rows of a mechanism that is recorded
TRIALS = 0.0, 0.01, 0.4  # rad, and lengths: how far from a start both ways are compared
BESIDE = 0.0, 1e-4, 0.03  # the same of starts that are made to fit, and a second


class RowCodes:
    """Of one structure of rows."""

    def __init__(self) -> None:
        self.asked = 0
        self.code: RowEvaluation | None = None
        self.starts: DescribedStarts | None = None

    def assembled(self, compiled: CompiledMechanism, *, aligned: bool = False) -> tuple[CompiledMechanism, Assembled]:
        """The mechanism, with its code for who asks often enough and where there is any, and its start. aligned : the
        axes that joints keep parallel are known to be nearly so."""
        self.asked += 1
        if self.asked == SEVERAL and (code := recorded(compiled)) is not None:
            self.code, self.starts = code, starts_of(compiled, code)
        coded = compiled if compiled.row_code is self.code else compiled.other(row_code=self.code)
        if self.starts is not None and self.starts.rows.fits(compiled.system.rows):
            found = self.starts.assembled(coded, aligned=aligned)
            if found is not None:
                return coded, found
        return coded, assemble(coded)


def assembled(mechanism: Mechanism, compiled: CompiledMechanism) -> tuple[CompiledMechanism, Assembled]:
    """A mechanism's tables and its start, by code where it is one of many with other numbers. Raises AssemblyError."""
    kin = mechanism._kept.kin
    if kin is None or not 0 < compiled.nc <= MOST:
        return compiled, assemble(compiled)
    return kept(kin, "row codes", RowCodes).assembled(compiled)


def starts_of(compiled: CompiledMechanism, code: RowEvaluation) -> DescribedStarts | None:
    """What finds starts of such mechanisms by compiled code, if that has the bits of `assemble`."""
    from linkwork.equations.described_start import DescribedStarts

    made = DescribedStarts(compiled, code)
    return made if made.plain and all(same_starts(made, one) for one in near(compiled.other(row_code=code))) else None


def near(compiled: CompiledMechanism) -> Iterator[CompiledMechanism]:
    """The mechanism at its start, and at a few beside it."""
    rng, nb = np.random.default_rng(4), compiled.nb
    for off in BESIDE:
        v, w = compiled.v.copy(), compiled.w.copy()
        v[:nb] += off * compiled.length * rng.normal(size=(nb, 3))
        w[:nb] += off * rng.normal(size=(nb, 3))
        pose = Pose(compiled.r, compiled.A)
        if off:
            pose = pose.moved(off * rng.normal(size=(nb, 6)).ravel() * unit_columns(compiled))
        yield compiled.at(pose.r, pose.A, v, w)


def same_starts(made: DescribedStarts, compiled: CompiledMechanism) -> bool:
    """Whether both ways lead to the same start, where the compiled one leads to any."""
    found = made.assembled(compiled)
    if found is None:
        return True
    try:
        wanted = assemble(compiled)
    except LinkworkError:
        return False
    return said_of(found) == said_of(wanted)


def said_of(start: Assembled) -> list[bytes]:
    """All of it, bit for bit."""
    numbers = start.before, start.after, start.velocity_before, start.velocity_after
    arrays = *start.pose, *start.rates, np.array(numbers), start.squares
    return [np.asarray(one).tobytes() for one in arrays]


def recorded(compiled: CompiledMechanism) -> RowEvaluation | None:
    """The code of these rows, if it has their bits; None where it has not, or rows cannot be recorded."""
    from linkwork.lanes.traced.numbers import NotTracedError
    from linkwork.lanes.traced.rows import RowCode

    rows = compiled.system.rows
    try:
        code = RowCode(rows.kind, rows.body_i, rows.body_j, compiled.nb)
    except (NotTracedError, ImportError):
        return None
    return code if has_their_bits(code, compiled) else None


def has_their_bits(code: RowEvaluation, compiled: CompiledMechanism) -> bool:
    """Whether code and kernels give the same rows, at a few poses and times."""
    rng, nb, rows = np.random.default_rng(3), compiled.nb, compiled.system.rows
    for off in TRIALS:
        r, A = compiled.r.copy(), compiled.A.copy()
        r[:nb] += off * compiled.length * rng.normal(size=(nb, 3))
        for b in range(nb):
            turn = np.array(exp_so3(tuple((off * rng.normal(size=3)).tolist()))).reshape(3, 3)
            A[b] = (A[b].reshape(3, 3) @ turn).ravel()
        pose, drive = Pose(r, A), drives(compiled, off)
        with np.errstate(all="ignore"):
            wanted = parts_of(rows, pose, drive)
            found = parts_of(rows, pose, drive, partial(code.evaluate, rows, compiled.tables.row))
        if any(one.tobytes() != other.tobytes() for one, other in zip(found, wanted, strict=True)):
            return False
    return True
