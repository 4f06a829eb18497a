"""The layout of the unknowns of a run in absolute coordinates, and its workspace."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.kernels.mat33 import IDENTITY
from linkwork.kernels.records import new_record
from linkwork.problems.implicit import ACC, ALPHA, BASE, MOTION, REF, A, Q, R, V, W, Work
from linkwork.problems.request import POSITION_LEVEL, ImplicitRequest
from linkwork.spaces import rotation_matrix
from linkwork.system import CompiledMechanism
from linkwork.system.counted_angles import start_angles

REFERENCE = np.array((*rotation_matrix.ZERO, *IDENTITY))  # columns q and reference rotation, of rotation matrices


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
    def coordinates(self) -> int:
        """How many unknowns are second derivatives of coordinates; they come first."""
        return self.nb * self.stride

    @cached_property
    def multipliers(self) -> slice:
        """The constraint multipliers lambda."""
        return slice(self.coordinates, self.coordinates + self.nc)

    @cached_property
    def normalisation(self) -> slice:
        """The multipliers of the normalisation rows."""
        start = self.coordinates + self.nc
        return slice(start, start + (self.nb if self.normalised else 0))

    @property
    def total(self) -> int:
        """Number of unknowns."""
        return self.coordinates + self.nc + (self.nb if self.normalised else 0)

    def translation(self, body: int) -> slice:
        """rddot of a body."""
        return slice(body * self.stride, body * self.stride + 3)

    def rotation(self, body: int) -> slice:
        """qddot of a body."""
        return slice(body * self.stride + 3, (body + 1) * self.stride)


def new_work(
    mechanism: CompiledMechanism, layout: Layout, space: Any, dtype: type = float, *, fixed: bool = False
) -> Work:
    """A workspace at the mechanism's start pose and velocity. fixed : coordinates from the identity, for good."""
    nb, nc = layout.nb, layout.nc
    system = mechanism.system
    work = Work(
        motion=np.zeros((nb + 1, MOTION), dtype),
        base=np.zeros((nb + 1, BASE), dtype),
        rate=np.zeros(layout.coordinates, dtype),
        step_star=np.zeros(layout.coordinates, dtype),
        rate_star=np.zeros(layout.coordinates, dtype),
        carried=np.zeros(layout.coordinates, dtype),
        row=np.zeros((nc, 6), dtype),
        G=np.zeros((nc, 12), dtype),
        e=np.zeros((nb + 1, 6), dtype),
        z=np.zeros(layout.total, dtype),
        z_old=np.zeros(layout.total, dtype),
        residual=np.zeros(layout.total, dtype),
        request=new_record(ImplicitRequest, dtype),
        load_values=np.zeros((len(system.loads.body), 3), dtype),
        element_values=np.zeros(len(system.elements.law), dtype),
        counted_angles=start_angles(mechanism).astype(dtype),
        operands=mechanism.operands().astype(dtype),
        stack=np.zeros((max(1, int(system.programs.depth[0])), 3), dtype),
    )
    work.motion[:, A : A + 9] = np.eye(3).ravel()
    work.motion[:, REF : REF + 9] = np.eye(3).ravel()
    work.request.level[0], work.request.keeps_reference[0] = POSITION_LEVEL, int(fixed)
    set_motion(work, layout, space, mechanism)
    return work


def set_start(work: Work, layout: Layout, space: Any, mechanism: CompiledMechanism) -> bool:
    """Another start state of the same elements, in a workspace as `new_work` makes it; and angles and inputs."""
    if work.counted_angles.size or work.operands.size:
        work.counted_angles[:], work.operands[:] = start_angles(mechanism), mechanism.operands()
    set_motion(work, layout, space, mechanism)
    return True


def set_motion(work: Work, layout: Layout, space: Any, at: CompiledMechanism) -> None:
    """Write poses and velocities at the start, and the space's own coordinates and rates that say the same: a space of
    another package may have any, so that each body is asked, but where `rebase` is that of rotation matrices."""
    m = work.motion
    m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3] = at.r, at.A, at.v, at.w
    m[:, ACC : ALPHA + 3] = 0.0
    of_bodies = work.rate.reshape(layout.nb, layout.stride)
    if getattr(space, "rebase", None) is rotation_matrix.rebase and not work.request.keeps_reference[0]:
        m[:-1, Q : REF + 9] = REFERENCE
        of_bodies[:, :3], of_bodies[:, 3:] = at.v[: layout.nb], at.w[: layout.nb]
        return
    keeps, references, coordinates, rates = work.request.keeps_reference[0], list[Any](), list[Any](), list[Any]()
    for rotation, w in zip(at.A[: layout.nb].tolist(), at.w[: layout.nb].tolist(), strict=True):
        if keeps:
            reference, q = IDENTITY, space.coordinates_of(tuple(rotation), IDENTITY)
            qd = space.rates_from(q, tuple(w))
        else:
            reference, q, qd, _ = space.rebase(tuple(rotation), tuple(w), (0.0, 0.0, 0.0))
        references.append(reference)
        coordinates.append(q)
        rates.append(qd[: layout.size])
    m[:-1, REF : REF + 9], m[:-1, Q : Q + 4] = references, coordinates
    of_bodies[:, :3], of_bodies[:, 3:] = at.v[: layout.nb], rates
