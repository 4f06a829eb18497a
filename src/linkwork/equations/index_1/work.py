"""The workspace of index-1 equations with each body on its group, at the mechanism's start."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.index_1.accept_step import largest_speed
from linkwork.kernels.records import new_record
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.explicit import A_0, R_0, TWIST_0, A, R, V, W, Work
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.system import CompiledMechanism
from linkwork.system.counted_angles import start_angles


def new_work(mechanism: CompiledMechanism, group: Ints, dtype: type = float) -> Work:
    """A workspace with its base at the mechanism's start pose and velocity; group (nb,) as in `Work`."""
    system = mechanism.system
    work = new_record(
        Work,
        dtype,
        {
            "group": np.append(np.asarray(group, dtype=np.int64), 0),
            "load_values": np.zeros((len(system.loads.body), 3), dtype),
            "element_values": np.zeros(len(system.elements.law), dtype),
            "counted_angles": start_angles(mechanism).astype(dtype),
            "operands": mechanism.operands().astype(dtype),
            "stack": np.zeros((max(1, int(system.programs.depth[0])), 3), dtype),
        },
        nb=mechanism.nb,
        nc=mechanism.nc,
    )
    work.size[:] = 1.0
    work.length[0] = mechanism.length
    work.request.level[0], work.request.first_stage[0] = ACCELERATION_LEVEL, 1
    initialise_state(work, mechanism.r, mechanism.A, mechanism.v, mechanism.w)
    return work


def place_work(work: Work, mechanism: CompiledMechanism) -> None:
    """Another start state of the same elements, in a workspace as `new_work` makes it; and lengths, angles, inputs."""
    work.length[0] = mechanism.length
    work.counted_angles[:], work.operands[:] = start_angles(mechanism), mechanism.operands()
    initialise_state(work, mechanism.r, mechanism.A, mechanism.v, mechanism.w)


def initialise_state(work: Work, r: Floats, A_: Floats, v: Floats, w: Floats) -> None:
    """Write poses and velocities (nb + 1 rows each; v global in m/s, w in the body in rad/s) as state and as base."""
    m = work.motion
    m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3] = r, A_, v, w
    work.base[:, R_0 : R_0 + 3], work.base[:, A_0 : A_0 + 9] = r, A_
    turned = np.einsum("bji,bj->bi", np.reshape(A_, (-1, 3, 3)), v)
    work.twist[:, 0:3] = w
    work.twist[:, 3:6] = np.where(work.group[:, None] == 1, turned, v)
    work.base[:, TWIST_0 : TWIST_0 + 6] = work.twist
    work.size[len(work.size) // 2 :] = largest_speed(work)


def weights(mechanism: CompiledMechanism) -> NDArray[np.float64]:
    """(12 nb,) weights of an increment's components: 1 for angles, 1 / length of the mechanism for translations."""
    one = np.r_[np.ones(3), np.full(3, 1.0 / mechanism.length)]
    return np.tile(one, 2 * mechanism.nb)
