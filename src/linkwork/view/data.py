"""What a page is given: the scene, its runs and curves as one document of JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.header import Array
from linkwork.mechanism.lowered import LoweredJoint
from linkwork.scene import Scene
from linkwork.scene import series as curves
from linkwork.scene.joints import described, glyph_of
from linkwork.scene.parts import half_extents, quaternions
from linkwork.scene.scene import Run
from linkwork.scene.violations import row_violations
from linkwork.view.packing import Poses, curve, packed, poses

MOST_ROWS = 1_500_000  # rows times frames whose violations a page holds
DECADES = 255  # steps of a row's violation, from 1e-18 up to 1e7 and beyond
NEVER = -18.0


def document(scene: Scene, trails: Sequence[tuple[str, Any]]) -> tuple[dict[str, Any], float]:
    """The page's data, and the largest error of a shown point, m."""
    reach = reach_of(scene)
    notes = list(scene.notes)
    runs, errors = [], []
    for k, run in enumerate(scene.runs):
        made = poses(run.position, quaternions_of(run), scene.size, reach)
        errors.append(made.error)
        runs.append(_run(scene, run, made, notes, first=k == 0))
    lowered, error = scene.lowered, max(errors)
    rings = [force for force in scene.mechanism.forces if force.glyph == "ring"]
    data = {
        "name": scene.mechanism.name,
        "description": scene.mechanism.description,
        "size": scene.size,
        "rod": scene.rod,
        "low": scene.low.tolist(),
        "high": scene.high.tolist(),
        "plane": None if scene.plane is None else scene.plane.tolist(),
        "gravity": [float(g) for g in lowered.gravity],
        "floor": floor_of(scene),
        "bodies": [{"name": body.name, "mass": body.mass} for body in lowered.bodies],
        "parts": [list(part) for part in scene.parts],
        "meshes": [_mesh(mesh) for mesh in scene.meshes],
        "joints": [described(joint) for joint in lowered.joints],
        "rows": [row.name for row in lowered.rows],
        "redundant": list(scene.redundant),
        "springs": [
            {
                "name": s.name,
                "a": [s.body_i, *s.s_i],
                "b": [s.body_j, *s.s_j],
                "length": s.rest,
                "coil": s.stiffness != 0,
            }
            for s in lowered.lines
        ],
        "rods": [_rod(joint) for joint in lowered.joints if glyph_of(joint.type) == "rod"],
        "torsions": [{"name": f.name, "joint": str(getattr(f, "joint", None) or "")} for f in rings],
        "drivers": [
            {"name": d.name, "joint": d.joint or d.body, "coordinate": d.coordinate or "", "f": str(d.f)}
            for d in scene.mechanism.drivers
        ],
        "trails": [[body, [float(c) for c in point]] for body, point in trails],
        "runs": runs,
        "notes": notes,
        "error": error,
        "relative_error": error / scene.size,
    }
    return plain(data), error


def quaternions_of(run: Run) -> Array:
    """(n, nb, 4) x, y, z, w."""
    nt, nb = run.position.shape[:2]
    return quaternions(run.rotation.reshape(-1, 3, 3)).reshape(nt, nb, 4)


def reach_of(scene: Scene) -> Array:
    """(nb,) m, how far the parts of each body go from its origin."""
    reach = np.zeros(len(scene.lowered.bodies))
    for part in scene.parts:
        if part.body >= 0 and part.role not in ("rail", "plane"):
            far = math.hypot(*part.position) + math.hypot(*half_extents(part))
            reach[part.body] = max(reach[part.body], far)
    return reach


def _rod(joint: LoweredJoint) -> dict[str, Any]:
    """What keeps two points at a distance."""
    assert joint.markers is not None
    i, j = joint.markers
    return {"name": joint.name, "a": [joint.body_i, *i.point], "b": [joint.body_j, *j.point]}


def floor_of(scene: Scene) -> list[float] | None:
    """A point of the plane that something rolls on, where there is one."""
    for joint in scene.lowered.joints:
        if glyph_of(joint.type) in ("disc", "blade") and joint.markers is not None and joint.body_i < 0:
            plane, _ = joint.markers
            return [*plane.point, *plane.z]
    return None


def _run(scene: Scene, run: Run, made: Poses, notes: list[str], *, first: bool) -> dict[str, Any]:
    """One run: poses, times and, of the first, all that can be plotted."""
    data: dict[str, Any] = {
        "label": run.label,
        "poses": made.block,
        "origin": made.origin,
        "step": made.step,
        "time": times(run.time),
        "samples": [int(k) for k in (run.frames[:1].tolist() + run.frames[-1:].tolist())],
        "curves": [],
    }
    result = run.result
    if result is None:
        return data
    info = result.info
    data["standing"] = result.judgement if result.success else (result.message or "not completed")
    data["words"] = [str(verdict) for verdict in result.verdicts][:3]
    data["method"] = {k: info[k] for k in ("formulation", "integrator", "step", "linkwork_version") if k in info}
    for one in curves.curves(result, run.frames):
        data["curves"].append({"name": one.name, "unit": one.unit, "block": curve(one.values[None], one.log)})
    if not first:
        return data
    found = curves.speeds(result, run.frames)
    if found is not None and found[0].size <= MOST_ROWS:
        data["speeds"] = [curve(values.T) for values in found]
    reactions = curves.reactions(result, run.frames)
    if isinstance(reactions, str):
        notes.append(reactions)
    elif scene.lowered.joints:
        n = len(run.time)
        data["forces"], data["torques"] = (curve(values.reshape(n, -1).T) for values in reactions)
    data["loads"] = [
        {"name": load.name, "at": [load.body, *load.point], "torque": load.torque, "block": curve(values.T)}
        for load, values in curves.loads(scene.lowered, run.time, run.rotation)
    ]
    data["rows"] = rows(scene, run, notes)
    return data


def rows(scene: Scene, run: Run, notes: list[str]) -> dict[str, Any] | None:
    """Violations of the rows, as tenths of a decade above 1e-18."""
    count = len(scene.lowered.rows)
    if not count:
        return None
    if count * len(run.time) > MOST_ROWS:
        notes.append(f"violations of {count} rows at {len(run.time)} frames are too many for a page: left out")
        return None
    found = row_violations(scene.lowered, run.time, run.position, run.rotation)
    with np.errstate(all="ignore"):
        tenths = 10.0 * (np.log10(np.maximum(np.nan_to_num(found, nan=1e7), 1e-18)) - NEVER)
    return packed(np.clip(np.rint(tenths), 0, DECADES).astype(np.int64).T)


def times(time: Array) -> dict[str, Any]:
    """Times as whole numbers of a step fine enough to tell any two apart."""
    span = float(time[-1] - time[0]) if len(time) > 1 else 0.0
    step = span / 2**30 if span > 0 else 1.0
    whole = np.rint((time - time[0]) / step).astype(np.int64)
    return {"block": packed(whole[None]), "start": float(time[0]), "step": step}


def _mesh(mesh: Any) -> dict[str, Any]:
    """Points in steps of 2^-16 of the box, triangles by number."""
    reach = float(np.ptp(mesh.points, axis=0).max()) or 1.0
    low = mesh.points.min(axis=0)
    whole = np.rint((mesh.points - low) / reach * 65535).astype(np.int64)
    return {
        "low": low.tolist(), "step": reach / 65535,
        "points": packed(np.ascontiguousarray(whole.T)), "triangles": packed(mesh.triangles.reshape(1, -1)),
    }  # fmt: skip


def plain(data: Any) -> Any:
    """JSON knows no infinity: numbers that are not finite become null."""
    if isinstance(data, dict):
        return {key: plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [plain(value) for value in data]
    if isinstance(data, np.generic):
        data = data.item()
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data
