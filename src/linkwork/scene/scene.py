"""A scene: everything that a page, a picture or a film shows of a mechanism and of runs of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError, UsageError
from linkwork.header import Array
from linkwork.mechanism import Mechanism
from linkwork.mechanism.lowered import Lowered
from linkwork.result import Result
from linkwork.scene import joints
from linkwork.scene.bodies import Meshes, body_parts, radius_of, size_of
from linkwork.scene.extent import box_of, plane_of
from linkwork.scene.frames import frames_of, taken
from linkwork.scene.meshes import Mesh
from linkwork.scene.parts import Part

MANY = 200  # bodies, beyond which redundant rows are not looked for


@dataclass(frozen=True)
class Run:
    """A run as it is shown: frames (samples by number), their times, poses (n, nb, 3) and (n, nb, 3, 3)."""

    label: str
    result: Result | None
    frames: NDArray[np.int64]
    time: Array
    position: Array
    rotation: Array


@dataclass(frozen=True)
class Scene:
    """A mechanism to be drawn: its parts, and one run or more, the first of which the others are laid over.

    size : diagonal of the mechanism at the start, m. low, high : the box that everything passes through.
    rod : radius of a rod between joints, m: what glyphs are measured by.
    plane : normal of the plane that all bodies move in, or None. notes : what was left out, and why.
    """

    mechanism: Mechanism
    lowered: Lowered
    size: float
    low: Array
    high: Array
    plane: Array | None
    parts: tuple[Part, ...]
    meshes: tuple[Mesh, ...]
    runs: tuple[Run, ...]
    rod: float
    redundant: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def frames(self) -> int:
        """How many frames of the first run there are."""
        first, *_ = self.runs
        return len(first.time)


def scene_of(
    what: Mechanism | Result, others: Sequence[Result] = (), *, most_frames: int | None = None,
    base: str | PathLike[str] | None = None,
) -> Scene:  # fmt: skip
    """The scene of a mechanism at its start pose, or of a result.

    others : results of the same bodies, shown over the first. most_frames : of each, as many as fit if None.
    base : the folder that meshes with relative names are looked for in; left out, the model's own.
    Raises UsageError for results of other bodies or without a mechanism or samples, where there are no bodies and for
    a folder that is not there, ModelError for a mesh.
    """
    mechanism = what if isinstance(what, Mechanism) else mechanism_of(what)
    lowered = joints.with_near_points(mechanism.lower())
    lowered.need_bodies()
    notes: list[str] = []
    if isinstance(what, Mechanism):
        runs = [_start(lowered)]
    else:
        runs = [_run(one, most_frames, notes) for one in (what, *others)]
        _same_bodies(runs)
        _tell_apart(runs)
    if base is None:
        base = _folder(mechanism, what)
    elif not Path(base).is_dir():
        raise UsageError(f"there is no folder {str(base)!r} to look for meshes in (base, --base).")
    size = size_of(mechanism, lowered)
    meshes = Meshes(base)
    first, *_ = runs
    r = radius_of(mechanism, lowered, size)
    parts = body_parts(mechanism, lowered, size, r, meshes)
    travel = joints.travels(lowered, first.position, first.rotation)
    parts += joints.joint_parts(lowered, r, size, travel)
    fixed = [np.array(p) for s in lowered.lines for b, p in ((s.body_i, s.s_i), (s.body_j, s.s_j)) if b < 0]
    boxes = [box_of(parts, run.position, run.rotation, fixed) for run in runs]
    low, high = np.min([b[0] for b in boxes], axis=0), np.max([b[1] for b in boxes], axis=0)
    return Scene(
        mechanism, lowered, size, low, high, _plane(lowered, first, size), tuple(parts), tuple(meshes.meshes),
        tuple(runs), r, _redundant(mechanism), (*notes, *meshes.notes),
    )  # fmt: skip


def mechanism_of(result: Result) -> Mechanism:
    """The mechanism that a result ran with. Raises UsageError where the result does not hold it."""
    if not result.mechanism_document:
        raise UsageError("this result does not hold its mechanism, so there is nothing to draw its bodies by.")
    mechanism = Mechanism.from_dict(json.loads(result.mechanism_document))
    if tuple(body.name for body in mechanism.bodies) != tuple(result.bodies):
        raise UsageError("this result's bodies are not those of the mechanism that it holds.")
    return mechanism


def _folder(mechanism: Mechanism, what: Any) -> Path | None:
    """Where the model's file is, as far as it is known."""
    files = (mechanism.file, what.info.get("model_file") if isinstance(what, Result) else None)
    return next((Path(file).parent for file in files if file), None)


def _start(lowered: Lowered) -> Run:
    position = np.array([body.position for body in lowered.bodies]).reshape(1, -1, 3)
    rotation = np.array([body.rotation for body in lowered.bodies]).reshape(1, -1, 3, 3)
    return Run("start pose", None, np.zeros(1, dtype=np.int64), np.zeros(1), position, rotation)


def _run(result: Result, most: int | None, notes: list[str]) -> Run:
    frames, note = frames_of(result, most)
    if not frames.size:
        raise UsageError("this result has no sample with finite poses: there is nothing to show.")
    info = result.info
    method = ", ".join(str(info[key]) for key in ("formulation", "integrator") if info.get(key))
    label = str(info.get("label") or method or "run")
    if note:
        notes.append(note)
    position, rotation = taken(result, "position", frames), taken(result, "rotation", frames)
    return Run(label, result, frames, np.asarray(result.time)[frames], position, rotation)


def _same_bodies(runs: list[Run]) -> None:
    (first, *rest) = (run.result for run in runs)
    for other in rest:
        if first is not None and other is not None and other.bodies != first.bodies:
            raise UsageError(
                f"results that are shown over each other must have the same bodies: {', '.join(first.bodies[:8])}; "
                f"and {', '.join(other.bodies[:8])}."
            )


def _tell_apart(runs: list[Run]) -> None:
    """Runs of one method get their step, or a number, behind their label."""
    labels = [run.label for run in runs]
    for k, run in enumerate(runs):
        if labels.count(run.label) > 1:
            step = run.result.info.get("step") if run.result is not None else None
            more = f"step {step:g} s" if isinstance(step, (int, float)) else f"run {k + 1}"
            object.__setattr__(run, "label", f"{run.label}, {more}")
    labels = [run.label for run in runs]
    for k, run in enumerate(runs):
        if labels.count(labels[k]) > 1:
            object.__setattr__(run, "label", f"{labels[k]} ({k + 1})")


def _plane(lowered: Lowered, run: Run, size: float) -> Array | None:
    """The plane of a run's motion; of a single pose, the one that its joints' axes are normal to."""
    axes = _axes(lowered)
    if not lowered.bodies or (len(run.time) < 2 and not axes):
        return None
    if len(run.time) < 2:
        turning = any(
            joints.glyph_of(joint.type) in ("", "ball", "cross", "disc") for joint in lowered.joints if joint.markers
        )
        parallel = all(np.linalg.norm(np.cross(axes[0], axis)) < 1e-6 for axis in axes)
        return axes[0] if parallel and not turning else None
    return plane_of(run.position, run.rotation, axes[:3], size)


def _axes(lowered: Lowered) -> list[Array]:
    """Directions of joints at the start, global."""
    found = []
    for joint in lowered.joints:
        if joint.markers is not None:
            A = lowered.bodies[joint.body_j].rotation if joint.body_j >= 0 else np.eye(3)
            _, marker = joint.markers
            found.append(A @ np.array(marker.z))
    return found


def _redundant(mechanism: Mechanism) -> tuple[str, ...]:
    """Names of elements some of whose rows others imply."""
    if len(mechanism.bodies) > MANY:
        return ()
    try:
        return tuple(dict.fromkeys(one.element for one in mechanism.check().redundant))
    except LinkworkError:
        return ()
