"""What a mechanism keeps for its next run: used while nothing about it changes, and never after."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.mechanism.body import Body
from linkwork.mechanism.kept import content_of, kept, unchanging
from linkwork.run import starting
from linkwork.run.starting import prepare


def pendulum() -> lw.Mechanism:
    mech = lw.Mechanism("pendulum")
    mech.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0.0, 0.5, 0.0))
    mech.joint("pivot", "revolute", "ground", "rod", point=(0.0, 0.0, 0.0), axis=(1.0, 0.0, 0.0))
    return mech


@pytest.fixture
def lowerings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The mechanisms that were compiled to tables."""
    found: list[str] = []
    usual = starting.compile_mechanism

    def counted(lowered: Any) -> Any:
        found.append(lowered.name)
        return usual(lowered)

    monkeypatch.setattr(starting, "compile_mechanism", counted)
    return found


def test_a_mechanism_that_stays_as_it_is_is_prepared_once(lowerings: list[str]) -> None:
    mech = pendulum()
    first, second = (prepare(mech, dynamics=True) for _ in range(2))
    assert len(lowerings) == 1
    assert first.messages == second.messages
    for a, b in zip(first.compiled.tables, second.compiled.tables, strict=True):
        np.testing.assert_array_equal(a, b)
    prepare(mech, dynamics=False)  # another question
    assert len(lowerings) == 2


CHANGES: dict[str, Callable[[lw.Mechanism], object]] = {
    "mass": lambda mech: mech.change("rod", mass=2.0),
    "the same mass anew": lambda mech: mech.change("rod", mass=1.0),
    "gravity": lambda mech: setattr(mech, "gravity", (0.0, 0.0, -1.0)),
    "gravity's sign of zero": lambda mech: setattr(mech, "gravity", (-0.0, 0.0, -9.81)),
    "name": lambda mech: setattr(mech, "name", "other"),
    "a force": lambda mech: mech.force("push", "force", body="rod", components=(0.0, 1.0, 0.0)),
    "a body": lambda mech: mech.body("bob", mass=1.0, inertia=(1.0, 1.0, 1.0)),
    "a note": lambda mech: mech.reading_notes.append("a note"),
    "elements exchanged": lambda mech: mech._elements.update(pendulum()._elements),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_is_seen(change: Callable[[lw.Mechanism], object], lowerings: list[str]) -> None:
    mech = pendulum()
    prepare(mech, dynamics=True)
    change(mech)
    after = prepare(mech, dynamics=True)
    assert len(lowerings) == 2
    anew = pendulum()
    change(anew)
    fresh = prepare(anew, dynamics=True)
    for a, b in zip(after.compiled.tables, fresh.compiled.tables, strict=True):
        np.testing.assert_array_equal(a, b)


def test_the_document_of_a_result_follows_changes() -> None:
    mech = pendulum()
    before = kept(mech, "words", lambda: mech.to_dict())
    mech.change("rod", mass=3.0)
    assert kept(mech, "words", lambda: mech.to_dict()) != before


def test_who_writes_into_a_run_changes_no_other() -> None:
    mech = pendulum()
    first = prepare(mech, dynamics=True)
    for array in (*first.compiled.tables, first.compiled.r, first.compiled.A, first.assembled.pose.r):
        array[...] = 7
    first.changes["moved"] = "away"
    second, anew = prepare(mech, dynamics=True), prepare(pendulum(), dynamics=True)
    for a, b in zip(second.compiled.tables, anew.compiled.tables, strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(second.compiled.r, anew.compiled.r)
    np.testing.assert_array_equal(second.assembled.pose.r, anew.assembled.pose.r)
    assert second.changes == anew.changes
    with pytest.raises(ValueError, match="read-only"):
        second.compiled.system.bodies.mass[0] = 7.0  # shared by runs
    with pytest.raises(ValueError, match="read-only"):
        second.compiled.lowered.bodies[0].position[0] = 7.0


class Ballast(Body):
    """A plug-in's element that can change by itself."""

    lumps: list[float] = []  # noqa: RUF012  # pydantic copies defaults


def test_an_element_that_can_change_by_itself_is_looked_at_every_time(lowerings: list[str]) -> None:
    mech = pendulum()
    assert all(unchanging(part) for part in content_of(mech))
    mech._elements["bodies"][0] = Ballast(name="rod", mass=1.0, inertia=(0.1, 0.1, 0.01), position=(0.0, 0.5, 0.0))
    for _ in range(2):
        prepare(mech, dynamics=True)
    assert len(lowerings) == 2


def test_every_shipped_mechanism_keeps_its_start(lowerings: list[str]) -> None:
    for name in ("kissel2021_slider_crank", "spatial_slider_crank_spring", "rolling_disc"):
        mech = lw.load(name)
        assert all(unchanging(part) for part in content_of(mech)), name


def test_copies_keep_nothing_of_the_original() -> None:
    mech = pendulum()
    prepare(mech, dynamics=True)
    for other in (copy.deepcopy(mech), pickle.loads(pickle.dumps(mech))):
        assert not other._kept.answers
        assert prepare(other, dynamics=True).messages == prepare(mech, dynamics=True).messages


def test_errors_are_not_kept() -> None:
    mech = pendulum()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            kept(mech, "one", lambda: 1 / 0)
    assert kept(mech, "one", lambda: 1) == 1
