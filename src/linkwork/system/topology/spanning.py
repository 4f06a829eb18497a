"""Which arcs carry the tree: a spanning forest of the joint graph, and where it is rooted.

Bodies that are tied to ground hang on ground, unless the user names a body as root. Any body can be one
[Mufti 1983, section 2]: its joint to ground, if it has one, is then the only one that stays in the tree.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import Literal

from linkwork.system.topology.arcs import Arc

Search = Literal["breadth", "depth"]
Near = list[list[tuple[int, int]]]  # per vertex (ground last) its arcs and the vertices at their other ends


class Forest:
    """The forest while it grows. `parent` and `arc` (nb,): parent body (-1: ground, or none) and arc to it (-1: none).

    weights : of the arcs; None for those that must not carry the tree.
    """

    def __init__(self, nb: int, arcs: Sequence[Arc], weights: Sequence[int | None]) -> None:
        self.nb, self.weights = nb, [0 if w is None else w for w in weights]
        self.near: Near = [[] for _ in range(nb + 1)]
        for a, arc in enumerate(arcs):
            i, j = arc.body_i % (nb + 1), arc.body_j % (nb + 1)  # -1, ground, becomes nb
            if weights[a] is not None and i != j:
                self.near[i].append((a, j))
                self.near[j].append((a, i))
        self.parent, self.arc = [-1] * nb, [-1] * nb
        self.reached = [False] * nb + [True]  # ground is there from the start

    def grow_from_ground(self, search: Search) -> None:
        """Grow from ground to all that is tied to it and not reached yet."""
        self._grow(self.nb, search)

    def grow_from(self, root: int, search: Search) -> None:
        """Grow from a body; ground is its parent if a joint ties the two."""
        ties = [a for a, other in self.near[root] if other == self.nb]
        self.arc[root] = max(ties, key=lambda a: (self.weights[a], -a), default=-1)
        self.reached[root] = True
        self._grow(root, search)

    def let_float(self, search: Search) -> None:
        """Grow a tree from the middle of each piece that is not reached yet."""
        for body in range(self.nb):
            if not self.reached[body]:
                self.grow_from(self.middle(body), search)

    def _grow(self, start: int, search: Search) -> None:
        (self._by_breadth if search == "breadth" else self._by_depth)(start)

    def _by_breadth(self, start: int) -> None:
        """The heaviest arc that leads on, always [Prim 1957]; of equal ones that which starts nearest to the root.

        No spanning tree is heavier, and where all weights are equal none with this root is lower.
        """
        heap: list[tuple[int, int, int, int, int]] = []

        def open_arcs(vertex: int, depth: int) -> None:
            for a, other in self.near[vertex]:
                if not self.reached[other]:
                    heappush(heap, (-self.weights[a], depth, a, vertex, other))

        open_arcs(start, 0)
        while heap:
            _, depth, a, vertex, body = heappop(heap)
            if not self.reached[body]:
                self._join(body, vertex, a)
                open_arcs(body, depth + 1)

    def _by_depth(self, start: int) -> None:
        """As far as it goes before turning back, heaviest arcs first: every cut arc joins a body and an ancestor."""
        path = [(start, iter(self._heaviest_first(start)))]
        while path:
            vertex, arcs = path[-1]
            for a, body in arcs:
                if not self.reached[body]:
                    self._join(body, vertex, a)
                    path.append((body, iter(self._heaviest_first(body))))
                    break
            else:
                path.pop()

    def _heaviest_first(self, vertex: int) -> list[tuple[int, int]]:
        return sorted(self.near[vertex], key=lambda arc: (-self.weights[arc[0]], arc[0]))

    def _join(self, body: int, parent: int, a: int) -> None:
        self.parent[body], self.arc[body], self.reached[body] = (-1 if parent == self.nb else parent), a, True

    def middle(self, body: int) -> int:
        """A body in the middle of the piece around `body`: half-way along a longest shortest path (or nearly)."""
        far, _ = self._farthest(body)
        far, before = self._farthest(far)
        path = [far]
        while before[path[-1]] >= 0:
            path.append(before[path[-1]])
        return min(path[(len(path) - 1) // 2], path[len(path) // 2])

    def _farthest(self, body: int) -> tuple[int, Mapping[int, int]]:
        """The last body reached in breadth, and from where each was reached; through bodies not in the forest."""
        before, queue = {body: -1}, deque([body])
        while queue:
            body = queue.popleft()
            for _, other in self.near[body]:
                if not self.reached[other] and other not in before:
                    before[other] = body
                    queue.append(other)
        return body, before


def parts_of(nb: int, arcs: Sequence[Arc]) -> tuple[list[int], list[bool]]:
    """The part that each body belongs to (nb,), numbered by their first bodies, and whether each is tied to ground.

    Bodies are in one part if joints or raw constraints connect them otherwise than through ground.
    """
    near: list[list[int]] = [[] for _ in range(nb)]
    for arc in arcs:
        if min(arc.body_i, arc.body_j) >= 0:
            near[arc.body_i].append(arc.body_j)
            near[arc.body_j].append(arc.body_i)
    part, count = [-1] * nb, 0
    for body in range(nb):
        if part[body] < 0:
            part[body], stack = count, [body]
            while stack:
                for other in near[stack.pop()]:
                    if part[other] < 0:
                        part[other] = count
                        stack.append(other)
            count += 1
    grounded = [False] * count
    for arc in arcs:
        body = max(arc.body_i, arc.body_j)
        if min(arc.body_i, arc.body_j) < 0 <= body:
            grounded[part[body]] = True
    return part, grounded
