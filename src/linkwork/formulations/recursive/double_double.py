"""Momenta of twice the digits, so that accelerations keep theirs on long chains.

The momentum of a joint near the base adds up what all bodies have. What rounding takes from that sum is, after a
thousand bodies, a part in 10^8 of a rate. So momenta are gathered from the rates at the start, and compared with those
of the rates that the recursions found wherever a sample is wanted, in double-double numbers (`kernels.double_double`):
what the rates miss follows from the difference by the recursions again. Trees without loops and drivers.
"""

from __future__ import annotations

from linkwork.formulations.recursive.articulated_inertia import axis_of
from linkwork.formulations.recursive.loop_impulses import velocities_from_momenta
from linkwork.formulations.recursive.output import output_momenta, output_tree_momenta
from linkwork.formulations.recursive.velocities import set_body_velocities, twists_from_rates
from linkwork.formulations.recursive.workspace import FACTORS, LINKS, RECURSION, RecursiveWork
from linkwork.kernels.dense_qr import RowFactors
from linkwork.kernels.double_double import (
    NO_VECTOR,
    Twofold,
    Vec2,
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
from linkwork.kernels.mat33 import IDENTITY, Mat
from linkwork.kernels.spatial.displacements import rotation_at, translation_at
from linkwork.kernels.spatial.vectors import ZERO
from linkwork.kernels.tables import Floats
from linkwork.kernels.vec3 import Vec
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.system.links import Links
from linkwork.system.links.linktree import FREEDOMS, SPHERICAL, TRANSLATION
from linkwork.system.packed import Tables

LOST = 1e4  # of the rates' last digit: below, they are left as they are
TWIST, MOMENTUM = 0, 12  # columns of recursion.double_double


@large_exact_kernel
def get_vectors(table: Floats, k: int, c: int) -> tuple[Vec2, Vec2]:
    """Two vectors of double-double numbers, from column c of row k on."""
    return (
        ((table[k, c], table[k, c + 1]), (table[k, c + 2], table[k, c + 3]), (table[k, c + 4], table[k, c + 5])),
        ((table[k, c + 6], table[k, c + 7]), (table[k, c + 8], table[k, c + 9]), (table[k, c + 10], table[k, c + 11])),
    )


@exact_kernel
def put_number(table: Floats, k: int, c: int, x: Twofold) -> None:
    """Write a double-double number at column c of row k."""
    table[k, c], table[k, c + 1] = x[0], x[1]


@large_exact_kernel
def put_vectors(table: Floats, k: int, c: int, x: Vec2, y: Vec2) -> None:
    """Write two vectors of double-double numbers from column c of row k on."""
    put_number(table, k, c, x[0])
    put_number(table, k, c + 2, x[1])
    put_number(table, k, c + 4, x[2])
    put_number(table, k, c + 6, y[0])
    put_number(table, k, c + 8, y[1])
    put_number(table, k, c + 10, y[2])


@exact_kernel
def fixed_displacement(links: Links, k: int) -> tuple[Vec, Mat]:
    """What stands between the parent's frame and link k's joint: shift, rotation matrix."""
    if links.is_general[k] == 1:
        return translation_at(links.fixed, k), rotation_at(links.fixed, k)
    a, c, s = links.x_shift[k], links.x_cos[k], links.x_sin[k]
    return (a, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c)


@exact_kernel
def joint_displacement(links: Links, recursion: RecursiveWork, k: int) -> tuple[Vec, Mat]:
    """What link k's joint adds to it: shift, rotation matrix."""
    kind, b = links.kind[k], links.pose_index[k]
    if kind < SPHERICAL:
        c, s = recursion.cos[k], recursion.sin[k]
        return (0.0, 0.0, recursion.z_shift[k]), (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
    if kind == TRANSLATION:
        return translation_at(recursion.pose, b), IDENTITY
    return ZERO, rotation_at(recursion.pose, b)


@large_exact_kernel
def carry_twist(step: tuple[Vec, Mat], w: Vec2, v: Vec2) -> tuple[Vec2, Vec2]:
    """A double-double twist (w, v) carried through a displacement, as `vectors.twist_down`."""
    r, R = step
    return turn_back(R, w), turn_back(R, add_vectors(v, cross_with((-r[0], -r[1], -r[2]), w)))


@large_exact_kernel
def carry_wrench_back(step: tuple[Vec, Mat], n: Vec2, f: Vec2) -> tuple[Vec2, Vec2]:
    """A double-double wrench or momentum (n, f) carried back through a displacement, as `vectors.wrench_up`."""
    r, R = step
    f = turn(R, f)
    return add_vectors(turn(R, n), cross_with(r, f)), f


@large_exact_kernel
def extended_twists(links: Links, recursion: RecursiveWork) -> None:
    """Twists of all links from joint_rate, base to tips, into columns TWIST of recursion.double_double."""
    fine, n = recursion.double_double, links.kind.shape[0]
    put_vectors(fine, n, TWIST, NO_VECTOR, NO_VECTOR)
    for k in range(n):
        kind, i = links.kind[k], links.dof[k]
        w, v = get_vectors(fine, links.parent[k], TWIST)
        w, v = carry_twist(fixed_displacement(links, k), w, v)
        w, v = carry_twist(joint_displacement(links, recursion, k), w, v)
        put_vectors(fine, k, TWIST, w, v)
        for j in range(FREEDOMS[kind]):
            turning, sliding, about = axis_of(links, k, kind, j)
            add_number(fine, k, TWIST + 2 * about, exact_product(turning, recursion.joint_rate[i + j]))
            add_number(fine, k, TWIST + 10, exact_product(sliding, recursion.joint_rate[i + j]))


@large_exact_kernel
def add_number(table: Floats, k: int, c: int, x: Twofold) -> None:
    """Add x to the double-double number at column c of row k."""
    put_number(table, k, c, plus((table[k, c], table[k, c + 1]), x))


@large_exact_kernel
def rigid_momentum(table: Floats, k: int, w: Vec2, v: Vec2) -> tuple[Vec2, Vec2]:
    """I V of the body in row k of links.rigid, as `inertias.rigid_times`, in double-double numbers."""
    x, y, z, m = table[k, 6], table[k, 7], table[k, 8], table[k, 9]
    about = (
        product_of(table[k, 0], table[k, 1], table[k, 2], w), product_of(table[k, 1], table[k, 3], table[k, 4], w),
        product_of(table[k, 2], table[k, 4], table[k, 5], w),
    )  # fmt: skip
    along = (times(m, v[0]), times(m, v[1]), times(m, v[2]))
    moment = (x, y, z)
    return add_vectors(about, cross_with(moment, v)), add_vectors(along, cross_with((-x, -y, -z), w))


@large_exact_kernel
def extended_momenta(links: Links, recursion: RecursiveWork) -> None:
    """Momenta p = E^T P of joint_rate, P of whole branches: the leading doubles into joint_momentum, the trailing ones
    into joint_acceleration, which is work space here."""
    fine, n = recursion.double_double, links.kind.shape[0]
    extended_twists(links, recursion)
    for k in range(n):
        w, v = get_vectors(fine, k, TWIST)
        w, v = rigid_momentum(links.rigid, k, w, v)
        put_vectors(fine, k, MOMENTUM, w, v)
    for k in range(n - 1, -1, -1):
        kind, i, p = links.kind[k], links.dof[k], links.parent[k]
        for j in range(FREEDOMS[kind]):
            turning, sliding, about = axis_of(links, k, kind, j)
            c = MOMENTUM + 2 * about
            x = times(turning, (fine[k, c], fine[k, c + 1]))
            x = plus(x, times(sliding, (fine[k, MOMENTUM + 10], fine[k, MOMENTUM + 11])))
            recursion.joint_momentum[i + j], recursion.joint_acceleration[i + j] = x[0], x[1]
        if p < n:
            a, f = get_vectors(fine, k, MOMENTUM)
            a, f = carry_wrench_back(joint_displacement(links, recursion, k), a, f)
            a, f = carry_wrench_back(fixed_displacement(links, k), a, f)
            w, v = get_vectors(fine, p, MOMENTUM)
            put_vectors(fine, p, MOMENTUM, add_vectors(w, a), add_vectors(v, f))


@large_exact_kernel
def extended_initial_momenta(links: Links, recursion: RecursiveWork) -> None:
    """Momenta of the base from joint_rate, base[d :, 0], and what rounding takes from them, base[d :, 1]."""
    d = recursion.joint_rate.shape[0]
    extended_momenta(links, recursion)
    for i in range(d):
        recursion.base[d + i, 0], recursion.base[d + i, 1] = (
            recursion.joint_momentum[i],
            -recursion.joint_acceleration[i],
        )


@kernel
def rates_lost_digits(recursion: RecursiveWork) -> bool:
    """Whether rates are small, by LOST, beside D_inv p, what the momenta alone would make of them."""
    largest, rate = 0.0, 0.0
    for i in range(recursion.joint_rate.shape[0]):
        largest = max(largest, abs(recursion.joint_momentum[i]) * recursion.D_inv[i])
        rate = max(rate, abs(recursion.joint_rate[i]))
    return bool(largest > LOST * rate)


@large_exact_kernel
def momentum_defect(work: Work, recursion: RecursiveWork) -> None:
    """joint_momentum: of base and increment, less those of the rates (joint_momentum + joint_acceleration)."""
    d = recursion.joint_rate.shape[0]
    for i in range(d):
        placed = plus(exact_sum(recursion.base[d + i, 0], work.psi[d + i]), (-recursion.base[d + i, 1], 0.0))
        recursion.joint_momentum[i] = plus(
            placed, minus((recursion.joint_momentum[i], recursion.joint_acceleration[i]))
        )[0]


@kernel
def refine_rates(work: Work, links: Links, recursion: RecursiveWork) -> None:
    """joint_rate and twist with one step of refinement: `momentum_defect` is solved for the rates' defect by the
    recursions. Leaves joint_momentum as set_state has it."""
    d = recursion.joint_rate.shape[0]
    extended_momenta(links, recursion)
    momentum_defect(work, recursion)
    for i in range(d):
        recursion.joint_acceleration[i] = recursion.joint_rate[i]
    velocities_from_momenta(links, recursion, False)
    for i in range(d):
        recursion.joint_rate[i] += recursion.joint_acceleration[i]
        recursion.joint_momentum[i] = recursion.base[d + i, 0] + work.psi[d + i]
    twists_from_rates(links, recursion)


@kernel
def output_tree_extended(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """`output_tree_momenta`, from rates that are as good as the momenta."""
    if rates_lost_digits(recursion):
        refine_rates(work, links, recursion)
    return int(output_tree_momenta(tables, work, links, recursion))


@kernel
def output_extended(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> int:
    """`output_momenta` of a tree that forces act on, in the same way; they are found again at the better rates."""
    if rates_lost_digits(recursion):
        refine_rates(work, links, recursion)
        set_body_velocities(work, links, recursion)
    return int(output_momenta(tables, work, links, recursion, factors))


OUTPUT_TREE = entry(output_tree_extended, TABLES, WORK, LINKS, RECURSION)
OUTPUT_FORCED = entry(output_extended, TABLES, WORK, LINKS, RECURSION, FACTORS)
