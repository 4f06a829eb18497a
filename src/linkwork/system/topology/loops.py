"""The joints that are cut, and the loops they close: with each cut joint the tree has one circuit.

The circuit of a cut joint from body i to body j runs through the tree from i up to where the two branches meet (a body,
or ground) and down to j. Floating trees count as hung on ground by an arc that locks nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from linkwork.system.topology.arcs import Arc
from linkwork.system.topology.labels import Ints, Tree, integers


class Cuts(NamedTuple):
    """The closing joints, m of them, in the order of the description; int64 arrays. Columns of C* [Mufti 1983, eq. 62].

    arc     (m,)  number of the arc
    i, j    (m,)  labels of its first and second body, -1: ground; the arc leads from i to j
    meet    (m,)  label of the last body that the branches to i and to j have in common, -1: none but ground
    length  (m,)  tree arcs in the loop
    """

    arc: Ints
    i: Ints
    j: Ints
    meet: Ints
    length: Ints


def cuts_of(tree: Tree, arcs: Sequence[Arc]) -> Cuts:
    """All arcs that do not carry the tree, and where their loops turn round."""
    carrying = set(tree.arc.tolist())
    cut = [a for a in range(len(arcs)) if a not in carrying]
    number = np.append(np.zeros(len(tree.body), dtype=np.int64), -1)  # by body, ground last
    number[tree.body] = np.arange(len(tree.body))
    i = number[[arcs[a].body_i for a in cut]] if cut else number[:0]
    j = number[[arcs[a].body_j for a in cut]] if cut else number[:0]
    meet = meeting(tree, i, j)
    depth = np.append(tree.depth, -1)
    return Cuts(
        integers(cut), integers(i), integers(j), integers(meet), integers(depth[i] + depth[j] - 2 * depth[meet])
    )


def meeting(tree: Tree, i: Ints, j: Ints) -> Ints:
    """The lowest common ancestors (m,) of labels i and j (m,), -1 for ground.

    From i upward in jumps of falling powers of two, as long as a jump does not arrive at an ancestor of j.
    """
    n = len(tree.parent)
    jump = [np.append(tree.parent, -1)]  # ground stays at ground
    last = np.append(tree.size + np.arange(n), n)  # one past the subtree's last label; ground's holds every label

    def holds(k: Ints, below: Ints) -> Ints:
        return np.asarray((k <= below) & (below < last[k]))

    while (jump[-1] >= 0).any():
        jump.append(jump[-1][jump[-1]])
    here = i.copy()
    for up in reversed(jump):
        there = up[here]
        here = np.where(holds(here, j) | holds(there, j), here, there)
    return np.where(holds(here, j), here, jump[0][here])


def loop(tree: Tree, i: int, j: int, meet: int) -> tuple[list[int], list[int]]:
    """The tree arcs between labels i and j, as the labels of the bodies they lead to, and their signs.

    1 where the way from i to j goes along the arc, from parent to child; -1 where it goes against it. These are the
    entries that T C* has in the column of a cut joint from i to j.
    """
    parent = tree.parent.tolist()
    up, down = [], []
    while i != meet:
        up.append(i)
        i = parent[i]
    while j != meet:
        down.append(j)
        j = parent[j]
    return up + down[::-1], [-1] * len(up) + [1] * len(down)
