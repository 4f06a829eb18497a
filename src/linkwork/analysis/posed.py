"""Poses at joint coordinates, beginning with the described one.

Joints of the spanning tree are moved to the coordinates that are given, the others stay as described. Where that does
not meet all rows, the pose is led there in small steps and assembled at each, so that closed chains stay on the branch
on which they are described, and angles count the turns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from linkwork.analysis.coordinate_rows import held, row_of
from linkwork.analysis.joint_space.state import bodies_at
from linkwork.analysis.joint_space.tree import frames_and_twists
from linkwork.errors import StartStateError, UnsupportedElementError, UsageError
from linkwork.header import Array
from linkwork.kernels.angles import count_angles
from linkwork.mechanism import Mechanism
from linkwork.mechanism.lowered import LoweredJoint, Row, Stated
from linkwork.quantities.components import Motion
from linkwork.quantities.joints import coordinates_between
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.assembly import Fit, fit_positions, position_rows, worst_rows
from linkwork.system.dense import Pose, drives
from linkwork.system.links import LinkTree, coordinates_at, links_of
from linkwork.system.links.coordinates import Measured
from linkwork.system.links.single import Constants, constants_of

STRIDE, SLIDE = 0.3, 0.1  # rad, and typical lengths, from one pose to the next
COUNTED = 1.5  # rad that all angles together turn from one pose to the next where turns are counted
NEAR = 1e-9  # of the typical length: rows that are met so well by joints placed one by one
MOST_KEPT = 16  # sets of coordinates
MOST_POSES = 1000  # on the way to the coordinates: 47 turns, 100 lengths
UNKNOWN = Stated(False, False, False, False)


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
        value, rate, _ = coordinates_between(first, second, np.zeros(1), self.joint)[self.coordinate].parts
        return float(value()[0]), float(rate()[0])


class Begin(NamedTuple):
    """The described pose, from which coordinates are led to others.

    mechanism : with a row for each coordinate; rows : their numbers. at : without these, at rest there. drive (nc, 3) :
    at the time. first : the coordinates. angles : counted.
    """

    mechanism: CompiledMechanism
    rows: list[int]
    at: CompiledMechanism
    drive: Array
    first: Array
    angles: Array


class Unassembled:
    """What start states of a mechanism have in common, worked out once; not to be written into.

    lowered : as described. free : with nothing of its start stated. compiled : that, without further rows.
    """

    def __init__(self, mech: Mechanism) -> None:
        self.lowered = mech.lower()
        self.free = replace(self.lowered, bodies=tuple(replace(one, stated=UNKNOWN) for one in self.lowered.bodies))
        self.compiled = compile_mechanism(self.free)
        self._held: dict[tuple[str, ...], CompiledMechanism] = {}
        self._begins: dict[tuple[float, tuple[str, ...]], Begin] = {}

    @cached_property
    def tree(self) -> LinkTree | None:
        """The spanning tree of the mechanism as described, None where there is none."""
        try:
            return links_of(compile_mechanism(self.lowered), None, frames="joints")
        except UnsupportedElementError:
            return None

    @cached_property
    def _constants(self) -> Constants:
        assert self.tree is not None
        return constants_of(self.tree)

    def measured(self, at: CompiledMechanism) -> Measured:
        """Coordinates of the spanning tree, which there is, and their rates."""
        assert self.tree is not None
        return coordinates_at(self.tree, at.r, at.A, at.v, at.w, self._constants)

    def values(self, these: list[Given], at: CompiledMechanism, found: Measured | None) -> list[tuple[float, float]]:
        """These coordinates and their rates. found : what `measured` finds there, if that is known."""
        known: dict[str, tuple[float, float]] = {}
        if self.tree is not None and found is not None:
            pairs = zip((found.q * self.tree.sense).tolist(), (found.rate * self.tree.sense).tolist(), strict=True)
            known = dict(zip(self.coordinates, pairs, strict=True))
        return [known[one.label] if one.label in known else one.at(at) for one in these]

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the spanning tree's coordinates."""
        return () if self.tree is None else self.tree.coordinates

    @property
    def is_tree(self) -> bool:
        """Whether joints of the spanning tree hold all there is, so that poses at coordinates meet all rows."""
        return self.tree is not None and not len(self.tree.links.closing) and not self.compiled.rigid

    def with_rows(self, these: list[Given]) -> tuple[CompiledMechanism, list[int]]:
        """The mechanism with a row for each coordinate, and the numbers of these rows."""
        key = tuple(one.label for one in these)
        made = self._held.get(key)
        if made is None:
            extra: list[Row] = [row_of(one.label, one.joint, held(one.joint)[one.coordinate]) for one in these]
            made = compile_mechanism(self.free.with_rows(extra))
            if len(self._held) < MOST_KEPT:
                self._held[key] = made
        first = len(self.free.rows) - self.free.rigid
        return made, list(range(first, first + len(these)))

    def begin(self, poses: list[Given], time: float) -> Begin:
        """Where these coordinates are as described, worked out once for a time."""
        key = time, tuple(one.label for one in poses)
        made = self._begins.get(key)
        if made is None:
            made = self._begin(poses, time)
            if len(self._begins) < MOST_KEPT:
                self._begins[key] = made
        return made

    def _begin(self, poses: list[Given], time: float) -> Begin:
        mechanism, rows = self.with_rows(poses)
        drive = drives(mechanism, time)
        plain = ~np.isin(np.arange(mechanism.nc), rows) & position_rows(mechanism)
        pose = fit_positions(mechanism, Pose(mechanism.r, mechanism.A), drive, rows=plain).pose
        angles = np.zeros(mechanism.angles)
        count_angles(mechanism.system, pose.A, angles, angles)
        at = self.compiled.at(pose.r, pose.A, np.zeros_like(mechanism.v), np.zeros_like(mechanism.w))
        return Begin(mechanism, rows, at, drive, np.array([one.at(at)[0] for one in poses]), angles)

    def moved(self, at: CompiledMechanism, poses: list[Given], to: Array, time: float) -> CompiledMechanism:
        """A pose with joints of the spanning tree moved to these coordinates, the others as they are; loops are not
        closed. As it is where there is no such tree."""
        if self.tree is None:
            return at
        found = self.measured(at)
        q = found.q.copy()
        for one, value in zip(poses, to.tolist(), strict=True):
            if one.label in self.coordinates:
                k = self.coordinates.index(one.label)
                q[k] = value * self.tree.sense[k]
        placed = frames_and_twists(at, self.tree, found._replace(q=q, rate=np.zeros_like(found.rate)), time)
        return bodies_at(at, placed)


def led(described: Unassembled, poses: list[Given], time: float) -> tuple[CompiledMechanism, Array]:
    """The mechanism at rest at a pose with these coordinates, and the angles counted on the way there."""
    begin = described.begin(poses, time)
    last = np.array([one.value for one in poses])
    sizes = [STRIDE if one.coordinate.startswith("angle") else SLIDE * begin.mechanism.length for one in poses]
    steps = poses_between([one.label for one in poses], begin.first, last, np.array(sizes))
    return _placed(described, begin, poses, time) or _walked(described, begin, poses, time, steps)


def _placed(
    described: Unassembled, begin: Begin, poses: list[Given], time: float
) -> tuple[CompiledMechanism, Array] | None:
    """Placed there joint by joint, as trees can be; None where rows are not met so."""
    if not described.is_tree or not {one.label for one in poses} <= {*described.coordinates}:
        return None
    last, angles = np.array([one.value for one in poses]), begin.angles.copy()
    turning = [one.coordinate.startswith("angle") for one in poses]
    turned = float(np.sum(np.abs(last - begin.first)[turning]))
    steps = max(1, math.ceil(turned / COUNTED)) if len(angles) else 1
    for k in range(1, steps + 1):
        at = described.moved(begin.at, poses, last - (1.0 - k / steps) * (last - begin.first), time)
        count_angles(begin.mechanism.system, at.A, angles, angles)
    drive = begin.drive.copy()
    drive[begin.rows, 0] = last
    fit = fit_positions(begin.mechanism, Pose(at.r, at.A), drive, attempts=0)
    if not fit.fits or fit.before > NEAR * max(1.0, begin.mechanism.length):
        return None
    return at.at(fit.pose.r, fit.pose.A, begin.at.v, begin.at.w), angles


def _walked(
    described: Unassembled, begin: Begin, poses: list[Given], time: float, steps: int
) -> tuple[CompiledMechanism, Array]:
    """Led there from the described pose: joints of the spanning tree are moved on a little, loops are closed again.
    Raises StartStateError."""
    mechanism, rows, drive, at, angles = begin.mechanism, begin.rows, begin.drive.copy(), begin.at, begin.angles.copy()
    last = np.array([one.value for one in poses])
    for k in range(1, steps + 1):
        drive[rows, 0] = last if k == steps else begin.first + k / steps * (last - begin.first)
        here = replace(mechanism, counted_angles=angles)  # turns of couplings are counted on the way
        moved = described.moved(at, poses, drive[rows, 0], time)
        fit = fit_positions(here, Pose(moved.r, moved.A), drive, attempts=0 if k < steps else None)
        if not fit.fits and k == steps:
            raise _refusal(mechanism, poses, fit, time)
        if fit.fits:
            at = at.at(fit.pose.r, fit.pose.A, at.v, at.w)
        count_angles(mechanism.system, at.A, angles, angles)
    return at, angles


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
