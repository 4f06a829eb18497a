"""Inverse dynamics: what joints or actuators must exert for a motion that is known, trees and loops alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.accelerations import Accelerations
from linkwork.analysis.coordinate_rows import held
from linkwork.analysis.joint_space import inverse_dynamics as efforts
from linkwork.analysis.state import State
from linkwork.errors import UnderactuatedError, UsageError
from linkwork.kernels.angles import count_angles
from linkwork.kernels.couplings import PHI
from linkwork.kernels.force_laws.laws import law_of
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.freedoms import Freedoms
from linkwork.linearisation.loads import Loads
from linkwork.linearisation.motions import in_words
from linkwork.linearisation.signals import coordinate_part, input_force, no_coordinate
from linkwork.linearisation.start import compiled_of
from linkwork.mechanism import Mechanism
from linkwork.mechanism.elements import did_you_mean
from linkwork.mechanism.lowered import LoweredJoint
from linkwork.mechanism.motions import Turn
from linkwork.mechanism.primitives import Primitive
from linkwork.one_thread import one_blas_thread
from linkwork.result import Result
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import angles_at_start, placed
from linkwork.system.dense import drives

Array = NDArray[np.float64]
PRODUCED = 1e-6  # of the forces that the motion needs may be left
SINGULAR = 1e-9  # of the largest effect of an actuator


@one_blas_thread()
def inverse_dynamics(
    mech: Mechanism,
    motion: Any,
    state: State | None = None,
    *,
    root: str | None = None,
    actuators: Sequence[str] | None = None,
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
        JOINT.angle, JOINT.displacement_2 and so on as in `Result.joint`, springs of all kinds (their actuators: loads
        come on top of them), BODY.force.x, BODY.torque.x; all drivers if left out. Drivers exert nothing besides.
    weights : name -> what a unit of load counts, 1 if left out: with more actuators than freedoms the sum of squares of
        weighted loads is least.

    Raises UnderactuatedError, naming the motion that the actuators cannot produce; UsageError, MissingMassError.
    """
    moving = isinstance(motion, (Result, Accelerations)) or actuators is not None
    if not moving:
        return efforts(mech, motion, state, root=root)
    compiled, _ = compiled_of(mech, state, None)
    found = _Solver(compiled, actuators, weights)
    instants = list(_instants(compiled, motion, state))
    solved = [found.solve(at, t, udot, angles) for at, t, udot, angles in instants]
    nb = compiled.nb
    return Loads(
        names=found.names,
        units=found.units,
        time=np.array([t for _, t, _, _ in instants]),
        values=np.array([one.loads for one in solved]),
        multipliers=np.array([one.multipliers for one in solved]),
        motion={
            "position": np.array([at.r[:nb] for at, *_ in instants]),
            "rotation": np.array([at.A[:nb].reshape(nb, 3, 3) for at, *_ in instants]),
            "velocity": np.array([at.v[:nb] for at, *_ in instants]),
            "angular_velocity": np.array([at.w[:nb] for at, *_ in instants]),
        },
        _compiled=compiled,
    )


def _instants(compiled: CompiledMechanism, motion: Any, state: State | None) -> Any:
    """Mechanism at a state, time, accelerations (6 nb,) and counted angles (or None), one after the other."""
    nb = compiled.nb
    if isinstance(motion, Accelerations):
        there = motion.state
        yield (
            there.within(compiled),
            there.time,
            np.hstack([motion.rddot, motion.omegadot]).ravel(),
            there.counted_angles,
        )
        return
    if not isinstance(motion, Result):
        udot = np.array(motion, dtype=float)
        if udot.shape != (nb, 6) or not np.all(np.isfinite(udot)):
            raise UsageError(f"a motion of {nb} bodies has ({nb}, 6) finite accelerations, not {udot.shape}.")
        time = state.time if state is not None else 0.0
        yield compiled, time, udot.ravel(), state.counted_angles if state is not None else None
        return
    wanted = ("position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration")
    missing = [name for name in wanted if name not in motion]
    if missing:
        raise UsageError(
            f"the result has no {missing[0]}.", remedy="Record it: inverse dynamics needs the whole motion."
        )
    r, A, v, w, a, alpha = (motion[name] for name in wanted)
    if r.shape[1] != nb:
        raise UsageError(f"the result has {r.shape[1]} bodies, the mechanism {nb}.")
    ground = compiled.at(compiled.r.copy(), compiled.A.copy(), compiled.v.copy(), compiled.w.copy())
    before = angles_at_start(compiled).copy()
    for k, t in enumerate(motion.time):
        columns = [x.copy() for x in (ground.r, ground.A, ground.v, ground.w)]
        for column, x in zip(columns, (r[k], A[k].reshape(nb, 9), v[k], w[k]), strict=True):
            column[:nb] = x
        at, udot = compiled.at(*columns), np.hstack([a[k], alpha[k]]).ravel()
        if not len(compiled.couplings.about):
            yield at, float(t), udot, None
            continue
        at = replace(at, counted_angles=before.copy())
        need_angles(at, float(t))
        yield at, float(t), udot, at.counted_angles
        count_angles(at.system, at.A, before, before)


def need_angles(at: CompiledMechanism, t: float) -> None:
    """Raise UsageError where a coupling's angle has turned so far since the sample before that its turns are in doubt,
    and its law with them."""
    phi = placed(at, at.r, at.A, drives(at, t)).row[:, PHI]
    if not np.all(np.isfinite(phi)):
        name = at.lowered.couplings[int(np.argmin(np.isfinite(phi)))].name
        raise UsageError(
            f"an angle of coupling {name!r} is in doubt at t = {t:g} s: more than 135 degrees from the sample before.",
            element=f"mechanism {at.lowered.name!r}",
            remedy="Record the motion at more times.",
        )


class Solved(NamedTuple):
    """One instant."""

    loads: Array
    multipliers: Array


class _Solver:
    """Loads of some actuators, instant by instant."""

    def __init__(
        self, compiled: CompiledMechanism, actuators: Sequence[str] | None, weights: Mapping[str, float] | None
    ) -> None:
        self.applied = AppliedForces(compiled)
        self.joints = {one.name: one for one in compiled.lowered.joints if one.kind == "joint"}
        prescribes = compiled.system.rows.program >= 0
        self.driven = {
            one.name: one.rows
            for one in compiled.lowered.joints
            if one.kind == "driver" or (one.kind == "constraint" and prescribes[list(one.rows)].any())
        }
        self.names = tuple(actuators if actuators is not None else self.driven)
        if not self.names:
            raise UsageError(
                "no actuators are named, and the mechanism has no drivers.",
                element=f"mechanism {compiled.lowered.name!r}",
                remedy="Name joints, JOINT.angle, springs or BODY.force.x as actuators.",
            )
        lowered = compiled.lowered
        known = [*self.driven, *(one.name for one in lowered.elements)]
        for name in self.names:
            if name not in known and self._coordinate(name) is None and "." not in name:
                near = [*known, *(joint for joint in self.joints if self._coordinate(joint))]
                raise UsageError(
                    f"actuator {name!r} does not exist{did_you_mean(name, near)}",
                    element=f"mechanism {compiled.lowered.name!r}",
                )
        twice = [name for k, name in enumerate(self.names) if name in self.names[:k]]
        if twice:
            raise UsageError(f"actuator {twice[0]!r} is named twice.")
        self.weights = np.array([_weight(name, (weights or {}).get(name, 1.0)) for name in self.names])
        for name in weights or {}:
            if name not in self.names:
                raise UsageError(f"weight for {name!r}, which is no actuator{did_you_mean(name, self.names)}")
        self.passive = np.ones(compiled.nc, dtype=bool)
        for rows in self.driven.values():
            self.passive[list(rows)] = False
        self.units = tuple(self._unit(compiled, name) for name in self.names)

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
        return coordinate_part(e, *coordinate) if coordinate is not None else input_force(e, name)

    def solve(self, at: CompiledMechanism, t: float, udot: Array, angles: Array | None) -> Solved:
        """Loads and multipliers at one state."""
        if angles is not None:
            self.applied.counted_angles[: len(angles)] = angles
        e = Equations(at, self.applied, t)
        S = np.array([self._effect(e, name) for name in self.names]).T
        G = e.rows_alone[self.passive]
        free = Freedoms(G, e.unit)
        needed = e.mass_matrix() @ udot + e.gyroscopic - e.force
        wanted, effect = free.basis.T @ needed, free.basis.T @ S / self.weights
        U, s, Vt = np.linalg.svd(effect, full_matrices=False)
        keep = s > SINGULAR * max(float(s[0]) if len(s) else 0.0, 1e-300)
        scaled = Vt[keep].T @ ((U[:, keep].T @ wanted) / s[keep])
        left = wanted - effect @ scaled
        size = max(float(np.max(np.abs(needed * e.unit), initial=0.0)), 1e-300)
        if float(np.max(np.abs(left), initial=0.0)) > PRODUCED * size:
            raise self._refused(e, free, left, t)
        loads = scaled / self.weights
        multipliers = np.zeros(at.nc)
        rest = S @ loads - needed
        if G.shape[0]:
            least = free.rank < G.shape[0]
            multipliers[self.passive] = np.linalg.lstsq(G.T, rest, rcond=1e-10)[0] if least else free.multipliers(rest)
        return Solved(loads, multipliers)

    def _refused(self, e: Equations, free: Freedoms, left: Array, t: float) -> UnderactuatedError:
        nb = e.at.nb
        moves = (free.basis @ left).reshape(nb, 6)
        words = in_words(moves, e.at.A[:nb].reshape(nb, 3, 3), e.at.body_names, e.at.length)
        names = ", ".join(f"'{name}'" for name in self.names)
        return UnderactuatedError(
            f"actuators {names} cannot produce the motion at t = {t:g} s: nothing drives the freedom in which {words}.",
            element=f"mechanism {e.at.lowered.name!r}",
            remedy=f"Name an actuator that moves it; there are {free.count} freedoms and {len(self.names)} actuators.",
        )


def _weight(name: str, value: float) -> float:
    if not (np.isfinite(value) and value > 0.0):
        raise UsageError(f"the weight of {name!r} must be a positive number, not {value!r}.")
    return float(value)
