"""A mechanism and the equations of the rotation-matrix formulation, plain Python: what its tests go through."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracles import newton_euler_dense, rotation_matrix_dense, rotation_matrix_parts
from oracles.rotation_matrix_parts import Place, body_frames

from linkwork.formulations import FORMULATIONS
from linkwork.formulations.rotation_matrix import one_shot, rhs, set_state, two_step
from linkwork.formulations.rotation_matrix.forces import apply
from linkwork.formulations.rotation_matrix.work import full_rank, new_work, poinsot
from linkwork.kernels.sparse_ldl import clear_ldl, factor_ldl, solve_ldl
from linkwork.kernels.tables import ROW_KINDS
from linkwork.problems.dependent import new_dependence
from linkwork.problems.explicit import A, R, V
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.status import Status
from linkwork.system.dense import drives

FORMULATION = FORMULATIONS.load("rotation-matrix")
FAR = 0.3  # of the parameters and their rates, from an orthonormal state
ROLLING = ("ROLL_HEIGHT", "ROLL_SLIP", "KNIFE")  # rows whose values are not those of the affine map
VARIANTS = [(e, m) for e in ("newton-euler", "two-step", "one-shot") for m in ("sparse", "dense")]


class Case:
    """A mechanism and the work space of its equations, plain Python."""

    def __init__(self, mechanism: Any, seed: int = 0, *, every: int = 0, printed: bool = False) -> None:
        self.rng = np.random.default_rng(seed)
        self.mechanism, self.tables, self.nb = mechanism, mechanism.tables, mechanism.nb
        self.work, self.elements = new_work(mechanism, held=False, orthonormalise_every=every, printed=printed)
        self.work.request.first_stage[0] = 1

    def drifted(self, size: float = FAR) -> Case:
        """Neither on the joints nor on SO(3)."""
        self.work.psi[:] = size * self.rng.normal(size=24 * self.nb)
        return self

    def placed(self, t: float = 0.0, level: float = ACCELERATION_LEVEL) -> Case:
        self.work.request.time[0], self.work.request.level[0] = t, level
        assert set_state.set_state(self.tables, self.work, self.elements) == Status.OK
        if level == ACCELERATION_LEVEL:
            apply(self.tables, self.work, self.elements)
        return self

    def begin_here(self) -> None:
        """The increment becomes part of the start, as it is where corrections begin."""
        halves = self.work.psi.reshape(2, self.nb, 12)
        self.elements.start[:-1] += np.hstack([halves[0], halves[1]])
        self.work.psi[:] = 0.0

    @property
    def state(self) -> Place:
        """r, A and their rates; ground last."""
        m = self.work.motion
        return Place(
            m[:, R : R + 3].copy(), self.A, m[:, V : V + 3].copy(), self.elements.Adot.reshape(-1, 3, 3).copy()
        )

    @property
    def A(self) -> np.ndarray:
        return self.work.motion[:, A : A + 9].reshape(-1, 3, 3).copy()

    def equations(self, t: float = 0.0) -> rotation_matrix_parts.Equations:
        """The same instant by the oracle, with the applied efforts, which are tested on their own: written rows, and
        turned ones for those that roll, whose values are not those of the affine map."""
        frames, drive, nb = body_frames(self.mechanism), drives(self.mechanism, t), self.nb
        e = rotation_matrix_parts.equations(self.mechanism, frames, self.state, t)
        turned = rotation_matrix_parts.turned_rows(self.mechanism, frames, self.state, drive)
        for k, kind in enumerate(self.mechanism.system.rows.kind):
            if ROW_KINDS[kind] in ROLLING:
                e.Phi_T[k], e.Phi_R[k], e.gamma[k] = turned[0][k, :nb], turned[1][k, :nb], turned[2][k]
        return e._replace(X=self.work.f[:-1, 3:].copy(), Y=self.elements.Y[:-1].reshape(-1, 3, 3).copy())

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of the rows, (nc, nb + 1, 3) and (nc, nb + 1, 3, 3)."""
        nc = self.mechanism.nc
        along_r, along_A = np.zeros((nc, self.nb + 1, 3)), np.zeros((nc, self.nb + 1, 3, 3))
        for k in range(nc):
            for side in range(2):
                b = self.tables.row_int[k, 1 + side]
                along_r[k, b] += self.work.G[k, 6 * side : 6 * side + 3]
                along_A[k, b] += self.elements.GR[k, 9 * side : 9 * side + 9].reshape(3, 3)
        return along_r, along_A

    def newton_euler(self) -> Case:
        """x and lambda from the system that `set_state` leaves, by dense algebra in the metric of kinetic energy."""
        nc, n = self.mechanism.nc, 6 * self.nb
        J, M = np.zeros((nc, n + 6)), np.zeros((n, n))
        for k in range(nc):
            for side in range(2):
                b = self.tables.row_int[k, 1 + side]
                J[k, 6 * b : 6 * b + 6] += self.work.J[k, 6 * side : 6 * side + 6]
        for b, body in enumerate(self.mechanism.lowered.bodies):
            M[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = body.inertia
            M[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = body.mass * np.eye(3)
        J, f = J[:, :n], self.work.f[:-1].ravel()
        root = np.linalg.inv(np.linalg.cholesky(M).T)
        free = np.linalg.solve(M, f)
        x = free + root @ np.linalg.lstsq(J @ root, self.work.eta - J @ free, rcond=1e-10)[0]
        self.work.x[:-1] = x.reshape(-1, 6)
        self.work.lam[:] = np.linalg.lstsq(J.T, f - M @ x, rcond=1e-10)[0] if nc else 0.0
        return self

    def one_shot(self) -> Case:
        """The same by the one-shot kernels with a dense matrix."""
        return self.by(one_shot)

    def two_step(self) -> Case:
        """The same by the two-step kernels with a dense matrix; of a case with `printed`."""
        return self.by(two_step)

    def by(self, way: Any) -> Case:
        """A module that eliminates."""
        system, pattern, factors = way.new_arrays(self.mechanism, True)
        dependent = new_dependence(self.mechanism, False)
        clear_ldl(factors)
        way.fill_matrix(self.tables, self.work, self.elements, dependent, system, factors.values)
        assert factor_ldl(pattern, factors) == Status.OK
        way.fill_right_side(self.tables, self.work, self.elements, dependent, system)
        solve_ldl(pattern, factors, system.rhs, system.rhs)
        assert way.recover_unknowns(self.tables, self.work, self.elements, dependent, system) == Status.OK
        return self

    def sloped(self) -> Case:
        assert rhs.rhs(self.tables, self.work, self.elements) == Status.OK
        return self

    @property
    def found(self) -> dict[str, np.ndarray]:
        """rddot, Addot, Lambda, lambda."""
        nb, k = self.nb, self.work.psi_rate.reshape(2, self.nb, 12)
        return {
            "rddot": k[1, :, :3].copy(),
            "Addot": k[1, :, 3:].reshape(nb, 3, 3).copy(),
            "Lambda": self.elements.Lambda[:nb].reshape(nb, 3, 3).copy(),
            "lambda": self.work.lam.copy(),
        }


def regular(mechanism: Any) -> bool:
    """Whether no row depends on others, on the joints and near by."""
    G = newton_euler_dense.accelerations(mechanism).G
    if not len(G):
        return True
    values = np.linalg.svd(G / np.linalg.norm(G, axis=1)[:, None], compute_uv=False)
    return len(G) <= G.shape[1] and bool(values[-1] > 1e-2)


def thick(mechanism: Any) -> bool:
    """Whether all bodies have extent in all directions; some of the generator's have moments that no real body has."""
    return all(full_rank(poinsot(body.inertia)) for body in mechanism.lowered.bodies)


def as_found(solution: rotation_matrix_dense.Solution) -> dict[str, np.ndarray]:
    """Of the oracle in body frames, where T* is r and R is A."""
    return {
        "rddot": solution.Tdd,
        "Addot": solution.Rdd,
        "Lambda": solution.Lambda,
        "lambda": solution.multipliers,
    }


def assert_same(found: dict[str, np.ndarray], wanted: dict[str, np.ndarray], within: float = 1e-10) -> None:
    for name, value in wanted.items():
        error = np.linalg.norm(found[name] - value) / max(1.0, float(np.linalg.norm(value)))
        assert error < within, f"{name}: {error:.1e} relative"
