"""The implicit, position-level (index-3) problem: what a formulation hands to an implicit integrator.

The integrator owns the unknowns z (accelerations and multipliers), the starred parts of the step and Newton's
method; the formulation owns the residual and the iteration matrix. They share the arrays below and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from linkwork.kernels.records import Columns, Shape
from linkwork.kernels.tables import Bodies, Floats, Ints
from linkwork.problems.request import ImplicitRequest
from linkwork.system import CompiledMechanism

# columns of Work.motion
R, A, V, W, ACC, ALPHA, Q, REF = 0, 3, 12, 15, 18, 21, 24, 28
MOTION = 37
# columns of Work.base
R_0, A_0, Q_0 = 0, 3, 12
BASE = 16
# columns of Work.row
DRIVE, PHI, NU, GAMMA = 0, 3, 4, 5
# columns of Work.tangent: theta = B dq, and the derivatives of alpha, omega, theta by the unknown qdd
B, T_A, T_W, T_TH = 0, 12, 24, 36


class Work(NamedTuple):
    """What residual kernels read and write. Body index nb is ground.

    The first npos unknowns x are the second derivatives of the coordinates: per body those of its translation (3) and
    of its rotation. An integrator says how the coordinates' increment over the step and their rates depend on them,

        increment = step_star + c_q x,        rate = rate_star + c_v x        (implicit Euler: c_v = h, c_q = h^2),

    in flat arrays, whatever the coordinates are. The formulation says what an increment from `base` makes of a pose.
    """

    motion: Annotated[Floats, Shape("nb + 1", 37), "r, A, v, omega, a, alpha, q, reference rotation"]
    base: Annotated[Floats, Shape("nb + 1", 16), "r, A, q where the step starts"]
    rate: Annotated[Floats, Shape("npos"), "m/s or rad/s", "the coordinates' rates, which go with `motion`"]
    step_star: Annotated[
        Floats, Shape("npos"), "m or rad", "the increment's part that is known before the unknowns are"
    ]
    rate_star: Annotated[Floats, Shape("npos"), "m/s or rad/s", "the rates' part that is known before the unknowns are"]
    carried: Annotated[
        Floats,
        Shape("npos"),
        "m/s^2 or rad/s^2",
        "second derivatives at time + request.lag that some methods carry along",
    ]
    row: Annotated[Floats, Shape("nc", 6), "f, f', f'', phi, nu, gamma"]
    G: Annotated[Floats, Shape("nc", 12), "Jacobian parts of body i and body j"]
    e: Annotated[Floats, Shape("nb + 1", 6), "Newton-Euler residual: force global, torque in the body"]
    z: Annotated[
        Floats,
        Shape("N"),
        "the unknowns: per body rddot, qddot; then lambda; then the normalisation multipliers",
    ]
    z_old: Annotated[Floats, Shape("N"), "those of the step before, at time + request.behind"]
    residual: Annotated[Floats, Shape("N"), "of the equations of motion [N, N m], then of the rows over c_q"]
    request: ImplicitRequest
    load_values: Annotated[Floats, Shape("n", 3), "N or N m", "components of each load, now"]
    element_values: Annotated[Floats, Shape("n"), "N, N m", "actuator of each force element, now"]
    counted_angles: Annotated[Floats, Shape("nt + nq"), "rad", "with turns at the last step; places for quantities"]
    operands: Annotated[Floats, Shape("2 * nq + ni"), "of each", "values and rates of quantities; inputs"]
    stack: Annotated[Floats, Shape("depth", 3), "for evaluating formulas"]


class Matrix(NamedTuple):
    """What matrix kernels read and write. Positions point into `values`, whose last entry is a waste bin."""

    values: Annotated[Floats, Shape("nnz + 1"), "the entries, columns one after the other; the last is a waste bin"]
    flags: Annotated[Ints, Shape(3), "reaction variation, rotation coordinates per body, place of the first multiplier"]
    pair: Annotated[Ints, Shape("npair", 2), "coupled bodies; the first nb pairs are (b, b)"]
    pair_pos: Annotated[Ints, Shape("npair", 7, 7), "place of each entry of a pair's block"]
    G_pos: Annotated[Ints, Shape("nc", 2, 7), "entry (row, coordinate of body i | j)"]
    GT_pos: Annotated[Ints, Shape("nc", 2, 7), "entry (coordinate, row)"]
    norm_pos: Annotated[Ints, Shape("nb", 2, 4), "the row and the column of the normalisation"]
    drop_pos: Annotated[Ints, Shape("nc"), "the diagonal entry of a multiplier"]
    row_pair: Annotated[Ints, Shape("nc", 4), "pairs (i,i), (i,j), (j,i), (j,j); -1 where a side is ground"]
    element_pair: Annotated[Ints, Shape("n", 4), "pairs of each force element, as row_pair"]
    effort_pair: Annotated[Ints, Shape("ne", 4), "pairs of each effort, as row_pair"]
    use_pair: Annotated[Ints, Shape("uses", 4), "(i, k), (i, l), (j, k), (j, l): an effort on i, j that reads k, l"]
    blocks: Annotated[Floats, Shape("npair", 72), "derivatives by (r, theta) and by (v, omega), 6 x 6 each"]
    tangent: Annotated[Floats, Shape("nb + 1", "maps"), "what pulls blocks back to a body's unknowns, 48 or 63 numbers"]
    scratch: Annotated[Floats, Shape(24, 12), "two 12 x 12 blocks of one element"]
    rate: Annotated[Floats, Shape(12), "work space: derivatives by velocities of one element"]


class Linear(NamedTuple):
    """What linear entries read and write besides the matrix."""

    delta: Annotated[Floats, Shape("N"), "the solution"]
    rhs: Annotated[Floats, Shape("N"), "the right side that is solved for"]
    options: Annotated[Ints, Shape(1, 2), "all of these:"]
    droppable: Annotated[Ints, Columns("options"), "1: dependent rows are allowed for"]
    first_row: Annotated[Ints, Columns("options"), "where the rows stand in the residual"]


@dataclass(frozen=True)
class ImplicitProblem:
    """An index-3 problem, ready to be integrated. The entries are compiled functions of `context`.

    begin           formulas at request.time; the present pose becomes the base. Returns how many bodies changed
                    coordinates: their part of `rate`, z, z_old and `carried` is then written in the new ones;
                    rate_star are rates with which the next step ends where it would have in the old ones
    set_state       poses, velocities and accelerations from the unknowns z, and the coordinates' rates
    evaluate        set_state, and fill the residual, on top of the forces in e where request.has_forces
    assemble        fill the iteration matrix at the state last evaluated, on top of its blocks
    apply           minus the applied forces other than weight into e (does nothing where there are none)
    vary_forces     their derivatives into the matrix's blocks (likewise)
    vary_reactions  those of the reactions (does nothing where not wanted)
    factorise       the assembled matrix; returns a Status
    solve           linear.delta from the residual
    detect_redundant_rows   which rows depend on others at the pose last evaluated (does nothing if not droppable)
    minimum_norm_multipliers   multipliers of least norm (likewise)
    constrain       phi, G u - nu or G udot - gamma into the residual from request.first_row on, by request.level
    increment_rate  the rates in work.rate become those of the increments: on a group, where these are not the same
    """

    mechanism: CompiledMechanism
    layout: Any  # names the slices of z
    work: Work
    context: Any  # addresses of all arrays, which the entries take (problems/context.py)
    formulation_arrays: tuple[Any, ...]  # arrays that only the entries know
    structure: Any  # .matrix, .pattern, .factors
    linear: Any  # problems.linear.Linear
    dependence: Any
    droppable: bool
    frozen: bool
    begin: Any
    set_state: Any
    evaluate: Any
    assemble: Any
    apply: Any
    vary_forces: Any
    vary_reactions: Any
    factorise: Any
    solve: Any
    detect_redundant_rows: Any
    minimum_norm_multipliers: Any
    forced: bool
    constrain: Any
    increment_rate: Any
    inside: Any = None  # of a problem with couplings: the problem without them, and what is beside it
    one_matrix: Callable[[], ImplicitProblem] | None = None  # of such a problem: the same in one sparse matrix
    # what was worked out of masses, inertias and lengths, from those of a mechanism and these bodies
    renew: Callable[[CompiledMechanism, Bodies], None] | None = None
    # another start state, and what else there is of a mechanism's numbers besides its tables, from one with the same
    # elements and other numbers; False where it would be built with other arrays
    set_start: Callable[[CompiledMechanism], bool] | None = None


@dataclass(frozen=True)
class KinematicProblem:
    """The constraint equations alone, at position, velocity and acceleration level.

    begin and set_state as in ImplicitProblem; its base is a copy of r, A and q in `motion` (`stars.settle`);
    assemble        fill phi_q at the present pose
    constrain       phi, G u - nu or G udot - gamma into the residual, by request.level
    factorise, solve, detect_redundant_rows as in ImplicitProblem
    """

    mechanism: CompiledMechanism
    layout: Any
    work: Work
    context: Any  # addresses of all arrays, which the entries take (problems/context.py)
    structure: Any
    linear: Any
    dependence: Any
    bordered: bool
    begin: Any
    set_state: Any
    assemble: Any
    constrain: Any
    factorise: Any
    solve: Any
    detect_redundant_rows: Any
    inside: Any = None  # as in ImplicitProblem
