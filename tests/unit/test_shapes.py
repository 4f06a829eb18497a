"""Recordings cut into pieces of few shapes: where they are cut. What pieces come to: test_adjoint_traced.py."""

from __future__ import annotations

import numpy as np

from linkwork.lanes.traced.numbers import Graph, key_of
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.shapes import NEAR, Shapes, cuts, repeated


def test_what_repeats_is_cut_at_its_period() -> None:
    rng = np.random.default_rng(3)
    one, before = rng.integers(0, 6, 40), rng.integers(0, 6, 7)
    words = np.concatenate([before, np.tile(one, 10)])
    assert [(period, repeats) for _, period, repeats in repeated(words)] == [(40, 10)]
    lengths = [last - first for first, last in cuts(words)]
    assert lengths.count(40) >= 9
    assert sum(lengths) == len(words)


def test_equal_stretches_are_cut_alike_wherever_they_stand() -> None:
    rng = np.random.default_rng(4)
    stretch = rng.integers(0, 8, 600)
    words = np.concatenate([rng.integers(0, 8, 333), stretch, rng.integers(0, 8, 111), stretch, rng.integers(0, 8, 50)])
    begins = np.array([first for first, _ in cuts(words)])
    inner = [begins[(begins >= at + 60) & (begins < at + 540)] - at for at in (333, 333 + 600 + 111)]
    assert len(inner[0]) >= 480 // (8 * NEAR)
    assert inner[0].tolist() == inner[1].tolist()


def test_a_condition_goes_to_each_piece_that_asks_for_it() -> None:
    graph = Graph()
    x, y = graph.input(0, 1.0), graph.input(1, 2.0)
    less, total = x < y, x
    for _ in range(200):
        total = total * y + x
    recording = Recording(graph, {2: key_of(graph.select(less, total, x))})
    pieces = Shapes().cut(recording, [recording.found[2]], {0, 1})
    assert len(pieces.pieces) >= 3
    holders = [piece for piece in pieces.pieces if less.node in piece.nodes]
    assert len(holders) == 2
    pieces.give_places()
    assert less.node not in pieces.places
