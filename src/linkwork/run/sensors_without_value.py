"""Sensors that have no value at some sample: nothing ends for that, so that a run's messages have to tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.sensing import Sensing
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.state import nodes_of
from linkwork.mechanism.lowered import Lowered
from linkwork.problems.explicit import A, R, V, W

Array = NDArray[np.float64]
ALWAYS = frozenset(
    (
        "t",
        "+",
        "-",
        "*",
        "neg",
        "sin",
        "cos",
        "atan",
        "tanh",
        "step",
        "abs",
        "sign",
        "if",
        "min",
        "max",
        "hypot",
        "atan2",
    )
)
"""What has a finite value wherever its arguments have: a formula of these alone is not looked at."""


@dataclass
class Missed:
    """At how many samples a sensor had no finite value, and when first [s]."""

    first: float
    count: int = 0


@dataclass
class SensorsWithoutValue:
    """Looks at blocks of a run in order; only formulas that can lose their value cost anything."""

    lowered: Lowered
    samples: int = 0
    missed: dict[str, Missed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        doubtful = tuple(one for one in self.lowered.sensors if one.f is not None and can_lose_its_value(one.f))
        self.sensing = Sensing(replace(self.lowered, sensors=doubtful)) if doubtful else None

    def look(self, block: Mapping[str, Array], inputs: Array | None = None) -> None:
        """One block of samples: time (n,) and motion (n, nb, 24); inputs (n, ni) as they were, if any were given."""
        if self.sensing is None:
            return
        time, motion = block["time"], block["motion"]
        r, attitude, v, w = (motion[:, :, first : first + n] for first, n in ((R, 3), (A, 9), (V, 3), (W, 3)))
        self.samples += len(time)
        for name, values in self.sensing.read(time, r, attitude, v, w, None, None, inputs).items():
            lost = np.flatnonzero(~np.isfinite(values))
            if len(lost):
                self.missed.setdefault(name, Missed(float(time[lost[0]]))).count += len(lost)

    @property
    def messages(self) -> tuple[str, ...]:
        """A sentence for each sensor that had no value somewhere."""
        return tuple(
            f"sensor {name!r} has no finite value at {one.count} of {self.samples} samples, first at "
            f"t = {one.first:.6g} s: its formula divides by zero, takes a root of less than nothing, or the like"
            for name, one in self.missed.items()
        )


def can_lose_its_value(f: Expression) -> bool:
    """Whether more occurs in a formula than what has a finite value wherever its arguments have."""
    for node in nodes_of(f.root):
        if node.constant is not None or node.about is not None or node.name in ALWAYS:
            continue
        dividing = node.name == "/" and node.args[1].constant is not None
        if not dividing and not (node.name == "**" and _whole(node.args[1].constant)):
            return True
    return False


def _whole(exponent: float | None) -> bool:
    return exponent is not None and exponent >= 0.0 and exponent == int(exponent)
