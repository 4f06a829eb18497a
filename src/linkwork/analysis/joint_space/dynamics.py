"""Inverse dynamics by the recursive Newton-Euler algorithm, and the mass matrix by composite rigid bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.joint_space.state import given, measured
from linkwork.analysis.joint_space.tree import (
    Placed,
    cross,
    cross_force,
    cross_motion,
    down,
    frames_and_twists,
    inertia_of,
    tree_of,
    up,
)
from linkwork.analysis.state import State
from linkwork.errors import UnsupportedElementError
from linkwork.kernels.angles import count_angles
from linkwork.kernels.efforts import apply_efforts
from linkwork.kernels.forces import LoadValues, applied_forces
from linkwork.kernels.formula import evaluate_program
from linkwork.mechanism import Mechanism
from linkwork.mechanism.couplings.rotor import Rotor
from linkwork.mechanism.joint_coordinates import ROTATION
from linkwork.mechanism.joints.base import Joint
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import refuse_couplings
from linkwork.system.links import LinkTree
from linkwork.system.links.coordinates import screw_column

Array = NDArray[np.float64]


def mass_matrix(mech: Mechanism, state: State | None = None, *, root: str | None = None) -> Array:
    """(dofs, dofs) M with kinetic energy T = 1/2 v^T M v, v the rates that `joint_coordinates` names.

    state : the start state if left out. root : body that the spanning tree starts with. Loops are open. Composite
    rigid bodies, from the tips to the base. Raises MissingMassError.
    """
    compiled, tree = tree_of(mech, root)
    compiled.need_masses()
    at = state.within(compiled) if state is not None else compiled
    placed = frames_and_twists(at, tree, measured(at, tree), state.time if state else 0.0)
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
    M *= np.outer(tree.sense, tree.sense)
    M[np.diag_indices(tree.dofs)] += reflected(mech, tree)
    return M


def reflected(mech: Mechanism, tree: LinkTree) -> Array:
    """(dofs,) inertia that rotors add to each coordinate. Raises UnsupportedElementError for one on a cut joint."""
    found, joints = np.zeros(tree.dofs), {joint.name: joint for joint in mech.joints}
    for one in mech.couplings:
        if isinstance(one, Rotor):
            for joint, coordinate in one.which(joints):
                names = places(tree, joints[joint], coordinate)
                if not set(names) <= set(tree.coordinates):
                    raise UnsupportedElementError(
                        f"rotor {one.name!r} is on {joint}.{coordinate}, which is no coordinate of the tree.",
                        element=f"mechanism {mech.name!r}",
                        remedy="Choose another root, or simulate.",
                    )
                found[[tree.coordinates.index(name) for name in names]] += one.inertia * one.ratio**2
    return found


def places(tree: LinkTree, joint: Joint, coordinate: str) -> list[str]:
    """A joint's coordinate as the tree names it: of a ball all three turns."""
    if coordinate != ROTATION:
        return [f"{joint.name}.{coordinate}"]
    return [f"{joint.name}.turn_{c}" for c in "xyz"]


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
    at = state.within(compiled) if state is not None else compiled
    time = state.time if state else 0.0
    second = given(tree, "second rates", second_rates, np.zeros(tree.dofs)) * tree.sense
    placed = frames_and_twists(at, tree, measured(at, tree), time)
    found = _newton_euler(placed, second, _applied(at, state, time))
    return found * tree.sense + reflected(mech, tree) * second * tree.sense


def _newton_euler(placed: Placed, second: Array, applied: Array) -> Array:
    """Twists' rates down, wrenches up; `applied` (nb, 6) force global and torque in the body."""
    links, n = placed.tree.links, len(placed.frames)
    a, F = np.zeros((n + 1, 6)), np.zeros((n + 1, 6))
    for k in range(n):
        moving = placed.columns[k] @ second[placed.slots(k)]
        joint = placed.twist[k] - down(placed.steps[k], placed.twist[placed.parent(k)])
        moving = moving + cross_motion(placed.twist[k], joint) + screw_column(placed.tree, k) * placed.rates[k, 1]
        a[k] = down(placed.steps[k], a[placed.parent(k)]) + moving
        I, V = inertia_of(links.rigid[k]), placed.twist[k]
        F[k] = I @ a[k] + cross_force(V, I @ V)
        b = placed.body(k)
        if b >= 0:
            R_b, p_b = links.body_frame[k, :9].reshape(3, 3), links.body_frame[k, 9:]
            f = placed.frames[k][0].T @ applied[b, :3]
            F[k] -= np.concatenate([R_b @ applied[b, 3:] + cross(p_b, f), f])
    tau = np.zeros(placed.tree.dofs)
    for k in range(n - 1, -1, -1):
        tau[placed.slots(k)] = placed.columns[k].T @ F[k]
        if placed.parent(k) >= 0:
            F[placed.parent(k)] += up(placed.steps[k], F[k])
    return tau


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
