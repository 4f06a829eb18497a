"""A mode of small vibration as a result: one period at constant amplitude, to be viewed, filmed and plotted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from linkwork.arguments import positive_number, whole_number
from linkwork.equations.derived import MechanismDeriver
from linkwork.errors import UsageError
from linkwork.kernels.so3 import exp_so3
from linkwork.result import Result
from linkwork.run.recording import new_header
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.assembly import fit_positions, fit_velocities
from linkwork.system.dense import Pose, drives

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from linkwork.linearisation.modes import Modes

FAR, WIDE = 0.1, 0.25  # of the mechanism's length, and rad: the largest move and turn, unless an amplitude is given
STILL = 1.0  # s, the period shown of a mode whose eigenvalue is zero


def mode_motion(modes: Modes, mode: int, amplitude: float | None = None, samples: int = 60) -> Result:
    """What `Modes.motion` says."""
    count = len(modes.eigenvalues)
    if not count:
        raise UsageError("there are no modes: the mechanism has no freedom.")
    if whole_number("mode", mode, 0) >= count:
        raise UsageError(f"there are {count} modes, 0 to {count - 1}, no mode {mode}.")
    samples = whole_number("samples", samples, 2)
    mechanism = modes.mechanism
    still = np.zeros_like(modes.state.velocity)
    rest = replace(modes.state, velocity=still, angular_velocity=still)
    at = rest.within(compile_mechanism(mechanism.lower()))
    shape = modes.shapes[mode]
    if amplitude is None:
        moves, rotations = (np.linalg.norm(part, axis=1).max() for part in (shape[:, :3], shape[:, 3:]))
        amplitude = float(1.0 / max(moves / (FAR * at.extent), rotations / WIDE, 1e-300))
    amplitude = positive_number("amplitude", amplitude, "m or rad")
    rate = float(np.abs(modes.eigenvalues[mode])) or 2.0 * np.pi / STILL
    phases = 2.0 * np.pi * np.arange(samples + 1) / samples
    drive = drives(at, modes.state.time)
    drive[:, 1:] = 0.0
    poses, rates = [], []
    for phase in phases:
        turn = amplitude * np.exp(1j * phase) * shape
        pose, rate_here = _moved(at, turn.real, (1j * rate * turn).real, drive)
        poses.append(pose)
        rates.append(rate_here)
    frequency, damping = modes.frequencies[mode], modes.damping_ratios[mode]
    words = f"mode {mode}, {frequency:.4g} Hz, damping ratio {round(damping, 9) + 0.0:.3g}"
    settings = {
        "analysis": "mode", "label": words, "mode": mode, "amplitude": amplitude,
        "frequency": float(frequency), "damping_ratio": float(damping),
    }  # fmt: skip
    nb = at.nb
    arrays = {
        "time": phases / rate,
        "position": np.array([pose.r[:nb] for pose in poses]),
        "rotation": np.array([pose.A[:nb].reshape(nb, 3, 3) for pose in poses]),
        "velocity": np.array([v for v, _ in rates]),
        "angular_velocity": np.array([w for _, w in rates]),
    }
    header = new_header(mechanism, at, settings)
    return Result(header, arrays, derive=MechanismDeriver(at), message=f"{words}: one period at constant amplitude")


def _moved(
    at: CompiledMechanism, by: NDArray[np.float64], rate: NDArray[np.float64], drive: NDArray[np.float64]
) -> tuple[Pose, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """The pose moved by (nb, 6) small displacements, brought back onto the joints; velocities that these allow."""
    nb, r, A = at.nb, at.r.copy(), at.A.copy()
    r[:nb] += by[:, :3]
    turned = np.array([np.array(exp_so3(tuple(x))).reshape(3, 3) for x in by[:, 3:]])
    A[:nb] = (A[:nb].reshape(nb, 3, 3) @ turned).reshape(nb, 9)
    pose = fit_positions(at, Pose(r, A), drive, attempts=0).pose
    v, w = np.zeros_like(at.v), np.zeros_like(at.w)
    v[:nb], w[:nb] = rate[:, :3], rate[:, 3:]
    found, _, _ = fit_velocities(at.at(pose.r, pose.A, v, w), pose, drive)
    return pose, (found.v[:nb], found.w[:nb])
