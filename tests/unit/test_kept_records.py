"""Records that are kept between calls: derivatives are those of records that are made anew, to the last bit."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives import adjoint, adjoint_newton, adjoint_traced, moving, tangents_newton, tangents_traced
from linkwork.derivatives.described import moved, numbers_of
from linkwork.lanes.traced import kept_records, reversible, step, tangent_steps
from linkwork.lanes.traced.kept_records import KeptRecords, made_once
from linkwork.lanes.traced.numbers import Graph, NotTracedError
from linkwork.lanes.traced.recording import Recording
from linkwork.run.starting import prepare

MECHANISMS = Path(lw.__file__).parent / "mechanisms"
CRANK = lw.load(MECHANISMS / "spatial_slider_crank_spring.yaml")
EXPLICIT, IMPLICIT, EULER = ("canonical", "rk4"), ("rA", "generalized-alpha"), ("lie-se3", "implicit-euler")
TO = ["spring.stiffness", "slider.mass", "spring.on_first.point[0]"]
SPAN = 0.02, 1e-3  # s


@pytest.fixture(autouse=True)
def records(monkeypatch: pytest.MonkeyPatch) -> KeptRecords:
    """None are kept at the beginning."""
    own = KeptRecords()
    for module in (kept_records, step, tangent_steps, reversible, moving, adjoint):
        monkeypatch.setattr(module, "RECORDS", own)
    monkeypatch.setattr(reversible.Reversible, "read", lambda *_: None)  # nor is anything on disk
    return own


def derivatives(mech: lw.Mechanism, pair: tuple[str, str], mode: str, to: list[str] = TO) -> Any:
    found = lw.sensitivities(mech, *SPAN, *pair, of={"end": lw.Final("slider.position")}, to=to, mode=mode)
    assert found.way == "recorded steps"
    return found["end"]


def count_records(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of what is recorded from now on."""
    made: list[str] = []
    for owner, name in ((step.Recorder, "anew"), (tangent_steps.TangentRecorder, "anew")):
        anew: Any = getattr(owner, name)

        def counted(self: Any, *given: Any, anew: Any = anew) -> Any:
            made.append(type(self).__name__)
            return anew(self, *given)

        monkeypatch.setattr(owner, name, counted)
    return made


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
@pytest.mark.parametrize("pair", [EXPLICIT, IMPLICIT])
def test_other_values_of_the_numbers_need_no_other_record(
    pair: tuple[str, str], mode: str, records: KeptRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = count_records(monkeypatch)
    numbers = numbers_of(CRANK, TO)
    near = [moved(numbers, [share * one.value for one in numbers]) for share in (0.0, 0.01, -0.02)]
    kept = [derivatives(one, pair, mode) for one in near]
    assert len(made) == 1
    for one, found in zip(near, kept, strict=True):
        records.forget()
        assert np.array_equal(derivatives(one, pair, mode), found)
    assert len(made) == 1 + len(near)
    assert not np.array_equal(kept[0], kept[1])


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
@pytest.mark.parametrize(
    "pair", [EXPLICIT, ("articulated-body", "rk4"), ("lie-se3", "rk4"), ("rotation-matrix", "rk4"), IMPLICIT, EULER]
)
def test_a_mechanism_that_becomes_longer_needs_no_other_record(
    pair: tuple[str, str], mode: str, records: KeptRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    mech = lw.Mechanism("pendulum")
    mech.body("slider", mass=1.3, inertia=(0.3, 0.2, 0.1), position=(0.41, 0.13, 0.27))
    mech.joint("pivot", "spherical", "ground", "slider", point=(0.02, 0.01, 0.03))
    made, numbers = count_records(monkeypatch), numbers_of(mech, ["slider.position"])
    near = [moved(numbers, [share, share, share]) for share in (0.0, 0.05)]
    first, second = (prepare(one, dynamics=True).compiled.length for one in near)
    assert first != second
    kept = [derivatives(one, pair, mode, ["slider.position"]) for one in near]
    assert len(made) == 1
    records.forget()
    assert np.array_equal(derivatives(near[1], pair, mode, ["slider.position"]), kept[1])


@pytest.mark.parametrize("pair", [EXPLICIT, IMPLICIT])
@pytest.mark.parametrize("name", ["gravity[2]", "slider.mass", "connecting rod.position[0]"])
def test_another_constant_is_another_record(name: str, pair: tuple[str, str], records: KeptRecords) -> None:
    to = ["spring.stiffness"]
    (number,) = numbers_of(CRANK, [name])
    other = moved([number], [1e-3 * (abs(number.value) or 1.0)])
    before = derivatives(CRANK, pair, "tangent", to)
    found = derivatives(other, pair, "tangent", to)
    records.forget()
    assert np.array_equal(found, derivatives(other, pair, "tangent", to))
    assert not np.array_equal(found, before)


def test_another_step_or_method_is_another_record(monkeypatch: pytest.MonkeyPatch) -> None:
    made = count_records(monkeypatch)
    of = {"end": lw.Final("slider.position")}
    for h, integrator in ((1e-3, "rk4"), (2e-3, "rk4"), (1e-3, "dop853"), (1e-3, "rk4")):
        lw.sensitivities(CRANK, 0.02, h, "canonical", integrator, of=of, to=TO)
    assert len(made) == 3


@pytest.mark.parametrize(
    ("pair", "mode", "owner", "method"),
    [
        (EXPLICIT, "tangent", tangents_traced.TracedTangents, "samples"),
        (IMPLICIT, "tangent", tangents_newton.NewtonTangents, "samples"),
        (EXPLICIT, "adjoint", adjoint_traced.TracedAdjoint, "gradients"),
        (IMPLICIT, "adjoint", adjoint_newton.NewtonAdjoint, "gradients"),
    ],
)
def test_a_course_that_a_kept_record_does_not_go_is_recorded_anew(
    pair: tuple[str, str], mode: str, owner: Any, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = derivatives(CRANK, pair, mode)
    made, does, tries = count_records(monkeypatch), getattr(owner, method), list[int]()

    def strays_first(self: Any, *given: Any) -> Any:
        tries.append(len(made))
        if not made:
            raise NotTracedError("another course of the run")
        return does(self, *given)

    monkeypatch.setattr(owner, method, strays_first)
    found = derivatives(CRANK, pair, mode)
    assert tries == [0, 1]
    if owner is adjoint_traced.TracedAdjoint:  # by states of the run, then by those of recorded steps
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-13 * np.abs(wanted).max())
    else:
        assert np.array_equal(found, wanted)


def test_rows_that_depend_on_others_are_recorded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their search leaves no guard."""
    made = count_records(monkeypatch)
    mech = lw.load(MECHANISMS / "planar_four_bar.yaml")
    for _ in range(2):
        lw.sensitivities(mech, *SPAN, *IMPLICIT, of="position", to="gravity[2]")
    assert len(made) == 2


class FakeRecorder:
    """A run of one cell."""

    level: tuple[Any, ...] = ()
    counters = ()
    integers: tuple[Any, ...] = ()

    def __init__(self, value: float = 0.0) -> None:
        self.cells = SimpleNamespace(spans=(), others=(), values=np.array([value]))

    def same_integers(self, *_: Any) -> bool:
        return True


def record(
    records: KeptRecords, about: int, size: int = 4, given: frozenset[int] = frozenset(), value: float = 0.0
) -> tuple[int, int]:
    """What is found, and whether it was made."""
    made: list[int] = []

    def make() -> tuple[int, list[Recording], frozenset[int]]:
        graph = Graph()
        for k in range(size):
            graph.input(k, 0.0)
        made.append(1)
        return about, [Recording(graph, {})], given

    recorder: Any = FakeRecorder(value)
    return records.of(recorder, about, given, make), len(made)


def test_as_many_are_kept_as_there_is_room_for() -> None:
    records = KeptRecords(most=10)
    assert [record(records, k) for k in (1, 2, 1)] == [(1, 1), (2, 1), (1, 0)]
    assert record(records, 3) == (3, 1)  # in the place of 2, which was asked for longest ago
    assert [record(records, k) for k in (1, 3)] == [(1, 0), (3, 0)]
    assert record(records, 4, 11) == (4, 1)  # too large
    assert record(records, 4, 11) == (4, 1)
    assert len(records) == 2
    assert record(records, 2) == (2, 1)


def test_what_is_asked_for_is_no_constant_and_a_constant_is_the_same_number() -> None:
    records, asked = KeptRecords(), frozenset([0])
    assert record(records, 1) == (1, 1)
    assert record(records, 1, given=asked) == (1, 1)
    assert record(records, 1, given=asked, value=2.0) == (1, 0)
    assert record(records, 1) == (1, 0)
    records.forget()
    assert [record(records, 1, value=value)[1] for value in (0.0, -0.0, 0.0, 1.0)] == [1, 1, 0, 1]


def test_little_is_kept_of_what_is_made_of_one_record() -> None:
    made: dict[Any, Any] = {}
    assert [made_once(made, k, lambda k=k: 2 * k) for k in range(20)] == [2 * k for k in range(20)]  # type: ignore[misc]
    assert len(made) == kept_records.FEW
