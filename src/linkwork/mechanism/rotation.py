"""How a body's attitude is written in a description, and the rotation matrix it means (body -> global)."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, WithJsonSchema, model_validator

from linkwork.kernels.vec3 import cross, dot
from linkwork.mechanism.checked import check_of
from linkwork.mechanism.elements import (
    Array,
    Direction,
    Element,
    Four,
    Matrix,
    Number,
    Vector,
    did_you_mean,
    invalid,
    shown,
)

NEARLY = 1e-6  # how far from orthonormal a given matrix may be before it is refused
EXACT = 1e-12  # how far without a word about it

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Quaternion(Element):
    """Euler parameters, scalar first, of unit length."""

    quaternion: Four

    @model_validator(mode="after")
    def _unit(self) -> Quaternion:
        if abs(math.hypot(*self.quaternion) - 1.0) > NEARLY:
            raise invalid(f"has length {math.hypot(*self.quaternion):.9g}; a rotation is a quaternion of length one")
        return self

    def matrix(self) -> Array:
        """A = (e0^2 - e.e) I + 2 e e^T + 2 e0 skew(e)."""
        p = np.array(self.quaternion) / math.hypot(*self.quaternion)
        e0, e = p[0], p[1:]
        return np.asarray((e0 * e0 - e @ e) * np.eye(3) + 2.0 * np.outer(e, e) + 2.0 * e0 * skew(e))


class EulerZXZ(Element):
    """Intrinsic ZXZ Euler angles (phi, theta, psi), rad."""

    euler_zxz: Vector

    def matrix(self) -> Array:
        """A = Rz(phi) Rx(theta) Rz(psi)."""
        phi, theta, psi = self.euler_zxz
        z, x = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
        return turn(z, phi) @ turn(x, theta) @ turn(z, psi)


class AxisAngle(Element):
    """A turn by `angle` (rad) about `axis` (any length)."""

    axis: Direction
    angle: Number

    def matrix(self) -> Array:
        """Rodrigues' formula."""
        return turn(np.array(self.axis) / math.hypot(*self.axis), self.angle)


_WAYS: dict[str, type[Element]] = {
    "quaternion": Quaternion,
    "euler_zxz": EulerZXZ,
    "axis": AxisAngle,
    "angle": AxisAngle,
}


def skew(v: Array) -> Array:
    """The matrix of v x ."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def turn(axis: Array, angle: float) -> Array:
    """The rotation by `angle` about the unit vector `axis`."""
    S = skew(axis)
    return np.asarray(np.eye(3) + math.sin(angle) * S + (1.0 - math.cos(angle)) * (S @ S))


def defect_of(matrix: Any) -> float:
    """How far the columns of a 3 x 3 matrix are from orthonormal: max |A^T A - I|."""
    (a, b, c), (d, e, f), (g, h, i) = matrix
    products = (a * b + d * e + g * h, a * c + d * f + g * i, b * c + e * f + h * i)
    squares = (a * a + d * d + g * g - 1.0, b * b + e * e + h * h - 1.0, c * c + f * f + i * i - 1.0)
    return float(max(map(abs, (*products, *squares))))


def nearest_rotation(matrix: Any) -> tuple[Array, float]:
    """The rotation nearest to a matrix in the least-squares sense, and the matrix's defect max |A^T A - I|."""
    A, defect = np.array(matrix, dtype=float), defect_of(matrix)
    if defect <= EXACT:
        return A, defect
    U, _, Vt = np.linalg.svd(A)
    return U @ Vt, defect


def rotation_matrix(rotation: Any) -> tuple[Array, str | None]:
    """The matrix a checked description means, and a note where it had to be made orthonormal."""
    if isinstance(rotation, Quaternion | EulerZXZ | AxisAngle):
        return rotation.matrix(), None
    A, defect = nearest_rotation(rotation)
    return A, _note(defect)


def rotation_note(rotation: Any) -> str | None:
    """The note of `rotation_matrix` alone."""
    return None if isinstance(rotation, Quaternion | EulerZXZ | AxisAngle) else _note(defect_of(rotation))


def _note(defect: float) -> str | None:
    if defect <= EXACT:
        return None
    return f"its rotation was orthonormal only to {defect:.2g} and was replaced by the nearest rotation"


def _read(value: Any) -> Any:
    if isinstance(value, Quaternion | EulerZXZ | AxisAngle):
        return value
    if isinstance(value, dict):
        for key in value:
            if key in _WAYS:
                return _WAYS[key].model_validate(value)
        raise invalid(f"must be a 3 x 3 matrix or one of quaternion, euler_zxz, axis and angle{_hint(value)}")
    if isinstance(value, list | tuple) and not any(isinstance(row, list | tuple | np.ndarray) for row in value):
        written = "{quaternion: [e0, e1, e2, e3]}, {euler_zxz: [...]} or {axis: [...], angle: ...}"
        raise invalid(f"must be 3 rows of 3 numbers, or {written}, not {shown(value)}")
    matrix = check_of(Matrix).validate_python(value)
    defect = defect_of(matrix)
    if not defect <= NEARLY:
        raise invalid(f"is not a rotation: its columns are orthonormal only to {defect:.2g} (allowed: {NEARLY:g})")
    x, y, z = matrix
    if dot(x, cross(y, z)) < 0.0:
        raise invalid("is left-handed (determinant -1): a mirror, not a rotation")
    return matrix


def _hint(value: dict[Any, Any]) -> str:
    hint = did_you_mean(next(iter(value), ""), _WAYS)
    return hint if hint.endswith("?") else f", not {shown(value)}"


Rotation = Annotated[
    Any,
    BeforeValidator(_read),
    WithJsonSchema(
        {
            "description": "3 x 3 matrix body -> global, or quaternion (scalar first), ZXZ angles, or axis and angle",
            "anyOf": [
                {
                    "type": "array",
                    "items": {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 3, "maxItems": 3},
                    "minItems": 3,
                    "maxItems": 3,
                },
                {"$ref": "#/definitions/Quaternion"},
                {"$ref": "#/definitions/EulerZXZ"},
                {"$ref": "#/definitions/AxisAngle"},
            ],
        }
    ),
]
