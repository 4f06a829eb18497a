"""The layout of the unknowns of a run in absolute coordinates, and its work space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.problems.implicit import ACC, ALPHA, BASE, MOTION, QD, QDD, REF, A, Q, R, V, W, Work
from linkwork.system import CompiledMechanism


@dataclass(frozen=True)
class Layout:
    """Where each unknown stands: the only place that knows offsets."""

    nb: int
    nc: int
    size: int  # rotation coordinates per body
    normalised: bool  # one more row per body (Euler parameters)
    algebra: bool = False  # rotation increments live in the Lie algebra

    @property
    def stride(self) -> int:
        """Unknowns per body."""
        return 3 + self.size

    @property
    def multipliers(self) -> slice:
        """The constraint multipliers lambda."""
        start = self.nb * self.stride
        return slice(start, start + self.nc)

    @property
    def normalisation(self) -> slice:
        """The multipliers of the normalisation rows."""
        start = self.nb * self.stride + self.nc
        return slice(start, start + (self.nb if self.normalised else 0))

    @property
    def total(self) -> int:
        """Number of unknowns."""
        return self.nb * self.stride + self.nc + (self.nb if self.normalised else 0)

    def translation(self, body: int) -> slice:
        """rddot of a body."""
        return slice(body * self.stride, body * self.stride + 3)

    def rotation(self, body: int) -> slice:
        """qddot of a body."""
        return slice(body * self.stride + 3, (body + 1) * self.stride)


def new_work(mechanism: CompiledMechanism, layout: Layout, space: Any, dtype: type = float) -> Work:
    """A work space at the mechanism's start pose and velocity."""
    nb, nc = layout.nb, layout.nc
    system = mechanism.system
    work = Work(
        motion=np.zeros((nb + 1, MOTION), dtype),
        base=np.zeros((nb + 1, BASE), dtype),
        row=np.zeros((nc, 6), dtype),
        G=np.zeros((nc, 12), dtype),
        e=np.zeros((nb + 1, 6), dtype),
        z=np.zeros(layout.total, dtype),
        residual=np.zeros(layout.total, dtype),
        coef=np.zeros(6, dtype),
        load_values=np.zeros((len(system.loads.body), 3), dtype),
        spring_values=np.zeros(len(system.springs.body_i), dtype),
        torsion_values=np.zeros(len(system.torsions.body_i), dtype),
        torsion_angles=np.zeros(len(system.torsions.body_i), dtype),
        stack=np.zeros((max(1, int(system.programs.depth[0])), 3)),
    )
    work.motion[:, A : A + 9] = np.eye(3).ravel()
    work.motion[:, REF : REF + 9] = np.eye(3).ravel()
    set_motion(work, space, mechanism.r, mechanism.A, mechanism.v, mechanism.w)
    return work


def set_motion(work: Work, space: Any, r: Any, A_: Any, v: Any, w: Any) -> None:
    """Write poses and velocities (nb + 1 rows each) and the space's own coordinates that say the same."""
    m = work.motion
    m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3] = r, A_, v, w
    m[:, ACC : ACC + 3] = m[:, ALPHA : ALPHA + 3] = 0.0
    for b in range(len(m) - 1):
        reference, q, qd, qdd = space.rebase(tuple(m[b, A : A + 9]), tuple(m[b, W : W + 3]), (0.0, 0.0, 0.0))
        m[b, REF : REF + 9] = reference
        m[b, Q : Q + 4], m[b, QD : QD + 4], m[b, QDD : QDD + 4] = q, qd, qdd
