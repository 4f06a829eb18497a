"""Shapes of uniform density: the mass and inertia they give a body, and how it may be drawn.

A shape is centred at the body's centre of mass with its edges along the body axes; `axis` says which of
them a round shape is long in (or, for a disc, normal to).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from linkwork.mechanism.elements import Array, Element, Positive, by_type
from linkwork.registry import Registry

SHAPES = Registry(
    "shape",
    {
        "box": "linkwork.mechanism.shape_kinds:Box",
        "cylinder": "linkwork.mechanism.shape_kinds:Cylinder",
        "tube": "linkwork.mechanism.shape_kinds:Tube",
        "sphere": "linkwork.mechanism.shape_kinds:Sphere",
        "ellipsoid": "linkwork.mechanism.shape_kinds:Ellipsoid",
        "rod": "linkwork.mechanism.shape_kinds:Rod",
        "plate": "linkwork.mechanism.shape_kinds:Plate",
        "disc": "linkwork.mechanism.shape_kinds:Disc",
        "capsule": "linkwork.mechanism.shape_kinds:Capsule",
        "cone": "linkwork.mechanism.shape_kinds:Cone",
    },
)


class Shape(Element):
    """Base of all shapes. `density` is per volume, area (plate, disc) or length (rod), in SI units."""

    type: str
    density: Positive | None = None

    unit: ClassVar[str] = "kg/m^3"

    def size_measure(self) -> float:
        """The volume, area or length that density multiplies."""
        raise NotImplementedError

    def inertia_per_mass(self) -> tuple[float, float, float]:
        """Principal moments about the body axes for unit mass, m^2."""
        raise NotImplementedError

    def mass(self) -> float | None:
        """The mass its density gives, if it has one, kg."""
        return None if self.density is None else self.density * self.size_measure()

    def inertia(self, mass: float) -> Array:
        """The 3 x 3 inertia about the centre of mass for this mass, kg m^2."""
        x, y, z = (mass * k for k in self.inertia_per_mass())
        return np.array([[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]])


if TYPE_CHECKING:
    AnyShape = Shape
else:
    AnyShape = by_type(SHAPES, Shape)
