"""Inverse dynamics: what joints or actuators must exert for a motion that is known, trees and loops alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.accelerations import Accelerations
from linkwork.analysis.coordinate_rows import held
from linkwork.analysis.joint_space import inverse_dynamics as efforts
from linkwork.analysis.state import State
from linkwork.arguments import names_of, positive_number
from linkwork.errors import UnderactuatedError, UsageError
from linkwork.kernels.force_laws.laws import law_of
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.freedoms import Freedoms
from linkwork.linearisation.given_motion import Instant, instants_of, need_possible
from linkwork.linearisation.loads import Loads
from linkwork.linearisation.motions import in_words
from linkwork.linearisation.signals import AXES, KINDS, coordinate_part, input_force, no_coordinate
from linkwork.linearisation.start import compiled_of
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.mechanism.elements import did_you_mean
from linkwork.mechanism.lowered import LoweredJoint
from linkwork.mechanism.motions import Turn
from linkwork.mechanism.primitives import Primitive
from linkwork.one_thread import one_blas_thread
from linkwork.result import Result
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]
PRODUCED = 1e-6  # of the forces that the motion needs may be left
SINGULAR = 1e-9  # of the largest effect that an actuator would have on free bodies


@one_blas_thread()
def inverse_dynamics(
    mech: Mechanism,
    motion: Any,
    state: State | None = None,
    *,
    root: str | None = None,
    actuators: str | Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
) -> Any:
    """Loads for a prescribed motion, against weight and all forces of the mechanism.

    With joint accelerations (a list, or name -> rad/s^2 or m/s^2) of a tree: (dofs,) efforts of its joints, see
    `analysis.joint_space.inverse_dynamics`. With a motion of bodies: `Loads` of actuators, through loops.

    Parameters
    ----------
    motion : a result (of `kinematics`, or of a run): all its samples; an `Accelerations`; or (nb, 6) accelerations of
        centres of mass [m/s^2, global] and angular ones [rad/s^2, body] at `state`; or joint accelerations as above.
    state : at which, with an array. root : of a tree's joint accelerations, the body that it starts with.
    actuators : names of drivers (and of raw constraints that prescribe a motion), of joints with one coordinate,
        JOINT.angle, JOINT.displacement_2 and so on as in `Result.joint`, springs of all kinds and inputs that formulas
        of forces are linear in (loads come on top of what they are), BODY.force.x, BODY.torque.x; all drivers if left
        out. Drivers exert nothing besides.
    weights : name -> what a unit of load counts, 1 if left out: with more actuators than freedoms the sum of squares of
        weighted loads is least.

    Raises UnderactuatedError, naming the motion that the actuators cannot produce; AssemblyError for a state that does
    not fit the joints, naming the row; UsageError, also for accelerations that joints do not allow; MissingMassError.
    """
    need_mechanism(mech)
    moving = isinstance(motion, (Result, Accelerations)) or actuators is not None
    _need_used(moving, root, weights, None if isinstance(motion, np.ndarray | list | tuple) else motion, state)
    if not moving:
        return efforts(mech, motion, state, root=root)
    compiled, time = compiled_of(mech, state, None)
    found = _Solver(compiled, actuators, weights)
    instants = list(instants_of(compiled, motion, state, time))
    solved = [found.solve(one) for one in instants]
    nb = compiled.nb
    return Loads(
        names=found.names,
        units=found.units,
        time=np.array([one.time for one in instants]),
        values=np.array([one.loads for one in solved]),
        multipliers=np.array([one.multipliers for one in solved]),
        motion={
            "position": np.array([one.at.r[:nb] for one in instants]),
            "rotation": np.array([one.at.A[:nb].reshape(nb, 3, 3) for one in instants]),
            "velocity": np.array([one.at.v[:nb] for one in instants]),
            "angular_velocity": np.array([one.at.w[:nb] for one in instants]),
        },
        _compiled=compiled,
    )


def _need_used(
    moving: bool, root: str | None, weights: Mapping[str, float] | None, motion: Any, state: State | None
) -> None:
    """Raise UsageError for an argument that would be left aside."""
    if moving and root is not None:
        raise UsageError(
            "root is the tree's that joint accelerations are taken along; loads of actuators have none.",
            remedy="Leave root out.",
        )
    if weights is not None and not moving:
        raise UsageError(
            "weights share a motion among actuators, and none are named: joints exert what they must.",
            remedy="Name actuators, or leave weights out.",
        )
    if state is not None and isinstance(motion, Result | Accelerations):
        raise UsageError(
            "the motion brings its own states along; state is for accelerations as an array.",
            remedy="Leave state out, or take a run from there.",
        )


class Solved(NamedTuple):
    """One instant."""

    loads: Array
    multipliers: Array


class _Solver:
    """Loads of some actuators, instant by instant."""

    def __init__(
        self, compiled: CompiledMechanism, actuators: str | Sequence[str] | None, weights: Mapping[str, float] | None
    ) -> None:
        self.applied = AppliedForces(compiled)
        self.joints = {one.name: one for one in compiled.lowered.joints if one.kind == "joint"}
        prescribes = compiled.system.rows.program >= 0
        self.driven = {
            one.name: one.rows
            for one in compiled.lowered.joints
            if one.kind == "driver" or (one.kind == "constraint" and prescribes[list(one.rows)].any())
        }
        self.names = names_of("actuators", tuple(self.driven) if actuators is None else actuators)
        if not self.names:
            raise UsageError(
                f"no actuators are named{', and the mechanism has no drivers' if actuators is None else ''}.",
                element=f"mechanism {compiled.lowered.name!r}",
                remedy="Name joints, JOINT.angle, springs or BODY.force.x as actuators.",
            )
        for name in self.names:
            self._need(compiled, name)
        twice = [name for k, name in enumerate(self.names) if name in self.names[:k]]
        if twice:
            raise UsageError(f"actuator {twice[0]!r} is named twice.")
        if not (weights is None or isinstance(weights, Mapping)):
            raise UsageError(f"weights must be a mapping from actuator to number, not {weights!r}.")
        counts = weights or {}
        self.weights = np.array([positive_number(f"the weight of {n!r}", counts.get(n, 1.0)) for n in self.names])
        for name in weights or {}:
            if name not in self.names:
                raise UsageError(f"weight for {name!r}, which is no actuator{did_you_mean(name, self.names)}")
        self.passive = np.ones(compiled.nc, dtype=bool)
        for rows in self.driven.values():
            self.passive[list(rows)] = False
        self.inputs = [one.name for one in compiled.lowered.inputs]
        self.units = tuple(self._unit(compiled, name) for name in self.names)

    def _need(self, compiled: CompiledMechanism, name: str) -> None:
        """Raise UsageError for an actuator that does not exist, naming what there is."""
        lowered = compiled.lowered
        known = [*self.driven, *(one.name for one in lowered.elements)]
        if name in known or self._coordinate(name) is not None:
            return
        if name in self.joints:
            raise no_coordinate("actuator", name, self.joints[name])
        forces = [f"{body}.{kind}.{axis}" for body in compiled.body_names for kind in KINDS for axis in AXES]
        taken = [f"{load.name}.{axis}" for load in lowered.loads for axis in AXES]
        taken += [one.name for one in lowered.inputs]
        if name in (*forces, *taken):
            return
        single = [joint for joint in self.joints if self._coordinate(joint)]
        told = [one for one in self.joints.values() if "." in name or one.name not in single]
        several = [f"{one.name}.{what}" for one in told for what in held(one)]
        near = [*known, *single, *several, *taken, *(forces if "." in name else ())]
        raise UsageError(
            f"actuator {name!r} does not exist{did_you_mean(name, near)}",
            element=f"mechanism {lowered.name!r}",
            remedy=None if near else "BODY.force.x and BODY.torque.x are always there.",
        )

    def _coordinate(self, name: str) -> tuple[LoweredJoint, Primitive] | None:
        """A joint and the row of the coordinate that an actuator acts along; None for other kinds of actuator."""
        owner, _, what = name.rpartition(".")
        if owner in self.joints:
            rows = held(self.joints[owner])
            if what not in rows:
                raise no_coordinate("actuator", name, self.joints[owner])
            return self.joints[owner], rows[what]
        if name in self.joints and len(self.joints[name].moves) == 1:
            rows = held(self.joints[name])
            what = "angle" if isinstance(self.joints[name].moves[0], Turn) else "displacement"
            return (self.joints[name], rows[what]) if what in rows else None
        return None

    def _unit(self, compiled: CompiledMechanism, name: str) -> str:
        if name in self.driven:
            kind = compiled.lowered.rows[self.driven[name][0]].kind
            return "N m" if kind in ("ANGLE", "DP1") else "N/m" if kind == "D" else "N"
        found = self._coordinate(name)
        if found is not None:
            return "N m" if found[1].kind == "ANGLE" else "N"
        if name in self.inputs:
            return ""  # its own
        for element in compiled.lowered.elements:
            if element.name == name:
                return law_of(element.law).force.unit
        return "N m" if ".torque." in name else "N"

    def _effect(self, e: Equations, name: str) -> Array:
        """(6 nb,) force on all bodies for a unit of an actuator's load."""
        if name in self.driven:
            found: Array = e.rows_alone[self.driven[name][0]]
            return found
        coordinate = self._coordinate(name)
        return coordinate_part(e.at.r, e.at.A, *coordinate) if coordinate is not None else input_force(e, name)

    def solve(self, one: Instant) -> Solved:
        """Loads and multipliers at one state."""
        at, t, udot = one.at, one.time, one.udot
        if one.angles is not None:
            self.applied.counted_angles[: len(one.angles)] = one.angles
        e = Equations(at, self.applied, t)
        need_possible(e, one, self.passive)
        S = np.array([self._effect(e, name) for name in self.names]).T
        G = e.rows_alone[self.passive]
        free = Freedoms(G, e.unit, e.tolerance)
        needed = e.mass_matrix() @ udot + e.gyroscopic - e.force
        wanted, effect = free.basis.T @ needed, free.basis.T @ S / self.weights
        U, s, Vt = np.linalg.svd(effect, full_matrices=False)
        largest = float(np.max(np.linalg.norm(S * e.unit[:, None], axis=0) / self.weights))
        keep = s > SINGULAR * largest
        scaled = Vt[keep].T @ ((U[:, keep].T @ wanted) / s[keep])
        left = wanted - effect @ scaled
        size = max(float(np.max(np.abs(needed * e.unit), initial=0.0)), 1e-300)
        if float(np.max(np.abs(left), initial=0.0)) > PRODUCED * size:
            raise self._refused(e, free, left, t)
        loads = scaled / self.weights
        self._need_linear(e, S, loads, PRODUCED * size)
        multipliers = np.zeros(at.nc)
        rest = S @ loads - needed
        if G.shape[0]:
            least = free.rank < G.shape[0]
            multipliers[self.passive] = (
                np.linalg.lstsq(G.T, rest, rcond=e.tolerance)[0] if least else free.multipliers(rest)
            )
        return Solved(loads, multipliers)

    def _need_linear(self, e: Equations, S: Array, loads: Array, most: float) -> None:
        """Raise UsageError where forces do not grow evenly with an input that is an actuator, by as much as it must."""
        chosen = [k for k, name in enumerate(self.names) if name in self.inputs]
        if not chosen:
            return
        found = e.applied.with_inputs({self.inputs.index(self.names[k]): float(loads[k]) for k in chosen})
        if float(np.max(np.abs((found - S[:, chosen] @ loads[chosen]) * e.unit), initial=0.0)) > most:
            told = ", ".join(f"'{self.names[k]}'" for k in chosen)
            raise UsageError(
                f"forces do not grow evenly with input {told}: what it must be does not follow from their slope.",
                element=f"mechanism {e.at.lowered.name!r}",
                remedy="Let formulas be linear in the inputs that are actuators.",
            )

    def _refused(self, e: Equations, free: Freedoms, left: Array, t: float) -> UnderactuatedError:
        nb = e.at.nb
        moves = (free.basis @ left).reshape(nb, 6)
        words = in_words(moves, e.at.A[:nb].reshape(nb, 3, 3), e.at.body_names, e.at.extent)
        names = ", ".join(f"'{name}'" for name in self.names)
        return UnderactuatedError(
            f"actuators {names} cannot produce the motion at t = {t:g} s: nothing drives the freedom in which {words}.",
            element=f"mechanism {e.at.lowered.name!r}",
            remedy=f"Name an actuator that moves it; there are {free.count} freedoms and {len(self.names)} actuators.",
        )
