"""Described starts of mechanisms that differ in numbers alone, made to fit their rows by compiled code.

With the bits of `system.assembly.assemble`, to which all that is not usual is left (`described_kernels`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import is_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.described_kernels import AGAIN, FOUND, DescribedSearch, fit_rates, take_step
from linkwork.kernels.compiling import purpose
from linkwork.kernels.records import new_record
from linkwork.kernels.rows.kind import rate_of_f
from linkwork.kernels.rows.kinds import KINDS
from linkwork.kernels.tables import Rows
from linkwork.mechanism.lowered import LoweredBody
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import address_table, slots
from linkwork.remembered import filled
from linkwork.system.alignment import misaligned_at
from linkwork.system.assembled import Assembled
from linkwork.system.assembly import ACCEPTED, FITS, WRITTEN
from linkwork.system.compiled import CompiledMechanism, RowEvaluation
from linkwork.system.dense import SINGLE, Pose, Rates, drives, measured_in, row_parts, within
from linkwork.system.least_change import FEW, unit_columns
from linkwork.system.stated import SHARE, held_poses, held_velocities, velocity_units

Array = NDArray[np.float64]

(SEARCH,) = slots(DescribedSearch)
TAKE_STEP = direct_entry(take_step, SEARCH)
FIT_RATES = direct_entry(fit_rates, SEARCH)


class DescribedStarts:
    """Starts of mechanisms of one structure of rows. Several threads may use it.

    plain : whether compiled code may be asked: there are some rows, not too many, and none of couplings.
    """

    def __init__(self, like: CompiledMechanism, rows: RowEvaluation) -> None:
        """like : one of these mechanisms. rows : the code of its rows."""
        self.plain = 1 < like.nc <= FEW and like.nc <= 6 * like.nb and not like.rigid
        self.like, self.rows = like, rows
        kinds = like.system.rows.kind
        self.measured = [(kind, some.tolist()) for kind, some in measured_in(kinds.tobytes())]
        self.plain = self.plain and all(len(k) <= SINGLE for _, k in self.measured)
        self.rows_measured = [k for _, some in self.measured for k in some]
        self.rated = [(k, KINDS[kind].nu) for k, kind in enumerate(kinds.tolist()) if KINDS[kind].nu is not rate_of_f]
        self._about: _About | None = None
        self._free: list[_Search] = []

    def assembled(self, mechanism: CompiledMechanism, *, aligned: bool = False) -> Assembled | None:
        """What `assemble` makes of such a mechanism, bit for bit; None where that has to be asked. aligned : no
        axes that joints keep parallel are far from that."""
        if not self.plain:
            return None
        try:
            search = self._free.pop()
        except IndexError:
            search = _Search(self)
        with purpose("consistent starts"):
            found = search.of(mechanism, aligned)
        self._free.append(search)
        return found

    def about(self, mechanism: CompiledMechanism) -> _About:
        """Facts of the mechanism, which are mostly those of the last one."""
        known = self._about
        if known is None or not known.holds(mechanism):
            known = self._about = _About(mechanism, known)
        return known


class _About:
    """What is stated of a mechanism, and its unit steps. known : of another one, of which most may be taken."""

    def __init__(self, mechanism: CompiledMechanism, known: _About | None) -> None:
        self.bodies, self.length, self.inertias = mechanism.lowered.bodies, mechanism.length, mechanism.system.bodies
        if known is None or not all(map(_stated_alike, self.bodies, known.bodies)):
            self.poses, self.velocities = held_poses(mechanism), held_velocities(mechanism)
            self.pose_free, self.velocity_free = self.poses.anything_free, self.velocities.anything_free
        else:
            self.poses, self.velocities = known.poses, known.velocities
            self.pose_free, self.velocity_free = known.pose_free, known.velocity_free
        self.pose_unit, self.velocity_unit = unit_columns(mechanism), velocity_units(mechanism)
        self.plain = not (self.pose_free or self.velocity_free) and self.pose_unit.ndim == self.velocity_unit.ndim == 1

    def holds(self, mechanism: CompiledMechanism) -> bool:
        """Whether these are facts of this one."""
        bodies = mechanism.lowered.bodies
        if self.length != mechanism.length:
            return False
        if all(map(is_, self.bodies, bodies)):
            return True
        return self.inertias is mechanism.system.bodies and all(map(_stated_alike, self.bodies, bodies))


def _stated_alike(one: LoweredBody, other: LoweredBody) -> bool:
    """Whether the same is stated of them, and the same is missing; numbers may differ."""
    if one is other:
        return True
    given = (one.mass is None) == (other.mass is None) and (one.inertia is None) == (other.inertia is None)
    return given and one.stated == other.stated and repr(one.centre) == repr(other.centre)


class _Search:
    """Arrays for one search at a time."""

    def __init__(self, of: DescribedStarts) -> None:
        like, rows = of.like, of.like.system.rows
        self.starts, self.nb, self.nc = of, like.nb, like.nc
        self.parts = np.zeros((2, like.nc, 6))  # of rows, for their first and their second bodies
        given = {"G_i": self.parts[0], "G_j": self.parts[1]}
        self.arrays = s = new_record(DescribedSearch, given=given, nb=like.nb, nc=like.nc)
        s.body_i[:], s.body_j[:], s.taken[:] = rows.body_i, rows.body_j, rows.nonholonomic == 0
        s.measures[of.rows_measured] = 1
        self.table, self.drive, self.seen = np.zeros(like.tables.row.shape), *np.zeros((2, like.nc, 3))
        self.prescribed_rates, self.none = np.zeros(like.nc), np.zeros(s.counts.shape, dtype=np.int64)
        self.r, self.A, self.u, self.length = np.zeros(s.r.shape), np.zeros(s.A.shape), np.zeros(s.u.shape), 0.0
        self.described: tuple[Any, ...] = (None,) * 4  # whose numbers these are
        self.prescribed: tuple[Any, ...] = (None, None, None)  # by what: `_drive`
        addresses = address_table((s,))
        self.fit_rates, self.status = FIT_RATES.code.bound(addresses), np.zeros(1, dtype=np.int64)
        arrays, step = (self.table, s.r, s.A, self.seen, s.phi, s.G_i, s.G_j), TAKE_STEP.code
        self.bound, self.step = of.rows.bound(*arrays, then=step.call_of(self.status, addresses)), step.bound(addresses)
        self.rates = of.rows.bound_rates(self.table, s.r, s.A, self.drive, s.nu)
        self.keep = addresses
        self.of_angles = of.rows.angles == of.rows_measured  # rows measure these, and nothing else
        self.about: _About | None = None  # whose units stand in these:
        self.pose_unit, self.velocity_unit = np.zeros((2, like.nb + 1, 6))
        self.found, self.found_in = np.zeros(s.limits.shape), np.zeros(s.counts.shape, dtype=np.int64)  # of poses
        self.at_once = self._search_at_once()

    def _search_at_once(self) -> Callable[[], None] | None:
        """The search and the rates that follow as one call, where rows measure nothing but angles."""
        s, addresses, rated = self.arrays, self.keep, bool(self.starts.rated)
        if self.bound is None or not self.of_angles or (rated and self.rates is None):
            return None
        self.period = np.full(self.nc, 2.0 * np.pi)
        self.fitted = np.zeros(1, dtype=np.int64)
        ahead = (
            (s.r, self.r), (s.A, self.A), (s.u, self.u), (s.u_old, self.u), (s.unit, self.pose_unit),
            (s.counts, self.none), (s.nu, self.prescribed_rates),
        )  # fmt: skip
        behind: list[Any] = [(self.found, s.limits), (self.found_in, s.counts), (s.unit, self.velocity_unit)]
        if self.rates is not None:
            behind.append(self.rates.call)
        behind.append(FIT_RATES.code.call_of(self.fitted, addresses))
        return self.bound.search(self.drive, self.period, s.off, (self.status, AGAIN, FOUND), (ahead, behind))

    def of(self, mechanism: CompiledMechanism, aligned: bool = False) -> Assembled | None:
        """`DescribedStarts.assembled`."""
        s, nb = self.arrays, self.nb
        start = Pose(mechanism.r, mechanism.A)
        if not aligned and misaligned_at(mechanism, start):
            return None
        self.table[:] = mechanism.tables.row
        self._drive(mechanism)
        if mechanism.length != self.length:
            self.length, scale = mechanism.length, max(1.0, mechanism.length)
            s.length[0], s.fits[0], s.accepted[0] = mechanism.length, FITS * scale, ACCEPTED * scale
        about = self.starts.about(mechanism)
        given = Rates(mechanism.v, mechanism.w)
        described = *start, *given
        if not all(map(is_, described, self.described)):
            self.r[:], self.A[:], self.u[:nb, :3], self.u[:nb, 3:] = start.r, start.A, given.v[:nb], given.w[:nb]
            self.described = described
        found = self._at_once(about) if about.plain and self.at_once is not None else self._in_steps(mechanism, about)
        if found is None:
            return None
        before, after, moved = found
        pose, rates = start, given
        if moved:
            pose = Pose(s.r.copy(), s.A.copy())
        if s.steps.item(0):
            rates = Rates(s.u[:, :3].copy(), s.u[:, 3:].copy())
        squares = s.squares.copy()
        squares.flags.writeable = False
        return filled(
            Assembled, start=start, given=given, pose=pose, rates=rates, before=before, after=after,
            velocity_before=s.before.item(0), velocity_after=s.after.item(0), squares=squares,
        )  # fmt: skip

    def _at_once(self, about: _About) -> tuple[float, float, int] | None:
        """`_in_steps` of starts all of which is stated."""
        search = self.at_once
        if about is not self.about:
            shape = self.nb, 6
            self.pose_unit[:-1], self.velocity_unit[:-1] = (
                about.pose_unit.reshape(shape),
                about.velocity_unit.reshape(shape),
            )
            self.about = about
        assert search is not None
        search()
        if self.status.item() != FOUND or self.fitted.item() != FOUND:
            return None
        _, _, _, before, after, *_ = self.found.ravel().tolist()
        return before, after, self.found_in.item(0)

    def _in_steps(self, mechanism: CompiledMechanism, about: _About) -> tuple[float, float, int] | None:
        """Pose and velocities in the search's arrays: the largest residuals of positions before and after, and how many
        steps there were; None where there is none as usual."""
        s = self.arrays
        s.r[:], s.A[:], s.u[:] = self.r, self.A, self.u
        if not self._search(mechanism, about):
            return None
        before, after, moved = s.before.item(0), s.after.item(0), s.steps.item(0)
        s.nu[:] = self.prescribed_rates
        if self.rates is not None:
            self.rates()
        else:
            for k, rate in self.starts.rated:
                s.nu[k] = rate(mechanism.system.rows, k, s.r, s.A, self.drive)
        return (before, after, moved) if self._fit_rates(about) else None

    def _drive(self, mechanism: CompiledMechanism) -> None:
        """What rows prescribe at the start, which is mostly what the last ones did."""
        rows, programs = mechanism.system.rows, mechanism.system.programs
        asked = programs, rows.program, rows.constant
        if not all(map(is_, asked, self.prescribed)):
            self.drive[:], self.prescribed = drives(mechanism, 0.0), asked
            self.seen[:], self.prescribed_rates[:] = self.drive, self.drive[:, 1]
            if self.rates is not None:
                self.rates.waves()

    def _search(self, mechanism: CompiledMechanism, about: _About) -> bool:
        """From the start to the nearest pose that meets the rows."""
        s, unit = self.arrays, about.pose_unit
        measured = self._measured(mechanism.system.rows)
        if self.bound is not None:
            self.bound.measure()
        if about.pose_free:
            self._look(mechanism, measured)
            self._rows(mechanism)
            error = float(np.max(np.abs(np.where(s.measures == 1, s.off, s.phi)), initial=0.0, where=s.taken == 1))
            if not error <= WRITTEN * mechanism.length:  # what is not stated is tried alone
                unit = about.poses.steps(unit, s.A, 0.0)
        if unit.ndim > 1:
            return False
        s.unit[:-1], s.counts[:] = unit.reshape(self.nb, 6), 0
        status, there = AGAIN, about.pose_free  # there : rows are evaluated already
        while status == AGAIN:
            if not there:
                self._look(mechanism, measured)
            if self.bound is not None:
                self.bound()
                status = self.status.item()
            else:
                if not there:
                    self._rows(mechanism)
                status = self.step()
            there = False
        return bool(status == FOUND)

    def _measured(self, rows: Rows) -> list[Any]:
        """Kind, number, period and f of rows that measure a value; what rows prescribe stands in `seen` then."""
        self.seen[:] = self.drive
        return [
            (kind, k, float(kind.period(rows, k)) if kind.period else math.inf, self.drive.item(k, 0))
            for kind, some in self.starts.measured
            for k in some
        ]

    def _look(self, mechanism: CompiledMechanism, measured: list[Any]) -> None:
        """What rows measure at the pose, and how far that is off. measured : `_measured`."""
        s, rows = self.arrays, mechanism.system.rows
        angles = iter(self.bound.angles()) if self.bound is not None and self.of_angles else None
        for kind, k, period, f in measured:
            value = float(kind.value(rows, k, s.r, s.A)) if angles is None else next(angles)
            s.off[k], self.seen[k, 0] = within(value - f, period), value

    def _rows(self, mechanism: CompiledMechanism) -> None:
        """`system.dense.row_parts` at the pose, where it was looked."""
        s = self.arrays
        if self.bound is not None:
            self.bound.evaluate()
        else:
            with np.errstate(all="ignore"):  # a value that is not finite is found in `take_step`
                s.phi[:], s.G_i[:], s.G_j[:], _ = row_parts(mechanism, Pose(s.r, s.A), self.drive)

    def _fit_rates(self, about: _About) -> bool:
        """Velocities by the least change; stated ones stay where the unknown ones can be found beside them."""
        s = self.arrays
        s.u_old[:] = s.u
        for share in (0.0, SHARE) if about.velocity_free else (1.0,):
            steps = about.velocities.steps(about.velocity_unit, s.A, share) if share < 1.0 else about.velocity_unit
            if steps.ndim > 1:
                return False
            s.unit[:-1], s.u[:] = steps.reshape(self.nb, 6), s.u_old
            if self.fit_rates() == FOUND:
                return True
        return False
