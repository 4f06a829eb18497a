"""The curve of equilibria over a number: its tangents, steps along its arc, folds and bifurcations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import NoEquilibriumError, UsageError
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.equilibrium import Equilibrium, described
from linkwork.linearisation.newton import Rest, apart, balance
from linkwork.linearisation.restoring import signs
from linkwork.linearisation.start import compiled_of
from linkwork.mechanism import Mechanism
from linkwork.system import CompiledMechanism
from linkwork.system.dense import Pose
from linkwork.system.least_change import unit_columns

Array = NDArray[np.float64]
MET, ROUNDING = 1e-13, 1e-10  # corrections that end Newton's iteration; or these, if they shrink no more
CORRECTIONS, BISECTIONS = 12, 60
LEAST_STEP = 1e-9  # of a step: a bifurcation is met so closely
STRAIGHT = 0.5  # cosine of the largest angle by which the tangent turns in a step


class BranchPoint(NamedTuple):
    """One equilibrium of a branch. value : of the number that changes. rate : how it changes along the branch."""

    value: float
    rate: float
    equilibrium: Equilibrium


class Tangent(NamedTuple):
    """Of the curve: small displacements of all bodies, and of the number, in shares of its range; and how many
    stiffnesses are below zero there."""

    move: Array
    rate: float
    below: int


class Ahead(NamedTuple):
    """A point of the curve, its tangent, and how long the step to it was."""

    at: CompiledMechanism
    value: float
    tangent: Tangent
    step: float


class Curve:
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

    def tangent(self, at: CompiledMechanism, value: float, before: Tangent | None) -> Tangent:
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
        return Tangent(side * move, side * float(null[-1]), _below(rest))

    def ahead(
        self, at: CompiledMechanism, value: float, tangent: Tangent, step: float
    ) -> tuple[Ahead, BranchPoint | None]:
        """The next point, a step ahead or less, and a bifurcation that it lies behind.

        On one branch a stiffness changes its sign at folds alone, and a short step turns the tangent by little. Where a
        step does otherwise it is halved: it had left for another branch, or a bifurcation is closed in on.
        """
        low, high, part = Ahead(at, value, tangent, 0.0), step, step
        beyond: Ahead | None = None
        while high - low.step > LEAST_STEP * step:
            tried = self._tried(at, value, tangent, part)
            if tried is not None and _goes_on(low, tried):
                if part == step:
                    return tried, None
                low = tried
            else:
                high, beyond = part, tried
            part = 0.5 * (low.step + high)
        if beyond is not None and _distance(low, beyond) < 1e3 * LEAST_STEP * step:
            return beyond, self.point(low.at, low.value, low.tangent)
        if low.step > 0.0:
            return low, None
        raise self._lost(at, value)

    def _tried(self, at: CompiledMechanism, value: float, tangent: Tangent, step: float) -> Ahead | None:
        """A step; None where no point is found."""
        try:
            there, x = self.along(at, value, tangent, step)
            towards = self.tangent(there, x, tangent)
        except (NoEquilibriumError, np.linalg.LinAlgError):
            return None
        return Ahead(there, x, towards, step)

    def _lost(self, at: CompiledMechanism, value: float) -> NoEquilibriumError:
        return NoEquilibriumError(
            f"the branch is lost at {self.begin + self.size * value:g}.",
            element=f"mechanism {at.lowered.name!r}",
            remedy="Take a smaller step.",
        )

    def along(
        self, at: CompiledMechanism, value: float, tangent: Tangent, step: float
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
                raise self._lost(at, x)
        else:
            if not before < ROUNDING:
                raise self._lost(at, x)
        return there, x

    def fold(self, at: CompiledMechanism, value: float, tangent: Tangent, step: float) -> BranchPoint:
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

    def point(self, at: CompiledMechanism, value: float, tangent: Tangent) -> BranchPoint:
        """The same for users."""
        mech, rest = self.rest(at, value)
        size = max(float(np.max(np.abs(rest.load * rest.equations.unit), initial=0.0)), 1e-300)
        rest.residual = float(np.max(np.abs(rest.left * rest.equations.unit), initial=0.0)) / size
        return BranchPoint(
            self.begin + self.size * value, self.size * tangent.rate, described(mech, rest, rest.equations.at)
        )


def _goes_on(here: Ahead, there: Ahead) -> bool:
    """Whether a point lies on the branch of another one a step before it."""
    now, then, unit = here.tangent, there.tangent, unit_columns(here.at)
    cosine = float(np.sum(now.move * then.move / unit**2)) + now.rate * then.rate
    return abs(then.below - now.below) == int(now.rate * then.rate < 0.0) and cosine > STRAIGHT


def _distance(here: Ahead, there: Ahead) -> float:
    """How far two points lie from each other, as steps are measured."""
    away = apart(there.at, here.at) / unit_columns(here.at)
    return float(np.sqrt(np.sum(away**2) + (there.value - here.value) ** 2))


def _below(rest: Rest) -> int:
    """How many stiffnesses are below zero; where H is not symmetric, 1 if its determinant is, 0 if not."""
    H = rest.stiffness
    if not H.size or H.shape[0] != H.shape[1]:
        return 0
    largest = float(np.max(np.abs(H)))
    if float(np.max(np.abs(H - H.T))) > 1e-9 * largest:
        return int(np.linalg.slogdet(H)[0] < 0.0)
    return int(np.sum(signs(rest) < 0))


def _moved(at: CompiledMechanism, step: Array) -> CompiledMechanism:
    pose: Any = Pose(at.r, at.A).moved(step)
    return at.at(pose.r, pose.A, at.v, at.w)
