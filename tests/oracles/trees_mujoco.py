"""The same trees in MuJoCo: model, state, and accelerations of all bodies. MuJoCo has no screw joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from oracles.trees import Tree
from oracles.trees_motion import MOVES, Moved, State, motion
from oracles.trees_pinocchio import depth_first

OFF = ("CONTACT", "CONSTRAINT", "SENSOR", "ACTUATION", "SPRING", "DAMPER")


def _quaternion(R: Any) -> Any:
    out = np.zeros(4)
    mujoco.mju_mat2Quat(out, np.ascontiguousarray(R).ravel())
    return out


def model_of(tree: Tree) -> Model:
    """A body's frame is its joint's marker. Nothing but inertia, weight and loads acts."""
    spec = mujoco.MjSpec()
    spec.option.gravity = tree.gravity
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.disableflags = sum(int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")) for name in OFF)
    spec.compiler.balanceinertia = False
    bodies: dict[int, Any] = {-1: spec.worldbody}
    for k in depth_first(tree):
        link = tree.links[k]
        s, R = link.s_parent, link.R_parent
        if link.parent >= 0:  # from the parent's marker
            on = tree.links[link.parent]
            s, R = on.R_child.T @ (link.s_parent - on.s_child), on.R_child.T @ link.R_parent
        body = bodies[link.parent].add_body(name=f"body {k}", pos=s, quat=_quaternion(R))
        inertia = link.R_child.T @ link.inertia @ link.R_child
        body.explicitinertial = True
        body.mass = link.mass
        body.ipos = -link.R_child.T @ link.s_child
        body.fullinertia = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        for number, (move, axis) in enumerate(MOVES[link.kind]):
            kind = {"turn": "HINGE", "slide": "SLIDE", "ball": "BALL", "free": "FREE"}[move]
            body.add_joint(
                name=f"joint {k} {number}", type=getattr(mujoco.mjtJoint, f"mjJNT_{kind}"), axis=np.eye(3)[axis]
            )
        bodies[k] = body
    model = spec.compile()
    return Model(tree, model, mujoco.MjData(model))


@dataclass
class Model:
    """MuJoCo's model and data of a tree."""

    tree: Tree
    model: Any
    data: Any

    def adopt(self, state: State) -> None:
        """Write state and loads into MuJoCo's data."""
        m, d = self.model, self.data
        mujoco.mj_resetData(m, d)
        for k, link in enumerate(self.tree.links):
            q, v = np.asarray(state.q[k], dtype=float), np.asarray(state.v[k], dtype=float)
            for number, _ in enumerate(MOVES[link.kind]):
                j = m.joint(f"joint {k} {number}")
                nq, nv = len(j.qpos0), len(d.joint(j.id).qvel)
                d.joint(j.id).qpos[:], d.joint(j.id).qvel[:] = q[:nq], v[:nv]
                q, v = q[nq:], v[nv:]
            d.body(f"body {k}").xfrc_applied[:] = np.concatenate([link.force, link.torque])

    def motion(self, state: State) -> Moved:
        """Of all bodies, from MuJoCo's own joint accelerations and the oracle's kinematics."""
        self.adopt(state)
        mujoco.mj_forward(self.model, self.data)
        found = []
        for k, link in enumerate(self.tree.links):
            own = [self.data.joint(f"joint {k} {i}").qacc for i in range(len(MOVES[link.kind]))]
            found.append(np.concatenate(own) if own else np.zeros(0))
        return motion(self.tree, state, found)
