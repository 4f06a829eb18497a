"""One run from start to end, with a method made by hand: what is recorded, said and kept when steps fail."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ConvergenceError, RunInterruptedError, SingularPositionError, UsageError
from linkwork.run.chunks import CHUNK_BYTES, CHUNK_SECONDS, Chunks
from linkwork.run.session import WORDS, Session
from linkwork.status import REMEDY, Status

H = 0.25


class Kept:
    """A recorder that keeps blocks and says what it was told at the end."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.abandoned = False
        self.unfinished = None  # no other process began this run
        self.kept = 0
        self.writer, self.blocks = None, ()

    def keep(self, snapshot: Any) -> None:
        self.kept += 1

    def append(self, block: Mapping[str, Any]) -> None:
        self.times += list(block["time"])

    def finish(self, **how: Any) -> Any:
        return {**how, "times": self.times}

    def abandon(self) -> None:
        self.abandoned = True


class Seen:
    """Looks at nothing, and has no mechanism whose drivers could be the cause of anything."""

    mechanism = SimpleNamespace(nc=0, lowered=lw.Mechanism("nothing").lower())
    ended = None

    def look(self, block: Mapping[str, Any]) -> int:
        return len(block["time"])


def block(times: Any) -> dict[str, Any]:
    """What is recorded at these times: nothing moves."""
    return {"time": np.array(times), "motion": np.zeros((len(times), 0))}


class Counted(Session):
    """Takes steps until the one that fails; `mended`: how often it can recover there."""

    def __init__(self, fails: int = -1, status: Status = Status.NEWTON_DIVERGED, mended: int = 0, row: int = 1) -> None:
        super().__init__("by hand", H, Kept(), ["said before"], Seen(), lambda blocks: [])  # type: ignore[arg-type]
        self.taken, self.fails, self.status, self.mended, self.row = 0, fails, status, mended, row
        self.asked: list[int] = []

    def first(self) -> Any:
        return (self.status if self.fails == 0 else Status.OK), block([0.0] * int(self.fails != 0))

    def advance(self, steps: int) -> Any:
        self.asked.append(steps)
        times = []
        for _ in range(steps):
            if self.taken + 1 == self.fails:
                return self.status, block(times)
            self.taken += 1
            times.append(self.taken * H)
        return Status.OK, block(times)

    def recover(self, status: Status) -> bool:
        assert status == self.status
        if self.mended == 0:
            return False
        self.mended -= 1
        self.fails = -1 if self.mended == 0 else self.fails
        return True

    @property
    def counts(self) -> Mapping[str, int]:
        return {"steps": self.taken, "rebased": 3 if self.taken else 0}

    @property
    def carried(self) -> Mapping[str, Any]:
        return {}

    def rebuild(self, facts: Mapping[str, Any]) -> None:
        raise AssertionError("nothing is to be carried over here")

    @property
    def row_names(self) -> list[str]:
        return ["one", "two"]

    @property
    def worst_row(self) -> int:
        return self.row


def carried_out(session: Counted, total: int = 10, **more: Any) -> Any:
    return session.carry_out(total, Chunks(1.0, 4), total * H, more.get("progress"))


def test_who_looks_on_is_asked_while_a_run_is_held_up() -> None:
    """A time limit is looked at there, and a run may recover again and again at one place."""
    asked: list[float] = []

    def look(time: float, end: float) -> None:
        asked.append(time)
        if asked.count(6 * H) == 3:
            raise KeyboardInterrupt

    with pytest.raises(RunInterruptedError):
        carried_out(Counted(fails=7, mended=50), progress=look)
    assert asked[-3:] == [6 * H] * 3


def test_a_run_is_recorded_whole_and_in_order() -> None:
    reached: list[tuple[float, float]] = []
    session = Counted()
    found = carried_out(session, progress=lambda time, end: reached.append((time, end)))
    assert found["times"] == [k * H for k in range(11)]
    assert found["status"] == Status.OK
    assert found["message"] == ""
    assert reached[0] == (0.0, 2.5)
    assert reached[-1] == (2.5, 2.5)
    assert sum(session.asked) == 10
    assert session.recorder.kept == 1 + len(session.asked)  # after the start, after each chunk
    assert found["info"]["steps"] == 10
    assert "rebased" not in found["info"]
    assert found["messages"] == (
        "said before",
        "Euler angles were given a new reference rotation 3 times, to stay regular",
    )


def test_a_step_that_fails_is_told_with_its_number_time_and_row() -> None:
    session = Counted(fails=7)
    with pytest.raises(ConvergenceError) as caught:
        carried_out(session)
    said = str(caught.value)
    assert (
        f"t = {7 * H:g} s, step 7: Newton's method did not converge; the largest residual is that of row 'two'." in said
    )
    kept: Any = caught.value.result
    assert kept["times"] == [k * H for k in range(7)]
    assert kept["status"] == Status.NEWTON_DIVERGED
    assert kept["message"].startswith("t = 1.75 s, step 7")


def test_the_start_is_step_0() -> None:
    with pytest.raises(SingularPositionError, match="t = 0 s, step 0: the equations are singular"):
        carried_out(Counted(fails=0, status=Status.SINGULAR, row=-1))


def test_a_run_that_recovers_goes_on_from_where_it_stands() -> None:
    session = Counted(fails=7, mended=1)
    found = carried_out(session)
    assert found["times"] == [k * H for k in range(11)]
    assert found["status"] == Status.OK


def test_an_error_of_linkworks_own_leaves_no_file() -> None:
    class Bad(Counted):
        def advance(self, steps: int) -> Any:
            raise UsageError("it makes no sense.")

    session = Bad()
    with pytest.raises(UsageError):
        carried_out(session)
    assert session.recorder.abandoned  # type: ignore[attr-defined]


def test_every_failure_has_its_words_and_its_remedy() -> None:
    for status in WORDS:
        with pytest.raises(ConvergenceError, match=WORDS[status]) as caught:
            carried_out(Counted(fails=2, status=status))
        assert caught.value.remedy == REMEDY[status] != ""


# how much is done at once -----------------------------------------------------------------------------------


def test_chunks_last_about_as_long_as_they_should() -> None:
    chunks = Chunks(1.0, 100)
    chunks.took(100, 0.4 * CHUNK_SECONDS)
    assert chunks.steps == 400
    chunks.took(400, 0.6 * CHUNK_SECONDS)
    assert chunks.steps == 400
    chunks.took(400, 1.9 * CHUNK_SECONDS)
    assert chunks.steps == 400
    chunks.took(400, 2.1 * CHUNK_SECONDS)
    assert chunks.steps == 200
    chunks.took(50, 0.0)  # the last one was a short one: nothing is learnt
    assert chunks.steps == 200


def test_chunks_record_no_more_than_they_may() -> None:
    chunks = Chunks(CHUNK_BYTES / 1000, 900)
    chunks.took(900, 0.0)
    assert chunks.steps == 1000
    huge = Chunks(10 * CHUNK_BYTES, 8)
    huge.took(8, 0.0)
    assert huge.steps == 1
    assert huge.next(5) == 1
    assert Chunks(1.0, 100).next(30) == 30
    assert Chunks(1.0, 100).next(0) == 1
