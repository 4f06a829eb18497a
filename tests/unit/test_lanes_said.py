"""What lanes do not carry runs one by one, with the same numbers, and is said by name: nothing is left out silently."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from unit.test_cam_pairs import two_discs
from unit.test_model_numbers import arm, geared

import linkwork as lw
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.lanes import runner

KEPT = "final(lower.position.x)"
USUAL: dict[str, Any] = {"t_end": 0.01, "step": 1e-3, "judge": False, "threads": 1}
PATH = "branches on its way"
LEFT = {  # without a reason: instances leave the path of the run as it is described, one by one
    ("partial", "rk4"): "", ("penalty", "rk4"): PATH,
}  # fmt: skip
PAIRS = [(name, integrator) for name in FORMULATIONS for integrator in ("rk4", "generalized-alpha")]


@pytest.fixture(autouse=True)
def _recorded_code_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling all kernels for lanes takes minutes, and is tested elsewhere: as where Numba is not installed."""
    monkeypatch.setattr(runner, "batch_of", lambda held: None)
    monkeypatch.setattr(runner, "why_not", lambda run: "Numba is not installed")


def said(mech: lw.Mechanism, over: dict[str, Any], keep: str = KEPT, **how: Any) -> tuple[bool, str]:
    """Whether a sweep went in lanes, and why not; its numbers are those of runs one by one in either case."""
    alone, found = (lw.sweep(mech, over, keep=keep, lanes=lanes, **{**USUAL, **how}) for lanes in (False, True))
    assert not found.failed.size
    lanes, why = found["in_lanes"], found.info["one_by_one"]
    assert f"{int(lanes.sum())} in lanes" in repr(found)
    if lanes.any():
        assert not why
        np.testing.assert_allclose(found[keep], alone[keep], rtol=1e-11, atol=1e-13)
    else:
        np.testing.assert_array_equal(found[keep], alone[keep])
    return bool(lanes.all()), why


@pytest.mark.parametrize(("formulation", "integrator"), PAIRS)
def test_every_formulation_goes_in_lanes_or_says_why_not(formulation: str, integrator: str) -> None:
    chosen, method = FORMULATIONS.load(formulation), INTEGRATORS.load(integrator)
    if method.shape not in chosen.shapes:
        return
    lanes, why = said(arm(), {"upper.mass": [1.5, 2.0, 2.5]}, formulation=formulation, integrator=integrator)
    assert lanes == ((formulation, integrator) not in LEFT), why
    assert lanes or LEFT[formulation, integrator] in why


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"integrator": "dp54", "rtol": 1e-8}, "steps of one size only"),
        ({"integrator": "implicit-midpoint"}, "explicit Runge-Kutta methods only"),
        ({"formulation": "rA", "integrator": "radau5"}, "explicit Runge-Kutta methods only"),
        ({"formulation": "rA", "integrator": "generalized-alpha", "t_end": 0.002}, "no more than 3 steps"),
        ({"formulation": "range-space", "integrator": "rattle"}, "explicit Runge-Kutta methods only"),
        ({"stabilisation": "projection", "project_every": 3}, "steps are not recorded: projection"),
    ],
)
def test_methods_that_lanes_do_not_carry_are_named(how: dict[str, Any], words: str) -> None:
    lanes, why = said(arm(), {"upper.mass": [1.5, 2.5]}, **{"formulation": "articulated-body", **how})
    assert not lanes
    assert words in why


def test_gravity_goes_in_lanes() -> None:
    lanes, _ = said(arm(), {"gravity.z": [-9.0, -1.62]}, formulation="articulated-body", integrator="rk4")
    assert lanes


@pytest.mark.parametrize(
    ("over", "words"),
    [({"L": [0.4, 0.5]}, "move the start, or enter what is built anew"), ({"elbow": [0.0, 0.1]}, "starts")],
)
def test_numbers_that_lanes_do_not_carry_are_named(over: dict[str, Any], words: str) -> None:
    lanes, why = said(arm(), over, formulation="articulated-body", integrator="rk4")
    assert not lanes
    assert words in why


@pytest.mark.parametrize("formulation", ["rotation-matrix", "joint-rates", "cut-joint", "barycentric"])
def test_loops_go_in_lanes_where_pivots_hold(formulation: str) -> None:
    over = {"crank.mass": [0.95, 1.0, 1.05]}
    how = {"formulation": formulation, "integrator": "rk4"}
    assert said(lw.load("kissel2021_slider_crank"), over, "final(slider.position.y)", **how) == (True, "")


WAYS = [
    ("articulated-body", "rk4"),
    ("canonical", "rk4"),
    ("rA", "generalized-alpha"),
    ("lie-mixed", "generalized-alpha"),
]


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_elements_that_lanes_do_not_carry_are_named(formulation: str, integrator: str) -> None:
    how = {"formulation": formulation, "integrator": integrator}
    lanes, why = said(lw.load("planar_four_bar"), {"rocker pivot.point.x": [0.5]}, "final(energy)", **how)
    assert not lanes
    assert "depend on each other" in why
    lanes, why = said(two_discs(True), {"first.mass": [2.0, 2.5]}, "final(first.angular_velocity.z)", **how)
    assert not lanes
    assert "cam pairs" in why


@pytest.mark.parametrize(("formulation", "integrator"), [*WAYS, ("rp", "implicit-euler"), ("range-space", "rk4")])
def test_rows_that_depend_on_others_go_in_lanes_a_whole_turn(formulation: str, integrator: str) -> None:
    """The largest entries of rows change places on the way, which compiled kernels take for pivots. Weight across the
    plane is carried by rows that depend on each other."""
    how = {"formulation": formulation, "integrator": integrator, "t_end": 1.0, "step": 4e-3}
    over, keep = {"gravity.y": [2.0, 4.0, 5.0]}, "final('rocker pivot'.reaction_torque)"
    four_bar = lw.Mechanism.from_dict({**lw.load("planar_four_bar").to_dict(), "gravity": [0.0, 3.0, -9.81]})
    alone, lanes = (lw.sweep(four_bar, over, keep=keep, lanes=one, **{**USUAL, **how}) for one in (False, True))
    np.testing.assert_allclose(lanes[keep], alone[keep], rtol=1e-6, atol=1e-6)  # of multipliers of least norm
    assert np.abs(alone[keep]).max() > 0.1
    assert lanes["in_lanes"].any()  # some may leave the path


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_couplings_rotors_and_loops_go_in_lanes(formulation: str, integrator: str) -> None:
    how = {"formulation": formulation, "integrator": integrator}
    assert said(geared(), {"a.mass": [1.0, 1.5, 3.0]}, "final(a.position.x)", **how) == (True, "")
    crank = lw.load("kissel2021_slider_crank")
    over = {"crank.mass": [0.5, 1.0], "slider.mass": [1.0, 2.0]}
    assert said(crank, over, "final(slider.position.y)", **how) == (True, "")
