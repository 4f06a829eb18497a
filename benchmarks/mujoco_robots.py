"""A robot from an MJCF file in linkwork and in MuJoCo: the same state in both, and how far they are apart.

What linkwork's account of the file refuses, and what it does not simulate, is switched off in MuJoCo: contacts, limits,
soft constraints, dry friction, actuators and fluids.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks.models import Array
from benchmarks.robot_peers import ROUNDS, Apart, one_tree, relative

OFF = ("CONTACT", "LIMIT", "EQUALITY", "FRICTIONLOSS", "ACTUATION", "SENSOR")


class MujocoRobot:
    """One robot in both; `source` is an MJCF file, or a mechanism with MuJoCo's model of it."""

    def __init__(self, mechanism: Any, model: Any, formulation: str = "articulated-body") -> None:
        import mujoco

        from linkwork.analysis.joint_space.tree import tree_of
        from linkwork.run.matching import pair

        self.mechanism, self.model, self.mujoco = mechanism, model, mujoco
        free = [joint.second for joint in mechanism.joints if joint.type == "free"]
        self.root = free[0] if free else None
        self.compiled, self.tree = tree_of(mechanism, self.root)
        model.opt.disableflags |= sum(int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}")) for name in OFF)
        model.opt.density = model.opt.viscosity = 0.0
        self.data = mujoco.MjData(model)
        self.pair = pair(formulation, "rk4")
        joints = {joint.name for joint in mechanism.joints}
        self.place: list[int] = []  # of MuJoCo's rates in ours
        for j in range(model.njnt):
            name, n = model.joint(j).name, (6, 3, 1, 1)[int(model.jnt_type[j])]
            name = name if name in joints else f"{name} joint"
            prefix = self._name(int(model.jnt_bodyid[j])) if n == 6 else name
            found = [k for k, one in enumerate(self.tree.coordinates) if one.rpartition(".")[0] == prefix]
            assert len(found) == n, (name, found)
            self.place += found

    @classmethod
    def of_file(cls, file: Path, folder: Path | None = None) -> MujocoRobot:
        """Equalities are taken out of ours.

        folder : what the file names may lie in it.
        """
        import mujoco

        import linkwork as lw

        model = mujoco.MjModel.from_xml_path(str(file))
        read = lw.load(file, on_unsupported="report", search=[folder or file.parent])
        document = read.to_dict()
        document["couplings"] = [one for one in document.get("couplings", ()) if one["type"] == "rotor"]
        mechanism = lw.Mechanism.from_dict(document)
        mechanism.account = read.account
        return cls(mechanism, model)

    @property
    def dofs(self) -> int:
        """Joint coordinates."""
        return int(self.tree.dofs)

    def seconds(self, count: int) -> tuple[float, float]:
        """Seconds (of processor time) of an evaluation of forward dynamics: ours, and a step of MuJoCo's Euler method.

        A step of 1 ns: MuJoCo's loop over evaluations is that over steps; what the step itself costs is counted.
        """
        from benchmarks.evaluate import evaluations
        from benchmarks.recursive_calls import clocked
        from linkwork.analysis.joint_space.state import forward_kinematics
        from linkwork.run.starting import new_run, started

        m, d, mj = self.model, self.data, self.mujoco
        m.opt.timestep, m.opt.integrator = 1e-9, mj.mjtIntegrator.mjINT_EULER
        m.opt.disableflags |= int(mj.mjtDisableBit.mjDSBL_EULERDAMP)
        mj.mj_resetData(m, d)
        at = forward_kinematics(self.mechanism, root=self.root).within(self.compiled)
        run = started(at, partial(new_run, *self.pair, step=1.0, t_end=1.0))
        loop = evaluations()
        loop(run._table, 1)
        mj.mj_step(m, d)
        ours = min(clocked(lambda: loop(run._table, count), count, process_time) for _ in range(ROUNDS))
        return ours, min(clocked(lambda: mj.mj_step(m, d, count), count, process_time) for _ in range(ROUNDS))

    def apart(self, states: int, seed: int = 0) -> Apart:
        """Compare at random states near the reference, rates and accelerations within 1."""
        rng = np.random.default_rng(seed)
        with one_tree((self.compiled, self.tree)):
            found = [self._at(rng) for _ in range(states)]
        return Apart(*(float(np.nanmax(x)) for x in np.array(found).T))

    def _at(self, rng: Any) -> Apart:
        from linkwork.analysis.joint_space import dynamics
        from linkwork.analysis.joint_space.state import forward_kinematics

        m, d, mj = self.model, self.data, self.mujoco
        mj.mj_resetData(m, d)
        step, rate, a = rng.uniform(-1, 1, m.nv), rng.uniform(-1, 1, m.nv), rng.uniform(-1, 1, m.nv)
        mj.mj_integratePos(m, d.qpos, step, 1.0)  # from the reference, as a rotation vector where it turns
        d.qvel[:] = rate
        mj.mj_forward(m, d)
        T, drift = self._transformed()
        q, v, second, still = np.zeros((4, self.tree.dofs))
        q[self.place], v[self.place] = self._coordinates(step), T @ rate
        second[self.place], still[self.place] = T @ a + drift, drift
        state = forward_kinematics(self.mechanism, q, v, root=self.root)
        at = state.within(self.compiled)
        M = np.zeros((m.nv, m.nv))
        mj.mj_fullM(m, d, M)
        ours = dynamics.mass_matrix(self.mechanism, state, root=self.root)[np.ix_(self.place, self.place)]
        bias = dynamics.inverse_dynamics(self.mechanism, still, state, root=self.root)[self.place]
        inverse = dynamics.inverse_dynamics(self.mechanism, second, state, root=self.root)[self.place]
        h = d.qfrc_bias - d.qfrc_passive
        found = relative(T.T @ ours @ T, M), relative(T.T @ bias, h), relative(T.T @ inverse, M @ a + h)
        condition = float(np.linalg.cond(M)) if m.nv else 1.0
        return Apart(self._pose(at), *found, self._forward(at), condition)

    def _pose(self, at: Any) -> float:
        """Places of all bodies that MuJoCo has."""
        known = {body.name: body for body in self.mechanism.bodies}
        found = 0.0
        for b in range(1, self.model.nbody):
            k = self.compiled.body_names.index(self._name(b))
            A = at.A[k].reshape(3, 3)
            p = at.r[k] - A @ np.array(known[self._name(b)].centre_of_mass)
            turned = float(np.max(np.abs(A - self.data.xmat[b].reshape(3, 3))))
            found = max(found, relative(p, self.data.xpos[b], 1.0), turned)
        return found

    def _name(self, b: int) -> str:
        return self.model.body(b).name or f"body {b}"

    def _roots(self) -> list[tuple[int, Array, Array, Array]]:
        """Of floating bodies: first rate, arm from frame to centre of mass (global), A and omega (global)."""
        m, d, found = self.model, self.data, []
        for j in np.flatnonzero(m.jnt_type == 0):
            b, at = int(m.jnt_bodyid[j]), int(m.jnt_dofadr[j])
            A = d.xmat[b].reshape(3, 3).copy()
            found.append((at, A @ m.body_ipos[b], A, A @ d.qvel[at + 3 : at + 6]))
        return found

    def _transformed(self) -> tuple[Array, Array]:
        """T and b with our rates = T theirs, our second rates = T theirs + b: floating bodies by centres of mass."""
        T, drift = np.eye(self.model.nv), np.zeros(self.model.nv)
        for at, arm, A, w in self._roots():
            skew = np.array([[0.0, -arm[2], arm[1]], [arm[2], 0.0, -arm[0]], [-arm[1], arm[0], 0.0]])
            T[at : at + 3, at + 3 : at + 6] = -skew @ A
            drift[at : at + 3] = np.cross(w, np.cross(w, arm))
        return T, drift

    def _coordinates(self, step: Array) -> Array:
        """Our coordinates: steps from the reference; of balls how the body is turned in its parent, of floating bodies
        where they are."""
        from linkwork.kernels.so3 import log_so3

        out, m = step.copy(), self.model
        for j in np.flatnonzero(m.jnt_type == 1):
            b, at = int(m.jnt_bodyid[j]), int(m.jnt_dofadr[j])
            if m.body_jntnum[b] == 1:
                A, B = (self.data.xmat[k].reshape(3, 3) for k in (int(m.body_parentid[b]), b))
                out[at : at + 3] = log_so3(tuple((A.T @ B).ravel().tolist()))
        for at, arm, A, _ in self._roots():
            j = int(self.model.dof_jntid[at])
            q = int(self.model.jnt_qposadr[j])
            out[at : at + 3] = self.data.qpos[q : q + 3] + arm
            out[at + 3 : at + 6] = log_so3(tuple(A.ravel().tolist()))
        return out

    def _forward(self, at: Any) -> float:
        """Accelerations of all bodies that MuJoCo has, relative to the largest."""
        from benchmarks.evaluate import evaluations
        from linkwork.run.starting import new_run, started

        m, d, mj = self.model, self.data, self.mujoco
        run = started(at, partial(new_run, *self.pair, step=1.0, t_end=1.0))
        evaluations()(run._table, 0)
        found = np.array(run.problem.work.motion[:-1, 18:24])
        mj.mj_rnePostConstraint(m, d)
        gravity = np.array(self.mechanism.gravity)
        ours, theirs = np.zeros((m.nbody - 1, 6)), np.zeros((m.nbody - 1, 6))
        for b in range(1, m.nbody):
            k = self.compiled.body_names.index(self._name(b))
            six = np.zeros(6)
            mj.mj_objectAcceleration(m, d, mj.mjtObj.mjOBJ_BODY, b, six, 0)
            ours[b - 1] = found[k]
            theirs[b - 1] = np.concatenate([six[3:] + gravity, d.xmat[b].reshape(3, 3).T @ six[:3]])
        return relative(ours, theirs, 1.0)
