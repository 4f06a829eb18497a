"""Weight of branches: first moments go up, the direction of gravity goes down; a number per freedom is left."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.link_transforms import link_at
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.tuple_access import at3, at9, set3
from linkwork.kernels.vec3 import add, scale
from linkwork.system.links.linktree import BALL, P_, R_, TURNED


@kernel
def weigh(tables: Any, links: Any, own: Any) -> None:
    """Weight per mass in every link's frame, and first moments of all branches."""
    n = links.what.shape[0]
    for k in range(n - 1, -1, -1):
        hand_up_moment(links, own, k, link_at(links, own, k))
    hang(tables, own, n)
    for k in range(n):
        find_weight(links, own, k, link_at(links, own, k))


@kernel
def hang(tables: Any, own: Any, n: Any) -> None:
    """Weight per mass on ground."""
    for c in range(3):
        own.g[n, c] = tables.gravity[c]


@kernel
def find_weight(links: Any, own: Any, k: Any, link: Any) -> Any:
    """Weight per mass in a link's frame from that in its parent's. Returns it, too."""
    g = turn_down(links, own, k, link, at3(own.g, link.parent, 0))
    set3(own.g, k, 0, g)
    return g


@kernel
def hand_up_moment(links: Any, own: Any, k: Any, link: Any) -> None:
    """Mass and first moment of a link whose branches are done, to the parent: the last child, which comes first, begins
    the sum with the parent's own."""
    moment, mass, p = own.moment, own.mass, link.parent
    if link.leaf:
        put_moment(own, k, rigid_moment(links, k))
    if link.inner:
        x, m = moment_up(links, own, k, link, at3(moment, k, 0), mass[k]), mass[k]
        a, b = rigid_moment(links, p) if link.last_child else (at3(moment, p, 0), mass[p])
        put_moment(own, p, ((a[0] + x[0], a[1] + x[1], a[2] + x[2]), b + m))


@kernel
def rigid_moment(links: Any, k: Any) -> Any:
    """Of a link's body: first moment, mass."""
    return at3(links.rigid, k, 6), links.rigid[k, 9]


@kernel
def put_moment(own: Any, k: Any, x: Any) -> None:
    """Of the branch at a link."""
    set3(own.moment, k, 0, x[0])
    own.mass[k] = x[1]


@kernel
def turn_down(links: Any, own: Any, k: Any, link: Any, x: Any) -> Any:
    """A vector of the parent's frame in link k's."""
    if link.general:
        x = rotate_t(at9(links.general, k, R_), x)
    else:
        _, c, s = link.x
        x = (x[0], c * x[1] + s * x[2], c * x[2] - s * x[1])
    if link.kind < BALL:
        _, c, s = link.z
        return (c * x[0] + s * x[1], c * x[1] - s * x[0], x[2])
    if link.kind == BALL:
        return rotate_t(at9(own.pose, links.what[k, TURNED], 0), x)
    return x


@kernel
def moment_up(links: Any, own: Any, k: Any, link: Any, x: Any, m: Any) -> Any:
    """A first moment of mass m in link k's frame, in the parent's."""
    if link.kind < BALL:
        d, c, s = link.z
        x = (c * x[0] - s * x[1], s * x[0] + c * x[1], x[2] + m * d)
    elif link.kind == BALL:
        x = rotate(at9(own.pose, links.what[k, TURNED], 0), x)
    else:
        x = add(x, scale(m, at3(own.pose, links.what[k, TURNED], 9)))
    if link.general:
        return add(rotate(at9(links.general, k, R_), x), scale(m, at3(links.general, k, P_)))
    a, c, s = link.x
    return (x[0] + m * a, c * x[1] - s * x[2], s * x[1] + c * x[2])
