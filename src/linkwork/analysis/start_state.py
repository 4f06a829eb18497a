"""A start state from joint coordinates and rates: what is given is held fast, everything else is assembled around it.

The pose is led from the described one to the given coordinates in small steps, so that closed chains stay on the branch
on which they are described, and angles count the turns. Rates that are not given are zero, as far as loops and
drivers let them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.analysis.coordinate_rows import held, row_of
from linkwork.analysis.joint_space.state import bodies_at
from linkwork.analysis.joint_space.state import measured as measured_on_tree
from linkwork.analysis.joint_space.tree import frames_and_twists
from linkwork.analysis.state import State, state_of
from linkwork.errors import AssemblyError, StartStateError, UnsupportedElementError, UsageError
from linkwork.header import Array
from linkwork.kernels.angles import count_angles
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.mechanism.elements import did_you_mean
from linkwork.mechanism.kept import kept
from linkwork.mechanism.lowered import Lowered, LoweredJoint, Row, Stated
from linkwork.quantities.joints import coordinates_between
from linkwork.quantities.model import Motion
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.assembly import Fit, fit_positions, fit_velocities, position_rows, worst_rows
from linkwork.system.dense import Pose, drives
from linkwork.system.links import LinkTree, links_of

STRIDE, SLIDE = 0.3, 0.1  # rad, and typical lengths, from one pose to the next
MOST_KEPT = 16  # sets of coordinates
MOST_POSES = 1000  # on the way to the coordinates: 47 turns, 100 lengths
UNKNOWN = Stated(False, False, False, False)
FEWER = "Give fewer rates, or such as the joints allow together."
MET = 1e-8  # rad, m, and per second: so well what is given is held


@dataclass(frozen=True)
class Given:
    """A joint coordinate or its rate, as asked for. label : ``hip.angle``."""

    label: str
    joint: LoweredJoint
    coordinate: str
    value: float

    def at(self, mechanism: CompiledMechanism) -> tuple[float, float]:
        """The coordinate and its rate at the mechanism's start state."""
        first, second = _still(mechanism, self.joint.body_i), _still(mechanism, self.joint.body_j)
        _, (value, rate, _) = coordinates_between(first, second, np.zeros(1), self.joint)[self.coordinate]
        return float(value[0]), float(rate[0])


class Unassembled:
    """What start states of a mechanism have in common, worked out once; not to be written into.

    lowered : as described. free : with nothing of its start stated. compiled : that, without further rows.
    """

    def __init__(self, mech: Mechanism) -> None:
        self.lowered = mech.lower()
        self.free = replace(self.lowered, bodies=tuple(replace(one, stated=UNKNOWN) for one in self.lowered.bodies))
        self.compiled = compile_mechanism(self.free)
        self._held: dict[tuple[tuple[str, str], ...], CompiledMechanism] = {}

    @cached_property
    def tree(self) -> LinkTree | None:
        """The spanning tree of the mechanism as described, None where there is none."""
        try:
            return links_of(compile_mechanism(self.lowered), None, frames="joints")
        except UnsupportedElementError:
            return None

    def with_rows(self, these: list[Given]) -> tuple[CompiledMechanism, list[int]]:
        """The mechanism with a row for each coordinate, and the numbers of these rows."""
        key = tuple((one.label, one.coordinate) for one in these)
        made = self._held.get(key)
        if made is None:
            extra: list[Row] = [row_of(one.label, one.joint, held(one.joint)[one.coordinate]) for one in these]
            made = compile_mechanism(self.free.with_rows(extra))
            if len(self._held) < MOST_KEPT:
                self._held[key] = made
        first = len(self.free.rows) - self.free.rigid
        return made, list(range(first, first + len(these)))


def start_state(
    mech: Mechanism,
    coordinates: Mapping[str, float] | None = None,
    rates: Mapping[str, float] | None = None,
    *,
    time: float = 0.0,
) -> State:
    """The state at these joint coordinates and rates, assembled with what is given held fast.

    Parameters
    ----------
    coordinates, rates : name -> rad or m, rad/s or m/s. Names are those of `Result.joint`, ``"knee.angle"``, or the
        joint's alone where it has one coordinate; angles and displacements of every joint, in the tree or not.
    time : s, at which drivers are taken, and at which a run from the state starts.

    Poses that are not given stay as near to the described ones as joints let them. Rates that are not given are zero as
    far as they can be. Raises UsageError for names and numbers that make no sense, StartStateError naming what cannot
    be met.
    """
    need_mechanism(mech)
    described = kept(mech, "start states", lambda: Unassembled(mech))
    lowered = described.lowered
    poses = [given(lowered, name, value) for name, value in (coordinates or {}).items()]
    speeds = [given(lowered, name, value) for name, value in (rates or {}).items()]
    at, angles = _led(described, poses, time)
    moving = _moving(described, links_at(described, at, speeds, time), speeds, time)
    _check(moving, poses, speeds)
    return replace(state_of(moving, time), counted_angles=angles if angles.size else None)


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


def _led(described: Unassembled, poses: list[Given], time: float) -> tuple[CompiledMechanism, Array]:
    """The mechanism at a pose with these coordinates, and the angles counted on the way there."""
    mechanism, rows = described.with_rows(poses)
    drive = drives(mechanism, time)
    plain = ~np.isin(np.arange(mechanism.nc), rows) & position_rows(mechanism)
    start = fit_positions(mechanism, Pose(mechanism.r, mechanism.A), drive, rows=plain)
    pose = start.pose
    angles = np.zeros(mechanism.angles)
    count_angles(mechanism.system, pose.A, angles, angles)
    here = mechanism.at(pose.r, pose.A, mechanism.v, mechanism.w)
    first = np.array([one.at(here)[0] for one in poses])
    last = np.array([one.value for one in poses])
    sizes = [STRIDE if one.coordinate.startswith("angle") else SLIDE * mechanism.length for one in poses]
    steps = poses_between([one.label for one in poses], first, last, np.array(sizes))
    for k in range(1, steps + 1):
        drive[rows, 0] = last if k == steps else first + k / steps * (last - first)
        here = replace(mechanism, counted_angles=angles)  # turns of couplings are counted on the way
        fit = fit_positions(here, pose, drive, attempts=0 if k < steps else None)
        if not fit.fits and k == steps:
            raise _refusal(mechanism, poses, fit, time)
        pose = fit.pose if fit.fits else pose
        count_angles(mechanism.system, pose.A, angles, angles)
    rest = np.zeros_like(mechanism.v), np.zeros_like(mechanism.w)
    return described.compiled.at(pose.r, pose.A, *rest), angles


def poses_between(labels: list[str], first: Array, last: Array, sizes: Array) -> int:
    """How many poses lead from coordinates to others, no further apart than sizes. Raises UsageError for too many."""
    strides = np.abs(last - first) / sizes
    if np.any(strides > MOST_POSES):
        far = int(np.argmax(strides))
        raise UsageError(
            f"{labels[far]} = {last[far]:g} is too far from the described pose, {first[far]:.3g}: at most "
            f"{MOST_POSES * sizes[far]:g} away can be followed.",
            remedy="Leave out whole turns of an angle; or describe the mechanism nearer to that pose.",
        )
    return max(1, math.ceil(float(np.max(strides, initial=0.0))))


def links_at(described: Unassembled, at: CompiledMechanism, speeds: list[Given], time: float) -> CompiledMechanism:
    """The same pose with the spanning tree moving at these rates, others zero; at rest where there is no such tree."""
    tree = described.tree
    if tree is None:
        return at
    found = measured_on_tree(at, tree)
    wanted = {one.label: one.value for one in speeds}
    rates = np.array([wanted.get(name, 0.0) for name in tree.coordinates]) * tree.sense
    moving = bodies_at(at, frames_and_twists(at, tree, found._replace(rate=rates), time))
    return at.at(at.r, at.A, moving.v, moving.w)


def _moving(described: Unassembled, at: CompiledMechanism, speeds: list[Given], time: float) -> CompiledMechanism:
    """The mechanism with velocities that meet its rows and these rates."""
    mechanism, rows = described.with_rows(speeds)
    here = mechanism.at(at.r, at.A, at.v, at.w)
    drive = drives(mechanism, time)
    for k, one in zip(rows, speeds, strict=True):
        drive[k] = one.at(here)[0], one.value, 0.0
    try:
        rates, _, _ = fit_velocities(here, Pose(at.r, at.A), drive)
    except AssemblyError as error:
        asked = ", ".join(f"{one.label} = {one.value:g}" for one in speeds) or "none"
        text = f"no velocities have the rates that are given ({asked}): {error.message}"
        raise StartStateError(text, element=error.element, remedy=FEWER) from None
    return at.at(at.r, at.A, rates.v, rates.w)


def _check(mechanism: CompiledMechanism, poses: list[Given], speeds: list[Given]) -> None:
    """Raise StartStateError where something given did not stay."""
    for wanted, place_of, what in ((poses, 0, ""), (speeds, 1, "rate of ")):
        for one in wanted:
            found = one.at(mechanism)[place_of]
            off = found - one.value
            if place_of == 0 and one.coordinate.startswith("angle"):
                off = math.remainder(off, 2.0 * math.pi)
            if not abs(off) <= MET * max(1.0, abs(one.value)):
                raise StartStateError(
                    f"the {what}{one.label} cannot be {one.value:g} with what else is given; the nearest is {found:g}.",
                    element=f"mechanism {mechanism.lowered.name!r}",
                )


def _refusal(mechanism: CompiledMechanism, poses: list[Given], fit: Fit, time: float) -> StartStateError:
    worst = worst_rows(mechanism, fit.phi, position_rows(mechanism))
    rows = ", ".join(f"'{mechanism.row_names[k]}' ({fit.phi[k]:+.3g})" for k in worst)
    asked = ", ".join(f"{one.label} = {one.value:g}" for one in poses)
    return StartStateError(
        f"the mechanism cannot be put together at t = {time:g} s with {asked}; closest found: {rows}.",
        element=f"mechanism {mechanism.lowered.name!r}",
        remedy="Give fewer coordinates, or such as the joints, closed loops and drivers allow together.",
    )


def _still(mechanism: CompiledMechanism, k: int) -> Motion:
    """One body's state as a motion of one sample; -1 is ground."""
    zero = np.zeros((1, 3))
    r, A, v, w = (array[None, k] for array in (mechanism.r, mechanism.A, mechanism.v, mechanism.w))
    return Motion(r, A.reshape(1, 3, 3), v, w, zero, zero)


def as_state(mech: Mechanism, asked: Any) -> State:
    """What `simulate` was given to start from: a State, its plain data, or joint coordinates by name.

    Of a coordinate the value, or value and rate. Raises UsageError for anything else.
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
    pairs = {name: value if isinstance(value, tuple | list) else (value,) for name, value in asked.items()}
    if odd := [name for name, pair in pairs.items() if not 1 <= len(pair) <= 2]:
        raise UsageError(f"{odd[0]!r} must be a coordinate, or a coordinate and its rate.")
    rates = {name: pair[1] for name, pair in pairs.items() if len(pair) == 2}
    return start_state(mech, {name: pair[0] for name, pair in pairs.items()}, rates)
