"""All equilibria near a pose, by deflation; and how one changes with a number, through folds, by arc-length steps."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State
from linkwork.arguments import numbers_in, positive_number, whole_number
from linkwork.errors import UsageError
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.arc import BranchPoint, Curve
from linkwork.linearisation.deflated_starts import moves_along_freedoms, moves_behind_ends
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.equilibrium import Equilibrium, described, equilibrium
from linkwork.linearisation.newton import Rest, apart, search
from linkwork.mechanism import Mechanism
from linkwork.shown import Shown, counted
from linkwork.system import CompiledMechanism
from linkwork.system.dense import Pose

Array = NDArray[np.float64]
DIFFERENT = 1e-6  # rad, or typical lengths, between poses that are not the same


def equilibria(
    mech: Mechanism, at: State | None = None, *, t: float | None = None, most: int = 20
) -> tuple[Equilibrium, ...]:
    """Equilibria that deflated searches find from the start pose and from poses beside it, nearest first.

    Each search is led away from what is known; one begins on the other side of the start pose from each of these, and
    others where one end of a spring, or of another force along a length, is behind the other. It ends where none of
    them finds another. There is no proof that these are all. Only isolated ones: a mechanism with freedoms that nothing
    restores has no end of them.

    most : how many at most. Raises NoEquilibriumError where there is none, and what `equilibrium` raises.
    """
    most = whole_number("most", most)
    first = equilibrium(mech, at, t=t)
    found = [first]
    start, time = first.origin, first.state.time
    while len(found) < most:
        other = _another(start, time, [one.compiled for one in found])
        if other is None:
            break
        found.append(described(mech, other, start))
    return tuple(found)


def _another(start: CompiledMechanism, t: float, known: list[CompiledMechanism]) -> Rest | None:
    """One that is not known yet."""
    free = Equations(start, AppliedForces(start), t).displacements
    along, mirrored = moves_along_freedoms(start, free), [(start, -apart(one, start)) for one in known]
    ends = ((base, move) for base in (start, known[-1]) for move in moves_behind_ends(base, free))
    for base, move in (*mirrored, *((base, move) for base in (start, known[-1]) for move in along), *ends):
        pose = Pose(base.r, base.A).moved(move)
        found = search(base.at(pose.r, pose.A, base.v, base.w), AppliedForces(start), t, known=tuple(known))
        if found.found and all(_distance(found.equations.at, one) > DIFFERENT for one in known):
            return found
    return None


def _distance(at: CompiledMechanism, other: CompiledMechanism) -> float:
    """The largest move in typical lengths, or half of the largest change of a direction."""
    moved = float(np.max(np.abs(at.r - other.r))) / at.extent
    return max(moved, 0.5 * float(np.max(np.abs(at.A - other.A))))


@dataclass(frozen=True, repr=False)
class Branch(Shown):
    """Equilibria as a number changes, in order along the branch. folds : where the number turns back.

    bifurcations : where other branches cross this one, which goes on straight through them.
    complete : whether the number left its range; else the branch goes on, and `message` says how to follow it.
    """

    points: tuple[BranchPoint, ...]
    folds: tuple[BranchPoint, ...]
    bifurcations: tuple[BranchPoint, ...] = ()
    complete: bool = True
    message: str = ""

    def told(self) -> str:
        """How many equilibria, between which numbers, folds and bifurcations."""
        v = self.values
        between = f", from {v[0]:.6g} to {v[-1]:.6g}" if len(v) else ""
        crossed = f", {counted(len(self.bifurcations), 'bifurcation')}" if self.bifurcations else ""
        whole = "" if self.complete else "; not to its end"
        return f"of {len(v)} equilibria{between}, {counted(len(self.folds), 'fold')}{crossed}{whole}"

    @property
    def values(self) -> Array:
        """(n,) of the number."""
        return np.array([point.value for point in self.points])

    def position(self, body: str) -> Array:
        """(n, 3) m, of the centre of mass of a body, global."""
        return np.array([point.equilibrium.position(body) for point in self.points])

    @property
    def stability(self) -> tuple[str, ...]:
        """(n,) of each equilibrium."""
        return tuple(point.equilibrium.stability for point in self.points)


def branch(
    family: Callable[[float], Mechanism],
    values: tuple[float, float],
    at: State | None = None,
    *,
    t: float | None = None,
    step: float = 0.05,
    most: int = 400,
) -> Branch:
    """Follow an equilibrium while a number changes, through folds, by steps along its arc.

    Parameters
    ----------
    family : number -> mechanism. The number may change forces, masses and gravity, not joints.
    values : where the branch begins, and where it ends (or where it comes back to the first on the other side).
    at : where the first equilibrium is searched for; the first mechanism's start state if left out.
    step : along the arc, at most: rad, or typical lengths, and shares of the range of values. It is shortened where the
        branch bends more, so that none is left for another beside it.
    most : how many points at most. Where the branch goes on beyond them, a warning says so, and `Branch.message`.

    Raises NoEquilibriumError where there is none to begin with, or where the branch is lost; UsageError.
    """
    most = whole_number("most", most)
    ends = numbers_in(values)
    begin, end = (np.nan, np.nan) if ends is None or ends.shape != (2,) else ends.tolist()
    if not callable(family):
        raise UsageError(
            f"family must be a function from a number to a mechanism, not {type(family).__name__}.",
            remedy="Write one that builds the mechanism, or changes a loaded one, for a number.",
        )
    step = positive_number("step", step)
    if not (np.isfinite(begin) and np.isfinite(end) and begin != end):
        raise UsageError("values must be two different finite numbers.")
    first = equilibrium(family(begin), at, t=t)
    curve = Curve(family, begin, end - begin, first.state.time)
    here, value = first.compiled, 0.0
    tangent = curve.tangent(here, value, None)
    points, folds = [curve.point(here, value, tangent)], list[BranchPoint]()
    bifurcations: list[BranchPoint] = []
    while len(points) < most and -1e-9 <= value <= 1.0:
        ahead, crossing = curve.ahead(here, value, tangent, step)
        if crossing is not None:
            bifurcations.append(crossing)
        if ahead.tangent.rate * tangent.rate < 0.0:
            folds.append(curve.fold(here, value, tangent, ahead.step))
        here, value, tangent = ahead.at, ahead.value, ahead.tangent
        points.append(curve.point(here, value, tangent))
    found = tuple(points), tuple(folds), tuple(bifurcations)
    others = f"; other branches cross it at {', '.join(f'{one.value:.6g}' for one in bifurcations)}"
    others = others if bifurcations else ""
    if not -1e-9 <= value <= 1.0:
        return Branch(*found, message=f"the number left its range{others}")
    reached = points[-1].value
    onward = end if tangent.rate > 0.0 else begin
    message = (
        f"the branch goes on: it was followed to {most} points (most), up to {reached:g} of {begin:g} to {end:g}. Give "
        f"a larger most or step, or go on from its last point with branch(family, ({reached!r}, {onward!r}), "
        f"at=found.points[-1].equilibrium.state){others}"
    )
    warnings.warn(message, RuntimeWarning, stacklevel=2)
    return Branch(*found, complete=False, message=message)
