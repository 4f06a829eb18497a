"""A joint's coordinates over a run, turns counted, with rates and second rates: of every joint, cut or in the tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import Array, Variable, near_names
from linkwork.kernels.so3 import log_so3
from linkwork.mechanism.joint_coordinates import is_plain, numbered
from linkwork.mechanism.lowered import LoweredJoint
from linkwork.mechanism.motions import Ball, Helix, Slide, Turn
from linkwork.quantities.components import Motion
from linkwork.quantities.continuous import REVOLUTION, continued
from linkwork.quantities.curves import PER_SECOND, Curves
from linkwork.quantities.model import lowered_of, motion, reference_of
from linkwork.quantities.relative import Relative, axes_of
from linkwork.result import Result

Values = tuple[Array, Array, Array]  # (..., nt) each: coordinate, rate, second rate
Part = Callable[[], Array]


class Coordinate(NamedTuple):
    """A coordinate of a joint: its unit, and what works it out, its rate and its second rate, when it is asked for."""

    unit: str
    parts: tuple[Part, Part, Part]

    @property
    def values(self) -> Values:
        """All three."""
        value, rate, second = self.parts
        return value(), rate(), second()


@dataclass(frozen=True, repr=False)
class JointMotion(Curves):
    """A joint's coordinates: for ``angle`` the curves ``angle``, ``angle_rate``, ``angle_acceleration``, and so on.

    type : of the joint. coordinates : their names, in the order of the joint's motions.
    """

    type: str = ""
    coordinates: tuple[str, ...] = ()

    @property
    def values(self) -> Array:
        """(nt, n) rad or m, in the order of `coordinates`; angles with their turns."""
        return self._table("")

    @property
    def rates(self) -> Array:
        """(nt, n) rad/s or m/s; of a ball joint the relative angular velocity in the second marker's components."""
        return self._table("_rate")

    @property
    def accelerations(self) -> Array:
        """(nt, n) rad/s^2 or m/s^2, rates of `rates`."""
        return self._table("_acceleration")

    def _table(self, ending: str) -> Array:
        columns = [self.arrays[name + ending] for name in self.coordinates]
        out: Array = np.array(columns).reshape(len(columns), self.time.size).T
        return out


def joint(result: Result, name: str) -> JointMotion:
    """The coordinates of a joint from recorded motion. Raises UsageError for a name that is no joint's."""
    described = described_joint(result, name)
    found = coordinates_of(result, described)
    arrays: dict[str, Array] = {}
    variables: dict[str, Variable] = {}
    for coordinate, measured in found.items():
        units = (measured.unit, *PER_SECOND[measured.unit])
        for ending, what, array, per in zip(("", "_rate", "_acceleration"), WORDS, measured.values, units, strict=True):
            arrays[coordinate + ending] = array
            text = f"{what}{coordinate} of joint {name}, second body against first"
            variables[coordinate + ending] = Variable(("time",), per, text)
    return JointMotion(name, result.time, arrays, variables, type=described.type, coordinates=tuple(found))


WORDS = ("", "rate of the ", "second rate of the ")


def joint_names(result: Result) -> tuple[str, ...]:
    """Names of the joints that leave something free."""
    return tuple(one.name for one in lowered_of(result).joints if one.kind == "joint" and one.moves)


def described_joint(result: Result, name: str) -> LoweredJoint:
    """The joint of this name. Raises UsageError with the nearest name, drivers and raw constraints not among them."""
    joints = {one.name: one for one in lowered_of(result).joints if one.kind == "joint"}
    if name not in joints:
        raise UsageError(f"this result has no joint {name!r}.", remedy=near_names(name, tuple(joints)))
    return joints[name]


def coordinates_of(result: Result, described: LoweredJoint) -> dict[str, Coordinate]:
    """The coordinates by name. A joint whose motions are no row of turns and slides has those of a free body."""
    reference = reference_of(result)
    return coordinates_between(
        motion(result, described.body_i),
        motion(result, described.body_j),
        result.time,
        described,
        None if reference is None else coordinates_of(reference, described_joint(reference, described.name)),
    )


def coordinates_between(
    one: Motion, other: Motion, time: Array, described: LoweredJoint, reference: Mapping[str, Coordinate] | None = None
) -> dict[str, Coordinate]:
    """The same from the motions of the joint's two bodies at these times, of one run or of several (n, nt, ...).
    reference : of a run that hardly differs, whose angles these begin nearest to."""
    seen = seen_from_first(one, other, described)
    if not all(is_plain(move) for move in described.moves):
        return _numbered([("displacement", _slide(seen, tuple(e))) for e in np.eye(3).tolist()]) | _ball(seen)
    assert described.markers is not None, "a joint has markers"
    i, _ = described.markers
    crossed = any(isinstance(move, Turn) and move.on_second for move in described.moves)
    named: list[tuple[str, Coordinate]] = []
    for move in described.moves:
        if isinstance(move, Slide):
            named.append(("displacement", _slide(seen, (axes_of(i).T @ np.array(move.axis)).tolist())))
        elif isinstance(move, Turn):
            kind = _second_of_cross if move.on_second else _first_of_cross if crossed else _angle
            named.append(("angle", _turn(time, seen, kind, on_second=move.on_second)))
        elif isinstance(move, Helix):
            slide = _slide(seen, (0.0, 0.0, 1.0))
            named.append(("angle", _turn(time, seen, _angle, (slide, move.travel))))
            named.append(("displacement", slide))
    found = _numbered(named)
    if reference is not None and time.size:
        angles = [name for name, (kind, _) in zip(found, named, strict=True) if kind == "angle"]
        found |= {name: _beginning_near(found[name], reference[name]) for name in angles}
    return found | _ball(seen) if any(isinstance(move, Ball) for move in described.moves) else found


def seen_from_first(one: Motion, other: Motion, described: LoweredJoint) -> Relative:
    """The second marker in the first. The first of a knife edge, which uses none, is ground's own frame."""
    assert described.markers is not None, "a joint has markers"
    i, j = described.markers
    if described.type == "knife-edge":
        i = i._replace(point=(0.0, 0.0, 0.0), x=(1.0, 0.0, 0.0), y=(0.0, 1.0, 0.0), z=(0.0, 0.0, 1.0))
    return Relative(one, other, i, j)


def _numbered(named: list[tuple[str, Coordinate]]) -> dict[str, Coordinate]:
    """Names that occur once stay; others are numbered, ``displacement_1`` and so on."""
    names = numbered([name for name, _ in named])
    return {name: one for name, (_, one) in zip(names, named, strict=True)}


def _slide(seen: Relative, axis: Sequence[float]) -> Coordinate:
    def along(p: Array) -> Array:
        return np.asarray(p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2])

    return Coordinate("m", (lambda: along(seen.p), lambda: along(seen.p1), lambda: along(seen.p2)))


def _turn(
    time: Array,
    seen: Relative,
    kind: Callable[[Relative], Array],
    helix: tuple[Coordinate, float] | None = None,
    *,
    on_second: bool = False,
) -> Coordinate:
    """About the z axis of the first marker, or the second, with its turns. helix : the slide along it and its travel,
    whose quotient the angle begins nearest to."""

    def rate() -> Array:
        return np.asarray((seen.w_second if on_second else seen.w)[2])

    def angle() -> Array:
        start = None
        if helix is not None and time.size:
            slide, travel = helix
            along, *_ = slide.parts
            start = along()[..., 0] / travel
        return continued(kind(seen), rate(), time, start)

    return Coordinate("rad", (angle, rate, lambda: np.asarray((seen.w1_second if on_second else seen.w1)[2])))


def _beginning_near(angle: Coordinate, other: Coordinate) -> Coordinate:
    """The angle with as many turns more as let it begin nearest to another."""
    value, rate, second = angle.parts

    def counted() -> Array:
        found = value()
        return np.asarray(found + REVOLUTION * np.round((other.parts[0]()[..., :1] - found[..., :1]) / REVOLUTION))

    return Coordinate(angle.unit, (counted, rate, second))


def _angle(seen: Relative) -> Array:
    """About the common z axis, from x to x; the mean of what x and y say."""
    R = seen.R
    return from_x_to(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])


def _first_of_cross(seen: Relative) -> Array:
    """About the first marker's z; zero where the second's z lies along minus y of the first."""
    return from_x_to(seen.R[0, 2], -seen.R[1, 2])


def _second_of_cross(seen: Relative) -> Array:
    """About the second marker's z; zero where the first's z lies along y of the second."""
    return from_x_to(seen.R[2, 0], seen.R[2, 1])


def from_x_to(y: Array, x: Array) -> Array:
    """The angle of the point (x, y); bits must not depend on where numbers stand."""
    return np.asarray(np.arctan2(np.ascontiguousarray(y), np.ascontiguousarray(x)))


def _ball(seen: Relative) -> dict[str, Coordinate]:
    """Components of the rotation vector, within half a turn; rates: of the relative angular velocity, second marker."""

    @cache
    def vector() -> Array:
        _, _, *over = seen.R.shape
        every = seen.R.reshape(9, -1).T.tolist()
        return np.array([log_so3(tuple(R)) for R in every]).reshape(-1, 3).T.reshape(3, *over)

    def component(k: int) -> Coordinate:
        return Coordinate("rad", (lambda: vector()[k], lambda: seen.w_second[k], lambda: seen.w1_second[k]))

    return {f"turn_{axis}": component(k) for k, axis in enumerate("xyz")}
