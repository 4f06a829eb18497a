"""Robots whose joints mimic others, in linkwork (rigid couplings) and in Pinocchio (coordinates without the followers):
`python -m benchmarks.robot_mimic FOLDER`.
"""

from benchmarks.machine import one_thread

one_thread()  # before NumPy is imported

import argparse  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402

from benchmarks.robot_peers import Robot, body_accelerations, relative  # noqa: E402


def apart(file: Path, states: int, formulation: str = "lie-mixed") -> float:
    """Largest relative difference of all bodies' accelerations at random states that keep the couplings."""
    import pinocchio as pin

    import linkwork as lw

    robot, mech = Robot(file), lw.load(file, on_unsupported="report")
    if not mech.couplings:
        raise ValueError("no joint follows another that exists")
    assert [body.name for body in mech.bodies] == [body.name for body in robot.mechanism.bodies]
    robot.model = pin.buildModelFromUrdf(str(file), mimic=True)
    robot.data = robot.model.createData()
    model, data, names = robot.model, robot.data, list(robot.tree.coordinates)
    moving = [j for j in range(1, model.njoints) if model.joints[j].nv]
    own = {name.rpartition(".")[0]: k for k, name in enumerate(names)}
    place = [own.get(model.names[j], own.get(f"{model.names[j]} joint")) for j in moving]
    G, g = np.zeros((len(names), len(place))), np.zeros(len(names))  # ours = G theirs + g
    for k, n in enumerate(place):
        G[n, k] = 1.0
    for _ in mech.couplings:  # leaders may follow others
        for one in mech.couplings:
            offset, factor = one.polynomial
            k, leader = own[one.joint], own[one.joint2]
            G[k], g[k] = factor * G[leader], factor * g[leader] + offset
    scale = np.where(np.array(robot.tree.units)[place] == "rad", np.pi / 2.0, 0.3)
    rng, found = np.random.default_rng(0), 0.0
    for _ in range(states):
        q, v = scale * rng.uniform(-1, 1, len(place)), rng.uniform(-1, 1, len(place))
        qp = np.zeros(model.nq)
        for k, j in enumerate(moving):
            joint = model.joints[j]
            qp[joint.idx_q : joint.idx_q + joint.nq] = q[k] if joint.nq == 1 else (np.cos(q[k]), np.sin(q[k]))
        M = np.triu(pin.crba(model, data, qp))
        h = pin.rnea(model, data, qp, v, 0.0 * v) + G.T @ (robot.damping * (G @ v))
        a = np.linalg.solve(M + np.triu(M, 1).T, -h)
        pin.forwardKinematics(model, data, qp, v, a)
        pin.updateFramePlacements(model, data)
        theirs = body_accelerations(model, data, mech.bodies, robot.frames)
        at = lw.accelerations(mech, lw.forward_kinematics(robot.mechanism, G @ q + g, G @ v), formulation)
        found = max(found, relative(np.hstack([at.rddot, at.omegadot]), theirs))
    return found


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--states", type=int, default=100)
    given = parser.parse_args()
    for file in sorted(given.folder.rglob("*.urdf"), key=lambda path: path.stem.lower()):
        if "<mimic" in file.read_text(encoding="utf-8"):
            try:
                said = f"{apart(file, given.states):.0e}"
            except (RuntimeError, ValueError, np.linalg.LinAlgError) as error:
                said = " ".join(str(error).split())[:150]
            sys.stdout.write(f"| {file.stem} | {said} |\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
