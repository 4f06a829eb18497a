"""Formulas of quantities of a run: over time, or reduced to a number.

    rod.position            three components over time          rod.velocity.x          one of them
    hip.angle               angle_rate, angle_acceleration      of any coordinate that the joint has
    max(hip.angle)          reductions: final, start, max, min, integral(rod.velocity.x**2)
                            mean, rms, integral                 time_of_max(...), time_of_min(...)
    energy                  kinetic_energy, potential_energy, energy, power, position_violation, velocity_violation
    hip.reaction_force.x    what a joint exerts on its second body; reaction_torque; hip.force, hip.torque are the same
    coil.force              what a force element does: force or torque, length or angle, rate, power
    tip_height              what a sensor reads; of an inertial measuring unit imu.acceleration, imu.angular_velocity

A name with blanks may stand in quotes: ``max('crank pivot'.angle)``. Formulas are read by a grammar of their own,
Python's without anything but arithmetic; nothing is evaluated as code.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.kept import kept
from linkwork.mechanism.lowered import Lowered
from linkwork.mechanism.naming import did_you_mean, sentence
from linkwork.quantities.forces import curves_of, elements_of

Array = NDArray[np.float64]
BODY = {
    "position": (0, 3),
    "velocity": (12, 15),
    "angular_velocity": (15, 18),
    "acceleration": (18, 21),
    "angular_acceleration": (21, 24),
    "rotation": (3, 12),
}
WHOLE = ("kinetic_energy", "potential_energy", "energy", "power", "position_violation", "velocity_violation")
# what acts on a joint's second body, and what results call it
REACTIONS = {"reaction_force": "force", "reaction_torque": "torque", "force": "force", "torque": "torque"}
AXES = "xyz"
ENDINGS = "", "_rate", "_acceleration"  # of a joint's coordinate and its derivatives by time
MOST_CHARACTERS = 1000
AXIS = tuple((axis,) for axis in AXES)
FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "sin": (1, np.sin), "cos": (1, np.cos), "tan": (1, np.tan), "exp": (1, np.exp), "log": (1, np.log),
    "sqrt": (1, np.sqrt), "abs": (1, np.abs), "hypot": (2, np.hypot), "atan2": (2, np.arctan2),
    "norm": (1, lambda x: np.sqrt(np.sum(x * x, axis=-1, keepdims=True))), "degrees": (1, np.degrees),
}  # fmt: skip


def _integral(time: Array, x: Array) -> Array:
    return np.asarray(np.sum(0.5 * (x[:, 1:] + x[:, :-1]) * np.diff(time)[:, None], axis=1, keepdims=True))


def _mean(time: Array, x: Array) -> Array:
    return np.asarray(_integral(time, x) / (time[-1] - time[0]) if len(time) > 1 else x[:, :1])


# of x (runs, nt, components) over its second dimension, which stays with one entry
REDUCTIONS: dict[str, Callable[[Array, Array], Any]] = {
    "start": lambda time, x: x[:, :1],
    "final": lambda time, x: x[:, -1:],
    "max": lambda time, x: np.max(x, axis=1, keepdims=True),
    "min": lambda time, x: np.min(x, axis=1, keepdims=True),
    "mean": _mean,
    "rms": lambda time, x: np.sqrt(_mean(time, x * x)),
    "integral": _integral,
    "time_of_max": lambda time, x: time[np.argmax(x, axis=1, keepdims=True)],
    "time_of_min": lambda time, x: time[np.argmin(x, axis=1, keepdims=True)],
}
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide, ast.Pow: np.power,
    ast.USub: np.negative, ast.UAdd: np.positive,
}  # fmt: skip


class Samples(Protocol):
    """Samples of some runs, asked for by quantity, ("rod", "velocity", "x"): (runs, nt) or (runs, nt, components)."""

    @property
    def time(self) -> Array: ...
    def quantity(self, path: tuple[str, ...]) -> Array: ...


@dataclass(frozen=True)
class Formula:
    """A formula of quantities of a run. text : as it was written. over_time : whether there is a value of each sample,
    or one of the run. shape : of a value."""

    text: str
    over_time: bool
    shape: tuple[int, ...]
    tree: Any

    @property
    def quantities(self) -> set[tuple[str, ...]]:
        """What it is a formula of."""
        return set(_paths(self.tree))

    def of(self, samples: Samples, runs: int) -> Array:
        """Its values of some runs, (runs, ...); of each what it is of that run alone."""
        with np.errstate(all="ignore"):
            found = np.asarray(_value(self.tree, samples), dtype=float)
        size = (runs, len(samples.time) if self.over_time else 1, math.prod(self.shape))
        return np.broadcast_to(found, size).reshape((*size[: 1 + self.over_time], *self.shape))

    @property
    def reduced(self) -> tuple[str, str] | None:
        """Of one that is a reduction of another as a whole, ``final(rod.position)``: which, and the other's text."""
        node = self.tree
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REDUCTIONS:
            return node.func.id, ast.unparse(node.args[0])
        return None


def formula_of(mech: Mechanism, text: str) -> Formula:
    """A formula of quantities of runs of a mechanism. Raises UsageError for what makes no sense."""
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"a formula has at most {MOST_CHARACTERS} characters, not {len(text)}.")
    said = ""
    for written in dict.fromkeys((text.strip(), _with_quotes(mech, text.strip()))):
        try:
            tree = ast.parse(written, mode="eval").body
            return Formula(text, *_shape(mech, tree), tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            said = error.msg if isinstance(error, SyntaxError) else str(error)
    raise UsageError(sentence(f"{text!r} is no formula of quantities of a run: {said}"))


def elements_named(mech: Mechanism) -> set[str]:
    """Names of what has quantities of its own."""
    kinds = (mech.bodies, mech.joints, mech.drivers, mech.constraints, mech.forces)
    return {one.name for kind in kinds for one in kind} | set(mech.sensors)


def is_name(mech: Mechanism, text: str) -> bool:
    """Whether a text is one name, be it of a quantity or not, and no formula of several."""
    try:
        _path(ast.parse(_with_quotes(mech, text.strip()), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return all(character.isalnum() or character in "_ .-" for character in text)
    return True


def _with_quotes(mech: Mechanism, text: str) -> str:
    """The text with quotes about names of elements that need them, as those with blanks do."""
    for name in sorted(elements_named(mech), key=len, reverse=True):
        if not name.isidentifier() and name[:1].isalpha():
            text = re.sub(rf"(?<!['\"\w]){re.escape(name)}(?=\.[A-Za-z_])", lambda found: repr(found.group()), text)
    return text


def _path(node: ast.AST) -> tuple[str, ...]:
    """The parts of a quantity's name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        return (node.id, *parts)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value, *parts)
    raise ValueError("a name is wanted")


def _paths(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """The quantities in a formula that makes sense."""
    if isinstance(node, ast.Name | ast.Attribute):
        yield _path(node)
        return
    for one in node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node):
        yield from _paths(one)


def _shape(mech: Mechanism, node: ast.AST) -> tuple[bool, tuple[int, ...]]:
    """Whether a formula is one over time, and its shape besides. Raises ValueError with what is wrong."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return False, ()
    if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
        return _shape(mech, node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        (one, first), (other, second) = _shape(mech, node.left), _shape(mech, node.right)
        if first and second and first != second:
            raise ValueError("sides of different shapes")
        if (one and second and not (first or other)) or (other and first and not (second or one)):
            raise ValueError("a number over time does not go with a vector that is none")
        return one or other, first or second
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _call(mech, node.func.id, [_shape(mech, part) for part in node.args])
    if isinstance(node, ast.Name | ast.Attribute):
        return _quantity(mech, _path(node))
    raise ValueError("arithmetic, functions and names are known, nothing else")


def _call(mech: Mechanism, name: str, inner: list[tuple[bool, tuple[int, ...]]]) -> tuple[bool, tuple[int, ...]]:
    if name in REDUCTIONS:
        if len(inner) != 1 or not inner[0][0]:
            raise ValueError(f"{name} takes one quantity over time")
        return False, inner[0][1]
    if name not in FUNCTIONS:
        raise ValueError(f"there is no function {name!r}{did_you_mean(name, (*REDUCTIONS, *FUNCTIONS))}")
    if len(inner) != FUNCTIONS[name][0]:
        raise ValueError(f"{name} takes {FUNCTIONS[name][0]} values")
    if name == "norm" and inner[0][1] != (3,):
        raise ValueError("norm takes a vector")
    return any(one for one, _ in inner), () if name == "norm" else max((shape for _, shape in inner), key=len)


def _quantity(mech: Mechanism, path: tuple[str, ...]) -> tuple[bool, tuple[int, ...]]:
    first, rest = path[0], path[1:]
    if not rest:
        if first == "t" or first in WHOLE:
            return True, ()
        if first == "pi":
            return False, ()
        if first in mech.sensors and not _readings(mech, first):
            return True, ()
        if first in mech.sensors:
            raise ValueError(f"sensor {first!r} has {' and '.join(_readings(mech, first))}: write {first}.acceleration")
        if first in elements_of(_flat(mech)):
            curves = curves_of(_flat(mech), mech, first)
            raise ValueError(f"force element {first!r} has {', '.join(curves)}: write {first}.power")
        raise ValueError(f"there is no quantity {first!r}{did_you_mean(first, (*WHOLE, *mech.sensors, 't', 'pi'))}")
    if first in mech.sensors and rest[0] in _readings(mech, first) and (len(rest) == 1 or rest[1:] in AXIS):
        return True, () if rest[1:] else (3,)
    bodies, joints = [one.name for one in mech.bodies], [one.name for one in mech.joints]
    forces = elements_of(_flat(mech))
    component = len(rest) == 2 and rest[1] in AXES
    if first in forces:
        curves = curves_of(_flat(mech), mech, first)
        if rest[0] in curves and (len(rest) == 1 or (component and curves[rest[0]])):
            return True, () if component else curves[rest[0]]
        raise ValueError(f"force element {first!r} has no {'.'.join(rest)!r}{did_you_mean(rest[0], curves)}")
    if first in bodies and rest[0] in BODY and (len(rest) == 1 or (component and rest[0] != "rotation")):
        size = BODY[rest[0]][1] - BODY[rest[0]][0]
        return True, () if component else (size,)
    if first in bodies:
        raise ValueError(f"body {first!r} has no {'.'.join(rest)!r}{did_you_mean(rest[0], BODY)}")
    if first not in joints and first not in [
        *(one.name for one in mech.drivers),
        *(one.name for one in mech.constraints),
    ]:
        raise ValueError(
            f"there is no body, joint or force element {first!r}{did_you_mean(first, (*bodies, *joints, *forces))}"
        )
    if rest[0] in REACTIONS and (len(rest) == 1 or component):
        return True, () if component else (3,)
    if first in joints and len(rest) == 1:
        known = _coordinates(mech, first)
        if rest[0] in known:
            return True, ()
        raise ValueError(f"joint {first!r} has no {rest[0]!r}{did_you_mean(rest[0], (*known, *REACTIONS))}")
    raise ValueError(f"{first!r} has no {'.'.join(rest)!r}")


def _flat(mech: Mechanism) -> Lowered:
    """Every element by number, found once."""
    return kept(mech, "flat", mech.lower)


def _readings(mech: Mechanism, name: str) -> tuple[str, ...]:
    """What a measuring unit reads; nothing of its own of a sensor by a formula."""
    one = next(one for one in _flat(mech).sensors if one.name == name)
    return () if one.imu is None else ("acceleration", "angular_velocity")


def _coordinates(mech: Mechanism, name: str) -> list[str]:
    """Coordinates of a joint with their rates and accelerations."""
    from linkwork.quantities.components import Motion
    from linkwork.quantities.joints import coordinates_between

    joint = next(one for one in _flat(mech).joints if one.name == name and one.kind == "joint")
    still = Motion(np.zeros((1, 3)), np.eye(3)[None], *(np.zeros((1, 3)) for _ in range(4)))
    return [f"{one}{end}" for one in coordinates_between(still, still, np.zeros(1), joint) for end in ENDINGS]


def _value(node: Any, samples: Samples) -> Any:
    """A number, or (runs, nt or 1, components or 1)."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.UnaryOp):
        return OPERATORS[type(node.op)](_value(node.operand, samples))
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](_value(node.left, samples), _value(node.right, samples))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name, inner = node.func.id, [_value(part, samples) for part in node.args]
        return REDUCTIONS[name](samples.time, inner[0]) if name in REDUCTIONS else FUNCTIONS[name][1](*inner)
    path = _path(node)
    if path == ("pi",):
        return math.pi
    if path == ("t",):
        return samples.time[None, :, None]
    found = np.ascontiguousarray(samples.quantity(path))  # bits must not depend on where numbers stand
    return found.reshape(*found.shape[:2], -1)
