"""What a force element does over a run: its force or torque, its length or angle, and the power that it delivers.

Every element is asked in the same way: the mechanism without weight and without the others is applied to the recorded
motion by the same compiled code as in runs, so that elements of any kind have forces and power here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from linkwork.equations.derived import ElementForces
from linkwork.errors import UsageError
from linkwork.header import Array, Header, Variable, near_names
from linkwork.kernels.force_laws.laws import law_of
from linkwork.mechanism import Mechanism
from linkwork.mechanism.lowered import ZERO3, Lowered, LoweredEffort, LoweredElement, LoweredLoad
from linkwork.mechanism.markers import Marker
from linkwork.quantities.components import Motion, components_first, dot, path_of, turned
from linkwork.quantities.continuous import continued
from linkwork.quantities.curves import Curves
from linkwork.quantities.efforts import Effort, efforts_over_time
from linkwork.quantities.efforts import told as efforts_told
from linkwork.quantities.joints import from_x_to
from linkwork.quantities.model import lowered_of, motion, ran_with
from linkwork.quantities.relative import Relative
from linkwork.quantities.spherical import told as spherical_told
from linkwork.result import Result
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.counted_angles import told_at_start
from linkwork.system.derived_force_kernels import Applied
from linkwork.system.operands import OperandPlaces, operands_of

FORCELESS = (
    "bodies",
    "rows",
    "joints",
    "inputs",
    "tables",
    "sensors",
    "base",
    "couplings",
    "notes",
)  # fields of a lowered mechanism that hold no forces
ALONG, OF = ("time",), ("time", "xyz")
SPHERICAL = "spherical-spring"  # the type of an element that tells of a whole rotation
VECTORS = "position", "velocity", "angular_velocity", "acceleration", "angular_acceleration"
Told = dict[str, tuple[Variable, Callable[[], Array]]]  # curves, worked out when they are asked for
Alone = Callable[[Lowered, str], CompiledMechanism]


class Moved(NamedTuple):
    """How bodies moved, in one run or in several (n, nt, ...). of : one by number, -1 for ground. start : the counted
    angles of what is asked for, of which the first sample's lie nearest to these [rad]."""

    bodies: tuple[str, ...]
    time: Array
    of: Callable[[int], Motion]
    start: Array


@dataclass(frozen=True, repr=False)
class ElementForce(Curves):
    """A force element over time. Every one has ``power``, what it delivers to the bodies [W].

    A spring has ``force`` (tension), ``length`` and ``length_rate``; a torsion spring ``torque`` (on the first body,
    along the axis), ``angle`` (turns counted) and ``angle_rate``; a load ``force`` (nt, 3) or ``torque``, global; a
    spherical spring ``torque`` (nt, 3) on the second body, global, ``rotation_vector`` (nt, 3) and ``angle``; a
    motor or joint spring ``effort`` on the joint's second body along its ``angle`` or ``displacement``, with the rate.
    type : of the element.
    """

    type: str = ""

    @property
    def power(self) -> Array:
        """(nt,) W, that the element delivers to the bodies; negative while a spring is stretched."""
        return self.arrays["power"]


def force(result: Result, name: str) -> ElementForce:
    """Force or torque, length or angle, rate and power of a force element. Raises UsageError for other names."""
    found = every_curve(result, name)
    idle = {curve for body in result.bodies for curve in _of_body(body) if not _acts(found, body)}
    arrays = {curve: values for curve, values in found.arrays.items() if curve not in idle}
    return replace(found, arrays=arrays, variables={curve: found.variables[curve] for curve in arrays})


def _of_body(body: str) -> tuple[str, str]:
    """The curves of a body, of an element that tells no other."""
    return f"force_on_{body}", f"torque_on_{body}"


def _acts(found: ElementForce, body: str) -> bool:
    return any(curve in found and np.any(found[curve]) for curve in _of_body(body))


def every_curve(result: Result, name: str, alone_of: Alone | None = None) -> ElementForce:
    """`force`, with curves of bodies on which the element never acted, too: names do not depend on the motion.

    alone_of : `alone`, by another way."""
    lowered = lowered_of(result)
    elements = elements_of(lowered)
    if name not in elements:
        raise UsageError(f"this result has no force element {name!r}.", remedy=near_names(name, tuple(elements)))
    element = elements[name]
    if given := sorted(inputs_of(lowered, name) & set(given_inputs(result, lowered))):
        raise UsageError(
            f"what {name!r} exerted depends on inputs that were given from outside: {', '.join(given)}.",
            remedy="They are recorded: result['input'].",
        )
    by_itself = (alone_of or alone)(lowered, name)
    at_start = start_angles(result, lowered, by_itself.lowered)
    time, *recorded = _recorded(result)
    each = ElementForces(by_itself).of_each(time, *(one[None] for one in recorded), counted_angles=at_start)
    applied, moved = Applied(*(one[0] for one in each)), Moved(result.bodies, time, partial(motion, result), at_start)
    described = next(one for one in result.mechanism.forces if one.name == name)
    kind = described.type
    found = told(moved, described, element, applied)
    if found is None:
        found = _by_formula(result, moved, lowered, described, applied, by_itself.lowered)
    found["power"] = Variable(ALONG, "W", f"that {name} delivers to the bodies"), partial(power, moved, applied)
    arrays, variables = {n: curve() for n, (_, curve) in found.items()}, {n: v for n, (v, _) in found.items()}
    return ElementForce(name, result.time, arrays, variables, type=kind)


def inputs_of(lowered: Lowered, name: str) -> set[str]:
    """Names of the inputs that an element can have: its actuator, its components, what its formulas read."""
    read = (one.input for effort in lowered.efforts if effort.name == name for one in operands_of(effort.f))
    return {name, *(f"{name}.{axis}" for axis in "xyz"), *(one for one in read if one)}


def given_inputs(result: Result, lowered: Lowered) -> tuple[str, ...]:
    """Names of the inputs of a controlled run that were not as described (not zero where that is not known)."""
    if "input" not in result:  # which is known without judging it
        return ()
    described = {one.name: one.default for one in lowered.inputs}
    names = result.header.coordinates.get("input", ())
    return tuple(n for k, n in enumerate(names) if np.any(result["input"][:, k] != described.get(n, 0.0)))


def curves_of(lowered: Lowered, mechanism: Mechanism, name: str) -> dict[str, tuple[int, ...]]:
    """The curves of a force element by name, and their shapes after time: (), (3,)."""
    nb = len(lowered.bodies)
    still = {one: np.zeros((1, nb, 3)) for one in VECTORS} | {"rotation": np.tile(np.eye(3), (1, nb, 1, 1))}
    result = Result(Header(bodies=tuple(one.name for one in lowered.bodies)), {"time": np.zeros(1)} | still)
    ran_with(result, mechanism, lowered)
    return {curve: values.shape[1:] for curve, values in every_curve(result, name).arrays.items()}


def elements_of(lowered: Lowered) -> dict[str, Any]:
    """Every force element, by name."""
    groups = (getattr(lowered, one.name) for one in fields(lowered) if one.name not in FORCELESS)
    found: dict[str, Any] = {}
    for group in groups:
        for one in group if isinstance(group, tuple) else ():
            found.setdefault(one.name, one)
    return found


def alone(lowered: Lowered, name: str) -> CompiledMechanism:
    """The mechanism with this force element only, and without weight."""
    kept: dict[str, Any] = {"gravity": np.zeros(3)}
    for one in fields(lowered):
        group = getattr(lowered, one.name)
        if one.name not in FORCELESS and isinstance(group, tuple):
            kept[one.name] = tuple(element for element in group if element.name == name)
    return compile_mechanism(replace(lowered, **kept))


def _recorded(result: Result) -> list[Array]:
    return [result[name] for name in ("time", "position", "rotation", "velocity", "angular_velocity")]


def start_angles(result: Result, lowered: Lowered, part: Lowered) -> Array:
    """The angles, turns counted, that a part of the mechanism started at."""
    counted, wanted = _counted(lowered), _counted(part)
    if not wanted:  # nothing is asked of the result, which may have to be judged first
        return np.zeros(0)
    told = told_at_start(result.info) or [0.0] * len(counted)
    angles = dict(zip(counted, told, strict=True))
    return np.array([angles[one] for one in wanted], dtype=float)


def _counted(lowered: Lowered) -> list[Any]:
    """Whose angles are counted with their turns, in order: force elements by name, then quantities."""
    elements = (one.name for one in lowered.elements if law_of(one.law).has_counted_angle)
    return [*elements, *OperandPlaces(lowered).quantities]


def told(moved: Moved, described: Any, element: Any, applied: Applied) -> Told | None:
    """What an element did, in one run or in several, but for its power; None where formulas of the state tell of it.

    described, element : it, as it is described and lowered."""
    if not isinstance(element, LoweredEffort):
        return TELL.get(type(element), _any)(moved, element, applied)
    if described.type in ("force", "torque"):
        return _on_body(moved, moved.bodies.index(described.body), applied, torque=described.type == "torque")
    return None


def power(moved: Moved, applied: Applied) -> Array:
    """Forces times velocities, torques times angular velocities, of all bodies, one after the other."""
    total = np.zeros(applied.f.shape[:-2])
    for k in range(len(moved.bodies)):
        body = moved.of(k)
        total += dot(_first(applied.f[..., k, :]), _first(body.v)) + dot(_first(applied.n[..., k, :]), _first(body.w))
    return total


def _first(vectors: Array) -> Array:
    """Vectors (..., 3) with components first."""
    return np.moveaxis(vectors, -1, 0)


def _element(moved: Moved, element: LoweredElement, applied: Applied) -> Told:
    if law_of(element.law).has_counted_angle:
        return _about_axis(moved, element, applied)
    if not law_of(element.law).ends:
        return _any(moved, element, applied)
    alike = (1,) * (applied.f.ndim - 2)
    ends = ((element.body_i, element.s_i), (element.body_j, element.s_j))

    @cache
    def seen() -> tuple[Array, Array, Array]:  # a direction, how far, and how fast
        one, other = (path_of(components_first(moved.of(k)), np.array(s).reshape(3, *alike)) for k, s in ends)
        d = other.position - one.position
        length = np.sqrt(dot(d, d))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(length > 0.0, d / length, 0.0), length, other.velocity - one.velocity

    def force() -> Array:
        direction, *_ = seen()
        return dot(_first(applied.f[..., element.body_i, :]), direction)  # ground's number -1 is its place, too

    def length() -> Array:
        _, found, _ = seen()
        return found

    def rate() -> Array:
        direction, _, velocity = seen()
        return dot(velocity, direction)

    return _curves(element.law, force, length, rate)


def _about_axis(moved: Moved, element: LoweredElement, applied: Applied) -> Told:
    i, j = (Marker(ZERO3, a, b, element.n) for a, b in ((element.a_i, element.b_i), (element.a_j, ZERO3)))
    seen = Relative(moved.of(element.body_i), moved.of(element.body_j), i, j)

    def rate() -> Array:
        *_, about = seen.w
        return np.asarray(about)

    def angle() -> Array:
        start, *_ = moved.start
        return continued(from_x_to(seen.R[1, 0], seen.R[0, 0]), rate(), moved.time, start)

    pull = _first(applied.n[..., element.body_i, :])
    return _curves(element.law, lambda: dot(pull, element.n), angle, rate)


def _curves(law: str, *curves: Callable[[], Array]) -> Told:
    """Force, value and rate by the names that the law gives them."""
    known = law_of(law)
    seen = zip((known.force, known.value, known.rate), curves, strict=True)
    return {one.name: (Variable(ALONG, one.unit, one.description), curve) for one, curve in seen}


def _load(moved: Moved, load: LoweredLoad, applied: Applied) -> Told:
    return _on_body(moved, load.body, applied, torque=load.torque)


def _on_body(moved: Moved, body: int, applied: Applied, *, torque: bool) -> Told:
    if torque:
        return {"torque": (Variable(OF, "N m", "on the body, global components"), _torque(moved, body, applied))}
    return {"force": (Variable(OF, "N", "on the body, global components"), lambda: applied.f[..., body, :])}


def _torque(moved: Moved, body: int, applied: Applied) -> Callable[[], Array]:
    """That on a body, global."""

    def found() -> Array:
        n = turned(np.moveaxis(moved.of(body).A, (-2, -1), (0, 1)), _first(applied.n[..., body, :]))
        return np.ascontiguousarray(np.moveaxis(n, 0, -1))

    return found


def _by_formula(
    result: Result, moved: Moved, lowered: Lowered, described: Any, applied: Applied, part: Lowered
) -> Told:
    """Of an element whose formulas know the state: the same as of others of its type, or its efforts. part : the flat
    mechanism with this element alone."""
    efforts = [one for one in lowered.efforts if one.name == described.name]
    angles = dict(zip(_counted(part), moved.start.tolist(), strict=True))
    found = efforts_over_time(result, lowered, efforts, angles)
    if described.type == SPHERICAL and not efforts[0].law:
        return _known(spherical_told(result, efforts[0].quantity, applied))
    return told_by_formula(moved, described, efforts, found, applied)


def told_by_formula(
    moved: Moved, described: Any, efforts: Sequence[LoweredEffort], found: Sequence[Effort], applied: Applied
) -> Told:
    """What an element whose formulas know the state did, in one run or in several; not of spherical springs, which tell
    of a whole rotation. efforts, found : its efforts, and what they came to."""
    if efforts[0].law:
        (one,) = found
        return _curves(efforts[0].law, lambda: -one.effort, lambda: one.value, lambda: one.rate)
    return _known(efforts_told(described.name, efforts, found)) | _any(moved, described, applied)


def _known(curves: dict[str, tuple[Variable, Array]]) -> Told:
    return {name: (variable, partial(np.asarray, curve)) for name, (variable, curve) in curves.items()}


def _any(moved: Moved, element: Any, applied: Applied) -> Told:
    """Of a kind that is not known here: what it applies to each body, at and about its centre of mass, global."""
    found: Told = {}
    for k, body in enumerate(moved.bodies):
        force_on, torque_on = _of_body(body)
        force: Array = applied.f[..., k, :]
        found[force_on] = Variable(OF, "N", f"on body {body}, global components"), partial(np.asarray, force)
        about = Variable(OF, "N m", f"on body {body} about its centre of mass, global")
        found[torque_on] = about, _torque(moved, k, applied)
    return found


TELL: dict[type, Callable[[Moved, Any, Applied], Told]] = {
    LoweredElement: _element,
    LoweredLoad: _load,
}
