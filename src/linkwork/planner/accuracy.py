"""What a result says of its accuracy: asked, estimated, how that was found, and from when on it is not reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.result import Result
from linkwork.shown import Shown, some

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Achieved:
    """One quantity: the bound asked for and the estimated global error, both in `unit` ("" for poses: shares of the
    mechanism's length, and radians).

    error : the estimate at the worst time; `at` [s] says when, and `who` of which body or joint.
    through_time : (n,) the largest estimate up to and including each of `Accuracy.time`.
    reached : whether error <= asked. until : the last time up to which it is [s].
    """

    quantity: str
    unit: str
    asked: float
    error: float
    at: float
    who: str
    reached: bool
    until: float
    through_time: tuple[float, ...]

    def __str__(self) -> str:
        name = self.quantity.replace("_", " ")
        text = f"{name}: {self.error:.2g} {self.unit}".rstrip()
        asked = f"{self.asked:.2g} {self.unit}".rstrip()
        worst = f", worst at {self.at:.4g} s, {self.who!r}" if self.who else ""
        return (
            f"{text} (asked {asked}{worst})"
            if self.reached
            else f"{text} (asked {asked}, kept up to {self.until:.4g} s)"
        )


@dataclass(frozen=True)
class Trial:
    """One run that was made on the way.

    how : formulation and integrator. setting, value : rtol, or step [s]. bound : of its error by the run after it, as a
    multiple of what was asked. seconds : of computing. failed : why it did not end.
    """

    how: str
    setting: str
    value: float
    steps: int
    seconds: float
    bound: float | None = None
    failed: str = ""


@dataclass(frozen=True, repr=False)
class Accuracy(Shown):
    """Global error of a run, estimated, with how.

    reached : whether every quantity stays within what was asked, over the whole span asked for.
    until : the time up to which all do [s].
    time : (n,) s, of `Achieved.through_time`.
    how : how the estimate was found, in words. reason : why it was not reached, '' if it was.
    trials : the runs that were made, the last one of which is the result unless it failed.
    """

    reached: bool
    until: float
    quantities: tuple[Achieved, ...]
    time: tuple[float, ...]
    how: str
    reason: str
    trials: tuple[Trial, ...]

    def __getitem__(self, quantity: str) -> Achieved:
        """What is said of one quantity; the worst, where it was asked of several with different bounds."""
        found = [one for one in self.quantities if one.quantity == quantity]
        if not found:
            raise KeyError(quantity)
        return max(found, key=lambda one: one.error / one.asked)

    @property
    def error(self) -> float:
        """The estimated error of the quantity that is farthest from what was asked."""
        return max(self.quantities, key=lambda one: one.error / one.asked).error

    @property
    def seconds(self) -> float:
        """Of computing, all trials together."""
        return sum(one.seconds for one in self.trials)

    def told(self) -> str:
        """Whether it was reached, and the errors."""
        errors = [f"{one.quantity} {one.error:.2g} (asked {one.asked:g})" for one in self.quantities]
        return f"{'reached' if self.reached else 'not reached'}: {some(errors)}"

    def __str__(self) -> str:
        head = "accuracy reached" if self.reached else f"accuracy NOT reached: {self.reason}"
        return "\n".join([head, *(f"  {one}" for one in self.quantities), f"  {self.how}"])

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        each = {"quantities": tuple(vars(one).copy() for one in self.quantities)}
        return {**vars(self), **each, "trials": tuple(vars(one).copy() for one in self.trials)}

    @classmethod
    def from_dict(cls, said: Mapping[str, Any]) -> Accuracy:
        """From plain data."""
        each = tuple(Achieved(**{**one, "through_time": tuple(one["through_time"])}) for one in said["quantities"])
        trials = tuple(Trial(**one) for one in said["trials"])
        return cls(**{**said, "quantities": each, "trials": trials, "time": tuple(said["time"])})


def of(result: Result) -> Accuracy | None:
    """What a result says of its accuracy; None where none was asked for."""
    said = result.info.get("accuracy")
    return None if said is None else Accuracy.from_dict(said)
