"""How a joint's second marker moves as seen from its first, over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.header import Array
from linkwork.mechanism.markers import Marker
from linkwork.quantities.model import Motion, crossed, path_of, turned, turned_back


@dataclass(frozen=True)
class Relative:
    """The second marker in the first, all in components of the FIRST marker except where said.

    R (nt, 3, 3) : second marker's axes. p, p1, p2 (nt, 3) : its point, the velocity and acceleration of the point as an
    observer on the first body sees them. w, w1 (nt, 3) : relative angular velocity and its rate, seen likewise.
    w_second, w1_second : the same vectors in components of the second marker.
    """

    R: Array
    p: Array
    p1: Array
    p2: Array
    w: Array
    w1: Array
    w_second: Array
    w1_second: Array


def axes_of(marker: Marker) -> Array:
    """(3, 3) the marker's axes as columns, in components of its body."""
    return np.array([marker.x, marker.y, marker.z]).T


def relative(first: Motion, second: Motion, i: Marker, j: Marker) -> Relative:
    """The second marker j against the first, i."""
    M, N = axes_of(i), axes_of(j)
    place, place1, place2 = path_of(second, np.array(j.point))
    base, base1, base2 = path_of(first, np.array(i.point))
    w = first.w
    p = turned_back(first.A, place - base)  # in the first body's frame, which turns with w
    p1 = turned_back(first.A, place1 - base1) - crossed(w, p)
    p2 = (
        turned_back(first.A, place2 - base2)
        - crossed(first.alpha, p)
        - 2.0 * crossed(w, p1)
        - crossed(w, crossed(w, p))
    )
    P = np.swapaxes(first.A, 1, 2) @ second.A
    carried = turned_back(P, w)
    spin = second.w - carried
    spin1 = second.alpha - turned_back(P, first.alpha) + crossed(spin, carried)
    return Relative(
        R=M.T @ P @ N,
        p=p @ M,
        p1=p1 @ M,
        p2=p2 @ M,
        w=turned(P, spin) @ M,
        w1=turned(P, spin1) @ M,
        w_second=spin @ N,
        w1_second=spin1 @ N,
    )
