"""Tables of numbers in recorded steps: whichever piece holds, without a guard."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.kernels import curves as kernels
from linkwork.kernels.tables import Curves
from linkwork.lanes.traced import pieces
from linkwork.lanes.traced.numbers import Graph, value_of
from linkwork.mechanism.tables import Table

KNOTS = (-1.0, -0.3, 0.1, 0.9, 1.4)


def curves() -> Curves:
    """Two tables, of which the second is asked."""
    some = [
        Table(x=KNOTS, y=tuple(np.cos(k * np.array(KNOTS))), between="cubic", outside="extend").lowered("")
        for k in (1.0, 3.0)
    ]
    start = np.cumsum([0, *(len(one.pieces) for one in some)])
    return Curves(start, np.array([piece for one in some for piece in one.pieces]))


def test_every_piece_is_the_one_that_a_search_finds() -> None:
    """Before, between and behind all points, and at them."""
    of = curves()
    for x in (-1.7, *KNOTS, *(np.array(KNOTS) + 0.07), np.nextafter(0.1, 0.0), 2.5):
        graph = Graph()
        found = pieces.jet_curve(of, 1, (graph.input(0, float(x)), 2.0, 0.5))
        wanted = kernels.jet_curve(of, 1, (float(x), 2.0, 0.5))
        assert [value_of(one) for one in found] == list(wanted)
        assert not graph.guards


def test_plain_numbers_and_long_tables_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    of = curves()
    assert pieces.jet_curve(of, 0, (0.4, 1.0, 0.0)) == kernels.jet_curve(of, 0, (0.4, 1.0, 0.0))
    monkeypatch.setattr(pieces, "MOST", 3)
    graph = Graph()
    found = pieces.jet_curve(of, 0, (graph.input(0, 0.4), 1.0, 0.0))
    assert value_of(found[0]) == kernels.jet_curve(of, 0, (0.4, 1.0, 0.0))[0]
    assert graph.guards
