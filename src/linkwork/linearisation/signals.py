"""Inputs and outputs of linear models by name.

Inputs: NAME of one of the mechanism's inputs, which formulas read; NAME of a force element without formulas of the
state, its actuator force or torque; NAME.x, .y, .z of such a load, one of its components;
BODY.force.x and BODY.torque.x, a force at the centre of mass or a torque, along global axes.
Outputs: BODY.position.x, .velocity.x, .acceleration.x of the centre of mass, global; BODY.rotation.x,
.angular_velocity.x, .angular_acceleration.x, along global axes; JOINT.angle, JOINT.displacement and so on: the
coordinates that turns and slides of the joint have, by the names of `Result.joint`, and their rates, JOINT.angle_rate;
JOINT.reaction_force.x, .reaction_torque.x (also .force.x, .torque.x), of drivers too, as in `Result.reaction`;
sensors, NAME of a formula, NAME.acceleration.x, NAME.angular_velocity.x of a measuring unit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.coordinate_rows import held
from linkwork.errors import UsageError
from linkwork.linearisation.equations import Equations, tilde
from linkwork.linearisation.reaction_outputs import reaction_names, reaction_parts
from linkwork.linearisation.readings import Readings
from linkwork.mechanism.elements import did_you_mean
from linkwork.mechanism.lowered import LoweredJoint
from linkwork.mechanism.primitives import Primitive

Array = NDArray[np.float64]
AXES, KINDS = ("x", "y", "z"), ("force", "torque")
STEP = 1e-30  # of complex steps
LEVELS = "by_place", "by_speed", "by_acceleration"
LINEAR, ANGULAR = ("position", "velocity", "acceleration"), ("rotation", "angular_velocity", "angular_acceleration")


class Output(NamedTuple):
    """How an output changes with small displacements, velocities and accelerations of all bodies, (6 nb,) each, with
    the mechanism's inputs (ni,) and with multipliers (nc,) besides."""

    by_place: Array
    by_speed: Array
    by_acceleration: Array
    by_input: Array
    by_multiplier: Array


def input_force(e: Equations, name: str) -> Array:
    """(6 nb,) the force on all bodies for a unit of an input. Raises UsageError for a name that does not exist."""
    at, work = e.at, e.applied.work
    elements = [one.name for one in at.lowered.elements]
    if name in elements:
        return e.applied.unit_of(work.element_values, (elements.index(name),))
    channels = [one.name for one in at.lowered.inputs]
    if name in channels:
        return e.applied.by_input(channels.index(name))
    owner, _, axis = name.rpartition(".")
    for k, load in enumerate(at.lowered.loads):
        if load.name == owner and axis in AXES:
            return e.applied.unit_of(work.load_values, (k, AXES.index(axis)))
    body, _, kind = owner.rpartition(".")
    if body in at.body_names and axis in AXES and kind in KINDS:
        out, b, direction = np.zeros((at.nb, 6)), at.body_names.index(body), np.eye(3)[AXES.index(axis)]
        if kind == "force":
            out[b, :3] = direction
        else:
            out[b, 3:] = at.A[b].reshape(3, 3).T @ direction
        return out.ravel()
    known = channels + elements
    known += [f"{load.name}.{axis}" for load in at.lowered.loads for axis in AXES]
    known += [f"{body}.{kind}.{axis}" for body in at.body_names for kind in KINDS for axis in AXES]
    raise UsageError(
        f"input {name!r} does not exist{did_you_mean(name, known)}", element=f"mechanism {at.lowered.name!r}"
    )


def output_of(e: Equations, name: str, udot: Array, multipliers: Array) -> Output:
    """What an output measures; udot (6 nb,), multipliers (nc,): of the state. Raises UsageError for a name that does
    not exist, a sensor whose formula has no derivative here, and a reaction that dependent rows share."""
    at = e.at
    owner, _, axis = name.rpartition(".")
    body, _, kind = owner.rpartition(".")
    nothing = np.zeros(e.size)
    none = Output(nothing, nothing, nothing, np.zeros(len(at.lowered.inputs)), np.zeros(at.nc))
    if body in at.body_names and axis in AXES and kind in (*LINEAR, *ANGULAR):
        part, b, direction = np.zeros((at.nb, 6)), at.body_names.index(body), np.eye(3)[AXES.index(axis)]
        if kind in LINEAR:
            part[b, :3] = direction
            return none._replace(**{LEVELS[LINEAR.index(kind)]: part.ravel()})
        part[b, 3:] = at.A[b].reshape(3, 3).T @ direction
        level = ANGULAR.index(kind)
        turned = {"by_place": _turned(part, (e.u, udot)[level - 1])} if level else {}
        return none._replace(**turned, **{LEVELS[level]: part.ravel()})
    coordinates = {
        f"{joint.name}.{coordinate}": (joint, row)
        for joint in at.lowered.joints
        for coordinate, row in held(joint).items()
    }
    if name in coordinates:
        return none._replace(by_place=coordinate_part(e.at.r, e.at.A, *coordinates[name]))
    if (coordinate := name.removesuffix("_rate")) in coordinates:
        return none._replace(**_of_rate(e, *coordinates[coordinate]))
    reactions = reaction_names(e)
    if name in reactions:
        by_place, by_multiplier = reaction_parts(e, *reactions[name], multipliers)
        return none._replace(by_place=by_place, by_multiplier=by_multiplier)
    readings = Readings(e)
    if name in readings.names:
        return readings.output(name, udot, none)
    known = [f"{body}.{kind}.{axis}" for body in at.body_names for kind in (*LINEAR, *ANGULAR) for axis in AXES]
    known += [f"{coordinate}{end}" for coordinate in coordinates for end in ("", "_rate")] + readings.names
    known += list(reactions)
    for joint in at.lowered.joints:
        if joint.name == owner:
            raise no_coordinate("output", name, joint)
    raise UsageError(
        f"output {name!r} does not exist{did_you_mean(name, known)}", element=f"mechanism {at.lowered.name!r}"
    )


def _turned(part: Array, rate: Array) -> Array:
    """(6 nb,) what a turn of the bodies adds to a sum of components of their vectors omega or omegadot, told in the
    body: a . A (delta theta x omega). part (nb, 6)."""
    out = np.zeros_like(part)
    out[:, 3:] = np.cross(rate.reshape(-1, 6)[:, 3:], part[:, 3:])
    return out.ravel()


def _of_rate(e: Equations, joint: LoweredJoint, row: Primitive) -> dict[str, Array]:
    """How the rate of a joint's coordinate, part(q) . u, changes: with displacements by complex steps."""
    r, A = e.at.r, e.at.A.reshape(-1, 3, 3)
    part, by_place = coordinate_part(r, A, joint, row), np.zeros((e.at.nb, 6))
    for b in {joint.body_i, joint.body_j} - {-1}:
        for k in range(6):
            moved_r, moved_A = r.astype(complex), A.astype(complex)
            if k < 3:
                moved_r[b, k] += STEP * 1j
            else:
                moved_A[b] = A[b] @ (np.eye(3) + STEP * 1j * tilde(np.eye(3)[k - 3 : k - 2])[0])
            by_place[b, k] = (coordinate_part(moved_r, moved_A, joint, row) @ e.u).imag / STEP
    return {"by_place": by_place.ravel(), "by_speed": part}


def no_coordinate(what: str, name: str, joint: LoweredJoint) -> UsageError:
    """The error for a coordinate that a joint does not have, with those it has."""
    has = ", ".join(f"{joint.name}.{coordinate}" for coordinate in held(joint))
    has = has or "no coordinate of a turn about an axis or of a slide"
    return UsageError(
        f"{what} {name!r} does not exist: joint {joint.name!r} has {has}", element=f"joint {joint.name!r}"
    )


def coordinate_part(r: Any, A: Any, joint: LoweredJoint, row: Primitive) -> Any:
    """(6 nb,) how a joint's angle or displacement grows with displacements of all bodies; by its row.

    r (nb + 1, 3), A (nb + 1, 9) or (nb + 1, 3, 3): poses, ground's last; complex numbers may stand there."""
    nb = len(r) - 1
    i, j = (b if b >= 0 else nb for b in (joint.body_i, joint.body_j))
    if row.swapped:
        i, j = j, i
    A_i, A_j = A[i].reshape(3, 3), A[j].reshape(3, 3)
    out = np.zeros((nb + 1, 6), dtype=A.dtype)
    if row.kind == "ANGLE":
        n = A_i @ np.array(row.n)
        out[j, 3:] += n @ A_j
        out[i, 3:] -= n @ A_i
    else:
        a, arm_j = A_i @ np.array(row.a_i), A_j @ np.array(row.s_j)
        out[j, :3] += a
        out[i, :3] -= a
        out[j, 3:] += np.cross(arm_j, a) @ A_j
        out[i, 3:] -= np.cross(r[j] + arm_j - r[i], a) @ A_i
    return out[:nb].ravel()
