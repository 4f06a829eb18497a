"""An example of any registered joint, made from what its class says (`Joint.example`): two bodies, assembled."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.analysis.relocated import relocated
from linkwork.mechanism import Mechanism
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.rotation import turn
from linkwork.system.assembly import fit_positions
from linkwork.system.compiled import compile_mechanism
from linkwork.system.dense import Pose, drives, row_parts


def unit(rng: np.random.Generator) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def place(rng: np.random.Generator) -> dict[str, Any]:
    """A random place."""
    axis = unit(rng)
    across = np.cross(axis, unit(rng))
    across /= np.linalg.norm(across)
    points = {key: rng.normal(size=3).tolist() for key in ("point", "point2")}
    return {**points, "axis": axis.tolist(), "axis2": across.tolist(), "x": across.tolist()}


def mechanism(kind: str, rng: np.random.Generator, first: str = "a", **parameters: Any) -> Mechanism:
    """Bodies 'a' and 'b' (to ground: 'b' alone) at random poses with one joint, which is met there."""
    cls = JOINTS.load(kind)
    mech = Mechanism("pair")
    first = "ground" if cls.ground_only else first
    for name in ("a", "b"):
        if name == "b" or first == "a":
            mech.body(name, position=rng.normal(size=3), rotation=turn(unit(rng), rng.uniform(-3, 3)))
    mech.joint("joint", kind, first, "b", **(cls.example(place(rng)) | parameters))
    compiled = compile_mechanism(mech.lower())
    pose, drive = Pose(compiled.r, compiled.A), drives(compiled, 0.0)
    if np.max(np.abs(row_parts(compiled, pose, drive).phi), initial=0.0) < 1e-9:
        return mech
    fit = fit_positions(compiled, pose, drive)
    assert fit.fits, f"the example of {kind} cannot be assembled"
    return relocated(mech, compiled.at(fit.pose.r, fit.pose.A, compiled.v, compiled.w))
