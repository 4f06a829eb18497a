"""Weight of branches: first moments go to the base, the vector of gravity to the tips; a number per freedom is left."""

from __future__ import annotations

from linkwork.formulations.recursive.link_transforms import Link, link_at
from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.spatial.displacements import rotation_at, translation_at
from linkwork.kernels.tuple_access import at3, set3
from linkwork.kernels.vec3 import Vec, add, scale
from linkwork.system.links import Links
from linkwork.system.links.linktree import SPHERICAL
from linkwork.system.packed import Tables


@kernel
def gravity_of_branches(tables: Tables, links: Links, recursion: RecursiveWork) -> None:
    """gravity of all links (n, 3), first_moment (n, 3) and branch_mass (n,) of all branches."""
    n = links.kind.shape[0]
    for k in range(n - 1, -1, -1):
        propagate_first_moment(links, recursion, k, link_at(links, recursion, k))
    base_gravity(tables, recursion, n)
    for k in range(n):
        link_gravity(links, recursion, k, link_at(links, recursion, k))


@kernel
def base_gravity(tables: Tables, recursion: RecursiveWork, n: int) -> None:
    """gravity of ground, row n: tables.gravity, m/s^2."""
    for c in range(3):
        recursion.gravity[n, c] = tables.gravity[c]


@kernel
def link_gravity(links: Links, recursion: RecursiveWork, k: int, link: Link) -> Vec:
    """gravity in link k's frame from that in its parent's. Writes it, and returns it: read back, it would be known
    later."""
    g = rotate_to_link(links, recursion, k, link, at3(recursion.gravity, link.parent, 0))
    set3(recursion.gravity, k, 0, g)
    return g


@kernel
def propagate_first_moment(links: Links, recursion: RecursiveWork, k: int, link: Link) -> None:
    """Mass and first moment (kg, kg m) of the branch at link k, whose children are done, to its parent. Of siblings the
    last comes first: it begins the sum with the parent's own body."""
    moment, mass, p = recursion.first_moment, recursion.branch_mass, link.parent
    if link.leaf:
        put_first_moment(recursion, k, rigid_first_moment(links, k))
    if link.inner:
        x, m = first_moment_up(links, recursion, k, link, at3(moment, k, 0), mass[k]), mass[k]
        a, b = rigid_first_moment(links, p) if link.last_child else (at3(moment, p, 0), mass[p])
        put_first_moment(recursion, p, ((a[0] + x[0], a[1] + x[1], a[2] + x[2]), b + m))


@kernel
def rigid_first_moment(links: Links, k: int) -> tuple[Vec, float]:
    """First moment (kg m, about the link's origin) and mass of link k's own body."""
    return at3(links.rigid, k, 6), links.rigid[k, 9]


@kernel
def put_first_moment(recursion: RecursiveWork, k: int, x: tuple[Vec, float]) -> None:
    """Write first_moment[k] [kg m] and branch_mass[k] [kg] of the branch from link k on."""
    set3(recursion.first_moment, k, 0, x[0])
    recursion.branch_mass[k] = x[1]


@kernel
def rotate_to_link(links: Links, recursion: RecursiveWork, k: int, link: Link, x: Vec) -> Vec:
    """Components of a vector of the parent's frame in link k's."""
    if link.general:
        x = rotate_t(rotation_at(links.fixed, k), x)
    else:
        _, c, s = link.x
        x = (x[0], c * x[1] + s * x[2], c * x[2] - s * x[1])
    if link.kind < SPHERICAL:
        _, c, s = link.z
        return (c * x[0] + s * x[1], c * x[1] - s * x[0], x[2])
    if link.kind == SPHERICAL:
        return rotate_t(rotation_at(recursion.pose, links.pose_index[k]), x)
    return x


@kernel
def first_moment_up(links: Links, recursion: RecursiveWork, k: int, link: Link, x: Vec, m: float) -> Vec:
    """A first moment x of mass m in link k's frame, in the parent's: R x + m p."""
    if link.kind < SPHERICAL:
        d, c, s = link.z
        x = (c * x[0] - s * x[1], s * x[0] + c * x[1], x[2] + m * d)
    elif link.kind == SPHERICAL:
        x = rotate(rotation_at(recursion.pose, links.pose_index[k]), x)
    else:
        x = add(x, scale(m, translation_at(recursion.pose, links.pose_index[k])))
    if link.general:
        return add(rotate(rotation_at(links.fixed, k), x), scale(m, translation_at(links.fixed, k)))
    a, c, s = link.x
    return (x[0] + m * a, c * x[1] - s * x[2], s * x[1] + c * x[2])
