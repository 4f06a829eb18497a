"""Before any run: compile the mechanism, confront drivers with the start state, assemble, say what was done, and
find the accelerations to start with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arguments import positive_number, step_count
from linkwork.collecting import uncollected
from linkwork.errors import DriverError, SingularPositionError, UsageError
from linkwork.mechanism import Mechanism
from linkwork.status import REMEDY, Status
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.assembly import Assembled, assemble

WORTH_SAYING = 1e-8  # m, rad, m/s, rad/s


@dataclass(frozen=True)
class Start:
    """A compiled mechanism at a consistent start, and what had to be said on the way."""

    compiled: CompiledMechanism
    assembled: Assembled
    messages: tuple[str, ...]


@uncollected
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
    messages = list(dict.fromkeys(lowered.notes))
    for mismatch in mechanism.driver_mismatches(lowered):
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


@uncollected
def new_run(
    formulation: Any,
    method: Any,
    compiled: CompiledMechanism,
    *,
    own: dict[str, Any],
    options: dict[str, Any],
    droppable: bool = False,
    room: int = 1,
) -> Any:
    """A run of `method` on `formulation`'s problem, not yet at consistent accelerations.

    formulation, method : what the registries hold. own : options of formulation.build. options : those of method.start.
    droppable : with room for dependent rows. room : times the usual work space for the factors.
    """
    tolerance = method.pose_tolerance(compiled.length, options)
    problem = formulation.build(
        compiled, shape=method.shape, droppable=droppable, pose_tolerance=tolerance, room=room, **own
    )
    return method.start(problem, **options)


def started(
    compiled: CompiledMechanism,
    new: Callable[..., Any],
    *,
    time: float = 0.0,
    torsion_angles: NDArray[np.float64] | None = None,
) -> Any:
    """A run at consistent accelerations; with room for dependent rows if they turn out to be dependent.

    new : new(compiled, droppable=...) makes the run, as `new_run` does. time : at which it starts [s].
    torsion_angles : of all torsion springs, with their turns [rad]; counted from within half a turn without them.
    Raises SingularPositionError if the accelerations are not determined.
    """
    for droppable in (False, True):
        run = new(compiled, droppable=droppable)
        run.begin_at(time, torsion_angles)
        status = run.initialise()
        if status == Status.OK and all(np.all(np.isfinite(found)) for found in run.sample().values()):
            return run
    raise SingularPositionError(
        f"the accelerations at t = {time:g} s are not determined.",
        element=f"mechanism {compiled.lowered.name!r}",
        remedy=REMEDY[Status.SINGULAR],
    )


def moved(compiled: CompiledMechanism, assembled: Assembled) -> list[str]:
    """What assembly moved, in words."""
    out: list[str] = []
    found = np.stack([assembled.moved, assembled.turned, assembled.velocity_change, assembled.spin_change])
    for k in np.flatnonzero(np.any(found > WORTH_SAYING, axis=0)):
        name = compiled.lowered.bodies[k].name
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
        out.append(f"assembly: body {name!r} {', '.join(changes)}")
    return out


def span(mech: Mechanism, t_end: float | None, step: float | None) -> tuple[float, float]:
    """t_end and step, from the mechanism's own `run` hints where they are not given. UsageError if it has none."""
    hints = getattr(mech, "run", None)
    found = []
    for name, value in (("t_end", t_end), ("step", step)):
        value = value if value is not None else getattr(hints, name, None)
        if value is None:
            raise UsageError(f"{name} is not given, and the mechanism has no hint for it.")
        found.append(value)
    return found[0], found[1]


def whole_steps(t_end: float, step: float) -> tuple[int, list[str]]:
    """How many steps reach t_end, and a message if the last one passes it. Raises UsageError for odd numbers."""
    t_end, step = positive_number("t_end", t_end, "seconds"), positive_number("step", step, "seconds")
    steps = step_count(t_end, step)
    if abs(steps - t_end / step) > 1e-6:
        return steps, [f"t_end {t_end:g} s is not a whole number of steps: the run ends at {steps * step:g} s"]
    return steps, []
