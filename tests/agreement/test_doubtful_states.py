"""States at which formulations could differ without a word: all of them say so, by name, or all agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ConvergenceError, SingularPositionError
from linkwork.formulations import FORMULATIONS


def held_twice(speed: float) -> lw.Mechanism:
    """A slide along x, and a rod along y to the slider: where they meet both hold it in y, and if it moves the rod asks
    for speed^2 / length there, the slide for nothing."""
    m = lw.Mechanism("held twice", gravity=(0, 0, -9.81))
    m.body("slider", mass=1.0, inertia=[0.1, 0.2, 0.3], position=(0, 0, 0), velocity=(speed, 0, 0))
    m.joint("slide", "translational", "ground", "slider", point=(0, 0, 0), axis=(1, 0, 0))
    m.joint("rod", "distance", "ground", "slider", point=(0, 1, 0), point2=(0, 0, 0))
    return m


@pytest.mark.parametrize("name", FORMULATIONS)
def test_rows_that_ask_for_different_accelerations_are_named(name: str) -> None:
    with pytest.raises(SingularPositionError, match="ask for different accelerations") as caught:
        lw.accelerations(held_twice(1.0), formulation=name)
    assert "rod" in caught.value.message
    assert "slide" in caught.value.message
    assert caught.value.remedy
    assert np.abs(lw.accelerations(held_twice(0.0), formulation=name).rddot).max() < 1e-12, "at rest they agree"


def test_a_run_does_not_begin_there() -> None:
    assert any("different accelerations" in str(one) for one in held_twice(1.0).check().contradictions)
    with pytest.raises(SingularPositionError, match="ask for different accelerations"):
        lw.simulate(held_twice(1.0), 0.1, 1e-2, "null-space", "rk4")


def tilting(miss: float) -> lw.Mechanism:
    """A ball on a ball joint that spins about x, and a torsion spring about z that nothing keeps to a common axis: its
    mark on the ball passes the axis at an angle of `miss`."""
    m = lw.Mechanism("tilting")
    spin = 20.0
    m.body("ball", mass=1.0, inertia=[0.4, 0.4, 0.4], angular_velocity=(0, -spin * np.cos(miss), spin * np.sin(miss)))
    m.joint("pivot", "spherical", "ground", "ball", point=(0, 0, 0))
    m.force("twist", "torsion", first="ground", second="ball", axis=(0, 0, 1), stiffness=2.0)
    return m


WAYS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("range-space", "dop853", {"rtol": 1e-10}),
    ("articulated-body", "dop853", {"rtol": 1e-10}),
    ("canonical", "rk4", {}),
    ("lie-mixed", "rk4", {}),
    ("rA", "generalized-alpha", {}),
)


@pytest.mark.parametrize(("formulation", "integrator", "how"), WAYS)
@pytest.mark.parametrize("step", [0.1, 1e-3])
def test_a_torsion_spring_that_loses_its_axis_ends_the_run(
    formulation: str, integrator: str, how: dict[str, Any], step: float
) -> None:
    """Through the axis theta jumps by half a turn, to the side that rounding chooses: at every step it is said."""
    with pytest.raises(ConvergenceError) as caught:
        lw.simulate(tilting(0.0), 0.4, step, formulation, integrator, **how)
    if step < 1e-2:
        assert "torsion spring 'twist'" in caught.value.message


def test_beside_its_axis_a_torsion_springs_result_does_not_depend_on_the_step() -> None:
    speeds = []
    for formulation, integrator, how in WAYS[:4]:
        try:
            result = lw.simulate(tilting(0.3), 0.2, 1e-3, formulation, integrator, **how)
        except ConvergenceError as error:
            raise AssertionError(f"{formulation}: {error}") from None
        speeds.append(result.angular_velocity("ball")[-1])
    assert max(np.abs(one - speeds[0]).max() for one in speeds) < 1e-6
    with pytest.raises(ConvergenceError, match=r"torsion spring|half a revolution"):
        lw.simulate(tilting(0.3), 0.2, 0.1, "canonical", "rk4")
