"""Coordinates of a joint by name, each as the row that prescribes it and as the quantity that forces act along.

Names are those of `Result.joint`: `angle`, `displacement`, numbered where a joint has several (`angle_2`). Balls, whose
turns no single row measures as components of a rotation vector, are driven by `yaw`, `pitch` and `roll` instead:
R = R_z(yaw) R_y(pitch) R_x(roll), the second marker seen from the first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from linkwork.mechanism.elements import did_you_mean, invalid
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.tree import apply
from linkwork.mechanism.lowered import Quantity, Triple
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.motions import Ball, Helix, Motion, Slide, Turn
from linkwork.mechanism.primitives import Primitive, angle, dp2

if TYPE_CHECKING:
    from linkwork.mechanism.joints.base import Joint

_ANY = Marker((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
CARDAN = ("yaw", "pitch", "roll")
ROTATION = "rotation"  # all three turns of a ball


def is_plain(move: object) -> bool:
    """Whether a motion is one of those that joints in a row are made of."""
    return isinstance(move, Turn | Helix | Ball) or (isinstance(move, Slide) and not move.on_second)


def numbered(names: list[str]) -> list[str]:
    """Names with a number behind those that occur more than once."""
    return [n if names.count(n) == 1 else f"{n}_{names[: k + 1].count(n)}" for k, n in enumerate(names)]


def rows_of_coordinates(moves: Sequence[Motion], i: Marker, j: Marker) -> dict[str, Primitive]:
    """The joint's angles and displacements, named as `Result.joint` names them, and the row of each, its f left open.

    Turns of balls are not among them, nor anything of joints that are no row of turns and slides.
    """
    if not all(is_plain(move) for move in moves):
        return {}
    crossed = any(isinstance(move, Turn) and move.on_second for move in moves)
    found = [one for move in moves for one in _of(move, i, j, crossed)]
    return dict(zip(numbered([name for name, _ in found]), (row for _, row in found), strict=True))


def names_of_joint(joint: Joint) -> tuple[str, ...]:
    """The names of a joint's angles and displacements."""
    return tuple(rows_of_coordinates(joint.moves(_ANY, _ANY), _ANY, _ANY))


def has_ball(joint: Joint) -> bool:
    """Whether a ball is among the joint's motions, which are turns, slides and balls in a row."""
    moves = joint.moves(_ANY, _ANY)
    return any(isinstance(move, Ball) for move in moves) and all(is_plain(move) for move in moves)


def names_to_drive(joint: Joint) -> tuple[str, ...]:
    """What a driver may prescribe of a joint: its angles and displacements, and of a ball yaw, pitch and roll."""
    return names_of_joint(joint) + (CARDAN if has_ball(joint) else ())


def which_of(joint: Joint, asked: str | None, doing: str, names: Sequence[str]) -> str:
    """The coordinate that is meant. Raises ValueError where the joint has none, several, or none of that name.

    doing : 'drives', 'couples', for the message.
    """
    if not names:
        raise invalid(f"{doing} joint {joint.name!r}, but a {joint.type} joint has no coordinate for that")
    if asked is None:
        if len(names) > 1:
            raise invalid(f"needs 'coordinate': joint {joint.name!r} has {' and '.join(names)}")
        return names[0]
    if asked not in names:
        meant = did_you_mean(asked, names)
        raise invalid(f"{doing} the {asked} of joint {joint.name!r}, which has only: {', '.join(names)}{meant}")
    return asked


def driving_row(joint: Joint, coordinate: str, i: Marker, j: Marker, f: Expression | float) -> Primitive:
    """The row that prescribes a coordinate as f."""
    if coordinate in CARDAN:
        return _cardan(coordinate, i, j, f)
    return rows_of_coordinates(joint.moves(i, j), i, j)[coordinate]._replace(f=f)


def quantity_of(joint: Joint, coordinate: str, i: Marker, j: Marker, bodies: tuple[int, int]) -> Quantity:
    """A coordinate as a quantity between bodies (first, second)."""
    row = rows_of_coordinates(joint.moves(i, j), i, j)[coordinate]
    k, m = bodies[::-1] if row.swapped else bodies
    kind = "TURN" if row.kind == "ANGLE" else "TRAVEL"
    return Quantity(kind, k, m, a_i=row.a_i, b_i=row.b_i, a_j=row.a_j, s_i=row.s_i, s_j=row.s_j, n=row.n)


def _of(move: Motion, i: Marker, j: Marker, crossed: bool) -> list[tuple[str, Primitive]]:
    if isinstance(move, Slide):
        return [("displacement", dp2(move.axis, i, j))]
    if isinstance(move, Helix):
        return [("angle", angle(i, j, 0.0)), ("displacement", dp2(i.z, i, j))]
    if not isinstance(move, Turn):
        return []
    if move.on_second:  # of a cross, see quantities.joints
        return [("angle", Primitive("ANGLE", a_i=j.y, b_i=j.x, a_j=i.z, n=_minus(j.z), swapped=True))]
    if crossed:
        return [("angle", Primitive("ANGLE", a_i=_minus(i.y), b_i=i.x, a_j=j.z, n=i.z))]
    return [("angle", angle(i, j, 0.0))]


def _cardan(which: str, i: Marker, j: Marker, f: Expression | float) -> Primitive:
    """Rows whose values are cos(pitch) sin(yaw - f), cos(pitch) sin(roll - f) and sin(pitch) - sin(f)."""
    if which == "yaw":
        return Primitive("ANGLE", a_i=i.x, b_i=i.y, a_j=j.x, n=i.z, f=f)
    if which == "roll":
        return Primitive("ANGLE", a_i=j.z, b_i=j.y, a_j=i.z, n=_minus(j.x), f=f, swapped=True)
    return Primitive("DP1", a_i=_minus(i.z), a_j=j.x, f=_sine(f))


def _sine(f: Any) -> Any:
    return Expression(apply("sin", f.root)) if isinstance(f, Expression) else math.sin(f)


def _minus(a: Triple) -> Triple:
    return (-a[0], -a[1], -a[2])
