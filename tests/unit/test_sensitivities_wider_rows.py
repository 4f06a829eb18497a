"""Numbers that give rows entries they have not in the run: a joint's point that moves off the centre of mass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives.wider import TOLD, same_zeros, wider
from linkwork.system import compile_mechanism

END = "final(slider.position.x)"
NUMBERS = {"crank.position.y": 0.1, "crank pivot.point.y": 0.1, "slider cross.on_second.point.x": 0.0}


def difference(mech: lw.Mechanism, number: str, at: float, way: tuple[str, str], h: float = 1e-4) -> float:
    """By central differences of fourth order of runs whose starts are assembled anew."""

    def end(x: float) -> float:
        run = lw.simulate(mech.with_numbers({number: x}), 0.1, 5e-3, *way, accept_changes=True)
        return float(run.value(END))

    one, two = (end(at + k * h) - end(at - k * h) for k in (1, 2))
    return (8.0 * one - two) / (12.0 * h)


@pytest.mark.parametrize("way", [("rA", "generalized-alpha"), ("rp", "implicit-euler"), ("partial", "rk4")])
def test_a_point_may_move_off_the_centre_of_mass(way: tuple[str, str]) -> None:
    """It was refused, "the equations have another structure nearby": of a crank whose pivot is at its centre."""
    mech = lw.load("spatial_slider_crank_spring")
    how: dict[str, Any] = {"of": END, "to": list(NUMBERS), "digits": False}
    found = lw.sensitivities(mech, 0.1, 5e-3, *way, **how)
    assert found.messages == (TOLD,)
    for number, at in NUMBERS.items():
        assert found[END, number] == pytest.approx(difference(mech, number, at, way), rel=2e-6)
    plain = lw.simulate(mech, 0.1, 5e-3, *way)
    assert np.max(np.abs(plain["position"] - found.result["position"])) < 1e-12
    if way[0] == "rA":
        back = lw.sensitivities(mech, 0.1, 5e-3, *way, mode="adjoint", **how)
        assert back[END] == pytest.approx(found[END], rel=1e-10)


def test_other_numbers_leave_the_run_as_it_is() -> None:
    mech = lw.load("spatial_slider_crank_spring")
    found = lw.sensitivities(mech, 0.05, 5e-3, "rA", "generalized-alpha", of=END, to="spring.stiffness", digits=False)
    assert found.messages == ()
    assert np.array_equal(found.result["position"], lw.simulate(mech, 0.05, 5e-3, "rA")["position"])


def test_rows_get_numbers_where_others_have_some() -> None:
    mech = lw.load("spatial_slider_crank_spring")
    now, other = (
        compile_mechanism(one.lower()).system.rows for one in (mech, mech.with_numbers({"crank.position.y": 0.11}))
    )
    found = wider(now, [other])
    assert not same_zeros(now, found)
    assert same_zeros(found, wider(found, [now, other]))
    assert all(np.array_equal(a[a != 0.0], b[a != 0.0]) for a, b in zip(now[3:8], found[3:8], strict=True))
    assert same_zeros(now, wider(now, [other._replace(kind=other.kind + 1)]))  # other rows altogether
