"""Joint coordinates and rates from where the bodies are and how they move."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.vec3 import cross, sub
from linkwork.system.dense import crossed
from linkwork.system.links.displacements import Displacement, about_z, compose, inverse
from linkwork.system.links.linktree import (
    FIXED,
    FREEDOMS,
    SPHERICAL,
    TRANSLATION,
    LinkTree,
)
from linkwork.system.links.single import Constants, Frames, carried, constants_of, measure, targets_of

Array = NDArray[np.float64]


class Measured(NamedTuple):
    """What `coordinates_at` finds.

    q : (dofs,) coordinates; 0 of joints of three freedoms. pose : (poses, 12) R of spherical joints, shift of
    translations. rate : (dofs,). driven : (n,) coordinates of links that are driven. twist : (n + 1, 6) of all links,
    in their frames.
    """

    q: Array
    pose: Array
    rate: Array
    driven: Array
    twist: Array


def coordinates_at(
    tree: LinkTree, r: Any, A: Any, v: Any, w: Any, constants: Constants | None = None, first: float = -math.pi
) -> Measured:
    """Joint coordinates and rates of an assembled state.

    r (nb + 1, 3), A (nb + 1, 9), v, w (nb + 1, 3) : v global, w in the body. constants : of the tree, where known.
    Angles come within a whole turn from `first` [rad] on, but helical joints that slide know their turns. What a
    driver prescribes is measured like the rest. What the joints do not leave free is not looked at.
    """
    L = tree.links
    n = len(L.kind)
    q, rate, pose = np.zeros(tree.dofs + n), np.zeros(tree.dofs), np.zeros((tree.poses, 12))
    pose[:, :9] = np.eye(3).ravel()
    r, A, v, w = np.asarray(r), np.reshape(A, (-1, 9)), np.asarray(v), np.asarray(w)
    frames, twist = Frames(n), np.zeros((n + 1, 6))
    constants, (turn, origin) = constants or constants_of(tree), targets_of(tree, L.body, r, A)
    for group in constants.groups:
        last = group[-1]
        parent, b = int(L.parent[group[0]]), int(L.body[last])
        R_b, p_b = L.body_frame[last, :9].reshape(3, 3), L.body_frame[last, 9:]
        if len(group) == 1 and constants.simple[last]:
            _measure_one(
                tree, constants, last, frames, (turn[last], origin[last]), (v[b], w[b]), (q, pose, rate, twist), first
            )
            continue
        base = frames[parent]
        body = A[b].reshape(3, 3), r[b]
        target = compose(inverse(base), compose(body, inverse((R_b, p_b))))  # of the last link in the parent
        _solve_group(tree, group, target, q, pose, first)
        frame = base
        for k in group:
            frame = compose(frame, step_of(tree, k, q, pose))
            frames[k] = frame
        omega = R_b @ w[b]
        v_body = frames[last][0].T @ v[b]
        _rates(tree, group, frames, twist, np.concatenate([omega, v_body - crossed(omega, p_b)]), rate)
    return Measured(q[: tree.dofs], pose, rate, q[tree.dofs :], twist)


def _measure_one(
    tree: LinkTree, constants: Constants, k: int, frames: Frames, target: Any, motion: Any, out: Any, first: float
) -> None:
    """Coordinate, rate and twist of a link that is a group of its own. motion : v and w of its body. out : q, pose,
    rate and twist."""
    place, (q, pose, rate, twist) = tree.links.body_frame[k].tolist(), out
    kind, parent, i = int(tree.links.kind[k]), int(tree.links.parent[k]), int(tree.links.dof[k])
    base = frames.flat[parent]
    found, R, p = measure(constants, k, kind, base, target, first)
    frames.flat[k] = R, p
    omega, moved = carried(base, twist[parent].tolist(), R, p)
    if kind == FIXED:
        twist[k] = (*omega, *moved)
        return
    spin = rotate(place[:9], motion[1].tolist())
    if kind == SPHERICAL:
        pose[tree.links.pose_index[k], :9] = found
        rate[i : i + 3], twist[k] = sub(spin, omega), (*spin, *moved)
        return
    q[i] = found
    speed = sub(rotate_t(R, motion[0].tolist()), cross(spin, place[9:]))
    turn, slide = constants.screws[k][2:]
    rate[i] = (turn * (spin[2] - omega[2]) + slide * (speed[2] - moved[2])) / (turn * turn + slide * slide)
    twist[k] = (omega[0], omega[1], omega[2] + turn * rate[i], moved[0], moved[1], moved[2] + slide * rate[i])


def step_of(tree: LinkTree, k: int, q: Array, pose: Array) -> Displacement:
    """From the parent's frame to link k's."""
    return compose(before_of(tree, k), motion_of(tree, k, value_of(tree, k, q), pose))


def before_of(tree: LinkTree, k: int) -> Displacement:
    """What stands before the elementary joint of link k."""
    L = tree.links
    if L.is_general[k]:
        return L.fixed[k, :9].reshape(3, 3), L.fixed[k, 9:]
    c, s, a = L.x_cos[k], L.x_sin[k], L.x_shift[k]
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]), np.array([a, 0.0, 0.0])


def slot(tree: LinkTree, k: int) -> int:
    """Where the coordinate of a link with one freedom stands: among the free ones, or behind them if it is driven."""
    return tree.dofs + k if tree.links.driver[k] >= 0 else int(tree.links.dof[k])


def moves_alone(tree: LinkTree, k: int) -> bool:
    """Whether a link has one coordinate, free or driven."""
    return bool(FREEDOMS[tree.links.kind[k]] == 1 or tree.links.driver[k] >= 0)


def value_of(tree: LinkTree, k: int, q: Array) -> float:
    """Its coordinate, zero if it has none."""
    return float(q[slot(tree, k)]) if moves_alone(tree, k) else 0.0


def motion_of(tree: LinkTree, k: int, value: float, pose: Array) -> Displacement:
    """The elementary joint of link k."""
    L = tree.links
    kind = L.kind[k]
    if kind == SPHERICAL:
        return pose[L.pose_index[k], :9].reshape(3, 3), np.zeros(3)
    if kind == TRANSLATION:
        return np.eye(3), pose[L.pose_index[k], 9:]
    angle = L.angle_0[k] + L.turn_per_q[k] * value
    return about_z(angle, L.z_shift_0[k] + L.slide_per_q[k] * value)


def _solve_group(tree: LinkTree, group: list[int], target: Displacement, q: Array, pose: Array, first: float) -> None:
    """Coordinates of one joint's links from the displacement that they make together: turns first, then slides."""
    L = tree.links
    free = [k for k in group if L.kind[k] != FIXED or L.driver[k] >= 0]
    turning = [k for k in free if L.kind[k] == SPHERICAL or L.turn_per_q[k] != 0.0]
    for k in turning:  # one or two axes, or a spherical joint
        ahead, behind = _around(tree, group, k, q, pose)
        if L.kind[k] == SPHERICAL:
            pose[L.pose_index[k], :9] = (ahead[0].T @ target[0] @ behind[0].T).ravel()
            continue
        later = [m for m in turning if m > k]
        if later:  # the second axis, seen from the first joint, turns with it alone
            axis = _axis_behind(tree, group, k, later[0], q, pose)
            _, last = _around(tree, group, later[0], q, pose)
            now = ahead[0].T @ target[0] @ last[0].T @ np.array([0.0, 0.0, 1.0])
            angle = np.arctan2(now[1], now[0]) - np.arctan2(axis[1], axis[0])
        else:
            R = ahead[0].T @ target[0] @ behind[0].T
            angle = np.arctan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])
        angle = (angle - L.angle_0[k]) / L.turn_per_q[k]
        q[slot(tree, k)] = (angle - first) % (2.0 * np.pi) + first
    _solve_slides(tree, group, free, target, q, pose)


def _solve_slides(
    tree: LinkTree, group: list[int], free: list[int], target: Displacement, q: Array, pose: Array
) -> None:
    """Slides, in the least-squares sense; of a helical joint that turns as well the slide tells the turns."""
    L = tree.links
    columns, slots = [], []  # type: tuple[list[Array], list[tuple[int, int]]]
    for k in free:
        ahead, _ = _around(tree, group, k, q, pose)
        if L.kind[k] == TRANSLATION:
            pose[L.pose_index[k], 9:] = 0.0
            columns += [ahead[0][:, c] for c in range(3)]
            slots += [(k, c) for c in range(3)]
        elif L.kind[k] != SPHERICAL and L.slide_per_q[k] != 0.0:
            if L.turn_per_q[k] == 0.0:
                q[slot(tree, k)] = 0.0
            columns.append(ahead[0][:, 2] * L.slide_per_q[k])
            slots.append((k, -1))
    if not columns:
        return
    total: Displacement = (np.eye(3), np.zeros(3))
    for k in group:
        total = compose(total, step_of(tree, k, q, pose))
    found = np.linalg.lstsq(np.array(columns).T, target[1] - total[1], rcond=None)[0]
    for (k, c), x in zip(slots, found, strict=True):
        if c >= 0:
            pose[L.pose_index[k], 9 + c] = x
        elif L.turn_per_q[k] == 0.0:
            q[slot(tree, k)] = x
        else:
            q[slot(tree, k)] += 2.0 * np.pi * np.round(x / (2.0 * np.pi))


def _around(tree: LinkTree, group: list[int], k: int, q: Array, pose: Array) -> tuple[Displacement, Displacement]:
    """What stands before and after the elementary joint of link k within its group."""
    here = group.index(k)
    ahead: Displacement = (np.eye(3), np.zeros(3))
    for m in group[:here]:
        ahead = compose(ahead, step_of(tree, m, q, pose))
    ahead = compose(ahead, before_of(tree, k))
    behind: Displacement = (np.eye(3), np.zeros(3))
    for m in group[here + 1 :]:
        behind = compose(behind, step_of(tree, m, q, pose))
    return ahead, behind


def _axis_behind(tree: LinkTree, group: list[int], k: int, later: int, q: Array, pose: Array) -> Array:
    """The z axis of a later joint in the frame that link k's own turn leads to."""
    R = np.eye(3)
    for m in group[group.index(k) + 1 : group.index(later)]:
        R = R @ step_of(tree, m, q, pose)[0]
    axis: Array = np.asarray(R @ before_of(tree, later)[0][:, 2])
    return axis


def _rates(tree: LinkTree, group: list[int], frames: Frames, twist: Array, wanted: Array, rate: Array) -> None:
    """Rates of one joint's links from the twist of the last, and the twists of all of them."""
    L = tree.links
    last, columns, slots = group[-1], [], []  # type: tuple[int, list[Array], list[tuple[int, int]]]
    parent = int(L.parent[group[0]])
    known = across(frames, parent, last, twist[parent])
    for k in group:
        for c, E in enumerate(moving_columns(tree, k)):
            columns.append(across(frames, k, last, E))
            slots.append((k, c))
    found = np.linalg.lstsq(np.array(columns).T, wanted - known, rcond=None)[0] if columns else np.zeros(0)
    for k in group:
        twist[k] = across(frames, int(L.parent[k]), k, twist[int(L.parent[k])])
        for (m, c), x in zip(slots, found, strict=True):
            if m == k:
                twist[k] += moving_columns(tree, k)[c] * x
                if L.driver[k] < 0:
                    rate[int(L.dof[k]) + c] = x


def across(frames: Frames, k: int, m: int, V: Array) -> Array:
    """A twist of link k (ground beyond the last) as link m would have it, fixed to it."""
    R_k, p_k = frames[k]
    R_m, p_m = frames[m]
    R = R_k.T @ R_m
    return np.concatenate([R.T @ V[:3], R.T @ (V[3:] + crossed(V[:3], R_k.T @ (p_m - p_k)))])


def screw_column(tree: LinkTree, k: int) -> Array:
    """E of a joint with one coordinate: the twist per unit of its coordinate."""
    E = np.zeros(6)
    E[2], E[5] = tree.links.turn_per_q[k], tree.links.slide_per_q[k]
    return E


def moving_columns(tree: LinkTree, k: int) -> list[Array]:
    """The twists, in the link's frame, that its elementary joint leaves free or its driver prescribes."""
    return [screw_column(tree, k)] if tree.links.driver[k] >= 0 else free_columns(tree, k)


def free_columns(tree: LinkTree, k: int) -> list[Array]:
    """The twists, in the link's frame, that its elementary joint leaves free: Naudet's joint matrix by columns."""
    kind = tree.links.kind[k]
    if kind == FIXED:
        return []
    if kind == SPHERICAL:
        return list(np.eye(6)[:3])
    if kind == TRANSLATION:
        return list(np.eye(6)[3:])
    return [screw_column(tree, k)]
