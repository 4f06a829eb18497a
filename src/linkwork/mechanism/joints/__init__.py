"""The joint library: a registry of names, one file for each type.

`from linkwork.mechanism.joints import Revolute` works for every registered class; each is imported when asked for.
"""

from __future__ import annotations

from typing import Any

from linkwork.registry import Registry

_HERE = "linkwork.mechanism.joints"

JOINTS = Registry(
    "joint",
    {
        "spherical": f"{_HERE}.spherical:Spherical",
        "universal": f"{_HERE}.universal:Universal",
        "constant-velocity": f"{_HERE}.constant_velocity:ConstantVelocity",
        "cylindrical": f"{_HERE}.cylindrical:Cylindrical",
        "revolute": f"{_HERE}.revolute:Revolute",
        "translational": f"{_HERE}.translational:Translational",
        "prismatic": f"{_HERE}.translational:Translational",
        "screw": f"{_HERE}.screw:Screw",
        "helical": f"{_HERE}.screw:Screw",
        "fixed": f"{_HERE}.fixed:Fixed",
        "free": f"{_HERE}.free:Free",
        "planar": f"{_HERE}.planar:Planar",
        "point-in-line": f"{_HERE}.point_in_line:PointInLine",
        "point-in-plane": f"{_HERE}.point_in_plane:PointInPlane",
        "distance": f"{_HERE}.distance:Distance",
        "rod": f"{_HERE}.distance:Distance",
        "perpendicular-1": f"{_HERE}.perpendicular_1:Perpendicular1",
        "perpendicular-2": f"{_HERE}.perpendicular_2:Perpendicular2",
        "rolling-disc": f"{_HERE}.rolling_disc:RollingDisc",
        "cam-pair": f"{_HERE}.cam_pair:CamPair",
        "knife-edge": f"{_HERE}.knife_edge:KnifeEdge",
    },
)


def __getattr__(name: str) -> Any:
    for key, place in JOINTS.items():
        if place.endswith(f":{name}"):
            return JOINTS.load(key)
    raise AttributeError(f"there is no joint class {name!r} in {_HERE}")
