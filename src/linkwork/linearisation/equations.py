"""The common ground: equations of motion and constraint rows at a state, in small displacements of all bodies.

M udot + h(q, u) + G^T lambda = f(q, u, t),     phi(q, t) = 0,  or  G(q) u = nu(q, t) at velocity level

q = (r, theta) displacements, u = (rdot, omega) velocities, six numbers per body; theta turns in the body.
Displacements grow by  d(delta q)/dt = delta u - (0, omega x delta theta).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.coupled import CoupledDerivatives, coupled_derivatives
from linkwork.linearisation.freedoms import Freedoms
from linkwork.linearisation.rows import RowDerivatives, row_derivatives
from linkwork.system import CompiledMechanism
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.least_change import row_units, unit_columns
from linkwork.system.rank import tolerance_at

Array = NDArray[np.float64]


@dataclass
class Equations:
    """Everything about one state that analyses ask for; what is not asked for is not computed.

    at : the mechanism with this state as its start. applied : its forces. time : s. held : drivers stand still where
    they are at this time.
    """

    at: CompiledMechanism
    applied: AppliedForces
    time: float
    held: bool = False

    def __post_init__(self) -> None:
        self.drive = drive = drives(self.at, self.time)
        if self.held:
            drive[:, 1:] = 0.0
        self.force = self.applied.at(self.at, self.time)
        pairs, K, C = self.applied.variations()
        self._pairs, self._K, self._C = pairs.copy(), K.copy(), C.copy()

    @property
    def size(self) -> int:
        """6 nb."""
        return 6 * self.at.nb

    @cached_property
    def u(self) -> Array:
        """(6 nb,) velocities."""
        nb = self.at.nb
        return np.hstack([self.at.v[:nb], self.at.w[:nb]]).ravel()

    @cached_property
    def inertia(self) -> Array:
        """(nb, 6, 6) m I and J."""
        nb, bodies = self.at.nb, self.at.system.bodies
        out = np.zeros((nb, 6, 6))
        out[:, range(3), range(3)] = bodies.mass[:nb, None]
        out[:, 3:, 3:] = bodies.inertia[:nb].reshape(nb, 3, 3)
        return out

    @cached_property
    def rows(self) -> RowDerivatives:
        """Rows and their derivatives."""
        return row_derivatives(self.at, self.drive, moving=bool(self.u.any() or self.drive[:, 1:].any()))

    @cached_property
    def coupled(self) -> CoupledDerivatives | None:
        """Couplings and rotors, where there are any. The rigid ones are the last rows."""
        return coupled_derivatives(self.at, self.drive) if len(self.at.couplings.about) else None

    @cached_property
    def gamma(self) -> Array:
        """(nc,) right sides of G udot = gamma."""
        return self._with_rigid(self.rows.gamma, None if self.coupled is None else self.coupled.gamma)

    @cached_property
    def nu(self) -> Array:
        """(nc,) right sides of G u = nu."""
        return self._with_rigid(self.rows.nu, self.drive[len(self.drive) - self.at.rigid :, 1])

    @cached_property
    def phi(self) -> Array:
        """(nc,) what position rows are off by; zero for velocity rows."""
        return row_parts(self.at, Pose(self.at.r, self.at.A), self.drive).phi

    @cached_property
    def row_units(self) -> Array:
        """(nc,) what rows change by where everything moves by the typical length, or turns by 1 rad: what an error of a
        row is a share of, whatever its unit."""
        return row_units(self.at, row_parts(self.at, Pose(self.at.r, self.at.A), self.drive))

    @cached_property
    def tolerance(self) -> float:
        """How much of a row must be its own for it to count as independent; more where the pose misses the rows."""
        return tolerance_at(self.at, self.phi)

    @property
    def fall(self) -> float:
        """rad/s², and typical lengths in a second squared, of what falls; 1 where there is no gravity."""
        return float(np.linalg.norm(self.at.system.gravity)) / self.at.extent or 1.0

    @property
    def velocity_level(self) -> Any:
        """(nc,) whether a row constrains velocities alone."""
        return self.at.system.rows.nonholonomic == 1

    @cached_property
    def G(self) -> Array:
        """(nc, 6 nb)."""
        return self._with_rigid(self._spread(self.rows.G), None if self.coupled is None else self.coupled.W)

    @cached_property
    def rows_alone(self) -> Array:
        """G without any derivatives."""
        parts = row_parts(self.at, Pose(self.at.r, self.at.A), self.drive)
        return self._with_rigid(self._spread(np.hstack([parts.G_i, parts.G_j])), parts.coupled)

    @cached_property
    def unit(self) -> Array:
        """(6 nb,) a typical length, and 1 rad, per column."""
        return unit_columns(self.at)

    @cached_property
    def displacements(self) -> Freedoms:
        """Those that position rows leave: in the basis of velocities where velocity rows leave as many, so that a
        stiffness is that of one basis, and its sign that of the work done."""
        if not np.any(self.velocity_level):
            return self.velocities
        found = Freedoms(self.G[~self.velocity_level], self.unit, self.tolerance)
        if found.rank == self.velocities.rank:
            found.take_basis(self.velocities)
        return found

    @cached_property
    def velocities(self) -> Freedoms:
        """Those that all rows leave."""
        return Freedoms(self.G, self.unit, self.tolerance)

    def _spread(self, parts: Array) -> Array:
        """Numbers per row for its two bodies (nc, 12) as a matrix (nc, 6 nb)."""
        rows, nb, n = self.at.system.rows, self.at.nb, self.at.nc
        out = np.zeros((n, nb + 1, 6))
        every = np.arange(n)
        out[every, rows.body_i] += parts[:, :6]
        out[every, rows.body_j] += parts[:, 6:12]
        return out[:, :nb].reshape(n, 6 * nb)

    def _with_rigid(self, rows: Array, coupled: Array | None) -> Array:
        """Values of all rows, with those of rigid couplings, which are the last rows and the first couplings."""
        n = self.at.rigid
        if n and coupled is not None:
            rows = np.concatenate([rows[: len(rows) - n], coupled[:n]])
        return rows

    @property
    def rotors(self) -> Array:
        """(n,) inertias of all couplings' rotors, zero for rigid couplings and where there are none."""
        return np.zeros(0) if self.coupled is None else self.coupled.inertia

    @cached_property
    def gyroscopic(self) -> Array:
        """(6 nb,) h = omega x J omega, and of rotors -W^T I gamma."""
        nb = self.at.nb
        h = np.zeros((nb, 6))
        h[:, 3:] = np.cross(self.at.w[:nb], np.einsum("bij,bj->bi", self.inertia[:, 3:, 3:], self.at.w[:nb]))
        if self.coupled is not None:
            return h.ravel() - self.coupled.W.T @ (self.rotors * self.coupled.gamma)
        return h.ravel()

    def gyroscopic_damping(self) -> Array:
        """(nb, 6, 6) dh/du."""
        nb = self.at.nb
        w, J = self.at.w[:nb], self.inertia[:, 3:, 3:]
        C = np.zeros((nb, 6, 6))
        C[:, 3:, 3:] = tilde(w) @ J - tilde(np.einsum("bij,bj->bi", J, w))
        return C

    @cached_property
    def turning(self) -> Array:
        """(nb, 6, 6) W in d(delta q)/dt = delta u - W delta q."""
        out = np.zeros((self.at.nb, 6, 6))
        out[:, 3:, 3:] = tilde(self.at.w[: self.at.nb])
        return out

    def mass_matrix(self) -> Array:
        """(6 nb, 6 nb) M, with W^T I W of rotors."""
        M = diagonal(self.inertia)
        return M if self.coupled is None else M + (self.coupled.W.T * self.rotors) @ self.coupled.W

    def stiffness(self, multipliers: Array, udot: Array | None = None) -> Array:
        """(6 nb, 6 nb) d(G^T lambda - f)/dq; of rotors also d(W^T I (W udot - gamma))/dq. udot : zero if left out."""
        nb = self.at.nb
        out = np.zeros((nb + 1, nb + 1, 6, 6))
        np.add.at(out, (self._pairs[:, 0], self._pairs[:, 1]), -self._K)
        for i, j, block in self.reaction_blocks(multipliers):
            np.add.at(out, (i, j), block)
        return out[:nb, :nb].transpose(0, 2, 1, 3).reshape(6 * nb, 6 * nb) + self._coupled_stiffness(multipliers, udot)

    def _coupled_stiffness(self, multipliers: Array, udot: Array | None) -> Array | float:
        """The couplings' part: sum lambda dW^T/dq, and of rotors what their inertia does."""
        if self.coupled is None:
            return 0.0
        one, n = self.coupled, self.at.rigid
        out: Array = np.einsum("k,kab->ab", multipliers[len(multipliers) - n :], one.dW[:n])
        if udot is not None:
            late = one.W @ udot - one.gamma
            out = out + np.einsum("k,kab->ab", self.rotors * late, one.dW)
            out = out + (one.W.T * self.rotors) @ (np.einsum("kab,a->kb", one.dW, udot) - one.dgamma)
        return out

    def reaction_blocks(self, multipliers: Array) -> list[tuple[Any, Any, Array]]:
        """Of d(G^T lambda)/dq: first bodies, second bodies, (nc, 6, 6)."""
        rows = self.at.system.rows
        whole = self.rows.dG * multipliers[:, None, None]
        sides = ((rows.body_i, slice(0, 6)), (rows.body_j, slice(6, 12)))
        return [(i, j, whole[:, a, b]) for i, a in sides for j, b in sides]

    def damping(self) -> Array:
        """(6 nb, 6 nb) d(h - f)/du."""
        nb = self.at.nb
        out = np.zeros((nb, nb, 6, 6))
        np.add.at(out, (self._pairs[:, 0], self._pairs[:, 1]), -self._C)
        out[range(nb), range(nb)] += self.gyroscopic_damping()
        found: Array = out.transpose(0, 2, 1, 3).reshape(6 * nb, 6 * nb)
        return found if self.coupled is None else found - (self.coupled.W.T * self.rotors) @ self.coupled.dgamma_du

    def sparse_rows(self) -> Any:
        """G as a SciPy CSR array."""
        from scipy.sparse import csr_array

        rows, nc, n = self.at.system.rows, self.at.nc, self.size
        columns = np.hstack([6 * body[:, None] + np.arange(6) for body in (rows.body_i, rows.body_j)])
        there = (columns < n) & (self.rows.G != 0.0)
        return csr_array((self.rows.G[there], (np.nonzero(there)[0], columns[there])), shape=(nc, n))

    def sparse_mass(self) -> Any:
        """M as a SciPy CSC array."""
        every = np.arange(self.at.nb)
        return self._sparse([(every, every, self.inertia)])

    def sparse_damping(self) -> Any:
        """`damping` as a SciPy CSC array."""
        every = np.arange(self.at.nb)
        gyroscopic = (every, every, self.gyroscopic_damping())
        return self._sparse([(self._pairs[:, 0], self._pairs[:, 1], -self._C), gyroscopic])

    def sparse_stiffness(self, multipliers: Array) -> Any:
        """`stiffness` as a SciPy CSC array."""
        of_forces = (self._pairs[:, 0], self._pairs[:, 1], -self._K)
        return self._sparse([of_forces, *self.reaction_blocks(multipliers)])

    def _sparse(self, parts: list[tuple[Any, Any, Array]]) -> Any:
        """Blocks (p, 6, 6) for pairs of bodies, those of ground left out, added up."""
        from scipy.sparse import coo_array

        n, six = self.size, np.arange(6)
        rows = np.concatenate(
            [np.broadcast_to(6 * i[:, None, None] + six[:, None], x.shape).ravel() for i, _, x in parts]
        )
        columns = np.concatenate([np.broadcast_to(6 * j[:, None, None] + six, x.shape).ravel() for _, j, x in parts])
        values = np.concatenate([x.ravel() for _, _, x in parts])
        keep = (rows < n) & (columns < n) & (values != 0.0)
        return coo_array((values[keep], (rows[keep], columns[keep])), shape=(n, n)).tocsc()

    def _along(self, x: Array) -> Array:
        """(nc, 12) x (6 nb,) of the two bodies of every row."""
        rows = self.at.system.rows
        wide = np.vstack([x.reshape(-1, 6), np.zeros((1, 6))])
        return np.hstack([wide[rows.body_i], wide[rows.body_j]])

    def rate_derivative(self) -> Array:
        """(nc, 6 nb) d(G u - nu)/dq."""
        found = np.einsum("kc,kcd->kd", self._along(self.u), self.rows.dG) - self.rows.dnu
        return self._with_rigid(self._spread(found), self._coupled_along(self.u))

    def _coupled_along(self, x: Array) -> Array | None:
        """(n, 6 nb) d(W x)/dq of couplings."""
        return None if self.coupled is None else np.einsum("kab,a->kb", self.coupled.dW, x)

    def second_rate_derivatives(self, udot: Array) -> tuple[Array, Array]:
        """(nc, 6 nb) d(gamma - G udot)/dq and d(gamma)/du."""
        by_place = self.rows.dgamma[:, :12] - np.einsum("kc,kcd->kd", self._along(udot), self.rows.dG)
        place, speed = self._spread(by_place), self._spread(self.rows.dgamma[:, 12:])
        if self.coupled is None:
            return place, speed
        coupled = self.coupled.dgamma - np.einsum("kab,a->kb", self.coupled.dW, udot)
        return self._with_rigid(place, coupled), self._with_rigid(speed, self.coupled.dgamma_du)

    def accelerations(self) -> tuple[Array, Array]:
        """udot (6 nb,) and lambda (nc,). Raises numpy.linalg.LinAlgError where freedoms have no inertia."""
        free, M = self.velocities, self.mass_matrix()
        load = self.force - self.gyroscopic
        forced = free.least_change(self.gamma)
        Y = free.basis
        udot = forced + Y @ np.linalg.solve(Y.T @ M @ Y, Y.T @ (load - M @ forced)) if free.count else forced
        return udot, free.multipliers(load - M @ udot)


def tilde(a: Array) -> Array:
    """(n, 3, 3) a~ of vectors (n, 3)."""
    out = np.zeros((len(a), 3, 3))
    out[:, 0, 1], out[:, 0, 2], out[:, 1, 2] = -a[:, 2], a[:, 1], -a[:, 0]
    out[:, 1, 0], out[:, 2, 0], out[:, 2, 1] = a[:, 2], -a[:, 1], a[:, 0]
    return out


def diagonal(blocks: Array) -> Array:
    """(6 nb, 6 nb) with blocks (nb, 6, 6) on its diagonal."""
    nb = len(blocks)
    out = np.zeros((nb, 6, nb, 6))
    out[range(nb), :, range(nb)] = blocks
    return out.reshape(6 * nb, 6 * nb)
