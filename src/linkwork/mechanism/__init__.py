"""The description of a mechanism: bodies, joints, constraints, drivers, forces, and what they come down to.

from linkwork.mechanism import Mechanism

mech = Mechanism("pendulum")
mech.body("bar", shape={"type": "box", "size": [4, 0.05, 0.05], "density": 7800}, position=[2, 0, 0])
mech.joint("pivot", "revolute", "ground", "bar", point=[0, 0, 0], axis=[0, 1, 0])
"""

from __future__ import annotations

from linkwork.mechanism.mechanism import Mechanism, need_mechanism
from linkwork.mechanism.mismatch import DriverMismatch

__all__ = ["DriverMismatch", "Mechanism", "need_mechanism"]
