"""Force elements, by type; one file each. Gravity is the mechanism's own."""

from __future__ import annotations

from linkwork.registry import Registry

_HERE = "linkwork.mechanism.forces"

FORCES = Registry(
    "force",
    {
        "force": f"{_HERE}.point_force:PointForce",
        "torque": f"{_HERE}.torque:Torque",
        "spring": f"{_HERE}.spring:Spring",
        "torsion": f"{_HERE}.torsion:Torsion",
        "joint-spring": f"{_HERE}.joint_spring:JointSpring",
        "spherical-spring": f"{_HERE}.spherical_spring:SphericalSpring",
        "motor": f"{_HERE}.motor:Motor",
        "coupling": f"{_HERE}.coupling:Coupling",
        "tendon": f"{_HERE}.tendon:Tendon",
        "bushing": f"{_HERE}.bushing:Bushing",
        "base-acceleration": f"{_HERE}.base_acceleration:BaseAcceleration",
    },
)
