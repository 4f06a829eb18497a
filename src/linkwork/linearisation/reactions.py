"""What joints transmit at one state, from multipliers: by the same code as a result's reactions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.derived import MechanismDeriver
from linkwork.result import Reaction
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]


def reactions_of(at: CompiledMechanism, t: float, multipliers: Array) -> dict[str, Reaction]:
    """By name of joint, driver or raw constraint: force (3,) N and torque (3,) N m, as in `Result.reaction`."""
    nb = at.nb
    derived = MechanismDeriver(at).derive(
        ("reaction_force", "reaction_torque"),
        np.array([t]),
        at.r[None, :nb],
        at.A[None, :nb].reshape(1, nb, 3, 3),
        at.v[None, :nb],
        at.w[None, :nb],
        None,
        None,
        multipliers[None],
    )
    force, torque = derived["reaction_force"][0], derived["reaction_torque"][0]
    return {name: Reaction(force[k], torque[k]) for k, name in enumerate(at.joint_names)}
