"""A mechanism's links, placed at joint coordinates: frames in space, twists, and the parts of recursions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.state import State, need_state
from linkwork.arguments import names_of
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.dense import drives
from linkwork.system.links import LinkTree, links_of
from linkwork.system.links.coordinates import Measured, free_columns, screw_column, slot, step_of
from linkwork.system.links.displacements import Displacement, compose

Array = NDArray[np.float64]


def tree_of(mechanism: Mechanism, root: str | None = None) -> tuple[CompiledMechanism, LinkTree]:
    """The compiled mechanism and its links, frames at the joints' markers. Raises UsageError for no Mechanism."""
    need_mechanism(mechanism)
    if root is not None:
        names_of("root", root)
    compiled = compile_mechanism(mechanism.lower())
    return compiled, links_of(compiled, root, frames="joints")


def at_state(compiled: CompiledMechanism, state: State | None) -> tuple[CompiledMechanism, float]:
    """The mechanism at a state, at its start if left out, and the time [s]. Raises UsageError for no State."""
    need_state(state)
    return (compiled, 0.0) if state is None else (state.within(compiled), state.time)


@dataclass(frozen=True)
class Placed:
    """Links in space: frames (n pairs R, p), twists (n + 1, 6) angular first, columns of joints per link."""

    tree: LinkTree
    frames: list[Displacement]
    steps: list[Displacement]
    twist: Array
    columns: list[Array]  # (6, freedoms)
    rates: Array  # of what is driven: (n, 2) first and second

    def parent(self, k: int) -> int:
        """Link that k hangs on; -1 for ground."""
        p = int(self.tree.links.parent[k])
        return p if p < len(self.frames) else -1

    def slots(self, k: int) -> slice:
        """Where the coordinates of link k stand."""
        d = int(self.tree.links.dof[k])
        return slice(d, d + self.columns[k].shape[1])

    def body(self, k: int) -> int:
        """Body of link k, -1 if it carries none."""
        return int(self.tree.links.body[k])


def frames_and_twists(compiled: CompiledMechanism, tree: LinkTree, at: Measured, time: float) -> Placed:
    """Frames and twists at coordinates and rates; what is driven follows its driver at `time`."""
    links, n = tree.links, len(tree.links.kind)
    drive = drives(compiled, time)
    q = np.concatenate([at.q, at.driven])
    rates = np.zeros((n, 2))
    for k in np.flatnonzero(links.driver >= 0).tolist():
        f, f1, f2 = drive[links.driver[k]]
        q[slot(tree, k)] = f
        rates[k] = f1, f2
    frames: list[Displacement] = []
    steps = [step_of(tree, k, q, at.pose) for k in range(n)]
    columns = [np.array(free_columns(tree, k)).reshape(-1, 6).T for k in range(n)]
    twist = np.zeros((n + 1, 6))
    ground: Displacement = (np.eye(3), np.zeros(3))
    for k in range(n):
        p, d = int(links.parent[k]), int(links.dof[k])
        frames.append(compose(frames[p] if p < n else ground, steps[k]))
        twist[k] = down(steps[k], twist[p]) + columns[k] @ at.rate[d : d + columns[k].shape[1]]
        if links.driver[k] >= 0:
            twist[k] += screw_column(tree, k) * rates[k, 0]
    return Placed(tree, frames, steps, twist, columns, rates)


def cross(a: Array, b: Array) -> Array:
    """a x b of two vectors; `numpy.cross` takes ten times as long for so few numbers."""
    (x, y, z), (u, v, w) = a.tolist(), b.tolist()
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def down(step: Displacement, V: Array) -> Array:
    """A twist of the parent's frame in the child's."""
    R, p = step
    return np.concatenate([R.T @ V[:3], R.T @ (V[3:] + cross(V[:3], p))])


def up(step: Displacement, F: Array) -> Array:
    """A wrench (or the columns of a matrix of wrenches) in the child's frame, in the parent's."""
    R, p = step
    f = R @ F[3:]
    x, y, z = p.tolist()
    moment = np.array([y * f[2] - z * f[1], z * f[0] - x * f[2], x * f[1] - y * f[0]])
    return np.concatenate([R @ F[:3] + moment, f])


def cross_motion(V: Array, W: Array) -> Array:
    """V x W of twists."""
    return np.concatenate([cross(V[:3], W[:3]), cross(V[:3], W[3:]) + cross(V[3:], W[:3])])


def inertia_of(row: Array) -> Array:
    """(6, 6) of a rigid body from its ten numbers, `Links.rigid`."""
    xx, xy, xz, yy, yz, zz, x, y, z, m = row.tolist()
    return np.array(
        [
            [xx, xy, xz, 0.0, -z, y],
            [xy, yy, yz, z, 0.0, -x],
            [xz, yz, zz, -y, x, 0.0],
            [0.0, z, -y, m, 0.0, 0.0],
            [-z, 0.0, x, 0.0, m, 0.0],
            [y, -x, 0.0, 0.0, 0.0, m],
        ]
    )


__all__ = ["Placed", "cross", "cross_motion", "down", "frames_and_twists", "inertia_of", "tree_of", "up"]
