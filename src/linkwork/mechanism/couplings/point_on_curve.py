"""A point on a curve: a bead on a wire, a roller in a slot, by given data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from linkwork.mechanism.couplings.base import Coordinates, JointCoupling, On
from linkwork.mechanism.elements import Direction, Name, Vector, did_you_mean, invalid
from linkwork.mechanism.lowered import ZERO3, CoupledTerm, LoweredCoupling, Quantity, Triple
from linkwork.mechanism.markers import direction, triple
from linkwork.mechanism.tables import Table

NONE = (0.0, 0.0, 0.0, 0.0)


class PointOnCurve(JointCoupling):
    """`point` of body `second` stays on a curve fixed in body `first`: y = table(x), and z = table_z(x) or zero.

    x, y, z (m) are the point's coordinates along `along`, `across` and their cross product from `origin`, all in
    components of `first`. Where joints keep the point in the curve's plane already, `in_plane` leaves z out: one row,
    not two. Multipliers are minus the forces on the point along y and z. Tables with corners
    ('linear', or held at an end with a slope) are refused; a closed curve is no function of x: take a cam, or a rod.
    """

    type: Literal["point-on-curve"] = "point-on-curve"
    first: Name
    second: Name
    point: Vector = ZERO3
    origin: Vector = ZERO3
    along: Direction = (1.0, 0.0, 0.0)
    across: Direction = (0.0, 1.0, 0.0)
    table: Name
    table_z: Name | None = None
    in_plane: bool = False

    def on(self) -> tuple[On, ...]:
        return ()

    def bodies(self) -> tuple[str, ...]:
        return (self.first, self.second)

    def links(self) -> bool:
        return False

    def tables(self, known: Mapping[str, Table]) -> None:
        for name in (self.table, self.table_z):
            if name is not None and name not in known:
                raise invalid(f"names table {name!r}, which does not exist{did_you_mean(name, known)}")
            if name is not None:
                known[name].need_no_corner(name)

    def lower(self, coordinates: Coordinates) -> list[LoweredCoupling]:
        x, y = direction(self.along), direction(self.across)
        if abs(np.dot(x, y)) > 1e-6:
            raise invalid("has 'along' and 'across' that are not perpendicular: give all of their components together")
        if self.in_plane and self.table_z is not None:
            raise invalid("has a table_z, and in_plane, which leaves z out")
        u, v, w = (self._along(axis, coordinates) for axis in (x, y, triple(np.cross(x, y))))
        rows = [self._row(u, v, self.table, "" if self.in_plane else "[1]")]
        if not self.in_plane:
            rows.append(self._row(u, w, self.table_z, "[2]"))
        return rows

    def _along(self, axis: Triple, coordinates: Coordinates) -> Quantity:
        poses = coordinates.poses
        k, m = poses.index(self.first), poses.index(self.second)
        origin, point = triple(poses.point(k, self.origin)), triple(poses.point(m, self.point))
        return Quantity("TRAVEL", k, m, a_i=axis, s_i=origin, s_j=point)

    def _row(self, x: Quantity, y: Quantity, table: str | None, label: str) -> LoweredCoupling:
        first = CoupledTerm(y, (1.0, 0.0, 0.0, 0.0))
        terms = (first,) if table is None else (first, CoupledTerm(x, NONE, table, -1.0))
        return LoweredCoupling(self.name, terms, 0.0, label=label)
