"""A cam: a follower's coordinate is a table's function of the cam's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from linkwork.mechanism.couplings.base import Coordinates, JointCoupling, On, Which
from linkwork.mechanism.elements import Name, Number, Positive, did_you_mean, invalid
from linkwork.mechanism.lowered import CoupledTerm, LoweredCoupling
from linkwork.mechanism.tables import Table


class Cam(JointCoupling):
    """q of `follower` = offset + scale table(q2), q2 the coordinate of `cam`, always in contact.

    `table` names one of the mechanism's tables; where the cam turns on and on it holds one `period` of q2, from 0, and
    repeats: a 'cubic' table is the periodic spline then, so that lift, slope and curvature go on where a period ends.
    Where a table's slope jumps, so would the follower's velocity: 'linear' tables with corners and held ends with a
    slope are refused. The multiplier is the force or torque on q; lift-off is not seen: contact is lost where it pulls.
    """

    type: Literal["cam"] = "cam"
    follower: Name
    cam: Name
    follower_coordinate: Which | None = None
    cam_coordinate: Which | None = None
    table: Name
    period: Positive | None = None
    scale: Number = 1.0
    offset: Number = 0.0

    def on(self) -> tuple[On, ...]:
        return On(self.follower, self.follower_coordinate), On(self.cam, self.cam_coordinate)

    def tables(self, known: Mapping[str, Table]) -> None:
        if self.table not in known:
            raise invalid(f"names table {self.table!r}, which does not exist{did_you_mean(self.table, known)}")
        if self.period:
            try:
                known[self.table].repeated("", self.period)
            except ValueError as error:
                raise invalid(f"repeats table {self.table!r}, which {error}") from None
        known[self.table].need_no_corner(self.table, self.period)

    def lower(self, coordinates: Coordinates) -> list[LoweredCoupling]:
        q, q2 = (coordinates.of(one) for one in self.on())
        lift = CoupledTerm(q2, (0.0, 0.0, 0.0, 0.0), self.table, -self.scale, self.period or 0.0)
        return [LoweredCoupling(self.name, (CoupledTerm(q, (1.0, 0.0, 0.0, 0.0)), lift), -self.offset)]
