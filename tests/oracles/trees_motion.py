"""Places, velocities and accelerations of the bodies of a tree from joint coordinates, by plain rigid-body kinematics.

Global components, one elementary motion after another. For floats, and for mpmath's numbers in object arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np

# elementary motions: about or along axis 0, 1, 2 of the frame that the motions before have moved
MOVES: dict[str, tuple[tuple[str, int], ...]] = {
    "revolute": (("turn", 2),),
    "translational": (("slide", 2),),
    "screw": (("helix", 2),),
    "cylindrical": (("turn", 2), ("slide", 2)),
    "universal": (("turn", 2), ("turn", 0)),
    "planar": (("slide", 0), ("slide", 1), ("turn", 2)),
    "spherical": (("ball", 0),),
    "fixed": (),
    "free": (("free", 0),),
}
COORDINATES = {"turn": 1, "slide": 1, "helix": 1, "ball": 4, "free": 7}
RATES = {"turn": 1, "slide": 1, "helix": 1, "ball": 3, "free": 6}


@dataclass(frozen=True)
class State:
    """Coordinates and rates per link (and accelerations, where asked for)."""

    q: Sequence[Any]
    v: Sequence[Any]

    def exact(self) -> State:
        """The same doubles as numbers of mpmath."""
        return State([many(x) for x in self.q], [many(x) for x in self.v])


@dataclass(frozen=True)
class Moved:
    """Of all centres of mass: r, v, a (n, 3) global; A (n, 3, 3); w, alpha (n, 3) body components.

    axes : per link the directions (rdot, global omega) of the body that unit rates give, (6, freedoms), parent at rest.
    """

    r: Any
    A: Any
    v: Any
    w: Any
    a: Any
    alpha: Any
    axes: list[Any]


def many(x: Any) -> Any:
    """An array of mpmath's numbers."""
    return np.vectorize(mpmath.mpf, otypes=[object])(x) if np.size(x) else np.zeros(np.shape(x), dtype=object)


def is_many(x: Any) -> bool:
    """Whether an array holds mpmath's numbers."""
    return bool(np.asarray(x).dtype == object)


def cross(a: Any, b: Any) -> Any:
    """a x b."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def skew(a: Any) -> Any:
    """The matrix of a x."""
    o = a[0] * 0
    return np.array([[o, -a[2], a[1]], [a[2], o, -a[0]], [-a[1], a[0], o]])


def rotation_of(p: Any) -> Any:
    """The rotation matrix of a unit quaternion, scalar first; its length is divided out."""
    e0, e1, e2, e3 = p
    two = 2 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    return np.array(
        [
            [1 - two * (e2 * e2 + e3 * e3), two * (e1 * e2 - e0 * e3), two * (e1 * e3 + e0 * e2)],
            [two * (e1 * e2 + e0 * e3), 1 - two * (e1 * e1 + e3 * e3), two * (e2 * e3 - e0 * e1)],
            [two * (e1 * e3 - e0 * e2), two * (e2 * e3 + e0 * e1), 1 - two * (e1 * e1 + e2 * e2)],
        ]
    )


def turn(axis: int, angle: Any) -> Any:
    """A turn about a coordinate axis."""
    c, s = (mpmath.cos(angle), mpmath.sin(angle)) if isinstance(angle, mpmath.mpf) else (np.cos(angle), np.sin(angle))
    R = np.eye(3).astype(object if isinstance(angle, mpmath.mpf) else float)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


class Frame:
    """A moving frame: R, and p, w, and their rates, global. `axes` collects directions as (rate of p, w)."""

    def __init__(self, r: Any, R: Any, v: Any, w: Any, a: Any, alpha: Any) -> None:
        self.p, self.R, self.v, self.w, self.a, self.alpha = r, R, v, w, a, alpha
        self.axes: list[tuple[Any, Any]] = []

    def carry(self, d: Any) -> None:
        """To the point at d, components of the frame."""
        d = self.R @ d
        self.p = self.p + d
        self.v = self.v + cross(self.w, d)
        self.a = self.a + cross(self.alpha, d) + cross(self.w, cross(self.w, d))
        self.axes = [(x + cross(u, d), u) for x, u in self.axes]

    def rotate(self, axis: int, q: Any, v: Any, a: Any) -> None:
        z = self.R[:, axis]
        self.alpha = self.alpha + z * a + cross(self.w, z) * v
        self.w = self.w + z * v
        self.R = self.R @ turn(axis, q)
        self.axes.append((z * 0, z))

    def slide(self, axis: int, q: Any, v: Any, a: Any) -> None:
        u = self.R[:, axis]
        d = u * q
        self.p = self.p + d
        self.v, back = self.v + cross(self.w, d) + u * v, cross(self.w, cross(self.w, d))
        self.a = self.a + cross(self.alpha, d) + back + 2 * cross(self.w, u) * v + u * a
        self.axes = [(x + cross(y, d), y) for x, y in self.axes]
        self.axes.append((u, u * 0))

    def helix(self, axis: int, lead: Any, q: Any, v: Any, a: Any) -> None:
        pitch = lead / (2 * (mpmath.pi if isinstance(q, mpmath.mpf) else np.pi))
        self.slide(axis, pitch * q, pitch * v, pitch * a)
        self.rotate(axis, q, v, a)
        (x, _), (_, z) = self.axes[-2:]
        self.axes[-2:] = [(pitch * x, z)]

    def ball(self, q: Any, v: Any, a: Any) -> None:
        self.R = self.R @ rotation_of(q)
        relative = self.R @ v
        self.alpha = self.alpha + self.R @ a + cross(self.w, relative)
        self.w = self.w + relative
        self.axes += [(self.R[:, k] * 0, self.R[:, k]) for k in range(3)]

    def free(self, q: Any, v: Any, a: Any) -> None:
        self.p, self.v, self.a = q[:3], v[:3], a[:3]
        one = self.R * 0 + np.eye(3, dtype=int)
        self.axes += [(one[:, k], one[:, k] * 0) for k in range(3)]
        self.ball(q[3:], v[3:], a[3:])


def motion(tree: Any, state: State, accelerations: Sequence[Any] | None = None) -> Moved:
    """Of all bodies; second derivatives of the coordinates are zero if left out."""
    lift = many if any(is_many(x) for x in (*state.q, *state.v)) else np.asarray
    done: list[Frame] = []
    for k, link in enumerate(tree.links):
        if link.parent < 0:
            here = Frame(*(lift(x) for x in (np.zeros(3), np.eye(3), *np.zeros((4, 3)))))
        else:
            on = done[link.parent]
            here = Frame(on.p, on.R, on.v, on.w, on.a, on.alpha)
        here.carry(lift(link.s_parent))
        here.R = here.R @ lift(link.R_parent)
        q, v = state.q[k], state.v[k]
        a = v * 0 if accelerations is None else accelerations[k]
        for move, axis in MOVES[link.kind]:
            nq, nv = COORDINATES[move], RATES[move]
            own = (q[:nq], v[:nv], a[:nv]) if move in ("ball", "free") else (q[0], v[0], a[0])
            q, v, a = q[nq:], v[nv:], a[nv:]
            if move in ("ball", "free"):
                getattr(here, move)(*own)
            elif move == "helix":
                here.helix(axis, lift(link.lead).item(), *own)
            else:
                {"turn": here.rotate, "slide": here.slide}[move](axis, *own)
        here.R = here.R @ lift(link.R_child).T
        here.carry(-lift(link.s_child))
        done.append(here)
    A = [f.R for f in done]
    w = [f.R.T @ f.w for f in done]
    alpha = [f.R.T @ f.alpha for f in done]
    axes = [np.array([np.concatenate(x) for x in f.axes]).reshape(-1, 6).T for f in done]
    p, v, a = ([getattr(f, x) for f in done] for x in ("p", "v", "a"))
    return Moved(np.array(p), np.array(A), np.array(v), np.array(w), np.array(a), np.array(alpha), axes)
