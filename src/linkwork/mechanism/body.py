"""A rigid body as described: mass, inertia or shape, and where it is and how it moves at the start."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, WithJsonSchema, model_validator

from linkwork.mechanism.checked import check_of
from linkwork.mechanism.elements import (
    GROUND,
    Array,
    Element,
    Matrix,
    Name,
    NotNegative,
    Text,
    Vector,
    invalid,
    need_weight,
    shown,
)
from linkwork.mechanism.lowered import Stated
from linkwork.mechanism.rotation import IDENTITY, Rotation, rotation_note
from linkwork.mechanism.shapes import AnyShape


def _inertia(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise invalid(f"must be 3 principal moments or a 3 x 3 matrix, not {shown(value)}")
    if not any(isinstance(row, list | tuple | np.ndarray) for row in value):
        return check_of(Vector).validate_python(value)
    matrix = check_of(Matrix).validate_python(value)
    J = np.array(matrix)
    if np.max(np.abs(J - J.T)) > 1e-9 * max(np.max(np.abs(J)), 1e-300):
        raise invalid(
            "is not symmetric; an inertia matrix is (products of inertia stand with their sign on both sides)"
        )
    return matrix


Inertia = Annotated[
    Any,
    BeforeValidator(_inertia),
    WithJsonSchema(
        {
            "description": "3 moments about the body axes or a 3 x 3 matrix, about the centre of mass, kg m^2",
            "type": "array",
            "items": {
                "anyOf": [
                    {"type": ["number", "string"]},
                    {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 3, "maxItems": 3},
                ]
            },
            "minItems": 3,
            "maxItems": 3,
        }
    ),
]


class Visual(Element):
    """Something to draw on a body; it has no effect on the motion. Pose relative to the body's frame."""

    shape: AnyShape | None = None
    mesh: Text | None = None
    scale: Vector | None = None  # of a mesh, along its axes
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Rotation = IDENTITY
    colour: Text | None = None

    @model_validator(mode="after")
    def _one_thing(self) -> Visual:
        if (self.shape is None) == (self.mesh is None):
            raise invalid("needs either a shape or a mesh")
        if self.scale is not None and (self.mesh is None or 0.0 in self.scale):
            raise invalid("has a scale, which is of a mesh and not 0")
        return self


class PointMass(Element):
    """A mass (kg) without extent, fixed at `point` in the body's frame, m."""

    mass: NotNegative
    point: Vector
    description: Text = ""

    @model_validator(mode="after")
    def _weighs(self) -> PointMass:
        need_weight("mass", self.mass, "kg")
        return self


class Body(Element):
    """A rigid body. SI units; `velocity` global, `angular_velocity` in body components.

    The frame is at the centre of mass, or `centre_of_mass` gives that point in the frame, and then
    `position`, `velocity` and points given in body components belong to the frame's origin. The inertia is
    about the centre of mass in body axes in either case. Mass and inertia may be missing: kinematics runs.

    `point_masses` are attached to the body: they add to its mass and inertia, and move its centre of mass.

    A velocity that is left out, or None, is unknown and found at the start of a run; one that is given stays. Likewise
    a `position` or `rotation` that is left out is where assembly begins to look, and moves before a given one does.
    """

    name: Name
    description: Text = ""
    mass: NotNegative | None = None
    inertia: Inertia | None = None
    shape: AnyShape | None = None
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Rotation = IDENTITY
    velocity: Vector | None = None
    angular_velocity: Vector | None = None
    centre_of_mass: Vector = (0.0, 0.0, 0.0)
    point_masses: tuple[PointMass, ...] = ()
    visual: tuple[Visual, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Body:
        if self.name == GROUND:
            raise invalid("has the name 'ground', which is the fixed body every mechanism has")
        if self.shape is not None:
            if self.inertia is not None:
                raise invalid("has both an inertia and a shape; give one of them")
            if self.mass is not None and self.shape.density is not None:
                raise invalid("has both a mass and a shape with density; give one of them")
        need_weight("mass", self.mass if self.shape is None or self.mass is not None else self.shape.mass(), "kg")
        for k, row in enumerate(self.inertia or ()):
            need_weight("moment of inertia", row if isinstance(row, float) else row[k], "kg m^2")
        return self

    @property
    def stated(self) -> Stated:
        """What the description says of the start (also a zero velocity, also the default pose if it is written)."""
        said = self.model_fields_set
        return Stated(
            position="position" in said,
            rotation="rotation" in said,
            velocity=self.velocity is not None,
            angular_velocity=self.angular_velocity is not None,
        )

    @property
    def centre(self) -> tuple[float, float, float]:
        """The centre of mass in the described frame, with what is attached."""
        if not self.point_masses:
            return self.centre_of_mass
        mass, _ = self._bare_mass_properties()
        total = (mass or 0.0) + sum(one.mass for one in self.point_masses)
        if total == 0.0:
            return self.centre_of_mass
        parts = [(mass or 0.0, self.centre_of_mass), *((one.mass, one.point) for one in self.point_masses)]
        x, y, z = (sum(m * point[k] for m, point in parts) / total for k in range(3))
        return (x, y, z)

    def mass_properties(self) -> tuple[float | None, Array | None]:
        """Mass (kg) and 3 x 3 inertia about the centre of mass (kg m^2), with attachments, None where not given."""
        mass, J = self._bare_mass_properties()
        if not self.point_masses or mass is None:
            return mass, J
        total, parts = mass, [(mass, self.centre_of_mass)]
        for one in self.point_masses:
            total += one.mass
            parts.append((one.mass, one.point))
        if J is None:
            return total, None
        for m, point in parts:
            s = np.subtract(point, self.centre)
            J = J + m * (s @ s * np.eye(3) - np.outer(s, s))
        return total, J

    def _bare_mass_properties(self) -> tuple[float | None, Array | None]:
        """The same without what is attached, about its own centre of mass."""
        mass = self.mass
        if self.shape is not None:
            mass = self.shape.mass() if mass is None else mass
            return mass, None if mass is None else self.shape.inertia(mass)
        if self.inertia is None:
            return mass, None
        J = np.array(self.inertia, dtype=float)
        return mass, np.diag(J) if J.ndim == 1 else (J + J.T) / 2.0

    def notes(self, *, held: bool = False) -> list[str]:
        """What is unusual about this body, in words (warnings, not errors). held : it is fixed to ground."""
        found = []
        if note := rotation_note(self.rotation):
            found.append(note)
        mass, J = self.mass_properties()
        if mass == 0.0 and not held:
            found.append("it has no mass (0 kg): nothing but its joints can move it")
        if J is not None:
            found += _inertia_notes(J)
        return [f"body {self.name!r}: {text}" for text in found]


def _inertia_notes(J: Array) -> list[str]:
    """What no real body's inertia can be: a negative moment, or one larger than the other two together."""
    (p, q, r), (s, t, u), (v, w, x) = J.tolist()
    diagonal = not (q or r or s or u or v or w)  # moments about its own axes
    a, b, c = sorted((p, t, x) if diagonal else np.linalg.eigvalsh(J).tolist())
    moments = f"principal moments {a:.6g}, {b:.6g}, {c:.6g} kg m^2"
    slack = 1e-9 * abs(c)
    if a < -slack:
        return [f"its inertia is not positive semidefinite ({moments})"]
    if a + b < c - slack:
        return [f"no real body has its inertia: the largest moment exceeds the sum of the others ({moments})"]
    return []
