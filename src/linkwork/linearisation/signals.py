"""Inputs and outputs of linear models by name.

Inputs: NAME of one of the mechanism's inputs, which formulas read; NAME of a force element without formulas of the
state, its actuator force or torque; NAME.x, .y, .z of such a load, one of its components;
BODY.force.x and BODY.torque.x, a force at the centre of mass or a torque, along global axes.
Outputs: BODY.position.x, .velocity.x, .acceleration.x of the centre of mass, global; BODY.rotation.x,
.angular_velocity.x, .angular_acceleration.x, along global axes; JOINT.angle, JOINT.displacement and so on: the
coordinates that turns and slides of the joint have, by the names of `Result.joint`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.coordinate_rows import held
from linkwork.errors import UsageError
from linkwork.linearisation.equations import Equations
from linkwork.mechanism.elements import did_you_mean
from linkwork.mechanism.lowered import LoweredJoint
from linkwork.mechanism.primitives import Primitive

Array = NDArray[np.float64]
AXES, KINDS = ("x", "y", "z"), ("force", "torque")
LINEAR, ANGULAR = ("position", "velocity", "acceleration"), ("rotation", "angular_velocity", "angular_acceleration")


class Output(NamedTuple):
    """What an output takes of small displacements, velocities or accelerations (level 0, 1, 2) of all bodies."""

    level: int
    part: Array  # (6 nb,)


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


def output_of(e: Equations, name: str) -> Output:
    """What an output measures. Raises UsageError for a name that does not exist."""
    at = e.at
    owner, _, axis = name.rpartition(".")
    body, _, kind = owner.rpartition(".")
    if body in at.body_names and axis in AXES and kind in (*LINEAR, *ANGULAR):
        out, b, direction = np.zeros((at.nb, 6)), at.body_names.index(body), np.eye(3)[AXES.index(axis)]
        if kind in LINEAR:
            out[b, :3] = direction
            return Output(LINEAR.index(kind), out.ravel())
        out[b, 3:] = at.A[b].reshape(3, 3).T @ direction
        return Output(ANGULAR.index(kind), out.ravel())
    coordinates = {
        f"{joint.name}.{coordinate}": (joint, row)
        for joint in at.lowered.joints
        for coordinate, row in held(joint).items()
    }
    if name in coordinates:
        return Output(0, coordinate_part(e, *coordinates[name]))
    known = [f"{body}.{kind}.{axis}" for body in at.body_names for kind in (*LINEAR, *ANGULAR) for axis in AXES]
    known += list(coordinates)
    for joint in at.lowered.joints:
        if joint.name == owner:
            raise no_coordinate("output", name, joint)
    raise UsageError(
        f"output {name!r} does not exist{did_you_mean(name, known)}", element=f"mechanism {at.lowered.name!r}"
    )


def no_coordinate(what: str, name: str, joint: LoweredJoint) -> UsageError:
    """The error for a coordinate that a joint does not have, with those it has."""
    has = ", ".join(f"{joint.name}.{coordinate}" for coordinate in held(joint))
    has = has or "no coordinate of a turn about an axis or of a slide"
    return UsageError(
        f"{what} {name!r} does not exist: joint {joint.name!r} has {has}", element=f"joint {joint.name!r}"
    )


def coordinate_part(e: Equations, joint: LoweredJoint, row: Primitive) -> Array:
    """(6 nb,) how a joint's angle or displacement grows with displacements of all bodies; by its row."""
    at, nb = e.at, e.at.nb
    i, j = (b if b >= 0 else nb for b in (joint.body_i, joint.body_j))
    if row.swapped:
        i, j = j, i
    A_i, A_j = at.A[i].reshape(3, 3), at.A[j].reshape(3, 3)
    out = np.zeros((nb + 1, 6))
    if row.kind == "ANGLE":
        n = A_i @ np.array(row.n)
        out[j, 3:] += n @ A_j
        out[i, 3:] -= n @ A_i
    else:
        a, arm_j = A_i @ np.array(row.a_i), A_j @ np.array(row.s_j)
        out[j, :3] += a
        out[i, :3] -= a
        out[j, 3:] += np.cross(arm_j, a) @ A_j
        out[i, 3:] -= np.cross(at.r[j] + arm_j - at.r[i], a) @ A_i
    found: Array = out[:nb].ravel()
    return found
