"""What recorded samples tell: energies, power and violations of some of them, and how far rows are from being met."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.derived import MechanismDeriver
from linkwork.system import CompiledMechanism
from linkwork.system.dense import Pose, drives, row_parts, row_sizes
from linkwork.system.many_rows import velocities

Array = NDArray[np.float64]
VIOLATIONS = ("position_violation", "velocity_violation")
DERIVED = ("kinetic_energy", "potential_energy", "power", "taken_power", *VIOLATIONS)
LEAST_SIZE = 1e-6  # of a row's gradient, in its own units: a row that is at its extreme at the start


class Seen(NamedTuple):
    """Samples looked at, n of them: s, J, J, W, W, and the largest residuals of rows as they come, without couplings.

    power is the sum of what drivers, loads, actuators and dampers give; taken what those that take any take of it.
    """

    time: Array  # (n,)
    kinetic: Array  # (n,)
    potential: Array  # (n,)
    power: Array  # (n,)
    taken: Array  # (n,)
    violation: Array  # (n,)
    slip: Array  # (n,)


def measured(deriver: MechanismDeriver, block: Mapping[str, Array]) -> Seen:
    """Of recorded samples, in compiled code."""
    motion = block["motion"]
    n, nb = motion.shape[:2]
    found = deriver.derive(
        DERIVED, block["time"], motion[:, :, :3], motion[:, :, 3:12].reshape(n, nb, 3, 3),
        motion[:, :, 12:15], motion[:, :, 15:18], None, None, block["multiplier"],
    )  # fmt: skip
    return Seen(np.array(block["time"]), *(found[name] for name in DERIVED[:-2]), *_of_rows(deriver, found))


class Misfit(NamedTuple):
    """Of samples looked at in kinematics, n of them: s, and the largest residuals of rows as they come."""

    time: Array  # (n,)
    violation: Array  # (n,)
    slip: Array  # (n,)


def misfit(deriver: MechanismDeriver, block: Mapping[str, Array]) -> Misfit:
    """Of recorded samples, in compiled code; masses are not needed."""
    return Misfit(np.array(block["time"]), *_of_rows(deriver, violations(deriver, block)))


def violations(deriver: MechanismDeriver, block: Mapping[str, Array]) -> dict[str, Array]:
    """Of recorded samples, couplings included, by name."""
    motion = block["motion"]
    n, nb = motion.shape[:2]
    return deriver.derive(
        VIOLATIONS, block["time"], motion[:, :, :3], motion[:, :, 3:12].reshape(n, nb, 3, 3),
        motion[:, :, 12:15], motion[:, :, 15:18], None, None, None,
    )  # fmt: skip


def _of_rows(deriver: MechanismDeriver, found: Mapping[str, Array]) -> list[Array]:
    """Violations of rows, those of couplings left out (`coupling_gaps`) unless their rates are no numbers: positions
    are none where turns are in doubt."""
    every, missed = [found[name] for name in VIOLATIONS], deriver.missed
    if missed is None:
        return every
    finite = np.isfinite(found[VIOLATIONS[1]])
    pairs = zip((missed.position, missed.velocity), every, strict=True)
    return [np.where(finite, rows, total) for rows, total in pairs]


class Gap(NamedTuple):
    """How far a row is from being met: its number, m (or m/s), and when, s."""

    row: int
    size: float
    time: float


class Gaps:
    """Residuals of rows as lengths: a residual over the row's gradient, angles counted at the mechanism's length."""

    def __init__(self, mechanism: CompiledMechanism) -> None:
        self.mechanism = mechanism = mechanism.bare  # turns of couplings are counted elsewhere: `MechanismDeriver`
        sizes = row_sizes(mechanism, 1.0, 1.0 / mechanism.extent)
        self.sizes = np.maximum(sizes, LEAST_SIZE)
        self.least = float(np.min(self.sizes, initial=np.inf))

    def position(self, time: float, motion: Array) -> Gap:
        """The worst position row of a sample; motion : (nb, 24)."""
        phi = row_parts(self.mechanism, _pose(motion), drives(self.mechanism, time)).phi
        return self._worst(np.abs(phi), time)

    def velocity(self, time: float, motion: Array) -> Gap:
        """The worst velocity equation of a sample, in m/s."""
        pose, drive, rows = _pose(motion), drives(self.mechanism, time), self.mechanism.system.rows
        parts = row_parts(self.mechanism, pose, drive)
        u = np.vstack([motion[:, 12:18], np.zeros((1, 6))])
        nu = np.zeros(len(parts.phi))
        velocities(rows, pose.r, pose.A, drive, nu)
        rate = (parts.G_i * u[rows.body_i]).sum(axis=1) + (parts.G_j * u[rows.body_j]).sum(axis=1)
        return self._worst(np.abs(rate - nu), time)

    def _worst(self, residuals: Array, time: float) -> Gap:
        lengths = np.where(np.isfinite(residuals), residuals, np.inf) / self.sizes
        row = int(np.argmax(lengths))
        return Gap(row, float(lengths[row]), time)


def _pose(motion: Array) -> Pose:
    """With ground last."""
    return Pose(np.vstack([motion[:, :3], np.zeros((1, 3))]), np.vstack([motion[:, 3:12], np.eye(3).reshape(1, 9)]))
