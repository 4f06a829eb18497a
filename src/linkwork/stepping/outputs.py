"""What a simulator tells by name, read when asked for: joint coordinates, their rates and sensors, plain numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from linkwork.analysis.coordinate_rows import held
from linkwork.equations.sensing import Sensing
from linkwork.errors import UsageError
from linkwork.header import Array, near_names
from linkwork.kernels.mat33 import Mat, rotate
from linkwork.kernels.vec3 import add, cross, dot, sub
from linkwork.mechanism.lowered import Lowered, LoweredJoint, Triple
from linkwork.mechanism.primitives import Primitive
from linkwork.problems.explicit import ACC, ALPHA, A, R, V, W

REST = [0.0] * R + [0.0, 0.0, 0.0] + [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] + [0.0] * 12
RATE = "_rate"


class Coordinate:
    """An angle or a displacement of a joint, from the bodies' motion (nb, 24)."""

    def __init__(self, joint: LoweredJoint, row: Primitive) -> None:
        first, second = joint.body_i, joint.body_j
        self.bodies, self.row, self.angular = (
            (second, first) if row.swapped else (first, second),
            row,
            row.kind == "ANGLE",
        )
        self.last = 0.0

    def value(self, motion: Array) -> float:
        """rad or m; an angle is the nearest to the one that was read before, so that turns are counted."""
        row, (first, second) = self.row, (_body(motion, k) for k in self.bodies)
        A_i, A_j = _nine(first), _nine(second)
        if not self.angular:
            return float(dot(rotate(A_i, row.a_i), sub(_point(second, row.s_j), _point(first, row.s_i))))
        a = rotate(A_j, row.a_j)
        angle = math.atan2(dot(rotate(A_i, row.b_i), a), dot(rotate(A_i, row.a_i), a))
        self.last = angle + 2.0 * math.pi * round((self.last - angle) / (2.0 * math.pi))
        return self.last

    def rate(self, motion: Array) -> float:
        """rad/s or m/s."""
        row, (first, second) = self.row, (_body(motion, k) for k in self.bodies)
        A_i, spin = _nine(first), rotate(_nine(first), _three(first, W))
        if self.angular:
            return float(dot(rotate(A_i, row.n), sub(rotate(_nine(second), _three(second, W)), spin)))
        apart = sub(_point(second, row.s_j), _point(first, row.s_i))
        moving = sub(_velocity(second, row.s_j), _velocity(first, row.s_i))
        return float(dot(rotate(A_i, row.a_i), sub(moving, cross(spin, apart))))


class Sensors:
    """What the description's sensors read at the present sample, all at once."""

    def __init__(self, lowered: Lowered, time: Array, motion: Array, inputs: Mapping[str, float]) -> None:
        self.sensing, self.time, self.motion, self.inputs = Sensing(lowered), time, motion, inputs
        self.names: dict[str, tuple[str, int | None]] = {}
        for name, variable in self.sensing.variables.items():
            if len(variable.dims) == 1:
                self.names[name] = (name, None)
            else:
                self.names |= {f"{name}.{axis}": (name, k) for k, axis in enumerate("xyz")}

    def value(self, name: str) -> float:
        """One of `names`. Between two readings angles turn by what their rates say, to less than half a turn."""
        motion, described = self.motion[None], self.sensing.lowered.inputs
        r, attitude, v, w, a, alpha = (
            motion[:, :, first : first + n] for first, n in ((R, 3), (A, 9), (V, 3), (W, 3), (ACC, 3), (ALPHA, 3))
        )
        given = np.array([[self.inputs[one.name] for one in described]]).reshape(1, len(described))
        which, k = self.names[name]
        reading = self.sensing.read(self.time, r, attitude, v, w, a, alpha, given)[which][0]
        return float(reading if k is None else reading[k])


class Outputs(Mapping[str, float]):
    """Outputs by name, ``hip.angle`` and ``hip.angle_rate``, ``tip``, ``imu.acceleration.x``: of the present sample."""

    def __init__(self, lowered: Lowered, time: Array, motion: Array, inputs: Mapping[str, float]) -> None:
        self.motion = motion
        self.sensors = Sensors(lowered, time, motion, inputs) if lowered.sensors else None
        self.coordinates: dict[str, Coordinate] = {}
        for joint in lowered.joints:
            if joint.kind == "joint":
                for name, row in held(joint).items():
                    self.coordinates[f"{joint.name}.{name}"] = Coordinate(joint, row)

    def __getitem__(self, name: str) -> float:
        if not isinstance(name, str):
            raise UsageError(
                f"an output is asked for by its name, not by {name!r}.", remedy=near_names("", tuple(self))
            )
        found = self.coordinates.get(name)
        if found is not None:
            return found.value(self.motion)
        if self.sensors is not None and name in self.sensors.names:
            return self.sensors.value(name)
        found = self.coordinates.get(name.removesuffix(RATE)) if name.endswith(RATE) else None
        if found is None:
            raise UsageError(f"there is no output {name!r}.", remedy=near_names(name, tuple(self)))
        return found.rate(self.motion)

    def __iter__(self) -> Iterator[str]:
        for name in self.coordinates:
            yield name
            yield name + RATE
        yield from self.sensors.names if self.sensors is not None else ()

    def __len__(self) -> int:
        return 2 * len(self.coordinates) + (0 if self.sensors is None else len(self.sensors.names))

    def angles(self) -> dict[str, Array]:
        """The last values that angles are counted on from."""
        found = {name: np.array([one.last]) for name, one in self.coordinates.items()}
        if self.sensors is not None:
            found |= {f"sensors {k}": part.copy() for k, part in enumerate(self._counted())}
        return found

    def restore_angles(self, angles: Mapping[str, Array]) -> None:
        """Count on from there."""
        for name, one in self.coordinates.items():
            one.last = float(angles[name][0])
        if self.sensors is not None:
            for k, part in enumerate(self._counted()):
                part[...] = angles[f"sensors {k}"]

    def _counted(self) -> tuple[Array, Array]:
        assert self.sensors is not None
        last = self.sensors.sensing.last
        return last.step, last.operands

    def __repr__(self) -> str:
        return f"Outputs({dict(self)})"


def _body(motion: Array, k: int) -> list[float]:
    """One body's row; that of ground, number -1, at rest in the origin."""
    row: list[float] = motion[k].tolist() if k >= 0 else REST
    return row


def _three(body: list[float], first: int) -> Triple:
    return (body[first], body[first + 1], body[first + 2])


def _nine(body: list[float]) -> Mat:
    a, b, c, d, e, f, g, h, i = body[A : A + 9]
    return (a, b, c, d, e, f, g, h, i)


def _point(body: list[float], s: Triple) -> Triple:
    x, y, z = add(_three(body, R), rotate(_nine(body), s))
    return (x, y, z)


def _velocity(body: list[float], s: Triple) -> Triple:
    x, y, z = add(_three(body, V), rotate(_nine(body), cross(_three(body, W), s)))
    return (x, y, z)
