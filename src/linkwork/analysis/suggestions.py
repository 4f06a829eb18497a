"""Freer joints for joints with redundant rows: types that lock less and still leave the mechanism the same motions."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.analysis.freedom import RankStudy
from linkwork.analysis.relocated import place_of, places
from linkwork.kernels.rows.kinds import KINDS
from linkwork.kernels.tables import ROW_KINDS
from linkwork.mechanism import Mechanism
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import LoweredJoint, Row
from linkwork.mechanism.markers import Marker, Poses
from linkwork.shown import counted
from linkwork.system.compiled import CompiledMechanism, compile_mechanism
from linkwork.system.dense import drives, row_parts
from linkwork.system.rank import rank_at

LARGEST = 360  # columns up to which candidates are tried
SAME_PLACE = {"point", "axis"}  # what a joint may need to stand in the place of another
FITS = 1e-8


def freer_joint(mechanism: Mechanism, compiled: CompiledMechanism, study: RankStudy, name: str) -> str:
    """In words, the joint type with the fewest rows that can take the place of joint `name`; '' if there is none."""
    element = next((one for one in compiled.lowered.joints if one.name == name), None)
    if element is None or element.kind != "joint" or 6 * compiled.nb > LARGEST:
        return ""
    joint = mechanism.element(name)
    poses = Poses(mechanism.bodies)
    i, j = joint.markers(poses)
    best: tuple[int, str] | None = None
    tried: set[type[Joint]] = {type(joint)}
    for kind in JOINTS:
        cls = JOINTS.load(kind)
        if cls in tried or not _has_its_place(cls):
            continue
        tried.add(cls)
        rows = _rows(cls, kind, joint, poses, i, j, element)
        driven = [d.coordinate_of(joint) for d in mechanism.drivers if d.joint == name]
        if not rows or len(rows) >= len(element.rows) or not set(driven) <= set(cls.coordinates):
            continue
        if (best is None or len(rows) < best[0]) and _same_motions(compiled, study, element, rows):
            best = (len(rows), kind)
    if best is None:
        return ""
    spared = counted(len(element.rows) - best[0], "row")
    return f"a {best[1]} joint in its place (now {joint.type}) allows the same motions with {spared} less"


def _has_its_place(cls: type[Joint]) -> bool:
    """Whether a type of joint is given by a point and an axis alone: no length, no radius, no second axis."""
    return set(cls.needs) <= SAME_PLACE and set(cls.model_fields) == set(Joint.model_fields)


def _rows(
    cls: type[Joint], kind: str, joint: Joint, poses: Poses, i: Marker, j: Marker, element: LoweredJoint
) -> list[Row] | None:
    """The rows of another type of joint at the same place; None if it takes no such place, or holds velocities."""
    places_of = joint.model_copy(update={"type": kind})
    first, second = place_of(joint, poses, joint.first, i), place_of(joint, poses, joint.second, j)
    try:
        made = cls.model_validate(
            {"name": joint.name, "type": kind, "first": joint.first, "second": joint.second}
            | places(cls.model_construct(**dict(places_of)), first, second)
        )
        locked = made.locks(i, j)
    except (ValueError, AssertionError):
        return None
    if any(KINDS[ROW_KINDS.index(primitive.kind)].velocity_level for primitive in locked):
        return None
    about: dict[str, Any] = {"owner": joint.name, "body_i": element.body_i, "body_j": element.body_j}
    return [Row(name=f"{joint.name}.candidate[{n}]", **about, **one.columns) for n, one in enumerate(locked)]


def _same_motions(compiled: CompiledMechanism, study: RankStudy, element: LoweredJoint, rows: list[Row]) -> bool:
    """Whether the candidate's rows hold, follow from what there is, and suffice in the place of the joint's own.

    Looked at in the start position and, if known, in one nearby.
    """
    lowered = compiled.lowered
    both = compile_mechanism(lowered.with_rows(rows))
    without = np.ones(both.nc, dtype=bool)
    without[list(element.rows)] = False
    for pose in study.poses:
        parts = row_parts(both, pose, drives(both, 0.0))
        if np.max(np.abs(parts.phi[compiled.nc - compiled.rigid :]), initial=0.0) > FITS * max(1.0, compiled.length):
            return False
        want = rank_at(compiled, pose).rank
        if rank_at(both, pose).rank != want or rank_at(both, pose, rows=without).rank != want:
            return False
    return True
