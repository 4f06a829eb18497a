"""Tree mechanisms in joint coordinates of their own, and the same trees as `linkwork.Mechanism` and states of it.

Nothing of linkwork computes here: places, velocities and accelerations come from `trees_motion`, forces from
`trees_dynamics`, both for any scalar.

A joint is a chain of elementary motions from the marker on the parent (point `s_parent`, axes `R_parent`, components of
the parent) to the marker on the child (`s_child`, `R_child`), body frames being at centres of mass. Coordinates: angle,
displacement, quaternion (scalar first), or position and quaternion; rates: their derivatives, and for balls and free
bodies the angular velocity in components of the child's marker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from oracles.trees_motion import MOVES, RATES, Moved, State, motion, rotation_of

import linkwork as lw
from linkwork.analysis.state import State as LinkworkState


def rates_of(kind: str) -> int:
    """Freedoms of a joint."""
    return sum(RATES[move] for move, _ in MOVES[kind])


@dataclass(frozen=True)
class Link:
    """A body and the joint it hangs on. `parent` is a number smaller than its own, -1 for ground.

    lead : m per turn, of a screw.   swapped : whether linkwork is told the child as the joint's first body.
    force, torque : constant, global, at and about the centre of mass.
    offset : of the described frame's origin from the centre of mass, body components.
    """

    parent: int
    kind: str
    mass: float
    inertia: np.ndarray
    s_parent: np.ndarray = field(default_factory=lambda: np.zeros(3))
    R_parent: np.ndarray = field(default_factory=lambda: np.eye(3))
    s_child: np.ndarray = field(default_factory=lambda: np.zeros(3))
    R_child: np.ndarray = field(default_factory=lambda: np.eye(3))
    lead: float = 0.0
    swapped: bool = False
    force: np.ndarray = field(default_factory=lambda: np.zeros(3))
    torque: np.ndarray = field(default_factory=lambda: np.zeros(3))
    offset: np.ndarray = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True)
class Tree:
    """Links, parents first, and gravity (m/s^2)."""

    links: Sequence[Link]
    gravity: np.ndarray

    @property
    def depth(self) -> int:
        """Joints on the longest way to ground."""
        depths: list[int] = []
        for link in self.links:
            depths.append(1 + (depths[link.parent] if link.parent >= 0 else 0))
        return max(depths)


def name(k: int) -> str:
    """Of body k."""
    return "ground" if k < 0 else f"body {k}"


def joint_name(k: int) -> str:
    """Of the joint that body k hangs on."""
    return f"joint {k}"


def mechanism(tree: Tree, state: State) -> lw.Mechanism:
    """The tree as linkwork is told it, at this start state; places are given per body."""
    moved, bodies, joints, forces = motion(tree, state), [], [], []
    for k, link in enumerate(tree.links):
        bodies.append(_body(k, link, moved.r[k], moved.A[k], moved.v[k], moved.w[k]))
        if link.kind != "free":
            joints.append(_joint(tree, k, link))
        for kind in ("force", "torque"):
            if np.any(getattr(link, kind)):
                load = {"name": f"{kind} {k}", "type": kind, "body": name(k), "components": _list(getattr(link, kind))}
                at = {"point": _list(-link.offset)} if kind == "force" else {}
                forces.append(load | at)
    return lw.Mechanism("tree", bodies, joints, forces=forces, gravity=_list(tree.gravity))


def linkwork_state(tree: Tree, state: State) -> LinkworkState:
    """Places and velocities of all bodies."""
    moved = motion(tree, state)
    return LinkworkState(moved.r, moved.A, moved.v, moved.w)


def _list(x: Any) -> Any:
    return np.asarray(x, dtype=float).tolist()


def _body(k: int, link: Link, r: Any, A: Any, v: Any, w: Any) -> dict[str, Any]:
    made = {"name": name(k), "mass": link.mass, "inertia": _list(link.inertia), "rotation": _list(A)}
    d = link.offset
    made |= {"position": _list(r + A @ d), "velocity": _list(v + A @ np.cross(w, d)), "angular_velocity": _list(w)}
    return made | ({"centre_of_mass": _list(-d)} if np.any(d) else {})


def _joint(tree: Tree, k: int, link: Link) -> dict[str, Any]:
    z, x = 2, 0
    origin = tree.links[link.parent].offset if link.parent >= 0 else np.zeros(3)
    on_parent: dict[str, Any] = {"point": _list(link.s_parent - origin)}
    on_child: dict[str, Any] = {"point": _list(link.s_child - link.offset)}
    if link.kind == "universal":
        on_parent["axis"], on_child["axis"] = _list(link.R_parent[:, z]), _list(link.R_child[:, x])
    elif link.kind != "spherical":
        for place, R in ((on_parent, link.R_parent), (on_child, link.R_child)):
            place |= {"axis": _list(R[:, z]), "x": _list(R[:, x])}
    places = {"on_first": on_parent, "on_second": on_child}
    ends = {"first": name(link.parent), "second": name(k)}
    if link.swapped:
        places = {"on_first": on_child, "on_second": on_parent}
        ends = {"first": name(k), "second": name(link.parent)}
    more = {"lead": link.lead} if link.kind == "screw" else {}
    return {"name": joint_name(k), "type": link.kind, **ends, **places, **more}


def linkwork_reactions(tree: Tree, moved: Moved, force: Any, torque: Any) -> dict[str, tuple[Any, Any]]:
    """What the joints exert on linkwork's SECOND body at its point there.

    force, torque : what the parent's side exerts on the child at the child's marker.
    """
    out = {}
    for k, link in enumerate(tree.links):
        if link.kind == "free":
            continue
        f, t = force[k], torque[k]
        if link.swapped:
            p = link.parent
            here = moved.r[k] + moved.A[k] @ link.s_child
            there = link.s_parent if p < 0 else moved.r[p] + moved.A[p] @ link.s_parent
            f, t = -f, -(t + np.cross(here - there, f))
        out[joint_name(k)] = (f, t)
    return out


# random ones ---------------------------------------------------------------------------------------------------------

JOINTED = ("revolute", "revolute", "translational", "cylindrical", "universal", "planar", "spherical", "fixed")
SCREWS = (*JOINTED, "screw")


def random_tree(seed: int, count: int | None = None, kinds: Sequence[str] = JOINTED) -> tuple[Tree, State]:
    """1 to 60 bodies, with several roots, branches and long limbs, at a random moving state."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 61)) if count is None else count
    bushy = rng.random()  # 0: one chain, 1: parents drawn from all
    links: list[Link] = []
    for k in range(n):
        parent = -1 if k == 0 or rng.random() < 0.05 else (int(rng.integers(k)) if rng.random() < bushy else k - 1)
        links.append(_random_link(rng, parent, str(rng.choice(kinds if parent >= 0 else (*kinds, "free", "free")))))
    tree = Tree(links, 5.0 * rng.normal(size=3))
    return tree, random_state(tree, rng)


def random_state(tree: Tree, rng: np.random.Generator) -> State:
    """Coordinates anywhere (cross pieces within a radian, so that no gimbal locks), rates of order one."""
    q, v = [], []
    for link in tree.links:
        of: list[Any] = []
        for move, _ in MOVES[link.kind]:
            if move in ("ball", "free"):
                if move == "free":
                    of.extend(rng.normal(size=3))
                of.extend(_unit(rng.normal(size=4)))
            else:
                of.append(rng.uniform(-1.0, 1.0) if move == "slide" or link.kind == "universal" else rng.uniform(-3, 3))
        q.append(np.array(of))
        v.append(rng.normal(size=rates_of(link.kind)))
    return State(q, v)


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x)


def _turned(rng: np.random.Generator) -> np.ndarray:
    return rotation_of(_unit(rng.normal(size=4)))


def _random_link(rng: np.random.Generator, parent: int, kind: str) -> Link:
    mass = float(rng.uniform(0.5, 3.0))
    x, y, z = rng.uniform(0.01, 0.1, 3)
    R = _turned(rng)
    inertia = mass * (R @ np.diag([y + z, x + z, x + y]) @ R.T)
    loaded, free = rng.random() < 0.3, kind == "free"
    return Link(
        parent=parent,
        kind=kind,
        mass=mass,
        inertia=(inertia + inertia.T) / 2.0,
        s_parent=np.zeros(3) if free else 0.3 * rng.normal(size=3),
        R_parent=np.eye(3) if free else _turned(rng),
        s_child=np.zeros(3) if free else 0.3 * rng.normal(size=3),
        R_child=np.eye(3) if free else _turned(rng),
        lead=float(rng.uniform(-0.5, 0.5)) if kind == "screw" else 0.0,
        swapped=bool(rng.random() < 0.4),
        force=3.0 * rng.normal(size=3) if loaded else np.zeros(3),
        torque=rng.normal(size=3) if loaded else np.zeros(3),
        offset=0.2 * rng.normal(size=3) if rng.random() < 0.3 else np.zeros(3),
    )
