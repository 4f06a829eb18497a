"""Joint coordinates of a state, and the state at joint coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.joint_space.tree import Placed, at_state, cross, frames_and_twists, tree_of
from linkwork.analysis.state import State, state_of
from linkwork.arguments import finite_number, numbers_in
from linkwork.errors import UsageError
from linkwork.kernels.so3 import exp_so3, log_so3
from linkwork.mechanism import Mechanism
from linkwork.mechanism.elements import did_you_mean
from linkwork.shown import Shown, some
from linkwork.system import CompiledMechanism
from linkwork.system.links import LinkTree, coordinates_at
from linkwork.system.links.coordinates import Measured
from linkwork.system.links.linktree import SPHERICAL, TRANSLATION

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class JointState(Shown):
    """Coordinates of a mechanism's spanning tree and their rates.

    names : of the coordinates, such as ``elbow.angle``; of a ball joint or floating body ``.turn_x`` and so on.
    units : 'rad' or 'm'. values (dofs,) : in the sense that the joint defines (first body to second); of a ball joint
    the components of the rotation vector. rates (dofs,) : of a ball joint the angular velocity relative to the parent
    body, in the child's joint frame. time : s, at which drivers are taken.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Array
    rates: Array
    time: float = 0.0

    def told(self) -> str:
        """Its coordinates."""
        told = [f"{name} {x:.6g} {unit}" for name, x, unit in zip(self.names, self.values, self.units, strict=True)]
        return f"at t = {self.time:g} s: {some(told)}"

    def __getitem__(self, name: str) -> float:
        """The value of one coordinate. Raises UsageError for a name that does not exist."""
        return float(self.values[number(self.names, name)])

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "time": self.time,
            "coordinates": {
                name: {"value": float(x), "rate": float(v), "unit": unit}
                for name, x, v, unit in zip(self.names, self.values, self.rates, self.units, strict=True)
            },
        }


def number(names: tuple[str, ...], name: str) -> int:
    """Place of a coordinate. Raises UsageError with the nearest name if there is none."""
    if name not in names:
        raise UsageError(f"coordinate {name!r} does not exist{did_you_mean(name, names)}")
    return names.index(name)


def joint_coordinates(mech: Mechanism, state: State | None = None, *, root: str | None = None) -> JointState:
    """Joint coordinates and rates of an assembled state (of the start state as described if left out).

    root : body that the spanning tree starts with. Angles come within half a turn of zero. Coordinates that a driver
    prescribes are not among them. Loops are closed by what this leaves out: their coordinates depend on each other.
    """
    compiled, tree = tree_of(mech, root)
    at, time = at_state(compiled, state)
    found = measured(at, tree)
    return JointState(tree.coordinates, tree.units, reported(tree, found), found.rate * tree.sense, time)


def measured(compiled: CompiledMechanism, tree: LinkTree) -> Measured:
    """Coordinates of the compiled mechanism's start state, as the links count them."""
    return coordinates_at(tree, compiled.r, compiled.A, compiled.v, compiled.w)


def reported(tree: LinkTree, at: Measured) -> Array:
    """Coordinates as joints define them."""
    values = at.q * tree.sense
    for k in np.flatnonzero(tree.links.kind >= SPHERICAL).tolist():
        d, b = tree.links.dof[k], tree.links.pose_index[k]
        pose = at.pose[b]
        values[d : d + 3] = pose[9:] if tree.links.kind[k] == TRANSLATION else log_so3(tuple(pose[:9]))
    return values


def internal(tree: LinkTree, values: Array, rates: Array) -> Measured:
    """The reverse of `reported`."""
    n = len(tree.links.kind)
    pose = np.zeros((tree.poses, 12))
    pose[:, [0, 4, 8]] = 1.0
    q = values * tree.sense
    for k in np.flatnonzero(tree.links.kind >= SPHERICAL).tolist():
        d, b = tree.links.dof[k], tree.links.pose_index[k]
        x = values[d : d + 3]
        if tree.links.kind[k] == TRANSLATION:
            pose[b, 9:] = x
        else:
            pose[b, :9] = exp_so3((x[0], x[1], x[2]))
        q[d : d + 3] = 0.0
    return Measured(q, pose, rates * tree.sense, np.zeros(n), np.zeros((n + 1, 6)))


def given(tree: LinkTree, what: str, values: Any, default: Array) -> Array:
    """A vector of numbers per coordinate, from an array or from names; others keep the default. Raises UsageError."""
    if values is None:
        return default
    if isinstance(values, Mapping):
        out = default.copy()
        for name, x in values.items():
            out[number(tree.coordinates, name)] = finite_number(f"{name!r} of {what}", x)
    else:
        numbers = numbers_in(values)
        if numbers is None:
            raise UsageError(f"{what} must be numbers, a list or by names of coordinates, not {values!r}.")
        out = numbers
    if out.shape != (tree.dofs,):
        raise UsageError(f"{what} have shape {out.shape}, the mechanism has {tree.dofs} joint coordinates.")
    if not np.all(np.isfinite(out)):
        raise UsageError(f"{what} are not finite.")
    return out


def forward_kinematics(
    mech: Mechanism, coordinates: Any = None, rates: Any = None, *, time: float = 0.0, root: str | None = None
) -> State:
    """Places and velocities of all bodies at joint coordinates.

    Parameters
    ----------
    coordinates : (dofs,) or name -> value, in the order and sense of `joint_coordinates`; what is not named keeps its
        start value. rates : likewise, zero if left out.
    time : s; coordinates that are driven follow their drivers there.
    root : body that the spanning tree starts with.

    Loops are not closed: at coordinates that do not fit, bodies of a closed mechanism come apart at the joints that
    the tree leaves out. Raises UsageError for wrong names or shapes.
    """
    time = finite_number("time", time, "seconds")
    compiled, tree = tree_of(mech, root)
    start = reported(tree, measured(compiled, tree))
    values = given(tree, "coordinates", coordinates, start)
    speeds = given(tree, "rates", rates, np.zeros(tree.dofs))
    placed = frames_and_twists(compiled, tree, internal(tree, values, speeds), time)
    return state_of(bodies_at(compiled, placed), time)


def bodies_at(compiled: CompiledMechanism, placed: Placed) -> CompiledMechanism:
    """The mechanism with its bodies where the links are, moving with them."""
    r, A, v, w = compiled.r.copy(), compiled.A.copy(), compiled.v.copy(), compiled.w.copy()
    frames = placed.tree.links.body_frame
    for k, (R, p) in enumerate(placed.frames):
        b = placed.body(k)
        if b >= 0:
            R_b, p_b = frames[k, :9].reshape(3, 3), frames[k, 9:]
            V = placed.twist[k]
            r[b], A[b] = p + R @ p_b, (R @ R_b).ravel()
            v[b], w[b] = R @ (V[3:] + cross(V[:3], p_b)), R_b.T @ V[:3]
    return compiled.at(r, A, v, w)
