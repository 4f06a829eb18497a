"""Controllers that are sampled: plain functions of time and outputs, with a period, and how their values are held.

    @lw.controller(period=1e-3)
    def brake(t, outputs):
        return {"motor": -2.0 * outputs["hip.angle_rate"]}

They are given to a run (`linkwork.control`), never kept anywhere else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np

from linkwork.arguments import duration
from linkwork.errors import UsageError


def finite(name: str, value: Any) -> float:
    """`value` as a finite float. Raises UsageError naming it."""
    number = isinstance(value, int | float | np.floating | np.integer) and not isinstance(value, bool)
    if not number or not math.isfinite(value):
        raise UsageError(f"{name} must be a finite number, not {value!r}.")
    return float(value)


Law = Callable[[float, Mapping[str, float]], Mapping[str, float]]
Hold = Literal["zero", "first"]


@runtime_checkable
class Startable(Protocol):
    """Anything that makes a controller for a run: with a memory of its own, if it has one."""

    def start(self) -> Controller:
        """A controller that has seen nothing yet."""


@dataclass(frozen=True)
class Controller:
    """A law u = f(t, outputs), sampled every `period` s from the start of the run on.

    function : of the time [s] and the outputs by name (`Simulator.outputs`); returns inputs by name.
    hold : ``zero`` keeps a value until the next one acts; ``first`` goes on with the slope of the last two.
    delay : s, from a sample to when its value acts.
    """

    function: Law
    period: float
    hold: Hold = "zero"
    delay: float = 0.0
    name: str = "controller"

    def __post_init__(self) -> None:
        duration("period", self.period)
        if finite("delay", self.delay) < 0.0:
            raise UsageError(f"delay must not be negative, not {self.delay!r} s.")
        if self.hold not in ("zero", "first"):
            raise UsageError(f"hold must be 'zero' or 'first', not {self.hold!r}.")
        if not callable(self.function):
            raise UsageError(f"a controller is a function of time and outputs, not {self.function!r}.")

    def __call__(self, t: float, outputs: Mapping[str, float]) -> Mapping[str, float]:
        """The function itself."""
        return self.function(t, outputs)

    def start(self) -> Controller:
        """A function has no memory: itself."""
        return self


def controller(
    period: float, *, hold: Hold = "zero", delay: float = 0.0, name: str | None = None
) -> Callable[[Law], Controller]:
    """Make a controller of a plain function; see `Controller`."""
    return lambda function: Controller(
        function, period, hold, delay, name or str(getattr(function, "__name__", "controller"))
    )


@dataclass(frozen=True, kw_only=True)
class PID:
    """Proportional, integral and derivative action on one output, into one input.

        u = kp e + ki integral(e) + kd (setpoint' - y'),   e = setpoint - y

    output, input : names; the derivative is that of the simulation, ``output_rate``. setpoint : a number, or a function
    of t that gives the value, or value and rate. limits : least and largest u; the integral waits while u is at one and
    it would push further.
    """

    output: str
    input: str
    period: float
    kp: float = 0.0
    ki: float = 0.0
    kd: float = 0.0
    setpoint: float | Callable[[float], float | tuple[float, float]] = 0.0
    limits: tuple[float, float] = (-float("inf"), float("inf"))
    hold: Hold = "zero"
    delay: float = 0.0
    name: str = field(default="PID")

    def __post_init__(self) -> None:
        for name in ("kp", "ki", "kd"):
            finite(f"{self.name}: {name}", getattr(self, name))
        for name in ("output", "input"):
            if not isinstance(getattr(self, name), str):
                raise UsageError(f"{self.name}: {name} is told by name, not {getattr(self, name)!r}.")
        if not callable(self.setpoint):
            finite(f"{self.name}: setpoint", self.setpoint)
        limits: Any = self.limits
        pair = isinstance(limits, Sequence) and len(limits) == 2 and all(isinstance(x, int | float) for x in limits)
        if not pair or not limits[0] <= limits[1]:
            raise UsageError(f"{self.name}: limits are the least and the greatest value, not {limits!r}.")
        Controller(lambda t, outputs: {}, self.period, self.hold, self.delay, self.name)  # refuses what is odd

    def setpoint_at(self, t: float) -> tuple[float, float]:
        """Setpoint and its rate at a time [s]. Raises UsageError where a function gives something else."""
        if not callable(self.setpoint):
            return self.setpoint, 0.0
        found: Any = self.setpoint(t)
        value, rate = found if isinstance(found, tuple | list) and len(found) == 2 else (found, 0.0)
        return finite("the setpoint", value), finite("the setpoint's rate", rate)

    def start(self) -> Controller:
        """With an integral of its own."""
        total = 0.0

        def law(t: float, outputs: Mapping[str, float]) -> Mapping[str, float]:
            nonlocal total
            value, rate = self.setpoint_at(t)
            error = value - outputs[self.output]
            u = self.kp * error + self.ki * total
            if self.kd:
                u += self.kd * (rate - outputs[f"{self.output}_rate"])
            least, most = self.limits
            push = self.ki * error
            if not ((u >= most and push > 0.0) or (u <= least and push < 0.0)):
                total += self.period * error
            return {self.input: min(max(u, least), most)}

        return Controller(law, self.period, self.hold, self.delay, self.name)
