"""Twists of all links from the rates, from the base to the tips; and where bodies go with them."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.eliminate import freedom
from linkwork.formulations.recursive.link_transforms import down, link_at
from linkwork.formulations.recursive.workspace import RATE
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.spatial.vectors import get6, put6
from linkwork.kernels.tuple_access import at3, at9, set3
from linkwork.kernels.vec3 import add, cross
from linkwork.problems.explicit import V as V_
from linkwork.problems.explicit import W as W_
from linkwork.system.links.linktree import (
    BODY,
    FREEDOMS,
    HELD,
    PER_SLIDE,
    PER_TURN,
    TURN,
)


@kernel
def spread_rates(links: Any, own: Any) -> None:
    """own.V from own.rate and the drivers' rates."""
    n = links.what.shape[0]
    for k in range(n):
        link = link_at(links, own, k)
        kind, i = link.kind, link.dof
        if kind == TURN and not link.inner:
            put6(own.V, k, (0.0, 0.0, own.rate[i], 0.0, 0.0, 0.0))
            continue
        V = down(links, own, k, link, get6(own.V, link.parent))
        if kind == TURN:
            V = (V[0], V[1], V[2] + own.rate[i], V[3], V[4], V[5])
            put6(own.V, k, V)
        else:
            put6(own.V, k, V)
            move_otherwise(links, own, k, kind, i, own.V, own.rate)
            if kind == HELD:
                own.V[k, 2] += links.screw[k, PER_TURN] * own.now[k, RATE]
                own.V[k, 5] += links.screw[k, PER_SLIDE] * own.now[k, RATE]


@kernel
def move_otherwise(links: Any, own: Any, k: Any, kind: Any, i: Any, table: Any, rates: Any) -> None:
    """Add E times the rates of a joint other than a pin to row k of a table."""
    for j in range(FREEDOMS[kind]):
        turn, slide, about = freedom(links, k, kind, j)
        table[k, about] += turn * rates[i + j]
        table[k, 5] += slide * rates[i + j]


@kernel
def move_bodies(work: Any, links: Any, own: Any) -> None:
    """Velocities of all bodies at their centres of mass, from own.V."""
    m = work.motion
    for k in range(links.what.shape[0]):
        b = links.what[k, BODY]
        if b >= 0:
            V = get6(own.V, k)
            w = (V[0], V[1], V[2])
            v = add((V[3], V[4], V[5]), cross(w, at3(links.place, k, 9)))
            set3(m, b, W_, rotate_t(at9(links.place, k, 0), w))
            set3(m, b, V_, rotate(at9(own.world, k, 0), v))
