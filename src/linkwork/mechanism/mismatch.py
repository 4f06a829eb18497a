"""Whether drivers agree with the start state, in value and in rate: reported, never assembled away."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.mechanism.angles import angle_and_rate, wrapped
from linkwork.mechanism.elements import Array
from linkwork.mechanism.lowered import Lowered, Row
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
    driven = [row for row in (lowered or mechanism.lower()).rows if row.driver]
    if not driven:
        return []
    poses = Poses(mechanism.bodies)
    found = []
    for row in driven:
        one = _compare(row, poses, _is_told(row, poses))
        if one.value_differs or one.rate_differs:
            found.append(one)
    return found


def _is_told(row: Row, poses: Poses) -> bool:
    """Whether all velocities that a row's rate is made of are stated."""
    stated = [poses.bodies[k].stated for k in (row.body_i, row.body_j) if k >= 0]
    turns_only = row.kind in ("ANGLE", "DP1")
    return all(one.angular_velocity and (turns_only or one.velocity) for one in stated)


def _differ(have: float | None, want: float | None, tolerance: float) -> bool:
    if have is None or want is None:
        return False
    return not abs(have - want) <= tolerance * max(1.0, abs(want))


def _compare(row: Row, poses: Poses, told: bool) -> DriverMismatch:
    """What the start state has of the driven quantity beside what the driver prescribes."""
    f0, f1 = (row.f, 0.0) if isinstance(row.f, float) else (float(x) for x in row.f.jet(0.0)[:2])
    if row.kind == "PFAFFIAN":
        return DriverMismatch(row.name, "velocity", None, None, _pfaffian(row, poses) if told else None, f0)
    quantity, value, rate = _state_of(row, poses)
    if row.kind == "ANGLE":
        value = f0 + wrapped(value - f0)  # the same position, counted with the driver's turns
    return DriverMismatch(row.name, quantity, value, f0, rate if told else None, f1)


def _state_of(row: Row, poses: Poses) -> tuple[str, float, float]:
    """Name, value and rate of the quantity that a position row prescribes."""
    if row.kind == "ANGLE":
        return ("angle", *angle_and_rate(row, poses))
    (r_i, A_i), (r_j, A_j) = poses.pose(row.body_i), poses.pose(row.body_j)
    (v_i, w_i), (v_j, w_j) = poses.rates(row.body_i), poses.rates(row.body_j)
    a_i, da_i = _vector(A_i, w_i, row.a_i)
    if row.kind == "DP1":
        a_j, da_j = _vector(A_j, w_j, row.a_j)
        return "dot product", float(a_i @ a_j), float(da_i @ a_j + a_i @ da_j)
    s_i, ds_i = _vector(A_i, w_i, row.s_i)
    s_j, ds_j = _vector(A_j, w_j, row.s_j)
    d, dd = r_j + s_j - r_i - s_i, v_j + ds_j - v_i - ds_i
    if row.kind == "DP2":
        return "displacement", float(a_i @ d), float(da_i @ d + a_i @ dd)
    if row.kind == "D":
        return "squared distance", float(d @ d), 2.0 * float(d @ dd)
    return "coordinate difference", float(np.array(row.a_i) @ d), float(np.array(row.a_i) @ dd)


def _vector(A: Array, w: Array, a: Any) -> tuple[Array, Array]:
    """A body-fixed vector in global components and its rate."""
    return A @ np.array(a), A @ np.cross(w, a)


def _pfaffian(row: Row, poses: Poses) -> float:
    """g . u of a velocity row."""
    (v_i, w_i), (v_j, w_j) = poses.rates(row.body_i), poses.rates(row.body_j)
    parts = ((row.a_i, v_i), (row.s_i, w_i), (row.a_j, v_j), (row.s_j, w_j))
    return math.fsum(float(np.array(g) @ u) for g, u in parts)
