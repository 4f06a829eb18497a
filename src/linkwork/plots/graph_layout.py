"""Where a joint graph is drawn: bodies in layers by depth, cut joints round the bodies in between. All in inches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from linkwork.header import Array

if TYPE_CHECKING:
    from linkwork.system.topology import Topology

ALONG, ACROSS, DOWN = 1.75, 1.05, 1.15  # room per layer or branch: beside each other, above each other; layers down
GAP = 0.45  # of a branch, between parts of the mechanism
LARGEST = (18.0, 14.0)
BENDS = np.array([0.0, 0.3, -0.3, 0.55, -0.55, 0.85, -0.85, 1.3, -1.3, 1.9, -1.9])  # tried in turn for a cut joint
WIDE = np.array([0.15, -0.15, 0.22, -0.22])  # then these, as parts of its length
BOX = np.array([0.62, 0.28])  # half the room that a body with its name needs
DOT = 0.3  # half the room of one without
SAMPLES = np.linspace(0.05, 0.95, 31)


@dataclass(frozen=True)
class Layout:
    """xy (n, 2): bodies by label, y upwards. sideways: layers go to the right, not down. unit: of a layer, a branch."""

    xy: Array
    sideways: bool
    unit: tuple[float, float]
    size: tuple[float, float]

    def ground(self, at: float) -> Array:
        """The point of ground's line beside a place along the branches."""
        return np.array([-self.unit[0], at] if self.sideways else [at, self.unit[0]])

    def along(self, k: int) -> float:
        """Where body k is along ground's line."""
        return float(self.xy[k, 1 if self.sideways else 0])


def layout(topology: Topology) -> Layout:
    """Leaves beside each other in order of label, parents in the middle of their children."""
    tree = topology.tree
    n = len(tree.parent)
    branch, leaves, part = np.zeros(n), 0.0, 0
    for k in range(n):
        if tree.part[k] != part:
            part, leaves = int(tree.part[k]), leaves + GAP
        if tree.size[k] == 1:
            branch[k], leaves = leaves, leaves + 1.0
    for k in range(n - 1, -1, -1):
        children = topology.children(k)
        if len(children):
            branch[k] = (branch[children[0]] + branch[children[-1]]) / 2.0
    layers = topology.height + 1.0
    sideways = layers > 2.0 * leaves + 2.0
    unit = (ALONG, ACROSS) if sideways else (DOWN, ALONG)
    long, wide = layers * unit[0], max(leaves, 1.0) * unit[1]
    most = LARGEST if sideways else LARGEST[::-1]
    unit = (unit[0] * min(1.0, most[0] / long), unit[1] * min(1.0, most[1] / wide))
    depth = tree.depth * unit[0]
    xy = np.stack([depth, -branch * unit[1]] if sideways else [branch * unit[1], -depth], axis=1)
    size = (layers * unit[0], wide) if sideways else (wide, layers * unit[0])
    return Layout(xy, sideways, unit, (min(max(size[0] + 0.6, 4.5), 19.0), min(max(size[1] + 0.6, 2.4), 16.0)))


def curve(start: Array, stop: Array, bend: float, s: Array) -> Array:
    """Points of the parabola from start to stop that bends to the left by `bend` in its middle."""
    d = stop - start
    left = np.array([-d[1], d[0]]) / max(float(np.hypot(*d)), 1e-9)
    s = s[:, None]
    out: Array = start + s * d + 4.0 * bend * s * (1.0 - s) * left
    return out


def route(start: Array, stop: Array, others: Array, taken: list[Array], scale: float) -> float:
    """The smallest bend that keeps clear of other bodies, and its middle clear of the middles taken before.

    scale : 1 where bodies have names, less where they are closer together than names need.
    """
    best, most = 0.0, -np.inf
    room = BOX if scale >= 1.0 else np.full(2, DOT * scale)
    for bend in np.concatenate((scale * BENDS, float(np.hypot(*(stop - start))) * WIDE)):
        points = curve(start, stop, bend, SAMPLES)
        off = np.abs(points[:, None, :] - others[None, :, :]) / room
        clear = float(off.max(axis=2).min()) if len(others) else np.inf
        middle = points[len(SAMPLES) // 2]
        near = min((float(np.max(np.abs(middle - one) / room)) for one in taken), default=np.inf)
        free = min(clear, 1.0) + min(near, 0.8)
        if free >= 1.8:
            return float(bend)
        if free > most + 1e-9:
            best, most = float(bend), free
    return best
