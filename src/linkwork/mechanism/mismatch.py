"""Whether drivers agree with the start state, in value and in rate: reported, never assembled away."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import is_
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.kernels.rows.kind import VECTORS, RowKind
from linkwork.kernels.rows.kinds import KINDS, NUMBER
from linkwork.kernels.tables import Rows
from linkwork.mechanism.kept import kept
from linkwork.mechanism.lowered import Lowered, LoweredBody, Row
from linkwork.mechanism.lowering_of_joints import lowered_kin
from linkwork.mechanism.markers import Poses

if TYPE_CHECKING:
    from linkwork.mechanism.mechanism import Mechanism

VALUE = 1e-6  # relative to the larger of one and what is expected: start data often has 8 digits
RATE = 1e-5


@dataclass(frozen=True)
class DriverMismatch:
    """A driver and the start state that disagree. None where a quantity does not exist or was not given.

    `value` and `rate` are what the start state has, the expected ones what the driver prescribes at t = 0.
    """

    name: str
    quantity: str
    value: float | None
    expected_value: float | None
    rate: float | None
    expected_rate: float | None

    @property
    def value_differs(self) -> bool:
        """Whether the positions disagree."""
        return _differ(self.value, self.expected_value, VALUE)

    @property
    def rate_differs(self) -> bool:
        """Whether the velocities disagree."""
        return _differ(self.rate, self.expected_rate, RATE)

    def __str__(self) -> str:
        said = []
        if self.value_differs:
            said.append(
                f"the start pose has {self.quantity} {self.value:.9g}, the driver wants {self.expected_value:.9g}"
            )
        if self.rate_differs:
            said.append(
                f"the start velocity gives it the rate {self.rate:.9g}, the driver wants {self.expected_rate:.9g}"
            )
        return f"driver {self.name!r}: {'; '.join(said)}"


def mismatches(mechanism: Mechanism, lowered: Lowered | None = None) -> list[DriverMismatch]:
    """All drivers, and raw constraints that drive, which disagree with the start state.

    Rates are compared where the description gives every velocity that the rate is made of; what it leaves open is
    found in assembly. `lowered` saves lowering the mechanism again.
    """
    flat = lowered or mechanism.lower()
    driven = [row for row in flat.rows if row.driver]
    if not driven:
        return []
    kin, known = mechanism._kept.kin, lowered_kin(mechanism)
    if kin is not None and known is not None:
        before = [row for row in known.rows if row.driver]
        if all_same(before, driven) and all_same(known.bodies, flat.bodies):
            return list(kept(kin, "mismatches", lambda: tuple(mismatches(kin, known))))
    return disagreeing(mechanism, driven, flat.bodies)


def disagreeing(mechanism: Mechanism, rows: Sequence[Row], bodies: Sequence[LoweredBody]) -> list[DriverMismatch]:
    """Drivers among these rows of a mechanism which disagree with its start state. bodies : what its bodies come to."""
    driven = [row for row in rows if row.driver]
    if not driven:
        return []
    poses = Poses(mechanism.bodies, dict(zip(map(id, mechanism.bodies), bodies, strict=True)))
    found = []
    for row in driven:
        one = _compare(row, poses, _is_told(row, poses))
        if one.value_differs or one.rate_differs:
            found.append(one)
    return found


def all_same(some: Sequence[object], others: Sequence[object]) -> bool:
    """Whether these are the very same objects."""
    return len(some) == len(others) and all(map(is_, some, others))


def _is_told(row: Row, poses: Poses) -> bool:
    """Whether all velocities that a row's rate is made of are stated."""
    stated = [poses.bodies[k].stated for k in (row.body_i, row.body_j) if k >= 0]
    translates = KINDS[NUMBER[row.kind]].translates
    return all(one.angular_velocity and (one.velocity or not translates) for one in stated)


def _differ(have: float | None, want: float | None, tolerance: float) -> bool:
    if have is None or want is None:
        return False
    return not abs(have - want) <= tolerance * max(1.0, abs(want))


def _compare(row: Row, poses: Poses, told: bool) -> DriverMismatch:
    """What the start state has of the driven quantity beside what the driver prescribes."""
    kind = KINDS[NUMBER[row.kind]]
    f0, f1 = (row.f, 0.0) if isinstance(row.f, float) else (float(x) for x in row.f.jet(0.0)[:2])
    value, rate = _state_of(row, kind, poses)
    if kind.velocity_level:
        return DriverMismatch(row.name, kind.quantity, None, None, rate if told else None, f0)
    if kind.period:  # the same position, counted with the driver's turns
        value = f0 + math.remainder(value - f0, float(kind.period(_table(row), 0)))
    return DriverMismatch(row.name, kind.quantity, value, f0, rate if told else None, f1)


def _state_of(row: Row, kind: RowKind, poses: Poses) -> tuple[float, float]:
    """Value and rate of the quantity that a row prescribes."""
    rows, bodies = _table(row), (row.body_i, row.body_j)
    r, A = (np.array([poses.pose(b)[part].ravel() for b in bodies]) for part in (0, 1))
    v, w = (np.array([poses.rates(b)[part] for b in bodies]) for part in (0, 1))
    drive = np.zeros((1, 3))
    if kind.value:
        drive[0, 0] = kind.value(rows, 0, r, A)  # where phi has this quantity's rate
    phi, *parts = kind.row(rows, 0, r, A, drive)
    rate = sum(float(np.dot(part, u)) for part, u in zip(parts, (v[0], w[0], v[1], w[1]), strict=True))
    if kind.nu_varies:
        drive[0, 1] = 1.0
        rate /= float(kind.nu(rows, 0, r, A, drive))
    return float(drive[0, 0] if kind.value else phi), rate


def _table(row: Row) -> Rows:
    """The row alone, between bodies 0 and 1."""
    vectors: dict[str, Any] = {name: np.array([getattr(row, name)]) for name in VECTORS}
    none, one = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    scalar = np.array([row.scalar])
    return Rows(
        kind=none, body_i=none, body_j=one, **vectors, scalar=scalar, nonholonomic=none, program=none, constant=scalar
    )
