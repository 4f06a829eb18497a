"""A linear model of small motions about a state: matrices, names, what coordinates mean, and its response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State
from linkwork.arguments import numbers_in
from linkwork.attached import attached
from linkwork.errors import SingularPositionError, UsageError
from linkwork.shown import Shown, counted, some

ROUNDED = 64.0 * float(np.finfo(float).eps)  # of a response that rounding alone keeps from being infinite, per state
Array = NDArray[np.float64]
ComplexArray = NDArray[np.complex128]


@dataclass(frozen=True, repr=False)
class LinearModel(Shown):
    """xdot = A x + B s,  y = C x + D s, about a state.

    x holds small displacements in the freedoms that position rows leave, then small velocities in those that all rows
    leave. A unit is a turn of 1 rad or a move of the mechanism's typical length, and these per second.

    displacements (6 nb, n) : of all bodies for a unit of each coordinate in x: per body translation global [m] and
    rotation in the body [rad]. velocities (6 nb, n) : likewise, rdot global [m/s], omega in the body [rad/s].
    inputs, outputs : names; forces N, torques N m; outputs in SI units. state : about which. bodies : names.
    accelerations (6 nb,) : of that state itself, zero at an equilibrium. inertia (nb, 6, 6) : m I and J of each body.
    """

    A: Array
    B: Array
    C: Array
    D: Array
    displacements: Array
    velocities: Array
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    state: State
    bodies: tuple[str, ...]
    accelerations: Array
    inertia: Array

    def told(self) -> str:
        """How many states, inputs and outputs."""
        parts = [counted(len(self.A), "state")]
        for what, names in (("input", self.inputs), ("output", self.outputs)):
            parts.append(counted(len(names), what) + (f" ({some(names)})" if names else ""))
        return f"of {', '.join(parts)}"

    def eigenvalues(self) -> ComplexArray:
        """(n,) 1/s, slow ones first."""
        found = np.asarray(np.linalg.eigvals(self.A), dtype=np.complex128)
        return found[np.lexsort((found.imag, found.real, np.round(np.abs(found), 9)))]

    def response(self, frequencies: Any) -> ComplexArray:
        """(n frequencies, outputs, inputs) C (i w I - A)^-1 B + D at angular frequencies w, rad/s.

        Raises SingularPositionError at the frequency of an undamped mode, to rounding.
        """
        w = angular_frequencies(frequencies)
        matrices, B = 1j * w[:, None, None] * np.eye(len(self.A)) - self.A, self.B.astype(complex)[None]
        try:
            x = np.linalg.solve(matrices, B)
            sizes = np.linalg.norm(matrices, axis=(1, 2))[:, None] * np.linalg.norm(x, axis=1)
            infinite = np.flatnonzero(np.any(sizes * len(self.A) * ROUNDED > np.linalg.norm(B, axis=1), axis=1))
        except np.linalg.LinAlgError:
            infinite = np.argsort(np.abs(1j * w[:, None] - self.eigenvalues()).min(axis=1))[:1]
        if len(infinite):
            raise SingularPositionError(
                f"{w[infinite[0]]:.6g} rad/s is the frequency of an undamped mode: the response is infinite there.",
                remedy="Leave out what `eigenvalues` has on the imaginary axis: zero, where a freedom has no restoring "
                "force.",
            )
        return np.asarray(self.C @ x + self.D, dtype=np.complex128)

    def plot(self, frequencies: Any, path: Any = None, *, output: int = 0, input: int = 0, force: bool = False) -> Any:
        """Draw Bode's plot of one output for one input over angular frequencies, rad/s, and write it to `path`."""
        return attached("LinearModel.plot")(self, frequencies, path, output=output, input=input, force=force)

    def to_control(self) -> Any:
        """The same as a `control.StateSpace`. Raises UsageError where the package control is not installed."""
        try:
            from control import StateSpace
        except ImportError as missing:
            raise UsageError(
                "the package control is not installed.", remedy="Install it (pip install control), or use A, B, C, D."
            ) from missing
        return StateSpace(self.A, self.B, self.C, self.D, inputs=list(self.inputs), outputs=list(self.outputs))

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "time": self.state.time,
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            **{name: getattr(self, name).tolist() for name in ("A", "B", "C", "D")},
        }


def angular_frequencies(value: Any) -> Array:
    """(n,) rad/s. Raises UsageError."""
    w = numbers_in(value)
    if w is None or w.ndim != 1 or not np.all(np.isfinite(w)):
        raise UsageError("frequencies must be a list of finite numbers, rad/s.")
    return w
