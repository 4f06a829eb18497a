"""What the functions of elements in formulas measure: `angle('hip')`, `velocity('leg', 'x')`, ..., as quantities.

Points are in components of their body from its origin as the description has it; left out, the centre of mass. Axes are
global unless a frame is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from linkwork.mechanism.elements import did_you_mean, sentence
from linkwork.mechanism.expressions.state import MEASURES, operand_node
from linkwork.mechanism.expressions.tree import Node, NodeError, apply, number
from linkwork.mechanism.joint_coordinates import names_of_joint, quantity_of
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import ZERO3, Operand, Quantity, Triple
from linkwork.mechanism.markers import Marker, Poses, triple
from linkwork.mechanism.primitives import GLOBAL_AXES

AXES = dict(zip("xyz", GLOBAL_AXES, strict=True))
GROUND = -1
Placed = tuple[Joint, Marker, Marker]


class Measuring:
    """The names that formulas of one mechanism may use (`expressions.state.Scope`)."""

    def __init__(
        self,
        poses: Poses,
        bodies: Iterable[str],
        placed: Mapping[str, Placed],
        *,
        parameters: Mapping[str, float],
        inputs: Iterable[str],
        tables: Iterable[str],
        sensors: Iterable[str] = (),
        local: Mapping[str, Node] | None = None,
    ) -> None:
        self.poses, self.placed, self.sensors = poses, placed, list(sensors)
        self.described, self.inputs, self.tables = list(bodies), list(inputs), list(tables)
        self.bodies = [*self.described, "ground"]
        self.parameters, self.local = parameters, local or {}

    def with_local(self, local: Mapping[str, Node]) -> Measuring:
        """The same for the formulas of an element that has names of its own."""
        return Measuring(
            self.poses, self.described, self.placed, parameters=self.parameters, inputs=self.inputs,
            tables=self.tables, sensors=self.sensors, local=local,
        )  # fmt: skip

    def name(self, name: str) -> Node:
        """What the element calls so itself, or a parameter."""
        if name in self.local:
            return self.local[name]
        if name in self.parameters:
            return number(self.parameters[name])
        for what, named, instead in (
            ("an input", self.inputs, f"write input('{name}')"),
            ("a table", self.tables, f"write table('{name}', x)"),
            ("a joint", self.placed, f"write angle('{name}'), displacement('{name}') or rate('{name}')"),
            ("a body", self.bodies, f"write what of it, as in position('{name}', 'x')"),
            ("a sensor, which acts on nothing", self.sensors, "write its formula"),
        ):
            if name in named:
                raise NodeError(f"{name!r} is {what}: {instead}.")
        known = [*self.local, *self.parameters, "t", "pi"]
        raise NodeError(sentence(f"{name!r} is no parameter{did_you_mean(name, known)}"))

    def table(self, name: str) -> str:
        """The table of this name."""
        return self._known("table", name, self.tables)

    def measured(self, function: str, args: tuple[Any, ...]) -> Node:
        """A function of elements as operands."""
        try:
            return FUNCTIONS[function](self, *args)
        except TypeError:
            takes = f"'{function}' takes {MEASURES[function]}, not these arguments"
            raise NodeError(f"{takes}; docs/formulas.md says what else.") from None

    # --- what the functions below ask for

    def _known(self, kind: str, name: Any, known: Iterable[str]) -> str:
        if not isinstance(name, str) or name not in known:
            raise NodeError(sentence(f"{kind} {name!r} does not exist{did_you_mean(name, known)}"))
        return name

    def joint(self, name: Any) -> Placed:
        """A joint with its markers."""
        return self.placed[self._known("joint", name, self.placed)]

    def body(self, name: Any) -> int:
        """A body by number."""
        return self.poses.index(self._known("body", name, self.bodies))

    def point(self, k: int, point: Any) -> Triple:
        """A point of body k from its centre of mass."""
        return ZERO3 if point is None else triple(self.poses.point(k, point))

    def frame(self, frame: str, of: str) -> int:
        """The body whose axes components are in."""
        if frame in ("global", "body"):
            return GROUND if frame == "global" else self.body(of)
        return self.poses.index(self._known("body", frame, [*self.bodies, "global", "body"]))


def value(quantity: Quantity) -> Node:
    """Its value as an operand."""
    return operand_node(Operand(quantity))


def rate(quantity: Quantity) -> Node:
    """Its rate as an operand."""
    return operand_node(Operand(quantity, rate=True))


def axis_of(name: Any) -> Triple:
    """The vector of an axis."""
    if name not in AXES:
        raise NodeError(f"an axis is 'x', 'y' or 'z', not {name!r}.")
    return AXES[name]


def turn_about(body_i: int, n: Triple, body_j: int) -> Quantity:
    """The turn of body j against body i about an axis of body i, as a rate alone."""
    return Quantity("TURN", body_i, body_j, n=n)


def coordinate(scope: Measuring, name: Any, which: str | None) -> Quantity:
    """A coordinate of a joint, which need not be said where it has one."""
    joint, i, j = scope.joint(name)
    has = names_of_joint(joint)
    if which is None and len(has) == 1:
        which = has[0]
    if which not in has:
        there = f"has {' and '.join(has)}" if has else "has no coordinate that formulas know"
        raise NodeError(f"joint {joint.name!r} ({joint.type}) {there}; not {which or 'one to be left out'}.")
    return quantity_of(joint, which, i, j, (scope.poses.index(joint.first), scope.poses.index(joint.second)))


def _position(scope: Measuring, body: str, axis: str, *more: Any) -> Node:
    point, frame = _point_and_frame(more)
    k, k_frame = scope.body(body), scope.frame(frame, body)
    return value(Quantity("TRAVEL", k_frame, k, a_i=axis_of(axis), s_j=scope.point(k, point)))


def _velocity(scope: Measuring, body: str, axis: str, *more: Any) -> Node:
    point, frame = _point_and_frame(more)
    k = scope.body(body)
    if frame == "global":
        return rate(Quantity("TRAVEL", GROUND, k, a_i=axis_of(axis), s_j=scope.point(k, point)))
    if scope.frame(frame, body) != k:
        raise NodeError("the components of a velocity are in 'global' axes or in those of the 'body' itself.")
    local = Quantity("SPEED", k, GROUND, a_i=axis_of(axis), s_i=scope.point(k, point))
    return apply("neg", rate(local))


def _angular_velocity(scope: Measuring, body: str, axis: str, frame: str = "global") -> Node:
    k, k_frame = scope.body(body), scope.frame(frame, body)
    if k_frame == k:
        return apply("neg", rate(turn_about(k, axis_of(axis), GROUND)))
    return rate(turn_about(k_frame, axis_of(axis), k))


def _direction(scope: Measuring, body: str, axis: str, along: str) -> Node:
    return value(Quantity("COSINE", GROUND, scope.body(body), a_i=axis_of(along), a_j=axis_of(axis)))


def _speed(scope: Measuring, body: str, *more: Any) -> Node:
    x, y, z = (_velocity(scope, body, axis, *more) for axis in "xyz")
    return apply("hypot", apply("hypot", x, y), z)


def _between(scope: Measuring, args: tuple[Any, ...]) -> Quantity:
    ends: list[list[Any]] = []
    for arg in args:
        if isinstance(arg, str):
            ends.append([scope.body(arg), None])
        elif ends and ends[-1][1] is None:
            ends[-1][1] = arg
        else:
            raise NodeError("a distance is between two bodies, each with a point of it or without.")
    if len(ends) != 2:
        raise NodeError("a distance is between two bodies, each with a point of it or without.")
    (k, p), (m, q) = ends
    return Quantity("LENGTH", k, m, s_i=scope.point(k, p), s_j=scope.point(m, q))


def _input(scope: Measuring, name: str) -> Node:
    return operand_node(Operand(input=scope._known("input", name, scope.inputs)))


def _point_and_frame(more: tuple[Any, ...]) -> tuple[Any, str]:
    point, frame = None, "global"
    for arg in more:
        if isinstance(arg, str):
            frame = arg
        else:
            point = arg
    return point, frame


FUNCTIONS: dict[str, Callable[..., Node]] = {
    "angle": lambda scope, joint, which="angle": value(coordinate(scope, joint, which)),
    "displacement": lambda scope, joint, which="displacement": value(coordinate(scope, joint, which)),
    "rate": lambda scope, joint, which=None: rate(coordinate(scope, joint, which)),
    "position": _position,
    "velocity": _velocity,
    "angular_velocity": _angular_velocity,
    "direction": _direction,
    "speed": _speed,
    "distance": lambda scope, *ends: value(_between(scope, ends)),
    "distance_rate": lambda scope, *ends: rate(_between(scope, ends)),
    "input": _input,
}
