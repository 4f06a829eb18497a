"""The usual case of `coordinates`: a link that one revolute or spherical joint, one slide or nothing leads to, by
numbers instead of arrays.

A mechanism of ten thousand revolute joints is measured in tenths of a second so; what comes out is the same.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from linkwork.kernels.mat33 import IDENTITY, Mat, matmul, matmul_t, rotate, rotate_t
from linkwork.kernels.vec3 import add, cross, dot, scale, sub
from linkwork.system.links.displacements import Array, Displacement
from linkwork.system.links.linktree import (
    FIXED,
    HELICAL,
    REVOLUTE,
    SPHERICAL,
    LinkTree,
)

Three = tuple[float, float, float]
NOWHERE: Three = (0.0, 0.0, 0.0)


class Frames:
    """Frames of links in space, kept as numbers, read and written as pairs (R, p) of arrays where those are wanted."""

    def __init__(self, n: int) -> None:
        self.flat: list[tuple[Mat, Three]] = [(IDENTITY, NOWHERE)] * (n + 1)  # ground last

    def __len__(self) -> int:
        return len(self.flat) - 1

    def __getitem__(self, k: int) -> Displacement:
        R, p = self.flat[k]
        return np.array(R).reshape(3, 3), np.array(p)

    def __setitem__(self, k: int, frame: Displacement) -> None:
        R, p = frame[0].ravel().tolist(), frame[1].tolist()
        self.flat[k] = (R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), (p[0], p[1], p[2])


class Constants(NamedTuple):
    """Of all links, as lists: what stands before the elementary joint (R, p), and angle, shift, turn and slide; and the
    links in runs that end at a link with a body."""

    rotations: list[Any]
    shifts: list[Any]
    screws: list[Any]
    simple: list[bool]  # whether `measure` knows the link's joint
    groups: list[list[int]]


def constants_of(tree: LinkTree) -> Constants:
    """All that does not depend on a state."""
    links, n = tree.links, len(tree.links.kind)
    rotations, shifts = links.fixed[:, :9].copy(), links.fixed[:, 9:].copy()
    along = links.is_general == 0
    if along.any():
        c, s, one, none = links.x_cos[along], links.x_sin[along], np.ones(along.sum()), np.zeros(along.sum())
        rotations[along] = np.column_stack([one, none, none, none, c, -s, none, s, c])
        shifts[along] = np.column_stack([links.x_shift[along], none, none])
    kind, free = links.kind, links.driver < 0
    slide = (kind == HELICAL) & (links.turn_per_q == 0.0)
    simple = free & ((kind == REVOLUTE) | (kind == FIXED) | (kind == SPHERICAL) | slide)
    screws = np.column_stack([links.angle_0, links.z_shift_0, links.turn_per_q, links.slide_per_q])
    assert len(simple) == n
    return Constants(rotations.tolist(), shifts.tolist(), screws.tolist(), simple.tolist(), joint_groups(tree))


def joint_groups(tree: LinkTree) -> list[list[int]]:
    """Links in runs that end at a link with a body."""
    groups: list[list[int]] = [[]]
    for k, body in enumerate(tree.links.body.tolist()):
        groups[-1].append(k)
        if body >= 0:
            groups.append([])
    return groups[:-1]


def targets_of(tree: LinkTree, body: Any, r: Array, A: Array) -> tuple[list[Any], list[Any]]:
    """Where links that carry bodies stand for their bodies to be where they are: R (n, 9) and p (n, 3), as lists; zeros
    of others. Sums are taken in the order of their terms, as by numbers."""
    place, has = tree.links.body_frame, body >= 0
    turn, origin = np.zeros((len(body), 3, 3)), np.zeros((len(body), 3))
    products = A[body[has]].reshape(-1, 3, 1, 3) * place[has, :9].reshape(-1, 1, 3, 3)
    turn[has] = found = products[..., 0] + products[..., 1] + products[..., 2]
    products = found * place[has, None, 9:]
    origin[has] = r[body[has]] - (products[..., 0] + products[..., 1] + products[..., 2])
    return turn.reshape(-1, 9).tolist(), origin.tolist()


def measure(constants: Constants, k: int, kind: int, base: Any, target: Any, first: float) -> tuple[Any, Mat, Three]:
    """Coordinate (of a spherical joint its rotation) and frame (R, p) of link k. base, target : (R, p) of its parent
    and of where it should stand. first : rad, where the turn begins that angles are told in."""
    angle, shift, turn, slide = constants.screws[k]
    Q = matmul(base[0], constants.rotations[k])
    z = (Q[2], Q[5], Q[8])
    p = add(base[1], rotate(base[0], constants.shifts[k]))
    if kind == SPHERICAL:
        turned = matmul_t(Q, target[0])
        return turned, matmul(Q, turned), p
    q = 0.0
    if kind == REVOLUTE:
        T = target[0]
        x, y, tx, ty = (Q[0], Q[3], Q[6]), (Q[1], Q[4], Q[7]), (T[0], T[3], T[6]), (T[1], T[4], T[7])
        found = math.atan2(dot(y, tx) - dot(x, ty), dot(x, tx) + dot(y, ty))
        q = ((found - angle) / turn - first) % (2.0 * math.pi) + first
        angle += turn * q
    elif kind == HELICAL:
        q = dot(z, sub(target[1], add(p, scale(shift, z)))) / slide
    p = add(p, scale(shift + slide * q, z))
    c, s = math.cos(angle), math.sin(angle)
    R = (
        c * Q[0] + s * Q[1], c * Q[1] - s * Q[0], Q[2], c * Q[3] + s * Q[4], c * Q[4] - s * Q[3], Q[5],
        c * Q[6] + s * Q[7], c * Q[7] - s * Q[6], Q[8],
    )  # fmt: skip
    return q, R, p


def carried(base: Any, twist: Any, R: Mat, p: Three) -> tuple[Three, Three]:
    """A twist of the frame `base` as the frame (R, p) would have it, fixed to it."""
    w, v = rotate(base[0], twist[:3]), rotate(base[0], twist[3:])
    return rotate_t(R, w), rotate_t(R, add(v, cross(w, sub(p, base[1]))))
