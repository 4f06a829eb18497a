"""Weight of branches: first moments go up, the direction of gravity goes down; a number per freedom is left."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.own import D
from linkwork.kernels.columns import at3, at9, natural, set3
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.vec3 import add, scale
from linkwork.system.links.linktree import A_X, BALL, COS, GENERAL, KIND, LAST_CHILD, LEAF, P_, PARENT, R_, SIN, TURNED


@kernel
def weigh(tables: Any, links: Any, own: Any) -> None:
    """Weight per mass in every link's frame, and first moments of all branches."""
    n = links.what.shape[0]
    for k in range(n - 1, -1, -1):
        hand_up_moment(links, own, k)
    hang(tables, own, n)
    for k in range(n):
        find_weight(links, own, k)


@kernel
def hang(tables: Any, own: Any, n: Any) -> None:
    """Weight per mass on ground."""
    for c in range(3):
        own.g[n, c] = tables.gravity[c]


@kernel
def find_weight(links: Any, own: Any, k: Any) -> None:
    """Weight per mass in a link's frame from that in its parent's."""
    set3(own.g, k, 0, turn_down(links, own, k, at3(own.g, natural(links.what[k, PARENT]), 0)))


@kernel
def hand_up_moment(links: Any, own: Any, k: Any) -> None:
    """Mass and first moment of a link whose branches are done."""
    moment, mass, rigid, p = own.moment, own.mass, links.rigid, natural(links.what[k, PARENT])
    x, y, z, m = rigid[k, 6], rigid[k, 7], rigid[k, 8], rigid[k, 9]
    if links.what[k, LEAF] == 0:
        x, y, z, m = moment[k, 0] + x, moment[k, 1] + y, moment[k, 2] + z, mass[k] + m
    moment[k, 0], moment[k, 1], moment[k, 2], mass[k] = x, y, z, m
    if p < links.what.shape[0]:
        x, y, z = moment_up(links, own, k, (x, y, z), m)
        if links.what[k, LAST_CHILD] == 0:
            x, y, z, m = moment[p, 0] + x, moment[p, 1] + y, moment[p, 2] + z, mass[p] + m
        moment[p, 0], moment[p, 1], moment[p, 2], mass[p] = x, y, z, m


@kernel
def turn_down(links: Any, own: Any, k: Any, x: Any) -> Any:
    """A vector of the parent's frame in link k's."""
    if links.what[k, GENERAL] == 1:
        x = rotate_t(at9(links.general, k, R_), x)
    else:
        c, s = links.screw[k, COS], links.screw[k, SIN]
        x = (x[0], c * x[1] + s * x[2], c * x[2] - s * x[1])
    if links.what[k, KIND] < BALL:
        c, s = own.cos[k], own.sin[k]
        return (c * x[0] + s * x[1], c * x[1] - s * x[0], x[2])
    if links.what[k, KIND] == BALL:
        return rotate_t(at9(own.pose, links.what[k, TURNED], 0), x)
    return x


@kernel
def moment_up(links: Any, own: Any, k: Any, x: Any, m: Any) -> Any:
    """A first moment of mass m in link k's frame, in the parent's."""
    kind = links.what[k, KIND]
    if kind < BALL:
        c, s = own.cos[k], own.sin[k]
        x = (c * x[0] - s * x[1], s * x[0] + c * x[1], x[2] + m * own.now[k, D])
    elif kind == BALL:
        x = rotate(at9(own.pose, links.what[k, TURNED], 0), x)
    else:
        x = add(x, scale(m, at3(own.pose, links.what[k, TURNED], 9)))
    if links.what[k, GENERAL] == 1:
        return add(rotate(at9(links.general, k, R_), x), scale(m, at3(links.general, k, P_)))
    c, s = links.screw[k, COS], links.screw[k, SIN]
    return (x[0] + m * links.screw[k, A_X], c * x[1] - s * x[2], s * x[1] + c * x[2])
