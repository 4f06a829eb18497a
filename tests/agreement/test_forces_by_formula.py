"""All formulations give the same accelerations and reactions where forces are formulas of the state."""

from __future__ import annotations

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.formulations import FORMULATIONS

AGREED = 1e-9


def with_formulas(seed: int) -> lw.Mechanism:
    """A random mechanism on whose bodies and joints formulas of the state act."""
    mech = random_mechanism(seed)
    random = np.random.default_rng(seed)
    names = [body.name for body in mech.bodies]
    first, last = names[0], names[-1]
    speed = f"speed('{first}', [0.1, 0, 0.2])"
    mech.force(
        "drag", "force", body=first, point=[0.1, 0, 0.2],
        components=[f"-0.3*{speed}*velocity('{first}', '{axis}', [0.1, 0, 0.2])" for axis in "xyz"],
    )  # fmt: skip
    mech.force(
        "wind", "force", body=last, axes="body",
        components=[
            f"sin(position('{first}', 'x'))", f"direction('{last}', 'z', 'y')", f"-velocity('{last}', 'z', 'body')"
        ],
    )  # fmt: skip
    mech.force(
        "gyro", "torque", body=last,
        components=[f"0.1*angular_velocity('{first}', 'y')", "0", f"abs(angular_velocity('{last}', 'x', 'body'))"],
    )  # fmt: skip
    ends = {"point": random.normal(size=3).tolist(), "point2": random.normal(size=3).tolist()}
    mech.force(
        "rope", "spring", first="ground", second=last, **ends, actuator="max(0, 30*stretch + 200*stretch**3) + 0.5*rate"
    )
    for joint in mech.joints:
        if joint.type == "revolute":
            law = f"-2*sin(angle('{joint.name}') - 0.2)"
            mech.force(f"servo {joint.name}", "torsion", joint=joint.name, actuator=law, damping="0.1*abs(rate)")
    return mech


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_formulations_agree(formulation: str) -> None:
    for seed in (1, 2, 3, 5, 8):
        mech = with_formulas(seed)
        wanted = lw.accelerations(mech, formulation="augmented")
        found = lw.accelerations(mech, formulation=formulation)
        for name in ("rddot", "omegadot", "constraint_forces"):
            want = np.asarray(getattr(wanted, name))
            scale = max(1.0, float(np.linalg.norm(want)))
            agreed = 1e-8 if formulation == "penalty" else AGREED
            assert_allclose(getattr(found, name), want, atol=agreed * scale, err_msg=f"{formulation} {seed} {name}")
