"""Mass matrix, conjugate momenta and their rates of a tree, slow and obvious; for floats and for mpmath's numbers.

With rates v of `oracles.trees` (angular velocities of balls among them): T = v^T M v / 2, p = M v.
"""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
from oracles.trees_dynamics import _shift, dynamics
from oracles.trees_motion import MOVES, State, cross, is_many, many, motion


def jacobians(tree: Any, state: State) -> list[Any]:
    """Per body the (6, dofs) matrix that makes (rdot, omega), global, from all rates."""
    at = motion(tree, state)
    starts = np.cumsum([0, *(axes.shape[1] for axes in at.axes)])
    out: list[Any] = []
    for k, link in enumerate(tree.links):
        J = np.zeros((6, starts[-1]), dtype=at.r.dtype)
        if link.parent >= 0:
            J = _shift(at.r[k] - at.r[link.parent]) @ out[link.parent]
        J[:, starts[k] : starts[k + 1]] = J[:, starts[k] : starts[k + 1]] + at.axes[k]
        out.append(J)
    return out


def mass_matrix(tree: Any, state: State) -> Any:
    """M, rates in the order of the links."""
    lift = many if any(is_many(x) for x in (*state.q, *state.v)) else np.asarray
    at, total = motion(tree, state), 0
    for k, J in enumerate(jacobians(tree, state)):
        A, m = at.A[k], lift(tree.links[k].mass).item()
        total = total + m * (J[:3].T @ J[:3]) + J[3:].T @ (A @ lift(tree.links[k].inertia) @ A.T) @ J[3:]
    return total


def momenta(tree: Any, state: State) -> Any:
    """p = M v."""
    return mass_matrix(tree, state) @ np.concatenate(list(state.v))


def moved_on(tree: Any, state: State, acceleration: Any, h: Any) -> State:
    """The state a short time h later, to second order in coordinates."""
    q, v = [], []
    for k, link in enumerate(tree.links):
        now, rate, second = state.q[k], state.v[k], acceleration[k]
        new = [now[i] + h * rate[i] + h * h / 2 * second[i] for i in range(len(rate))]
        if MOVES[link.kind] and MOVES[link.kind][0][0] in ("ball", "free"):
            lead = 3 if link.kind == "free" else 0
            turn = h * rate[lead:] + h * h / 2 * second[lead:]
            new = [*new[:lead], *_turned(now[lead:], turn)]
        q.append(np.array(new, dtype=now.dtype))
        v.append(rate + h * second)
    return State(q, v)


def _turned(p: Any, x: Any) -> Any:
    """A quaternion after a small turn x in its own components, to third order."""
    half, s = x / 2, 1 - (x @ x) / 8
    return np.array([p[0] * s - p[1:] @ half, *(p[0] * half + p[1:] * s + cross(p[1:], half))])


def momenta_rates(tree: Any, state: State, digits: int = 40) -> Any:
    """d/dt (M v) along the motion, by a central difference of many digits."""
    with mpmath.workdps(digits):
        there = state.exact()
        acceleration = dynamics(tree, there).qdd
        h = mpmath.mpf(10) ** (-digits // 4)
        ahead, behind = (momenta(tree, moved_on(tree, there, acceleration, sign * h)) for sign in (1, -1))
        return ((ahead - behind) / (2 * h)).astype(float)
