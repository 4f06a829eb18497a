"""A joint's coordinates over a run, turns counted, with rates and second rates: of every joint, cut or in the tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import Array, Variable, near_names
from linkwork.kernels.so3 import log_so3
from linkwork.mechanism.joint_coordinates import is_plain, numbered
from linkwork.mechanism.lowered import LoweredJoint
from linkwork.mechanism.motions import Ball, Helix, Slide, Turn
from linkwork.quantities.continuous import continued
from linkwork.quantities.curves import PER_SECOND, Curves
from linkwork.quantities.model import Motion, lowered_of, motion
from linkwork.quantities.relative import Relative, axes_of
from linkwork.result import Result

Values = tuple[Array, Array, Array]  # (nt,) each: coordinate, rate, second rate


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
    for coordinate, (unit, values) in found.items():
        units = (unit, *PER_SECOND[unit])
        for ending, what, array, per in zip(("", "_rate", "_acceleration"), WORDS, values, units, strict=True):
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


def coordinates_of(result: Result, described: LoweredJoint) -> dict[str, tuple[str, Values]]:
    """Coordinate -> unit and values. A joint whose motions are no row of turns and slides has those of a free body."""
    return coordinates_between(
        motion(result, described.body_i), motion(result, described.body_j), result.time, described
    )


def coordinates_between(
    one: Motion, other: Motion, time: Array, described: LoweredJoint
) -> dict[str, tuple[str, Values]]:
    """The same from the motions of the joint's two bodies at these times."""
    seen = seen_from_first(one, other, described)
    found: dict[str, tuple[str, Values]] = {}
    if not all(is_plain(move) for move in described.moves):
        return _numbered([("displacement", "m", _slide(seen, e)) for e in np.eye(3)]) | _ball(seen)
    assert described.markers is not None, "a joint has markers"
    i, _ = described.markers
    first = axes_of(i)
    crossed = any(isinstance(move, Turn) and move.on_second for move in described.moves)
    named: list[tuple[str, str, Values]] = []
    for move in described.moves:
        if isinstance(move, Slide):
            named.append(("displacement", "m", _slide(seen, first.T @ np.array(move.axis))))
        elif isinstance(move, Turn):
            kind = _second_of_cross if move.on_second else _first_of_cross if crossed else _angle
            named.append(("angle", "rad", _turn(time, kind, seen)))
        elif isinstance(move, Helix):
            slide = _slide(seen, np.array([0.0, 0.0, 1.0]))
            start = float(slide[0][0] / move.travel) if time.size else None
            named.append(("angle", "rad", _turn(time, _angle, seen, start)))
            named.append(("displacement", "m", slide))
    found = _numbered(named)
    return found | _ball(seen) if any(isinstance(move, Ball) for move in described.moves) else found


def seen_from_first(one: Motion, other: Motion, described: LoweredJoint) -> Relative:
    """The second marker in the first. The first of a knife edge, which uses none, is ground's own frame."""
    assert described.markers is not None, "a joint has markers"
    i, j = described.markers
    if described.type == "knife-edge":
        i = i._replace(point=(0.0, 0.0, 0.0), x=(1.0, 0.0, 0.0), y=(0.0, 1.0, 0.0), z=(0.0, 0.0, 1.0))
    return Relative(one, other, i, j)


def _numbered(named: list[tuple[str, str, Values]]) -> dict[str, tuple[str, Values]]:
    """Names that occur once stay; others are numbered, ``displacement_1`` and so on."""
    names = numbered([name for name, _, _ in named])
    return {name: (unit, values) for name, (_, unit, values) in zip(names, named, strict=True)}


def _slide(seen: Relative, axis: Array) -> Values:
    return seen.p @ axis, seen.p1 @ axis, seen.p2 @ axis


def _turn(time: Array, kind: Callable[[Relative], Values], seen: Relative, start: float | None = None) -> Values:
    angle, rate, second = kind(seen)
    return continued(angle, rate, time, start), rate, second


def _angle(seen: Relative) -> Values:
    """About the common z axis, from x to x; the mean of what x and y say."""
    R = seen.R
    return np.arctan2(R[:, 1, 0] - R[:, 0, 1], R[:, 0, 0] + R[:, 1, 1]), seen.w[:, 2], seen.w1[:, 2]


def _first_of_cross(seen: Relative) -> Values:
    """About the first marker's z; zero where the second's z lies along minus y of the first."""
    return np.arctan2(seen.R[:, 0, 2], -seen.R[:, 1, 2]), seen.w[:, 2], seen.w1[:, 2]


def _second_of_cross(seen: Relative) -> Values:
    """About the second marker's z; zero where the first's z lies along y of the second."""
    return np.arctan2(seen.R[:, 2, 0], seen.R[:, 2, 1]), seen.w_second[:, 2], seen.w1_second[:, 2]


def _ball(seen: Relative) -> dict[str, tuple[str, Values]]:
    """Components of the rotation vector, within half a turn; rates: of the relative angular velocity, second marker."""
    vector = np.array([log_so3(tuple(R.ravel())) for R in seen.R]).reshape(-1, 3)
    return {
        f"turn_{axis}": ("rad", (vector[:, k], seen.w_second[:, k], seen.w1_second[:, k]))
        for k, axis in enumerate("xyz")
    }
