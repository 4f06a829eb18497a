"""The explicit problem: what a formulation hands to an integrator that only asks for slopes.

The state lives with the formulation as a base, moved by an increment psi in the algebra of its group,
state = base exp(psi). The integrator owns the increments, the steps and the order in which entries are called; it
knows neither groups nor mechanisms. On a vector space the same words mean state = base + psi.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Bodies, Floats, Ints
from linkwork.problems.implicit import ACC, ALPHA, A, R, V, W
from linkwork.problems.momenta import InMomenta
from linkwork.problems.request import ExplicitRequest
from linkwork.system import CompiledMechanism

__all__ = ["ACC", "ALPHA", "A", "R", "V", "W"]

MOTION = 24  # columns of Work.motion
# columns of Work.base
R_0, A_0, TWIST_0, CARRY = 0, 3, 12, 18
BASE = 24


class Work(NamedTuple):
    """What the kernels of a system M x + J^T lambda = f, J x = eta read and write. Body index nb is ground.

    Twists and wrenches are angular first, in the components that a body's group uses: body-fixed for SE(3), hybrid
    (angular in the body, linear global) for SO(3) x R^3.
    """

    motion: Annotated[Floats, Shape("nb + 1", 24), "r, A, v, omega, a, alpha of the placed state (v and a global)"]
    base: Annotated[
        Floats,
        Shape("nb + 1", 24),
        "r, A and twist that increments start from, and what rounding took from the twist",
    ]
    twist: Annotated[Floats, Shape("nb + 1", 6), "twists of the placed state"]
    row: Annotated[Floats, Shape("nc", 6), "f, f', f'', phi, nu, gamma"]
    G: Annotated[Floats, Shape("nc", 12), "Jacobian parts of body i and body j for u = (rdot global, omega body)"]
    J: Annotated[Floats, Shape("nc", 12), "the same for the twists"]
    e: Annotated[Floats, Shape("nb + 1", 6), "applied forces: force global, torque in the body"]
    f: Annotated[Floats, Shape("nb + 1", 6), "right side of the bodies' equations: (torque, force)"]
    eta: Annotated[Floats, Shape("nc"), "right side of the rows"]
    x: Annotated[Floats, Shape("nb + 1", 6), "the solution: twist rates, or corrections"]
    lam: Annotated[Floats, Shape("nc"), "multipliers"]
    psi: Annotated[Floats, Shape("12 nb"), "increment from the base: per body (theta, translation); then of the twists"]
    psi_rate: Annotated[Floats, Shape("12 nb"), "its rate"]
    size: Annotated[Floats, Shape("12 nb"), "what components are measured against in relative tolerances"]
    request: ExplicitRequest
    length: Annotated[Floats, Shape(1), "m", "the mechanism's length"]
    dropped: Annotated[Ints, Shape(1), "how many rows `detect_redundant_rows` has dropped"]
    group: Annotated[Ints, Shape("nb + 1"), "1: SE(3), 0: SO(3) x R^3"]
    load_values: Annotated[Floats, Shape("n", 3), "N or N m", "components of each load, now"]
    element_values: Annotated[Floats, Shape("n"), "N, N m", "actuator of each force element, now"]
    counted_angles: Annotated[Floats, Shape("nt + nq"), "rad", "with turns at the base; places for quantities"]
    operands: Annotated[Floats, Shape("2 * nq + ni"), "of each", "values and rates of quantities; inputs"]
    stack: Annotated[Floats, Shape("depth", 3), "for evaluating formulas"]


@dataclass(frozen=True)
class ExplicitProblem:
    """An ordinary differential equation on a group, ready to be integrated. Entries are compiled, of `context`.

    set_state   the state base exp(psi) at request.time, with rows, forces and right sides; returns a Status
    apply       applied forces other than weight into the right sides (does nothing where there are none)
    detect_redundant_rows   which rows depend on others at the placed state (does nothing if not droppable)
    factorise   the matrix of the placed state; returns a Status
    solve       x and lambda from the right sides
    rhs         the rate of psi at the placed state, from x [Müller 2013, eq. 36]; returns a Status. Its first half
                must not need x: at level RATES_ALONE it is asked for alone (`integrators.singular_configurations`)
    accept_step the placed state becomes the base; returns 1 if that changed it, so that it must be placed again
    retract     psi from the solution x of a correction
    output      what is recorded of the placed state, motion and multipliers, where slopes can do without them
    evaluate    set_state (unless request.state_is_set), apply, factorise, solve and rhs in one, for problems in which
                nothing is sought for and that are never corrected: small ones spend much of their time between
                entries; or None
    """

    mechanism: CompiledMechanism
    work: Work
    context: Any  # addresses of all arrays, which the entries take (problems/addresses.py)
    formulation_arrays: Any  # a formulation's further arrays
    dependence: Any
    droppable: bool
    forced: bool
    extra: Any  # (nb + 1, w) what is recorded of every body besides its motion, w = 0 for nothing
    weight: Any  # (12 nb,) weights of the increments in norms: 1 for angles, 1 / length for translations
    set_state: Any
    apply: Any
    detect_redundant_rows: Any
    factorise: Any
    solve: Any
    rhs: Any
    accept_step: Any
    retract: Any
    output: Any
    remembers: bool  # whether later stages use what the first one found, so that no last stage can serve as a first
    # arrays that make up the base besides counted angles, one or two of (., .), from which a run can come back to where
    # it was; empty where slopes cannot be told from states beside
    bases: tuple[Any, ...]
    momenta: Any  # (n, 2) rows of bases[0] that hold momenta and impulses of closing rows in one; (0, 2) elsewhere
    solves_extra: bool  # whether `extra` is solved for as accelerations are, or tells the state
    solver: Any  # name, arrays and .report, (2,): the smallest relative pivot when factorise failed, and its row
    evaluate: Any = None
    # what the equations have to say of a run when it is over: (relative tolerance, None with fixed steps) -> sentences
    notices: Callable[[float | None], list[str]] | None = None
    inside: Any = None  # of a problem with couplings: the problem without them, and what is beside it
    in_momenta: InMomenta | None = None  # of one that was asked for in momenta (`problems.shapes.MOMENTA`)
    # what was worked out of masses, inertias and lengths, from those of a mechanism and these bodies
    renew: Callable[[CompiledMechanism, Bodies], None] | None = None
    # another start state, and what else there is of a mechanism's numbers besides its tables, from one with the same
    # elements and other numbers; False where it would be built with other arrays
    set_start: Callable[[CompiledMechanism], bool] | None = None
