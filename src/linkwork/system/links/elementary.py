"""A joint as elementary joints in a row, from its second face: the motions that it leaves free.

At zero coordinates the markers coincide, or, where the joint's second axis is the second marker's z (a universal
joint), that axis lies along minus y of the first. Each motion turns about, or slides along, an axis through that point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from linkwork.mechanism.lowered import LoweredJoint
from linkwork.mechanism.markers import perpendicular, triple
from linkwork.mechanism.motions import Ball, Helix, Motion, Slide, Turn
from linkwork.system.links.displacements import EYE, Array, Displacement, compose, identity, inverse, of_marker, turned
from linkwork.system.links.linktree import HELICAL, REVOLUTE, SPHERICAL, TRANSLATION

QUARTER = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # a quarter turn about x


@dataclass(frozen=True)
class Elementary:
    """One elementary joint: its kind, the frame Q (in the first marker's, at zero) whose z is its axis, and how much it
    turns and slides per unit of its coordinate; what the coordinate is called, and its unit."""

    kind: int
    frame: Array  # (3, 3)
    turn: float
    slide: float
    name: str
    unit: str


class Chain(NamedTuple):
    """Elementary joints from the first marker on, the turn that leads to the second marker at zero, both markers."""

    steps: tuple[Elementary, ...]
    last: Array  # (3, 3)
    markers: tuple[Displacement, Displacement]


def chain_of(joint: LoweredJoint) -> Chain | None:
    """The joint in elementary joints; None where it has no such form."""
    if joint.markers is None or joint.kind != "joint":
        return None
    first, second = of_marker(joint.markers[0]), of_marker(joint.markers[1])
    crossed = any(isinstance(move, Turn) and move.on_second for move in joint.moves)
    last = QUARTER if crossed else EYE
    steps: list[Elementary] = []
    for move in sorted(joint.moves, key=_place_in_row):
        made = _step(move, first[0], second[0], last)
        if made is None:
            return None
        steps.append(made)
    return Chain(tuple(steps), last, (first, second)) if _counts(joint, steps) else None


def _place_in_row(move: Motion) -> int:
    """Slides along axes of the first body come before all turns, those along axes of the second after them."""
    on_second = getattr(move, "on_second", False)
    return (3 if isinstance(move, Slide) else 2) if on_second else (0 if isinstance(move, Slide) else 1)


def _counts(joint: LoweredJoint, steps: list[Elementary]) -> bool:
    """Whether what is free and what is locked make six."""
    return len(joint.rows) + sum(3 if s.kind in (SPHERICAL, TRANSLATION) else 1 for s in steps) == 6


def _step(move: Motion, first: Array, second: Array, last: Array) -> Elementary | None:
    if isinstance(move, Ball):
        return Elementary(SPHERICAL, EYE, 1.0, 0.0, "turn", "rad")
    if isinstance(move, Helix):
        return Elementary(HELICAL, with_z(first.T @ np.array(move.axis)), 1.0, move.travel, "angle", "rad")
    if not isinstance(move, (Turn, Slide)):
        return None
    axis = last @ (second.T @ np.array(move.axis)) if move.on_second else first.T @ np.array(move.axis)
    Q = with_z(axis)
    if isinstance(move, Turn):
        return Elementary(REVOLUTE, Q, 1.0, 0.0, "angle", "rad")
    return Elementary(HELICAL, Q, 0.0, 1.0, "displacement", "m")


def with_z(axis: Array) -> Array:
    """A rotation whose z column is `axis`, the unit matrix where that is z."""
    z = axis / math.hypot(*axis.tolist())
    if abs(z[2] - 1.0) < 1e-15:
        return EYE
    x = perpendicular(triple(z))
    return np.array([x, np.cross(z, x), z]).T


def constants(
    chain: Chain, markers: tuple[Displacement, Displacement], forward: bool
) -> tuple[list[Displacement], Displacement]:
    """What stands before each elementary joint, parent's body first, and what leads from the last to the child's body.

    markers : of the chain, or others with the same axes. forward : the parent is the joint's first body; otherwise the
    joints are taken backwards, last one first.
    """
    first, second = markers if forward else markers[::-1]
    if not chain.steps:
        return [compose(leading(chain, first, forward), trailing(chain, second, forward))], identity()
    frames = [step.frame for step in chain.steps][:: 1 if forward else -1]
    between = [turned(a.T @ b) for a, b in pairwise(frames)]
    return [leading(chain, first, forward), *between], trailing(chain, second, forward)


def leading(chain: Chain, marker: Displacement, forward: bool) -> Displacement:
    """What stands before the first elementary joint that is taken. marker : on the parent."""
    before = marker if forward else inverse(_behind(chain, marker))
    frame = _outer_frame(chain, first=forward)
    return before if frame is None else compose(before, turned(frame))


def trailing(chain: Chain, marker: Displacement, forward: bool) -> Displacement:
    """What stands behind the last elementary joint that is taken. marker : on the child."""
    after = _behind(chain, marker) if forward else inverse(marker)
    frame = _outer_frame(chain, first=not forward)
    return after if frame is None else compose(turned(frame.T), after)


def _behind(chain: Chain, marker: Displacement) -> Displacement:
    """From the joint's last frame to its second body."""
    after = inverse(marker)
    return after if chain.last is EYE else compose(turned(chain.last), after)


def _outer_frame(chain: Chain, first: bool) -> Array | None:
    """That of the first elementary joint, or of the last one; None where there is nothing to turn by."""
    steps = chain.steps
    if not steps or (len(steps) == 1 and steps[0].frame is EYE):
        return None
    return steps[0 if first else -1].frame
