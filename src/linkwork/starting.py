"""Before any run: compile the mechanism, confront drivers with the start state, assemble, and say what was done."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.errors import DriverError, UsageError
from linkwork.mechanism import Mechanism
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.assembly import Assembled, assemble

WORTH_SAYING = 1e-8  # m, rad, m/s, rad/s


@dataclass(frozen=True)
class Start:
    """A compiled mechanism at a consistent start, and what had to be said on the way."""

    compiled: CompiledMechanism
    assembled: Assembled
    messages: tuple[str, ...]


def prepare(mechanism: Mechanism, *, dynamics: bool, accept_drivers: bool = False) -> Start:
    """Compile and assemble.

    dynamics : start velocities matter; in kinematics drivers determine them, and only positions must agree.
    accept_drivers : let a driver that disagrees with the start state win (the change is reported) instead of
        refusing it.
    Raises ModelError, DriverError, AssemblyError; UsageError if it is no Mechanism.
    """
    if not isinstance(mechanism, Mechanism):
        raise UsageError(
            f"a Mechanism is wanted, not {type(mechanism).__name__}.", remedy="Use linkwork.load(path) to read a file."
        )
    lowered = mechanism.lower()
    if not lowered.bodies:
        raise UsageError("the mechanism has no bodies.", element=f"mechanism {mechanism.name!r}")
    messages = [*mechanism.notes, *(note for note in lowered.notes if note not in mechanism.notes)]
    for mismatch in mechanism.driver_mismatches():
        serious = mismatch.value_differs or (dynamics and mismatch.rate_differs)
        if serious and not accept_drivers:
            raise DriverError(
                f"{mismatch}.",
                file=mechanism.file,
                remedy="Correct the driver or the start state, or let the driver win (accept_drivers).",
            )
        messages.append(str(mismatch))
    compiled = compile_mechanism(lowered)
    assembled = assemble(compiled)
    messages += moved(compiled, assembled)
    at_start = compiled.at(assembled.pose.r, assembled.pose.A, assembled.rates.v, assembled.rates.w)
    return Start(at_start, assembled, tuple(messages))


def moved(compiled: CompiledMechanism, assembled: Assembled) -> list[str]:
    """What assembly moved, in words."""
    out = []
    for k, name in enumerate(compiled.body_names):
        changes = [
            f"{what} by {size:.3g} {unit}"
            for what, size, unit in (
                ("moved", assembled.moved[k], "m"),
                ("turned", assembled.turned[k], "rad"),
                ("velocity changed", assembled.velocity_change[k], "m/s"),
                ("angular velocity changed", assembled.spin_change[k], "rad/s"),
            )
            if size > WORTH_SAYING
        ]
        if changes:
            out.append(f"assembly: body {name!r} {', '.join(changes)}")
    return out


def whole_steps(t_end: float, step: float) -> tuple[int, list[str]]:
    """How many steps reach t_end, and a message if the last one passes it. Raises UsageError for odd numbers."""
    for name, value in (("t_end", t_end), ("step", step)):
        if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
            raise UsageError(f"{name} must be a number of seconds, not {value!r}.")
        if not (np.isfinite(value) and value > 0):
            raise UsageError(f"{name} must be a positive number of seconds, not {value!r}.")
    ratio = t_end / step
    if ratio > 1e12:
        raise UsageError(f"{ratio:.3g} steps are too many.", remedy="Take a larger step or a shorter time.")
    steps = max(1, int(np.ceil(ratio * (1 - 1e-12) - 1e-9)))
    if abs(steps - ratio) > 1e-6:
        return steps, [f"t_end {t_end:g} s is not a whole number of steps: the run ends at {steps * step:g} s"]
    return steps, []
