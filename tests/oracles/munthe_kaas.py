"""Müller 2013 once more, slowly: the paper's own systems of bodies on ball joints, integrated by Munthe-Kaas RK4.

Dense matrices, power series for exp and dexp^-1, nothing of linkwork. The two state spaces differ in what the velocity
of a body is, in the matrices of eq. 3, and in exp:

    se3      V = (omega, v) in the body     eqs. 40, 50-54    C exp(X) with 4 x 4 matrices
    product  V = (omega, rdot)              eqs. 42, 61-64    (R exp(theta), r + x)

A joint is a tuple (i, s_i, j, s_j): ball centres s in body components, i or j None for ground (s then global). Forces
carry the mass that eqs. 54 and 64 lost in print: F = m R^T g.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import bernoulli

BERNOULLI = bernoulli(24) / np.array([math.factorial(k) for k in range(25)])  # B_1 = -1/2
PI = math.pi


class Example(NamedTuple):
    """Bodies on ball joints: masses, inertias about the centres, joints, start poses and velocities, gravity."""

    mass: np.ndarray  # (n,)
    inertia: np.ndarray  # (n, 3) principal moments
    joints: tuple
    r: np.ndarray  # (n, 3)
    R: np.ndarray  # (n, 3, 3)
    omega: np.ndarray  # (n, 3) body
    rdot: np.ndarray  # (n, 3) global
    gravity: np.ndarray


class Motion(NamedTuple):
    """Samples: positions, rotations, velocities as the space has them, multipliers at the samples."""

    t: np.ndarray  # (nt,)
    r: np.ndarray  # (nt, n, 3)
    R: np.ndarray  # (nt, n, 3, 3)
    omega: np.ndarray  # (nt, n, 3) body
    rdot: np.ndarray  # (nt, n, 3) global
    lam: np.ndarray  # (nt, 3 joints)


def skew(a):
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def exp_matrix(X, terms=18):
    """The power series, good to rounding for |X| < 1."""
    E = T = np.eye(len(X))
    for k in range(1, terms):
        T = T @ X / k
        E = E + T
    return E


def ad(X, space):
    """The bracket as a matrix: eq. 7 on se(3), eq. 17 on so(3) x R^3."""
    out = np.zeros((6, 6))
    out[:3, :3] = skew(X[:3])
    if space == "se3":
        out[3:, :3], out[3:, 3:] = skew(X[3:]), skew(X[:3])
    return out


def dexp_inverse(X, V, space):
    """dexp_X^-1 V by the Bernoulli series in ad_X."""
    a, term, out = ad(X, space), V, V.copy()
    for b in BERNOULLI[1:]:
        term = a @ term
        out = out + b * term
    return out


def dexp(X, V, space, terms=24):
    """dexp_X V = sum of ad_X^k V / (k + 1)!."""
    a, term, out = ad(X, space), V, V.copy()
    for k in range(1, terms):
        term = a @ term / (k + 1)
        out = out + term
    return out


def compose(r, R, X, space):
    """(R, r) exp(X)."""
    if space == "product":
        return r + X[3:], R @ exp_matrix(skew(X[:3]))
    hat = np.zeros((4, 4))
    hat[:3, :3], hat[:3, 3] = skew(X[:3]), X[3:]
    E = exp_matrix(hat)
    return r + R @ E[:3, 3], R @ E[:3, :3]


def violations(example, r, R):
    """g of every joint, (joints, 3) m: s_j seen from s_i, global."""

    def end(b, s):
        return np.asarray(s, float) if b is None else r[b] + R[b] @ s

    return np.array([end(j, s_j) - end(i, s_i) for i, s_i, j, s_j in example.joints])


def system(example, r, R, V, space):
    """Vdot (n, 6) and lambda from eq. 3.

    Rows of joints to ground stand in the body's components with se3, which makes them constant [eqs. 40, 50]; all
    others in global ones.
    """
    n, m = len(example.mass), 3 * len(example.joints)
    M, Q = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
    J, eta = np.zeros((m, 6 * n)), np.zeros(m)
    for b in range(n):
        w, k = V[b, :3], 6 * b
        M[k : k + 3, k : k + 3] = np.diag(example.inertia[b])
        M[k + 3 : k + 6, k + 3 : k + 6] = example.mass[b] * np.eye(3)
        Q[k : k + 3] = -np.cross(w, example.inertia[b] * w)
        force = example.mass[b] * example.gravity
        Q[k + 3 : k + 6] = force
        if space == "se3":
            Q[k + 3 : k + 6] = R[b].T @ force - example.mass[b] * np.cross(w, V[b, 3:])
    for k, (i, s_i, j, s_j) in enumerate(example.joints):
        rows = slice(3 * k, 3 * k + 3)
        grounded = i is None or j is None
        for b, s, sign in ((i, s_i, -1.0), (j, s_j, 1.0)):
            if b is None:
                continue
            w, s = V[b, :3], np.asarray(s, float)
            turned = np.eye(3) if space == "se3" and grounded else R[b]
            J[rows, 6 * b : 6 * b + 3] = -sign * turned @ skew(s)
            across = np.cross(w, np.cross(w, s))
            if space == "se3":
                J[rows, 6 * b + 3 : 6 * b + 6] = sign * turned
                eta[rows] -= sign * turned @ (across + np.cross(w, V[b, 3:]))
            else:
                J[rows, 6 * b + 3 : 6 * b + 6] = sign * np.eye(3)
                eta[rows] -= sign * turned @ across
    x = np.linalg.solve(np.block([[M, J.T], [J, np.zeros((m, m))]]), np.r_[Q, eta])
    return x[: 6 * n].reshape(n, 6), x[6 * n :]


RK4 = (((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)), (1 / 6, 1 / 3, 1 / 3, 1 / 6))


def integrate(example, space, t_end, h, tableau=RK4, every=1):
    """The Munthe-Kaas scheme [Müller 2013, eqs. 36-37], dexp^-1 at minus the stage's element."""
    n = len(example.mass)
    r, R = example.r.copy(), example.R.copy()
    V = np.hstack([example.omega, example.rdot])
    if space == "se3":
        V[:, 3:] = np.einsum("bji,bj->bi", R, example.rdot)
    a, b = tableau
    samples = []

    def keep(k):
        rdot = np.einsum("bij,bj->bi", R, V[:, 3:]) if space == "se3" else V[:, 3:]
        samples.append((k * h, r.copy(), R.copy(), V[:, :3].copy(), rdot.copy(), system(example, r, R, V, space)[1]))

    def moved(psi, dV):
        poses = [compose(r[c], R[c], psi[c], space) for c in range(n)]
        return np.array([p[0] for p in poses]), np.array([p[1] for p in poses]), V + dV

    keep(0)
    for k in range(1, round(t_end / h) + 1):
        slopes, rates = [], []
        for row in a:
            psi = h * sum((c * s for c, s in zip(row, slopes, strict=True)), np.zeros((n, 6)))
            r_s, R_s, V_s = moved(psi, h * sum((c * s for c, s in zip(row, rates, strict=True)), np.zeros((n, 6))))
            slopes.append(np.array([dexp_inverse(-psi[c], V_s[c], space) for c in range(n)]))
            rates.append(system(example, r_s, R_s, V_s, space)[0])
        psi = h * sum(c * s for c, s in zip(b, slopes, strict=True))
        r, R, V = moved(psi, h * sum(c * s for c, s in zip(b, rates, strict=True)))
        if k % every == 0:
            keep(k)
    return Motion(*(np.array(part) for part in zip(*samples, strict=True)))


def kinetic_energy(example, motion):
    """(nt,) J."""
    turning = (motion.omega**2 * example.inertia).sum((1, 2))
    return 0.5 * (turning + ((motion.rdot**2).sum(2) * example.mass).sum(1))


def total_energy(example, motion):
    """(nt,) J, kinetic and of gravity."""
    return kinetic_energy(example, motion) - (motion.r @ example.gravity * example.mass).sum(1)


def drift(example, motion):
    """(nt, joints) m: how far each ball is from its socket."""
    return np.array(
        [np.linalg.norm(violations(example, r, R), axis=1) for r, R in zip(motion.r, motion.R, strict=True)]
    )


# the examples of section 5 --------------------------------------------------------------------------------


def box(a, b, c, density=2700.0):
    """Mass and principal moments of a box with edges a, b, c."""
    m = density * a * b * c
    return m, m / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])


def heavy_top():
    """Section 5.1: no gravity, r_0 = (0.5, 0, 0) from the pivot to the centre."""
    m, theta = box(0.1, 0.2, 0.4)
    omega, r_0 = np.array([0.0, 20 * PI, 10 * PI]), np.array([0.5, 0.0, 0.0])
    joints = ((None, np.zeros(3), 0, -r_0),)
    return Example(
        np.array([m]),
        theta[None],
        joints,
        r_0[None],
        np.eye(3)[None],
        omega[None],
        np.cross(omega, r_0)[None],
        np.zeros(3),
    )


def pair(omega_1, omega_2, rdot_1, joints, gravity):
    """Two flat boxes stretched out along x, the ball between them at x = 0.2 m."""
    m, theta = box(0.2, 0.1, 0.05)
    half, w_1, w_2 = np.array([0.1, 0.0, 0.0]), np.array(omega_1), np.array(omega_2)
    rdot_2 = rdot_1 + np.cross(w_1, half) + np.cross(w_2, half)
    return Example(
        np.full(2, m), np.array([theta, theta]), joints, np.array([half, 3 * half]), np.array([np.eye(3)] * 2),
        np.array([w_1, w_2]), np.array([rdot_1, rdot_2]), np.array([0.0, 0.0, -gravity]),
    )  # fmt: skip


HALF = np.array([0.1, 0.0, 0.0])
BETWEEN = (0, HALF, 1, -HALF)


def spherical_double_pendulum():
    """Section 5.2."""
    joints = ((None, np.zeros(3), 0, -HALF), BETWEEN)
    w_1 = np.array([10.0, 0.0, 0.0])
    return pair(w_1, (10 * PI, 10 * PI, 20 * PI), np.cross(w_1, HALF), joints, 9.81)


def floating_pair():
    """Section 5.3; the centre of body 1 at rest, which the paper does not say."""
    return pair((0.0, 0.0, -10.0), (1.0, -1.0, 2 * PI), np.zeros(3), (BETWEEN,), 0.0)


def three_bar():
    """Section 5.4; the paper prints no data: bars of 0.2 m, grounded 0.3 m apart, level at the start.

    The middle ball circles the line of the outer two at 10 rad/s; the bars spin about their own lines at 10 pi and
    -20 pi rad/s.
    """
    m, theta = box(0.2, 0.1, 0.05)
    base, height = np.array([0.3, 0.0, 0.0]), math.sqrt(0.2**2 - 0.15**2)
    middle = np.array([0.15, height, 0.0])
    lines = np.array([middle, base - middle]) / 0.2
    up = np.array([0.0, 0.0, 1.0])
    R = np.array([np.column_stack([e, np.cross(up, e), up]) for e in lines])
    w = np.array([[10.0, 0.0, 0.0] + spin * e for spin, e in zip((10 * PI, -20 * PI), lines, strict=True)])
    rdot = np.array([np.cross(w[0], middle / 2), np.cross(w[1], (middle - base) / 2)])
    joints = ((None, np.zeros(3), 0, -HALF), BETWEEN, (None, base, 1, HALF))
    return Example(
        np.full(2, m), np.array([theta, theta]), joints, np.array([middle / 2, (middle + base) / 2]), R,
        np.einsum("bji,bj->bi", R, w), rdot, np.array([0.0, 0.0, -9.81]),
    )  # fmt: skip


EXAMPLES = {
    "muller2013_heavy_top": heavy_top,
    "muller2013_spherical_double_pendulum": spherical_double_pendulum,
    "muller2013_floating_pair": floating_pair,
    "muller2013_three_bar": three_bar,
}
