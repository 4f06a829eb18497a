"""A start state from joint coordinates and rates: what is given is held fast.

Coordinates that are not given stay as described, rates that are not given are zero, as far as loops and drivers let
them (`analysis.posed`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.analysis.coordinate_rows import held
from linkwork.analysis.joint_space.state import bodies_at
from linkwork.analysis.joint_space.tree import frames_and_twists
from linkwork.analysis.posed import Given, Unassembled, led
from linkwork.analysis.state import State, state_of
from linkwork.errors import AssemblyError, StartStateError, UsageError
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.mechanism.elements import did_you_mean
from linkwork.mechanism.kept import kept
from linkwork.mechanism.lowered import Lowered, LoweredJoint
from linkwork.system import CompiledMechanism
from linkwork.system.assembly import fit_velocities
from linkwork.system.dense import Pose, drives

FEWER = "Give fewer rates, or such as the joints allow together."
MET = 1e-8  # rad, m, and per second: so well what is given is held


def start_state(
    mech: Mechanism,
    coordinates: Mapping[str, Any] | None = None,
    rates: Mapping[str, float] | None = None,
    *,
    time: float = 0.0,
) -> State:
    """The state at these joint coordinates and rates, assembled with what is given held fast.

    Parameters
    ----------
    coordinates, rates : name -> rad or m, rad/s or m/s; of a coordinate also the pair of value and rate, with None for
        the value as described, ``{"knee": (0.3, 1.5)}``. Names are those of `Result.joint`, ``"knee.angle"``, or the
        joint's alone where it has one coordinate; angles and displacements of every joint, in the tree or not.
    time : s, at which drivers are taken, and at which a run from the state starts.

    Coordinates that are not given stay as described; where loops have to be closed, poses stay as near as they can to
    where that puts them. Rates that are not given are zero as far as they can be. Raises UsageError for names and
    numbers that make no sense, StartStateError naming what cannot be met.
    """
    need_mechanism(mech)
    state, _ = _assembled(mech, coordinates or {}, rates or {}, time)
    return state


def _assembled(
    mech: Mechanism, coordinates: Mapping[str, Any], rates: Mapping[str, float], time: float
) -> tuple[State, bool]:
    """The state, and whether masses count in it: they do where velocities are shared out among bodies."""
    described = kept(mech, "start states", lambda: Unassembled(mech))
    lowered = described.lowered
    values, speeds_by_name = _apart(coordinates, rates)
    poses = [given(lowered, name, value) for name, value in values.items()]
    speeds = [given(lowered, name, value) for name, value in speeds_by_name.items()]
    at, angles = led(described, poses, time)
    moving, weighed = _moving(described, at, speeds, time)
    _check(described, moving, poses, speeds)
    return replace(state_of(moving, time), counted_angles=angles if angles.size else None), weighed


def _apart(coordinates: Mapping[str, Any], rates: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Values and rates, where some are given as pairs. Raises UsageError for a pair of more, and a rate given twice."""
    pairs = {name: value if isinstance(value, tuple | list) else (value,) for name, value in coordinates.items()}
    if odd := [name for name, pair in pairs.items() if not 1 <= len(pair) <= 2]:
        raise UsageError(f"{odd[0]!r} must be a coordinate, or a coordinate and its rate.")
    if twice := [name for name, pair in pairs.items() if len(pair) == 2 and name in rates]:
        raise UsageError(f"the rate of {twice[0]!r} is given twice.", remedy="Give it in the pair, or in rates.")
    with_rates = {name: pair[1] for name, pair in pairs.items() if len(pair) == 2}
    values = {name: pair[0] for name, pair in pairs.items() if len(pair) == 1 or pair[0] is not None}
    return values, with_rates | dict(rates)


def given(lowered: Lowered, name: str, value: Any) -> Given:
    """A coordinate by name. Raises UsageError with the nearest name."""
    known: dict[str, tuple[LoweredJoint, str]] = {}
    for joint in lowered.joints:
        if joint.kind == "joint":
            found = list(held(joint))
            known |= {f"{joint.name}.{one}": (joint, one) for one in found}
            known |= {joint.name: (joint, found[0])} if found and (len(found) == 1 or joint.type == "screw") else {}
    if name not in known:
        several = [one for one in known if one.startswith(f"{name}.")]
        told = f"; the joint has {' and '.join(several)}" if several else did_you_mean(name, known)
        raise UsageError(f"{name!r} is no angle or displacement of a joint{told}")
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
        raise UsageError(f"{name!r} must be a finite number, not {value!r}.")
    joint, coordinate = known[name]
    return Given(f"{joint.name}.{coordinate}", joint, coordinate, float(value))


def _moving(
    described: Unassembled, at: CompiledMechanism, speeds: list[Given], time: float
) -> tuple[CompiledMechanism, bool]:
    """The mechanism with velocities that meet its rows and these rates: those of the spanning tree with other rates
    zero, and the change of them that takes the least energy; whether there is one."""
    mechanism, rows = described.with_rows(speeds)
    tree, found, drive = described.tree, None, drives(mechanism, time)
    if tree is not None:
        wanted = {one.label: one.value for one in speeds}
        rates = np.array([wanted.get(name, 0.0) for name in tree.coordinates]) * tree.sense
        found = described.measured(at)
        moving = bodies_at(at, frames_and_twists(at, tree, found._replace(rate=rates), time))
        at = at.at(at.r, at.A, moving.v, moving.w)
    here = mechanism.at(at.r, at.A, at.v, at.w)
    for k, one, (value, _) in zip(rows, speeds, described.values(speeds, at, found), strict=True):
        drive[k] = value, one.value, 0.0
    try:
        fitted, _, _ = fit_velocities(here, Pose(at.r, at.A), drive)
    except AssemblyError as error:
        asked = ", ".join(f"{one.label} = {one.value:g}" for one in speeds) or "none"
        text = f"no velocities have the rates that are given ({asked}): {error.message}"
        raise StartStateError(text, element=error.element, remedy=FEWER) from None
    return at.at(at.r, at.A, fitted.v, fitted.w), fitted.v is not here.v


def _check(described: Unassembled, at: CompiledMechanism, poses: list[Given], speeds: list[Given]) -> None:
    """Raise StartStateError where something given did not stay."""
    measured = None if described.tree is None else described.measured(at)
    for wanted, place_of, what in ((poses, 0, ""), (speeds, 1, "rate of ")):
        for one, values in zip(wanted, described.values(wanted, at, measured), strict=True):
            found = values[place_of]
            off = found - one.value
            if place_of == 0 and one.coordinate.startswith("angle"):
                off = math.remainder(off, 2.0 * math.pi)
            if not abs(off) <= MET * max(1.0, abs(one.value)):
                raise StartStateError(
                    f"the {what}{one.label} cannot be {one.value:g} with what else is given; the nearest is {found:g}.",
                    element=f"mechanism {at.lowered.name!r}",
                )


def as_state(mech: Mechanism, asked: Any, *, like: Mechanism | None = None) -> State:
    """What `simulate` was given to start from: a State, its plain data, or joint coordinates by name.

    Of a coordinate the value, or value and rate; None for the value as described. like : with the same rows at the same
    start, other masses perhaps, of which more is known. Raises UsageError for anything else.
    """
    if isinstance(asked, State):
        return asked
    if not isinstance(asked, Mapping):
        raise UsageError(
            f"a start state is a State or joint coordinates by name, not {type(asked).__name__}.",
            remedy='Take res.state(-1), lw.start_state(mech, ...), or {"hip": 0.3}.',
        )
    if isinstance(asked.get("position"), list):
        return State.from_dict(asked)
    if like is not None:
        try:
            state, weighed = _assembled(like, asked, {}, 0.0)
        except StartStateError:
            weighed = True
        if not weighed:
            return state
    return start_state(mech, asked)
