"""Points of rows that are other ones in every run of a kind: written where a run has them, and measured once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from linkwork.kernels.tables import Rows, System
from linkwork.run.held import numbers_in
from linkwork.run.written import Path

POINTS = "s_i", "s_j"
Side = tuple[int, int, bool]  # 0 on the first body or 1 on the second; row; whether that is no ground
Spots = Mapping[Path, list[tuple[int, int]]]  # (place, spot) by array


def written_points(system: System, spots: Spots) -> tuple[System, list[tuple[Any, list[tuple[int, int]]]]] | None:
    """A copy of the system with points of rows that may be written into, and their memory with (place, spot). None
    where spots are other numbers of the system, too: these are told apart by their arrays, which must be new ones."""
    names = [path[1:] for path in spots if path[0] == "system"]
    if not set(names) <= {("rows", name) for name in POINTS}:
        return None
    copied = {name: getattr(system.rows, name).copy() for _, name in names}
    memory = [(numbers_in(array), spots["system", "rows", name]) for name, array in copied.items()]
    return system._replace(rows=system.rows._replace(**copied)), memory


def of_each_point(sides: Sequence[Side], rows: Rows, spots: Spots, names: Sequence[str]) -> list[Side]:
    """One of those sides of rows whose points are always the same: of the same numbers, with the same ones written.

    names : of what is written in each spot, the same where that is."""
    found = dict[Any, Side]()
    for side, k, on_body in sides:
        field = POINTS[side]
        some = spots.get(("system", "rows", field), ())
        written = tuple(sorted((at % 3, names[spot]) for at, spot in some if at // 3 == k))
        found.setdefault((on_body, written, getattr(rows, field)[k].tobytes()), (side, k, on_body))
    return list(found.values())
