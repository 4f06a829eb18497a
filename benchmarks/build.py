"""A peer's plain data as a `linkwork.Mechanism`, for models that are not shipped."""

from __future__ import annotations

from typing import Any

from benchmarks.models import ModelData

WITHOUT_AXIS = ("spherical",)


def as_mechanism(lw: Any, model: ModelData) -> Any:
    """The same bodies, joints, springs and gravity; drivers have no counterpart here."""
    bodies = [
        {
            "name": body.name,
            "mass": body.mass,
            "inertia": body.inertia.tolist(),
            "position": body.position.tolist(),
            "rotation": body.rotation.tolist(),
            "velocity": body.velocity.tolist(),
            "angular_velocity": body.angular_velocity.tolist(),
        }
        for body in model.bodies
    ]
    joints = []
    for joint in model.joints:
        place = {"point": list(joint.point)}
        if joint.type not in WITHOUT_AXIS:
            place["axis"] = list(joint.axis)
        joints.append({"name": joint.name, "type": joint.type, "first": joint.first, "second": joint.second, **place})
    forces = [
        {
            "name": f"spring {k + 1}",
            "type": "spring",
            "first": spring.first,
            "second": spring.second,
            "on_first": {"point": list(spring.on_first)},
            "on_second": {"point": list(spring.on_second)},
            "stiffness": spring.stiffness,
            "damping": spring.damping,
            "length": spring.length,
        }
        for k, spring in enumerate(model.springs)
    ]
    return lw.Mechanism(model.name, bodies, joints, forces=forces, gravity=model.gravity)
