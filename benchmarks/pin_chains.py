"""Chains of pins in space, axes z and x in turn, for linkwork, Pinocchio, MuJoCo and Exudyn.

Links of 0.3 m that hang along -y, joints and centres of mass a little off, angles and rates up to 0.3. At zero angles
all link frames, which sit at the joints, are parallel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.models import GROUND, Array

LENGTH, SPREAD = 0.3, 0.3
GRAVITY = (0.0, -9.81, 0.0)
OFF = ("CONTACT", "CONSTRAINT", "SENSOR", "ACTUATION")


@dataclass(frozen=True)
class PinChain:
    """Per link: joint in the frame of the link before (n, 3); z or x axis; mass; centre of mass (n, 3) in the link's
    frame; inertia about it (n, 3, 3).   q, v : angles and rates."""

    joint: Array
    axis: tuple[str, ...]
    mass: Array
    centre: Array
    inertia: Array
    q: Array
    v: Array

    def __len__(self) -> int:
        return len(self.mass)

    def placed(self) -> tuple[Array, Array, Array, Array]:
        """r, A, velocity (global) and angular velocity (body components) of every centre of mass."""
        n = len(self)
        r, A, v, w = np.zeros((n, 3)), np.zeros((n, 3, 3)), np.zeros((n, 3)), np.zeros((n, 3))
        p, R, pdot, omega = np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3)  # of the link's frame, global
        for k in range(n):
            arm = R @ self.joint[k]
            p, pdot = p + arm, pdot + np.cross(omega, arm)
            c, s = np.cos(self.q[k]), np.sin(self.q[k])
            if self.axis[k] == "z":
                axis, turn = R[:, 2], np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            else:
                axis, turn = R[:, 0], np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
            omega, R = omega + axis * self.v[k], R @ turn
            arm = R @ self.centre[k]
            r[k], A[k], v[k], w[k] = p + arm, R, pdot + np.cross(omega, arm), R.T @ omega
        return r, A, v, w


def pin_chain(n: int, seed: int = 0) -> PinChain:
    """n links."""
    rng = np.random.default_rng(seed)
    joint, centre = ([0.0, -x * LENGTH, 0.0] + 0.1 * LENGTH * rng.uniform(-1, 1, (n, 3)) for x in (1.0, 0.5))
    joint[0] = 0.0
    mass = rng.uniform(0.5, 1.5, n)
    points = rng.uniform(-0.5, 0.5, (n, 6, 3)) * [0.1, LENGTH, 0.1]  # an inertia that a body can have
    points -= points.mean(axis=1, keepdims=True)
    spread = np.einsum("nki,nkj->nij", points, points)
    inertia = mass[:, None, None] / 6 * (np.trace(spread, axis1=1, axis2=2)[:, None, None] * np.eye(3) - spread)
    axis = tuple("zx"[k % 2] for k in range(n))
    state = np.random.default_rng(seed + 1).uniform(-SPREAD, SPREAD, (2, n))
    return PinChain(joint, axis, mass, centre, inertia + 1e-4 * np.eye(3), *state)


def as_mechanism(lw: Any, chain: PinChain) -> Any:
    """For linkwork, joints given per body."""
    r, A, v, w = chain.placed()
    bodies, joints = [], []
    for k in range(len(chain)):
        axis = [0.0, 0.0, 1.0] if chain.axis[k] == "z" else [1.0, 0.0, 0.0]
        bodies.append(
            {
                "name": f"link {k}", "mass": float(chain.mass[k]), "inertia": chain.inertia[k].tolist(),
                "position": r[k].tolist(), "rotation": A[k].tolist(), "velocity": v[k].tolist(),
                "angular_velocity": w[k].tolist(),
            }
        )  # fmt: skip
        before = chain.joint[k] - (chain.centre[k - 1] if k else 0.0)
        joints.append(
            {
                "name": f"pin {k}", "type": "revolute", "second": f"link {k}",
                "first": f"link {k - 1}" if k else GROUND,
                "on_first": {"point": before.tolist(), "axis": axis, "x": [0.0, 1.0, 0.0]},
                "on_second": {"point": (-chain.centre[k]).tolist(), "axis": axis, "x": [0.0, 1.0, 0.0]},
            }
        )  # fmt: skip
    return lw.Mechanism(f"{len(chain)} pins", bodies, joints, gravity=GRAVITY)


def as_pinocchio(chain: PinChain) -> Any:
    """Pinocchio's model."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = np.array(GRAVITY)
    at = 0
    for k in range(len(chain)):
        kind = pin.JointModelRZ() if chain.axis[k] == "z" else pin.JointModelRX()
        at = model.addJoint(at, kind, pin.SE3(np.eye(3), chain.joint[k]), f"pin {k}")
        model.appendBodyToJoint(at, pin.Inertia(chain.mass[k], chain.centre[k], chain.inertia[k]), pin.SE3.Identity())
    return model


def as_mujoco(chain: PinChain, step: float, integrator: str) -> Any:
    """MuJoCo's model, with everything off that a chain of pins does not need."""
    import mujoco

    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = step, GRAVITY
    spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    spec.option.disableflags = sum(int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")) for name in OFF)
    body = spec.worldbody
    for k in range(len(chain)):
        body = body.add_body(name=f"link {k}", pos=chain.joint[k])
        J = chain.inertia[k]
        body.explicitinertial, body.mass, body.ipos = True, chain.mass[k], chain.centre[k]
        body.fullinertia = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        axis = [0, 0, 1] if chain.axis[k] == "z" else [1, 0, 0]
        body.add_joint(name=f"pin {k}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
    return spec.compile()


def as_exudyn(chain: PinChain) -> tuple[Any, Any]:
    """Exudyn's system with the chain as one kinematic tree, in minimal coordinates, and its container."""
    from benchmarks.peers_exudyn import eu, exu

    n, container = len(chain), exu.SystemContainer()
    system = container.AddSystem()
    node = system.AddNode(
        eu.NodeGenericODE2(
            referenceCoordinates=[0.0] * n, initialCoordinates=list(chain.q), initialCoordinates_t=list(chain.v),
            numberOfODE2Coordinates=n,
        )
    )  # fmt: skip
    kinds = {"z": exu.JointType.RevoluteZ, "x": exu.JointType.RevoluteX}
    system.AddObject(
        eu.ObjectKinematicTree(
            nodeNumber=node, gravity=list(GRAVITY), jointTypes=[kinds[a] for a in chain.axis],
            linkParents=list(range(-1, n - 1)), jointTransformations=exu.Matrix3DList([np.eye(3)] * n),
            jointOffsets=exu.Vector3DList(list(chain.joint)), linkInertiasCOM=exu.Matrix3DList(list(chain.inertia)),
            linkCOMs=exu.Vector3DList(list(chain.centre)), linkMasses=[float(m) for m in chain.mass],
            visualization=eu.VObjectKinematicTree(show=False),
        )
    )  # fmt: skip
    system.Assemble()
    return container, system
