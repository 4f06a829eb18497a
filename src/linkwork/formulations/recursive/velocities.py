"""Twists of all links from the rates, base to tips; and the velocities of bodies with them."""

from __future__ import annotations

from linkwork.formulations.recursive.articulated_inertia import axis_of
from linkwork.formulations.recursive.link_transforms import link_at, twist_to_link
from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.spatial.displacements import rotation_at, translation_at
from linkwork.kernels.spatial.vectors import get6, put6
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import set3
from linkwork.kernels.vec3 import add, cross
from linkwork.problems.explicit import V as MOTION_V
from linkwork.problems.explicit import W as MOTION_W
from linkwork.problems.explicit import Work
from linkwork.system.links import Links
from linkwork.system.links.linktree import FIXED, FREEDOMS, REVOLUTE


@kernel
def twists_from_rates(links: Links, recursion: RecursiveWork) -> None:
    """Twists of all links from joint_rate and the drivers' rates, base to tips: V = X V_parent + E qdot.

    Reads joint_rate (d,), driven_rate; writes twist (n, 6), rad/s and m/s in each link's frame."""
    n = links.kind.shape[0]
    for k in range(n):
        link = link_at(links, recursion, k)
        kind, i = link.kind, link.dof
        if kind == REVOLUTE and not link.inner:
            put6(recursion.twist, k, (0.0, 0.0, recursion.joint_rate[i], 0.0, 0.0, 0.0))
            continue
        V = twist_to_link(links, recursion, k, link, get6(recursion.twist, link.parent))
        if kind == REVOLUTE:
            V = (V[0], V[1], V[2] + recursion.joint_rate[i], V[3], V[4], V[5])
            put6(recursion.twist, k, V)
        else:
            put6(recursion.twist, k, V)
            add_joint_twist(links, recursion, k, kind, i, recursion.twist, recursion.joint_rate)
            if kind == FIXED:
                recursion.twist[k, 2] += links.turn_per_q[k] * recursion.driven_rate[k]
                recursion.twist[k, 5] += links.slide_per_q[k] * recursion.driven_rate[k]


@kernel
def add_joint_twist(
    links: Links, recursion: RecursiveWork, k: int, kind: int, i: int, table: Floats, rates: Floats
) -> None:
    """Add E times the rates of link k's joint, which is not revolute, to row k of a table of twists (n + 1, 6)."""
    for j in range(FREEDOMS[kind]):
        turn, slide, about = axis_of(links, k, kind, j)
        table[k, about] += turn * rates[i + j]
        table[k, 5] += slide * rates[i + j]


@kernel
def set_body_velocities(work: Work, links: Links, recursion: RecursiveWork) -> None:
    """v (global) and omega (in the body) of all bodies at their centres of mass, from the links' twists.

    Reads twist, link_frame; writes columns V and W of work.motion, m/s and rad/s."""
    m = work.motion
    for k in range(links.kind.shape[0]):
        b = links.body[k]
        if b >= 0:
            V = get6(recursion.twist, k)
            w = (V[0], V[1], V[2])
            v = add((V[3], V[4], V[5]), cross(w, translation_at(links.body_frame, k)))
            set3(m, b, MOTION_W, rotate_t(rotation_at(links.body_frame, k), w))
            set3(m, b, MOTION_V, rotate(rotation_at(recursion.link_frame, k), v))
