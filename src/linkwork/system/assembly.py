"""Assembly: start positions, then velocities, made to fit the constraints with the least change.

Positions: damped Gauss-Newton steps of least weighted size, never accepted unless they bring the rows closer, so
that a pose which fits already stays as it is. Axes of joints are first turned the right way round
(`system.alignment`). A start from which no step helps is tried again from slightly moved poses before it is given
up. Velocities: one linear least-change problem. Rows at velocity level take part in the second only.

What the description states (`system.stated`) is changed only where the unknown alone cannot fit the rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import AssemblyError
from linkwork.system.alignment import Axes, misaligned_at, straighten
from linkwork.system.assembled import Assembled
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Parts, Pose, Rates, drives, row_parts, row_squares, velocity_rhs
from linkwork.system.least_change import DENSE, Jacobian, Mask, summed, unit_columns
from linkwork.system.stated import SHARE, held_poses, held_velocities, velocity_units

Array = NDArray[np.float64]

ITERATIONS = 80
LARGEST_ROTATION, LARGEST_MOVE = 0.5, 1.0  # rad, and typical lengths, in one step
FITS = 1e-13  # of the typical length: what rounding leaves
LITTLE = 1e-3  # of the mechanism's length: digits of points and axes rather than wrong ones
ACCEPTED = 1e-10
FITS_SPEED = 1e-14  # of the largest speed: velocities which fit so well stay as they are
ACCEPTED_SPEED = 1e-9
HELPS = 1e-4  # share of the sum of squares that a step must take away
SLOW, SLOW_STEPS = 0.9, 3  # steps that leave more than this share of it, and how many of them make one look
OUT_OF_REACH = 1e-4  # a residual of which no more than this share can be changed is stuck
WRITTEN = 1e-6  # of the typical length: start poses that fit so well are only rounded, and nothing in them is unknown
NUDGES = (0.05, 0.3, 1.0)  # rad and typical lengths: how far a stuck start is moved before another attempt


@dataclass(frozen=True)
class Fit:
    """Where positions came to: the pose, all rows' values there, the largest of those held, and whether it fits; and
    the rows there, where they are known."""

    pose: Pose
    phi: Array
    error: float
    fits: bool
    before: float
    parts: Parts | None = None


def assemble(
    mechanism: CompiledMechanism,
    t: float = 0.0,
    *,
    weights: Array | None = None,
    keep_velocities: bool = False,
    fit: Fit | None = None,
) -> Assembled:
    """Make the start pose and velocity of a mechanism consistent at time t.

    weights : (nb,) what moving a body counts, 1 by default; infinite: it stays.
    keep_velocities : change positions only.
    fit : what `fit_positions` came to, if that is known.
    Raises AssemblyError naming the rows that cannot be met, with the closest values found.
    """
    start = Pose(mechanism.r, mechanism.A)
    drive = drives(mechanism, t)
    if fit is None:
        fit = fit_positions(mechanism, start, drive, weights=weights)
    if not fit.fits:
        raise _not_assembled(mechanism, fit, t)
    parts = row_parts(mechanism, fit.pose, drive) if fit.parts is None else fit.parts
    rates, velocity_before, velocity_after = fit_velocities(mechanism, fit.pose, drive, weights, keep_velocities, parts)
    return Assembled(
        start=start,
        given=Rates(mechanism.v, mechanism.w),
        pose=fit.pose,
        rates=rates,
        before=fit.before,
        after=fit.error,
        velocity_before=velocity_before,
        velocity_after=velocity_after,
        squares=None if mechanism.rigid or t != 0.0 else row_squares(mechanism, parts),
    )


def position_rows(mechanism: CompiledMechanism) -> Mask:
    """Which rows constrain positions."""
    mask: Mask = mechanism.system.rows.nonholonomic == 0
    return mask


def fit_positions(
    mechanism: CompiledMechanism,
    start: Pose,
    drive: Array,
    *,
    rows: Mask | None = None,
    weights: Array | None = None,
    attempts: int | None = None,
) -> Fit:
    """The pose nearest to `start`, so far as it can be found, at which the position rows hold (or those in `rows`).

    Positions and rotations that are not stated are tried alone first. Raises nothing: `Fit.fits` tells. Without success
    the best pose of the first attempt with all of them is given.
    """
    which = position_rows(mechanism) if rows is None else rows
    search = _Search(mechanism, drive, which, weights)
    if held_poses(mechanism).anything_free and search.error(search.parts(start, [])) > WRITTEN * mechanism.length:
        unknown = _Search(mechanism, drive, which, weights, share=0.0).from_pose(start)
        if unknown.fits:
            return unknown
    first = search.from_pose(start)
    if first.fits:
        return first
    if attempts is None:
        attempts = len(NUDGES) if 6 * mechanism.nb <= DENSE else 1
    rng = np.random.default_rng(2021)
    free = search.column > 0
    for size in NUDGES[:attempts]:
        nudge = np.where(free, size * rng.uniform(-1.0, 1.0, len(free)) * search.column, 0.0)
        fit = search.from_pose(start.moved(nudge))
        if fit.fits:
            return replace(fit, before=first.before)
    return first


class _Search:
    """The least-squares descent on some rows; `share` of the usual steps for stated poses."""

    def __init__(
        self, mechanism: CompiledMechanism, drive: Array, rows: Mask, weights: Array | None, share: float = 1.0
    ) -> None:
        self.mechanism, self.drive, self.rows = mechanism, drive, rows
        self.held, self.fraction = held_poses(mechanism), share
        self.weights = weights
        self.fits, self.accepted = (least * max(1.0, mechanism.length) for least in (FITS, ACCEPTED))
        self._last: tuple[Pose | None, Parts | None] = (None, None)

    @cached_property
    def column(self) -> Array:
        """Units of the columns of Jacobians."""
        return unit_columns(self.mechanism, self.weights)

    def parts(self, pose: Pose, axes: list[Axes]) -> Parts:
        """The rows at a pose, with the axes in `axes` straightened; not to be written into."""
        at, parts = self._last
        if parts is not None and at is pose and not axes:
            return parts
        with np.errstate(all="ignore"):  # a value that is not finite is found in `least_squares`
            parts = row_parts(self.mechanism, pose, self.drive)
        if axes:
            straighten(self.mechanism, axes, pose, parts)
        else:
            self._last = pose, parts
        return parts

    def error(self, parts: Parts) -> float:
        """The largest violation."""
        return _largest(parts.phi[self.rows])

    def from_pose(self, start: Pose) -> Fit:
        """Descend from a pose: axes the right way round first, then the rows as they are."""
        parts = self.parts(start, [])
        before = self.error(parts)
        if before <= self.fits:
            return Fit(start, parts.phi, before, True, before, parts)
        pose = start
        axes = misaligned_at(self.mechanism, start)
        if axes:
            pose = self.least_squares(pose, axes)
        pose = self.least_squares(pose, [])
        parts = self.parts(pose, [])
        error = self.error(parts)
        if before <= self.accepted and not error < before:
            pose, parts, error = start, self.parts(start, []), before
        return Fit(pose, parts.phi, error, error <= self.accepted, before, parts)

    def least_squares(self, pose: Pose, axes: list[Axes]) -> Pose:
        """Damped Gauss-Newton until the rows fit or no step helps."""
        damping, slow = 0.0, 0
        parts = self.parts(pose, axes)
        for _ in range(ITERATIONS):
            if self.error(parts) <= self.fits or not _is_finite(parts):
                break
            rhs = -parts.phi[self.rows]
            G = self.jacobian(parts, pose)
            scale = 1.0 / G.size
            old = _total(rhs * scale)
            for _ in range(14):
                step = G.least_change(rhs, damping)
                shorter = self.shorten(step)
                trial = pose.moved(shorter * step)
                found = self.parts(trial, axes)
                new = _total(found.phi[self.rows] * scale) if _is_finite(found) else float("inf")
                if new < old * (1.0 - HELPS * shorter) or (new < old and self.error(found) <= self.accepted):
                    break
                damping = max(10.0 * damping, 1e-4)
            else:
                break
            pose, parts = trial, found
            damping = damping / 10.0 if damping > 1e-6 else 0.0
            slow = slow + 1 if new > SLOW * old else 0
            if slow >= SLOW_STEPS and self.error(parts) > self.accepted:
                G = self.jacobian(parts, pose)
                if slow >= 12 or G.reachable(parts.phi[self.rows]) < OUT_OF_REACH:
                    break
        return pose

    def jacobian(self, parts: Parts, pose: Pose) -> Jacobian:
        """The rows with the steps that poses may take."""
        steps = self.column if self.fraction == 1.0 else self.held.steps(self.column, pose.A, self.fraction)
        return Jacobian(self.mechanism, parts, self.rows, steps)

    def shorten(self, step: Array) -> float:
        """The share of a step that moves and turns no body too far at once."""
        parts = np.abs(step.reshape(-1, 6))
        turn = float(np.max(parts[:, 3:], initial=0.0)) / LARGEST_ROTATION
        move = float(np.max(parts[:, :3], initial=0.0)) / (LARGEST_MOVE * self.mechanism.length)
        return 1.0 / max(1.0, turn, move)


def fit_velocities(
    mechanism: CompiledMechanism,
    pose: Pose,
    drive: Array,
    weights: Array | None = None,
    keep: bool = False,
    parts: Parts | None = None,
) -> tuple[Rates, float, float]:
    """Velocities nearest to the mechanism's own that fit all rows at a pose, and the violation before and after.

    Stated ones stay where the unknown ones can be found beside them. keep : leave all as they are. parts : the rows
    there, where they are known. Raises AssemblyError naming the row that no velocity meets.
    """
    parts = parts or row_parts(mechanism, pose, drive)
    nu = velocity_rhs(mechanism, pose, drive)
    given = Rates(mechanism.v, mechanism.w)
    missing = nu - row_rates(mechanism, parts, given)
    before = _largest(missing)
    speed = max(1.0, _largest(nu), mechanism.length * max(_largest(given.v.ravel()), _largest(given.w.ravel())))
    if keep or before <= FITS_SPEED * speed:
        return given, before, before
    held, units = held_velocities(mechanism), velocity_units(mechanism, weights)
    for share in (0.0, SHARE) if held.anything_free else (1.0,):
        steps = held.steps(units, pose.A, share)
        G = Jacobian(mechanism, parts, np.ones(mechanism.nc, dtype=bool), steps)
        rates, rest = _changed(mechanism, parts, given, nu, G)
        after = _largest(rest)
        fastest = max(speed, mechanism.length * max(_largest(rates.v.ravel()), _largest(rates.w.ravel())))
        if after <= ACCEPTED_SPEED * fastest:
            break
    speed = fastest
    if not after <= ACCEPTED_SPEED * speed:
        k = int(np.argmax(np.abs(rest)))
        raise AssemblyError(
            f"no velocities meet row '{mechanism.row_names[k]}' together with the others (off by {rest[k]:+.3g}).",
            element=f"mechanism {mechanism.lowered.name!r}",
            remedy="A driver asks for a motion that the joints lock, or two conflict; `linkwork check` names them.",
        )
    if before <= ACCEPTED_SPEED * speed and not after < before:
        return given, before, before
    return rates, before, after


def _changed(mechanism: CompiledMechanism, parts: Parts, given: Rates, nu: Array, G: Jacobian) -> tuple[Rates, Array]:
    """Velocities after the least change towards G u = nu (nc,), and what is left of nu."""
    nb, rates, rest = mechanism.nb, given, nu - row_rates(mechanism, parts, given)
    for _ in range(2):  # once more, for the last digits
        change = G.least_change(rest).reshape(nb, 6)
        v, w = rates.v.copy(), rates.w.copy()
        v[:nb] += change[:, :3]
        w[:nb] += change[:, 3:]
        rates = Rates(v, w)
        rest = nu - row_rates(mechanism, parts, rates)
    return rates, rest


def row_rates(mechanism: CompiledMechanism, parts: Parts, rates: Rates) -> Array:
    """G u (nc,)."""
    rows = mechanism.system.rows
    u = np.hstack([rates.v, rates.w])
    u[mechanism.nb] = 0.0
    found = summed(np.hstack([parts.G_i * u[rows.body_i], parts.G_j * u[rows.body_j]]))
    if n := len(parts.coupled):
        found[len(found) - n :] = parts.coupled @ u[:-1].ravel()
    return found


def worst_rows(mechanism: CompiledMechanism, phi: Array, rows: Mask, most: int = 4) -> list[int]:
    """The rows that are violated most, the worst first; small ones beside them are left out."""
    size = np.minimum(np.abs(np.where(rows, np.where(np.isnan(phi), np.inf, phi), 0.0)), np.finfo(float).max)
    worst = [int(k) for k in np.argsort(-size, kind="stable")[:most]]
    return [k for k in worst if size[k] > 0.01 * size[worst[0]] and size[k] > 0.0]


def _not_assembled(mechanism: CompiledMechanism, fit: Fit, t: float) -> AssemblyError:
    if not np.all(np.isfinite(fit.phi)):
        names = ", ".join(f"'{mechanism.row_names[k]}'" for k in np.flatnonzero(~np.isfinite(fit.phi))[:4])
        text = f"its constraints have values that are not finite at t = {t:g} s: {names}."
    else:
        worst = worst_rows(mechanism, fit.phi, position_rows(mechanism))
        rows = ", ".join(f"'{mechanism.row_names[k]}' ({fit.phi[k]:+.3g})" for k in worst)
        text = f"its constraints cannot be met together at t = {t:g} s; closest found: {rows}."
    remedy = "Check lengths and start positions of the parts these rows join, and drivers."
    if _largest(fit.phi) <= LITTLE * mechanism.length:
        remedy += (
            " They miss by little: a loop with more rows than it needs, as a planar one of revolute joints, is met "
            f"only where axes are parallel, and points in their planes, to {ACCEPTED:.0e}. A joint with fewer rows in "
            "the place of one, such as spherical or cylindrical, asks for neither."
        )
    return AssemblyError(text, element=f"mechanism {mechanism.lowered.name!r}", remedy=remedy)


def _is_finite(parts: Parts) -> bool:
    """Whether rows have values and directions at all; a disc that has come to lie flat has none, for one."""
    return all(bool(np.isfinite(array).all()) for array in parts if array.size)


def _largest(x: Array) -> float:
    largest = float(np.abs(x).max(initial=0.0))
    return largest if largest < math.inf else math.inf  # also where it is no number


def _total(x: Array) -> float:
    total = float(summed(x * x)) if len(x) else 0.0
    return total if np.isfinite(total) else float("inf")
