"""Functions that remember their answers: asked again for anything new, and their arrays belong to whoever asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from linkwork.remembered import LARGEST, MOST, remembered


class Pair(NamedTuple):
    a: Any
    n: int


@dataclass(frozen=True)
class Whole:
    pair: Pair
    words: tuple[str, ...]


def counting(answer: Any = None) -> tuple[Any, list[Any]]:
    asked: list[Any] = []

    @remembered
    def find(*args: Any, **named: Any) -> Any:
        asked.append((args, named))
        return Whole(Pair(np.arange(3.0), len(asked)), ("x",)) if answer is None else answer()

    return find, asked


def test_the_same_numbers_are_asked_about_once() -> None:
    find, asked = counting()
    for _ in range(3):
        found = find(np.arange(4), Pair(np.ones(2), 3), flag=True)
    assert len(asked) == 1
    assert isinstance(found, Whole)
    assert found.pair.n == 1


@pytest.mark.parametrize(
    "other",
    [
        np.array([0.0, 1.0 + 2**-52]),
        np.array([-0.0, 1.0]),
        np.array([0, 1]),
        np.array([0.0, 1.0], dtype=np.float32),
        np.array([[0.0, 1.0]]),
        (0.0, 1.0),
        [0.0, 1.0],
    ],
    ids=repr,
)
def test_any_difference_is_asked_about(other: Any) -> None:
    find, asked = counting()
    find(np.array([0.0, 1.0]))
    find(other)
    assert len(asked) == 2


def test_numbers_that_are_equal_and_not_the_same_are_told_apart() -> None:
    find, asked = counting()
    for value in (1, 1.0, True, 0.0, -0.0, float("nan"), None, "1"):
        find(value)
    assert len(asked) == 8


def test_who_writes_into_an_answer_changes_nobody_elses() -> None:
    find, _ = counting()
    for _ in range(3):
        found = find(1)
        assert found.pair.a.tolist() == [0.0, 1.0, 2.0]
        found.pair.a[:] = 7.0


def test_what_could_change_unnoticed_is_no_question() -> None:
    find, _ = counting()
    with pytest.raises(TypeError, match="cannot be compared bit by bit"):
        find({"a": 1})


def test_answers_with_views_cannot_be_remembered() -> None:
    whole = np.zeros((3, 2))
    find, _ = counting(lambda: (whole, whole[:, 1]))
    with pytest.raises(TypeError, match="share memory"):
        find(1)


def test_large_answers_and_old_ones_are_let_go() -> None:
    find, asked = counting(lambda: np.zeros(LARGEST // 8 + 1))
    find(1)
    find(1)
    assert len(asked) == 2
    find, asked = counting()
    for k in (0, *range(1, MOST + 1), 0):
        find(k)
    assert len(asked) == MOST + 2


def test_larger_answers_are_kept_where_that_is_asked_for() -> None:
    """So many fewer that all of them take no more memory."""
    asked: list[int] = []

    def find(k: int) -> Any:
        asked.append(k)
        return np.zeros(3 * LARGEST // 8)

    kept = remembered(find, largest=4 * LARGEST)
    for k in [*range(16)] * 2:
        kept(k)
    assert len(asked) == 16
    kept(16)
    kept(0)
    assert asked[16:] == [16, 0]
    for function in (remembered(find), remembered(find, largest=2 * LARGEST)):
        asked.clear()
        function(1)
        function(1)
        assert asked == [1, 1]
