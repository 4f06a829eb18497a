"""Accelerations, multipliers and reactions at one state, through the equations of a chosen formulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State, state_of
from linkwork.equations.derived import MechanismDeriver
from linkwork.errors import AssemblyError
from linkwork.formulations.contract import Formulation
from linkwork.integrators.contract import Integrator, Run
from linkwork.kernels.compiling import purpose
from linkwork.mechanism import Mechanism
from linkwork.result import Reaction
from linkwork.run.matching import pair_at_rest
from linkwork.run.recording import COLUMNS
from linkwork.run.starting import new_run, prepare, started
from linkwork.run.uniqueness import unclear
from linkwork.shown import Shown, counted
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.assembly import position_rows, row_rates, worst_rows
from linkwork.system.dense import Pose, Rates, drives, row_parts, velocity_rhs
from linkwork.system.rank import tolerance_at

Array = NDArray[np.float64]
ROUNDING = 1e-13  # of the typical length: an assembled pose misses the rows by less
FAR_FROM_ASSEMBLED = 1e-3  # of the typical length: beyond this, accelerations would mean nothing


@dataclass(frozen=True, repr=False)
class Accelerations(Shown):
    """How a mechanism's bodies are accelerated, and what its joints transmit, at one state.

    rddot : (nb, 3) m/s^2, of the centres of mass, global.
    omegadot : (nb, 3) rad/s^2, body components.
    multipliers : (nc,) lambda in M udot + G^T lambda = forces; the least ones where rows are redundant.
    constraint_forces : (nb, 6) G^T lambda per body: force global [N], torque in the body [N m]; the constraints act on
        the bodies with minus this. Unique even where the multipliers are not.
    reactions : by name of joint, driver or raw constraint, what it exerts on its SECOND body at its point there, in
        global components: force (3,) N, torque (3,) N m about that point. As in `Result.reaction`.
    state : at which all this holds.
    position_violation, velocity_violation : how well that state fits the constraints.
    redundant : names of rows that others imply.
    not_unique : names of the joints, drivers and raw constraints whose reactions are not determined for that reason.
    """

    bodies: tuple[str, ...]
    rows: tuple[str, ...]
    rddot: Array
    omegadot: Array
    multipliers: Array
    constraint_forces: Array
    reactions: Mapping[str, Reaction]
    state: State
    position_violation: float
    velocity_violation: float
    redundant: tuple[str, ...]
    not_unique: tuple[str, ...]

    def told(self) -> str:
        """Of how many bodies, and when."""
        return f"of {counted(len(self.bodies), 'body')}, {counted(len(self.rows), 'row')} at t = {self.state.time:g} s"

    def acceleration(self, body: str) -> Array:
        """(3,) m/s^2, of the centre of mass, global."""
        found: Array = self.rddot[self.bodies.index(body)]
        return found

    def angular_acceleration(self, body: str) -> Array:
        """(3,) rad/s^2, in body components."""
        found: Array = self.omegadot[self.bodies.index(body)]
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "time": self.state.time,
            "acceleration": {b: self.rddot[k].tolist() for k, b in enumerate(self.bodies)},
            "angular_acceleration": {b: self.omegadot[k].tolist() for k, b in enumerate(self.bodies)},
            "multipliers": dict(zip(self.rows, self.multipliers.tolist(), strict=True)),
            "reactions": {
                name: {"force": one.force.tolist(), "torque": one.torque.tolist()}
                for name, one in self.reactions.items()
            },
            "position_violation": self.position_violation,
            "velocity_violation": self.velocity_violation,
            "redundant": list(self.redundant),
            "not_unique": list(self.not_unique),
        }


def accelerations(
    mech: Mechanism,
    state: State | None = None,
    formulation: str | Formulation = "rA",
    *,
    options: Mapping[str, Any] | None = None,
    integrator: str | Integrator[Any] | None = None,
    accept_drivers: bool = False,
    accept_changes: bool = False,
) -> Accelerations:
    """Accelerations, multipliers and reactions from a formulation's own acceleration-level equations.

    Parameters
    ----------
    mech : the mechanism; every body needs mass and inertia.
    state : an assembled state, such as ``State.of(result, k)``; the assembled start state if left out.
    formulation : a name of `linkwork.formulations.FORMULATIONS`, or an object such as ``lw.NullSpace(basis="graph")``.
    options : of the formulation, by name, such as ``{"basis": "graph"}``.
    integrator : whose shape of the equations is taken, of a formulation that has several; its usual one's if left out.
    accept_drivers : at the start state, let a driver that disagrees with it win.
    accept_changes : at the start state, let assembly change stated values that the joints do not allow.

    Raises ModelError and its kin, UsageError, AssemblyError for a state that is far from fitting the constraints
    (`linkwork.assemble` makes one fit), SingularPositionError where the accelerations are not determined.
    """
    chosen, method = pair_at_rest(formulation, integrator, options or {})
    if state is None:
        compiled = prepare(mech, dynamics=True, accept_drivers=accept_drivers, accept_changes=accept_changes).compiled
        state = state_of(compiled)
    else:
        compiled = state.within(compile_mechanism(mech.lower()))
    compiled.need_masses()
    violations = _violations(compiled, state)
    new = partial(new_run, chosen, method, step=1.0, t_end=1.0)
    adrift = violations[0] > ROUNDING * max(1.0, compiled.length)
    with purpose(f"accelerations in {chosen.name}"):
        run = started(
            compiled,
            new,
            time=state.time,
            counted_angles=state.counted_angles,
            refusal=chosen.refusal,
            placed=partial(_judge_rows, state.time) if adrift else None,
            adrift=adrift,
        )
    sample, shared = run.sample(), unclear(run.problem, state.time)
    motion, lam = sample["motion"][0], sample["multiplier"][0]
    return Accelerations(
        bodies=tuple(compiled.body_names),
        rows=tuple(compiled.row_names),
        rddot=motion[:, slice(*COLUMNS["acceleration"])].copy(),
        omegadot=motion[:, slice(*COLUMNS["angular_acceleration"])].copy(),
        multipliers=lam,
        constraint_forces=_constraint_forces(compiled, state.time, lam),
        reactions=_reactions(compiled, state, lam),
        state=state,
        position_violation=violations[0],
        velocity_violation=violations[1],
        redundant=shared.rows,
        not_unique=shared.joints,
    )


def _judge_rows(time: float, run: Run[Any]) -> None:
    """Let a run count rows as dependent that would be so if the pose met them."""
    compiled = run.problem.mechanism.bare
    phi = row_parts(compiled, Pose(compiled.r, compiled.A), drives(compiled, time)).phi
    shares = run.problem.dependence.length
    shares[1:3] = np.maximum(shares[1:3], tolerance_at(compiled, phi))


def _violations(compiled: CompiledMechanism, state: State) -> tuple[float, float]:
    """Largest violation of positions and velocities. Raises AssemblyError where positions do not fit at all."""
    pose, drive = Pose(compiled.r, compiled.A), drives(compiled, state.time)
    parts = row_parts(compiled, pose, drive)
    held = position_rows(compiled)
    position = float(np.max(np.abs(parts.phi[held]), initial=0.0))
    if not position <= FAR_FROM_ASSEMBLED * max(1.0, compiled.length):
        k = worst_rows(compiled, parts.phi, held)[0]
        raise AssemblyError(
            f"the state does not fit the constraints at t = {state.time:g} s: row '{compiled.row_names[k]}' is off by "
            f"{parts.phi[k]:+.3g}.",
            element=f"mechanism {compiled.lowered.name!r}",
            remedy="Take a state of a result, or assemble the mechanism there first.",
        )
    rest = row_rates(compiled, parts, Rates(compiled.v, compiled.w)) - velocity_rhs(compiled, pose, drive)
    return position, float(np.max(np.abs(rest), initial=0.0))


def _constraint_forces(compiled: CompiledMechanism, t: float, lam: Array) -> Array:
    """G^T lambda (nb, 6)."""
    parts = row_parts(compiled, Pose(compiled.r, compiled.A), drives(compiled, t))
    total: Array = parts.transposed_times(compiled.system.rows, lam, compiled.nb)
    return total


def _reactions(compiled: CompiledMechanism, state: State, lam: Array) -> dict[str, Reaction]:
    """By the same code as a result's reactions."""
    derived = MechanismDeriver(compiled).derive(
        ("reaction_force", "reaction_torque"),
        np.array([state.time]),
        state.position[None],
        state.rotation[None],
        state.velocity[None],
        state.angular_velocity[None],
        None,
        None,
        lam[None],
    )
    force, torque = derived["reaction_force"][0], derived["reaction_torque"][0]
    return {name: Reaction(force[k], torque[k]) for k, name in enumerate(compiled.joint_names)}
