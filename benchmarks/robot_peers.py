"""A robot from a URDF file in linkwork and in Pinocchio: the same state in both, and how far they are apart.

Joints move in both by themselves (Pinocchio's default for <mimic>), all of one coordinate. Pinocchio leaves damping out
of its dynamics; it is given to it as efforts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from benchmarks.models import Array

ROUNDS = 40  # of timing: the least counts, since other programs take the processor meanwhile
WORST_CONDITION = 1e13  # of the mass matrix: beyond, accelerations mean nothing


class Apart(NamedTuple):
    """Largest relative differences at some states; nan where there is nothing to compare. condition : the largest."""

    pose: float
    mass_matrix: float
    bias: float
    inverse: float
    forward: float
    condition: float


@contextmanager
def one_tree(found: Any) -> Iterator[None]:
    """The same compiled mechanism and tree for all states, which the functions of joint space make anew each time."""
    with patch("linkwork.analysis.joint_space.state.tree_of", return_value=found), \
            patch("linkwork.analysis.joint_space.dynamics.tree_of", return_value=found):  # fmt: skip
        yield


class Robot:
    """One robot in both."""

    def __init__(self, file: Path, formulation: str = "articulated-body") -> None:
        import pinocchio as pin

        import linkwork as lw
        from linkwork.analysis.joint_space.tree import tree_of
        from linkwork.run.matching import pair

        self.mechanism = lw.load(file, on_unsupported="report", mimic="free")
        self.compiled, self.tree = tree_of(self.mechanism)
        self.model = pin.buildModelFromUrdf(str(file))
        self.data = self.model.createData()
        own = {name.rpartition(".")[0]: k for k, name in enumerate(self.tree.coordinates)}
        self.place = np.array([own[_ours(name, own)] for name in list(self.model.names)[1:]], dtype=int)
        self.single = [j.nv == 1 for j in list(self.model.joints)[1:]]
        forces = {f.joint: f.damping for f in self.mechanism.forces if f.type == "torsion"}
        forces |= {f.name.removesuffix(" damping"): f.damping for f in self.mechanism.forces if f.type == "spring"}
        self.damping = np.zeros(self.tree.dofs)
        for name, d in forces.items():
            self.damping[own[name]] = d
        links = {f.name: k for k, f in enumerate(self.model.frames) if f.type == pin.FrameType.BODY}
        self.frames = {body.name: links[_ours_less(body.name, links)] for body in self.mechanism.bodies}
        self.pair = pair(formulation, "rk4")

    @property
    def dofs(self) -> int:
        """Joint coordinates."""
        return self.tree.dofs

    def theirs(self, q: Array) -> Array:
        """Pinocchio's configuration: joints that turn without limits have cosine and sine."""
        out = np.zeros(self.model.nq)
        for k, joint in enumerate(list(self.model.joints)[1:]):
            x = q[self.place[k]]
            out[joint.idx_q : joint.idx_q + joint.nq] = x if joint.nq == 1 else (np.cos(x), np.sin(x))
        return out

    def apart(self, states: int, seed: int = 0) -> Apart:
        """Compare at random states, angles within half a turn, displacements within 0.3 m, rates within 1."""
        rng = np.random.default_rng(seed)
        scale = np.where(np.array(self.tree.units) == "rad", np.pi, 0.3)
        with one_tree((self.compiled, self.tree)):
            found = [self._at(scale * rng.uniform(-1, 1, self.dofs), *rng.uniform(-1, 1, (2, self.dofs)))
                     for _ in range(states)]  # fmt: skip
        return Apart(*(float(np.nanmax(x)) if not np.all(np.isnan(x)) else float("nan")
                       for x in np.array(found).T))  # fmt: skip

    def _at(self, q: Array, v: Array, a: Array) -> Apart:
        import pinocchio as pin

        from linkwork.analysis.joint_space import dynamics
        from linkwork.analysis.joint_space.state import forward_kinematics

        state = forward_kinematics(self.mechanism, q, v)
        qp, vp, ap = self.theirs(q), v[self.place], a[self.place]
        at = state.within(self.compiled)
        pin.framesForwardKinematics(self.model, self.data, qp)
        pose = max(self._pose(at, k) for k in range(self.compiled.nb))
        M = dynamics.mass_matrix(self.mechanism, state)[np.ix_(self.place, self.place)]
        upper = np.triu(pin.crba(self.model, self.data, qp))
        theirs = upper + np.triu(upper, 1).T
        drag = self.damping * v
        bias = (dynamics.inverse_dynamics(self.mechanism, 0.0 * a, state) - drag)[self.place]
        inverse = (dynamics.inverse_dynamics(self.mechanism, a, state) - drag)[self.place]
        h = pin.rnea(self.model, self.data, qp, vp, 0.0 * ap)
        tau = pin.rnea(self.model, self.data, qp, vp, ap)
        condition = float(np.linalg.cond(theirs)) if self.dofs else 1.0
        forward = float("nan") if not condition < WORST_CONDITION else self._forward(at, qp, vp, -drag[self.place])
        return Apart(pose, relative(M, theirs), relative(bias, h), relative(inverse, tau), forward, condition)

    def _pose(self, at: Any, k: int) -> float:
        frame = self.data.oMf[self.frames[self.compiled.body_names[k]]]
        A = at.A[k].reshape(3, 3)
        p = at.r[k] - A @ np.array(self.mechanism.bodies[k].centre_of_mass)
        return max(relative(p, frame.translation, 1.0), float(np.max(np.abs(A - frame.rotation))))

    def _forward(self, at: Any, q: Array, v: Array, tau: Array) -> float:
        """Accelerations of all bodies, relative to the largest; from a formulation's compiled equations."""
        import pinocchio as pin

        from linkwork.errors import SingularPositionError

        try:
            ours = self.evaluated(at)
        except SingularPositionError:
            return float("nan")
        a = pin.aba(self.model, self.data, q, v, tau)
        pin.forwardKinematics(self.model, self.data, q, v, a)
        pin.updateFramePlacements(self.model, self.data)
        return relative(ours, body_accelerations(self.model, self.data, self.mechanism.bodies, self.frames))

    def run(self, at: Any) -> Any:
        """A formulation's problem at a state, ready to be evaluated."""
        from linkwork.run.starting import new_run, started

        return started(at, partial(new_run, *self.pair, step=1.0, t_end=1.0))

    def evaluated(self, at: Any) -> Array:
        """(nb, 6) accelerations: of centres of mass (global), and angular (body components)."""
        from benchmarks.evaluate import evaluations

        run = self.run(at)
        evaluations()(run._table, 0)
        return np.array(run.problem.work.motion[:-1, 18:24])

    def seconds(self, count: int) -> tuple[float, float]:
        """Seconds (of processor time) of an evaluation of forward dynamics at one state: ours, and Pinocchio's aba."""
        import pinocchio as pin

        from benchmarks.evaluate import evaluations
        from benchmarks.recursive_calls import clocked
        from linkwork.analysis.joint_space.state import forward_kinematics

        rng = np.random.default_rng(1)
        q, v = rng.uniform(-0.3, 0.3, (2, self.dofs))
        run = self.run(forward_kinematics(self.mechanism, q, v).within(self.compiled))
        loop = evaluations()
        loop(run._table, 1)
        pool, batch = pin.ModelPool(self.model, 1), 100
        given = [self.theirs(q), v[self.place], np.zeros(self.dofs)]
        columns = [np.asfortranarray(np.repeat(x[:, None], batch, 1)) for x in given]
        out = np.asfortranarray(np.zeros((self.model.nv, batch)))
        rounds = max(1, count // batch)

        def theirs() -> None:
            for _ in range(rounds):
                pin.abaInParallel(1, pool, *columns, out)

        ours = min(clocked(lambda: loop(run._table, count), count, process_time) for _ in range(ROUNDS))
        return ours, min(clocked(theirs, rounds * batch, process_time) for _ in range(ROUNDS))


def body_accelerations(model: Any, data: Any, bodies: Any, frames: dict[str, int]) -> Array:
    """(nb, 6) as ours, after Pinocchio's kinematics: of centres of mass (global), and angular (body components)."""
    import pinocchio as pin

    from linkwork.analysis.joint_space.tree import cross

    found = np.zeros((len(bodies), 6))
    for k, body in enumerate(bodies):
        f = frames[body.name]
        linear = pin.getFrameClassicalAcceleration(model, data, f, pin.LOCAL_WORLD_ALIGNED).linear
        alpha = pin.getFrameAcceleration(model, data, f, pin.LOCAL).angular
        w = pin.getFrameVelocity(model, data, f, pin.LOCAL).angular
        c = np.array(body.centre_of_mass)
        R = data.oMf[f].rotation
        found[k] = np.concatenate([linear + R @ (cross(alpha, c) + cross(w, cross(w, c))), alpha])
    return found


def _ours(name: str, own: dict[str, int]) -> str:
    """Our name of a joint: another where a link has it already."""
    return name if name in own else f"{name} joint"


def _ours_less(name: str, links: dict[str, int]) -> str:
    """Pinocchio's name of a link: 'ground' is called otherwise here."""
    return name if name in links else name.removesuffix(" link")


def relative(ours: Array, theirs: Array, least: float = 1e-300) -> float:
    """Largest difference, relative to the largest number, or to `least` where all are smaller."""
    if not np.size(theirs):
        return 0.0
    return float(np.max(np.abs(ours - theirs)) / max(least, float(np.max(np.abs(theirs)))))
