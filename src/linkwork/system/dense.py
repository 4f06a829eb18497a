"""Constraint rows of a compiled mechanism in plain NumPy, for assembly and checks: nothing is compiled here.

The kernels are the same functions that a run compiles; here they run as plain Python, once or a few times.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.formula import evaluate_drives
from linkwork.kernels.mat33 import matmul
from linkwork.kernels.rows.kinds import KINDS
from linkwork.kernels.rows.table import rows_gamma
from linkwork.kernels.so3 import exp_so3
from linkwork.kernels.tables import Programs, Rows
from linkwork.kernels.vec3 import cross
from linkwork.remembered import remembered
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.couplings import coupled_gammas, coupled_parts
from linkwork.system.many_rows import FEW, evaluate, velocities

Array = NDArray[np.float64]


class Pose(NamedTuple):
    """Positions (nb + 1, 3) and rotations (nb + 1, 9) of all bodies, ground last."""

    r: Array
    A: Array

    def moved(self, step: Array) -> Pose:
        """The pose after a step (6 nb,): per body a global translation and a body-fixed rotation."""
        nb = len(self.r) - 1
        r, A = self.r.copy(), self.A.copy()
        d = step.reshape(nb, 6)
        r[:nb] += d[:, :3]
        for b, turned in enumerate(d[:, 3:].tolist()):
            A[b] = matmul(A[b].tolist(), exp_so3(tuple(turned)))
        return Pose(r, A)


class Rates(NamedTuple):
    """Velocities (nb + 1, 3): global linear, body-fixed angular."""

    v: Array
    w: Array


def drives(mechanism: CompiledMechanism, t: float) -> Array:
    """f, f', f'' of every row at time t, (nc, 3)."""
    return drives_of(mechanism.system.rows, mechanism.system.programs, t)


def drives_of(rows: Rows, programs: Programs, t: float) -> Array:
    """`drives` of tables of rows and formulas."""
    out = np.zeros((len(rows.kind), 3))
    if not len(programs.ops):
        out[:, 0] = rows.constant
        return out
    stack = np.zeros((max(1, int(programs.depth[0])), 3))
    out[:, 0] = np.where(rows.program < 0, rows.constant, 0.0)
    moving = np.flatnonzero(rows.program >= 0)
    found = np.zeros((len(moving), 3))
    evaluate_drives(programs, rows.program[moving], rows.constant[moving], t, stack, found)
    out[moving] = found
    return out


def crossed(a: Array, b: Array) -> Array:
    """a x b of two vectors (3,), in the bits of `np.cross`, which takes ten times as long."""
    return np.array(cross(a.tolist(), b.tolist()))


SINGLE = 4  # rows of a kind up to which their values are measured one by one
MEASURED = frozenset(number for number, kind in enumerate(KINDS) if kind.value is not None)
NO_ROWS = np.zeros((0, 0))


class Parts(NamedTuple):
    """phi (nc,) and the Jacobian parts (nc, 6) of each row's two bodies; `coupled` (n, 6 nb) are the last n rows whole,
    those of rigid couplings, which have no parts."""

    phi: Array
    G_i: Array
    G_j: Array
    coupled: Array = NO_ROWS

    def times(self, rows: Rows, u: Array) -> Array:
        """G u (nc,) for velocities or accelerations of all bodies, (nb + 1, 6)."""
        out: Array = np.sum(self.G_i * u[rows.body_i], axis=1) + np.sum(self.G_j * u[rows.body_j], axis=1)
        if n := len(self.coupled):
            out[len(out) - n :] = self.coupled @ u[:-1].ravel()
        return out

    def transposed_times(self, rows: Rows, lam: Array, nb: int) -> Array:
        """G^T lam (nb, 6)."""
        out = np.zeros((nb + 1, 6))
        np.add.at(out, rows.body_i, self.G_i * lam[:, None])
        np.add.at(out, rows.body_j, self.G_j * lam[:, None])
        if n := len(self.coupled):
            out[:-1] += (lam[len(lam) - n :] @ self.coupled).reshape(nb, 6)
        total: Array = out[:-1]
        return total


def row_parts(mechanism: CompiledMechanism, pose: Pose, drive: Array) -> Parts:
    """Values and Jacobian parts; rows that measure a value modulo a period, such as angles, count all that is left of
    it to the nearest solution, where phi is its sine.
    """
    rows = mechanism.system.rows
    code = mechanism.row_code
    if code is not None and code.fits(rows):
        parts = parts_of(rows, pose, drive, partial(code.evaluate, rows, mechanism.tables.row))
    else:
        parts = few_parts(rows, pose, drive) if len(rows.kind) <= FEW else parts_of(rows, pose, drive)
    if n := mechanism.rigid:
        phi, coupled = coupled_parts(mechanism, pose.r, pose.A, drive)
        parts = Parts(np.concatenate([parts.phi[:-n], phi]), parts.G_i, parts.G_j, coupled)
    return parts


def parts_of(rows: Rows, pose: Pose, drive: Array, evaluated: Callable[..., None] | None = None) -> Parts:
    """`row_parts` of a table of rows. evaluated : called with (r, A, drive, phi, G_i, G_j), instead of the kernels."""
    nc = len(rows.kind)
    phi, G_i, G_j = np.zeros(nc), np.zeros((nc, 6)), np.zeros((nc, 6))
    drive, left = drive.copy(), list[tuple[Any, Array]]()
    for kind, k in measured_in(rows.kind.tobytes()):
        if len(k) <= SINGLE:
            value = np.array([float(kind.value(rows, one, pose.r, pose.A)) for one in k.tolist()])
        else:
            value = kind.value(rows, k, pose.r, pose.A)
        left.append((k, off_by(kind, rows, k, value - drive[k, 0])))
        drive[k, 0] = value  # measured from here the row is exact
    (evaluated or partial(evaluate, rows))(pose.r, pose.A, drive, phi, G_i, G_j)
    for k, difference in left:
        phi[k] = difference
    return Parts(phi, G_i, G_j)


@lru_cache(256)
def measured_in(kinds: bytes) -> list[tuple[Any, Any]]:
    """Kinds that measure a value, with their rows, of a table of such kinds of rows."""
    numbers = np.frombuffer(kinds, dtype=np.int64)
    return [(KINDS[one], np.flatnonzero(numbers == one)) for one in sorted(MEASURED.intersection(numbers.tolist()))]


few_parts = remembered(parts_of)  # a study that changes masses asks for the same rows again


def off_by(kind: Any, rows: Rows, k: Any, difference: Any) -> Any:
    """A difference of measured values less whole periods of rows of this kind, within half a period of zero."""
    if not kind.period:
        return difference
    period = kind.period(rows, k)
    if np.isinf(period).all():
        return difference
    return np.remainder(difference + 0.5 * period, period) - 0.5 * period


def within(difference: float, period: float) -> float:
    """`off_by` of one row with this period, to the same bits."""
    return difference if math.isinf(period) else (difference + 0.5 * period) % period - 0.5 * period


def row_sizes(mechanism: CompiledMechanism, along: float, about: float) -> Array:
    """The length of every row at the start pose, (nc,), its columns of translation times `along`, those of rotation
    times `about`."""
    system, squares = mechanism.system, mechanism.squares
    if squares is not None:
        both = squares[:2] + squares[2:]
        found: Array = both[1]
        if along != 1.0:
            both[0] *= along * along
        found *= about * about
        found += both[0]
        np.sqrt(found, out=found)
        return found
    units = np.array([along] * 3 + [about] * 3)
    if mechanism.row_code is not None:
        parts = row_parts(mechanism, Pose(mechanism.r, mechanism.A), drives(mechanism, 0.0))
        return _sizes(system.rows, parts, mechanism.nb, units)
    return _row_sizes(system.rows, system.programs, mechanism.r, mechanism.A, units)


def row_squares(mechanism: CompiledMechanism, parts: Parts) -> Array:
    """`CompiledMechanism.squares` (4, nc) of rows with these parts."""
    rows, nb = mechanism.system.rows, mechanism.nb
    found = np.empty((4, len(rows.kind)))
    for k, (G, body) in enumerate(((parts.G_i, rows.body_i), (parts.G_j, rows.body_j))):
        np.add.reduce((G * G).reshape(-1, 2, 3), axis=2, out=found[2 * k : 2 * k + 2].T)
        found[2 * k : 2 * k + 2, body == nb] = 0.0
    found.flags.writeable = False
    return found


@remembered
def _row_sizes(rows: Rows, programs: Programs, r: Array, A: Array, units: Array) -> Array:
    parts = (few_parts if len(rows.kind) <= FEW else parts_of)(rows, Pose(r, A), drives_of(rows, programs, 0.0))
    return _sizes(rows, parts, len(r) - 1, units)


def _sizes(rows: Rows, parts: Parts, nb: int, units: Array) -> Array:
    """Lengths of rows, ground left out."""
    moving = [np.where(body < nb, 1.0, 0.0)[:, None] for body in (rows.body_i, rows.body_j)]
    sizes: Array = np.linalg.norm(np.hstack([moving[0] * parts.G_i * units, moving[1] * parts.G_j * units]), axis=1)
    return sizes


def constraints(mechanism: CompiledMechanism, pose: Pose, drive: Array) -> tuple[Array, Array]:
    """(phi (nc,), G (nc, 6 nb)), values as in `row_parts`."""
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.system.rows
    parts = row_parts(mechanism, pose, drive)
    G = np.zeros((nc, nb + 1, 6))
    every = np.arange(nc)
    G[every, rows.body_i] += parts.G_i
    G[every, rows.body_j] += parts.G_j
    flat = G[:, :nb].reshape(nc, 6 * nb)
    if len(parts.coupled):
        flat[nc - len(parts.coupled) :] = parts.coupled
    return parts.phi, flat


def velocity_rhs(mechanism: CompiledMechanism, pose: Pose, drive: Array) -> Array:
    """nu (nc,)."""
    nu = np.zeros(mechanism.nc)
    velocities(mechanism.system.rows, pose.r, pose.A, drive, nu)
    return nu


def acceleration_rhs(mechanism: CompiledMechanism, pose: Pose, rates: Rates, drive: Array) -> Array:
    """gamma (nc,)."""
    gamma = np.zeros(mechanism.nc)
    rows_gamma(mechanism.system.rows, pose.r, pose.A, rates.v, rates.w, drive, gamma)
    if n := mechanism.rigid:
        gamma[-n:] = coupled_gammas(mechanism, pose.r, pose.A, rates.v, rates.w, drive)
    return gamma
