"""Modes of small vibration: `modes(mech)` gives eigenvalues, frequencies, damping ratios and shapes as body motions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State
from linkwork.arguments import whole_number
from linkwork.attached import attached
from linkwork.errors import UsageError
from linkwork.linearisation.equilibrium import Equilibrium, equilibrium
from linkwork.linearisation.linearise import asked_about, linear_model, moving
from linkwork.linearisation.start import equations_of, where
from linkwork.linearisation.steady import SteadyMotion
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.one_thread import one_blas_thread
from linkwork.result import Result
from linkwork.shown import Shown, counted

Array = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]
BALANCED = 1e-6  # of what falls: accelerations beyond it are no equilibrium
LARGE = 100  # bodies from which modes are found by sparse inverse iteration


@dataclass(frozen=True, repr=False)
class Modes(Shown):
    """Small motions q(t) = Re(shape exp(eigenvalue t)), slow ones first; of a conjugate pair the one with Im > 0.

    eigenvalues (n,) : 1/s. shapes (n, nb, 6) : complex small displacements of all bodies, translation global [m] and
    rotation in the body [rad]; scaled so that the largest of these numbers is 1.
    participation (n, nb) : share of the kinetic energy that each body has. state : about which. bodies : names.
    mechanism : what moves.
    """

    eigenvalues: ComplexArray
    shapes: ComplexArray
    participation: Array
    state: State
    bodies: tuple[str, ...]
    mechanism: Mechanism = field(compare=False)

    def told(self) -> str:
        """How many, and between which frequencies."""
        n = self.frequencies
        between = f", {n.min():.4g} to {n.max():.4g} Hz" if len(n) else ""
        return f"of {self.mechanism.name!r}: {counted(len(n), 'mode')}{between}"

    @property
    def frequencies(self) -> Array:
        """(n,) natural frequencies, Hz: |eigenvalue| / 2 pi."""
        found: Array = np.abs(self.eigenvalues) / (2.0 * np.pi)
        return found

    @property
    def damping_ratios(self) -> Array:
        """(n,) 1: -Re / |eigenvalue|; below zero where the motion grows, zero for an eigenvalue of zero."""
        size = np.abs(self.eigenvalues)
        found: Array = np.where(size > 0.0, -self.eigenvalues.real / np.where(size > 0.0, size, 1.0), 0.0)
        return found

    def motion(self, mode: int, amplitude: float | None = None, samples: int = 60) -> Result:
        """A mode as a motion over one period, at constant amplitude: a result to view, to film and to plot.

        amplitude : of the largest component of its shape, m or rad; left out, such that no body moves by more than a
            tenth of the mechanism's length or turns by more than 0.25 rad. samples : of the period, besides the start.

        Poses follow the shape and are brought back onto the joints, which it leaves by the square of the amplitude;
        velocities are those nearest to the shape's that the joints allow. Of a steady motion it is what an observer
        sees who turns with it. Raises UsageError for a mode that is not there.
        """
        from linkwork.linearisation.mode_motion import mode_motion

        return mode_motion(self, mode, amplitude, samples)

    def plot(self, path: Any = None, *, force: bool = False) -> Any:
        """Draw the eigenvalues in the complex plane, and write it to `path` (.png, .svg, .pdf) if given."""
        return attached("Modes.plot")(self, path, force=force)

    def text(self) -> str:
        """A table."""
        lines = ["mode     frequency    damping ratio   eigenvalue                        moves most"]
        for k, value in enumerate(self.eigenvalues):
            most = np.argsort(-self.participation[k], kind="stable")[:3]
            who = ", ".join(f"{self.bodies[b]} {100 * self.participation[k, b]:.0f} %" for b in most)
            number = f"{value.real + 0.0:+.6e} {'+' if value.imag >= 0 else '-'} {abs(value.imag):.6e}i"
            damping = round(float(self.damping_ratios[k]), 6) + 0.0  # rounding is none
            lines.append(f"{k:4d}  {self.frequencies[k]:10.6g} Hz  {damping:+13.6f}   {number}   {who}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "time": self.state.time,
            "bodies": list(self.bodies),
            "modes": [
                {
                    "eigenvalue": {"real": float(value.real), "imag": float(value.imag)},
                    "frequency": float(self.frequencies[k]),
                    "damping_ratio": float(self.damping_ratios[k]),
                    "participation": dict(zip(self.bodies, self.participation[k].tolist(), strict=True)),
                    "shape": {
                        name: {"real": self.shapes[k, b].real.tolist(), "imag": self.shapes[k, b].imag.tolist()}
                        for b, name in enumerate(self.bodies)
                    },
                }
                for k, value in enumerate(self.eigenvalues)
            ],
        }


@one_blas_thread()
def modes(
    mech: Mechanism,
    at: State | Equilibrium | SteadyMotion | None = None,
    *,
    count: int | None = None,
    turning: Sequence[float] | None = None,
) -> Modes:
    """Eigenvalues and modes of small motions about an equilibrium or a steady motion.

    Parameters
    ----------
    mech : every body needs mass and inertia.
    at : an equilibrium (drivers stay held), a steady motion, or a state; the equilibrium nearest to the start state if
        left out.
    count : how many, the slowest first; all if left out (the 10 slowest of more than 100 bodies, by sparse inverse
        iteration).
    turning : of a steady motion, as in `linearise`.

    Raises UsageError for a state that is no equilibrium, and what `linearise` and `equilibrium` raise.
    """
    if count is not None:
        count = whole_number("count", count)
    need_mechanism(mech)
    if at is None and turning is None and len(mech.bodies) <= LARGE:
        at = equilibrium(mech)
    state, turning, held = asked_about(at, turning)
    e = equations_of(mech, state, held=held)
    if e.at.nb > LARGE and turning is None and not moving(e):
        from linkwork.linearisation.slow_modes import slow_modes

        return _described(*slow_modes(e, count or 10), e.inertia, where(e), tuple(e.at.body_names), mech)
    model = linear_model(e, turning=turning)
    if turning is None:
        _need_balance(model.accelerations, e)
    values, vectors = np.linalg.eig(model.A)
    keep = np.flatnonzero(values.imag >= 0.0)
    keep = keep[np.lexsort((values.imag[keep], values.real[keep], np.round(np.abs(values[keep]), 9)))][:count]
    X = vectors[:, keep]
    return _described(
        values[keep].astype(complex),
        model.displacements @ X,
        model.velocities @ X,
        e.inertia,
        model.state,
        model.bodies,
        mech,
    )


def _described(
    values: ComplexArray,
    moves: Any,
    speeds: Any,
    inertia: Array,
    state: State,
    bodies: tuple[str, ...],
    mechanism: Mechanism,
) -> Modes:
    """From small displacements and velocities (6 nb, n) of all bodies."""
    nb, n = len(bodies), len(values)
    moves, speeds = moves.T.reshape(n, nb, 6).astype(complex), speeds.T.reshape(n, nb, 6).astype(complex)
    for k in range(n):
        shape = moves[k] if np.max(np.abs(moves[k])) > 1e-9 * np.max(np.abs(speeds[k])) else speeds[k]
        largest = shape.ravel()[np.argmax(np.abs(shape))]
        moves[k] = shape / largest
    energy = np.einsum("kbi,bij,kbj->kb", speeds.conj(), inertia, speeds).real
    still = np.einsum("kbi,bij,kbj->kb", moves.conj(), inertia, moves).real
    total = energy.sum(axis=1, keepdims=True)
    energy = np.where(total > 1e-18 * still.sum(axis=1, keepdims=True), energy, still)
    return Modes(values, moves, energy / energy.sum(axis=1, keepdims=True), state, bodies, mechanism)


def _need_balance(udot: Array, e: Any) -> None:
    """Raise UsageError where the state is no equilibrium."""
    largest = float(np.max(np.abs(udot), initial=0.0))
    if moving(e) or float(np.max(np.abs(udot / e.unit), initial=0.0)) > BALANCED * e.fall:
        raise UsageError(
            f"the state is no equilibrium: accelerations of {largest:.3g} are left, or something moves.",
            element=f"mechanism {e.at.lowered.name!r}",
            remedy="Find one with equilibrium(mech), give turning= for a steady motion, or use linearise.",
        )
