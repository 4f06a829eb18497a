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

    of: str | Callable[[Result], Any]

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

    def samples(self, result: Result) -> Array:
        """(samples, ...) of the quantity."""
        from linkwork.derivatives.asked import quantities

        (function,) = quantities(result, {self.formula: self.of}).values()
        found = np.asarray(function(result), dtype=float)
        if found.shape[:1] != result.time.shape:
            raise UsageError(
                f"{self.formula!r} has the shape {found.shape} and not one row for each of {len(result.time)} samples.",
                remedy="Let the function return an array whose first index is the sample's.",
            )
        return found

    def __call__(self, result: Result) -> Array:
        found = self.samples(result)
        out: Array = np.tensordot(self.weights(result.time), found, 1)
        return out


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
