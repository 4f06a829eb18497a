"""Regular labels: every body's number is larger than its parent's [Mufti 1983, section 2], as tables for kernels.

Labels run from 0 in code and from 1 on paper, where b_(k+1) has label k and h_k is the arc that leads to it. They are
given depth first: the subtree of a body is the range of labels k to k + size[k] - 1, and an unbranched chain stands in
its order. The paper removes peripheral bodies one layer after another; of its labels, too, only the rule above is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.system.topology.arcs import Arc

Ints = NDArray[np.int64]


class Tree(NamedTuple):
    """The spanning forest by label, n = nb bodies. All arrays are int64, ready for kernels.

    body    (n,)  body number of each label
    parent  (n,)  label of the parent; -1 for a base: a body that hangs on ground, or the root of a floating tree
    arc     (n,)  arc that leads to the body; -1 for the root of a floating tree, which nothing leads to
    sign    (n,)  1 where the arc's first body is the parent, -1 where it is the child, 0 where there is no arc
    depth   (n,)  0 for a base
    size    (n,)  bodies in the subtree, the body itself included: labels k to k + size[k] - 1
    base    (n,)  label of the base that the body's branch starts with
    part    (n,)  the part of the mechanism it belongs to; parts are joined to each other through ground only
    start   (n + 1,), child (n - bases,)  children of k: child[start[k] : start[k + 1]], in order of label
    """

    body: Ints
    parent: Ints
    arc: Ints
    sign: Ints
    depth: Ints
    size: Ints
    base: Ints
    part: Ints
    start: Ints
    child: Ints


def label(parent: Sequence[int], arc: Sequence[int], part: Sequence[int], arcs: Sequence[Arc]) -> Tree:
    """Number the bodies of a forest: parts one after the other, children in the order of the description.

    parent, arc, part : (nb,) by body number, as `spanning` makes them.
    """
    n = len(parent)
    below: list[list[int]] = [[] for _ in range(n)]
    bases: list[int] = []
    for body in range(n):
        (bases if parent[body] < 0 else below[parent[body]]).append(body)
    bases.sort(key=lambda body: (part[body], body))
    order: list[int] = []
    stack = bases[::-1]
    while stack:
        body = stack.pop()
        order.append(body)
        stack += below[body][::-1]
    number = {body: k for k, body in enumerate(order)}
    up = [-1 if parent[body] < 0 else number[parent[body]] for body in order]
    depth, size, base = [0] * n, [1] * n, list(range(n))
    for k, p in enumerate(up):
        if p >= 0:
            depth[k], base[k] = depth[p] + 1, base[p]
    for k in range(n - 1, -1, -1):
        if up[k] >= 0:
            size[up[k]] += size[k]
    return Tree(
        body=integers(order),
        parent=integers(up),
        arc=integers([arc[body] for body in order]),
        sign=integers([_sign(arcs[arc[body]], body) if arc[body] >= 0 else 0 for body in order]),
        depth=integers(depth),
        size=integers(size),
        base=integers(base),
        part=integers([part[body] for body in order]),
        start=integers(np.cumsum([0, *(len(below[body]) for body in order)])),
        child=integers([number[one] for body in order for one in below[body]]),
    )


def _sign(arc: Arc, body: int) -> int:
    return 1 if arc.body_j == body else -1


def integers(values: Sequence[int] | Ints) -> Ints:
    """As kernels want them; read-only, because a topology does not change."""
    out = np.array(values, dtype=np.int64)
    out.flags.writeable = False
    return out
