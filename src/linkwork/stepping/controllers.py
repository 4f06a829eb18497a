"""Controllers that are sampled: plain functions of time and outputs, with a period, and how their values are held.

    @lw.controller(period=1e-3)
    def brake(t, outputs):
        return {"motor": -2.0 * outputs["hip.angle_rate"]}

They are given to a run (`linkwork.control`), never kept anywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from linkwork.arguments import duration, number_within
from linkwork.errors import UsageError

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
        number_within("delay", self.delay, 0.0, None)
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
    of t that gives the value, or value and rate. limits : least and largest u; the integral waits while u is at one.
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

    def start(self) -> Controller:
        """With an integral of its own."""
        total = 0.0

        def law(t: float, outputs: Mapping[str, float]) -> Mapping[str, float]:
            nonlocal total
            wanted = self.setpoint(t) if callable(self.setpoint) else self.setpoint
            value, rate = wanted if isinstance(wanted, tuple) else (wanted, 0.0)
            error = value - outputs[self.output]
            u = self.kp * error + self.ki * total
            if self.kd:
                u += self.kd * (rate - outputs[f"{self.output}_rate"])
            least, most = self.limits
            if least < u < most or u * error < 0.0:
                total += self.period * error
            return {self.input: min(max(u, least), most)}

        return Controller(law, self.period, self.hold, self.delay, self.name)
