"""Momenta of twice the digits, so that accelerations keep theirs on long chains.

The momentum of a joint near the base adds up what all bodies have. What rounding takes from that sum is, after a
thousand bodies, a part in 10^8 of a rate. So momenta are gathered from the rates at the start, and compared with those
of the rates that the recursions found wherever a sample is wanted, in numbers of twice the digits: what the rates miss
follows from the difference by the recursions again. Trees without loops and drivers.
"""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.eliminate import freedom
from linkwork.formulations.recursive.impulses import find_velocities
from linkwork.formulations.recursive.output import present_momenta, present_tree_momenta
from linkwork.formulations.recursive.velocities import move_bodies, spread_rates
from linkwork.formulations.recursive.workspace import D
from linkwork.kernels.double_double import (
    NO_VECTOR,
    add_vectors,
    cross_with,
    exact_product,
    exact_sum,
    minus,
    plus,
    product_of,
    times,
    turn,
    turn_back,
)
from linkwork.kernels.jit import exact_kernel, kernel, large_exact_kernel
from linkwork.kernels.mat33 import IDENTITY
from linkwork.kernels.tuple_access import at3, at9
from linkwork.system.links.linktree import (
    A_X,
    BALL,
    COS,
    DOF,
    FREEDOMS,
    GENERAL,
    KIND,
    P_,
    PARENT,
    R_,
    SIN,
    SLIDES,
    TURNED,
)

ZERO = (0.0, 0.0, 0.0)
LOST = 1e4  # of the rates' last digit: below, they are left as they are
TWIST, MOMENTUM = 0, 12  # columns of Own.fine


@large_exact_kernel
def get_fine(table: Any, k: Any, c: Any) -> Any:
    """Two vectors of numbers of twice the digits, from column c of row k on."""
    return (
        ((table[k, c], table[k, c + 1]), (table[k, c + 2], table[k, c + 3]), (table[k, c + 4], table[k, c + 5])),
        ((table[k, c + 6], table[k, c + 7]), (table[k, c + 8], table[k, c + 9]), (table[k, c + 10], table[k, c + 11])),
    )


@exact_kernel
def put_number(table: Any, k: Any, c: Any, x: Any) -> None:
    """One number."""
    table[k, c], table[k, c + 1] = x[0], x[1]


@large_exact_kernel
def put_fine(table: Any, k: Any, c: Any, x: Any, y: Any) -> None:
    """Two vectors."""
    put_number(table, k, c, x[0])
    put_number(table, k, c + 2, x[1])
    put_number(table, k, c + 4, x[2])
    put_number(table, k, c + 6, y[0])
    put_number(table, k, c + 8, y[1])
    put_number(table, k, c + 10, y[2])


@exact_kernel
def constant_step(links: Any, k: Any) -> Any:
    """The displacement from the parent's frame that no coordinate changes: shift, turn."""
    if links.what[k, GENERAL] == 1:
        return at3(links.general, k, P_), at9(links.general, k, R_)
    a, c, s = links.screw[k, A_X], links.screw[k, COS], links.screw[k, SIN]
    return (a, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c)


@exact_kernel
def own_step(links: Any, own: Any, k: Any) -> Any:
    """The joint's displacement."""
    kind, b = links.what[k, KIND], links.what[k, TURNED]
    if kind < BALL:
        c, s = own.cos[k], own.sin[k]
        return (0.0, 0.0, own.now[k, D]), (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
    if kind == SLIDES:
        return at3(own.pose, b, 9), IDENTITY
    return ZERO, at9(own.pose, b, 0)


@large_exact_kernel
def twist_on(step: Any, w: Any, v: Any) -> Any:
    """A twist carried through a displacement."""
    r, R = step
    return turn_back(R, w), turn_back(R, add_vectors(v, cross_with((-r[0], -r[1], -r[2]), w)))


@large_exact_kernel
def wrench_back(step: Any, n: Any, f: Any) -> Any:
    """A wrench, or a momentum, carried back."""
    r, R = step
    f = turn(R, f)
    return add_vectors(turn(R, n), cross_with(r, f)), f


@large_exact_kernel
def spread_finely(links: Any, own: Any) -> None:
    """Twists of all links from own.rate."""
    fine, n = own.fine, links.what.shape[0]
    put_fine(fine, n, TWIST, NO_VECTOR, NO_VECTOR)
    for k in range(n):
        kind, i = links.what[k, KIND], links.what[k, DOF]
        w, v = get_fine(fine, links.what[k, PARENT], TWIST)
        w, v = twist_on(constant_step(links, k), w, v)
        w, v = twist_on(own_step(links, own, k), w, v)
        put_fine(fine, k, TWIST, w, v)
        for j in range(FREEDOMS[kind]):
            turning, sliding, about = freedom(links, k, kind, j)
            add_number(fine, k, TWIST + 2 * about, exact_product(turning, own.rate[i + j]))
            add_number(fine, k, TWIST + 10, exact_product(sliding, own.rate[i + j]))


@large_exact_kernel
def add_number(table: Any, k: Any, c: Any, x: Any) -> None:
    """To the number at column c of row k."""
    put_number(table, k, c, plus((table[k, c], table[k, c + 1]), x))


@large_exact_kernel
def rigid_momentum(table: Any, k: Any, w: Any, v: Any) -> Any:
    """What `inertias.rigid_times` gives, of row k."""
    x, y, z, m = table[k, 6], table[k, 7], table[k, 8], table[k, 9]
    about = (
        product_of(table[k, 0], table[k, 1], table[k, 2], w), product_of(table[k, 1], table[k, 3], table[k, 4], w),
        product_of(table[k, 2], table[k, 4], table[k, 5], w),
    )  # fmt: skip
    along = (times(m, v[0]), times(m, v[1]), times(m, v[2]))
    moment = (x, y, z)
    return add_vectors(about, cross_with(moment, v)), add_vectors(along, cross_with((-x, -y, -z), w))


@large_exact_kernel
def gather_finely(links: Any, own: Any) -> None:
    """Momenta of own.rate: the first of each two numbers in own.momentum, the second in own.second."""
    fine, n = own.fine, links.what.shape[0]
    spread_finely(links, own)
    for k in range(n):
        w, v = get_fine(fine, k, TWIST)
        w, v = rigid_momentum(links.rigid, k, w, v)
        put_fine(fine, k, MOMENTUM, w, v)
    for k in range(n - 1, -1, -1):
        kind, i, p = links.what[k, KIND], links.what[k, DOF], links.what[k, PARENT]
        for j in range(FREEDOMS[kind]):
            turning, sliding, about = freedom(links, k, kind, j)
            c = MOMENTUM + 2 * about
            x = times(turning, (fine[k, c], fine[k, c + 1]))
            x = plus(x, times(sliding, (fine[k, MOMENTUM + 10], fine[k, MOMENTUM + 11])))
            own.momentum[i + j], own.second[i + j] = x[0], x[1]
        if p < n:
            a, f = get_fine(fine, k, MOMENTUM)
            a, f = wrench_back(own_step(links, own, k), a, f)
            a, f = wrench_back(constant_step(links, k), a, f)
            w, v = get_fine(fine, p, MOMENTUM)
            put_fine(fine, p, MOMENTUM, add_vectors(w, a), add_vectors(v, f))


@large_exact_kernel
def start_finely(links: Any, own: Any) -> None:
    """Momenta of the base from own.rate, and what rounding takes from them."""
    d = own.rate.shape[0]
    gather_finely(links, own)
    for i in range(d):
        own.base[d + i, 0], own.base[d + i, 1] = own.momentum[i], -own.second[i]


@kernel
def loses_digits(own: Any) -> bool:
    """Whether rates are small beside what the momenta alone would make of them."""
    largest, rate = 0.0, 0.0
    for i in range(own.rate.shape[0]):
        largest = max(largest, abs(own.momentum[i]) * own.over[i])
        rate = max(rate, abs(own.rate[i]))
    return bool(largest > LOST * rate)


@large_exact_kernel
def find_rest(work: Any, own: Any) -> None:
    """own.momentum: what the gathered momenta miss of those of the placed state."""
    d = own.rate.shape[0]
    for i in range(d):
        placed = plus(exact_sum(own.base[d + i, 0], work.psi[d + i]), (-own.base[d + i, 1], 0.0))
        own.momentum[i] = plus(placed, minus((own.momentum[i], own.second[i])))[0]


@kernel
def refine(work: Any, links: Any, own: Any) -> None:
    """own.rate and own.V once more: what the rates miss, from what their momenta miss."""
    d = own.rate.shape[0]
    gather_finely(links, own)
    find_rest(work, own)
    for i in range(d):
        own.second[i] = own.rate[i]
    find_velocities(links, own, False)
    for i in range(d):
        own.rate[i] += own.second[i]
        own.momentum[i] = own.base[d + i, 0] + work.psi[d + i]
    spread_rates(links, own)


@kernel
def present_tree_finely(tables: Any, work: Any, links: Any, own: Any) -> int:
    """`present_tree_momenta`, from rates that are as good as the momenta."""
    if loses_digits(own):
        refine(work, links, own)
    return int(present_tree_momenta(tables, work, links, own))


@kernel
def present_finely(tables: Any, work: Any, links: Any, own: Any, factors: Any) -> int:
    """`present_momenta` of a tree that forces act on, in the same way; they are found again at the better rates."""
    if loses_digits(own):
        refine(work, links, own)
        move_bodies(work, links, own)
    return int(present_momenta(tables, work, links, own, factors))
