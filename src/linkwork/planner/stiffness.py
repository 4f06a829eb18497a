"""How fast springs, dampers, motors and other forces of the state would act on what yields to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.efforts import effort_now
from linkwork.kernels.force_laws.laws import LAWS
from linkwork.kernels.quantities.kinds import NUMBER
from linkwork.kernels.quantities.table import measure, parts_of
from linkwork.system import CompiledMechanism
from linkwork.system.counted_angles import start_angles
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.least_change import Jacobian

Array = NDArray[np.float64]
MOST_BODIES = 30  # up to which rows are looked at, all of them at once
DEPENDENT = 1e-10  # added to squares of rows of size 1, lest some that others imply have no solution
LEAST_INERTIA = 1e-6  # of the largest of a body, below which nothing is said of how it yields


class Fastest(NamedTuple):
    """Rates [1/s] of an undamped oscillation and of a decay; 0 without springs, and without dampers."""

    oscillation: float
    decay: float


class Slope(NamedTuple):
    """Of one force at the start. W (2, 6): force and torque on its two bodies for each unit of it; stiffness, damping :
    by how much it changes with the length or angle along which it acts, and with its rate."""

    bodies: tuple[int, int]
    W: Array
    stiffness: float
    damping: float

    def rates(self, yields: float) -> Fastest:
        """Of what yields so much, W M^-1 W^T."""
        yields = max(yields, 0.0)
        return Fastest(float(np.sqrt(abs(self.stiffness) * yields)), abs(self.damping) * yields)


def fastest_of(compiled: CompiledMechanism, time: float = 0.0) -> Fastest:
    """The fastest rates at which one of a mechanism's forces alone would move what its rows leave free, at the
    start: with W M^-1 W^T - W M^-1 G^T (G M^-1 G^T)^-1 G M^-1 W^T. Of more than MOST_BODIES bodies, force elements
    alone, on bodies as if they were free."""
    few = compiled.nb <= MOST_BODIES
    found = [*_of_elements(compiled), *(_of_efforts(compiled, time) if few else ())]
    if not found:
        return Fastest(0.0, 0.0)
    roots = _roots(compiled)
    X = np.zeros((len(found), compiled.nb + 1, 6))  # R^T W of each
    for x, one in zip(X, found, strict=True):
        for b, w in zip(one.bodies, one.W, strict=True):
            x[b] += roots[b].T @ w
    flat = X[:, :-1].reshape(len(found), -1)
    yields = np.sum(flat * flat, axis=1)
    if few and compiled.nc:
        rows = row_parts(compiled, Pose(compiled.r, compiled.A), drives(compiled, time))
        G = Jacobian(compiled, rows, np.ones(compiled.nc, dtype=bool), roots[:-1]).dense()
        changed = G @ flat.T
        yields -= np.sum(changed * np.linalg.solve(G @ G.T + DEPENDENT * np.eye(len(G)), changed), axis=0)
    rates = [one.rates(each) for one, each in zip(found, yields.tolist(), strict=True)]
    return Fastest(max(one.oscillation for one in rates), max(one.decay for one in rates))


def _roots(compiled: CompiledMechanism) -> Array:
    """R (nb + 1, 6, 6) with R R^T = M^-1 of each body, zero of ground."""
    bodies, nb = compiled.system.bodies, compiled.nb
    made = np.zeros((nb + 1, 6, 6))
    values, vectors = np.linalg.eigh(bodies.inertia[:nb].reshape(nb, 3, 3))
    mass = bodies.mass[:nb]
    safe = np.maximum(values, LEAST_INERTIA * np.max(values, axis=1, initial=0.0)[:, None])
    made[:nb, 3:, 3:] = vectors * np.where(safe > 0.0, 1.0 / np.sqrt(np.where(safe > 0.0, safe, 1.0)), 0.0)[:, None]
    made[:nb, :3, :3] = np.where(mass > 0.0, 1.0 / np.sqrt(np.where(mass > 0.0, mass, 1.0)), 0.0)[
        :, None, None
    ] * np.eye(3)
    return made


def _of_elements(compiled: CompiledMechanism) -> Iterator[Slope]:
    e = compiled.system.elements
    for k, law in enumerate(map(int, e.law)):
        if e.stiffness[k] or e.damping[k]:
            W = np.array(parts_of(NUMBER[LAWS[law].quantity], e, k, compiled.r, compiled.A)).reshape(2, 6)
            yield Slope((int(e.body_i[k]), int(e.body_j[k])), W, float(e.stiffness[k]), float(e.damping[k]))


def _of_efforts(compiled: CompiledMechanism, time: float) -> Iterator[Slope]:
    """Formulas of the state, by what they read of the quantity that they act along; in plain Python."""
    system = compiled.system
    q = system.quantities
    if not len(system.efforts.quantity):
        return
    angles, operands = start_angles(compiled), compiled.operands()
    measure(q, compiled.r, compiled.A, compiled.v, compiled.w, angles, len(angles) - len(q.kind), operands)
    stack = np.zeros((int(system.programs.depth[0]) + 1, 3))
    for k, m in enumerate(map(int, system.efforts.quantity)):
        with np.errstate(all="ignore"):  # a formula without a value here is named by the start
            each = [effort_now(system, k, time, operands, 2 * m + rate, stack)[1] for rate in (0, 1)]
        stiffness, damping = (float(slope) if np.isfinite(slope) else 0.0 for slope in each)
        if stiffness or damping:
            W = np.array(parts_of(q.kind[m], q, m, compiled.r, compiled.A)).reshape(2, 6)
            yield Slope((int(q.body_i[m]), int(q.body_j[m])), W, stiffness, damping)
