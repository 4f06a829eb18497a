"""A mechanism as residuals in absolute coordinates, in NumPy, for solvers of differential-algebraic equations.

y = (r, p, v, w, mu, lambda): centres of mass (nb, 3) m, quaternions (nb, 4), velocities (nb, 3), angular velocities in
body components (nb, 3), and for each of the rows kept two multipliers. Stabilised index 2 (C. W. Gear, B. Leimkuhler,
G. K. Gupta, J. Comput. Appl. Math. 12, 1985):

    (r', p') = T(p) ((v, w) - G^T mu)     M (v', w') = f + G^T lambda     phi = 0     G (v, w) = 0

Rows: of a point in common 3, of axes that stay parallel 2, of a universal joint's axes that stay normal 1, of a guide 2
and its angles 3. Rows that others repeat are left out, by QR with pivoting at the start; that holds for as long as the
same rows do. Forces: gravity, springs between points and torques in space.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr

from benchmarks.models import GROUND, Array, JointData, ModelData

DEPENDENT = 1e-9  # of the largest pivot


class Row(NamedTuple):
    """n . (r_j + A_j s_j - r_i - A_i s_i) with n = A_i a; with `b` n . A_j b. Bodies by number, the last one ground."""

    i: int
    j: int
    a: Array
    b: Array | None
    s_i: Array
    s_j: Array


class Rows(NamedTuple):
    """Of one kind, as arrays; b : of those of points none."""

    i: NDArray[np.intp]
    j: NDArray[np.intp]
    a: Array
    b: Array
    s_i: Array
    s_j: Array

    @classmethod
    def of(cls, some: Sequence[Row]) -> Rows:
        """From single ones."""
        i, j = (np.array([getattr(row, name) for row in some], dtype=np.intp) for name in "ij")
        b = [np.zeros(3) if row.b is None else row.b for row in some]
        vectors = [row.a for row in some], b, [row.s_i for row in some], [row.s_j for row in some]
        return cls(i, j, *(np.array(each).reshape(-1, 3) for each in vectors))


def cross(a: Array, b: Array) -> Array:
    """Of rows (n, 3)."""
    x, y, z = a.T
    u, v, w = b.T
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u]).T


def turned(p: Array) -> Array:
    """The rotations (n, 3, 3) of quaternions, scalar first, of any size."""
    e, x, y, z = p.T / np.sqrt(np.sum(p * p, axis=1))
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - e * z), 2 * (x * z + e * y)],
        [2 * (x * y + e * z), 1 - 2 * (x * x + z * z), 2 * (y * z - e * x)],
        [2 * (x * z - e * y), 2 * (y * z + e * x), 1 - 2 * (x * x + y * y)],
    ]).transpose(2, 0, 1)  # fmt: skip


def quaternion(A: Array) -> Array:
    """Of a rotation, scalar first."""
    from scipy.spatial.transform import Rotation

    x, y, z, e = Rotation.from_matrix(A).as_quat()
    return np.array([e, x, y, z])


class AbsoluteDae:
    """Residuals of a model. torques : N m on bodies by name, in space. count : residuals so far."""

    def __init__(self, model: ModelData, torques: Mapping[str, Array] | None = None) -> None:
        self.model, self.count = model, 0
        self.names = {body.name: k for k, body in enumerate(model.bodies)} | {GROUND: len(model.bodies)}
        self.nb = nb = len(model.bodies)
        self.torques = {self.names[name]: np.asarray(torque) for name, torque in (torques or {}).items()}
        self.mass = np.array([body.mass for body in model.bodies])
        self.inertia = np.array([body.inertia for body in model.bodies])
        r = np.array([body.position for body in model.bodies])
        p = np.array([quaternion(body.rotation) for body in model.bodies])
        self.q0 = np.concatenate([r.ravel(), p.ravel()])
        v = np.array([body.velocity for body in model.bodies])
        w = np.array([body.angular_velocity for body in model.bodies])
        self.u0 = np.concatenate([v.ravel(), w.ravel()])
        rows = [row for joint in model.joints for row in self._rows(joint)]
        rows = [*(row for row in rows if row.b is None), *(row for row in rows if row.b is not None)]
        names = ((one.first, one.second) for one in model.springs)
        numbers = np.array([[self.names[name] for name in pair] for pair in names], dtype=np.intp).reshape(-1, 2)
        ends = tuple((numbers[:, n], np.array([(s.on_first, s.on_second)[n] for s in model.springs])) for n in (0, 1))
        laws = (np.array([getattr(s, name) for s in model.springs]) for name in ("stiffness", "damping", "length"))
        self.springs = (ends, *laws)
        self._take(rows)
        _, R, order = qr(self.constraints(self.q0)[1].T, mode="economic", pivoting=True)
        pivots = np.abs(np.diag(R))
        self._take([rows[k] for k in sorted(order[: int(np.sum(pivots > DEPENDENT * pivots[0]))])])
        self.parts = np.cumsum([7 * nb, 6 * nb, self.count_rows])

    def _take(self, rows: Sequence[Row]) -> None:
        self.points = Rows.of([row for row in rows if row.b is None])
        self.normals = Rows.of([row for row in rows if row.b is not None])
        self.count_rows = len(rows)

    def places(self, q: Array) -> tuple[Array, Array]:
        """r (nb + 1, 3), A (nb + 1, 3, 3), those of ground last."""
        nb = self.nb
        r, A = np.zeros((nb + 1, 3)), np.zeros((nb + 1, 3, 3))
        r[:nb], A[:nb], A[nb] = q[: 3 * nb].reshape(nb, 3), turned(q[3 * nb :].reshape(nb, 4)), np.eye(3)
        return r, A

    def _rows(self, joint: JointData) -> list[Row]:
        r, A = self.places(self.q0)
        i, j = self.names[joint.first], self.names[joint.second]
        none = np.zeros(3)

        def into(k: int, x: Array) -> Array:
            return np.asarray(A[k].T @ x)

        def at(k: int) -> Array:
            return into(k, np.array(joint.point) - r[k])

        z, z2 = np.array(joint.axis), np.array(joint.axis2)
        x = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
        x /= np.linalg.norm(x)
        y = np.cross(z, x)

        def shifts(*axes: Array) -> list[Row]:
            return [Row(i, j, into(i, axis), None, at(i), at(j)) for axis in axes]

        def normal(*pairs: tuple[Array, Array]) -> list[Row]:
            return [Row(i, j, into(i, one), into(j, other), none, none) for one, other in pairs]

        if joint.type == "spherical":
            return shifts(*np.eye(3))
        if joint.type == "revolute":
            return [*shifts(*np.eye(3)), *normal((x, z), (y, z))]
        if joint.type == "universal":
            return [*shifts(*np.eye(3)), *normal((z, z2))]
        if joint.type in ("translational", "prismatic"):
            return [*shifts(x, y), *normal((x, z), (y, z), (x, y))]
        raise NotImplementedError(f"joint {joint.name!r} of type {joint.type}")

    def constraints(self, q: Array) -> tuple[Array, Array]:
        """phi (m,) and G (m, 6 nb)."""
        r, A = self.places(q)
        nb, m, phi = self.nb, self.count_rows, []
        G = np.zeros((m, 2, nb + 1, 3))
        i, j, a, _, s_i, s_j = self.points
        k = np.arange(len(i))
        n = np.einsum("kab,kb->ka", A[i], a)
        d = r[j] + np.einsum("kab,kb->ka", A[j], s_j) - r[i] - np.einsum("kab,kb->ka", A[i], s_i)
        phi.append(np.sum(n * d, axis=1))
        G[k, 0, i] = -n
        G[k, 0, j] = n
        G[k, 1, i] = cross(a, np.einsum("kba,kb->ka", A[i], d)) - cross(s_i, a)
        G[k, 1, j] = cross(s_j, np.einsum("kba,kb->ka", A[j], n))
        i, j, a, b, _, _ = self.normals
        k = np.arange(len(k), m)
        n, o = np.einsum("kab,kb->ka", A[i], a), np.einsum("kab,kb->ka", A[j], b)
        phi.append(np.sum(n * o, axis=1))
        G[k, 1, i] = cross(a, np.einsum("kba,kb->ka", A[i], o))
        G[k, 1, j] = cross(b, np.einsum("kba,kb->ka", A[j], n))
        return np.concatenate(phi), G[:, :, :nb].reshape(m, 6 * nb)

    def forces(self, q: Array, u: Array) -> Array:
        """f (6 nb,), gyroscopic terms included."""
        r, A = self.places(q)
        nb = self.nb
        v, w = np.zeros((2, nb + 1, 3))
        v[:nb], w[:nb] = u.reshape(2, nb, 3)
        f, t = np.zeros((2, nb + 1, 3))
        f[:nb] = self.mass[:, None] * np.array(self.model.gravity)
        t[:nb] = -cross(w[:nb], np.einsum("kij,kj->ki", self.inertia, w[:nb]))
        for k, torque in self.torques.items():
            t[k] += A[k].T @ torque
        if self.model.springs:
            ends, stiffness, damping, rest = self.springs
            s, (i, j) = np.array([ends[0][1], ends[1][1]]), (ends[0][0], ends[1][0])
            at = [r[k] + np.einsum("kab,kb->ka", A[k], s[n]) for n, k in enumerate((i, j))]
            rate = [v[k] + np.einsum("kab,kb->ka", A[k], cross(w[k], s[n])) for n, k in enumerate((i, j))]
            d = at[1] - at[0]
            size = np.sqrt(np.sum(d * d, axis=1))
            e = d / size[:, None]
            pull = stiffness * (size - rest) + damping * np.sum(e * (rate[1] - rate[0]), axis=1)
            for n, (k, force) in enumerate(((i, pull[:, None] * e), (j, -pull[:, None] * e))):
                np.add.at(f, k, force)
                np.add.at(t, k, cross(s[n], np.einsum("kba,kb->ka", A[k], force)))
        return np.concatenate([f[:nb].ravel(), t[:nb].ravel()])

    def weighed(self, a: Array) -> Array:
        """M a."""
        v, w = a.reshape(2, self.nb, 3)
        return np.concatenate([(self.mass[:, None] * v).ravel(), np.einsum("kij,kj->ki", self.inertia, w).ravel()])

    def rates(self, q: Array, u: Array) -> Array:
        """T(p) u: r', p'."""
        nb = self.nb
        p, w = q[3 * nb :].reshape(nb, 4), u[3 * nb :].reshape(nb, 3)
        e, x = p[:, :1], p[:, 1:]
        turning = np.concatenate([-np.sum(x * w, axis=1, keepdims=True), e * w + cross(x, w)], axis=1)
        return np.concatenate([u[: 3 * nb], 0.5 * turning.ravel()])

    def residual(self, t: float, y: Array, yp: Array) -> Array:
        """All equations; size and number of y."""
        self.count += 1
        a, b, c = self.parts
        q, u, mu, multipliers = y[:a], y[a:b], y[b:c], y[c:]
        phi, G = self.constraints(q)
        return np.concatenate([
            yp[:a] - self.rates(q, u - G.T @ mu),
            self.weighed(yp[a:b]) - self.forces(q, u) - G.T @ multipliers,
            phi,
            G @ u,
        ])  # fmt: skip

    def start(self) -> tuple[Array, Array]:
        """Consistent y and y' at the start; the rate of G by a difference across 1e-6 s."""
        q, u, m = self.q0, self.u0, self.count_rows
        _, G = self.constraints(q)
        h = 1e-6
        ahead, behind = (self.constraints(q + s * h * self.rates(q, u))[1] for s in (1.0, -1.0))
        turn = (ahead - behind) @ u / (2.0 * h)
        M = np.array([self.weighed(one) for one in np.eye(6 * self.nb)]).T
        K = np.block([[M, -G.T], [G, np.zeros((m, m))]])
        found = np.linalg.solve(K, np.concatenate([self.forces(q, u), -turn]))
        y = np.concatenate([q, u, np.zeros(m), found[6 * self.nb :]])
        return y, np.concatenate([self.rates(q, u), found[: 6 * self.nb], np.zeros(2 * m)])

    @property
    def algebraic(self) -> list[int]:
        """Of y, by number: multipliers."""
        return list(range(int(self.parts[1]), int(self.parts[1]) + 2 * self.count_rows))

    def patterns(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which equations read which of y, and of y': (ny, ny) each; all other derivatives are zero always. Equations
        of a body read the state of bodies that rows and springs join it to, and its rows' multipliers."""
        nb, m, ground = self.nb, self.count_rows, self.nb
        of_body = [
            np.concatenate([start + size * k + np.arange(size) for start, size in self._columns()]) for k in range(nb)
        ]
        rows = [*zip(self.points.i, self.points.j, strict=True), *zip(self.normals.i, self.normals.j, strict=True)]
        joined = [{k} for k in range(nb)]
        (i, j) = (self.springs[0][0][0], self.springs[0][1][0])
        for one, other in (*rows, *zip(i, j, strict=True)):
            if ground not in (one, other):
                joined[one].add(other)
                joined[other].add(one)
        reads = np.zeros((self.parts[-1] + m, self.parts[-1] + m), dtype=bool)
        rates = np.zeros_like(reads)
        for k, others in enumerate(joined):
            reads[np.ix_(of_body[k], np.concatenate([of_body[o] for o in others]))] = True
            for start, size in self._columns():
                rates[np.ix_(*2 * (start + size * k + np.arange(size),))] = True
        for number, pair in enumerate(rows):
            for first in (int(self.parts[1]), int(self.parts[2])):  # mu and phi, lambda and the rates of phi
                for k in pair:
                    if k != ground:
                        reads[of_body[k], first + number] = reads[first + number, of_body[k]] = True
        return reads, rates

    def _columns(self) -> list[tuple[int, int]]:
        """Where each part of y that bodies have begins, and how many numbers of it a body has."""
        sizes = (3, 4, 3, 3)
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]) * self.nb
        return [(int(start), size) for start, size in zip(starts, sizes, strict=True)]

    def positions(self, y: Array) -> Array:
        """(n, nb, 3) centres of mass of samples (n, ny)."""
        return y[:, : 3 * self.nb].reshape(len(y), self.nb, 3)
