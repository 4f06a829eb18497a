"""Numbers of a whole run: a quantity at the end, or its integral over time; what the adjoint differentiates.

Both weigh samples of a quantity each of which depends on its own sample alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.result import Result

Array = NDArray[np.float64]


class Functional(Protocol):
    """A weighted sum of a quantity's samples."""

    @property
    def of(self) -> str | Callable[[Result], Any]: ...
    def weights(self, time: Array) -> Array: ...
    def samples(self, result: Result) -> Array: ...
    def __call__(self, result: Result) -> Array: ...


@dataclass(frozen=True)
class _Weighted:
    """of : the name of a quantity, as `sensitivities` has them, or a function of a result that returns (samples, ...),
    the row of a sample from that sample alone."""

    of: str | Callable[[Result], Any]

    @property
    def formula(self) -> str:
        """The name of the quantity."""
        return self.of if isinstance(self.of, str) else str(getattr(self.of, "__name__", "quantity"))

    def weights(self, time: Array) -> Array:
        """(samples,) by which samples at these times [s] count."""
        raise NotImplementedError

    def _quantity(self, result: Result) -> Callable[[Result], Any]:
        """The function of a result that gives the quantity: the same for all results of mechanisms alike."""
        from linkwork.derivatives.asked import quantities

        (function,) = quantities(result, {self.formula: self.of}).values()
        return function

    def samples(self, result: Result) -> Array:
        """(samples, ...) of the quantity."""
        return self._samples_by(self._quantity(result), result)

    def _samples_by(self, quantity: Callable[[Result], Any], result: Result) -> Array:
        """The same by the function that this is."""
        found = np.asarray(quantity(result), dtype=float)
        if found.shape[:1] != result.time.shape:
            raise UsageError(
                f"{self.formula!r} has the shape {found.shape} and not one row for each of {len(result.time)} samples.",
                remedy="Let the function return an array whose first index is the sample's.",
            )
        return found

    def __call__(self, result: Result) -> Array:
        return Known(self, self._quantity(result))(result)


class Final(_Weighted):
    """A quantity at the end of the run.

    lw.Final("hinge.angle")
    """

    @property
    def __name__(self) -> str:  # as functions have it
        return f"final {self.formula}"

    def weights(self, time: Array) -> Array:
        """1 for the last sample."""
        out = np.zeros(len(time))
        out[-1] = 1.0
        return out


class Integral(_Weighted):
    """The integral of a quantity over the run, by the trapezoidal rule over its samples [unit times s].

    lw.Integral(lambda res: res.joint("hinge")["angle"] ** 2)
    """

    @property
    def __name__(self) -> str:
        return f"integral of {self.formula}"

    def weights(self, time: Array) -> Array:
        """Half of the time between a sample's neighbours."""
        gaps = np.diff(time)
        out: Array = 0.5 * (np.concatenate([gaps, [0.0]]) + np.concatenate([[0.0], gaps]))
        return out


@dataclass(frozen=True)
class Known:
    """A functional whose quantity has been found: many results are asked for it. plain : the functional."""

    plain: _Weighted
    quantity: Callable[[Result], Any]

    @property
    def of(self) -> str | Callable[[Result], Any]:
        """As the functional has it."""
        return self.plain.of

    def weights(self, time: Array) -> Array:
        """(samples,) by which samples at these times [s] count."""
        return self.plain.weights(time)

    def samples(self, result: Result) -> Array:
        """(samples, ...) of the quantity."""
        return self.plain._samples_by(self.quantity, result)

    def __call__(self, result: Result) -> Array:
        out: Array = np.tensordot(self.weights(result.time), self.samples(result), 1)
        return out


def known(of: Functional, result: Result) -> Functional:
    """The same with its quantity, found by a result, where it is one of those here."""
    return Known(of, of._quantity(result)) if isinstance(of, _Weighted) else of
