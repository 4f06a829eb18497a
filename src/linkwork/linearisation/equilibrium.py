"""Static equilibrium: `equilibrium(mech)` finds a pose in which forces and reactions balance at rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.relocated import relocated
from linkwork.analysis.state import State
from linkwork.arguments import yes_or_no
from linkwork.errors import NoEquilibriumError, UsageError
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.motions import forces_in_words
from linkwork.linearisation.newton import Rest, drowned, search
from linkwork.linearisation.reactions import reactions_of
from linkwork.linearisation.restoring import signs
from linkwork.linearisation.sensitivity import sensitivity
from linkwork.linearisation.start import compiled_of, need_fit, turn_rate, where
from linkwork.linearisation.unrestored import unrestored
from linkwork.mechanism import Mechanism
from linkwork.one_thread import one_blas_thread
from linkwork.result import Reaction
from linkwork.shown import Shown, counted
from linkwork.system import CompiledMechanism
from linkwork.system.assembly import assemble
from linkwork.system.couplings import refuse_couplings
from linkwork.system.dense import drives

Array = NDArray[np.float64]
LIGHT = 1e-9  # of the heaviest body


@dataclass(frozen=True, repr=False)
class Equilibrium(Shown):
    """A pose at rest in which nothing is out of balance.

    state : poses of all bodies, velocities zero. residual : what is out of balance along the freedoms, as a share of
    the forces that act. multipliers (nc,) : N, N/m or N m by row, the least ones where rows are redundant.
    stiffness (n, n) : of the freedoms, in a basis in which a unit is a turn of 1 rad or a move of the mechanism's
    typical length; N m. Symmetric where all forces have a potential and all rows are on position level.
    stability : 'stable', 'unstable' or 'neutral', by the sign of the least stiffness; damping and gyroscopic terms are
    not in it. 'rigid' where there is no freedom.
    unrestored : freedoms that no force brings back, in words, one by one.
    turning : rad/s, of a steady motion, else None.
    moved, turned : how far each body went from where the search began, m and rad. iterations : Newton steps.
    """

    state: State
    residual: float
    multipliers: Array
    stiffness: Array
    stability: str
    unrestored: tuple[str, ...]
    bodies: tuple[str, ...]
    rows: tuple[str, ...]
    moved: Array
    turned: Array
    iterations: int
    turning: tuple[float, ...] | None
    _source: Mechanism
    _rest: Rest
    origin: CompiledMechanism

    @property
    def compiled(self) -> CompiledMechanism:
        """The compiled mechanism at the equilibrium; `origin` is where the search began."""
        return self._rest.equations.at

    @cached_property
    def mechanism(self) -> Mechanism:
        """The mechanism with the equilibrium as its start state, to run or to save."""
        return relocated(self._source, self._rest.equations.at)

    @cached_property
    def reactions(self) -> Mapping[str, Reaction]:
        """By name of joint, driver or raw constraint, as in `Result.reaction`: N, N m, global components."""
        return reactions_of(self._rest.equations.at, self.state.time, self.multipliers)

    def position(self, body: str) -> Array:
        """(3,) m, of the centre of mass, global."""
        if str(body) not in self.bodies:
            raise UsageError(f"there is no body {body!r}; there are {', '.join(self.bodies)}.")
        found: Array = self.state.position[self.bodies.index(body)]
        return found

    def sensitivity(self, name: str) -> Array:
        """(nb, 6) how all bodies move per unit of a number: translation global [m], rotation in the body [rad]. Exact.

        name : SPRING.stiffness, SPRING.length (or .angle), BODY.mass, or an input of `linearise`
        (a load's component, an actuator). Raises UsageError.
        """
        if self.turning is not None:
            raise UsageError(
                "exact sensitivities are those of equilibria at rest.",
                remedy="Of a steady motion take linkwork.sensitivities(found, of=..., to=...).",
            )
        return sensitivity(self._rest, name)

    def told(self) -> str:
        """Of what, and how stable."""
        freedoms = counted(len(self.stiffness), "freedom")
        return f"of {self._source.name!r} at t = {self.state.time:g} s: {self.stability}, {freedoms}"

    def text(self) -> str:
        """In words."""
        n = len(self.stiffness)
        lines = [
            f"equilibrium at t = {self.state.time:g} s: {self.stability}; {counted(n, 'freedom')}, "
            f"out of balance by {self.residual:.1e} of the forces that act, {self.iterations} Newton steps"
        ]
        for name, r, moved, turned in zip(self.bodies, self.state.position, self.moved, self.turned, strict=True):
            place = ", ".join(f"{x:.6g}" for x in r + 0.0)
            lines.append(f"  {name}: at ({place}) m; moved by {moved:.3g} m, turned by {turned:.3g} rad")
        lines += [f"no restoring force: {one}" for one in self.unrestored]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        bodies = {
            name: {
                "position": self.state.position[k].tolist(),
                "rotation": self.state.rotation[k].tolist(),
                "moved": float(self.moved[k]),
                "turned": float(self.turned[k]),
            }
            for k, name in enumerate(self.bodies)
        }
        return {
            "time": self.state.time,
            "stability": self.stability,
            "freedoms": len(self.stiffness),
            "residual": self.residual,
            "iterations": self.iterations,
            "unrestored": list(self.unrestored),
            "bodies": bodies,
            "multipliers": dict(zip(self.rows, self.multipliers.tolist(), strict=True)),
        }


@one_blas_thread()
def equilibrium(
    mech: Mechanism,
    at: State | None = None,
    *,
    t: float | None = None,
    stable: bool = False,
    turning: Sequence[float] | None = None,
) -> Equilibrium:
    """A static equilibrium of the mechanism near a state, or a steady motion in which everything turns.

    Parameters
    ----------
    mech : every body needs mass and inertia; gravity, loads, force elements and actuators count.
    at : where the search begins (velocities are ignored); the start state if left out. It is assembled first.
    t : s, at which drivers are held and loads are taken; the state's time if left out.
    stable : search downhill, so that the mechanism stays in what is found; else the nearest equilibrium by Newton's
        method, which may be unstable (`Equilibrium.stability`).
    turning : (3,) rad/s, global: everything turns with it about an axis through the global origin, as a governor does;
        drivers have to turn likewise. Gravity has to lie along the axis.

    Raises NoEquilibriumError, naming the bodies that are out of balance; AssemblyError, ModelError, UsageError.
    """
    downhill = yes_or_no("stable", stable)
    compiled, time = compiled_of(mech, at, t)
    W = None if turning is None else turn_rate(compiled, turning)
    if W is None:
        _need_rest(compiled, time)
    else:
        refuse_couplings(compiled, "equilibria in which everything turns", "Take linkwork.steady_motion.")
    still = compiled.at(compiled.r, compiled.A, np.zeros_like(compiled.v), np.zeros_like(compiled.w))
    pose = assemble(still, time, keep_velocities=True).pose
    start = still.at(pose.r, pose.A, still.v, still.w)
    applied = AppliedForces(start, at.counted_angles if at is not None else None)
    rest = search(start, applied, time, downhill=downhill, turning=W)
    if not rest.found:
        _need_equal_sizes(mech, rest)
        raise NoEquilibriumError(_missing(rest), element=f"mechanism {mech.name!r}", remedy=_remedy(rest, downhill))
    if W is not None:
        need_fit(rest.equations.at, time)
    return described(mech, rest, start, W)


def described(mech: Mechanism, rest: Rest, start: CompiledMechanism, turning: Array | None = None) -> Equilibrium:
    """What a search found, in words of a user."""
    e, nb, compiled = rest.equations, start.nb, start
    turn = np.einsum("bij,bik->bjk", start.A[:nb].reshape(nb, 3, 3), e.at.A[:nb].reshape(nb, 3, 3))
    cosine = np.clip(0.5 * (np.trace(turn, axis1=1, axis2=2) - 1.0), -1.0, 1.0)
    return Equilibrium(
        state=where(e),
        residual=rest.residual,
        multipliers=least_multipliers(rest),
        stiffness=rest.stiffness,
        stability=_stability(rest),
        unrestored=unrestored(rest),
        bodies=tuple(compiled.body_names),
        rows=tuple(compiled.row_names),
        moved=np.linalg.norm(e.at.r[:nb] - start.r[:nb], axis=1),
        turned=np.arccos(cosine),
        iterations=rest.iterations,
        turning=None if turning is None else tuple(turning.tolist()),
        _source=mech,
        _rest=rest,
        origin=start,
    )


def least_multipliers(rest: Rest) -> Array:
    """Of all multipliers that balance the forces the shortest."""
    e = rest.equations
    if e.velocities.rank == e.at.nc:
        return rest.multipliers
    return np.asarray(np.linalg.lstsq(e.G.T, rest.load, rcond=1e-10)[0])


def _need_rest(compiled: Any, t: float) -> None:
    """Raise UsageError for a row that prescribes a velocity."""
    f, rows = drives(compiled, t)[:, 0], compiled.system.rows
    moving = np.flatnonzero((rows.nonholonomic == 1) & (f != 0.0))
    if len(moving):
        raise UsageError(
            f"row '{compiled.row_names[moving[0]]}' prescribes a velocity of {f[moving[0]]:g} at t = {t:g} s: there is "
            "no rest.",
            element=f"mechanism {compiled.lowered.name!r}",
            remedy="Take a time at which it is zero, or linearise about a state of steady motion.",
        )


def _stability(rest: Rest) -> str:
    H = rest.stiffness
    if not H.size:
        return "rigid"
    if H.shape[0] != H.shape[1]:
        return "neutral"  # velocity-level rows leave places free that no force acts along
    return {1: "stable", 0: "neutral", -1: "unstable"}[int(np.min(signs(rest)))]


def _need_equal_sizes(mech: Mechanism, rest: Rest) -> None:
    """Raise NoEquilibriumError for bodies so light that what acts on them is lost in the rounding of others' forces."""
    light, mass = drowned(rest), rest.equations.at.system.bodies.mass
    few = light[mass[light] < LIGHT * float(np.max(mass))]
    if len(few):
        names = ", ".join(f"'{rest.equations.at.body_names[b]}'" for b in few[:3])
        raise NoEquilibriumError(
            f"forces on {names} are lost in the rounding of those on other bodies, {np.max(mass) / mass[few[0]]:.0e} "
            "times as heavy.",
            element=f"mechanism {mech.name!r}",
            remedy="Give it a mass nearer to those of the others, or fix it to another body.",
        )


def _missing(rest: Rest) -> str:
    e = rest.equations
    return (
        f"no equilibrium was found at t = {e.time:g} s: out of balance where the search ended are "
        f"{forces_in_words(rest.left.reshape(-1, 6), e.at.body_names, e.at.extent)}."
    )


def _remedy(rest: Rest, downhill: bool) -> str:
    free = unrestored(rest)
    if free:
        return f"Nothing brings back {free[0]}: hold it by a joint, a spring or a driver."
    other = "take the nearest by Newton's method (stable=False)" if downhill else "let it go downhill (stable=True)"
    return f"Start the search from a pose nearer to it (at=), {other}, or look at the loads."
