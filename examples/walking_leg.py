"""Jansen's walking leg, turned by a motor that holds its speed while the foot is loaded on the ground.

python examples/walking_leg.py [--t-end T]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import math

import numpy as np

import linkwork as lw

# the published lengths of the linkage, in hundredths of a metre: a, l from crank to fixed pivot, m crank, others rods
A, L, M = 0.38, 0.078, 0.15
B, C, D, E, F, G, H, I, J, K = 0.415, 0.393, 0.401, 0.558, 0.394, 0.367, 0.657, 0.49, 0.5, 0.619
PER_METRE = 1.2  # kg/m of a rod
SPEED = 6.0  # rad/s, that the motor is to hold
GROUND = -0.905  # m, below the crank


def meeting(p: np.ndarray, r: float, q: np.ndarray, s: float) -> np.ndarray:
    """Where circles about p and q meet, on the left of the way from p to q."""
    way = q - p
    d = np.linalg.norm(way)
    along = (r * r - s * s + d * d) / (2.0 * d)
    return p + (along * way + math.sqrt(r * r - along * along) * np.array([-way[1], way[0]])) / d


def points(angle: float) -> dict[str, np.ndarray]:
    """Where the joints are, (x, z), for a turn of the crank from x towards z."""
    at = {"crank": np.zeros(2), "fixed": np.array([-A, -L])}
    at["pin"] = M * np.array([math.cos(angle), math.sin(angle)])
    at["upper"] = meeting(at["fixed"], B, at["pin"], J)
    at["back"] = meeting(at["fixed"], D, at["upper"], E)
    at["lower"] = meeting(at["pin"], K, at["fixed"], C)
    at["knee"] = meeting(at["lower"], G, at["back"], F)
    at["foot"] = meeting(at["lower"], I, at["knee"], H)
    return at


def build(angle: float = 0.0) -> lw.Mechanism:
    """The leg as rods and two triangles in the x-z plane, hinges along y."""
    mech, at = lw.Mechanism("walking leg"), points(angle)
    mech.parameter("speed_wanted", SPEED, unit="rad/s")

    def body(name: str, *corners: str) -> None:
        ends = [at[one] for one in corners]
        length = sum(float(np.linalg.norm(p - q)) for p, q in zip(ends, [*ends[1:], ends[0]], strict=True))
        mass = PER_METRE * (length if len(ends) > 2 else length / 2)
        centre = np.mean(ends, axis=0)
        spread = mass * float(np.mean([np.sum((p - centre) ** 2) for p in ends])) / 3
        inertia = [spread / 2 + 1e-5, spread + 1e-5, spread / 2 + 1e-5]
        mech.body(name, mass=mass, inertia=inertia, position=[centre[0], 0, centre[1]])

    def hinge(name: str, first: str, second: str, where: str, kind: str = "revolute") -> None:
        mech.joint(name, kind, first, second, point=[at[where][0], 0, at[where][1]], axis=[0, -1, 0])

    for name, corners in {
        "crank": ("crank", "pin"), "upper rod": ("pin", "upper"), "lower rod": ("pin", "lower"),
        "triangle": ("fixed", "upper", "back"), "rocker": ("fixed", "lower"), "link": ("back", "knee"),
        "shin": ("lower", "knee", "foot"),
    }.items():  # fmt: skip
        body(name, *corners)
    hinge("shaft", "ground", "crank", "crank")
    hinge("upper pin", "crank", "upper rod", "pin")
    hinge("lower pin", "crank", "lower rod", "pin")
    hinge("upper pivot", "ground", "triangle", "fixed")
    hinge("lower pivot", "ground", "rocker", "fixed")
    hinge("shoulder", "triangle", "link", "back")
    hinge("ankle", "rocker", "shin", "lower")
    # what closes a loop need only keep two points on one line across the plane: nothing is said twice then
    hinge("upper end", "upper rod", "triangle", "upper", "point-in-line")
    hinge("lower end", "lower rod", "shin", "lower", "point-in-line")
    hinge("knee", "link", "shin", "knee", "point-in-line")
    shin = np.mean([at["lower"], at["knee"], at["foot"]], axis=0)
    foot = [float(at["foot"][0] - shin[0]), 0.0, float(at["foot"][1] - shin[1])]
    depth, rising = f"({GROUND} - position('shin', 'z', {foot}))", f"velocity('shin', 'z', {foot})"
    ground = f"smoothstep(t, 0, 0.2)*max(0, 4000*{depth} - 80*{rising}*smoothstep({depth}, 0, 0.002))"
    friction = f"-0.5*({ground})*tanh(velocity('shin', 'x', {foot})/0.05)"
    mech.force("contact", "force", body="shin", point=foot, components=[friction, 0, ground])
    mech.force("motor", "motor", joint="shaft", velocity="speed_wanted*smoothstep(t, 0, 0.3)", damping=40, limit=60)
    return mech


def main(arguments: list[str] | None = None) -> None:
    """The foot's path, the speed that the motor holds and the torque that it takes."""
    parser = argparse.ArgumentParser(description="A leg of Jansen's walking linkage.")
    parser.add_argument("--t-end", type=float, default=2.5)
    t_end = parser.parse_args(arguments).t_end
    mech = build()
    print(f"degrees of freedom: {mech.check().freedom.positions}")
    run = lw.simulate(mech, t_end, 5e-4)
    steady = run.time > 0.5
    rate = run.joint("shaft")["angle_rate"][steady]
    motor = run.force("motor")
    print(f"speed: {rate.min():.2f} to {rate.max():.2f} rad/s, {SPEED:g} wanted")
    print(f"torque: {motor['effort'][steady].min():.1f} to {motor['effort'][steady].max():.1f} N m")
    path = run.point("shin", mech.element("contact").point)["position"][steady]
    print(f"foot: a stride of {np.ptp(path[:, 0]):.3f} m, lifted by {np.ptp(path[:, 2]):.3f} m")


if __name__ == "__main__":
    main()
