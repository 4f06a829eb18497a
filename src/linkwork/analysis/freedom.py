"""The rank of a mechanism's rows at its start and nearby: what is redundant, and what only seems so there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.system.assembly import fit_positions, position_rows
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.least_change import Jacobian, unit_columns
from linkwork.system.rank import Rank, rank_of_parts

AWAY = 0.02  # rad and typical lengths: how far off the start is looked at


@dataclass(frozen=True)
class RankStudy:
    """Ranks at the assembled start.

    here : of all rows at the start; usual : at a position nearby where the rank is larger, or the same as here.
    positions : rank of the position rows; undriven : of all rows but drivers, both at the usual position.
    poses : the start, and the position nearby if one was looked at.
    """

    here: Rank
    usual: Rank
    positions: int
    undriven: int
    poses: tuple[Pose, ...]


def study_rank(compiled: CompiledMechanism) -> RankStudy:
    """Ranks at the start pose of `compiled`, which is assembled if it can be."""
    pose, drive = Pose(compiled.r, compiled.A), drives(compiled, 0.0)
    parts = row_parts(compiled, pose, drive)
    here = rank_of_parts(compiled, parts)
    seen, usual = [pose], here
    if here.redundant:
        other = _nearby(compiled, pose)
        if other is not None:
            seen.append(other)
            elsewhere = row_parts(compiled, other, drive)
            there = rank_of_parts(compiled, elsewhere)
            if there.rank > here.rank:
                usual, parts = there, elsewhere
    held = position_rows(compiled)
    driven = np.array([row.driver for row in compiled.lowered.rows], dtype=bool)
    positions = usual.rank if held.all() else rank_of_parts(compiled, parts, held).rank
    undriven = rank_of_parts(compiled, parts, ~driven).rank if driven.any() else usual.rank
    return RankStudy(here, usual, positions, undriven, tuple(seen))


def _nearby(compiled: CompiledMechanism, pose: Pose) -> Pose | None:
    """A position a little way along a free motion of the mechanism without its drivers."""
    drive = drives(compiled, 0.0)
    rows = position_rows(compiled) & ~np.array([row.driver for row in compiled.lowered.rows], dtype=bool)
    parts = row_parts(compiled, pose, drive)
    column = unit_columns(compiled)
    J = Jacobian(compiled, parts, rows, column)
    x = np.random.default_rng(2021).uniform(-1.0, 1.0, 6 * compiled.nb)
    x -= J.least_change(J.times(x) * J.size) / column
    size = float(np.max(np.abs(x), initial=0.0))
    if size < 1e-6:
        return None
    fit = fit_positions(compiled, pose.moved(AWAY / size * x * column), drive, rows=rows, attempts=0)
    return fit.pose if fit.fits else None
