"""Joints of three freedoms: balls, and free translations.

A ball takes all three turns, a free translation all three shifts: a twist, a wrench, an inertia have one half where the
freedoms are (`mine`, columns `first` to `first` + 2) and one where they are not (`other`). What such a joint leaves of
an inertia is a 3 x 3 block in the other half: no torque passes a ball, no force a free translation.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.spatial.inertias import get21, put21
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import Vec

LEAST = 1e-13  # of what a body's inertia about its other axes is: below, a freedom has none of its own
TURNS, SHIFTS = 0, 3  # values of `first`
NONE = (0.0, 0.0, 0.0)


@kernel
def take_three(own: Any, k: Any, i: Any, first: Any) -> bool:
    """Eliminate the freedoms of link k, coordinates i to i + 2: own.w, own.over and own.acc. False where one has no
    inertia of its own."""
    w, over, A = own.w, own.over, get21(own.acc, k)
    H = (A[6], A[7], A[8], A[9], A[10], A[11], A[12], A[13], A[14])
    if first == TURNS:
        B, C, rest = (A[0], A[1], A[2], A[3], A[4], A[5]), H, (A[15], A[16], A[17], A[18], A[19], A[20])
    else:
        B, rest = (A[15], A[16], A[17], A[18], A[19], A[20]), (A[0], A[1], A[2], A[3], A[4], A[5])
        C = (H[0], H[3], H[6], H[1], H[4], H[7], H[2], H[5], H[8])
    xx, xy, xz, yy, yz, zz = B
    if not xx.real > LEAST * (xx + yy + zz).real:
        return False
    share = 1.0 / xx
    over[i] = share
    y, z = xy * share, xz * share
    c = (C[0], C[1], C[2])
    u = put_row(w, i, first, (1.0, y, z), c, share)
    rest = taken(rest, c, u)
    yy, yz, zz = yy - xy * y, yz - xy * z, zz - xz * z
    last = (C[6] - xz * u[0], C[7] - xz * u[1], C[8] - xz * u[2])
    c = (C[3] - xy * u[0], C[4] - xy * u[1], C[5] - xy * u[2])
    if not yy.real > LEAST * (yy + zz).real:
        return False
    share = 1.0 / yy
    over[i + 1] = share
    z = yz * share
    u = put_row(w, i + 1, first, (0.0, 1.0, z), c, share)
    rest = taken(rest, c, u)
    zz = zz - yz * z
    last = (last[0] - yz * u[0], last[1] - yz * u[1], last[2] - yz * u[2])
    if not zz.real > 0.0:
        return False
    share = 1.0 / zz
    over[i + 2] = share
    u = put_row(w, i + 2, first, (0.0, 0.0, 1.0), last, share)
    put21(own.acc, k, in_half(taken(rest, last, u), first))
    return True


@kernel
def put_row(w: Any, i: Any, first: Any, mine: Vec, c: Vec, share: Any) -> Vec:
    """Row i of own.w; returns its other half, share times c."""
    other, u = SHIFTS - first, (c[0] * share, c[1] * share, c[2] * share)
    w[i, first], w[i, first + 1], w[i, first + 2] = mine[0], mine[1], mine[2]
    w[i, other], w[i, other + 1], w[i, other + 2] = u[0], u[1], u[2]
    return u


@kernel
def taken(S: Any, c: Vec, u: Vec) -> Any:
    """S - c u^T, both symmetric: xx, xy, xz, yy, yz, zz."""
    return (
        S[0] - c[0] * u[0], S[1] - c[0] * u[1], S[2] - c[0] * u[2],
        S[3] - c[1] * u[1], S[4] - c[1] * u[2], S[5] - c[2] * u[2],
    )  # fmt: skip


@kernel
def in_half(S: Any, first: Any) -> Any:
    """The inertia that has nothing but the block S in the half that is not `first`'s."""
    o = 0.0
    if first == TURNS:
        return (o, o, o, o, o, o, o, o, o, o, o, o, o, o, o, S[0], S[1], S[2], S[3], S[4], S[5])
    return (S[0], S[1], S[2], S[3], S[4], S[5], o, o, o, o, o, o, o, o, o, o, o, o, o, o, o)


@kernel
def block_of_half(acc: Any, k: Any, first: Any) -> Any:
    """S of what link k's joint has left, as a 3 x 3 matrix."""
    c = 15 - 5 * first
    xx, xy, xz = at3(acc, k, c)
    yy, yz, zz = at3(acc, k, c + 3)
    return (xx, xy, xz, xy, yy, yz, xz, yz, zz)


@kernel
def leave_three(own: Any, i: Any, first: Any, wanted: Vec, mine: Vec, other: Vec) -> Vec:
    """The other half of what a wrench or momentum leaves; own.e. Its own half becomes what is wanted there."""
    w, over, u = own.w, own.over, SHIFTS - first
    x = wanted[0] - mine[0]
    own.e[i] = x * over[i]
    y = wanted[1] - (mine[1] + w[i, first + 1] * x)
    own.e[i + 1] = y * over[i + 1]
    z = wanted[2] - ((mine[2] + w[i, first + 2] * x) + w[i + 1, first + 2] * y)
    own.e[i + 2] = z * over[i + 2]
    a, b, c = at3(w, i, u), at3(w, i + 1, u), at3(w, i + 2, u)
    return (
        ((other[0] + a[0] * x) + b[0] * y) + c[0] * z,
        ((other[1] + a[1] * x) + b[1] * y) + c[1] * z,
        ((other[2] + a[2] * x) + b[2] * y) + c[2] * z,
    )


@kernel
def find_three(own: Any, i: Any, first: Any, mine: Vec, other: Vec, out: Any, at: Any) -> Vec:
    """A twist's (or second twist's) own half with the joint's rates, which go among `out` from place `at` on."""
    w, u = own.w, SHIFTS - first
    a, b, c = at3(w, i, u), at3(w, i + 1, u), at3(w, i + 2, u)
    z = ((own.e[i + 2] - c[0] * other[0]) - c[1] * other[1]) - c[2] * other[2]
    y = ((own.e[i + 1] - b[0] * other[0]) - b[1] * other[1]) - b[2] * other[2]
    x = ((own.e[i] - a[0] * other[0]) - a[1] * other[1]) - a[2] * other[2]
    y = y - w[i + 1, first + 2] * z
    x = (x - w[i, first + 2] * z) - w[i, first + 1] * y
    out[at], out[at + 1], out[at + 2] = x - mine[0], y - mine[1], z - mine[2]
    return x, y, z
