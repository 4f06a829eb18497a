"""Joint graphs without mechanics, and slow answers about them: distances, heaviest forests, ancestors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.mechanism.lowered import Lowered, LoweredBody, LoweredJoint, Row
from linkwork.system import CompiledMechanism, compile_mechanism

Edge = tuple[int, int, int]  # two bodies (-1: ground), and how many rows join them


def compiled(nb: int, edges: Sequence[Edge], names: Sequence[str] | None = None) -> CompiledMechanism:
    """A mechanism of nb points; edge k is a joint named 'k' (or as `names` says) that locks as many rows as it says."""
    rows: list[Row] = []
    joints: list[LoweredJoint] = []
    for k, (i, j, count) in enumerate(edges):
        name = str(k) if names is None else names[k]
        first = len(rows)
        rows += [Row("CD", f"{name}.{n}", name, i, j, a_i=(1.0, 0.0, 0.0)) for n in range(count)]
        joints.append(LoweredJoint(name, "made up", "joint", i, j, (0.0, 0.0, 0.0), tuple(range(first, len(rows)))))
    zero, one = np.zeros(3), np.eye(3)
    bodies = tuple(LoweredBody(f"body {k}", 1.0, one, zero, one, zero, zero) for k in range(nb))
    return compile_mechanism(Lowered("graph", zero, bodies, tuple(rows), tuple(joints)))


def heaviest_forest(nb: int, edges: Sequence[Edge]) -> int:
    """The weight of the heaviest spanning forest, ground a vertex like any other [Kruskal 1956]."""
    of, weight = list(range(nb + 1)), 0
    for i, j, w in sorted(edges, key=lambda edge: -edge[2]):
        a, b = of[i], of[j]  # -1 is the last vertex
        if a != b:
            of, weight = [a if one == b else one for one in of], weight + w
    return weight


def distances(nb: int, edges: Sequence[Edge]) -> list[int]:
    """Arcs on the shortest way from ground to each body; -1 where there is none."""
    found = [-1] * nb + [0]
    for far in range(nb + 1):
        for i, j, _ in edges:
            for a, b in ((i, j), (j, i)):
                if found[a] == far and found[b] < 0:
                    found[b] = far + 1
    return found[:nb]


def ancestors(parent: Sequence[int], k: int) -> list[int]:
    """k, its parent and so on; -1, ground, at the end."""
    found = [k]
    while found[-1] >= 0:
        found.append(int(parent[found[-1]]))
    return found
