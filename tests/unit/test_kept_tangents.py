"""How a start moves with numbers is found once for one question, and anew for every other one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives.grouped import Sparse
from linkwork.derivatives.kept_tangents import LastTangents
from linkwork.derivatives.moving import Moving

CRANK = Path(lw.__file__).parent / "mechanisms/spatial_slider_crank_spring.yaml"
EXPLICIT, IMPLICIT = ("canonical", "rk4"), ("rA", "generalized-alpha")
TO = ["spring.stiffness", "slider.mass"]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One for each time that it is found how a start moves."""
    counted: list[str] = []
    usual = Moving._found

    def find(self: Moving) -> Any:
        counted.append(self.nominal.call.label)
        return usual(self)

    monkeypatch.setattr(Moving, "_found", find)
    return counted


def derivatives(mech: lw.Mechanism, pair: tuple[str, str] = EXPLICIT, mode: str = "adjoint", **changes: Any) -> Any:
    asked: dict[str, Any] = {"of": {"end": lw.Final("slider.position")}, "to": TO, "digits": False, "step": 1e-3}
    asked |= {"t_end": 0.02} | changes
    return lw.sensitivities(mech, formulation=pair[0], integrator=pair[1], mode=mode, **asked)["end"]


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
@pytest.mark.parametrize("pair", [EXPLICIT, IMPLICIT])
def test_another_function_of_the_same_run_needs_them_no_second_time(
    pair: tuple[str, str], mode: str, found: list[str]
) -> None:
    mech = lw.load(CRANK)
    first = derivatives(mech, pair, mode)
    again = derivatives(mech, pair, mode)
    other = derivatives(mech, pair, mode, of={"end": lw.Final("slider.velocity")})
    assert len(found) == 1
    np.testing.assert_array_equal(again, first)
    np.testing.assert_array_equal(
        other, derivatives(lw.load(CRANK), pair, mode, of={"end": lw.Final("slider.velocity")})
    )
    assert len(found) == 2  # of the mechanism that was read again


def stiffer(mech: lw.Mechanism) -> lw.Mechanism:
    mech.change("spring", stiffness=77.0)
    return mech


def later(mech: lw.Mechanism) -> Any:
    """A state that the mechanism comes to."""
    return lw.State.of(lw.simulate(lw.load(CRANK), 0.01, 1e-3, "canonical", "rk4"), -1)


OTHERS: dict[str, Callable[[lw.Mechanism], dict[str, Any]]] = {
    "numbers": lambda mech: {"to": ["slider.mass", "spring.length"]},
    "their order": lambda mech: {"to": TO[::-1]},
    "a step": lambda mech: {"step": 5e-4},
    "a method": lambda mech: {"pair": ("canonical", "dop853")},
    "a formulation": lambda mech: {"pair": ("articulated-body", "rk4")},
    "a state": lambda mech: {"state": later(mech), "t_end": 0.03},
    "an option": lambda mech: {"pair": IMPLICIT, "rho_infinity": 0.5},
    "a value": lambda mech: stiffer(mech) and {},
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_whatever_is_otherwise_they_are_found_anew(
    other: Callable[[lw.Mechanism], dict[str, Any]], found: list[str]
) -> None:
    mech, fresh = lw.load(CRANK), lw.load(CRANK)
    derivatives(mech)
    if other is OTHERS["an option"]:
        derivatives(mech, IMPLICIT)
    before = len(found)
    np.testing.assert_array_equal(derivatives(mech, **other(mech)), derivatives(fresh, **other(fresh)))
    assert len(found) == before + 2


def test_one_answer_is_kept_and_it_cannot_be_written_into() -> None:
    last, one = LastTangents(), [Sparse(np.arange(2), np.ones(2))]
    assert last.of("first", lambda: one) is one
    assert last.of("first", list) is one
    with pytest.raises(ValueError, match="read-only"):
        one[0].value[0] = 2.0
    assert last.of("second", list) == []
    assert last.of("first", list) == []


@pytest.mark.parametrize(("places", "is_kept"), [(2_000_000, True), (2_000_001, False)])
def test_very_many_places_are_not_kept(places: int, is_kept: bool) -> None:
    last = LastTangents()
    many = [Sparse(np.zeros(places, dtype=np.intp), np.zeros(places))]
    last.of("all", lambda: many)
    assert (last.of("all", list) is many) == is_kept


def test_threads_have_their_own_answers() -> None:
    mech, wrong = lw.load(CRANK), list[str]()
    wanted = {step: derivatives(lw.load(CRANK), step=step) for step in (1e-3, 5e-4)}

    def ask(step: float) -> None:
        wrong.extend("" for _ in range(3) if not np.array_equal(derivatives(mech, step=step), wanted[step]))

    threads = [threading.Thread(target=ask, args=(step,)) for step in wanted]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
