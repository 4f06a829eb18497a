"""How a point of a body moves with the rates of the joints."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.analysis.joint_space.state import measured
from linkwork.analysis.joint_space.tree import at_state, frames_and_twists, tree_of
from linkwork.analysis.state import State
from linkwork.arguments import three_numbers
from linkwork.mechanism import Mechanism
from linkwork.system.topology.topology import number_of

Array = NDArray[np.float64]


def jacobian(
    mech: Mechanism, body: str, point: Any = (0.0, 0.0, 0.0), state: State | None = None, *, root: str | None = None
) -> Array:
    """(6, dofs) from rates of the joint coordinates to the velocity of a point and the angular velocity of its body.

    Rows: velocity of the point [m/s] in global components, then angular velocity [rad/s] in body components, the body
    velocity u that constraint rows multiply. Columns: as `joint_coordinates` names them.

    body : by name. point : m, on the body, in its described frame, as points of joints and forces are; without
    `centre_of_mass` that is from the centre of mass. state : the start state if left out. root : body that the spanning
    tree starts with. Motions that drivers prescribe are no columns.
    Raises UsageError for a body that does not exist and a point that is none.
    """
    compiled, tree = tree_of(mech, root)
    b = number_of(tuple(compiled.body_names), body)
    at, time = at_state(compiled, state)
    placed = frames_and_twists(at, tree, measured(at, tree), time)
    A = np.reshape(at.A[b], (3, 3))
    target = at.r[b] + A @ (three_numbers("point", point, "m") - np.array(compiled.lowered.bodies[b].centre))
    out = np.zeros((6, tree.dofs))
    k = int(tree.links.link_of_body[b])
    while k >= 0:
        R, p = placed.frames[k]
        E = placed.columns[k]
        turn = R @ E[:3]
        out[:3, placed.slots(k)] = R @ E[3:] + np.cross(turn, (target - p)[:, None], axisa=0, axisb=0, axisc=0)
        out[3:, placed.slots(k)] = A.T @ turn
        k = placed.parent(k)
    return out * tree.sense
