"""What lanes do not carry runs one by one, with the same numbers, and is said by name: nothing is left out silently."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from unit.test_model_numbers import arm, geared

import linkwork as lw
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.lanes import runner

KEPT = "final(lower.position.x)"
USUAL: dict[str, Any] = {"t_end": 0.01, "step": 1e-3, "judge": False, "threads": 1}
PAIRS = [(name, integrator) for name in FORMULATIONS for integrator in ("rk4", "generalized-alpha")]


@pytest.fixture(autouse=True)
def _recorded_code_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling all kernels for lanes takes minutes, and is tested elsewhere."""
    monkeypatch.setattr(runner, "batch_of", lambda held: None)


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
    carried = integrator == "generalized-alpha" or formulation == "articulated-body"
    assert lanes == carried, why
    assert carried or formulation in why.replace("_", "-") or "canonical" in why or "lanes carry" in why


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"integrator": "dp54", "rtol": 1e-8}, "steps of one size only"),
        ({"integrator": "implicit-midpoint"}, "explicit Runge-Kutta methods only"),
        ({"formulation": "rA", "integrator": "radau5"}, "explicit Runge-Kutta methods only"),
        ({"formulation": "rA", "integrator": "generalized-alpha", "t_end": 0.002}, "no more than 3 steps"),
        ({"formulation": "range-space", "integrator": "rattle"}, "explicit Runge-Kutta methods only"),
    ],
)
def test_methods_that_lanes_do_not_carry_are_named(how: dict[str, Any], words: str) -> None:
    lanes, why = said(arm(), {"upper.mass": [1.5, 2.5]}, **{"formulation": "articulated-body", **how})
    assert not lanes
    assert words in why


@pytest.mark.parametrize(
    ("over", "words"),
    [({"L": [0.4, 0.5]}, "move the start"), ({"elbow": [0.0, 0.1]}, "starts"), ({"gravity.z": [-9.0]}, "built anew")],
)
def test_numbers_that_lanes_do_not_carry_are_named(over: dict[str, Any], words: str) -> None:
    lanes, why = said(arm(), over, formulation="articulated-body", integrator="rk4")
    assert not lanes
    assert words in why


@pytest.mark.parametrize(("formulation", "integrator"), [("articulated-body", "rk4"), ("rA", "generalized-alpha")])
def test_elements_that_lanes_do_not_carry_are_named(formulation: str, integrator: str) -> None:
    how = {"formulation": formulation, "integrator": integrator}
    lanes, why = said(geared(), {"a.mass": [1.0, 1.5]}, "final(a.position.x)", **how)
    assert not lanes
    assert "rigid couplings" in why
    lanes, why = said(lw.load("planar_four_bar"), {"gravity.z": [-9.0, -9.81]}, "final(energy)", **how)
    assert not lanes
    assert "depend on each other" in why
