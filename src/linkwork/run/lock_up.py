"""Lock-up: drivers that ask for poses beyond the limit of a mechanism's motion [Haug 1989].

At such a limit the position rows lose rank, and later drivers' values have no pose. It is looked for where a run has
failed: from the last recorded pose that meets the rows, poses are found at later and later times until there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.shown import some
from linkwork.system.assembly import position_rows
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.least_change import Jacobian, unit_columns
from linkwork.system.rank import RANK_TOLERANCE, rank_of_parts

Array = NDArray[np.float64]

HALVINGS, FEW, FEWER = 40, 10, 20  # of the time in which the limit lies; with more bodies than so many, fewer
ITERATIONS, MET = 30, 1e-11  # of Newton's method; of the typical length: rows that are off by so much are met
SLOW = 0.5  # at the limit itself errors fall to a quarter in each iteration, elsewhere faster
FAR = 0.5  # rad, typical lengths: further steps do not lead to a pose beside the one that is known
DAMPING = 1e-13  # of the normal equations of unit rows, that dependent ones need
LOST = 3e-3  # the smallest singular value there, as a share of the largest: it falls with the root of the time left
TAKES_PART = 0.02  # entries of its left vector, as a share of the largest


class LockUp(NamedTuple):
    """The limit of a motion. time : s. drivers : with their values. joints : whose rows lose rank."""

    time: float
    drivers: tuple[str, ...]
    joints: tuple[str, ...]

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return "End the run before it, change the driver's formula or a length, or drive another joint."

    def __str__(self) -> str:
        of = f"joints {some([repr(one) for one in self.joints])} let " if self.joints else ""
        who = f"driver {self.drivers[0]}" if len(self.drivers) == 1 else f"drivers {some(self.drivers)}"
        return f"t = {self.time:.6g} s: lock-up, the limit of the motion: {of}{who} go no further."


def lock_up(mechanism: CompiledMechanism, blocks: Sequence[Mapping[str, Any]], time: float) -> LockUp | None:
    """Where the drivers' values have no pose any more; None where there is one at the time at which a run failed.

    mechanism : of the run. blocks : its last samples, with times (n,) and the bodies' motion (n, nb, 24). time : s.
    """
    if not mechanism.nc:
        return None
    moving = [
        k
        for k, (row, number) in enumerate(zip(mechanism.lowered.rows, mechanism.system.rows.program, strict=False))
        if row.driver and number >= 0
    ]
    if not moving:
        return None
    with np.errstate(all="ignore"):
        found = _last_pose(mechanism, blocks)
        if found is None or _fit(mechanism, found[1], time) is not None:
            return None
        reached, pose = _limit(mechanism, *found, time)
        left = _lost(mechanism, pose, reached)
    if left is None:
        return None
    rows = mechanism.lowered.rows
    values = drives(mechanism, reached)[:, 0]
    part = np.abs(left) > TAKES_PART * np.max(np.abs(left), initial=0.0)
    driven = [k for k in moving if part[k]] or moving
    units = {"ANGLE": " rad", "DP1": ""}
    said = tuple(f"{rows[k].owner!r} ({values[k]:.6g}{units.get(rows[k].kind, ' m')})" for k in driven)
    owners = dict.fromkeys(row.owner for row, takes in zip(rows, part, strict=True) if takes and not row.driver)
    return LockUp(reached, said, tuple(owners))


def _last_pose(mechanism: CompiledMechanism, blocks: Sequence[Mapping[str, Any]]) -> tuple[float, Pose] | None:
    """The last recorded pose near which the rows can be met, made to meet them, and its time."""
    places = [(block, n) for block in blocks for n in range(len(block["time"]))]
    known, beyond, found = -1, len(places), None
    while beyond - known > 1:  # the last one first: most runs end where they fail
        n = beyond - 1 if known < 0 and beyond == len(places) else (known + beyond) // 2
        block, sample = places[n]
        time = float(block["time"][sample])
        pose = _fit(mechanism, _pose_of(mechanism, block["motion"][sample]), time)
        if pose is None:
            beyond = n
        else:
            known, found = n, (time, pose)
    return found


def _pose_of(mechanism: CompiledMechanism, motion: Array) -> Pose:
    """Positions and rotations of a recorded sample (nb, 24)."""
    r, A = mechanism.r.copy(), mechanism.A.copy()
    r[:-1], A[:-1] = motion[:, :3], motion[:, 3:12]
    return Pose(r, A)


def _fit(mechanism: CompiledMechanism, pose: Pose, time: float) -> Pose | None:
    """The pose beside this one at which the position rows hold, by Newton's method; None where there is none near."""
    drive, rows, column = drives(mechanism, time), position_rows(mechanism), unit_columns(mechanism)
    met, before, slow = MET * max(1.0, mechanism.length), np.inf, 0
    for _ in range(ITERATIONS):
        parts = row_parts(mechanism, pose, drive)
        phi = parts.phi[rows]
        error = float(np.max(np.abs(phi), initial=0.0))
        if not error > met:
            return pose if np.all(np.isfinite(phi)) else None
        slow, before = slow + (error > SLOW * before), error
        if slow > 1:
            return None
        J = Jacobian(mechanism, parts, rows, column)
        step = _step(J, -phi) if J.is_dense else J.least_change(-phi)
        if not np.max(np.abs(step / column)) < FAR:  # so far from a pose that is known: there is none near
            return None
        pose = pose.moved(step)
    return None


def _step(J: Jacobian, rhs: Array) -> Array:
    """Nearly the least change: damped normal equations take a small part of the time of singular values."""
    G = J.dense()
    normal = G.T @ G
    normal[np.diag_indices(len(normal))] += DAMPING
    step: Array = np.linalg.solve(normal, G.T @ (rhs / J.size)) * J.column
    return step


def _limit(mechanism: CompiledMechanism, reached: float, pose: Pose, beyond: float) -> tuple[float, Pose]:
    """The last time at which there is a pose, and the pose."""
    for _ in range(HALVINGS if mechanism.nb <= FEW else FEWER):
        middle = 0.5 * (reached + beyond)
        if not reached < middle < beyond:
            break
        further = _fit(mechanism, pose, middle)
        if further is None:
            beyond = middle
        else:
            reached, pose = middle, further
    return reached, pose


def _lost(mechanism: CompiledMechanism, pose: Pose, time: float) -> Array | None:
    """(nc,) the combination of rows that is about to vanish at the limit; None where none is: another cause."""
    rows = position_rows(mechanism)
    parts = row_parts(mechanism, pose, drives(mechanism, time))
    J = Jacobian(mechanism, parts, rows, unit_columns(mechanism))
    if not J.is_dense:
        return np.zeros(mechanism.nc) if rank_of_parts(mechanism, parts, rows).nearly < LOST else None
    U, sizes, _ = np.linalg.svd(J.dense(), full_matrices=False)
    kept = np.flatnonzero(sizes > RANK_TOLERANCE * sizes[0])
    if not sizes[kept[-1]] < LOST * sizes[0]:
        return None
    left = np.zeros(mechanism.nc)
    left[rows] = U[:, kept[-1]]
    return left
