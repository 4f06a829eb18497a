"""What a spring and damper of a ball exerts, and the rotation vector by which it is turned."""

from __future__ import annotations

import numpy as np

from linkwork.header import Array, Variable
from linkwork.kernels.so3 import log_so3
from linkwork.mechanism.lowered import Quantity
from linkwork.quantities.model import motion, turned
from linkwork.result import Result
from linkwork.system.derived_force_kernels import Applied

ALONG, OF = ("time",), ("time", "xyz")


def told(result: Result, along: Quantity, applied: Applied) -> dict[str, tuple[Variable, Array]]:
    """Curves `torque`, `rotation_vector` and `angle`; along : the quantity ROTATION of the spring."""
    first, second = motion(result, along.body_i), motion(result, along.body_j)
    D = np.array([along.a_i, along.b_i, along.n])  # transposed
    E = D @ np.swapaxes(first.A, 1, 2) @ second.A
    phi = np.array([log_so3(tuple(one.ravel())) for one in E]).reshape(-1, 3)
    one, other = (along.body_j, 1.0) if along.body_j >= 0 else (along.body_i, -1.0)
    torque = other * turned(motion(result, one).A, applied.n[:, one])
    return {
        "torque": (Variable(OF, "N m", "on the second body, global components"), torque),
        "rotation_vector": (Variable(OF, "rad", "from where the spring is free, components of the second body"), phi),
        "angle": (Variable(ALONG, "rad", "length of the rotation vector"), np.linalg.norm(phi, axis=1)),
    }
