"""What an integrator asks for: it writes these numbers, then calls a problem's entries, which read them.

Each is one number, `work.request.time[0]`; integrator and formulation share their arrays. `level` says how many time
derivatives of the constraints are met, and so what the unknowns are:

    level               explicit problems                         implicit problems             kinematics
    POSITION_LEVEL      correction of positions                   index 3                       phi = 0
    VELOCITY_LEVEL      correction of velocities                  (rows alone) G u = nu         G u = nu
    ACCELERATION_LEVEL  motion: M udot + J^T lambda = f           index 1, with c_v = c_q = 0   G udot = gamma
    RATES_ALONE         rates of poses: the first half of `rhs`,
                        straight after `set_state`
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from linkwork.kernels.records import Columns, Shape
from linkwork.kernels.tables import Floats, Ints

POSITION_LEVEL, VELOCITY_LEVEL, ACCELERATION_LEVEL, RATES_ALONE = 0, 1, 2, 3


class ExplicitRequest(NamedTuple):
    """Of an explicit problem: where and what the next evaluation is."""

    numbers: Annotated[Floats, Shape(1, 4), "all of these:"]
    time: Annotated[Floats, Columns("numbers"), "s", "of the state that is set"]
    damping: Annotated[Floats, Columns("numbers"), "1/s", "2 alpha of Baumgarte's stabilisation"]
    stiffness: Annotated[Floats, Columns("numbers"), "1/s^2", "beta^2 of Baumgarte's stabilisation"]
    least_independence: Annotated[
        Floats,
        Columns("numbers"),
        "",
        "share of a row that must be independent of others: below it, a state is singular; -1: as little as can be",
    ]
    modes: Annotated[Ints, Shape(1, 3), "all of these:"]
    level: Annotated[Ints, Columns("modes"), "", "POSITION_LEVEL, VELOCITY_LEVEL, ACCELERATION_LEVEL or RATES_ALONE"]
    first_stage: Annotated[Ints, Columns("modes"), "", "1: first stage of a step, or a sample; 0: a later stage"]
    state_is_set: Annotated[Ints, Columns("modes"), "", "1: `evaluate` finds the state set already"]


class ImplicitRequest(NamedTuple):
    """Of an implicit or kinematic problem: which equations at which time, and what the unknowns count in a step."""

    numbers: Annotated[Floats, Shape(1, 7), "all of these:"]
    c_v: Annotated[Floats, Columns("numbers"), "s", "what an unknown counts in the coordinates' rates"]
    c_q: Annotated[Floats, Columns("numbers"), "s^2", "what an unknown counts in the coordinates' increments"]
    time: Annotated[Floats, Columns("numbers"), "s", "at which equations are met"]
    lag: Annotated[Floats, Columns("numbers"), "s", "time of `carried` less `time`"]
    behind: Annotated[Floats, Columns("numbers"), "s", "time of `z_old` less `time`: minus the step"]
    c_step: Annotated[Floats, Columns("numbers"), "s^2", "what an unknown x, kept up, counts in a step's increment"]
    c_change: Annotated[Floats, Columns("numbers"), "s^2", "what x - x_old counts in a step's increment"]
    modes: Annotated[Ints, Shape(1, 4), "all of these:"]
    level: Annotated[Ints, Columns("modes"), "", "POSITION_LEVEL, VELOCITY_LEVEL or ACCELERATION_LEVEL"]
    first_row: Annotated[Ints, Columns("modes"), "", "where `constrain` begins in the residual"]
    has_forces: Annotated[Ints, Columns("modes"), "", "1: `e` holds minus the applied forces when `evaluate` begins"]
    keeps_reference: Annotated[Ints, Columns("modes"), "", "1: coordinates keep their reference rotation for good"]
