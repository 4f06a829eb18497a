"""The kinds of shapes, with their mass and moments of inertia."""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, WithJsonSchema, model_validator

from linkwork.mechanism.elements import NotNegative, Positive, invalid
from linkwork.mechanism.shapes import Shape


class _Round(Shape):
    axis: Literal["x", "y", "z"] = "z"

    def _about(self, along: float, across: float) -> tuple[float, float, float]:
        x, y, z = (along if axis == self.axis else across for axis in "xyz")
        return x, y, z


Sizes3 = Annotated[
    tuple[Positive, Positive, Positive],
    BeforeValidator(lambda v: v.tolist() if isinstance(v, np.ndarray) else v),
    WithJsonSchema(
        {"type": "array", "items": {"type": ["number", "string"], "exclusiveMinimum": 0}, "minItems": 3, "maxItems": 3}
    ),
]


class Box(Shape):
    """A box with edges `size` (3) along the body axes, m."""

    type: Literal["box"] = "box"
    size: Sizes3

    def size_measure(self) -> float:
        return math.prod(self.size)

    def inertia_per_mass(self) -> tuple[float, float, float]:
        a, b, c = (s * s for s in self.size)
        return ((b + c) / 12.0, (a + c) / 12.0, (a + b) / 12.0)


class Cylinder(_Round):
    """A full cylinder, m."""

    type: Literal["cylinder"] = "cylinder"
    radius: Positive
    length: Positive

    def size_measure(self) -> float:
        return math.pi * self.radius**2 * self.length

    def inertia_per_mass(self) -> tuple[float, float, float]:
        return self._about(self.radius**2 / 2.0, (3.0 * self.radius**2 + self.length**2) / 12.0)


class Tube(_Round):
    """A hollow cylinder of outer `radius` and `inner_radius`, m."""

    type: Literal["tube"] = "tube"
    radius: Positive
    inner_radius: NotNegative
    length: Positive

    @model_validator(mode="after")
    def _has_a_wall(self) -> Tube:
        if not self.inner_radius < self.radius:
            raise invalid("has an inner radius that is not smaller than its radius")
        return self

    def size_measure(self) -> float:
        return math.pi * (self.radius**2 - self.inner_radius**2) * self.length

    def inertia_per_mass(self) -> tuple[float, float, float]:
        k = self.radius**2 + self.inner_radius**2
        return self._about(k / 2.0, (3.0 * k + self.length**2) / 12.0)


class Sphere(Shape):
    """A full ball, m."""

    type: Literal["sphere"] = "sphere"
    radius: Positive

    def size_measure(self) -> float:
        return 4.0 / 3.0 * math.pi * self.radius**3

    def inertia_per_mass(self) -> tuple[float, float, float]:
        k = 0.4 * self.radius**2
        return (k, k, k)


class Ellipsoid(Shape):
    """A full ellipsoid with semi-axes `radii` (3) along the body axes, m."""

    type: Literal["ellipsoid"] = "ellipsoid"
    radii: Sizes3

    def size_measure(self) -> float:
        return 4.0 / 3.0 * math.pi * math.prod(self.radii)

    def inertia_per_mass(self) -> tuple[float, float, float]:
        a, b, c = (s * s for s in self.radii)
        return ((b + c) / 5.0, (a + c) / 5.0, (a + b) / 5.0)


class Rod(_Round):
    """A thin rod: no inertia about its own axis; density per length, kg/m."""

    type: Literal["rod"] = "rod"
    length: Positive
    unit: ClassVar[str] = "kg/m"

    def size_measure(self) -> float:
        return self.length

    def inertia_per_mass(self) -> tuple[float, float, float]:
        return self._about(0.0, self.length**2 / 12.0)


class Plate(Shape):
    """A thin rectangular plate with edges `width` along body x and `height` along body y; density kg/m^2."""

    type: Literal["plate"] = "plate"
    width: Positive
    height: Positive
    unit: ClassVar[str] = "kg/m^2"

    def size_measure(self) -> float:
        return self.width * self.height

    def inertia_per_mass(self) -> tuple[float, float, float]:
        a, b = self.width**2 / 12.0, self.height**2 / 12.0
        return (b, a, a + b)


class Disc(_Round):
    """A thin disc normal to `axis`; density kg/m^2."""

    type: Literal["disc"] = "disc"
    radius: Positive
    unit: ClassVar[str] = "kg/m^2"

    def size_measure(self) -> float:
        return math.pi * self.radius**2

    def inertia_per_mass(self) -> tuple[float, float, float]:
        return self._about(self.radius**2 / 2.0, self.radius**2 / 4.0)


class Capsule(_Round):
    """A full cylinder of `length` with a half ball of the same `radius` on each end, m."""

    type: Literal["capsule"] = "capsule"
    radius: Positive
    length: Positive

    def size_measure(self) -> float:
        return math.pi * self.radius**2 * (self.length + 4.0 / 3.0 * self.radius)

    def inertia_per_mass(self) -> tuple[float, float, float]:
        r, h = self.radius, self.length
        ball = 4.0 / 3.0 * r / (h + 4.0 / 3.0 * r)  # its part of the mass
        along = (1.0 - ball) * r**2 / 2.0 + ball * 0.4 * r**2
        across = (1.0 - ball) * (r**2 / 4.0 + h**2 / 12.0) + ball * (0.4 * r**2 + h**2 / 4.0 + 0.375 * h * r)
        return self._about(along, across)


class Cone(_Round):
    """A full cone, m: its tip in the direction of `axis`, its centre of mass a quarter of `length` above its base."""

    type: Literal["cone"] = "cone"
    radius: Positive
    length: Positive

    def size_measure(self) -> float:
        return math.pi * self.radius**2 * self.length / 3.0

    def inertia_per_mass(self) -> tuple[float, float, float]:
        return self._about(0.3 * self.radius**2, 0.15 * self.radius**2 + 0.0375 * self.length**2)
