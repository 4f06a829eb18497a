"""The pattern of L D L^T for a sparse symmetric positive definite matrix (Python side, once per mechanism).

Rows with the same neighbours (those of one joint, as a rule) form a block. Elimination order and elimination tree
are found on the graph of blocks; columns of L with the same rows below them are then cut into supernodes of at most
three, which the kernels of `sparse.ldl` eliminate in registers. Not the orders of `sparse.ordering`: those serve
matrices whose pivots depend on the numbers, and count unknowns where blocks of unequal sizes should weigh.
"""

from __future__ import annotations

import heapq
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from linkwork.kernels.records import Shape
from linkwork.kernels.sparse.pattern import Indices, Ints
from linkwork.remembered import remembered

WIDEST = 3  # columns eliminated together, at most: as many as `sparse.supernodes` has formulas for
MOST_UPDATES = 4_000_000  # places listed for updates; beyond, they are searched for in every factorisation
SOLVES = 2  # solves for each factorisation, in the cost of an order
RESTARTS = 8  # orders tried with ties broken at random ...
RESTART_BUDGET = 8_000  # ... for this many blocks in all
ORDER_BUDGET = 40_000_000  # operations beyond which what is left counts as dense

Graph = list[set[int]]


class LdlPattern(NamedTuple):
    """Which entries L has, and where they stand in `values`.

    Columns are numbered in order of elimination; supernode s holds columns first[s] to first[s + 1]. `values` begins
    with the diagonal (n,). Then come the supernodes, each with the strict lower triangle of its diagonal block, then
    the rows below it; both row by row, a row's entries side by side. S stands in the same places before it is factored.
    """

    order: Annotated[Indices, Shape("n"), "the row of S eliminated k-th"]
    first: Annotated[Indices, Shape("supernodes + 1"), "columns of each supernode"]
    start: Annotated[Indices, Shape("supernodes + 1"), "its entries in `values`, whose length comes last"]
    below: Annotated[Indices, Shape("supernodes + 1"), "its part of `rows`"]
    rows: Annotated[Indices, Shape("rows"), "the rows below each supernode, ascending"]
    update: Annotated[Indices, Shape("supernodes + 1"), "its part of `targets`"]
    targets: Annotated[
        Indices,
        Shape("targets"),
        "places in `values` that each supernode updates, in the order of `update_order`; or empty",
    ]
    owner: Annotated[Indices, Shape("n"), "the supernode of each column"]


class BlockColumn(NamedTuple):
    """A block column of L: blocks with the same rows below them, in order of elimination."""

    blocks: list[int]
    below: set[int]  # blocks
    parent: int  # the block that is eliminated first of those below; -1: none


class Supernode(NamedTuple):
    """A few columns with the same rows below them, as S numbers its rows."""

    columns: list[int]
    below: list[int]


@remembered
def ldl_pattern(rows: ArrayLike, cols: ArrayLike, n: int, most_updates: int = MOST_UPDATES) -> tuple[LdlPattern, Ints]:
    """Analyse an n x n symmetric matrix given by the places of its entries, and say where each entry goes.

    rows, cols    (m,)  places in either triangle. Places named several times, or as (k, l) and (l, k), are one
                        place: what goes there is added up, so that an entry belongs in one triangle only
    most_updates  updates whose places are listed, at 4 bytes each; beyond, a slower kernel does without the list
    Returns the pattern and `where` (m,): `values[where[e]] += x` writes entry e. Diagonal entries have a place
    whether named or not: `values[k]` is that of row order[k].
    """
    r = np.asarray(rows, dtype=np.int64).ravel()
    c = np.asarray(cols, dtype=np.int64).ravel()
    if r.shape != c.shape:
        raise ValueError(f"rows and cols differ in length: {r.size} and {c.size}")
    if r.size and (min(r.min(), c.min()) < 0 or max(r.max(), c.max()) >= n):
        raise ValueError(f"an entry lies outside the {n} x {n} matrix")
    members, graph = blocks(r, c, n)
    elimination = cheapest_order(graph, [len(rows) for rows in members])
    supernodes = cut_into_supernodes(block_columns(graph, elimination), members)
    order = np.array([i for supernode in supernodes for i in supernode.columns], dtype=np.int64)
    step = np.empty(n, dtype=np.int64)
    step[order] = np.arange(n)
    made = lay_out(supernodes, order, step, most_updates)
    return made, places(made, step[r], step[c])


def blocks(r: Ints, c: Ints, n: int) -> tuple[list[list[int]], Graph]:
    """Rows with equal neighbourhoods (themselves included) as blocks, and the graph of blocks."""
    every = np.arange(n)
    near = np.sort(np.concatenate([r * n + c, c * n + r, every * n + every]))
    near = near[np.diff(near, prepend=-1) > 0]  # each once, ascending by row, then by neighbour
    start = np.searchsorted(near, np.arange(n + 1) * n).tolist()
    near %= max(n, 1)
    found: dict[bytes, int] = {}
    block_of = [found.setdefault(near[start[i] : start[i + 1]].tobytes(), len(found)) for i in range(n)]
    members: list[list[int]] = [[] for _ in found]
    for i, b in enumerate(block_of):
        members[b].append(i)
    blocks = np.array(block_of, dtype=np.int64)[near].tolist()
    graph = [set(blocks[start[some[0]] : start[some[0] + 1]]) - {b} for b, some in enumerate(members)]
    return members, graph


# order


def cheapest_order(graph: Graph, sizes: list[int]) -> list[int]:
    """The cheapest of a few orders of blocks; of equally cheap ones, that with the lowest tree."""
    restarts = min(RESTARTS, RESTART_BUDGET // max(len(graph), 1))
    tries = [least_degree(graph, sizes, None), *(least_degree(graph, sizes, seed) for seed in range(restarts))]
    return min(tries)[-1]


def least_degree(graph: Graph, sizes: list[int], seed: int | None) -> tuple[int, int, list[int]]:
    """Eliminate the block with fewest neighbouring rows, again and again: operations, height of the tree, order.

    seed   breaks ties at random; None: by height, which keeps the tree low
    """
    neighbours = [set(near) for near in graph]
    count = len(graph)
    tie = [0] * count if seed is None else np.random.default_rng(seed).permutation(count).tolist()
    height = [0] * count
    degree = [sum(sizes[d] for d in near) for near in graph]
    heap = [(degree[b], tie[b], b) for b in range(count)]
    heapq.heapify(heap)
    gone = [False] * count
    order: list[int] = []
    cost, budget = 0, ORDER_BUDGET
    while heap and budget > 0:
        entry = heapq.heappop(heap)
        b = entry[-1]
        if gone[b] or entry != (degree[b], tie[b], b):
            continue
        gone[b] = True
        order.append(b)
        front = neighbours[b]
        budget -= len(front) ** 2
        for m in range(degree[b], degree[b] + sizes[b]):
            cost += m * (m + 1) // 2 + 2 * SOLVES * m
        for a in front:
            mine = neighbours[a]
            mine |= front
            mine -= {a, b}
            degree[a] = sum(sizes[d] for d in mine)
            height[a] = max(height[a], height[b] + 1)
            if seed is None:
                tie[a] = height[a]
            heapq.heappush(heap, (degree[a], tie[a], a))
    order += [b for b in range(count) if not gone[b]]
    return cost, max(height, default=0), order


# columns


def block_columns(graph: Graph, order: list[int]) -> list[BlockColumn]:
    """Eliminate symbolically; every column comes after those it waits for."""
    position = {b: k for k, b in enumerate(order)}
    below: Graph = [{d for d in graph[b] if position[d] > position[b]} for b in range(len(graph))]
    children: Graph = [set() for _ in graph]
    made: dict[int, BlockColumn] = {}  # by their last block
    for b in order:
        for child in children[b]:
            below[b] |= below[child]
        below[b].discard(b)
        parent = min(below[b], key=position.__getitem__, default=-1)
        if parent >= 0:
            children[parent].add(b)
        # a child with the same rows below it, but for b itself, is one column with b
        alike = [child for child in children[b] if len(below[child]) == len(below[b]) + 1]
        before = made.pop(min(alike)).blocks if alike else []
        made[b] = BlockColumn([*before, b], below[b], parent)
    return list(made.values())


def cut_into_supernodes(columns: list[BlockColumn], members: list[list[int]]) -> list[Supernode]:
    """Supernodes of at most WIDEST columns, in order of elimination: by height in the elimination tree, so that one
    seldom waits for the results of the one just before it."""
    supernodes: list[Supernode] = []
    heights: list[int] = []
    least = [0] * len(members)  # height of a block: more than that of its children
    for column in columns:
        columns_of = [(i, b) for b in column.blocks for i in members[b]]
        rest = [i for b in column.below for i in members[b]]
        cuts = -(-len(columns_of) // WIDEST)
        height = 0
        for k in range(cuts):
            low, high = -(-k * len(columns_of) // cuts), -(-(k + 1) * len(columns_of) // cuts)
            height = max(height, *(least[b] for _, b in columns_of[low:high]))
            supernodes.append(Supernode([i for i, _ in columns_of[low:high]], [i for i, _ in columns_of[high:]] + rest))
            heights.append(height)
            height += 1
        if column.parent >= 0:
            least[column.parent] = max(least[column.parent], height)
    return [supernodes[k] for k in np.argsort(heights, kind="stable")]


# places


def lay_out(supernodes: list[Supernode], order: Ints, step: Ints, most_updates: int) -> LdlPattern:
    """Where everything stands in `values`, and which places each supernode updates; step (n,) inverts order."""
    width = np.array([len(supernode.columns) for supernode in supernodes], dtype=np.int64)
    count = np.array([len(supernode.below) for supernode in supernodes], dtype=np.int64)
    below = [np.sort(step[supernode.below]) for supernode in supernodes]
    made = LdlPattern(
        order=order.astype(np.uint32),
        first=offsets(width),
        start=offsets(width * (width - 1) // 2 + width * count, order.size),
        below=offsets(count),
        rows=joined(below).astype(np.uint32),
        update=np.zeros(width.size + 1, dtype=np.uint32),
        targets=np.zeros(0, dtype=np.uint32),
        owner=np.repeat(np.arange(width.size), width).astype(np.uint32),
    )
    updates = count * (count + 1) // 2
    if updates.sum() > most_updates:
        return made
    orders = {m: update_order(m) for m in sorted(set(count.tolist()))}  # np.unique would import masked arrays
    i, j = (joined([rows[orders[rows.size][side]] for rows in below]) for side in (0, 1))
    return made._replace(update=offsets(updates), targets=places(made, i, j).astype(np.uint32))


def offsets(counts: Ints, offset: int = 0) -> Indices:
    """Where each of several parts of these lengths begins, and where the last one ends."""
    return (offset + np.concatenate(([0], np.cumsum(counts)))).astype(np.uint32)


def joined(parts: list[Ints]) -> Ints:
    """Any number of arrays as one."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def update_order(m: int) -> tuple[Ints, Ints]:
    """The lower triangle of m rows in the order of `sparse.ldl.eliminate_listed`: two rows at a time."""
    i, j = np.tril_indices(m)
    order = np.lexsort((i, j, i // 2))
    return i[order], j[order]


def places(pattern: LdlPattern, i: Ints, j: Ints) -> Ints:
    """Where S or L has its entries (i, j) in `values`; i, j (m,) number rows by elimination, in any order."""
    first, start, below = (a.astype(np.int64) for a in (pattern.first, pattern.start, pattern.below))
    n = pattern.order.size
    row, column = np.maximum(i, j), np.minimum(i, j)
    supernode = pattern.owner[column].astype(np.int64)
    width = first[supernode + 1] - first[supernode]
    inner, k = row - first[supernode], column - first[supernode]
    keys = np.repeat(np.arange(first.size - 1), np.diff(below)) * n + pattern.rows  # ascending through all supernodes
    outer = np.searchsorted(keys, supernode * n + row) - below[supernode]
    before, triangle = inner * (inner - 1) // 2, width * (width - 1) // 2
    place = start[supernode] + k + np.where(inner < width, before, triangle + outer * width)
    return np.where(row == column, row, place)
