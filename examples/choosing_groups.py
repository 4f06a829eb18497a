"""Which Lie group for which body, and what holds a run on its constraints: measured on small mechanisms.

python examples/choosing_groups.py [--t-end T] [--step H]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.studies.violations import joint_violations

LEVEL, UPRIGHT = [1.0, 0.5, 0.1], [0.1, 0.05, 1.0]  # axes, not quite level and not quite upright
CENTRE = np.array([0.1, 0.02, 0.0])  # m, seen from the joint
TUMBLE = np.array([6.0, -9.0, 12.0])  # rad/s
JOINTS: dict[str, dict[str, Any]] = {
    "spherical": {"point": [0, 0, 0]},
    "revolute": {"point": [0, 0, 0], "axis": LEVEL},
    "cylindrical": {"point": [0, 0, 0], "axis": LEVEL},
    "translational": {"point": [0, 0, 0], "axis": LEVEL},
    "planar": {"point": [0, 0, 0], "axis": UPRIGHT},
    "universal": {"point": [0, 0, 0], "axis": [1, 0, 0], "axis2": [0, 1, 0]},
    "point-in-line": {"point": [0, 0, 0], "axis": LEVEL},
    "point-in-plane": {"point": [0, 0, 0], "axis": UPRIGHT},
    "distance": {"point": [0, 0, 0.3], "point2": [0, 0, 0], "length": 0.3},
}
HELD: dict[str, dict[str, Any]] = {
    "nothing": {},
    "baumgarte": {"stabilisation": "baumgarte"},
    "projection": {"stabilisation": "projection"},
    "projection, every 10th step": {"project_every": 10},
}


def on_ground(joint: str) -> lw.Mechanism:
    """A box of 2.7 kg on one joint to ground, moving as the joint lets it."""
    spin, slide = start(joint)
    mech = lw.Mechanism(joint)
    mech.body(
        "box",
        shape={"type": "box", "size": [0.2, 0.1, 0.05], "density": 2700},
        position=CENTRE.tolist(),
        velocity=(np.cross(spin, CENTRE) + slide).tolist(),
        angular_velocity=spin.tolist(),
    )
    mech.joint("joint", joint, "ground", "box", **JOINTS[joint])
    return mech


def start(joint: str) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity, and velocity along the joint's axis."""
    axis = np.array(JOINTS[joint].get("axis", LEVEL), dtype=float)
    axis /= np.linalg.norm(axis)
    spins = {"translational": 0.0, "revolute": 10.0, "cylindrical": 10.0, "planar": 10.0}
    spin = spins[joint] * axis if joint in spins else TUMBLE * ([1, 1, 0] if joint == "universal" else 1)
    return spin, 0.5 * axis * (joint in ("cylindrical", "translational", "point-in-line"))


def drift(result: lw.Result) -> float:
    """The largest change of the total energy, in parts of the kinetic energy at the start."""
    return float(np.abs(result.energy - result.energy[0]).max() / result["kinetic_energy"][0])


def main(arguments: list[str] | None = None) -> None:
    """Three tables."""
    parser = argparse.ArgumentParser(description="Choose Lie groups and stabilisation.")
    parser.add_argument("--t-end", type=float, default=5.0)
    parser.add_argument("--step", type=float, default=1e-3)
    given = parser.parse_args(arguments)
    span = given.t_end, given.step

    print("One box on one joint to ground, RK4: largest violation | energy drift; and what lie-mixed chooses")
    for joint in JOINTS:
        mech = on_ground(joint)
        se3, product, mixed = (lw.simulate(mech, *span, f"lie-{g}", "rk4") for g in ("se3", "product", "mixed"))
        numbers = [f"{r['position_violation'].max():8.1e} | {drift(r):7.1e}" for r in (se3, product)]
        print(f"  {joint:15s} lie-se3 {numbers[0]}   lie-product {numbers[1]}   {mixed.info['groups']['box']}")

    print("The spherical double pendulum: largest violation of each joint [m], energy drift, groups")
    mech = lw.load("muller2013_spherical_double_pendulum")
    for name, groups in (
        ("lie-se3", None),
        ("lie-product", None),
        ("lie-mixed", None),
        ("lie-mixed", {"body 2": "se3"}),
    ):
        result = lw.simulate(mech, *span, name, "rk4", groups=groups)
        joints = [f"{v.max():7.1e}" for v in joint_violations(mech, result).values()]
        print(f"  {name:12s} {joints[0]}  {joints[1]}   {drift(result):7.1e}   {result.info['groups']}")

    print("The three-bar linkage, lie-mixed, held by ...: largest violations [m], [m/s], energy drift")
    mech = lw.load("muller2013_three_bar")
    for words, options in HELD.items():
        result = lw.simulate(mech, *span, "lie-mixed", "rk4", **options)
        violations = [result[f"{what}_violation"].max() for what in ("position", "velocity")]
        print(f"  {words:28s} {violations[0]:7.1e}  {violations[1]:7.1e}   {drift(result):7.1e}")


if __name__ == "__main__":
    main()
