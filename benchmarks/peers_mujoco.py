"""MuJoCo on mechanisms of pins: a tree of hinges, loops closed by soft equality constraints.

MuJoCo has no rigid loop closure: a `connect` pulls two points together with a time constant, taken as short as it
allows, twice the step. Loops therefore sag; what by, `Run.sag` says.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.models import GROUND, Array, JointData, ModelData

WORLD = (np.zeros(3), np.eye(3))
SOLVER_STEPS, SOLVER_TOLERANCE = 50, 1e-12  # MuJoCo's own constraint solver
STIFF = [0.9999, 0.9999, 0.001, 0.5, 2]  # solimp
ARM = 0.5  # m: a pin closed in space is held at two points of its axis


@dataclass
class Run:
    """seconds : of the steps alone.   kept : samples by name, (n, nb, ...).   sag : largest gap in a loop (m)."""

    seconds: float
    time: Array
    kept: dict[str, Array]
    sag: float


def installed() -> bool:
    """Whether MuJoCo is there."""
    return find_spec("mujoco") is not None


class MujocoModel:
    """A model of revolute joints. cut : names of those that close loops; planar : of these, held in the plane only."""

    def __init__(self, model: ModelData, cut: Collection[str], planar: bool, step: float, integrator: str = "RK4"):
        import mujoco  # type: ignore[import-untyped]  # it comes without types

        self.mujoco, self.model, self.step = mujoco, model, step
        spec = mujoco.MjSpec()
        option = spec.option
        option.timestep, option.gravity = step, list(model.gravity)
        option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
        option.disableflags = int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
        option.iterations, option.tolerance = SOLVER_STEPS, SOLVER_TOLERANCE
        self.places = {body.name: (body.position, body.rotation) for body in model.bodies} | {GROUND: WORLD}
        self.made: dict[str, Any] = {GROUND: spec.worldbody}
        waiting = [joint for joint in model.joints if joint.name not in cut]
        while waiting:
            joint = next(j for j in waiting if j.first in self.made)
            waiting.remove(joint)
            self._link(joint)
        self.closures = [
            (joint, np.array(joint.point) + shift * np.array(joint.axis))
            for joint in model.joints
            if joint.name in cut
            for shift in ((0.0,) if planar else (ARM, -ARM))
        ]
        for joint, point in self.closures:
            self._close(spec, joint, point)
        self.compiled = spec.compile()
        self.data = mujoco.MjData(self.compiled)
        self.number = [mujoco.mj_name2id(self.compiled, mujoco.mjtObj.mjOBJ_BODY, b.name) for b in model.bodies]
        self.start = self._start_rates()

    def _link(self, joint: JointData) -> None:
        body = next(b for b in self.model.bodies if b.name == joint.second)
        (r, A), turn = self.places[joint.first], np.zeros(4)
        self.mujoco.mju_mat2Quat(turn, (A.T @ body.rotation).ravel())
        made = self.made[joint.first].add_body(name=body.name, pos=A.T @ (body.position - r), quat=turn)
        made.explicitinertial, made.mass, made.ipos, made.inertia = True, body.mass, [0, 0, 0], np.diag(body.inertia)
        point, axis = body.rotation.T @ (np.array(joint.point) - body.position), body.rotation.T @ np.array(joint.axis)
        made.add_joint(type=self.mujoco.mjtJoint.mjJNT_HINGE, pos=point, axis=axis)
        self.made[body.name] = made

    def _close(self, spec: Any, joint: JointData, point: Array) -> None:
        first, second = (joint.first, joint.second) if joint.first != GROUND else (joint.second, joint.first)
        r, A = self.places[first]
        tie = spec.add_equality()
        tie.type, tie.objtype = self.mujoco.mjtEq.mjEQ_CONNECT, self.mujoco.mjtObj.mjOBJ_BODY
        tie.name1, tie.name2 = first, "world" if second == GROUND else second
        anchor = np.zeros(len(tie.data))
        anchor[:3] = A.T @ (point - r)
        tie.data = anchor
        tie.solref, tie.solimp = [2.0 * self.step, 1.0], STIFF

    def _start_rates(self) -> Array:
        """Joint rates that give the bodies their velocities."""
        m, d, nv = self.compiled, self.data, self.compiled.nv
        self.mujoco.mj_forward(m, d)
        rows, wanted = [], []
        for body, k in zip(self.model.bodies, self.number, strict=True):
            jp, jr = np.zeros((3, nv)), np.zeros((3, nv))
            self.mujoco.mj_jacBodyCom(m, d, jp, jr, k)
            rows += [jp, jr]
            wanted += [body.velocity, body.rotation @ body.angular_velocity]
        rates: Array = np.linalg.lstsq(np.vstack(rows), np.concatenate(wanted), rcond=None)[0]
        return rates

    def _reset(self) -> None:
        self.mujoco.mj_resetData(self.compiled, self.data)
        self.data.qvel[:] = self.start
        self.mujoco.mj_forward(self.compiled, self.data)

    def seconds(self, t_end: float) -> float:
        """Of all steps in one call, nothing kept."""
        self._reset()
        start = time.perf_counter()
        self.mujoco.mj_step(self.compiled, self.data, nstep=round(t_end / self.step))
        return time.perf_counter() - start

    def run(self, t_end: float, every: int) -> Run:
        """A run that keeps each `every`-th step."""
        self._reset()
        m, d, nb = self.compiled, self.data, len(self.number)
        count, seconds, sag = round(t_end / self.step) // every, 0.0, 0.0
        r, A = np.zeros((count + 1, nb, 3)), np.zeros((count + 1, nb, 3, 3))
        v, w = np.zeros((count + 1, nb, 3)), np.zeros((count + 1, nb, 3))
        spin, six = np.zeros(3), np.zeros(6)
        for n in range(count + 1):
            if n > 0:
                start = time.perf_counter()
                self.mujoco.mj_step(m, d, nstep=every)
                seconds += time.perf_counter() - start
            self.mujoco.mj_kinematics(m, d)
            self.mujoco.mj_comPos(m, d)
            self.mujoco.mj_comVel(m, d)
            r[n], A[n] = d.xipos[self.number], d.ximat[self.number].reshape(-1, 3, 3)
            for b, k in enumerate(self.number):
                self.mujoco.mj_objectVelocity(m, d, self.mujoco.mjtObj.mjOBJ_BODY, k, six, 0)
                spin[:], v[n, b] = six[:3], six[3:]
                w[n, b] = A[n, b].T @ spin
            sag = max(sag, self._gap(r[n], A[n]))
        kept = {"position": r, "rotation": A, "velocity": v, "angular_velocity": w}
        return Run(seconds, np.asarray(self.step * every * np.arange(count + 1), dtype=np.float64), kept, sag)

    def _gap(self, r: Array, A: Array) -> float:
        """The largest distance between two points that should be one."""
        now = {b.name: (r[k], A[k]) for k, b in enumerate(self.model.bodies)} | {GROUND: WORLD}
        gaps = []
        for joint, point in self.closures:
            ends = []
            for name in (joint.first, joint.second):
                (r0, A0), (r1, A1) = self.places[name], now[name]
                ends.append(r1 + A1 @ A0.T @ (point - r0))
            gaps.append(float(np.linalg.norm(ends[1] - ends[0])))
        return max(gaps, default=0.0)
