"""From what a user hands over to equations at a state: a mechanism, compiled, at a state that fits its constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State, need_state, state_of
from linkwork.arguments import finite_number, three_numbers
from linkwork.errors import AssemblyError, UsageError
from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.equations import Equations
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.run.starting import stated
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.assembly import assemble, position_rows, row_rates
from linkwork.system.dense import Pose, Rates, drives, row_parts, velocity_rhs
from linkwork.system.least_change import row_units

Array = NDArray[np.float64]
FITS, DRIFTED = 1e-9, 1e-3  # of the typical length: of a state that is given; of a sample of a run


def compiled_of(mech: Mechanism, at: State | None, t: float | None) -> tuple[CompiledMechanism, float]:
    """The mechanism with the state as its start state, and the time.

    Raises UsageError, ModelError, MissingMassError.
    """
    need_mechanism(mech)
    need_state(at)
    before = 0.0 if at is None else at.time
    time = finite_number("the time", before if t is None else t, "seconds")
    compiled = compile_mechanism(mech.lower())
    compiled.lowered.need_bodies()
    compiled.need_masses()
    return (compiled if at is None else at.within(compiled)), time


def equations_of(mech: Mechanism, at: State | None = None, t: float | None = None, *, held: bool = False) -> Equations:
    """Equations at an assembled state, at the assembled start state if it is left out. held : drivers stand still.

    Samples of runs, which drift off the rows, are brought back onto them. Raises AssemblyError for a state that does
    not fit the constraints, naming the row.
    """
    compiled, time = compiled_of(mech, at, t)
    if at is None:
        found = assemble(compiled, time)
        compiled = compiled.at(found.pose.r, found.pose.A, found.rates.v, found.rates.w)
    elif at.computed and not held and time == at.time:
        compiled = settled(mech, at)
    else:
        need_fit(compiled, time, held=held)
    return Equations(compiled, AppliedForces(compiled, at.counted_angles if at is not None else None), time, held)


def settled(mech: Mechanism, at: State) -> CompiledMechanism:
    """The mechanism at a sample of a run, brought back onto the rows that it has drifted off, by the least change.

    Raises AssemblyError where it is not near (`DRIFTED` of the typical length).
    """
    compiled = at.within(compile_mechanism(stated(mech.lower())))
    need_fit(compiled, at.time, DRIFTED)
    found = assemble(compiled, at.time)
    return compiled.at(found.pose.r, found.pose.A, found.rates.v, found.rates.w)


def where(e: Equations) -> State:
    """The state of equations, angles counted with their turns."""
    return replace(state_of(e.at, e.time), counted_angles=e.applied.counted_angles[: e.at.angles].copy())


def need_fit(compiled: CompiledMechanism, t: float, fits: float = FITS, *, held: bool = False) -> None:
    """Raise AssemblyError where positions or velocities do not fit the rows, to `fits` of the typical length.

    held : drivers stand still.
    """
    pose, drive = Pose(compiled.r, compiled.A), drives(compiled, t)
    if held:
        drive[:, 1:] = 0.0
    parts, counted = row_parts(compiled, pose, drive), position_rows(compiled)
    if compiled.nc:
        units = row_units(compiled, parts)
        off = np.abs(parts.phi) * counted
        rates, wanted = row_rates(compiled, parts, Rates(compiled.v, compiled.w)), velocity_rhs(compiled, pose, drive)
        missed = np.abs(rates - wanted)
        speed = max(
            float(np.max(np.abs(compiled.v))) / compiled.extent,
            float(np.max(np.abs(compiled.w))),
            float(np.max(np.abs(wanted) / units)),
        )
        for what, amount, limit in (
            ("is off by", off, fits * units),
            ("changes at a wrong rate, by", missed, fits * speed * units),
        ):
            if not np.all(amount <= limit):
                k = int(np.argmax(amount / units))
                raise AssemblyError(
                    f"the state does not fit the constraints at t = {t:g} s: row '{compiled.row_names[k]}' {what} "
                    f"{amount[k]:.3g}.",
                    element=f"mechanism {compiled.lowered.name!r}",
                    remedy="Take a state of a result, or assemble the mechanism there first.",
                )


def turn_rate(compiled: CompiledMechanism, turning: Sequence[float]) -> Array:
    """The three numbers. Raises UsageError unless gravity lies along them."""
    W = three_numbers("turning", turning, "rad/s")
    across = np.cross(W, compiled.system.gravity)
    if np.linalg.norm(across) > 1e-9 * np.linalg.norm(W) * np.linalg.norm(compiled.system.gravity):
        raise UsageError(f"gravity does not lie along the axis of turning {W.tolist()}: no motion about it is steady.")
    return W
