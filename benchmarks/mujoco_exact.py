"""Bias forces of an MJCF file's robot in forty digits, and how far linkwork and MuJoCo are from them:
`python -m benchmarks.mujoco_exact FILE...`.

The numbers of MuJoCo's compiled model and the coordinates are taken as doubles, everything behind them is exact
(`robot_exact.Exact`). Hinges and slides with dampers; gravity as the file has it. Errors are the largest over all
states, relative to the largest component at the state, as in the tables of `benchmarks.robots`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np
from mpmath import mp, mpf

from benchmarks.robot_exact import DIGITS, Exact, Link, Matrix, Vector, apply, minus, plus, times, transposed

HEAD = "| model | linkwork | MuJoCo | apart | least bias, N or N m |\n"
STILL = [[mpf(int(i == j)) for j in range(3)] for i in range(3)]


class ExactMujoco(Exact):
    """The robot of a compiled MJCF model; `names` are those of its joints."""

    def __init__(self, model: Any) -> None:
        mp.dps = DIGITS
        self.links, self.names = [], []
        last = {0: -1}  # link of each body
        for b in range(1, model.nbody):
            above, p, R = last[int(model.body_parentid[b])], exact(model.body_pos[b]), turned(model.body_quat[b])
            first = int(model.body_jntadr[b])
            for j in range(first, first + int(model.body_jntnum[b])):
                kind = int(model.jnt_type[j])
                if kind < 2 or np.any(model.jnt_stiffness[j]):
                    raise ValueError(f"joint {model.joint(j).name!r} has no exact equations here")
                anchor = exact(model.jnt_pos[j])
                damping = mpf(float(model.dof_damping[model.jnt_dofadr[j]]))
                axis = exact(model.jnt_axis[j])
                size = mp.sqrt(sum(x * x for x in axis))
                self._put(
                    above, R, plus(p, apply(R, anchor)), [x / size for x in axis], len(self.names), kind == 2, damping
                )
                self.names.append(model.joint(j).name)
                above, p, R = len(self.links) - 1, [-x for x in anchor], STILL
            turn, zero = turned(model.body_iquat[b]), mpf(0)
            diagonal = exact(model.body_inertia[b])
            inertia = times([[turn[i][j] * diagonal[j] for j in range(3)] for i in range(3)], transposed(turn))
            self.links.append(Link("", above, R, p, [zero, zero, mpf(1)], -1, False, mpf(float(model.body_mass[b])),
                                   exact(model.body_ipos[b]), inertia, zero))  # fmt: skip
            last[b] = len(self.links) - 1

    def _put(self, above: int, R: Matrix, p: Vector, axis: Vector, coordinate: int, slides: bool, damping: Any) -> None:
        """A massless link behind a joint."""
        zero = [mpf(0)] * 3
        self.links.append(Link("", above, R, p, axis, coordinate, slides, mpf(0), zero, [zero] * 3, damping))


def exact(values: Any) -> Vector:
    """Doubles as they are."""
    return [mpf(float(x)) for x in values]


def turned(quaternion: Any) -> Matrix:
    """The rotation matrix of a quaternion, scalar first, of any length."""
    w, x, y, z = exact(quaternion)
    n = w * w + x * x + y * y + z * z
    return [
        [1 - 2 * (y * y + z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n],
        [2 * (x * y + w * z) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - w * x) / n],
        [2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, 1 - 2 * (x * x + y * y) / n],
    ]


def errors(file: Path, states: int) -> list[float]:
    """Largest relative errors of the bias: linkwork's, MuJoCo's, their difference; and the least bias, at the states of
    `MujocoRobot.apart`."""
    from benchmarks.mujoco_robots import MujocoRobot
    from benchmarks.robot_peers import one_tree
    from linkwork.analysis.joint_space import dynamics
    from linkwork.analysis.joint_space.state import forward_kinematics

    robot = MujocoRobot.of_file(file)
    model, data, mujoco = robot.model, robot.data, robot.mujoco
    truth, rng, found = ExactMujoco(model), np.random.default_rng(0), []
    for _ in range(states):
        mujoco.mj_resetData(model, data)
        step, rate, _ = (rng.uniform(-1, 1, model.nv) for _ in range(3))
        mujoco.mj_integratePos(model, data.qpos, step, 1.0)
        data.qvel[:] = rate
        mujoco.mj_forward(model, data)
        q, v = np.zeros((2, robot.dofs))
        q[robot.place], v[robot.place] = step, rate
        with one_tree((robot.compiled, robot.tree)):
            state = forward_kinematics(robot.mechanism, q, v)
            ours = dynamics.inverse_dynamics(robot.mechanism, np.zeros(robot.dofs), state)[robot.place]
        right = [-x for x in truth.equations(step, rate, float(model.opt.gravity[2])).f]
        size = max(abs(x) for x in right)
        theirs = data.qfrc_bias - data.qfrc_passive
        apart = (minus(exact(ours), right), minus(exact(theirs), right), exact(ours - theirs))
        found.append([*(float(max(abs(x) for x in one) / size) for one in apart), -float(size)])
    *worst, least = np.max(found, axis=0)
    return [*worst, -least]


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--states", type=int, default=100)
    given = parser.parse_args()
    sys.stdout.write(HEAD)
    for file in given.files:
        sys.stdout.write(f"| {file.stem} | {' | '.join(f'{x:.0e}' for x in errors(file, given.states))} |\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
