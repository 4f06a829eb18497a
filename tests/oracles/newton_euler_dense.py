"""Accelerations and multipliers of a mechanism by the slowest honest way: dense matrices from obvious formulas.

Jacobians by complex steps of the naive rows, gamma by a contour integral of the rows along the motion with constant
velocities, forces written out, one least-squares solve. Nothing here is shared with the code under test but the tables.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from oracles import rows_naive as naive

from linkwork.kernels.tables import ROW_KINDS
from linkwork.system import CompiledMechanism
from linkwork.system.dense import drives

VELOCITY_LEVEL = ("PFAFFIAN", "KNIFE", "ROLL_SLIP")
CIRCLE = np.exp(2j * np.pi * np.arange(16) / 16)
TINY = 1e-30


class Solution(NamedTuple):
    """udot (nb, 6) = (rddot global, omegadot body); the least multipliers (nc,); G (nc, 6 nb); reactions by name."""

    udot: np.ndarray
    multipliers: np.ndarray
    G: np.ndarray
    reactions: dict[str, tuple[np.ndarray, np.ndarray]]


def turned(A: np.ndarray, w: np.ndarray, time: Any) -> np.ndarray:
    """A exp(time w~), time real or complex."""
    speed = np.linalg.norm(w)
    if speed == 0.0:
        return A + 0.0 * time
    N = naive.tilde(w / speed)
    return A @ (np.eye(3) + np.sin(time * speed) * N + (1.0 - np.cos(time * speed)) * (N @ N))


def accelerations(mechanism: CompiledMechanism, t: float = 0.0) -> Solution:
    """At the start state of a compiled mechanism, taken to be time t."""
    nb, nc = mechanism.nb, mechanism.nc
    r, A = mechanism.r, mechanism.A.reshape(nb + 1, 3, 3)
    u = np.hstack([mechanism.v, mechanism.w])
    drive = drives(mechanism, t)
    G, gamma = np.zeros((nc, 6 * (nb + 1))), np.zeros(nc)
    for k in range(nc):
        row = naive.one_row(mechanism.system.rows, k)
        kind = ROW_KINDS[row.kind]
        for body in {int(row.body_i), int(row.body_j)}:
            for c in range(6):
                G[k, 6 * body + c] = _derivative(kind, row, r, A, drive[k], body, c)
        gamma[k] = _gamma(kind, row, r, A, u, drive[k])
    M, F = mass_matrix(mechanism), forces(mechanism, r, A, u, t)
    return _solved(mechanism, A, M, F, G, gamma)


def _derivative(kind: str, row: Any, r: Any, A: Any, drive: Any, body: int, c: int) -> float:
    e = np.zeros(6)
    e[c] = 1.0
    i, j = row.body_i, row.body_j
    if kind in VELOCITY_LEVEL:
        v = [e if b == body else np.zeros(6) for b in (i, j)]
        return float(naive.speed(kind, row, A[i], v[0][:3], v[0][3:], v[1][:3], v[1][3:]))
    place = [(r[b] + (1j * TINY * e[:3] if b == body else 0.0), _nudged(A[b], e[3:], b == body)) for b in (i, j)]
    return float(np.imag(naive.phi(kind, row, *place[0], *place[1], drive[0]))) / TINY


def _nudged(A: np.ndarray, e: np.ndarray, moves: bool) -> np.ndarray:
    return A @ (np.eye(3) + 1j * TINY * naive.tilde(e)) if moves else A + 0j


def _gamma(kind: str, row: Any, r: Any, A: Any, u: Any, drive: Any) -> float:
    """G udot = gamma: minus what the row's second derivative is while udot is zero."""
    i, j = row.body_i, row.body_j
    fastest = max(1.0, float(np.max(np.abs(u[[i, j]]))))
    times = 0.1 / fastest * CIRCLE
    values = []
    for time in times:
        A_i, A_j = turned(A[i], u[i, 3:], time), turned(A[j], u[j, 3:], time)
        if kind in VELOCITY_LEVEL:
            values.append(naive.speed(kind, row, A_i, u[i, :3], u[i, 3:], u[j, :3], u[j, 3:]))
        else:
            f = drive[0] + drive[1] * time + drive[2] * time**2 / 2.0
            values.append(naive.phi(kind, row, r[i] + time * u[i, :3], A_i, r[j] + time * u[j, :3], A_j, f))
    if kind in VELOCITY_LEVEL:
        return float(drive[1] - np.real(np.mean(np.array(values) / times)))
    return float(-2.0 * np.real(np.mean(np.array(values) / times**2)))


def mass_matrix(mechanism: CompiledMechanism) -> np.ndarray:
    nb = mechanism.nb
    M = np.zeros((6 * nb, 6 * nb))
    for b, body in enumerate(mechanism.lowered.bodies):
        M[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = body.mass * np.eye(3)
        M[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = body.inertia
    return M


def forces(mechanism: CompiledMechanism, r: Any, A: Any, u: Any, t: float) -> np.ndarray:
    """Gravity, gyroscopic torques, loads, springs and torsions: (6 nb,), force global, torque in the body."""
    nb, lowered = mechanism.nb, mechanism.lowered
    out = np.zeros((nb + 1, 6))

    def value(f: Any) -> float:
        return f if isinstance(f, float) else float(f.jet(t)[0])

    def push(b: int, force: np.ndarray, point: np.ndarray) -> None:
        out[b, :3] += force
        out[b, 3:] += np.cross(point, A[b].T @ force)

    for b, body in enumerate(lowered.bodies):
        w = u[b, 3:]
        out[b, :3] += body.mass * lowered.gravity
        out[b, 3:] -= np.cross(w, body.inertia @ w)
    for load in lowered.loads:
        b, c = load.body, np.array([value(f) for f in load.components])
        c = A[b] @ c if load.body_axes else c
        if load.torque:
            out[b, 3:] += A[b].T @ c
        else:
            push(b, c, np.array(load.point))
    for spring in lowered.of_law("SPRING"):
        i, j = spring.body_i % (nb + 1), spring.body_j % (nb + 1)
        s_i, s_j = np.array(spring.s_i), np.array(spring.s_j)
        d = (r[j] + A[j] @ s_j) - (r[i] + A[i] @ s_i)
        rate = (u[j, :3] + A[j] @ np.cross(u[j, 3:], s_j)) - (u[i, :3] + A[i] @ np.cross(u[i, 3:], s_i))
        length = np.linalg.norm(d)
        along = d / length
        tension = spring.stiffness * (length - spring.rest) + spring.damping * (along @ rate) + value(spring.actuator)
        push(i, tension * along, s_i)
        push(j, -tension * along, s_j)
    for torsion in lowered.of_law("TORSION"):
        i, j = torsion.body_i % (nb + 1), torsion.body_j % (nb + 1)
        n, a_i, a_j = A[i] @ torsion.n, A[i] @ torsion.a_i, A[j] @ torsion.a_j
        theta = np.arctan2(np.cross(n, a_i) @ a_j, a_i @ a_j)
        rate = n @ (A[j] @ u[j, 3:] - A[i] @ u[i, 3:])
        T = torsion.stiffness * (theta - torsion.rest) + torsion.damping * rate + value(torsion.actuator)
        out[i, 3:] += A[i].T @ (T * n)
        out[j, 3:] -= A[j].T @ (T * n)
    return out[:nb].ravel()


def _solved(mechanism: CompiledMechanism, A: Any, M: Any, F: Any, G: Any, gamma: Any) -> Solution:
    """Gauss's principle: of all udot with G udot = gamma the one nearest to M^-1 F in the mass metric."""
    nb, lowered = mechanism.nb, mechanism.lowered
    whole, G = G, G[:, : 6 * nb]
    root = np.linalg.cholesky(M).T  # M = root^T root
    free = np.linalg.solve(M, F)
    inverse = np.linalg.inv(root)
    change = np.linalg.lstsq(G @ inverse, gamma - G @ free, rcond=1e-10)[0]
    udot = free + inverse @ change
    lam = np.linalg.lstsq(G.T, F - M @ udot, rcond=1e-10)[0] if len(G) else np.zeros(0)
    reactions = {}
    for joint in lowered.joints:
        drives = any(lowered.rows[k].driver for k in joint.rows)  # reported on the driven body
        j = (joint.body_i if drives and joint.body_j < 0 else joint.body_j) % (nb + 1)
        arm = A[j] @ np.array(joint.reaction_at[1])
        force, torque = np.zeros(3), np.zeros(3)
        for k in joint.rows:
            if lowered.rows[k].kind in ("KNIFE", "ROLL_HEIGHT", "ROLL_SLIP"):  # rows of the moving body alone
                b = mechanism.system.rows.body_i[k]
                sign = 1.0 if b == j else -1.0  # ground feels the opposite
            else:
                b, sign = j, 1.0
            on_b = -sign * lam[k] * whole[k, 6 * b : 6 * b + 6]
            force += on_b[:3]
            torque += A[b] @ on_b[3:] + np.cross(mechanism.r[b] - mechanism.r[j] - arm, on_b[:3])
        reactions[joint.name] = (force, torque)
    return Solution(udot.reshape(nb, 6), lam, G, reactions)
