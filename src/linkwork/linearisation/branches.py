"""All equilibria near a pose, by deflation; and how one changes with a number, through folds, by arc-length steps."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State
from linkwork.arguments import numbers_in, positive_number, whole_number
from linkwork.errors import NoEquilibriumError, UsageError
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.equilibrium import Equilibrium, described, equilibrium
from linkwork.linearisation.newton import Rest, balance, search
from linkwork.linearisation.start import compiled_of
from linkwork.mechanism import Mechanism
from linkwork.shown import Shown, counted
from linkwork.system import CompiledMechanism
from linkwork.system.dense import Pose

Array = NDArray[np.float64]
DIFFERENT = 1e-6  # rad, or typical lengths, between poses that are not the same
STARTS = ((1.0, 0.1), (-1.0, 0.1), (1.0, 1.0), (-1.0, 1.0))  # sides and sizes of the moves that searches begin with
MET, ROUNDING = 1e-13, 1e-10  # corrections that end Newton's iteration; or these, if they shrink no more
CORRECTIONS, BISECTIONS = 12, 60


def equilibria(
    mech: Mechanism, at: State | None = None, *, t: float | None = None, most: int = 20
) -> tuple[Equilibrium, ...]:
    """Equilibria that deflated searches find from the start pose and from poses beside it, nearest first.

    Each search is led away from what is known; it ends where none of them finds another. There is no proof that these
    are all. Only isolated ones: a mechanism with freedoms that nothing restores has no end of them.

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
    moves = [np.zeros(6 * start.nb)]
    moves += [side * size * free.basis[:, k] for k in range(free.count) for side, size in STARTS]
    for base in (start, known[-1]):
        for move in moves:
            pose = Pose(base.r, base.A).moved(move)
            found = search(base.at(pose.r, pose.A, base.v, base.w), AppliedForces(start), t, known=tuple(known))
            if found.found and all(_distance(found.equations.at, one) > DIFFERENT for one in known):
                return found
    return None


def _distance(at: CompiledMechanism, other: CompiledMechanism) -> float:
    """The largest move in typical lengths, or half of the largest change of a direction."""
    moved = float(np.max(np.abs(at.r - other.r))) / at.extent
    return max(moved, 0.5 * float(np.max(np.abs(at.A - other.A))))


class BranchPoint(NamedTuple):
    """One equilibrium of a branch. value : of the number that changes. rate : how it changes along the branch."""

    value: float
    rate: float
    equilibrium: Equilibrium


@dataclass(frozen=True, repr=False)
class Branch(Shown):
    """Equilibria as a number changes, in order along the branch. folds : where the number turns back.

    complete : whether the number left its range; else the branch goes on, and `message` says how to follow it.
    """

    points: tuple[BranchPoint, ...]
    folds: tuple[BranchPoint, ...]
    complete: bool = True
    message: str = ""

    def told(self) -> str:
        """How many equilibria, between which numbers, and folds."""
        v = self.values
        between = f", from {v[0]:.6g} to {v[-1]:.6g}" if len(v) else ""
        whole = "" if self.complete else "; not to its end"
        return f"of {len(v)} equilibria{between}, {counted(len(self.folds), 'fold')}{whole}"

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
    step : along the arc: rad, or typical lengths, and shares of the range of values.
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
    curve = _Curve(family, begin, end - begin, first.state.time)
    here, value = first.compiled, 0.0
    tangent = curve.tangent(here, value, None)
    points, folds = [curve.point(here, value, tangent)], []
    while len(points) < most and -1e-9 <= value <= 1.0:
        ahead = curve.along(here, value, tangent, step)
        towards = curve.tangent(ahead[0], ahead[1], tangent)
        if towards.rate * tangent.rate < 0.0:
            folds.append(curve.fold(here, value, tangent, step))
        here, value = ahead
        tangent = towards
        points.append(curve.point(here, value, tangent))
    if not -1e-9 <= value <= 1.0:
        return Branch(tuple(points), tuple(folds), message="the number left its range")
    reached = points[-1].value
    onward = end if tangent.rate > 0.0 else begin
    message = (
        f"the branch goes on: it was followed to {most} points (most), up to {reached:g} of {begin:g} to {end:g}. Give "
        f"a larger most or step, or go on from its last point with branch(family, ({reached!r}, {onward!r}), "
        "at=found.points[-1].equilibrium.state)"
    )
    warnings.warn(message, RuntimeWarning, stacklevel=2)
    return Branch(tuple(points), tuple(folds), complete=False, message=message)


class _Tangent(NamedTuple):
    """Of the curve: small displacements of all bodies, and of the number, in shares of its range."""

    move: Array
    rate: float


class _Curve:
    """Equilibria over a number, in shares of its range: points, tangents, corrections."""

    def __init__(self, family: Callable[[float], Mechanism], begin: float, size: float, t: float) -> None:
        self.family, self.begin, self.size, self.t = family, begin, size, t

    def rest(self, at: CompiledMechanism, value: float) -> tuple[Mechanism, Rest]:
        """Balance of the mechanism of this value at a pose."""
        mech = self.family(self.begin + self.size * value)
        compiled, _ = compiled_of(mech, None, None)
        if compiled.nb != at.nb or compiled.nc != at.nc:
            raise UsageError("the number changes bodies or joints, not forces alone.")
        there = compiled.at(at.r, at.A, np.zeros_like(at.v), np.zeros_like(at.w))
        return mech, balance(Equations(there, AppliedForces(there), self.t))

    def _by_value(self, at: CompiledMechanism, value: float) -> Array:
        """(6 nb,) how forces out of balance change with the number, the sign turned: to be exact it need not be."""
        h = 1e-4
        ends = [self.rest(at, value + side * h)[1].left for side in (-1.0, 1.0)]
        found: Array = (ends[0] - ends[1]) / (2.0 * h)
        return found

    def tangent(self, at: CompiledMechanism, value: float, before: _Tangent | None) -> _Tangent:
        """Of unit length; the way that the one before went, or to larger shares."""
        _, rest = self.rest(at, value)
        H = np.column_stack([rest.stiffness, rest.equations.velocities.basis.T @ self._by_value(at, value)])
        null = np.linalg.svd(H)[2][-1]
        move = rest.equations.displacements.basis @ null[:-1]
        if before is None:
            side = 1.0 if null[-1] >= 0.0 else -1.0
        else:
            unit = rest.equations.unit
            side = 1.0 if float(np.sum(move * before.move / unit**2)) + null[-1] * before.rate >= 0.0 else -1.0
        return _Tangent(side * move, side * float(null[-1]))

    def along(
        self, at: CompiledMechanism, value: float, tangent: _Tangent, step: float
    ) -> tuple[CompiledMechanism, float]:
        """The point of the curve a step further, by Newton's method in the plane across the tangent."""
        there, x = _moved(at, step * tangent.move), value + step * tangent.rate
        before, force = np.inf, self._by_value(there, x)
        for _ in range(CORRECTIONS):
            _, rest = self.rest(there, x)
            e = rest.equations
            back = e.displacements.least_change(-e.phi[~e.velocity_level])
            Z = e.displacements.basis
            plane = np.append(Z.T @ (tangent.move / e.unit**2), tangent.rate)
            jacobian = np.vstack([np.column_stack([rest.stiffness, e.velocities.basis.T @ force]), plane])
            pull = e.velocities.basis.T @ (rest.left - rest.whole_stiffness @ back)
            change = np.linalg.solve(jacobian, np.append(pull, 0.0))
            there, x = _moved(there, Z @ change[:-1] + back), x + float(change[-1])
            size = float(np.max(np.abs(change)))
            if size <= MET or (size < ROUNDING and size > 0.1 * before):
                break
            before = size
            if not size < 10.0:
                raise NoEquilibriumError(
                    f"the branch is lost at {self.begin + self.size * x:g}.",
                    element=f"mechanism {at.lowered.name!r}",
                    remedy="Take a smaller step.",
                )
        return there, x

    def fold(self, at: CompiledMechanism, value: float, tangent: _Tangent, step: float) -> BranchPoint:
        """Where the number turns back within the next step, by the secant rule with bisection."""
        low, high = 0.0, step
        rates = tangent.rate, self.tangent(*self.along(at, value, tangent, step), tangent).rate
        for k in range(BISECTIONS):
            part = low - rates[0] * (high - low) / (rates[1] - rates[0]) if k % 3 else 0.5 * (low + high)
            there = self.along(at, value, tangent, part)
            found = self.tangent(*there, tangent)
            if found.rate * rates[0] > 0.0:
                low, rates = part, (found.rate, rates[1])
            else:
                high, rates = part, (rates[0], found.rate)
            if abs(found.rate) < 1e-10 or high - low < 1e-12 * step:
                break
        return self.point(*there, found)

    def point(self, at: CompiledMechanism, value: float, tangent: _Tangent) -> BranchPoint:
        """The same for users."""
        mech, rest = self.rest(at, value)
        size = max(float(np.max(np.abs(rest.load * rest.equations.unit), initial=0.0)), 1e-300)
        rest.residual = float(np.max(np.abs(rest.left * rest.equations.unit), initial=0.0)) / size
        return BranchPoint(
            self.begin + self.size * value, self.size * tangent.rate, described(mech, rest, rest.equations.at)
        )


def _moved(at: CompiledMechanism, step: Array) -> CompiledMechanism:
    pose: Any = Pose(at.r, at.A).moved(step)
    return at.at(pose.r, pose.A, at.v, at.w)
