"""The true motion of bodies on ball joints and springs, in other coordinates and other code than linkwork's.

Newton's and Euler's equations in quaternions and GLOBAL components with the ball joints' multipliers, one dense
system per evaluation, integrated by SciPy's DOP853 at 1e-13. Whether both programs and this agree, and to how many
digits, is part of the tables. How long runs can be compared depends on the mechanism:
the spherical double pendulum multiplies errors by some 1e5 in its first second.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.models import GROUND, Array, ModelData

COMPARED = 10  # instants at which runs are compared
RTOL, ATOL = 1e-13, 1e-14
STATE = 13  # r, quaternion (scalar first), rdot, global angular velocity


def rotation_of(p: Array) -> Array:
    """(3, 3) of a quaternion, scalar first, of any length."""
    e0, e1, e2, e3 = p / np.sqrt(p @ p)
    return np.array(
        [
            [1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)],
        ]
    )


def quaternion_of(A: Array) -> Array:
    """A quaternion of a rotation, scalar first."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(A).as_quat()
    return np.array([w, x, y, z])


def crossing(a: Array) -> Array:
    """The matrix of a x b."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


class Balls:
    """The right side of y' = f(t, y), y holding STATE numbers per body."""

    def __init__(self, model: ModelData) -> None:
        self.model = model
        self.number = {body.name: k for k, body in enumerate(model.bodies)} | {GROUND: -1}
        self.ends = [[self._local(name, joint.point) for name in (joint.first, joint.second)] for joint in model.joints]
        if any(joint.type != "spherical" for joint in model.joints):
            raise ValueError("ball joints only")

    def _local(self, name: str, point: Any) -> tuple[int, Array]:
        k = self.number[name]
        p = np.array(point, dtype=float)
        return (k, p) if k < 0 else (k, self.model.bodies[k].rotation.T @ (p - self.model.bodies[k].position))

    def start(self) -> Array:
        """The state at t = 0."""
        parts = [
            np.concatenate([b.position, quaternion_of(b.rotation), b.velocity, b.rotation @ b.angular_velocity])
            for b in self.model.bodies
        ]
        return np.concatenate(parts)

    def rates(self, _: float, y: Array) -> Array:
        """y'."""
        bodies, rows = self.model.bodies, 3 * len(self.model.joints)
        n = 6 * len(bodies)
        state = y.reshape(-1, STATE)
        turns = [rotation_of(p) for p in state[:, 3:7]]
        K, right = np.zeros((n + rows, n + rows)), np.zeros(n + rows)
        for k, body in enumerate(bodies):
            w, J = state[k, 10:13], turns[k] @ body.inertia @ turns[k].T
            K[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = body.mass * np.eye(3)
            K[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = J
            right[6 * k : 6 * k + 3] = body.mass * np.array(self.model.gravity)
            right[6 * k + 3 : 6 * k + 6] = -np.cross(w, J @ w)
        for spring in self.model.springs:
            self._pull(spring, state, turns, right)
        for number, ends in enumerate(self.ends):
            at = slice(n + 3 * number, n + 3 * number + 3)
            for sign, (k, s) in zip((-1.0, 1.0), ends, strict=True):
                if k < 0:
                    continue
                d, w = turns[k] @ s, state[k, 10:13]
                G = sign * np.hstack([np.eye(3), -crossing(d)])
                K[at, 6 * k : 6 * k + 6], K[6 * k : 6 * k + 6, at] = G, G.T
                right[at] -= sign * np.cross(w, np.cross(w, d))
        u = np.linalg.solve(K, right)[:n].reshape(-1, 6)
        out = np.empty_like(state)
        out[:, 0:3], out[:, 7:10], out[:, 10:13] = state[:, 7:10], u[:, 0:3], u[:, 3:6]
        for k, (p, w) in enumerate(zip(state[:, 3:7], state[:, 10:13], strict=True)):
            out[k, 3] = -0.5 * (w @ p[1:])
            out[k, 4:7] = 0.5 * (p[0] * w + np.cross(w, p[1:]))
        return out.ravel()

    def _pull(self, spring: Any, state: Array, turns: list[Array], right: Array) -> None:
        """Add a spring's forces and torques."""
        ends = []
        for name, point in ((spring.first, spring.on_first), (spring.second, spring.on_second)):
            k, p = self.number[name], np.array(point)
            if k < 0:
                ends.append((k, np.zeros(3), p, np.zeros(3)))
            else:
                s = turns[k] @ p
                ends.append((k, s, state[k, 0:3] + s, state[k, 7:10] + np.cross(state[k, 10:13], s)))
        d, rate = ends[1][2] - ends[0][2], ends[1][3] - ends[0][3]
        length = np.sqrt(d @ d)
        along = d / length
        force = (spring.stiffness * (length - spring.length) + spring.damping * (rate @ along)) * along
        for sign, (k, s, _, _) in zip((1.0, -1.0), ends, strict=True):
            if k >= 0:
                right[6 * k : 6 * k + 3] += sign * force
                right[6 * k + 3 : 6 * k + 6] += sign * np.cross(s, force)


def motion(model: ModelData, times: Array, rtol: float = RTOL) -> tuple[Array, Array]:
    """Positions (nt, nb, 3) m and rotations (nt, nb, 3, 3) at ascending times (nt,) s."""
    system = Balls(model)
    span = (0.0, float(times[-1]))
    found = solve_ivp(system.rates, span, system.start(), "DOP853", t_eval=times, rtol=rtol, atol=rtol * ATOL / RTOL)
    states = found.y.T.reshape(len(times), -1, STATE)
    turns = [[rotation_of(p) for p in state[:, 3:7]] for state in states]
    return states[:, :, 0:3], np.array(turns)


class Truth:
    """The motion of one model at ten instants until `until` (s), found once."""

    def __init__(self, model: ModelData, until: float) -> None:
        self.until = until
        self.samples: Array = until * np.arange(1, COMPARED + 1) / COMPARED
        self.position, self.rotation = motion(model, self.samples)

    def error(self, time: Array, position: Array, rotation: Array) -> float:
        """The largest error of any body's position (m) or rotation (rad) at the instants; inf where the run stops
        before them.

        time : (nt,) s, holding the samples to within rounding.   position : (nt, nb, 3) m.   rotation : (nt, nb, 9)
        or (nt, nb, 3, 3).
        """
        at = np.searchsorted(time, self.samples - 1e-9)
        if at[-1] >= len(time) or not np.all(np.isfinite(position[at])):
            return float("inf")
        apart = np.sqrt(np.sum((position[at] - self.position) ** 2, axis=-1))
        turn = np.reshape(rotation[at], self.rotation.shape) - self.rotation
        angle = np.sqrt(0.5 * np.sum(turn**2, axis=(-1, -2)))  # 2 sin(angle / 2), the angle where it is small
        return float(max(np.max(apart), np.max(angle)))


@cache
def truth_of(name: str) -> Truth:
    """Of a shipped mechanism."""
    import linkwork as lw
    from benchmarks.lie_models import shipped, until

    return Truth(shipped(lw, name), until(name))


def gap(model: ModelData, position: Array, rotation: Array) -> float | None:
    """The largest violation (m) of a ball joint in any sample; None without joints.

    position : (nt, nb, 3) m.   rotation : (nt, nb, 9) or (nt, nb, 3, 3).
    """
    if not model.joints:
        return None
    A = np.reshape(rotation, (*position.shape[:2], 3, 3))
    largest = 0.0
    for ends in Balls(model).ends:
        places = [s if k < 0 else position[:, k] + A[:, k] @ s for k, s in ends]
        largest = max(largest, float(np.max(np.linalg.norm(places[1] - places[0], axis=-1))))
    return largest
