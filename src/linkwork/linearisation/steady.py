"""Steady motions: `steady_motion(mech, turning=...)` finds one in which everything turns about a fixed axis and
bodies may spin about axes of symmetry: a governor, a top in precession, a disc or a bicycle that rolls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.relocated import relocated
from linkwork.analysis.state import State
from linkwork.arguments import names_of
from linkwork.errors import NoEquilibriumError, UsageError
from linkwork.header import near_names
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.motions import forces_in_words
from linkwork.linearisation.reactions import reactions_of
from linkwork.linearisation.start import compiled_of, turn_rate, where
from linkwork.linearisation.steady_search import BALANCED, Free, search
from linkwork.linearisation.turning_motion import TurningMotion, accelerations_of
from linkwork.mechanism import Mechanism
from linkwork.result import Reaction
from linkwork.shown import Shown, counted
from linkwork.system import CompiledMechanism
from linkwork.system.assembly import assemble

Array = NDArray[np.float64]
Keep = Literal["spins", "pose"] | Sequence[str] | None
LASTING = 1e-7  # of lengths and of accelerations
LATER = (0.37, 1.91, 4.73)  # rad of turn or spin after which the motion is looked at again


@dataclass(frozen=True, repr=False)
class SteadyMotion(Shown):
    """A motion in which everything turns with one angular velocity while bodies may spin about axes of symmetry.

    state : poses and velocities at one instant. turning (3,) : rad/s, global. drift (3,) : m/s, global: the velocity of
    every body's centre of mass is turning x r + drift. spin (nb,) : rad/s, of each body about its axis of symmetry,
    besides turning; axis (nb, 3) : these axes, in the body; zero for bodies that have none.
    residual : what is out of balance along the freedoms, as a share of the forces that act. multipliers (nc,) : N,
    N/m or N m by row. moved, turned : how far each body went from where the search began, m and rad.
    iterations : Newton steps.
    """

    state: State
    turning: tuple[float, ...]
    drift: Array
    spin: Array
    axis: Array
    residual: float
    multipliers: Array
    bodies: tuple[str, ...]
    moved: Array
    turned: Array
    iterations: int
    _source: Mechanism
    _at: CompiledMechanism
    _free: Free

    @cached_property
    def mechanism(self) -> Mechanism:
        """The mechanism with the steady motion as its start state, to run or to save."""
        return relocated(self._source, self._at)

    @cached_property
    def reactions(self) -> Mapping[str, Reaction]:
        """By name of joint, driver or raw constraint, as in `Result.reaction`: N, N m, global components."""
        return reactions_of(self._at, self.state.time, self.multipliers)

    def told(self) -> str:
        """Of what, and how fast it turns."""
        speed = float(np.linalg.norm(self.turning))
        return f"of {self._source.name!r}: turning with {speed:.6g} rad/s, {counted(len(self.bodies), 'body')}"

    def text(self) -> str:
        """In words."""
        w, d = (", ".join(f"{x:.6g}" for x in part + 0.0) for part in (np.array(self.turning), self.drift))
        lines = [
            f"steady motion: everything turns with ({w}) rad/s about the origin and moves on with ({d}) m/s; out of "
            f"balance by {self.residual:.1e} of the forces that act, {self.iterations} Newton steps"
        ]
        for k, name in enumerate(self.bodies):
            place = ", ".join(f"{x:.6g}" for x in self.state.position[k] + 0.0)
            spins = f"; spins with {self.spin[k]:.6g} rad/s" if self.spin[k] else ""
            lines.append(
                f"  {name}: at ({place}) m; moved by {self.moved[k]:.3g} m, turned by {self.turned[k]:.3g} rad{spins}"
            )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "state": self.state.to_dict(),
            "turning": list(self.turning),
            "drift": self.drift.tolist(),
            "spin": dict(zip(self.bodies, self.spin.tolist(), strict=True)),
            "residual": self.residual,
            "iterations": self.iterations,
        }


def steady_motion(
    mech: Mechanism,
    at: State | None = None,
    *,
    turning: Sequence[float],
    keep: Keep = "spins",
    t: float | None = None,
) -> SteadyMotion:
    """The steady motion near a state: accelerations are those of turning and spinning alone.

    With omega = A^T W + s e and v = W x r + d, the unknowns are poses, the common drift d and the spins s about axes e
    of symmetric inertia: phi = 0, G u = nu and Y^T (f - h - M udot) = 0 with udot = (W x v, (A^T W) x s e) [m/s^2,
    rad/s^2]. Newton's steps of least size; derivatives are exact.

    Parameters
    ----------
    mech : every body needs mass and inertia. Rolling discs, loops, redundant rows and springs are allowed.
    at : where the search begins: poses, and spins by its velocities; the assembled start state if left out.
    turning : (3,) rad/s, global: W. Zero for a straight motion. Gravity has to lie along it.
    keep : 'spins' finds the pose for the spins that bodies have; 'pose' finds the spins for the pose; None changes both
        as little as possible; names of bodies keep the spins of these alone.
    t : s, at which drivers and loads are taken; the state's time if left out.

    Raises NoEquilibriumError, naming the bodies that are out of balance; UsageError where gravity is not along the
    axis, or what is found does not stay so; AssemblyError, ModelError.
    """
    compiled, time = compiled_of(mech, at, t)
    W, free = turn_rate(compiled, turning), free_of(keep, tuple(compiled.body_names))
    start = _assembled(compiled, time, at)
    return _found(mech, TurningMotion.of(start, W), None if at is None else at.counted_angles, time, free)


def moved_motion(motion: SteadyMotion, mech: Mechanism) -> SteadyMotion:
    """The steady motion of a mechanism that differs by a little, found from this one: W and what was kept are the same.

    Raises what `steady_motion` raises, UsageError where a body loses its axis of symmetry.
    """
    compiled, time = compiled_of(mech, motion.state, None)
    start, W = _assembled(compiled, time, motion.state), np.array(motion.turning)
    near = TurningMotion.of(start, W)
    lost = np.flatnonzero(np.any(motion.axis != 0.0, axis=1) & ~np.any(near.axis != 0.0, axis=1))
    if len(lost):
        raise UsageError(
            f"body '{motion.bodies[lost[0]]}' has no axis of symmetry beside: its spin would not stay steady.",
            element=f"mechanism {mech.name!r}",
            remedy="Change both moments of inertia across the axis together: let a parameter stand in both.",
        )
    signs = np.where(np.einsum("bi,bi->b", near.axis, motion.axis) < 0.0, -1.0, 1.0)
    guess = TurningMotion(start, W, motion.drift, motion.spin, signs[:, None] * near.axis).moving()
    return _found(mech, guess, motion.state.counted_angles, time, motion._free)


def _found(
    mech: Mechanism, guess: TurningMotion, counted_angles: Array | None, time: float, free: Free
) -> SteadyMotion:
    """The steady motion near a guess."""
    start, W = guess.at, guess.turning
    found = search(guess, AppliedForces(start, counted_angles), time, free)
    now, e = found.guess, found.equations
    if found.residual > BALANCED:
        raise NoEquilibriumError(
            f"no steady motion was found: where the search ended, out of balance are "
            f"{forces_in_words(found.left.reshape(-1, 6), e.at.body_names, e.at.extent)}, and rows are off by "
            f"{found.off:.3g} of the speeds and sizes.",
            element=f"mechanism {mech.name!r}",
            remedy="Start nearer to it (at=, or another start state), or let more change (keep=None).",
        )
    place = where(e)
    _need_lasting(now, e)
    nb, A = start.nb, start.A[: start.nb].reshape(-1, 3, 3)
    turn = np.einsum("bij,bik->bjk", A, e.at.A[:nb].reshape(nb, 3, 3))
    return SteadyMotion(
        state=place,
        turning=tuple(W.tolist()),
        drift=now.drift,
        spin=now.spin,
        axis=now.axis,
        residual=found.residual,
        multipliers=found.multipliers,
        bodies=tuple(e.at.body_names),
        moved=np.linalg.norm(e.at.r[:nb] - start.r[:nb], axis=1),
        turned=np.arccos(np.clip(0.5 * (np.trace(turn, axis1=1, axis2=2) - 1.0), -1.0, 1.0)),
        iterations=found.iterations,
        _source=mech,
        _at=e.at,
        _free=free,
    )


def _assembled(compiled: CompiledMechanism, t: float, at: State | None) -> CompiledMechanism:
    """Poses that fit the rows; velocities too where they are the description's own."""
    if at is None:
        found = assemble(compiled, t)
        return compiled.at(found.pose.r, found.pose.A, found.rates.v, found.rates.w)
    still = compiled.at(compiled.r, compiled.A, np.zeros_like(compiled.v), np.zeros_like(compiled.w))
    pose = assemble(still, t, keep_velocities=True).pose
    return compiled.at(pose.r, pose.A, compiled.v, compiled.w)


def free_of(keep: Keep, bodies: tuple[str, ...]) -> Free:
    """Raises UsageError for another word, and for a body that does not exist."""
    if keep is None or isinstance(keep, str):
        if keep not in (None, "spins", "pose"):
            raise UsageError(f"keep is {keep!r}; it may be 'spins', 'pose', None, or names of bodies.")
        return Free(keep != "pose", np.full(len(bodies), keep != "spins"))
    keep = names_of("keep", keep)
    missing = [name for name in keep if name not in bodies]
    if missing:
        raise UsageError(f"keep names no body {missing[0]!r}.", remedy=near_names(missing[0], bodies))
    return Free(True, np.array([name not in keep for name in bodies]))


def _need_lasting(guess: TurningMotion, e: Equations) -> None:
    """Raise UsageError where the motion, carried on as it is, leaves the rows or its balance."""
    here = accelerations_of(guess)
    size = max(
        float(np.max(np.abs(here / e.unit), initial=0.0)), float(np.max(np.abs(e.u / e.unit), initial=0.0)), 1e-9
    )
    for angle in LATER:
        at = guess.later(angle)
        then = Equations(at, e.applied, e.time)
        udot, _ = then.accelerations()
        wanted = accelerations_of(TurningMotion(at, guess.turning, guess.drift, guess.spin, guess.axis))
        off = np.abs((udot - wanted) / e.unit).reshape(-1, 6).max(axis=1)
        rows = np.where(then.velocity_level, 0.0, np.abs(then.phi)) / then.row_units
        if float(np.max(rows, initial=0.0)) > LASTING or float(off.max()) > LASTING * size:
            told = (
                f"row '{e.at.row_names[int(np.argmax(rows))]}' opens"
                if float(np.max(rows, initial=0.0)) > LASTING
                else f"body '{e.at.body_names[int(np.argmax(off))]}' is accelerated otherwise"
            )
            raise UsageError(
                f"the motion does not stay steady: {told} as it turns.",
                element=f"mechanism {e.at.lowered.name!r}",
                remedy="A steady motion needs joints, forces and gravity that look alike from every angle of the turn.",
            )
