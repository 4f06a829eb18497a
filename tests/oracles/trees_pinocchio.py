"""The same trees in Pinocchio: model, state, and accelerations of all bodies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin
from oracles.trees import Tree
from oracles.trees_motion import MOVES, RATES, Moved, State, motion

ELEMENTARY = {
    ("turn", 0): pin.JointModelRX, ("turn", 1): pin.JointModelRY, ("turn", 2): pin.JointModelRZ,
    ("slide", 0): pin.JointModelPX, ("slide", 1): pin.JointModelPY, ("slide", 2): pin.JointModelPZ,
    ("ball", 0): pin.JointModelSpherical, ("free", 0): pin.JointModelFreeFlyer,
}  # fmt: skip


def depth_first(tree: Tree) -> list[int]:
    """Bodies in the order that Pinocchio and MuJoCo number them."""
    children: dict[int, list[int]] = {k: [] for k in range(-1, len(tree.links))}
    for k, link in enumerate(tree.links):
        children[link.parent].append(k)
    order, stack = [], list(reversed(children[-1]))
    while stack:
        k = stack.pop()
        order.append(k)
        stack.extend(reversed(children[k]))
    return order


def _joint(link: Any) -> Any:
    moves = MOVES[link.kind]
    if link.kind == "screw":
        return pin.JointModelHZ(link.lead / (2 * np.pi))
    if len(moves) == 1:
        return ELEMENTARY[moves[0]]()
    made = pin.JointModelComposite(len(moves))
    for move in moves:
        made.addJoint(ELEMENTARY[move]())
    return made


@dataclass
class Model:
    """joint : Pinocchio's number of the joint that carries body k.   place : of the body's frame in that joint's."""

    tree: Tree
    model: Any
    data: Any
    joint: dict[int, int]
    place: dict[int, Any]

    def vectors(self, state: State) -> tuple[Any, Any]:
        """Pinocchio's q and v."""
        q, v = np.zeros(self.model.nq), np.zeros(self.model.nv)
        for k, link in enumerate(self.tree.links):
            if not MOVES[link.kind]:
                continue
            own, rate = np.asarray(state.q[k], dtype=float), np.asarray(state.v[k], dtype=float)
            if link.kind == "spherical":
                own = np.roll(own, -1)  # scalar last
            elif link.kind == "free":
                own = np.concatenate([own[:3], np.roll(own[3:], -1)])
                rate = np.concatenate([pin.Quaternion(own[3:]).matrix().T @ rate[:3], rate[3:]])
            j = self.model.joints[self.joint[k]]
            q[j.idx_q : j.idx_q + j.nq] = own
            v[j.idx_v : j.idx_v + j.nv] = rate
        return q, v

    def per_link(self, vector: Any, state: State) -> list[Any]:
        """Pinocchio's second derivatives as those of `State`."""
        out = []
        for k, link in enumerate(self.tree.links):
            if not MOVES[link.kind]:
                out.append(np.zeros(0))
                continue
            j = self.model.joints[self.joint[k]]
            own = np.array(vector[j.idx_v : j.idx_v + j.nv])
            if link.kind == "free":
                R = pin.Quaternion(np.roll(np.asarray(state.q[k][3:], dtype=float), -1)).matrix()
                w, v = np.asarray(state.v[k][3:], dtype=float), R.T @ np.asarray(state.v[k][:3], dtype=float)
                own[:3] = R @ (own[:3] + np.cross(w, v))
            out.append(own)
        return out

    def loads(self, state: State) -> Any:
        """Force per joint in that joint's frame."""
        at = motion(self.tree, state)
        out = pin.StdVec_Force()
        for _ in range(self.model.njoints):
            out.append(pin.Force.Zero())
        for k, link in enumerate(self.tree.links):
            j = self.joint[k]
            if j:
                own = pin.Force(at.A[k].T @ link.force, at.A[k].T @ link.torque)
                out[j] = out[j] + self.place[k].act(own)
        return out

    def aba(self, state: State) -> Any:
        """Joint accelerations by the articulated-body algorithm, Pinocchio's vector."""
        q, v = self.vectors(state)
        return pin.aba(self.model, self.data, q, v, np.zeros(self.model.nv), self.loads(state)).copy()

    def motion(self, state: State) -> Moved:
        """Of all bodies, from Pinocchio's own joint accelerations and the oracle's kinematics."""
        return motion(self.tree, state, self.per_link(self.aba(state), state))


def model_of(tree: Tree) -> Model:
    """Links on fixed joints become part of the body that carries them."""
    model = pin.Model()
    model.gravity.linear = np.asarray(tree.gravity, dtype=float)
    joint: dict[int, int] = {-1: 0}
    place: dict[int, Any] = {-1: pin.SE3.Identity()}
    for k in depth_first(tree):
        link = tree.links[k]
        before = place[link.parent] * pin.SE3(link.R_parent, link.s_parent)
        after = pin.SE3(link.R_child, link.s_child).inverse()
        if MOVES[link.kind]:
            joint[k], place[k] = model.addJoint(joint[link.parent], _joint(link), before, f"joint {k}"), after
        else:
            joint[k], place[k] = joint[link.parent], before * after
        inertia = pin.Inertia(link.mass, np.zeros(3), np.asarray(link.inertia))
        model.appendBodyToJoint(joint[k], inertia, place[k])
    assert model.nv == sum(RATES[m] for link in tree.links for m, _ in MOVES[link.kind])
    return Model(tree, model, model.createData(), joint, place)


def vector(model: Model, per_link: list[Any]) -> Any:
    """Rates or their duals per link, of trees without floating bodies, as Pinocchio's vector."""
    out = np.zeros(model.model.nv)
    for k, link in enumerate(model.tree.links):
        if MOVES[link.kind]:
            j = model.model.joints[model.joint[k]]
            out[j.idx_v : j.idx_v + j.nv] = per_link[k]
    return out


def order(model: Model) -> Any:
    """Where the rates of the links, one after another, stand in Pinocchio's vectors."""
    out: list[int] = []
    for k, link in enumerate(model.tree.links):
        if MOVES[link.kind]:
            j = model.model.joints[model.joint[k]]
            out.extend(range(j.idx_v, j.idx_v + j.nv))
    return np.array(out, dtype=int)


def mass_matrix(model: Model, state: State) -> Any:
    """By the composite-rigid-body algorithm, rates in the order of the links; trees without floating bodies."""
    q, _ = model.vectors(state)
    M = np.triu(pin.crba(model.model, model.data, q))
    M = M + np.triu(M, 1).T
    place = order(model)
    return M[np.ix_(place, place)]


def inverse_dynamics(model: Model, state: State, accelerations: list[Any]) -> Any:
    """Generalised forces by recursive Newton-Euler, loads taken off, in the order of the links; no floating bodies."""
    q, v = model.vectors(state)
    a = vector(model, accelerations)
    return pin.rnea(model.model, model.data, q, v, a, model.loads(state))[order(model)]
