"""Laws of spanning trees, labels and loops, on random joint graphs."""

from __future__ import annotations

import itertools
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles.graphs import Edge, ancestors, compiled, distances, heaviest_forest

from linkwork.system.topology import Topology, joints_only, topology_of

SEARCHES = st.sampled_from(["breadth", "depth"])


@st.composite
def graphs(draw: st.DrawFn, most: int = 12) -> tuple[int, list[Edge]]:
    """Some bodies and joints between them and ground: trees, loops, doubled joints, pieces that float."""
    nb = draw(st.integers(1, most))
    pair = st.tuples(st.integers(-1, nb - 1), st.integers(-1, nb - 1), st.integers(1, 6))
    edges = draw(st.lists(pair.filter(lambda edge: edge[0] != edge[1]), max_size=2 * nb))
    return nb, edges


@st.composite
def topologies(draw: st.DrawFn) -> Topology:
    """Any way to span such a graph: both searches, some bodies as roots, light joints kept out of the tree or not."""
    nb, edges = draw(graphs())
    plain = topology_of(compiled(nb, edges))
    members = [np.flatnonzero(plain.tree.part == p).tolist() for p in range(len(plain.grounded))]
    roots = [plain.body(draw(st.sampled_from(some))) for some in members if draw(st.booleans())]
    weight = {"weight_of": joints_only} if draw(st.booleans()) else {}
    made = topology_of(compiled(nb, edges), roots, search=draw(SEARCHES), **weight)
    assert {made.body(int(k)) for k in made.bases} >= set(roots)
    return made


@given(topologies())
def test_labels_are_regular_and_the_tables_agree(top: Topology) -> None:
    tree, n = top.tree, len(top.bodies)
    assert sorted(tree.body) == list(range(n))
    assert np.array_equal(top.number[tree.body], np.arange(n))
    for k in range(n):
        way = ancestors(tree.parent, k)
        assert tree.parent[k] < k
        assert tree.depth[k] == len(way) - 2
        assert tree.base[k] == way[-2]
        assert list(top.children(k)) == [c for c in range(n) if tree.parent[c] == k]
        assert list(top.subtree(k)) == [c for c in range(n) if k in ancestors(tree.parent, c)]
        if tree.parent[k] >= 0:
            assert tree.arc[k] >= 0
            assert tree.part[tree.parent[k]] == tree.part[k]
    assert list(tree.part) == sorted(tree.part)
    assert top.height == max(len(ancestors(tree.parent, k)) - 1 for k in range(n))


@given(topologies())
def test_every_arc_carries_the_tree_or_closes_a_loop(top: Topology) -> None:
    tree, cuts = top.tree, top.cuts
    carrying = [int(a) for a in tree.arc if a >= 0]
    assert sorted([*carrying, *cuts.arc]) == list(range(len(top.arcs)))
    assert len(cuts.arc) == len(top.arcs) - len(top.bodies) + len(top.floating)
    for k, a in enumerate(tree.arc):
        if a >= 0:
            ends = (top.arcs[a].body_i, top.arcs[a].body_j)
            labels = tuple(int(top.number[body]) if body >= 0 else -1 for body in ends)
            assert labels == ((tree.parent[k], k) if tree.sign[k] == 1 else (k, tree.parent[k]))
    rows = [[r for r in range(len(top.row_arc)) if top.row_arc[r] == a] for a in range(len(top.arcs))]
    assert rows == [list(arc.rows) for arc in top.arcs]


@given(topologies())
def test_the_path_matrix_is_the_inverse_of_the_incidence_matrix(top: Topology) -> None:
    C, S, T = top.C(dense=True), top.S(dense=True), top.T(dense=True)
    n = len(S)
    assert np.array_equal(S, np.triu(S))
    assert np.array_equal(np.diag(S), -np.ones(n))
    assert np.array_equal(T @ S, np.eye(n))
    inner = top.tree.parent >= 0
    assert np.array_equal(C, S[:, inner])
    assert np.array_equal(T[inner] @ C, np.eye(inner.sum()))  # T_2 C = E
    assert not (T[~inner] @ C).any()  # T_1 C = 0
    assert np.array_equal(C.sum(axis=0), np.zeros(inner.sum()))
    if len(top.bases) == 1:  # CT_2 = E - e_1 1^T [Mufti 1983, eq. 60]
        e_1 = np.eye(n)[:, :1]
        assert np.array_equal(T[0], -np.ones(n))
        assert np.array_equal(C @ T[1:], np.eye(n) - e_1 @ np.ones((1, n)))
    for name in ("C", "S", "T", "C_star"):
        sparse = getattr(top, name)()
        assert np.array_equal(sparse.toarray(), getattr(top, name)(dense=True))
        assert sparse.nnz == np.count_nonzero(sparse.toarray())


@given(topologies())
def test_loops_close(top: Topology) -> None:
    tree, cuts = top.tree, top.cuts
    C_star, n = top.C_star(dense=True), len(top.bodies)
    B = top.T(dense=True) @ C_star
    assert np.array_equal(top.S(dense=True) @ B, C_star)
    for c in range(len(cuts.arc)):
        arcs, signs = top.loop(c)
        entries = np.zeros(n)
        entries[arcs] = signs
        assert np.array_equal(entries, B[:, c])
        assert len(arcs) == cuts.length[c]
        here = int(cuts.i[c])
        for k, sign in zip(arcs, signs, strict=True):
            start, stop = (int(tree.parent[k]), k)[::sign]
            assert here == start
            here = stop
        assert here == cuts.j[c]
        common = [k for k in ancestors(tree.parent, int(cuts.i[c])) if k in ancestors(tree.parent, int(cuts.j[c]))]
        assert cuts.meet[c] == common[0]


@given(graphs())
def test_breadth_cuts_as_few_rows_as_can_be_and_stays_low(graph: tuple[int, list[Edge]]) -> None:
    nb, edges = graph
    top = topology_of(compiled(nb, edges))
    kept = sum(edges[a][2] for a in top.tree.arc if a >= 0)
    assert kept == heaviest_forest(nb, edges)
    assert len(top.floating) == top.grounded.count(False)
    equal = topology_of(compiled(nb, [(i, j, 3) for i, j, _ in edges]))
    for body, far in enumerate(distances(nb, edges)):
        if far >= 0:
            assert equal.tree.depth[equal.number[body]] == far - 1


@given(graphs())
def test_depth_cuts_between_bodies_of_one_branch(graph: tuple[int, list[Edge]]) -> None:
    top = topology_of(compiled(*graph), search="depth")
    for i, j, meet in zip(top.cuts.i, top.cuts.j, top.cuts.meet, strict=True):
        assert meet in (i, j)


@given(graphs(most=8), st.randoms(use_true_random=False), SEARCHES)
def test_the_order_of_the_description_does_not_matter(
    graph: tuple[int, list[Edge]], random: Random, search: str
) -> None:
    """Where no two arcs weigh the same, the tree is the same whatever stands first."""
    nb, edges = graph
    tied = [(i, j, w) for i, j, w in edges] + [
        (-1, k, 1) for k in range(nb)
    ]  # all tied to ground: the root is the same
    names = [f"joint {k}" for k in range(len(tied))]
    weight = dict(zip(names, random.sample(range(1000), len(names)), strict=True))
    first = topology_of(compiled(nb, tied, names), search=search, weight_of=lambda arc: weight[arc.name])
    bodies, order = list(range(nb)), list(range(len(tied)))
    random.shuffle(bodies)
    random.shuffle(order)
    moved = [(*(bodies[b] if b >= 0 else -1 for b in tied[k][:2]), tied[k][2]) for k in order]
    other = topology_of(
        compiled(nb, moved, [names[k] for k in order]), search=search, weight_of=lambda arc: weight[arc.name]
    )

    def leading_to(top: Topology) -> list[str]:
        return [top.arcs[top.tree.arc[k]].name for k in range(nb)]

    found = dict(zip(other.tree.body.tolist(), leading_to(other), strict=True))
    assert leading_to(first) == [found[bodies[body]] for body in first.tree.body]
    assert sorted(first.cuts.length) == sorted(other.cuts.length)


@given(st.integers(2, 40), st.integers(0, 3))
def test_a_floating_chain_hangs_on_its_middle(n: int, closing: int) -> None:
    edges = [(k, k + 1, 3) for k in range(n - 1)] + [(a, a + 1, 1) for a in range(min(closing, n - 1))]
    assert topology_of(compiled(n, edges)).height == n // 2 + 1


def test_every_pair_of_bodies_meets_where_it_should() -> None:
    random = np.random.default_rng(5)
    edges = [(int(random.integers(-1, k)), k, 3) for k in range(60)]
    pairs = list(itertools.combinations(range(-1, 60), 2))
    top = topology_of(compiled(60, [*edges, *((i, j, 1) for i, j in pairs)]))
    assert len(top.cuts.arc) == len(pairs)
    for i, j, meet in zip(top.cuts.i, top.cuts.j, top.cuts.meet, strict=True):
        others = ancestors(top.tree.parent, int(j))
        assert meet == next(k for k in ancestors(top.tree.parent, int(i)) if k in others)
