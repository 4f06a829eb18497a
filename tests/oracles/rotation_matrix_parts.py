"""The rotation-matrix formulation of any mechanism, slowly: its coordinates, applied forces and constraint rows.

A body's material frame is the one in which its points are named by X, fixed once and for all: axes B (body axes of
linkwork to those of the frame) and the centre of mass at X = g (OG_i0 in the paper). Then [Dumitriu 2015, eqs. 1-3]

    OM = T* + R X,    r = T* + R g,    A = R B,    so that a point s in linkwork's body axes is X = g + B s.

`paper_frames` is the paper's choice, B = A(0) and g = r(0), which makes R(0) = I, T*(0) = 0; `body_frames` is the
plainest, B = I and g = 0: R = A, T* = r. Multipliers of orthogonality go with the frame, Lambda = B Lambda_body B^T;
those of joints do not.

R need not be orthonormal. Points, lines and constraint rows are then simply those of the affine map X -> T* + R X, and
angular velocity is vee(skew part of A^T Adot) wherever one is needed (torques that depend on it, PFAFFIAN, KNIFE and
ROLL_SLIP rows). Forces and torques enter eq. 9 as

    force F at X:  X = F, Y = F (x) X           couple tau (global):  X = 0, Y = tau~ R / 2

(the power of the couple is tr(Y^T Rdot) = tau . Omega for Rdot = Omega~ R). Lambda depends on these choices.

Constraint rows come in two forms. "written": derivatives of the row as written in r and A (tests/oracles/rows_naive.py)
along T* and R, exact at any R; for CD, phi = c . (T_j + R_j X_j - T_i - R_i X_i) - f, they are constants,

    d phi/dT_j = c,  d phi/dR_j = c (x) X_j,   and for a ball (eq. 14) X_i = Lambda_ij, Y_i = Lambda_ij (x) OA_ij,0.

"turned": from the Jacobian parts (G_r, G_theta) for (rdot, omega) of linkwork's rows, with theta = vee(skew(A^T dA)):

    d phi/dT = G_r,   d phi/dR = G_r (x) g + A G_theta~ B^T / 2

The two agree on R^T dR skew (at orthonormal R), and give the same motion and joint multipliers there; along symmetric
R^T dR they differ by what Lambda takes up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from oracles import rows_naive as naive
from oracles.newton_euler_dense import CIRCLE, TINY, VELOCITY_LEVEL
from oracles.turning_body import poinsot, tilde

from linkwork.kernels.rows.table import evaluate_rows, rows_gamma
from linkwork.kernels.tables import ROW_KINDS
from linkwork.system import CompiledMechanism
from linkwork.system.dense import drives


class Frames(NamedTuple):
    """Material frames of the nb bodies, and ground's: axes B (nb + 1, 3, 3), centre g (nb + 1, 3)."""

    B: np.ndarray
    g: np.ndarray


class Place(NamedTuple):
    """T* (nb + 1, 3) m and R (nb + 1, 3, 3), ground last, with their rates."""

    T: np.ndarray
    R: np.ndarray
    Tdot: np.ndarray
    Rdot: np.ndarray


class Equations(NamedTuple):
    """All that eqs. 9 and 24 need at one instant, per body and per row.

    m T*dd + m Rdd g = X - sum_k lam_k Phi_T[k],  Rdd K_O + m T*dd (x) g = Y - sum_k lam_k Phi_R[k] + R Lambda,
    sum_b Phi_T[k, b] . T*dd_b + Phi_R[k, b] : Rdd_b = gamma[k];   K is about the centre, K_O = K + m g (x) g.
    """

    mass: np.ndarray  # (nb,)
    K: np.ndarray  # (nb, 3, 3)
    frames: Frames
    place: Place
    X: np.ndarray  # (nb, 3)
    Y: np.ndarray  # (nb, 3, 3)
    Phi_T: np.ndarray  # (nc, nb, 3)
    Phi_R: np.ndarray  # (nc, nb, 3, 3)
    gamma: np.ndarray  # (nc,)


def paper_frames(mechanism: CompiledMechanism) -> Frames:
    """Those in which R = I and T* = 0 at this mechanism's start pose."""
    return Frames(mechanism.A.reshape(-1, 3, 3).copy(), mechanism.r.copy())


def body_frames(mechanism: CompiledMechanism) -> Frames:
    """Those in which R = A and T* = r."""
    return Frames(np.tile(np.eye(3), (mechanism.nb + 1, 1, 1)), np.zeros((mechanism.nb + 1, 3)))


def placed(mechanism: CompiledMechanism, frames: Frames) -> Place:
    """The mechanism's start state in these coordinates [eqs. 1, 5-8]."""
    A, w = mechanism.A.reshape(-1, 3, 3), mechanism.w
    turned = np.array([a @ tilde(x) for a, x in zip(A, w, strict=True)])
    R, Rdot = (M @ frames.B.transpose(0, 2, 1) for M in (A, turned))
    return Place(_seen(mechanism.r, R, frames), R, _seen(mechanism.v, Rdot, frames), Rdot)


def _seen(r: np.ndarray, R: np.ndarray, frames: Frames) -> np.ndarray:
    """T* = r - R g [eq. 1]; of rates likewise."""
    return r - np.einsum("bij,bj->bi", R, frames.g)


def vee(M: np.ndarray) -> np.ndarray:
    """x with x~ = the skew part of M."""
    return np.array([M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1]]) / 2


def equations(mechanism: CompiledMechanism, frames: Frames, place: Place, t: float, rows: str = "written") -> Equations:
    """Everything at one state and time; rows "written" or "turned" (see above)."""
    nb, bodies = mechanism.nb, mechanism.lowered.bodies
    K = np.array([B @ poinsot(body.inertia) @ B.T for B, body in zip(frames.B, bodies, strict=False)])
    X, Y = applied(mechanism, frames, place, t)
    make = {"written": written_rows, "turned": turned_rows}[rows]
    Phi_T, Phi_R, gamma = make(mechanism, frames, place, drives(mechanism, t))
    mass = np.array([body.mass for body in bodies])
    return Equations(mass, K, frames, place, X[:nb], Y[:nb], Phi_T[:, :nb], Phi_R[:, :nb], gamma)


def applied(mechanism: CompiledMechanism, frames: Frames, place: Place, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Gravity, loads, springs and torsions as X (nb + 1, 3), Y (nb + 1, 3, 3)."""
    lowered, ground = mechanism.lowered, mechanism.nb
    X, Y = np.zeros_like(place.T), np.zeros_like(place.R)
    A, Adot = place.R @ frames.B, place.Rdot @ frames.B

    def value(f: Any) -> float:
        return f if isinstance(f, float) else float(f.jet(t)[0])

    def material(b: int, s: Any) -> np.ndarray:
        return frames.g[b] + frames.B[b] @ np.array(s)

    def push(b: int, force: np.ndarray, s: Any = (0.0, 0.0, 0.0)) -> None:
        X[b] += force
        Y[b] += np.outer(force, material(b, s))

    def twist(b: int, couple: np.ndarray) -> None:
        Y[b] += tilde(couple) @ place.R[b] / 2

    for b, body in enumerate(lowered.bodies):
        push(b, body.mass * np.array(lowered.gravity))
    for load in lowered.loads:
        c = np.array([value(f) for f in load.components])
        c = A[load.body] @ c if load.body_axes else c
        if load.torque:
            twist(load.body, c)
        else:
            push(load.body, c, load.point)
    for spring in lowered.of_law("SPRING"):
        i, j = spring.body_i % (ground + 1), spring.body_j % (ground + 1)
        X_i, X_j = material(i, spring.s_i), material(j, spring.s_j)
        d = (place.T[j] + place.R[j] @ X_j) - (place.T[i] + place.R[i] @ X_i)
        rate = (place.Tdot[j] + place.Rdot[j] @ X_j) - (place.Tdot[i] + place.Rdot[i] @ X_i)
        length = np.linalg.norm(d)
        along = d / length
        tension = spring.stiffness * (length - spring.rest) + spring.damping * (along @ rate) + value(spring.actuator)
        push(i, tension * along, spring.s_i)
        push(j, -tension * along, spring.s_j)
    for torsion in lowered.of_law("TORSION"):
        i, j = torsion.body_i % (ground + 1), torsion.body_j % (ground + 1)
        n, a_i, a_j = A[i] @ torsion.n, A[i] @ torsion.a_i, A[j] @ torsion.a_j
        theta = np.arctan2(np.cross(n, a_i) @ a_j, a_i @ a_j)
        spin = [A[b] @ vee(A[b].T @ Adot[b]) for b in (i, j)]
        size = torsion.stiffness * (theta - torsion.rest) + torsion.damping * (n @ (spin[1] - spin[0]))
        size += value(torsion.actuator)
        twist(i, size * n)
        twist(j, -size * n)
    return X, Y


def written_rows(mechanism: CompiledMechanism, frames: Frames, place: Place, drive: np.ndarray) -> tuple[Any, Any, Any]:
    """Phi_T (nc, nb + 1, 3), Phi_R (nc, nb + 1, 3, 3), gamma (nc,): complex steps, and a contour along a straight line.

    gamma is minus the second derivative of phi (the first, of a velocity-level row) while T*dd = 0 and Rdd = 0.
    """
    nc, bodies = mechanism.nc, mechanism.nb + 1
    Phi, gamma = np.zeros((nc, bodies, 12)), np.zeros(nc)
    fastest = max(1.0, float(np.abs(place.Tdot).max()), float(np.abs(place.Rdot).max()))
    times = 0.1 / fastest * CIRCLE
    for k in range(nc):
        row = naive.one_row(mechanism.system.rows, k)
        kind, slow = ROW_KINDS[row.kind], ROW_KINDS[row.kind] in VELOCITY_LEVEL

        def at(T: Any, R: Any, Tdot: Any, Rdot: Any, f: Any, row: Any = row, kind: str = kind) -> Any:
            r, v = _seen(T, -R, frames), _seen(Tdot, -Rdot, frames)
            A, Adot = R @ frames.B, Rdot @ frames.B
            i, j = row.body_i, row.body_j
            if kind in VELOCITY_LEVEL:
                w = [vee(A[b].T @ Adot[b]) for b in (i, j)]
                return naive.speed(kind, row, A[i], v[i], w[0], v[j], w[1])
            return naive.phi(kind, row, r[i], A[i], r[j], A[j], f)

        for b in {int(row.body_i), int(row.body_j)}:
            for c in range(12):
                dT, dR = np.zeros((bodies, 3)), np.zeros((bodies, 3, 3))
                (dT[b] if c < 3 else dR[b].reshape(9))[c if c < 3 else c - 3] = 1.0
                if slow:
                    Phi[k, b, c] = at(place.T, place.R, dT, dR, 0.0)
                else:
                    moved = place.T + 1j * TINY * dT, place.R + 1j * TINY * dR
                    Phi[k, b, c] = np.imag(at(*moved, place.Tdot, place.Rdot, drive[k, 0])) / TINY
        values = []
        for time in times:
            f = drive[k, 0] + drive[k, 1] * time + drive[k, 2] * time**2 / 2
            moved = place.T + time * place.Tdot, place.R + time * place.Rdot
            values.append(at(*moved, place.Tdot, place.Rdot, f))
        if slow:
            gamma[k] = drive[k, 1] - np.real(np.mean(np.array(values) / times))
        else:
            gamma[k] = -2 * np.real(np.mean(np.array(values) / times**2))
    return Phi[:, :, :3], Phi[:, :, 3:].reshape(nc, bodies, 3, 3), gamma


def turned_rows(mechanism: CompiledMechanism, frames: Frames, place: Place, drive: np.ndarray) -> tuple[Any, Any, Any]:
    """The same from linkwork's own rows: Phi_R = G_r (x) g + A G_theta~ B^T / 2, and its gamma as it is."""
    nc, bodies, rows = mechanism.nc, mechanism.nb + 1, mechanism.system.rows
    A, Adot = place.R @ frames.B, place.Rdot @ frames.B
    r, v = _seen(place.T, -place.R, frames), _seen(place.Tdot, -place.Rdot, frames)
    w = np.array([vee(a.T @ d) for a, d in zip(A, Adot, strict=True)])
    G = np.zeros((2, nc, 6))
    phi, gamma = np.zeros(nc), np.zeros(nc)
    evaluate_rows(rows, r, A.reshape(bodies, 9), drive, phi, *G)
    rows_gamma(rows, r, A.reshape(bodies, 9), v, w, drive, gamma)
    Phi_T, Phi_R = np.zeros((nc, bodies, 3)), np.zeros((nc, bodies, 3, 3))
    for k in range(nc):
        for b, part in zip((rows.body_i[k], rows.body_j[k]), G[:, k], strict=True):
            Phi_T[k, b] += part[:3]
            Phi_R[k, b] += np.outer(part[:3], frames.g[b]) + A[b] @ tilde(part[3:]) @ frames.B[b].T / 2
    return Phi_T, Phi_R, gamma
