"""Inverse dynamics by the recursive Newton-Euler algorithm, and the mass matrix by composite rigid bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.joint_space.rotors import in_tree, rows_elsewhere, spin_rates
from linkwork.analysis.joint_space.state import given, measured
from linkwork.analysis.joint_space.tree import (
    Placed,
    at_state,
    cross,
    cross_motion,
    down,
    frames_and_twists,
    inertia_of,
    tree_of,
    up,
)
from linkwork.analysis.state import State
from linkwork.errors import UnsupportedElementError, UsageError
from linkwork.kernels.angles import count_angles
from linkwork.kernels.efforts import apply_efforts
from linkwork.kernels.forces import LoadValues, applied_forces
from linkwork.kernels.formula import evaluate_program
from linkwork.kernels.spatial.inertias import rigid_bias
from linkwork.mechanism import Mechanism
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import refuse_couplings
from linkwork.system.links.coordinates import screw_column

Array = NDArray[np.float64]


def mass_matrix(mech: Mechanism, state: State | None = None, *, root: str | None = None) -> Array:
    """(dofs, dofs) M with kinetic energy T = 1/2 v^T M v, v the rates that `joint_coordinates` names.

    state : the start state if left out. root : body that the spanning tree starts with. Loops are open. Composite
    rigid bodies, from the tips to the base. Raises MissingMassError.
    """
    compiled, tree = tree_of(mech, root)
    compiled.need_masses()
    at, time = at_state(compiled, state)
    placed = frames_and_twists(at, tree, measured(at, tree), time)
    n = len(placed.frames)
    composite = [inertia_of(tree.links.rigid[k]) for k in range(n)]
    M = np.zeros((tree.dofs, tree.dofs))
    for k in range(n - 1, -1, -1):
        F = composite[k] @ placed.columns[k]
        M[placed.slots(k), placed.slots(k)] = placed.columns[k].T @ F
        m = k
        while placed.parent(m) >= 0:
            F = up(placed.steps[m], F)
            m = placed.parent(m)
            block = placed.columns[m].T @ F
            M[placed.slots(m), placed.slots(k)] = block
            M[placed.slots(k), placed.slots(m)] = block.T
        p = placed.parent(k)
        if p >= 0:
            composite[p] += up(placed.steps[k], up(placed.steps[k], composite[k]).T).T
    M = 0.5 * (M + M.T)  # blocks of several freedoms are symmetric but for rounding
    _, inertia, rows = rows_elsewhere(
        compiled, tree, at, lambda wrenches: _efforts(placed, _wrenches(placed, wrenches))
    )
    M += rows.T @ (inertia[:, None] * rows)
    M *= np.outer(tree.sense, tree.sense)
    M[np.diag_indices(tree.dofs)] += in_tree(compiled, tree)
    return M


def inverse_dynamics(
    mech: Mechanism, second_rates: Any, state: State | None = None, *, root: str | None = None
) -> Array:
    """(dofs,) efforts tau [N m or N] that the joints must exert for these accelerations, against weight and all forces.

    M(q) qddot + what velocities ask for = tau + applied forces: weight, springs, dampers, loads and actuators of the
    mechanism at the state's time are taken into account, drivers move as prescribed.

    second_rates : (dofs,), or name -> rad/s^2 or m/s^2 (others zero), as `joint_coordinates` names them; of a ball
    joint, the angular acceleration relative to the parent as its rates' derivative. state : the start state if left
    out. root : body that the spanning tree starts with.
    Raises UnsupportedElementError for mechanisms with loops, where efforts are not unique; MissingMassError,
    UsageError.
    """
    compiled, tree = tree_of(mech, root)
    compiled.need_masses()
    if len(tree.links.closing):
        row = compiled.row_names[int(tree.links.closing[0])]
        raise UnsupportedElementError(
            f"inverse dynamics is for trees; row {row!r} closes a loop.",
            element=f"mechanism {compiled.lowered.name!r}",
            remedy="Prescribe the motion with drivers and read their reactions, or open the loop.",
        )
    if compiled.rigid:
        refuse_couplings(
            compiled,
            "efforts of joints that are tied to each other are not unique: joint accelerations in inverse dynamics",
            "Give it a motion of bodies (of `kinematics`, or of a run) and name actuators.",
        )
    at, time = at_state(compiled, state)
    if second_rates is None:
        raise UsageError("accelerations of the joints are wanted, not None.", remedy="Give {} for none at all.")
    second = given(tree, "second rates", second_rates, np.zeros(tree.dofs)) * tree.sense
    placed = frames_and_twists(at, tree, measured(at, tree), time)
    twist_rates = _twist_rates(placed, second)
    tau = _newton_euler(placed, twist_rates, _applied(at, state, time)) + in_tree(compiled, tree) * second
    which, inertia, rows = rows_elsewhere(
        compiled, tree, at, lambda wrenches: _efforts(placed, _wrenches(placed, wrenches))
    )
    if which:
        tau += rows.T @ (inertia * spin_rates(compiled, which, at, _accelerations(placed, twist_rates)))
    return tau * tree.sense


def _twist_rates(placed: Placed, second: Array) -> Array:
    """(n + 1, 6) rates of the links' twists, in their frames."""
    a = np.zeros((len(placed.frames) + 1, 6))
    for k in range(len(placed.frames)):
        moving = placed.columns[k] @ second[placed.slots(k)]
        joint = placed.twist[k] - down(placed.steps[k], placed.twist[placed.parent(k)])
        moving = moving + cross_motion(placed.twist[k], joint) + screw_column(placed.tree, k) * placed.rates[k, 1]
        a[k] = down(placed.steps[k], a[placed.parent(k)]) + moving
    return a


def _newton_euler(placed: Placed, a: Array, applied: Array) -> Array:
    """(dofs,) efforts that twists' rates a ask for; `applied` (nb, 6) force global and torque in the body."""
    F = -_wrenches(placed, applied)
    for k in range(len(placed.frames)):
        rigid = placed.tree.links.rigid
        F[k] += inertia_of(rigid[k]) @ a[k] + rigid_bias(rigid, k, 0, tuple(placed.twist[k].tolist()))
    return _efforts(placed, F)


def _wrenches(placed: Placed, applied: Array) -> Array:
    """(n + 1, 6) what acts on bodies (nb, 6; force global, torque in the body), in the links' frames."""
    links, n = placed.tree.links, len(placed.frames)
    F = np.zeros((n + 1, 6))
    for k in range(n):
        b = placed.body(k)
        if b >= 0:
            R_b, p_b = links.body_frame[k, :9].reshape(3, 3), links.body_frame[k, 9:]
            f = placed.frames[k][0].T @ applied[b, :3]
            F[k] = np.concatenate([R_b @ applied[b, 3:] + cross(p_b, f), f])
    return F


def _efforts(placed: Placed, F: Array) -> Array:
    """(dofs,) what wrenches on the links (n + 1, 6) do per unit of each coordinate; they are summed up in place."""
    tau = np.zeros(placed.tree.dofs)
    for k in range(len(placed.frames) - 1, -1, -1):
        tau[placed.slots(k)] = placed.columns[k].T @ F[k]
        if placed.parent(k) >= 0:
            F[placed.parent(k)] += up(placed.steps[k], F[k])
    return tau


def _accelerations(placed: Placed, a: Array) -> Array:
    """(nb, 6) of bodies: of centres of mass, global, and angular ones in the body, from twists' rates."""
    links = placed.tree.links
    found = np.zeros((len(links.link_of_body) - 1, 6))
    for k in range(len(placed.frames)):
        b = placed.body(k)
        if b >= 0:
            R_b, p_b = links.body_frame[k, :9].reshape(3, 3), links.body_frame[k, 9:]
            w, v, alpha = placed.twist[k, :3], placed.twist[k, 3:], a[k, :3]
            here = a[k, 3:] + cross(w, v) + cross(alpha, p_b) + cross(w, cross(w, p_b))
            found[b] = np.concatenate([placed.frames[k][0] @ here, R_b.T @ alpha])
    return found


def _applied(compiled: CompiledMechanism, state: State | None, time: float) -> Array:
    """(nb, 6) force (global) and torque (body) on every body: weight, loads, springs."""
    system = compiled.system
    stack = np.zeros((max(1, int(system.programs.depth[0])), 3))

    def value(program: int) -> float:
        return float(evaluate_program(system.programs, program, time, stack)[0]) if program >= 0 else 0.0

    def now(element: Any) -> Array:
        found = [c + value(p) for c, p in zip(element.constant.ravel(), element.program.ravel(), strict=True)]
        return np.array(found, dtype=float).reshape(element.constant.shape)

    values = LoadValues(now(system.loads), now(system.elements), np.zeros(compiled.angles))
    if state is not None and state.counted_angles is not None:
        values.theta_previous[:] = state.counted_angles
    else:
        count_angles(system, compiled.A, values.theta_previous, values.theta_previous)
    force, torque = np.zeros((compiled.nb + 1, 3)), np.zeros((compiled.nb + 1, 3))
    applied_forces(system, compiled.r, compiled.A, compiled.v, compiled.w, values, force, torque)
    apply_efforts(
        system, compiled.r, compiled.A, compiled.v, compiled.w, time, values.theta_previous, compiled.operands(), stack,
        force, torque,
    )  # fmt: skip
    return np.hstack([force, torque])[:-1]
