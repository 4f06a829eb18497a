"""What a force element does over a run: its force or torque, its length or angle, and the power that it delivers.

Every element is asked in the same way: the mechanism without weight and without the others is applied to the recorded
motion by the same compiled code as in runs, so that elements of any kind have forces and power here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from linkwork.equations.derived import element_forces_over_time
from linkwork.errors import UsageError
from linkwork.header import Array, Header, Variable, near_names
from linkwork.kernels.force_laws.laws import law_of
from linkwork.mechanism import Mechanism
from linkwork.mechanism.lowered import ZERO3, Lowered, LoweredEffort, LoweredElement, LoweredLoad
from linkwork.mechanism.markers import Marker
from linkwork.quantities.continuous import continued
from linkwork.quantities.curves import Curves
from linkwork.quantities.efforts import efforts_over_time
from linkwork.quantities.efforts import told as efforts_told
from linkwork.quantities.joints import from_x_to
from linkwork.quantities.model import lowered_of, motion, path_of, ran_with, turned
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
VECTORS = "position", "velocity", "angular_velocity", "acceleration", "angular_acceleration"
Told = dict[str, tuple[Variable, Array]]
Alone = Callable[[Lowered, str], CompiledMechanism]


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
    at_start = _start_angles(result, lowered, by_itself.lowered)
    time, r, A, v, w = _recorded(result)
    applied = element_forces_over_time(by_itself, time, r, A, v, w, at_start)
    described = next(one for one in result.mechanism.forces if one.name == name)
    kind = described.type
    if isinstance(element, LoweredEffort):
        told = _by_formula(result, lowered, described, applied, by_itself.lowered)
    else:
        told = TELL.get(type(element), _any)(result, element, applied)
    told["power"] = Variable(ALONG, "W", f"that {name} delivers to the bodies"), _power(result, applied)
    arrays, variables = {n: x for n, (_, x) in told.items()}, {n: v for n, (v, _) in told.items()}
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


def _start_angles(result: Result, lowered: Lowered, part: Lowered) -> Array:
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


def _power(result: Result, applied: Applied) -> Array:
    """Forces times velocities, torques times angular velocities, of all bodies."""
    total: Array = np.einsum("tbi,tbi->t", applied.f[:, :-1], result["velocity"])
    total += np.einsum("tbi,tbi->t", applied.n[:, :-1], result["angular_velocity"])
    return total


def _element(result: Result, element: LoweredElement, applied: Applied) -> Told:
    if law_of(element.law).has_counted_angle:
        return _about_axis(result, element, applied)
    if not law_of(element.law).ends:
        return _any(result, element, applied)
    P, P1, _ = path_of(motion(result, element.body_i), np.array(element.s_i))
    Q, Q1, _ = path_of(motion(result, element.body_j), np.array(element.s_j))
    d, u = Q - P, Q1 - P1
    length = np.linalg.norm(d, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        along = np.where(length[:, None] > 0.0, d / length[:, None], 0.0)
    pull = applied.f[:, element.body_i]  # ground's number -1 is its place, too
    return _curves(element.law, np.einsum("ti,ti->t", pull, along), length, np.einsum("ti,ti->t", u, along))


def _about_axis(result: Result, element: LoweredElement, applied: Applied) -> Told:
    i, j = (Marker(ZERO3, a, b, element.n) for a, b in ((element.a_i, element.b_i), (element.a_j, ZERO3)))
    seen = Relative(motion(result, element.body_i), motion(result, element.body_j), i, j)
    *_, rate = seen.w
    every = lowered_of(result)
    start = float(_start_angles(result, every, replace(every, elements=(element,), efforts=()))[0])
    angle = continued(from_x_to(seen.R[1, 0], seen.R[0, 0]), rate, result.time, start)
    return _curves(element.law, applied.n[:, element.body_i] @ element.n, angle, rate)


def _curves(law: str, *curves: Array) -> Told:
    """Force, value and rate by the names that the law gives them."""
    known = law_of(law)
    seen = zip((known.force, known.value, known.rate), curves, strict=True)
    return {one.name: (Variable(ALONG, one.unit, one.description), curve) for one, curve in seen}


def _load(result: Result, load: LoweredLoad, applied: Applied) -> Told:
    return _on_body(result, load.body, applied, torque=load.torque)


def _on_body(result: Result, body: int, applied: Applied, *, torque: bool) -> Told:
    if torque:
        n = turned(motion(result, body).A, applied.n[:, body])
        return {"torque": (Variable(OF, "N m", "on the body, global components"), n)}
    return {"force": (Variable(OF, "N", "on the body, global components"), applied.f[:, body])}


def _by_formula(result: Result, lowered: Lowered, described: Any, applied: Applied, part: Lowered) -> Told:
    """Of an element whose formulas know the state: the same as of others of its type, or its efforts. part : the flat
    mechanism with this element alone."""
    if described.type in ("force", "torque"):
        return _on_body(result, result.bodies.index(described.body), applied, torque=described.type == "torque")
    efforts = [one for one in lowered.efforts if one.name == described.name]
    angles = dict(zip(_counted(part), _start_angles(result, lowered, part).tolist(), strict=True))
    found = efforts_over_time(result, lowered, efforts, angles)
    if efforts[0].law:
        (one,) = found
        return _curves(efforts[0].law, -one.effort, one.value, one.rate)
    if described.type == "spherical-spring":
        return spherical_told(result, efforts[0].quantity, applied)
    return efforts_told(described.name, efforts, found) | _any(result, described, applied)


def _any(result: Result, element: Any, applied: Applied) -> Told:
    """Of a kind that is not known here: what it applies to each body, at and about its centre of mass, global."""
    told: Told = {}
    for k, body in enumerate(result.bodies):
        force_on, torque_on = _of_body(body)
        told[force_on] = Variable(OF, "N", f"on body {body}, global components"), applied.f[:, k]
        n = turned(motion(result, k).A, applied.n[:, k])
        told[torque_on] = Variable(OF, "N m", f"on body {body} about its centre of mass, global"), n
    return told


TELL: dict[type, Callable[[Result, Any, Applied], Told]] = {
    LoweredElement: _element,
    LoweredLoad: _load,
}
