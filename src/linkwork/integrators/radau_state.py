"""What a run of a Radau method carries along, and the factors of its matrices."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.integrators.least_norm import KeptDependence, new_kept_dependence
from linkwork.kernels.records import Columns, EntryCall, Shape
from linkwork.kernels.sparse_lu import Factors, Pattern, factors
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import Dependent
from linkwork.problems.implicit import Matrix
from linkwork.problems.request import ImplicitRequest
from linkwork.status import Status

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
NEWTON_DIVERGED, STEP_TOO_SMALL = int(Status.NEWTON_DIVERGED), int(Status.STEP_TOO_SMALL)
ROTATION_TOO_LARGE = int(Status.ROTATION_TOO_LARGE)
MOST_PAIRS = 3  # of complex eigenvalues: seven stages


class Entries(NamedTuple):
    """The problem's entries that are called, in the words of problems.implicit.ImplicitProblem."""

    begin: EntryCall
    set_state: EntryCall
    increment_rate: EntryCall
    apply: EntryCall
    evaluate: EntryCall
    constrain: EntryCall
    assemble: EntryCall
    vary_forces: EntryCall
    vary_reactions: EntryCall
    detect_redundant_rows: EntryCall
    minimum_norm_multipliers: EntryCall


class Run(NamedTuple):
    """What one run carries from chunk to chunk, and the parts of the problem that an integrator works on."""

    settings: Annotated[Floats, Shape(1, 16), "all of these:"]
    now: Annotated[Floats, Columns("settings"), "s", "time reached"]
    step: Annotated[Floats, Columns("settings"), "s", "size of the present step, or of the last one"]
    next_step: Annotated[Floats, Columns("settings"), "s", "size of the next step"]
    t_end: Annotated[Floats, Columns("settings"), "s", "end"]
    max_step: Annotated[Floats, Columns("settings"), "s", "largest step"]
    start_time: Annotated[Floats, Columns("settings"), "s", "start"]
    fixed_step: Annotated[Floats, Columns("settings"), "s", "size of all steps; 0 where they find their own"]
    rtol: Annotated[Floats, Columns("settings"), "relative tolerance"]
    atol: Annotated[Floats, Columns("settings"), "absolute tolerance"]
    newton: Annotated[Floats, Columns("settings"), "error that Newton's method may leave, in tolerances"]
    length: Annotated[Floats, Columns("settings"), "m", "the mechanism's length"]
    contraction: Annotated[Floats, Columns("settings"), "of Newton's corrections in the last step"]
    left: Annotated[Floats, Columns("settings"), "contraction / (1 - contraction), for the next first correction"]
    old_error: Annotated[Floats, Columns("settings"), "error of the last accepted step, in tolerances"]
    old_step: Annotated[Floats, Columns("settings"), "s", "size of the step that the stages belong to; 0: none"]
    factored_step: Annotated[Floats, Columns("settings"), "s", "step size of the factors; 0: none"]
    options: Annotated[Ints, Shape(1, 10), "all of these, 1 for yes:"]
    stages: Annotated[Ints, Columns("options"), "number of stages"]
    cap: Annotated[Ints, Columns("options"), "most of Newton's iterations in a step"]
    forced: Annotated[Ints, Columns("options"), "there are forces besides weight"]
    varies: Annotated[Ints, Columns("options"), "matrices hold the variation of the reactions"]
    droppable: Annotated[Ints, Columns("options"), "redundant rows are allowed for"]
    frozen: Annotated[Ints, Columns("options"), "matrices are kept over steps"]
    first_multiplier: Annotated[Ints, Columns("options"), "place of the first multiplier"]
    rows: Annotated[Ints, Columns("options"), "constraint rows"]
    passes: Annotated[Ints, Columns("options"), "from increments to their rates and back, in each iteration"]
    stabilised: Annotated[Ints, Columns("options"), "equations of index 2: rows at velocity level, and those of poses"]
    counts: Annotated[Ints, Shape(1, 13), "all of these:"]
    steps: Annotated[Ints, Columns("counts"), "steps taken"]
    iterations: Annotated[Ints, Columns("counts"), "of Newton's method, those of rejected steps too"]
    evaluations: Annotated[Ints, Columns("counts"), "of the residual"]
    factorizations: Annotated[Ints, Columns("counts"), "of all systems of a step together"]
    rejected: Annotated[Ints, Columns("counts"), "steps rejected, or not solved"]
    rebased: Annotated[Ints, Columns("counts"), "bodies given new coordinates"]
    last_iterations: Annotated[Ints, Columns("counts"), "of Newton's method in the last step"]
    pending: Annotated[Ints, Columns("counts"), "1: a step waits for samples within it to be taken"]
    formed: Annotated[Ints, Columns("counts"), "step at which the matrices were formed; -1: not yet"]
    worst_row: Annotated[Ints, Columns("counts"), "row with the largest residual when a step failed"]
    rank_changes: Annotated[Ints, Columns("counts"), "how often redundant rows changed"]
    predictable: Annotated[Ints, Columns("counts"), "1: the stages of the step before may be continued"]
    unsolved: Annotated[Ints, Columns("counts"), "steps given up since Newton's method did not get there"]
    power: Annotated[Ints, Shape("N"), "0: equation of motion; 1: velocity-level row; 2: position-level row"]
    weight: Annotated[Floats, Shape("N"), "makes corrections comparable, as shares of the mechanism's length per s^2"]
    x: Annotated[Floats, Shape("stages", "N"), "unknowns of the stages: second derivatives, multipliers"]
    old_x: Annotated[Floats, Shape("stages", "N"), "those of the step before"]
    k: Annotated[Floats, Shape("stages", "npos"), "rates of the increments at the stages"]
    v: Annotated[Floats, Shape("stages", "npos"), "the coordinates' rates at the stages"]
    across: Annotated[Floats, Shape("stages", "npos"), "w = M^-1 G^T mu, what increments' rates have besides: index 2"]
    off: Annotated[Floats, Shape("stages", "N"), "phi of the rows at the stages: index 2"]
    increment: Annotated[Floats, Shape("stages", "npos"), "of the coordinates, from the step's start to the stages"]
    r: Annotated[Floats, Shape("stages", "N"), "residuals of the stages, then corrections"]
    x_start: Annotated[Floats, Shape("N"), "the unknowns at the start of the step"]
    v_start: Annotated[Floats, Shape("npos"), "the rates there"]
    before: Annotated[Floats, Shape("nb + 1", 37), "the motion there"]
    error: Annotated[Floats, Shape("2 npos"), "estimated error of a step: of coordinates, then of their rates"]
    aside: Annotated[Floats, Shape("N"), "work space"]
    gather: Annotated[Floats, Shape("stages"), "work space: one unknown of all stages"]
    request: ImplicitRequest
    residual: Annotated[Floats, Shape("N"), "Work.residual"]
    z: Annotated[Floats, Shape("N"), "Work.z"]
    step_star: Annotated[Floats, Shape("npos"), "Work.step_star"]
    rate_star: Annotated[Floats, Shape("npos"), "Work.rate_star"]
    rate: Annotated[Floats, Shape("npos"), "Work.rate"]
    motion: Annotated[Floats, Shape("nb + 1", 37), "Work.motion"]
    rank: Annotated[Floats, Shape(4), "Dependent.length"]


class Systems(NamedTuple):
    """The linear systems of a step: P(c) = instant + c damping + c^2 stiffness, c: step times eigenvalue."""

    matrix: Matrix
    dependent: Dependent
    pattern: Pattern
    instant: Annotated[Floats, Shape("nnz + 1"), "P's part without c: masses and rows"]
    damping: Annotated[Floats, Shape("nnz + 1"), "P's part with c"]
    stiffness: Annotated[Floats, Shape("nnz + 1"), "P's part with c squared"]
    real: Factors
    here: Factors
    start: Factors
    pair_pattern: Pattern
    pair_position: Annotated[Ints, Shape("nnz", 4), "where an entry of P stands as a 2 x 2 block"]
    pair_values: Annotated[Floats, Shape("4 nnz"), "the entries of a complex system as a real one"]
    pair_rhs: Annotated[Floats, Shape("2 N"), "its right side, and its solution"]
    pair_1: Factors
    pair_2: Factors
    pair_3: Factors
    kept_dependence: KeptDependence


def new_systems(matrix: Matrix, pattern: Pattern, dependent: Dependent, pairs: int, room: int) -> Systems:
    """Room for the factors of a problem's matrices. room : entries that its own factors have room for."""
    nnz = len(pattern.indices)
    paired, position = in_pairs(pattern)
    empty = [np.zeros(n, dtype=np.uint32) for n in (2, 0, 1, 1)]
    nothing = Pattern(1, empty[0], empty[1], empty[2], empty[3], 0)
    of_pair = [factors(paired, 4 * room + pattern.n) if k < pairs else factors(nothing, 1) for k in range(MOST_PAIRS)]
    return Systems(
        matrix=matrix,
        dependent=dependent,
        pattern=pattern,
        instant=np.zeros(nnz + 1),
        damping=np.zeros(nnz + 1),
        stiffness=np.zeros(nnz + 1),
        real=factors(pattern, room),
        here=factors(pattern, room),
        start=factors(pattern, room),
        pair_pattern=paired,
        pair_position=position,
        pair_values=np.zeros(len(paired.indices)),
        pair_rhs=np.zeros(paired.n),
        pair_1=of_pair[0],
        pair_2=of_pair[1],
        pair_3=of_pair[2],
        kept_dependence=new_kept_dependence(dependent),
    )


def in_pairs(pattern: Pattern) -> tuple[Pattern, Any]:
    """The pattern with every entry a 2 x 2 block, eliminated in the same order; and where these four numbers stand."""
    n, indices = pattern.n, pattern.indices.astype(np.int64)
    columns = np.repeat(np.arange(n), [int(many) for many in np.diff(pattern.indptr)])
    rows4 = np.stack([2 * indices, 2 * indices, 2 * indices + 1, 2 * indices + 1], axis=1).ravel()
    columns4 = np.stack([2 * columns, 2 * columns + 1, 2 * columns, 2 * columns + 1], axis=1).ravel()
    order = np.lexsort((rows4, columns4))
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    indptr = np.zeros(2 * n + 1, dtype=np.int64)
    np.cumsum(np.bincount(columns4, minlength=2 * n), out=indptr[1:])

    def twice(order: Any) -> Any:
        o = order.astype(np.int64)
        return np.stack([2 * o, 2 * o + 1], axis=1).ravel().astype(np.uint32)

    paired = Pattern(
        2 * n,
        indptr.astype(np.uint32),
        rows4[order].astype(np.uint32),
        twice(pattern.order),
        twice(pattern.prefer),
        4 * pattern.fill + 2 * n,
    )
    return paired, np.ascontiguousarray(position.reshape(-1, 4))
