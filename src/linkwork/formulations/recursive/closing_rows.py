"""Rows that close loops, or that no joint of the tree can hold: written for bodies, as wrenches on links.

A row lies between two bodies; a rigid coupling is a sum of terms that do (`kernels.couplings`), a rotor one such term.
Each of them is a pair of bodies here, of which a coupling has several. A rotor's row is never missed: it has no phi.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.angles import MOST
from linkwork.kernels.couplings import (
    FIRST,
    QUANTITY,
    TERMS,
    angles_known,
    coupling_gammas,
    drive_couplings,
    is_angle,
    place_couplings,
)
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.natural import natural
from linkwork.kernels.needed import needed
from linkwork.kernels.rows.table import evaluate_rows, rows_gamma, rows_nu
from linkwork.kernels.spatial.displacements import rotation_at, translation_at
from linkwork.kernels.spatial.vectors import Six, add_to6
from linkwork.kernels.tables import Curves, Floats, Rows
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import Vec, add, cross, dot
from linkwork.problems.explicit import ACC, ALPHA, A, R, V, W, Work
from linkwork.problems.implicit import DRIVE, GAMMA, NU, PHI
from linkwork.status import Status
from linkwork.system.links import Links
from linkwork.system.links.linktree import FIXED, SPHERICAL
from linkwork.system.packed import Tables, system_of

OK, ROTATION_TOO_LARGE = int(Status.OK), int(Status.ROTATION_TOO_LARGE)


@kernel
def closing_rows(recursion: RecursiveWork) -> Rows:
    """The closing rows as the `Rows` that row kernels read."""
    n, x = recursion.closing_int, recursion.closing_data
    return Rows(
        n[:, 0], n[:, 1], n[:, 2], x[:, 0:3], x[:, 3:6], x[:, 6:9], x[:, 9:12], x[:, 12:15], x[:, 15:18], x[:, 18],
        n[:, 3], n[:, 4], x[:, 19], Curves(recursion.curve_start, recursion.curve),
    )  # fmt: skip


@kernel
def set_closing_rows(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """phi, G and nu of the closing rows at the bodies' poses. Writes closing_row and closing_G.

    ROTATION_TOO_LARGE where these lie so far from the step's start that turns of couplings are in doubt."""
    m, row = work.motion, recursion.closing_row
    for k in range(recursion.closing_int.shape[0]):
        for c in range(3):
            row[k, c] = work.row[links.closing[k], c]
    rows, r, A_ = closing_rows(recursion), m[:, R : R + 3], m[:, A : A + 9]
    drive = row[:, DRIVE : DRIVE + 3]
    evaluate_rows(rows, r, A_, drive, row[:, PHI], recursion.closing_G[:, 0:6], recursion.closing_G[:, 6:12])
    rows_nu(rows, r, A_, drive, row[:, NU])
    if recursion.couplings.about.shape[0] > 0:
        system, couplings, coupled = system_of(tables), recursion.couplings, recursion.coupled
        drive_couplings(system, couplings, work.request.time[0], work.stack, coupled)
        place_couplings(system, couplings, r, A_, work.counted_angles, False, coupled)
        if not angles_known(couplings, coupled):
            return ROTATION_TOO_LARGE
        for k in range(couplings.about.shape[0]):
            for term in range(couplings.about[k, FIRST], couplings.about[k, FIRST] + couplings.about[k, TERMS]):
                q = couplings.term_about[term, QUANTITY]
                i, j = links.link_of_body[system.quantities.body_i[q]], links.link_of_body[system.quantities.body_j[q]]
                if is_angle(system, couplings, k, term) and not turned_between(work, links, i, j) < MOST:
                    return ROTATION_TOO_LARGE
    for k in range(recursion.held[0], row.shape[0]):
        row[k, PHI] = 0.0
    return OK


@kernel
def turned_between(work: Work, links: Links, i: int, j: int) -> Any:
    """By how much two links may turn against each other from the step's start on: the sum over the joints between
    them, besides those that drivers hold [rad]. n : ground."""
    n, turned = links.kind.shape[0], 0.0
    i, j = (i if i < n else -1), (j if j < n else -1)
    while i != j:  # parents stand before their children
        k = max(i, j)
        first, parent = links.dof[k], links.parent[k] if links.parent[k] < n else -1
        if links.kind[k] == SPHERICAL:
            x = (work.psi[first].real, work.psi[first + 1].real, work.psi[first + 2].real)
            turned += np.sqrt(dot(x, x))
        elif links.kind[k] < SPHERICAL and links.kind[k] != FIXED and links.driver[k] < 0:
            turned += abs(links.turn_per_q[k] * work.psi[first].real)
        i, j = (parent if i == k else i), (parent if j == k else j)
    return turned


@kernel
def closing_gamma(tables: Tables, work: Work, recursion: RecursiveWork) -> None:
    """gamma of the closing rows at the bodies' velocities, into closing_row."""
    m, row = work.motion, recursion.closing_row
    r, A_, v, w = m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3]
    rows_gamma(closing_rows(recursion), r, A_, v, w, row[:, DRIVE : DRIVE + 3], row[:, GAMMA])
    if recursion.couplings.about.shape[0] > 0:
        coupling_gammas(system_of(tables), recursion.couplings, r, A_, v, w, recursion.coupled)


@kernel
def row_times(work: Work, recursion: RecursiveWork, k: int, linear: int, angular: int) -> float:
    """G_k times velocities (V, W) or accelerations (ACC, ALPHA) of bodies, columns of work.motion."""
    first = recursion.first_pair[k]
    total = pair_times(work, recursion, first, recursion.closing_G, first, linear, angular)
    for p in range(first + 1, recursion.first_pair[k + 1]):
        total += pair_times(work, recursion, p, recursion.closing_G, p, linear, angular)
    return total


@kernel
def pair_times(work: Work, recursion: RecursiveWork, p: int, table: Floats, o: int, linear: int, angular: int) -> float:
    """Row o of a table, six columns for each of the two bodies of pair p, times these columns of work.motion."""
    m, total = work.motion, 0.0
    for side in range(2):
        b = natural(recursion.pair[p, 1 + side])
        for c in range(3):
            total += table[o, 6 * side + c] * m[b, linear + c] + table[o, 6 * side + 3 + c] * m[b, angular + c]
    return total


@kernel
def body_wrench(links: Links, recursion: RecursiveWork, k: int, f: Vec, n: Vec) -> Six:
    """Force f (N, global) and torque n (N m about the centre of mass, in the body) on link k's body, as a wrench at the
    link's origin in its frame."""
    f = rotate_t(rotation_at(recursion.link_frame, k), f)
    return (*add(rotate(rotation_at(links.body_frame, k), n), cross(translation_at(links.body_frame, k), f)), *f)


@kernel
def pair_wrench(links: Links, recursion: RecursiveWork, k: int, p: int, side: int) -> Six:
    """`body_wrench` of a unit multiplier of pair p's row on link k, which carries the pair's body i (side 0) or j
    (1)."""
    G = recursion.closing_G
    return body_wrench(links, recursion, k, at3(G, p, 6 * side), at3(G, p, 6 * side + 3))


@kernel
def add_reactions(links: Links, recursion: RecursiveWork, rows: int, table: Floats) -> None:
    """Add G^T sigma of the first `rows` closing rows, as wrenches in the links' frames, to a table (n, 6)."""
    n = links.kind.shape[0]
    for p in range(recursion.first_pair[rows]):
        x = recursion.sigma[natural(recursion.pair[p, 0])]
        if needed(x != 0.0):
            for side in range(2):
                k = natural(links.link_of_body[natural(recursion.pair[p, 1 + side])])
                if k < n:
                    t = pair_wrench(links, recursion, k, p, side)
                    add_to6(table, k, (x * t[0], x * t[1], x * t[2], x * t[3], x * t[4], x * t[5]))


@kernel
def acceleration_residual(work: Work, recursion: RecursiveWork, k: int) -> float:
    """G udot - gamma of closing row k at the bodies' accelerations."""
    residual: float = row_times(work, recursion, k, ACC, ALPHA) - recursion.closing_row[k, GAMMA]
    return residual
