"""Stated starts of one mechanism, made to fit its rows by compiled code where that is plain (`start_kernels`)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.start_kernels import FOUND, StartSearch, fit_start
from linkwork.kernels.compiling import purpose
from linkwork.kernels.jit import MARKS
from linkwork.kernels.records import new_record
from linkwork.kernels.rows.kinds import KINDS
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import address_table, slots
from linkwork.remembered import freeze
from linkwork.system.assembled import Assembled
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Pose, Rates
from linkwork.system.least_change import DENSE, unit_columns
from linkwork.system.packed import Tables
from linkwork.system.stated import velocity_units

Array = NDArray[np.float64]

TABLES, SEARCH = slots(Tables, StartSearch)
FIT_START = direct_entry(fit_start, TABLES, SEARCH)


class StatedStarts:
    """Starts of one mechanism with every part of them stated. Several threads may use it.

    described : the mechanism at one of them, its tables read-only from now on. notes : on its description. plain :
    whether compiled code may be asked: there are rows, not too many of them, all of kinds that it knows the values of,
    and none of couplings.
    """

    def __init__(self, described: CompiledMechanism) -> None:
        self.described, self.notes = described, tuple(dict.fromkeys(described.lowered.notes))
        freeze(described.system)
        rows, nb = described.system.rows, described.nb
        kinds = [KINDS[kind] for kind in rows.kind.tolist()]
        self.modulo = np.array([kind.value is not None for kind in kinds], dtype=np.int64)
        known = all(one is None or one in MARKS for kind in kinds for one in (kind.value, kind.period))
        self.plain = known and bool(len(kinds)) and 0 < 6 * nb <= DENSE >= len(kinds) and not described.rigid
        self._free: list[tuple[StartSearch, NDArray[np.int64]]] = []

    def _new(self) -> tuple[StartSearch, NDArray[np.int64]]:
        """Arrays for one search, and the table of their addresses."""
        described = self.described
        nb, nc, depth = described.nb, described.nc, max(1, int(described.system.programs.depth.item()))
        made = new_record(StartSearch, nb=nb, nc=nc, depth=depth, m=nc, n=6 * nb)
        made.r[:], made.A[:], made.v[:], made.w[:] = described.r, described.A, described.v, described.w
        made.modulo[:], made.taken[:], made.length[0] = self.modulo, 1, described.length
        made.pose_unit[:], made.velocity_unit[:] = unit_columns(described), velocity_units(described)
        return made, address_table((described.tables, made))

    def assembled(self, start: CompiledMechanism, time: float) -> Assembled | None:
        """The nearest start to this one, of the same mechanism, that meets its rows at a time [s], and what it took;
        None where that is not plain."""
        if not self.plain:
            return None
        try:
            search, table = self._free.pop()
        except IndexError:
            search, table = self._new()
        nb = start.nb
        search.time[0] = time
        search.r[:nb], search.A[:nb], search.v[:nb], search.w[:nb] = (
            start.r[:nb],
            start.A[:nb],
            start.v[:nb],
            start.w[:nb],
        )
        with purpose("consistent starts"):
            status = FIT_START(table)
        found = _read(search, start) if status == FOUND else None
        self._free.append((search, table))
        return found


def _read(search: StartSearch, start: CompiledMechanism) -> Assembled:
    """What a search came to, in arrays of its own where it is not the start itself."""
    before, given = Pose(start.r, start.A), Rates(start.v, start.w)
    return Assembled(
        start=before,
        given=given,
        pose=Pose(search.r.copy(), search.A.copy()) if search.moved[0] else before,
        rates=Rates(search.v.copy(), search.w.copy()) if search.sped[0] else given,
        before=float(search.before[0]),
        after=float(search.after[0]),
        velocity_before=float(search.rate_before[0]),
        velocity_after=float(search.rate_after[0]),
        squares=search.squares.copy(),
    )
