"""What is kept of a run: quantities over time, or reduced to a number, as formulas of bodies, joints and energies.

    rod.position            three components over time          rod.velocity.x          one of them
    max(hip.angle)          reductions: final, start, least,    integral(rod.velocity.x**2)
                            max, min, mean, rms, integral       time_of_max(...)
    energy                  kinetic_energy, potential_energy, energy, power, position_violation, velocity_violation
    hip.reaction_force.x    what a joint exerts on its second body; reaction_torque
    coil.force              what a force element does: force or torque, length or angle, rate, power
    tip_height              what a sensor reads; of an inertial measuring unit imu.acceleration, imu.angular_velocity

A name with blanks stands in quotes: ``'crank pivot'.angle``. Formulas are read by a grammar of their own, Python's
without anything but arithmetic; nothing is evaluated as code.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.header import stored_name
from linkwork.mechanism import Mechanism
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
REACTIONS = ("reaction_force", "reaction_torque")
AXES = "xyz"
AXIS = tuple((axis,) for axis in AXES)
TAKEN = "run", "time", "status", "error", "judgement", "in_lanes", "xyz", "rotation"  # in a data set
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
class Kept:
    """Something that is kept of each run. name : in the data set. text : the formula. shape : after run and time."""

    name: str
    text: str
    over_time: bool
    shape: tuple[int, ...]
    tree: Any

    @property
    def dims(self) -> tuple[str, ...]:
        """Names of its dimensions."""
        inner = {(): (), (3,): ("xyz",), (9,): ("rotation",)}[self.shape]
        return ("run", *(("time",) if self.over_time else ()), *inner)

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


def named(keep: Any) -> dict[str, str]:
    """A formula, a list of formulas, or names for formulas, as name -> formula. Raises UsageError for anything else."""
    remedy = 'keep=["max(rod.position.z)", "final(energy)"]'
    if isinstance(keep, str):
        keep = [keep]
    if not isinstance(keep, Mapping):
        if not isinstance(keep, Iterable):
            raise UsageError(f"what is kept are formulas in texts, not {keep!r}.", remedy=remedy)
        keep = [*keep]
    for text in (*keep, *(keep.values() if isinstance(keep, Mapping) else ())):
        if not isinstance(text, str):
            raise UsageError(f"what is kept is a formula in a text, not {text!r}.", remedy=remedy)
    if not keep:
        raise UsageError("nothing is kept of the runs.", remedy=remedy)
    return dict(keep) if isinstance(keep, Mapping) else {text: text for text in keep}


def kept_of(mech: Mechanism, keep: Any, parameters: tuple[str, ...] = ()) -> list[Kept]:
    """What is to be kept: a list of formulas, or names for formulas. Raises UsageError for what makes no sense."""
    found = [_kept(mech, name, text) for name, text in named(keep).items()]
    for one in found:
        if one.name in (*parameters, *TAKEN):
            raise UsageError(
                f"{one.name!r} is the name of something else in the data set.",
                remedy=f"Name what is kept: keep={{'NAME': {one.text!r}}}.",
            )
        if not one.name or any(
            other.name != one.name and stored_name(other.name) == stored_name(one.name) for other in found
        ):
            raise UsageError(f"{one.name!r} is no name of its own: files have ' over ' in the place of a slash.")
    return found


def _kept(mech: Mechanism, name: str, text: str) -> Kept:
    if len(text) > 1000:
        raise UsageError(f"what is kept is a formula of at most 1000 characters, not of {len(text)}.")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        over_time, shape = _shape(mech, tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        raise UsageError(sentence(f"{text!r} is no formula of what can be kept: {said}")) from None
    return Kept(name, text, over_time, shape, tree)


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
        if first in elements_of(mech.lower()):
            curves = curves_of(mech.lower(), mech, first)
            raise ValueError(f"force element {first!r} has {', '.join(curves)}: write {first}.power")
        raise ValueError(f"there is no quantity {first!r}{did_you_mean(first, (*WHOLE, *mech.sensors, 't', 'pi'))}")
    if first in mech.sensors and rest[0] in _readings(mech, first) and (len(rest) == 1 or rest[1:] in AXIS):
        return True, () if rest[1:] else (3,)
    bodies, joints = [one.name for one in mech.bodies], [one.name for one in mech.joints]
    forces = elements_of(mech.lower())
    component = len(rest) == 2 and rest[1] in AXES
    if first in forces:
        curves = curves_of(mech.lower(), mech, first)
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


def _readings(mech: Mechanism, name: str) -> tuple[str, ...]:
    """What a measuring unit reads; nothing of its own of a sensor by a formula."""
    one = next(one for one in mech.lower().sensors if one.name == name)
    return () if one.imu is None else ("acceleration", "angular_velocity")


def _coordinates(mech: Mechanism, name: str) -> list[str]:
    """Coordinates of a joint and their rates."""
    from linkwork.quantities.joints import coordinates_between
    from linkwork.quantities.model import Motion

    joint = next(one for one in mech.lower().joints if one.name == name and one.kind == "joint")
    still = Motion(np.zeros((1, 3)), np.eye(3)[None], *(np.zeros((1, 3)) for _ in range(4)))
    return [f"{one}{end}" for one in coordinates_between(still, still, np.zeros(1), joint) for end in ("", "_rate")]


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
