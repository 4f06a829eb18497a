"""Rest found by damped Newton steps on balance and constraints together, in the freedoms that the rows leave."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.angles import count_angles
from linkwork.kernels.so3 import log_so3
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations, diagonal, tilde
from linkwork.linearisation.restoring import SINGULAR, least
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import angles_at_start
from linkwork.system.dense import Pose

Array = NDArray[np.float64]
ITERATIONS, DOWNHILL, DEFLATED = 80, 400, 40
LARGEST = 0.3  # rad, and typical lengths, in one step
BALANCED = 1e-12  # of the forces that act
FOR_A_BODY = 1e-7  # of a body's weight and of what it carries: what is more may not be out of balance on it
HOPELESS = 6  # steps along which nothing changes


@dataclass
class Rest:
    """Where the search came to.

    equations : at the last pose, at rest. residual : what is out of balance along the freedoms, as a share of the
    forces that act. left (6 nb,) : forces that neither rows nor others balance. stiffness : reduced, (velocity
    freedoms, displacement freedoms). found : whether it is an equilibrium. load (6 nb,) : applied forces less those of
    inertia. whole_stiffness (6 nb, 6 nb) : of all bodies. left_share : what a body is out of balance by at most, as a
    share of its weight and of what it carries.
    """

    equations: Equations
    residual: float
    left: Array
    multipliers: Array
    stiffness: Array
    iterations: int
    found: bool
    load: Array
    whole_stiffness: Array
    left_share: float = np.inf


def search(
    start: CompiledMechanism,
    applied: AppliedForces,
    t: float,
    *,
    downhill: bool = False,
    turning: Array | None = None,
    known: tuple[CompiledMechanism, ...] = (),
) -> Rest:
    """The equilibrium to which damped Newton steps of least size lead from the start pose; `Rest.found` tells.

    downhill : steps are taken the way that forces push, so that one is found in which the mechanism stays. They are
    tried, too, where Newton's steps lead nowhere. turning (3,) : rad/s, everything turns with it. known : poses that
    are not to be found again; steps are deflated, so that they lead elsewhere [Brown and Gearhart 1971].
    """
    at = turned(start, turning)
    angles = applied.counted_angles.copy()
    for way in (True,) if downhill else (False,) if known else (False, True):
        applied.counted_angles[:] = angles
        found = _walk(at, applied, t, way, turning, known)
        if found.found:
            break
    return found


def turned(at: CompiledMechanism, turning: Array | None) -> CompiledMechanism:
    """At rest, or with the velocities of everything turning about the global origin."""
    v, w = np.zeros_like(at.v), np.zeros_like(at.w)
    if turning is not None:
        v[:-1] = np.cross(turning, at.r[:-1])
        w[:-1] = at.A[:-1].reshape(-1, 3, 3).transpose(0, 2, 1) @ turning
    return at.at(at.r, at.A, v, w)


def _walk(
    at: CompiledMechanism,
    applied: AppliedForces,
    t: float,
    downhill: bool,
    turning: Array | None,
    known: tuple[CompiledMechanism, ...],
) -> Rest:
    """Step after step, until nothing is out of balance and the next step does not better it."""
    reference, radius, idle = _weight(at), LARGEST, 0
    best: Rest | None = None
    step = np.zeros(6 * at.nb)
    for iteration in range(DOWNHILL if downhill else DEFLATED if known else ITERATIONS):
        now = balance(Equations(at, applied, t), iteration, turning)
        e = now.equations
        reference = max(reference, _size(e.force, e), _size(now.left, e))
        now.residual = _size(now.left, e) / reference if reference > 0.0 else 0.0
        off = _off(now)
        now.left_share = float(np.max(_shares_left(now), initial=0.0))
        now.found = now.residual <= BALANCED and off <= BALANCED and now.left_share <= FOR_A_BODY
        if best is not None and best.found:
            nearer = now.residual < 0.5 * best.residual or (
                best.left_share > BALANCED and now.left_share < 0.5 * best.left_share
            )
            if not (now.found and nearer):
                return best
        if now.found and now.residual == 0.0:
            return now
        idle = idle + 1 if best is not None and abs(now.residual - best.residual) <= 1e-9 * best.residual else 0
        if idle > HOPELESS:
            return now
        better = best is None or bool(known) or now.found or now.residual + off < best.residual + _off(best)
        if downhill:
            better = better or float(now.left @ step) > 0.0  # forces still push on
        radius = min(LARGEST, 2.0 * radius) if better else 0.5 * radius
        best = now if better or downhill or best is None else best
        step = _step(best, radius, downhill=downhill)
        step *= deflation(best.equations, step, known)
        at = turned(_moved(best.equations.at, step), turning)
    assert best is not None
    return best


def drowned(rest: Rest) -> NDArray[np.int64]:
    """(n,) numbers of bodies that are out of balance by what matters to them, however little it is to others."""
    return np.asarray(np.flatnonzero(_shares_left(rest) > FOR_A_BODY), dtype=np.int64)


def _shares_left(rest: Rest) -> Array:
    """(nb,) what bodies that weigh are out of balance by, as shares of their weight and of what they carry."""
    e, nb = rest.equations, rest.equations.at.nb
    g = float(np.linalg.norm(e.at.system.gravity))
    weight = e.at.system.bodies.mass[:nb] * g * e.at.extent
    carried = np.abs(e.G.T) @ np.abs(rest.multipliers) * e.unit
    size = weight + np.max(np.abs(rest.load * e.unit).reshape(nb, 6), axis=1) + carried.reshape(nb, 6).max(axis=1)
    left = np.max(np.abs(rest.left * e.unit).reshape(nb, 6), axis=1)
    return np.where(weight > 0.0, left / np.where(size > 0.0, size, 1.0), 0.0)


def _off(rest: Rest) -> float:
    return float(np.max(np.abs(rest.equations.phi) / rest.equations.row_units, initial=0.0))


def balance(e: Equations, iteration: int = 0, turning: Array | None = None) -> Rest:
    """Balance at one pose, at rest or while everything turns."""
    free, load, more = e.velocities, e.force, np.zeros((e.size, e.size))
    if turning is not None:
        nb, across = e.at.nb, tilde(turning[None])
        pull = np.zeros((nb, 6))
        pull[:, :3] = np.cross(turning, e.at.v[:nb])
        along, inertia = np.zeros((2, nb, 6, 6))
        along[:, :3, :3], along[:, 3:, 3:] = across, tilde(e.at.w[:nb])
        inertia[:, :3, :3] = across @ across
        load = load - np.einsum("bij,bj->bi", e.inertia, pull).ravel() - e.gyroscopic
        more = diagonal(e.inertia @ inertia) + e.damping() @ diagonal(along)
    lam = free.multipliers(load)
    K = e.stiffness(lam) + more
    left = load - e.G.T @ lam
    return Rest(e, np.inf, left, lam, free.basis.T @ K @ e.displacements.basis, iteration, False, load, K)


def deflation(e: Equations, step: Array, known: tuple[CompiledMechanism, ...]) -> float:
    """What a Newton step is multiplied by where (1 + 1/d^2), d the distance from each known pose, deflates it."""
    total = 0.0
    for pose in known:
        away = apart(e.at, pose)
        square = float(np.sum((away / e.unit) ** 2))
        if square > 0.0:  # of log(1 + 1/d^2) along the step
            total -= 2.0 * float(np.sum(away * step / e.unit**2)) / (square * (1.0 + square))
    return float(np.clip(1.0 / (1.0 - total), -10.0, 10.0)) if abs(1.0 - total) > 1e-6 else 10.0


def apart(at: CompiledMechanism, other: CompiledMechanism) -> Array:
    """(6 nb,) from the other pose to this one: moves, global, and turns, in the body."""
    nb = at.nb
    out = np.zeros((nb, 6))
    out[:, :3] = at.r[:nb] - other.r[:nb]
    turn = other.A[:nb].reshape(nb, 3, 3).transpose(0, 2, 1) @ at.A[:nb].reshape(nb, 3, 3)
    out[:, 3:] = [log_so3(tuple(A)) for A in turn.reshape(nb, 9)]
    return out.ravel()


def _weight(at: CompiledMechanism) -> float:
    """The largest weight times the typical length, N m."""
    g = float(np.linalg.norm(at.system.gravity))
    return float(np.max(at.system.bodies.mass, initial=0.0)) * g * at.extent


def _size(force: Array, e: Equations) -> float:
    """The largest force of (6 nb,), as a moment: forces times the typical length, N m."""
    return float(np.max(np.abs(force * e.unit), initial=0.0))


def _step(rest: Rest, radius: float, *, downhill: bool) -> Array:
    """(6 nb,) the next step: Newton's of least size, or one that forces do work along."""
    e, H = rest.equations, rest.stiffness
    free, places = e.velocities, e.displacements
    back = places.least_change(-e.phi[~e.velocity_level])
    pull = free.basis.T @ (rest.left - rest.whole_stiffness @ back)
    if downhill and H.shape[0] == H.shape[1]:
        value, vector = np.linalg.eigh(0.5 * (H + H.T))
        size = np.maximum(np.abs(value), SINGULAR * max(np.max(np.abs(value), initial=0.0), np.linalg.norm(pull)))
        y = vector @ ((vector.T @ pull) / size)
    else:
        y = least(rest, pull)
        if not np.linalg.norm(y) > 0.0 and H.shape[0] == H.shape[1]:
            y = pull * (radius / max(float(np.max(np.abs(pull), initial=0.0)), 1e-300))
    largest = float(np.max(np.abs(y), initial=0.0))
    if largest > radius:
        y = y * (radius / largest)
    step: Array = places.basis @ y + back
    return step


def _moved(at: CompiledMechanism, step: Array) -> CompiledMechanism:
    """At the pose after a step; angles of couplings are counted from those before it."""
    pose: Any = Pose(at.r, at.A).moved(step)
    found = at.at(pose.r, pose.A, at.v, at.w)
    if not len(at.couplings.about):
        return found
    angles = angles_at_start(at).copy()
    count_angles(at.system, pose.A, angles, angles)
    return replace(found, counted_angles=angles)
