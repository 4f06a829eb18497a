"""Blocks that friction holds, steep in their rate."""

import linkwork as lw

X, V = "position('block', 'x')", "velocity('block', 'x')"
STUCK = f"-2*tanh({V}/1e-4) + 2.5*sin(3*t)"  # decays within 0.05 ms, and sticks from time to time


def block(force: str, **parameters: float) -> lw.Mechanism:
    """1 kg on a rail along x, at 1 m/s."""
    mech = lw.Mechanism("block", gravity=[0, 0, 0])
    for name, value in parameters.items():
        mech.parameter(name, value)
    mech.body("block", mass=1, inertia=[1e-3, 1e-3, 1e-3], velocity=[1, 0, 0])
    mech.joint("rail", "translational", "ground", "block", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("force", "force", body="block", components=[force, 0, 0])
    return mech


def crank_and_block(force: str, radius: float = 0.01) -> lw.Mechanism:
    """The block with a crank before it that goes round at 60 rad/s, its centre so many m from the axis."""
    mech = lw.Mechanism("crank and block", gravity=[0, 0, 0])
    begin = {"position": [radius, 1, 0], "velocity": [0, 60 * radius, 0], "angular_velocity": [0, 0, 60]}
    mech.body("crank", mass=1, inertia=[1e-3] * 3, **begin)
    mech.joint("pin", "revolute", "ground", "crank", point=[0, 1, 0], axis=[0, 0, 1])
    mech.body("block", mass=1, inertia=[1e-3] * 3, velocity=[1, 0, 0])
    mech.joint("rail", "translational", "ground", "block", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("force", "force", body="block", components=[force, 0, 0])
    return mech
