"""Times are what calls take beside what they prepare, in as many rounds as are asked for."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from numpy.testing import assert_allclose

from linkwork.studies import timing

PREPARED, EACH = 0.005, 0.002  # s of a call, and s per second of its span


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The spans of all calls, on a clock that only they move; the first call takes ten times as long."""
    clock, spans = [0.0], []

    def call(span: float) -> None:
        clock[0] += (1.0 if spans else 10.0) * (PREPARED + EACH * span)
        spans.append(span)

    monkeypatch.setattr(timing, "time", SimpleNamespace(process_time=lambda: clock[0]))
    monkeypatch.setattr(timing, "call", call, raising=False)
    return spans


def measured(repeats: int = 12, patience: float = 1e9) -> list[float]:
    return list(timing.rounds({"it": timing.call}, (1.0, 3.0), repeats, patience)["it"])  # type: ignore[attr-defined]


def test_what_is_prepared_and_the_first_call_do_not_count(asked: list[float]) -> None:
    found = measured()
    assert len(found) == 12
    assert_allclose(found, EACH, rtol=1e-9)
    assert asked[4:14] == 6 * [1.0] + 4 * [3.0], "as often as lasts a block"


def test_patience_ends_the_rounds_and_leaves_a_few(asked: list[float]) -> None:
    assert len(measured(patience=0.0)) == timing.FEWEST
    assert len(asked) > 0


def test_quick_times_are_taken_in_the_fewest_rounds_of_short_blocks(asked: list[float]) -> None:
    with timing.quick():
        assert_allclose(measured(), timing.FEWEST * [EACH], rtol=1e-9)
    assert len(asked) == 4 + timing.FEWEST * (2 + 1)
    with timing.quick(False):
        assert len(measured()) == 12


def test_growth_is_followed_over_small_sizes_where_times_are_to_be_quick() -> None:
    wanted = (2, 4, 8, 16, 32)
    assert timing.sizes(wanted, 8) == wanted
    with timing.quick():
        assert timing.sizes(wanted, 8) == (2, 4, 8)
    with timing.quick(False):
        assert timing.sizes(wanted, 8) == wanted
