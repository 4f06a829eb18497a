"""The mechanism that a result was made with, and the recorded motion of its bodies, ground among them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import Array, near_names
from linkwork.mechanism import Mechanism
from linkwork.mechanism.kept import kept
from linkwork.mechanism.lowered import Lowered
from linkwork.quantities import components
from linkwork.quantities.components import Motion
from linkwork.result import Result

GROUND = "ground"
_MODELS: WeakKeyDictionary[Result, tuple[Mechanism, Lowered]] = WeakKeyDictionary()
_REFERENCES: WeakKeyDictionary[Result, Result] = WeakKeyDictionary()


def mechanism_of(result: Result) -> Mechanism:
    """The mechanism as it ran. Raises UsageError for a result that does not hold it."""
    return _model(result)[0]


def lowered_of(result: Result) -> Lowered:
    """Its bodies, rows and forces by number."""
    return _model(result)[1]


def ran_with(result: Result, mechanism: Mechanism, lowered: Lowered, reference: Result | None = None) -> None:
    """Say which mechanism a result was made with, where its header holds another one: its numbers differ. reference : a
    result that it hardly differs from; angles begin nearest to those of that one."""
    _MODELS[result] = (mechanism, lowered)
    if reference is not None:
        _REFERENCES[result] = reference


@contextmanager
def known_model(result: Result, mechanism: Mechanism, lowered: Lowered) -> Iterator[None]:
    """While this lasts, and the mechanism stays as it is, its header need not be read for which one a result was made
    with."""
    ran_with(result, mechanism, lowered)
    try:
        yield
    finally:
        _MODELS.pop(result, None)


def reference_of(result: Result) -> Result | None:
    """The result that it hardly differs from, if there is one."""
    return _REFERENCES.get(result)


def _model(result: Result) -> tuple[Mechanism, Lowered]:
    found = _MODELS.get(result)
    if found is None:
        if not result.mechanism_document:
            raise UsageError("this result does not hold its mechanism.", remedy="Run the mechanism with linkwork.")
        mechanism = Mechanism.from_dict(json.loads(result.mechanism_document))
        found = _MODELS[result] = (mechanism, kept(mechanism, "flat", mechanism.lower))
    return found


def body_number(result: Result, name: str) -> int:
    """The number of a body, -1 of ground. Raises UsageError with the nearest name."""
    if name == GROUND:
        return -1
    if name not in result.bodies:
        raise UsageError(f"this result has no body {name!r}.", remedy=near_names(name, (*result.bodies, GROUND)))
    return result.bodies.index(name)


def motion(result: Result, body: int) -> Motion:
    """How a body moved; -1 is ground, which does not. Raises UsageError where velocities were not recorded."""
    nt = result.time.size
    if body < 0:
        rest = np.zeros((nt, 3))
        return Motion(rest, np.broadcast_to(np.eye(3), (nt, 3, 3)), rest, rest, rest, rest)
    name = result.bodies[body]
    return Motion(
        result.position(name),
        result.rotation(name),
        result.velocity(name),
        result.angular_velocity(name),
        result.acceleration(name),
        result.angular_acceleration(name),
    )


def turned(A: Array, s: Array) -> Array:
    """A s over time: (nt, 3, 3) with (nt, 3)."""
    return _samples_first(components.turned(np.moveaxis(A, 0, -1), s.T))


def path_of(body: Motion, s: Array) -> tuple[Array, Array, Array]:
    """Position, velocity and acceleration of a point s (3,) m of a body, from its centre of mass; global."""
    position, velocity, acceleration = components.path_of(components.components_first(body), s[:, None])
    return _samples_first(position), _samples_first(velocity), _samples_first(acceleration)


def _samples_first(x: Array) -> Array:
    return np.ascontiguousarray(np.moveaxis(x, -1, 0))
