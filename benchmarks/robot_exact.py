"""A URDF robot's equations of motion in forty digits, independent of every other program here, and how far linkwork and
Pinocchio are from them: `python -m benchmarks.robot_exact FILE...`.

The file's numbers and the coordinates are taken as doubles, everything behind them is exact. Poses and velocities go
from link to link; M and h come from the Jacobian of every link (M = sum J^T I J), not from recursions over inertias.
Joints with <mimic> move by themselves.

For each robot, over random states: the largest error of bodies' accelerations, relative to the largest, and the
backward error |M a + h - tau| / (|M| |a| + |h - tau|) of the joint accelerations, of linkwork and of Pinocchio; and how
far exact accelerations move where the file's masses, inertias and places are changed by one unit in their last place.
"""

from __future__ import annotations

import argparse
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from mpmath import mp, mpf

from benchmarks.models import Array

DIGITS = 40
HEAD = "| robot | condition of M | ours | Pinocchio | apart | last place | backward | Pinocchio's |\n"
Vector = list[Any]
Matrix = list[Vector]


class Link(NamedTuple):
    """A link and the joint that carries it; frames as (R, p) in the parent's."""

    name: str
    parent: int  # -1: the root
    R: Matrix
    p: Vector
    axis: Vector
    coordinate: int  # -1: fixed
    slides: bool
    mass: Any
    centre: Vector
    inertia: Matrix  # about the centre of mass, in the link's frame
    damping: Any


class Exact:
    """The robot of a URDF file. nudge : a generator that changes every number of the file in its last place."""

    def __init__(self, file: Path, nudge: np.random.Generator | None = None) -> None:
        mp.dps = DIGITS
        self._nudge = nudge
        root = ET.parse(file).getroot()
        elements = {one.attrib["name"]: one for one in root.findall("link")}
        joints = root.findall("joint")
        children = {joint.find("child").attrib["link"] for joint in joints}  # type: ignore[union-attr]  # URDF asks for it in every joint
        self.links: list[Link] = []
        self.names: list[str] = []  # of joints with a coordinate
        waiting: list[tuple[str, int, Any]] = [(name, -1, None) for name in elements if name not in children]
        while waiting:
            name, parent, joint = waiting.pop(0)
            self._add(elements[name], parent, joint)
            here = len(self.links) - 1
            waiting += [
                (one.find("child").attrib["link"], here, one)  # type: ignore[union-attr]  # URDF asks for it in every joint
                for one in joints
                if one.find("parent").attrib["link"] == name  # type: ignore[union-attr]  # URDF asks for it in every joint
            ]

    def _numbers(self, node: Any, key: str, default: str) -> Vector:
        """Numbers as doubles, exactly."""
        found = [float(x) for x in (default if node is None else node.attrib.get(key, default)).split()]
        if self._nudge is not None:
            found = [float(np.nextafter(x, x + self._nudge.choice([-1.0, 1.0]))) if x else x for x in found]
        return [mpf(x) for x in found]

    def _frame(self, node: Any) -> tuple[Matrix, Vector]:
        roll, pitch, yaw = self._numbers(node, "rpy", "0 0 0")
        turns = [rotation([mpf(int(k == c)) for c in range(3)], a) for k, a in ((2, yaw), (1, pitch), (0, roll))]
        return times(times(turns[0], turns[1]), turns[2]), self._numbers(node, "xyz", "0 0 0")

    def _add(self, link: Any, parent: int, joint: Any) -> None:
        inertial = link.find("inertial")
        C, centre = self._frame(None if inertial is None else inertial.find("origin"))
        (mass,) = self._numbers(None if inertial is None else inertial.find("mass"), "value", "0")
        six = [self._numbers(None if inertial is None else inertial.find("inertia"), key, "0")[0]
               for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")]  # fmt: skip
        xx, xy, xz, yy, yz, zz = six
        inertia = times(times(C, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), transposed(C))
        R, p = self._frame(None if joint is None else joint.find("origin"))
        kind = "fixed" if joint is None else joint.attrib["type"]
        axis = self._numbers(None if joint is None else joint.find("axis"), "xyz", "1 0 0")
        size = mp.sqrt(dot(axis, axis)) or mpf(1)  # fixed joints may have none
        coordinate = -1
        if kind in ("revolute", "continuous", "prismatic"):
            coordinate = len(self.names)
            self.names.append(joint.attrib["name"])
        elif kind != "fixed":
            raise ValueError(f"a joint of type {kind}")
        (damping,) = self._numbers(None if joint is None else joint.find("dynamics"), "damping", "0")
        self.links.append(Link(link.attrib["name"], parent, R, p, [x / size for x in axis], coordinate,
                               kind == "prismatic", mass, centre, inertia, damping))  # fmt: skip

    def equations(self, q: Array, v: Array, gravity: float = -9.81) -> Equations:
        """At coordinates and rates in the order of `names`."""
        mp.dps = DIGITS
        n = len(self.names)
        M: Matrix = [[mpf(0)] * n for _ in range(n)]
        f: Vector = [mpf(0)] * n  # damping and weight less what velocities ask for
        states: list[LinkState] = []
        for link in self.links:
            at = self._moved(link, states[link.parent] if link.parent >= 0 else LinkState.ground(), q, v)
            states.append(at)
            s = apply(at.R, link.centre)
            inertia = times(times(at.R, link.inertia), transposed(at.R))
            a = plus(at.a, cross(at.alpha, s), cross(at.w, cross(at.w, s)))
            force = [link.mass * x for x in (a[0], a[1], a[2] - mpf(gravity))]
            moment = plus(apply(inertia, at.alpha), cross(at.w, apply(inertia, at.w)))
            columns = [(k, [mpf(0)] * 3, e) if slides else (k, e, cross(e, minus(plus(at.p, s), o)))
                       for k, e, o, slides in at.above]  # fmt: skip
            for k, w, u in columns:
                f[k] -= dot(w, moment) + dot(u, force)
                carried, pushed = apply(inertia, w), [link.mass * x for x in u]
                for m, w2, u2 in columns:
                    M[k][m] += dot(w2, carried) + dot(u2, pushed)
            if link.coordinate >= 0:
                f[link.coordinate] -= link.damping * mpf(float(v[link.coordinate]))
        return Equations(self.links, states, M, f)

    def _moved(self, link: Link, parent: LinkState, q: Array, v: Array) -> LinkState:
        """The link's state, accelerations being those without joint accelerations."""
        R, p = times(parent.R, link.R), plus(parent.p, apply(parent.R, link.p))
        d = minus(p, parent.p)
        w, alpha = parent.w, parent.alpha
        a = plus(parent.a, cross(alpha, d), cross(w, cross(w, d)))
        above = parent.above
        if link.coordinate >= 0:
            x, rate = mpf(float(q[link.coordinate])), mpf(float(v[link.coordinate]))
            e = apply(R, link.axis)
            moving = [rate * c for c in e]
            if link.slides:
                out = [x * c for c in e]
                p = plus(p, out)
                a = plus(a, cross(alpha, out), cross(w, cross(w, out)), [2 * c for c in cross(w, moving)])
            else:
                R = times(R, rotation(link.axis, x))
                alpha = plus(alpha, cross(w, moving))
                w = plus(w, moving)
            above = [*above, (link.coordinate, e, p, link.slides)]
        return LinkState(R, p, w, alpha, a, above)


class LinkState(NamedTuple):
    """A link's frame in space, its angular velocity, and accelerations at zero joint accelerations; global."""

    R: Matrix
    p: Vector
    w: Vector
    alpha: Vector
    a: Vector
    above: list[tuple[int, Vector, Vector, bool]]  # coordinates that move it: axis, a point of it, whether it slides

    @staticmethod
    def ground() -> LinkState:
        """At rest."""
        zero = [mpf(0)] * 3
        return LinkState([[mpf(int(i == j)) for j in range(3)] for i in range(3)], zero, zero, zero, zero, [])


class Equations(NamedTuple):
    """M a = f at one state."""

    links: list[Link]
    states: list[LinkState]
    M: Matrix
    f: Vector

    def solved(self) -> Vector:
        """Joint accelerations."""
        return list(mp.lu_solve(mp.matrix(self.M), mp.matrix(self.f)))

    def backward_error(self, a: Array) -> float:
        """Of joint accelerations found elsewhere, in the largest norm."""
        given = [mpf(float(x)) for x in a]
        left = [dot(row, given) - x for row, x in zip(self.M, self.f, strict=True)]
        size = max(sum(abs(x) for x in row) for row in self.M) * max(abs(x) for x in given) + max(
            abs(x) for x in self.f
        )
        return float(max(abs(x) for x in left) / size)

    def accelerations(self, a: Vector) -> dict[str, Vector]:
        """Link -> six numbers: of the centre of mass (global), and angular (in the link's frame)."""
        found = {}
        for link, at in zip(self.links, self.states, strict=True):
            s = apply(at.R, link.centre)
            alpha, linear = at.alpha, at.a
            for k, e, o, slides in at.above:
                push = [a[k] * c for c in e]
                if slides:
                    linear = plus(linear, push)
                else:
                    alpha, linear = plus(alpha, push), plus(linear, cross(push, minus(at.p, o)))
            linear = plus(linear, cross(alpha, s), cross(at.w, cross(at.w, s)))
            found[link.name] = [*linear, *apply(transposed(at.R), alpha)]
        return found


def dot(a: Vector, b: Vector) -> Any:
    """Scalar product."""
    return sum((x * y for x, y in zip(a, b, strict=True)), mpf(0))


def cross(a: Vector, b: Vector) -> Vector:
    """Vector product."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def plus(*vectors: Vector) -> Vector:
    """Sum."""
    return [sum(parts, mpf(0)) for parts in zip(*vectors, strict=True)]


def minus(a: Vector, b: Vector) -> Vector:
    """Difference."""
    return [x - y for x, y in zip(a, b, strict=True)]


def apply(A: Matrix, x: Vector) -> Vector:
    """A x."""
    return [dot(row, x) for row in A]


def times(A: Matrix, B: Matrix) -> Matrix:
    """A B."""
    return [[dot(row, column) for column in transposed(B)] for row in A]


def transposed(A: Matrix) -> Matrix:
    """A^T."""
    return [list(column) for column in zip(*A, strict=True)]


def rotation(e: Vector, angle: Any) -> Matrix:
    """Rodrigues' formula about a unit vector."""
    c, s = mp.cos(angle), mp.sin(angle)
    skew = [[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]]
    return [[(1 - c) * e[i] * e[j] + c * int(i == j) + s * skew[i][j] for j in range(3)] for i in range(3)]


class Errors(NamedTuple):
    """Largest at some states: of accelerations, and backward errors; of linkwork and of Pinocchio."""

    ours: float
    theirs: float
    apart: float
    nudged: float
    backward: float
    their_backward: float
    condition: float


def errors(file: Path, states: int, formulation: str = "articulated-body") -> Errors:
    """At the states of `robot_peers.Robot.apart`."""
    import pinocchio as pin

    from benchmarks.robot_peers import Robot, body_accelerations, one_tree
    from linkwork.analysis.joint_space.state import forward_kinematics

    robot, exact = Robot(file, formulation), Exact(file)
    moved, rng = Exact(file, np.random.default_rng(7)), np.random.default_rng(0)
    order = [list(robot.model.names).index(name) - 1 for name in exact.names]  # of Pinocchio's joints
    scale = np.where(np.array(robot.tree.units) == "rad", np.pi, 0.3)
    found = []
    for _ in range(states):
        q, (v, _) = scale * rng.uniform(-1, 1, robot.dofs), rng.uniform(-1, 1, (2, robot.dofs))
        x, rate = q[robot.place][order], v[robot.place][order]
        equations = exact.equations(x, rate)
        a = equations.solved()
        reference = as_bodies(equations.accelerations(a), robot)
        with one_tree((robot.compiled, robot.tree)):
            ours = robot.evaluated(forward_kinematics(robot.mechanism, q, v).within(robot.compiled))
        qp, vp, drag = robot.theirs(q), v[robot.place], (robot.damping * v)[robot.place]
        ap = pin.aba(robot.model, robot.data, qp, vp, -drag)
        pin.forwardKinematics(robot.model, robot.data, qp, vp, ap)
        pin.updateFramePlacements(robot.model, robot.data)
        theirs = body_accelerations(robot.model, robot.data, robot.mechanism.bodies, robot.frames)
        other = moved.equations(x, rate)
        nudged = as_bodies(other.accelerations(other.solved()), robot)
        size = np.max(np.abs(reference))
        apart = [float(np.max(np.abs(one - two)) / size) for one, two in
                 ((ours, reference), (theirs, reference), (ours, theirs), (nudged, reference))]  # fmt: skip
        backward = [
            equations.backward_error(one) for one in (joint_accelerations(equations, ours, robot, rate), ap[order])
        ]
        M = np.array([[float(x) for x in row] for row in equations.M])
        found.append([*apart, *backward, float(np.linalg.cond(M))])
    return Errors(*np.max(found, axis=0))


def as_bodies(found: dict[str, Vector], robot: Any) -> Array:
    """(nb, 6) in the order of the mechanism's bodies; 'ground' and names of joints are called otherwise there."""
    rows = [found[body.name] if body.name in found else found[body.name.removesuffix(" link")]
            for body in robot.mechanism.bodies]  # fmt: skip
    return np.array([[float(x) for x in row] for row in rows])


def joint_accelerations(equations: Equations, bodies: Array, robot: Any, rates: Array) -> Array:
    """Second rates of the coordinates from the accelerations of bodies, exactly: what of them lies along the axes."""
    names = {body.name: k for k, body in enumerate(robot.mechanism.bodies)}
    at = {}
    for link, state in zip(equations.links, equations.states, strict=True):
        row = [mpf(float(x)) for x in bodies[names.get(link.name, names.get(f"{link.name} link", 0))]]
        alpha, s = apply(state.R, row[3:]), apply(state.R, link.centre)
        linear = minus(row[:3], plus(cross(alpha, s), cross(state.w, cross(state.w, s))))
        at[link.name] = alpha, linear
    found = [0.0] * len(rates)
    for link, state in zip(equations.links, equations.states, strict=True):
        if link.coordinate < 0:
            continue
        before, (alpha, linear) = equations.states[link.parent], at[link.name]
        over = equations.links[link.parent].name
        _, e, _, _ = state.above[-1]
        moving = [mpf(float(rates[link.coordinate])) * c for c in e]
        if link.slides:
            d = minus(state.p, before.p)
            carried = plus(at[over][1], cross(at[over][0], d), cross(before.w, cross(before.w, d)),
                           [2 * c for c in cross(before.w, moving)])  # fmt: skip
            found[link.coordinate] = float(dot(e, minus(linear, carried)))
        else:
            found[link.coordinate] = float(dot(e, minus(alpha, plus(at[over][0], cross(before.w, moving)))))
    return np.array(found)


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser()
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--formulation", default="articulated-body")
    given = parser.parse_args()
    sys.stdout.write(HEAD)
    for file in given.files:
        one = errors(file, given.states, given.formulation)
        numbers = (one.condition, one.ours, one.theirs, one.apart, one.nudged, one.backward, one.their_backward)
        sys.stdout.write(f"| {file.stem} | {' | '.join(f'{x:.0e}' for x in numbers)} |\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
