"""Floquet multipliers: `floquet(mech, period)` says whether a periodic motion is stable, by linear models along it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State
from linkwork.arguments import positive_number
from linkwork.errors import ConvergenceError
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations
from linkwork.linearisation.periodicity import first_bend, need_closed, need_no_jump, need_periodic, rate_matrix
from linkwork.linearisation.smoothness import may_bend
from linkwork.linearisation.start import equations_of, where
from linkwork.mechanism import Mechanism
from linkwork.one_thread import one_blas_thread
from linkwork.shown import Shown, counted

Array = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]
PARTS = 6  # equal ones of a step, at whose ends the collocation method has its nodes; its order is 8
FEWEST, MOST = 6, 384  # steps in a period


@dataclass(frozen=True, repr=False)
class Floquet(Shown):
    """What becomes of small disturbances of a periodic motion in one period: they grow where |multiplier| > 1.

    multipliers (n,) : eigenvalues of the monodromy matrix, the largest first. exponents (n,) : 1/s, ln(multiplier) / T.
    monodromy (n, n) : small displacements and velocities after one period by those at its start; displacements and
    velocities (6 nb, n) say what these coordinates are for all bodies (translation global [m], rotation in the body
    [rad]; m/s, rad/s). closes : what the end of the period differs from its start by, as a share of the typical
    length, 1 rad, and of the largest speed. error : of the monodromy matrix, as a share, from half as many steps;
    multipliers that coincide, as the 1s of a conservative motion, have its square root. state : at the start.
    """

    multipliers: ComplexArray
    exponents: ComplexArray
    monodromy: Array
    displacements: Array
    velocities: Array
    period: float
    closes: float
    error: float
    state: State
    bodies: tuple[str, ...]

    @property
    def stable(self) -> bool:
        """Whether no disturbance grows: all multipliers on or within the unit circle, up to the error of each."""
        from scipy.linalg import eig

        values, left, right = eig(self.monodromy, left=True, right=True)
        condition = np.abs(np.einsum("ij,ij->j", left.conj(), right))  # 1 / condition number
        off = (self.error + self.closes) * float(np.linalg.norm(self.monodromy)) if len(values) else 0.0
        with np.errstate(divide="ignore"):
            known = np.minimum(10.0 * off / condition, max(1e-6, 10.0 * self.error**0.5))
        return bool(np.all(np.abs(values) <= 1.0 + np.maximum(known, 1e-9)))

    def told(self) -> str:
        """How many multipliers, and the largest."""
        largest = f", the largest of size {np.abs(self.multipliers).max():.6g}" if len(self.multipliers) else ""
        return f"of a period of {self.period:g} s: {counted(len(self.multipliers), 'multiplier')}{largest}"

    def text(self) -> str:
        """In words."""
        lines = [
            f"period {self.period:g} s: {'no disturbance grows' if self.stable else 'unstable'}; the motion closes to "
            f"{self.closes:.1e}, its monodromy matrix is off by {self.error:.1e}",
            "multiplier                          size          exponent, 1/s",
        ]
        for value, exponent in zip(self.multipliers, self.exponents, strict=True):
            number, rate = (
                f"{z.real + 0.0:+.6e} {'+' if z.imag >= 0 else '-'} {abs(z.imag):.6e}i" for z in (value, exponent)
            )
            lines.append(f"{number}   {abs(value):.6e}   {rate}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "period": self.period,
            "stable": self.stable,
            "closes": self.closes,
            "error": self.error,
            "multipliers": [{"real": float(z.real), "imag": float(z.imag)} for z in self.multipliers],
            "exponents": [{"real": float(z.real), "imag": float(z.imag)} for z in self.exponents],
        }


@one_blas_thread()
def floquet(
    mech: Mechanism, period: float, at: State | None = None, *, formulation: str = "lie-mixed", accuracy: float = 1e-9
) -> Floquet:
    """Floquet multipliers of a periodic motion: loops, redundant, non-holonomic and driven rows are allowed.

    The motion is run over one period; along it X' = L(t) X, with the linear models of small motions about each instant
    (`linearise`), is integrated by a collocation method of order 8, with steps halved until the monodromy
    matrix no longer changes. A motion
    without drivers has a multiplier of 1 along itself, and one more where energy is kept.

    Parameters
    ----------
    mech : every body needs mass and inertia. Forces and drivers have to have the period as well.
    period : s.
    at : the state at which a period begins, assembled; the assembled start state if left out.
    formulation : that runs the motion, with dop853.
    accuracy : of the monodromy matrix, as a share of its norm.

    Raises UsageError where the motion does not come back after a period, naming the body; ConvergenceError where the
    accuracy is not reached; what `linearise` and `simulate` raise.
    """
    period, accuracy = positive_number("the period", period, "seconds"), positive_number("accuracy", accuracy)
    e = equations_of(mech, at)
    source = _Source(mech, e, period, formulation)
    steps, error, closes = FEWEST, np.inf, np.inf
    before: Array | None = None
    bend = ""
    while True:
        instants = source.run(steps)
        monodromy = _monodromy(e, instants, period / steps)
        if before is None:
            need_periodic(instants, period)
            need_no_jump(instants)
            bend = first_bend(instants)
        else:
            closes = need_closed(e, instants[-1], period)
            error = float(np.linalg.norm(monodromy - before)) / max(float(np.linalg.norm(monodromy)), 1e-300)
        if error <= accuracy:
            break
        hopeless = bool(bend) and before is not None and error * (steps / MOST) ** 2 > accuracy
        if hopeless or 2 * steps > MOST:
            passed = f": {bend}, which steps of equal length pass by" if bend else ""
            raise ConvergenceError(
                f"the monodromy matrix still changes by {error:.1e} with {steps} steps in a period; "
                f"{accuracy:g} was asked{passed}.",
                element=f"mechanism {mech.name!r}",
                remedy=f"Ask for less accuracy (accuracy={10.0 * error:.0e}), or round the kink off (smoothstep)."
                if bend
                else "Ask for less accuracy.",
            )
        before, steps = monodromy, 2 * steps
    values = _sorted(np.linalg.eigvals(monodromy))
    moves, along = _basis(e)
    with np.errstate(divide="ignore"):
        exponents: ComplexArray = np.asarray(np.log(values) / period, dtype=complex)
    return Floquet(
        multipliers=values,
        exponents=exponents,
        monodromy=monodromy,
        displacements=moves,
        velocities=along,
        period=float(period),
        closes=closes,
        error=float(error),
        state=source.start,
        bodies=tuple(e.at.body_names),
    )


class _Source:
    """The motion over one period, run once for each number of steps."""

    def __init__(self, mech: Mechanism, e: Equations, period: float, formulation: str) -> None:
        self.mech, self.e, self.period, self.formulation = mech, e, period, formulation
        self.start = where(e)
        # steps of equal length pass kinks by, and the motion would not close
        self.tolerances: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-12} if may_bend(e.at) else {}

    def run(self, steps: int) -> list[Equations]:
        """Equations at the nodes of all steps."""
        from linkwork.run.simulate import simulate

        result = simulate(
            self.mech,
            self.e.time + self.period,
            self.period / (PARTS * steps),
            self.formulation,
            "dop853",
            state=self.start,
            **self.tolerances,
        )
        states = [State.of(result, k) for k in range(len(result.time))]
        return [self._equations(state) for state in states]

    def _equations(self, state: State) -> Equations:
        at = self.e.at
        return Equations(state.within(at), AppliedForces(at, state.counted_angles), state.time)


def equal_parts(parts: int) -> Array:
    """(parts + 1, parts + 1) integrals from 0 to c_i of Lagrange's polynomials of the nodes c = 0, 1/parts, ..., 1."""
    c = np.arange(parts + 1) / parts
    powers = np.arange(parts + 1)
    integrals = c[:, None] ** (powers + 1) / (powers + 1)
    found: Array = integrals @ np.linalg.inv(c[:, None] ** powers)
    return found


def _basis(e: Equations) -> tuple[Array, Array]:
    """(6 nb, n) displacements and velocities that a unit of each coordinate is, as in `linearise`."""
    Z, Y = e.displacements.basis, e.velocities.basis
    moves = np.hstack([Z, np.zeros((e.size, Y.shape[1]))])
    along = np.hstack([-e.velocities.least_change(e.rate_derivative() @ Z), Y])
    return moves, along


def _monodromy(e: Equations, instants: list[Equations], h: float) -> Array:
    """(n, n) what becomes of the coordinates in the instants' steps, each of length h."""
    integrals, moved = equal_parts(PARTS), np.vstack(_basis(e))
    m = 2 * e.size
    rates = [rate_matrix(one) for one in instants]
    for k in range(0, len(instants) - 1, PARTS):
        L = np.array(rates[k : k + PARTS + 1])
        matrix = np.eye((PARTS + 1) * m) - h * np.einsum("ij,iab->iajb", integrals, L).reshape((PARTS + 1) * m, -1)
        slopes = np.linalg.solve(matrix, (L @ moved).reshape((PARTS + 1) * m, -1)).reshape(PARTS + 1, m, -1)
        moved = moved + h * np.einsum("i,iab->ab", integrals[-1], slopes)
    return np.vstack([e.displacements.coordinates(moved[: e.size]), e.velocities.coordinates(moved[e.size :])])


def _sorted(values: Any) -> ComplexArray:
    found = np.asarray(values, dtype=complex)
    return found[np.lexsort((-found.imag, -found.real, -np.round(np.abs(found), 9)))]
