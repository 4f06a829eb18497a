"""The primitive constraints that joints lock with, between a first body i and a second body j.

Kissel 2021, eqs. 1-4, and linkwork's angle and screw rows; `kernels.tables.Rows` gives each its equation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from linkwork.mechanism.lowered import ZERO3, LoweredTable, Triple
from linkwork.mechanism.markers import Marker

if TYPE_CHECKING:
    from linkwork.mechanism.expressions import Expression

GLOBAL_AXES: tuple[Triple, Triple, Triple] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Primitive(NamedTuple):
    """One row before it has a name and body numbers; `swapped`: its body i is the joint's second body."""

    kind: str
    a_i: Triple = ZERO3
    b_i: Triple = ZERO3
    a_j: Triple = ZERO3
    s_i: Triple = ZERO3
    s_j: Triple = ZERO3
    n: Triple = ZERO3
    scalar: float = 0.0
    f: Expression | float = 0.0
    swapped: bool = False
    profiles: tuple[LoweredTable, ...] = ()

    @property
    def columns(self) -> dict[str, Any]:
        """What a `Row` takes over: all but `swapped`."""
        given = self._asdict()
        del given["swapped"]
        return given


def dp1(a_i: Triple, a_j: Triple) -> Primitive:
    """a_i stays perpendicular to a_j."""
    return Primitive("DP1", a_i=a_i, a_j=a_j)


def dp2(a_i: Triple, i: Marker, j: Marker, f: Expression | float = 0.0) -> Primitive:
    """The second point's offset from the first, along a_i, is f."""
    return Primitive("DP2", a_i=a_i, s_i=i.point, s_j=j.point, f=f)


def distance(i: Marker, j: Marker, length: float) -> Primitive:
    """The two points are `length` (m, not zero) apart."""
    return Primitive("D", s_i=i.point, s_j=j.point, f=length**2)


def same_point(i: Marker, j: Marker) -> tuple[Primitive, Primitive, Primitive]:
    """The two points coincide: three CD rows."""
    x, y, z = (Primitive("CD", a_i=c, s_i=i.point, s_j=j.point) for c in GLOBAL_AXES)
    return (x, y, z)


def same_axis(i: Marker, j: Marker) -> tuple[Primitive, Primitive]:
    """The z axes stay parallel: x_i and y_i perpendicular to z_j."""
    return (dp1(i.x, j.z), dp1(i.y, j.z))


def on_line(i: Marker, j: Marker) -> tuple[Primitive, Primitive]:
    """The second point stays on the first marker's z axis."""
    return (dp2(i.x, i, j), dp2(i.y, i, j))


def angle(i: Marker, j: Marker, f: Expression | float) -> Primitive:
    """The angle from x_i to x_j about the common z axis is f; no position is singular."""
    return Primitive("ANGLE", a_i=i.x, b_i=i.y, a_j=j.x, n=i.z, f=f)


def same_speed(i: Marker, j: Marker) -> Primitive:
    """Shafts along the two z axes turn at one speed, at whatever angle to each other."""
    return Primitive("CV", a_i=i.x, b_i=i.y, a_j=j.x, n=j.y)


def screw(i: Marker, j: Marker, travel: float) -> Primitive:
    """The second point's displacement along z_i is `travel` (m per radian) times the angle from x_i to x_j."""
    return Primitive("SCREW", a_i=i.x, b_i=i.y, a_j=j.x, s_i=i.point, s_j=j.point, n=i.z, scalar=travel)
