"""Elimination of joints with three freedoms: spherical joints, and free translations.

A spherical joint takes all three rotations, a free translation all three shifts: a twist, a wrench, an inertia have one
half where the freedoms are (`mine`, columns `first` to `first` + 2) and one where they are not (`other`). What such a
joint leaves of an inertia is a 3 x 3 block in the other half: no torque passes a spherical joint, no force a free
translation. Freedoms are eliminated one after the other, so that nothing but numbers is divided by.
"""

from __future__ import annotations

from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat
from linkwork.kernels.spatial.inertias import Inertia, Triangle, get21, put21
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import Vec

LEAST = 1e-13  # of what a branch's inertia about all axes is: below, a freedom has none of its own
ANGULAR, LINEAR = 0, 3  # values of `first`


@kernel
def eliminate_three(recursion: RecursiveWork, k: int, i: int, first: int) -> bool:
    """Eliminate the three freedoms of link k, coordinates i to i + 2, one after the other.

    Reads recursion.articulated_inertia[k]; writes U_D_inv and D_inv of rows i to i + 2, and into articulated_inertia[k]
    the Schur complement A - A E (E^T A E)^-1 E^T A. False where a freedom moves no inertia: then nothing of k is of
    use.
    """
    w, over, A = recursion.U_D_inv, recursion.D_inv, get21(recursion.articulated_inertia, k)
    H = (A[6], A[7], A[8], A[9], A[10], A[11], A[12], A[13], A[14])
    if first == ANGULAR:
        B, C, rest = (A[0], A[1], A[2], A[3], A[4], A[5]), H, (A[15], A[16], A[17], A[18], A[19], A[20])
    else:
        B, rest = (A[15], A[16], A[17], A[18], A[19], A[20]), (A[0], A[1], A[2], A[3], A[4], A[5])
        C = (H[0], H[3], H[6], H[1], H[4], H[7], H[2], H[5], H[8])
    xx, xy, xz, yy, yz, zz = B
    least = LEAST * (xx + yy + zz).real
    if not xx.real > least:
        return False
    share = 1.0 / xx
    over[i] = share
    y, z = xy * share, xz * share
    c = (C[0], C[1], C[2])
    u = put_U_D_inv(w, i, first, (1.0, y, z), c, share)
    rest = downdated(rest, c, u)
    yy, yz, zz = yy - xy * y, yz - xy * z, zz - xz * z
    last = (C[6] - xz * u[0], C[7] - xz * u[1], C[8] - xz * u[2])
    c = (C[3] - xy * u[0], C[4] - xy * u[1], C[5] - xy * u[2])
    if not yy.real > least:
        return False
    share = 1.0 / yy
    over[i + 1] = share
    z = yz * share
    u = put_U_D_inv(w, i + 1, first, (0.0, 1.0, z), c, share)
    rest = downdated(rest, c, u)
    zz = zz - yz * z
    last = (last[0] - yz * u[0], last[1] - yz * u[1], last[2] - yz * u[2])
    if not zz.real > least:
        return False
    share = 1.0 / zz
    over[i + 2] = share
    u = put_U_D_inv(w, i + 2, first, (0.0, 0.0, 1.0), last, share)
    put21(recursion.articulated_inertia, k, inertia_of_half(downdated(rest, last, u), first))
    return True


@kernel
def put_U_D_inv(w: Floats, i: int, first: int, mine: Vec, c: Vec, share: float) -> Vec:
    """Write row i of U_D_inv, U / D of one freedom: `joint_half` (1 at the freedom) where the joint's freedoms are, and
    D_inv c in the other half, which is returned. c : the other half of U."""
    other, u = LINEAR - first, (c[0] * share, c[1] * share, c[2] * share)
    w[i, first], w[i, first + 1], w[i, first + 2] = mine[0], mine[1], mine[2]
    w[i, other], w[i, other + 1], w[i, other + 2] = u[0], u[1], u[2]
    return u


@kernel
def downdated(S: Triangle, c: Vec, u: Vec) -> Triangle:
    """S - c u^T of a symmetric 3 x 3 S, where c u^T is symmetric, too: xx, xy, xz, yy, yz, zz."""
    return (
        S[0] - c[0] * u[0], S[1] - c[0] * u[1], S[2] - c[0] * u[2],
        S[3] - c[1] * u[1], S[4] - c[1] * u[2], S[5] - c[2] * u[2],
    )  # fmt: skip


@kernel
def inertia_of_half(S: Triangle, first: int) -> Inertia:
    """The spatial inertia with the symmetric block S (xx, xy, xz, yy, yz, zz) in the half that is not `first`'s, else
    zeros: M = S beyond a spherical joint (ANGULAR), I = S beyond a translation (LINEAR)."""
    o = 0.0
    if first == ANGULAR:
        return (o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, S[0], S[1], S[2], S[3], S[4], S[5])
    return (S[0], S[1], S[2], S[3], S[4], S[5], o, o, o, o, o, o, o, o, o, o, o, o, o, o, o)


@kernel
def half_block(acc: Floats, k: int, first: int) -> Mat:
    """The block S of `inertia_of_half` as row k of a table (n, 21) holds it, as a 3 x 3 matrix."""
    c = 15 - 5 * first
    xx, xy, xz = at3(acc, k, c)
    yy, yz, zz = at3(acc, k, c + 3)
    return (xx, xy, xz, xy, yy, yz, xz, yz, zz)


@kernel
def bias_beyond_three(recursion: RecursiveWork, i: int, first: int, wanted: Vec, mine: Vec, other: Vec) -> Vec:
    """The other half of p + U D^-1 x: what the freedoms of coordinates i to i + 2 pass on of a bias p (wrench or
    momentum).

    wanted : E^T p that the joint imposes (0, or its momenta). mine, other : halves of p. x are the remainders wanted -
    E^T p, freedom by freedom. Writes unconstrained_rate[i : i + 3] = D^-1 x.
    """
    w, over, u = recursion.U_D_inv, recursion.D_inv, LINEAR - first
    x = wanted[0] - mine[0]
    recursion.unconstrained_rate[i] = x * over[i]
    y = wanted[1] - (mine[1] + w[i, first + 1] * x)
    recursion.unconstrained_rate[i + 1] = y * over[i + 1]
    z = wanted[2] - ((mine[2] + w[i, first + 2] * x) + w[i + 1, first + 2] * y)
    recursion.unconstrained_rate[i + 2] = z * over[i + 2]
    a, b, c = at3(w, i, u), at3(w, i + 1, u), at3(w, i + 2, u)
    return (
        ((other[0] + a[0] * x) + b[0] * y) + c[0] * z,
        ((other[1] + a[1] * x) + b[1] * y) + c[1] * z,
        ((other[2] + a[2] * x) + b[2] * y) + c[2] * z,
    )


@kernel
def rates_of_three(recursion: RecursiveWork, i: int, first: int, mine: Vec, other: Vec, out: Floats, at: int) -> Vec:
    """Rates (or second rates) unconstrained_rate - (U D^-1)^T V of coordinates i to i + 2 into out[at : at + 3].

    mine, other : halves of the parent's twist V (or acceleration) carried to the link. Returns its half with the rates
    in.
    """
    w, u = recursion.U_D_inv, LINEAR - first
    a, b, c = at3(w, i, u), at3(w, i + 1, u), at3(w, i + 2, u)
    z = ((recursion.unconstrained_rate[i + 2] - c[0] * other[0]) - c[1] * other[1]) - c[2] * other[2]
    y = ((recursion.unconstrained_rate[i + 1] - b[0] * other[0]) - b[1] * other[1]) - b[2] * other[2]
    x = ((recursion.unconstrained_rate[i] - a[0] * other[0]) - a[1] * other[1]) - a[2] * other[2]
    y = y - w[i + 1, first + 2] * z
    x = (x - w[i, first + 2] * z) - w[i, first + 1] * y
    out[at], out[at + 1], out[at + 2] = x - mine[0], y - mine[1], z - mine[2]
    return x, y, z
