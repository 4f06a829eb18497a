"""Accelerations and joint reactions of a tree, by eliminating bodies from the tips inwards, in global components.

Every body about its own centre of mass: [rdd; alpha] of a body = T [rdd; alpha] of its parent + S qdd + c, where c is
what plain kinematics gives without qdd. For floats, and for mpmath's numbers: a reference of as many digits as wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from oracles.trees_motion import Moved, State, cross, is_many, many, motion, skew


@dataclass(frozen=True)
class Solved:
    """qdd : per link.   moved : all bodies, with their accelerations.   force, torque : (n, 3) what the parent's side
    exerts on body k at the child's marker, global."""

    qdd: list[Any]
    moved: Moved
    force: Any
    torque: Any


def solve(A: Any, b: Any) -> Any:
    """A x = b for a small positive definite A, without pivoting; b (m,) or (m, k)."""
    m = len(A)
    A, b = A.copy(), b.copy()
    for k in range(m):
        for i in range(k + 1, m):
            f = A[i, k] / A[k, k]
            A[i, k:] = A[i, k:] - f * A[k, k:]
            b[i] = b[i] - f * b[k]
    for k in range(m - 1, -1, -1):
        b[k] = (b[k] - (A[k, k + 1 :] @ b[k + 1 :] if k + 1 < m else 0)) / A[k, k]
    return b


def _shift(d: Any) -> Any:
    """T from [rdd; alpha] of the parent to the point d away."""
    one = skew(d) * 0 + np.eye(3, dtype=int)
    return np.block([[one, -skew(d)], [one * 0, one]])


def dynamics(tree: Any, state: State) -> Solved:
    """Accelerations under gravity and the links' loads."""
    lift = many if any(is_many(x) for x in (*state.q, *state.v)) else np.asarray
    at = motion(tree, state)
    n = len(tree.links)
    parent = [link.parent for link in tree.links]
    weight = lift(tree.gravity)
    articulated, bias, T, c = [], [], [], []
    for k, link in enumerate(tree.links):
        A, w, J, m = at.A[k], at.w[k], lift(link.inertia), lift(link.mass).item()
        one = lift(np.eye(3))
        articulated.append(np.block([[m * one, one * 0], [one * 0, A @ J @ A.T]]))
        gyroscopic = A @ cross(w, J @ w)
        bias.append(np.concatenate([-m * weight - lift(link.force), gyroscopic - lift(link.torque)]))
        total = np.concatenate([at.a[k], A @ at.alpha[k]])
        if parent[k] >= 0:
            p = parent[k]
            T.append(_shift(at.r[k] - at.r[p]))
            total = total - T[k] @ np.concatenate([at.a[p], at.A[p] @ at.alpha[p]])
        else:
            T.append(None)
        c.append(total)
    for k in range(n - 1, -1, -1):
        if parent[k] < 0:
            continue
        S, rest = at.axes[k], bias[k] + articulated[k] @ c[k]
        left = articulated[k]
        if S.shape[1]:
            U = left @ S
            D = S.T @ U
            rest = rest - U @ solve(D, S.T @ rest)
            left = left - U @ solve(D, U.T)
        articulated[parent[k]] = articulated[parent[k]] + T[k].T @ left @ T[k]
        bias[parent[k]] = bias[parent[k]] + T[k].T @ rest
    total, qdd = [], []
    for k in range(n):
        S = at.axes[k]
        before = c[k] + (T[k] @ total[parent[k]] if parent[k] >= 0 else 0)
        found = lift(np.zeros(0))
        if S.shape[1]:
            found = solve(S.T @ articulated[k] @ S, -S.T @ (articulated[k] @ before + bias[k]))
            before = before + S @ found
        qdd.append(found)
        total.append(before)
    force, torque = _reactions(tree, at, total, lift)
    a = np.array([x[:3] for x in total])
    alpha = np.array([at.A[k].T @ x[3:] for k, x in enumerate(total)])
    return Solved(qdd, Moved(at.r, at.A, at.v, at.w, a, alpha, at.axes), force, torque)


def _reactions(tree: Any, at: Moved, total: Sequence[Any], lift: Any) -> tuple[Any, Any]:
    """From Newton's and Euler's equations of each body and what its children take."""
    n = len(tree.links)
    force, torque = [None] * n, [None] * n  # about the centre of mass first
    needed = []
    for k, link in enumerate(tree.links):
        A, w, J, m = at.A[k], at.w[k], lift(link.inertia), lift(link.mass).item()
        f = m * (total[k][:3] - lift(tree.gravity)) - lift(link.force)
        needed.append((f, A @ J @ A.T @ total[k][3:] + A @ cross(w, J @ w) - lift(link.torque)))
    for k in range(n - 1, -1, -1):
        f, t = needed[k]
        point = at.A[k] @ lift(tree.links[k].s_child)
        force[k], torque[k] = f, t - cross(point, f)
        p = tree.links[k].parent
        if p >= 0:
            needed[p] = (needed[p][0] + f, needed[p][1] + t + cross(at.r[k] - at.r[p], f))
    return np.array(force), np.array(torque)
