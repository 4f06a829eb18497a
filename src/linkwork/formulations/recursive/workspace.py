"""The arrays of recursive formulations besides the links: base, state set, and what the recursions leave behind."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from linkwork.kernels.couplings import INERTIA, NO_COUPLINGS, CoupledRows, Couplings
from linkwork.kernels.dense_qr import RowFactors
from linkwork.kernels.records import Columns, Shape, new_record
from linkwork.kernels.sincos import LANES
from linkwork.kernels.tables import NO_CURVES, Curves, Floats, Ints
from linkwork.problems.layout import slots
from linkwork.system.links import Links, LinkTree

LINE = 64  # bytes that caches hold together
FLAGS = ("has_gravity", "has_forces", "may_depend", "rank", "factored", "keeps_sigma", "usual_rank", "held")
SETUP = (
    "flags",
    *FLAGS,
    "row_size",
    "couplings",
    "coupled",
)  # how a problem was made: not taken over by one that is made otherwise


class RecursiveWork(NamedTuple):
    """n links (row n: ground), d coordinates, b spherical joints and free translations, m closing rows.

    Closing rows between two bodies come first; then come rigid couplings, which are sums of terms, then rotors that are
    no part of one coordinate's inertia, of one term each: rows that are not held but resist. Each of those rows and of
    these terms is a pair of bodies. r of the rows are rotors'.

    Twists (rad/s, m/s), wrenches (N m, N) and inertias stand at the origin of their link's frame, in its components,
    angular part first. What the recursions need of a link stands side by side in one row, and so does what they need of
    a coordinate: a row is found from one address, and is in the cache at once. What is only written, or read where rows
    are not, stands apart: long chains wait for memory.
    """

    base: Annotated[Floats, Shape("2 d", 2), "", "coordinates, then rates or momenta; what rounding took from each"]
    base_pose: Annotated[
        Floats, Shape("b", 12), "1, m", "R of spherical joints, shift of free translations, at the base"
    ]
    pose: Annotated[Floats, Shape("b", 12), "1, m", "the same of the state set"]
    angle: Annotated[Floats, Shape("lanes"), "rad", "turns about z of revolute and helical joints; n or some more"]
    cos: Annotated[Floats, Shape("lanes"), "1", "their cosines"]
    sin: Annotated[Floats, Shape("lanes"), "1", "their sines"]
    link_rows: Annotated[Floats, Shape("n + 1", 40), "", "all of these, what the forward recursion writes last:"]
    articulated_inertia: Annotated[
        Floats, Columns("link_rows", 21), "kg m^2, kg m, kg", "A of branches; after elimination what the joint leaves"
    ]
    articulated_bias: Annotated[
        Floats, Columns("link_rows", 6), "N m, N (s)", "bias wrench p of A a + p, or bias momentum D of A V + D"
    ]
    first_moment: Annotated[Floats, Columns("link_rows", 3), "kg m", "of branches"]
    gravity: Annotated[Floats, Columns("link_rows", 3), "m/s^2", "in the links' frames"]
    twist: Annotated[Floats, Columns("link_rows", 6), "rad/s, m/s", "V of the links"]
    joint_rows: Annotated[Floats, Shape("n + 1", 3), "", "all of these:"]
    z_shift: Annotated[Floats, Columns("joint_rows"), "m", "along z, of joints of fewer than three freedoms"]
    driven_rate: Annotated[Floats, Columns("joint_rows"), "rad/s, m/s", "f' of a driven joint, else 0"]
    driven_acceleration: Annotated[Floats, Columns("joint_rows"), "rad/s^2, m/s^2", "f'' of a driven joint, else 0"]
    spatial_acceleration: Annotated[
        Floats, Shape("n + 1", 6), "rad/s^2, m/s^2", "of the links, gravity taken off where it is one of the base"
    ]
    branch_wrench: Annotated[
        Floats, Shape("n + 1", 6), "N m, N", "applied to whole branches; impulses of closing rows on them"
    ]
    branch_mass: Annotated[Floats, Shape("n + 1"), "kg", "of branches"]
    coordinate_rows: Annotated[Floats, Shape("d", 8), "", "all of these:"]
    U_D_inv: Annotated[
        Floats, Columns("coordinate_rows", 6), "", "A E / (E^T A E), of what is left when the freedoms before are gone"
    ]
    D_inv: Annotated[Floats, Columns("coordinate_rows"), "1/(kg m^2), 1/kg", "joint inertia inverse, 1 / (E^T A E)"]
    unconstrained_rate: Annotated[
        Floats,
        Columns("coordinate_rows"),
        "",
        "the part of a rate (or second rate) that the parent's twist does not change",
    ]
    rotor: Annotated[
        Floats,
        Shape("d"),
        "kg m^2, kg",
        "inertia of rotors on each coordinate that is its joint's only one; none on revolute links",
    ]
    joint_rate: Annotated[Floats, Shape("d"), "rad/s, m/s", "qdot"]
    joint_acceleration: Annotated[
        Floats, Shape("d"), "rad/s^2, m/s^2", "qddot; work space for corrections of coordinates, rates, momenta"
    ]
    joint_momentum: Annotated[Floats, Shape("d"), "N m s, N s", "p = E^T P of the state set"]
    link_frame: Annotated[Floats, Shape("n + 1", 12), "1, m", "R to global components, origin"]
    double_double: Annotated[
        Floats, Shape("extended", 24), "", "twists and momenta in double-double numbers: n + 1 rows, or none"
    ]
    applied_wrench: Annotated[Floats, Shape("n + 1", 6), "N m, N", "on the links' own bodies"]
    swept_jacobian: Annotated[
        Floats, Shape("m", "d"), "", "Z: closing rows in coordinates, E^T of what a unit of the multiplier leaves"
    ]
    sigma: Annotated[Floats, Shape("m"), "", "multipliers of closing rows: forces, or impulses (of rotors momenta)"]
    residual: Annotated[Floats, Shape("m"), "", "of closing rows"]
    closing_row: Annotated[Floats, Shape("m", 6), "", "f, f', f'', phi, nu, gamma"]
    closing_G: Annotated[
        Floats, Shape("pairs", 12), "", "Jacobian parts of body i and body j for (rdot global, omega in the body)"
    ]
    pair: Annotated[Ints, Shape("pairs", 3), "", "closing row, body i, body j; the pairs of a row stand together"]
    first_pair: Annotated[Ints, Shape("m + 1"), "", "of each closing row, and how many there are"]
    closing_int: Annotated[Ints, Shape("m - nk", 5), "", "columns of `Tables.row_int` of rows between two bodies"]
    closing_data: Annotated[Floats, Shape("m - nk", 20), "", "and of `Tables.row`"]
    curve_start: Annotated[Ints, Shape("curves + 1"), "", "`Tables.curve_start`, and"]
    curve: Annotated[Floats, Shape("pieces", 5), "", "`Tables.curve`, for rows of profiles"]
    couplings: Annotated[Couplings, "rigid ones and rotors that are the last closing rows"]
    coupled: Annotated[CoupledRows, "what is found of them: in closing_row and closing_G, behind the others"]
    row_size: Annotated[
        Floats,
        Shape("m"),
        "",
        "norm of a row of Z sqrt(D_inv), were the bodies at its ends free; of rotors 1 / sqrt(inertia)",
    ]
    all_rows: Annotated[Ints, Shape("m"), "", "1: any row may be taken; 2: those of rotors must be, before others"]
    was_independent: Annotated[Ints, Shape("m"), "", "which closing rows counted when they were chosen last"]
    variation: Annotated[Floats, Shape(12, 12), "", "variation of one closing row with the pose of its bodies"]
    joint_equations: Annotated[Floats, Shape(6, 7), "", "normal equations of one joint's multipliers"]
    weights: Annotated[Floats, Shape("2 d"), "", "`ExplicitProblem.weight`"]
    flags: Annotated[Ints, Shape(1, 8), "", "all of these:"]
    has_gravity: Annotated[Ints, Columns("flags"), "", "whether gravity is not zero"]
    has_forces: Annotated[Ints, Columns("flags"), "", "whether other forces are applied"]
    may_depend: Annotated[Ints, Columns("flags"), "", "whether closing rows may depend on each other"]
    rank: Annotated[Ints, Columns("flags"), "", "how many closing rows were taken"]
    factored: Annotated[Ints, Columns("flags"), "", "whether they are chosen and factored for the state set"]
    keeps_sigma: Annotated[Ints, Columns("flags"), "", "whether impulses stay in the momenta from step to step"]
    usual_rank: Annotated[Ints, Columns("flags"), "", "the most rows that have counted so far"]
    held: Annotated[Ints, Columns("flags"), "", "how many closing rows hold; behind them come those of rotors"]
    usual_share: Annotated[
        Floats, Shape(1), "1", "share of its own that the weakest closing row had in the first factors, 0 before"
    ]
    report: Annotated[Floats, Shape(2), "", "the smallest pivot when elimination failed, and the link or row"]
    extra: Annotated[Floats, Shape("nb + 1", "x"), "", "recorded: coordinates, rates, momenta one after the other"]


LINKS, RECURSION, FACTORS = slots(Links, RecursiveWork, RowFactors, last=True)


def on_lines(rows: int, columns: int) -> Floats:
    """Zeros that begin where a line of the caches does: rows of whole lines then take no line more than they fill."""
    spare = LINE // 8
    whole = np.zeros(rows * columns + spare)
    first = -whole.ctypes.data % LINE // 8
    found: Floats = whole[first : first + rows * columns].reshape(rows, columns)
    return found


def new_workspace(
    tree: LinkTree,
    nb: int,
    *,
    extended: bool = False,
    curves: Curves = NO_CURVES,
    couplings: Couplings = NO_COUPLINGS,
) -> RecursiveWork:
    """Room for a mechanism of nb bodies. extended : with room for double-double numbers. curves : the mechanism's.
    couplings : the last of the tree's closing rows, those that resist behind those that hold."""
    n, d, b, m = len(tree.links.kind), tree.dofs, tree.poses, len(tree.links.closing)
    lanes, extra = -(-n // LANES) * LANES, -(-3 * d // nb)
    nk, terms = len(couplings.about), len(couplings.term)
    row, G = np.zeros((m, 6)), np.zeros((m - nk + terms, 12))
    coupled = new_record(CoupledRows, given={"row": row[m - nk :], "W": G[m - nk :]}, nk=nk, terms=terms)
    recursion = new_record(
        RecursiveWork,
        given={
            "link_rows": on_lines(n + 1, 40), "coordinate_rows": on_lines(d, 8), "closing_row": row, "closing_G": G,
            "couplings": couplings, "coupled": coupled,
        },
        n=n, d=d, b=b, m=m, nb=nb, nk=nk, x=extra, lanes=lanes, extended=n + 1 if extended else 0, pairs=len(G),
        curves=len(curves.start) - 1, pieces=len(curves.piece),
    )  # fmt: skip
    for table in (recursion.base_pose, recursion.pose, recursion.link_frame[n:]):
        table[:, [0, 4, 8]] = 1.0
    recursion.curve_start[:], recursion.curve[:] = curves
    recursion.all_rows[:] = recursion.was_independent[:] = 1
    recursion.held[0] = m - np.count_nonzero(couplings.number[:, INERTIA])
    set_couplings(recursion, couplings)
    recursion.weights[:] = 1.0
    recursion.report[:] = 1.0, -1.0
    return recursion


def set_couplings(recursion: RecursiveWork, couplings: Couplings) -> None:
    """The numbers of these couplings, as many as there are, and what the rows of rotors are measured against."""
    if couplings is not recursion.couplings:
        recursion.couplings.number[:], recursion.couplings.term[:] = couplings.number, couplings.term
    first, inertia = len(recursion.row_size) - len(couplings.about), couplings.number[:, INERTIA]
    recursion.all_rows[first:][inertia > 0.0] = 2
    recursion.row_size[first:][inertia > 0.0] = inertia[inertia > 0.0] ** -0.5
