"""Mechanisms with rigid couplings and rotors, for tests of several files."""

from __future__ import annotations

from typing import Any

import numpy as np

import linkwork as lw


def wheels(*inertias: float, gravity: bool = False) -> lw.Mechanism:
    """Wheels a, b, ... on parallel axles ja, jb, ... in ground, with these moments about them."""
    mech = lw.Mechanism("wheels", gravity=[0, 0, 0] if not gravity else [0, 0, -9.81])
    for k, moment in enumerate(inertias):
        name = "abcdef"[k]
        mech.body(name, mass=1.0, inertia=[moment, moment, moment], position=[0.4 * k, 0, 0])
        mech.joint(f"j{name}", "revolute", "ground", name, point=[0.4 * k, 0, 0], axis=[0, 0, 1])
    return mech


def spatial() -> lw.Mechanism:
    """A tree of four bodies, two of whose couplings touch three and four of them, with a rotor."""
    mech, random = lw.Mechanism("spatial"), np.random.default_rng(1)
    for k, name in enumerate("abcd"):
        w = random.uniform(-1, 1, 3).tolist() if name == "a" else None
        fields: dict[str, Any] = {} if w is None else {"angular_velocity": w}
        place = random.uniform(-0.5, 0.5, 3).tolist()
        mech.body(name, mass=1 + 0.3 * k, inertia=[0.1, 0.12, 0.17], position=place, **fields)
    mech.joint("ja", "spherical", "ground", "a", point=[0, 0, 0])
    mech.joint("jb", "revolute", "a", "b", point=[1, 0, 0], axis=[0, 0, 1])
    mech.joint("jc", "translational", "a", "c", point=[0, 1, 0], axis=[1, 0, 1])
    mech.joint("jd", "revolute", "c", "d", point=[0, 1, 1], axis=[1, 0.2, 0])
    mech.coupling("gear", "gear", joint="jd", joint2="jb", ratio=-2)
    mech.coupling("follow", "mimic", joint="jc", joint2="jb", polynomial=[0, 0.3, 0.2, -0.1])
    mech.coupling("rotor", "rotor", joint="jb", inertia=0.1, ratio=3)
    return mech


def moving(mech: lw.Mechanism) -> lw.Mechanism:
    mech.change("b", angular_velocity=[0.3, -0.2, 1.5])
    return mech


def with_rotors() -> lw.Mechanism:
    """An arm with a rotor on every joint, one of which is taken from its second body to its first."""
    mech, random = lw.Mechanism("arm"), np.random.default_rng(3)
    for k, name in enumerate("abcd"):
        mech.body(name, mass=1 + 0.3 * k, inertia=[0.1, 0.12, 0.17], position=random.uniform(-0.5, 0.5, 3).tolist())
    mech.joint("ja", "revolute", "ground", "a", point=[0, 0, 0], axis=[0, 0.3, 1])
    mech.joint("jb", "revolute", "a", "b", point=[1, 0, 0], axis=[0, 1, 0.4])
    mech.joint("jc", "translational", "c", "b", point=[0, 1, 0], axis=[1, 0, 1])
    mech.joint("jd", "revolute", "d", "c", point=[0, 1, 1], axis=[1, 0.2, 0])
    for name, inertia in (("ja", 0.2), ("jb", 0.05), ("jc", 0.7), ("jd", 0.1)):
        mech.coupling(f"rotor {name}", "rotor", joint=name, inertia=inertia, ratio=1.5)
    return mech


def pendulum(**rotor: Any) -> lw.Mechanism:
    """A ball pendulum on a turning arm, with a rotor."""
    mech = lw.Mechanism("pendulum")
    mech.body("arm", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[0, 0, 0], angular_velocity=[0, 0, 2.0])
    mech.body("bob", mass=0.5, inertia=[0.01, 0.02, 0.03], position=[1, 0, 0], velocity=[0, 2, 0.5])
    mech.joint("axle", "revolute", "ground", "arm", point=[0, 0, 0], axis=[0, 0, 1])
    mech.joint("ball", "spherical", "arm", "bob", point=[0.5, 0, 0])
    mech.coupling("rotor", "rotor", **{"joint": "ball", "inertia": 0.05, "ratio": 1.5} | rotor)
    return mech


def geared_arm() -> lw.Mechanism:
    """Three bodies: an arm whose slider follows its angle, geared to a wheel with a rotor."""
    mech = lw.Mechanism("geared arm")
    turns: dict[str, Any] = {"angular_velocity": [0.13, 0.26, 1.3]}
    mech.body("arm", mass=1.2, inertia=[0.1, 0.15, 0.12], position=[0.3, 0, -0.1], **turns)
    mech.body("slider", mass=0.7, inertia=[0.05, 0.04, 0.06], position=[0.8, 0.1, 0.1])
    mech.body("wheel", mass=0.9, inertia=[0.03, 0.05, 0.08], position=[-0.5, 0.4, 0])
    mech.joint("axle", "revolute", "ground", "arm", point=[0, 0, 0], axis=[0.1, 0.2, 1])
    mech.joint("guide", "translational", "arm", "slider", point=[0.5, 0, 0], axis=[1, 0.2, 0])
    mech.joint("hub", "revolute", "ground", "wheel", point=[-0.5, 0.4, 0.1], axis=[0.3, 0, 1])
    mech.coupling("mesh", "gear", joint="hub", joint2="axle", ratio=-1.7)
    mech.coupling("follow", "mimic", joint="guide", joint2="axle", polynomial=[0, 0.3, 0.2, -0.1])
    mech.coupling("rotor", "rotor", joint="hub", inertia=0.02, ratio=2.5)
    return mech
