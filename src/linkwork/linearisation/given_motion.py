"""The motion that inverse dynamics is asked for, instant by instant, and whether the joints allow it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.accelerations import Accelerations
from linkwork.analysis.state import State
from linkwork.arguments import numbers_in
from linkwork.errors import AssemblyError, UsageError
from linkwork.kernels.angles import count_angles
from linkwork.kernels.couplings import PHI
from linkwork.linearisation.equations import Equations
from linkwork.result import Result
from linkwork.system import CompiledMechanism
from linkwork.system.couplings import angles_at_start, placed
from linkwork.system.dense import Pose, drives, velocity_rhs

Array = NDArray[np.float64]
ASSEMBLED, RECORDED = 1e-6, 1e-3  # of the typical length: of a state that is given; of samples of a run, which drift
ALLOWED = 1e-6  # of the accelerations that there are


class Instant(NamedTuple):
    """The mechanism at a state, its time [s], accelerations (6 nb,), counted angles where a state brings them along,
    and whether it is a sample of a run."""

    at: CompiledMechanism
    time: float
    udot: Array
    angles: Array | None
    recorded: bool


def instants_of(compiled: CompiledMechanism, motion: Any, state: State | None, time: float) -> Iterator[Instant]:
    """One after the other. Raises UsageError for what is no motion of this mechanism."""
    nb = compiled.nb
    if isinstance(motion, Accelerations):
        there, udot = motion.state, np.hstack([motion.rddot, motion.omegadot])
        yield Instant(there.within(compiled), there.time, udot.ravel(), there.counted_angles, False)
        return
    if not isinstance(motion, Result):
        numbers = numbers_in(motion)
        udot = np.array(np.nan) if numbers is None else numbers
        if udot.shape != (nb, 6) or not np.all(np.isfinite(udot)):
            shape = "numbers that are not finite" if udot.shape == (nb, 6) else udot.shape or repr(motion)[:60]
            raise UsageError(
                f"a motion of {nb} bodies has ({nb}, 6) finite accelerations, not {shape}.",
                remedy="A result of kinematics or of a run, or what linkwork.accelerations gives, is a motion, too.",
            )
        yield Instant(compiled, time, udot.ravel(), state.counted_angles if state is not None else None, False)
        return
    wanted = ("position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration")
    missing = [name for name in wanted if name not in motion]
    if missing:
        raise UsageError(
            f"the result has no {missing[0]}.", remedy="Record it: inverse dynamics needs the whole motion."
        )
    r, A, v, w, a, alpha = (motion[name] for name in wanted)
    if tuple(motion.bodies) != tuple(compiled.body_names):
        raise UsageError(
            f"the result is of another mechanism: its bodies are {', '.join(motion.bodies)}, those of "
            f"{compiled.lowered.name!r} {', '.join(compiled.body_names)}."
        )
    ground = compiled.at(compiled.r.copy(), compiled.A.copy(), compiled.v.copy(), compiled.w.copy())
    before = angles_at_start(compiled).copy()
    for k, t in enumerate(motion.time):
        columns = [x.copy() for x in (ground.r, ground.A, ground.v, ground.w)]
        for column, x in zip(columns, (r[k], A[k].reshape(nb, 9), v[k], w[k]), strict=True):
            column[:nb] = x
        at, udot = compiled.at(*columns), np.hstack([a[k], alpha[k]]).ravel()
        if not len(compiled.couplings.about):
            yield Instant(at, float(t), udot, None, True)
            continue
        at = replace(at, counted_angles=before.copy())
        need_angles(at, float(t))
        yield Instant(at, float(t), udot, at.counted_angles, True)
        count_angles(at.system, at.A, before, before)


def need_angles(at: CompiledMechanism, t: float) -> None:
    """Raise UsageError where a coupling's angle has turned so far since the sample before that its turns are in doubt,
    and its law with them."""
    phi = placed(at, at.r, at.A, drives(at, t)).row[:, PHI]
    if not np.all(np.isfinite(phi)):
        name = at.lowered.couplings[int(np.argmin(np.isfinite(phi)))].name
        raise UsageError(
            f"an angle of coupling {name!r} is in doubt at t = {t:g} s: more than 135 degrees from the sample before.",
            element=f"mechanism {at.lowered.name!r}",
            remedy="Record the motion at more times.",
        )


def need_possible(e: Equations, one: Instant, passive: Any) -> None:
    """Raise AssemblyError for poses or velocities that do not fit the rows of joints, UsageError for accelerations.

    passive (nc,) : rows that are no actuators. Samples of a run are asked for their poses alone, as runs drift.
    """
    if not np.any(passive):
        return
    at, t, u = e.at, e.time, e.u
    held = np.where(passive & ~e.velocity_level, np.abs(e.phi), 0.0)
    off = [("is off by", held, RECORDED if one.recorded else ASSEMBLED)]
    if not one.recorded:
        wanted = velocity_rhs(at, Pose(at.r, at.A), e.drive)
        rates = np.where(passive, np.abs(e.rows_alone @ u - wanted), 0.0)
        speed = max(float(np.max(np.abs(u / e.unit), initial=0.0)), float(np.max(np.abs(wanted) / e.row_units)))
        off.append(("changes at a wrong rate, by", rates, ASSEMBLED * speed))
    for what, amount, limit in off:
        k = int(np.argmax(amount / e.row_units))
        if not amount[k] <= limit * e.row_units[k]:
            raise AssemblyError(
                f"the state does not fit the joints at t = {t:g} s: row '{at.row_names[k]}' {what} {amount[k]:.3g}.",
                element=f"mechanism {at.lowered.name!r}",
                remedy="Take a state of a result of this mechanism, or assemble the mechanism there first.",
            )
    if one.recorded:
        return
    missed = np.where(passive, np.abs(e.rows_alone @ one.udot - e.gamma), 0.0)
    size = max(float(np.max(np.abs(one.udot / e.unit))), float(np.max(np.abs(u / e.unit))) ** 2)
    size = max(size, float(np.max(np.abs(e.gamma) / e.row_units)))
    k = int(np.argmax(missed / e.row_units))
    if not missed[k] <= ALLOWED * size * e.row_units[k]:
        raise UsageError(
            f"the joints do not allow these accelerations at t = {t:g} s: row '{at.row_names[k]}' is missed by "
            f"{missed[k]:.3g}.",
            element=f"mechanism {at.lowered.name!r}",
            remedy="Take those of kinematics, of a run or of linkwork.accelerations: they fit the joints.",
        )
