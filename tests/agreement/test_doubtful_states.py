"""States at which formulations could differ without a word: all of them say so, by name, or all agree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from mechanism_generator import mechanism_with_elements

import linkwork as lw
from linkwork.errors import ConvergenceError, SingularPositionError
from linkwork.formulations import FORMULATIONS
from linkwork.mechanism.rotation import skew


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


def beside(state: lw.State, off: float) -> lw.State:
    """The same velocities at a pose that is off the constraints by about `off`, m and rad, in every direction."""
    move = np.random.default_rng(5).uniform(-off, off, (len(state.position), 6))
    turned = [A @ (np.eye(3) + skew(x)) for A, x in zip(state.rotation, move[:, 3:], strict=True)]  # up to off^2
    return replace(state, position=state.position + move[:, :3], rotation=np.array(turned))


@pytest.mark.parametrize("off", [1e-11, 1e-9, 1e-7])
@pytest.mark.parametrize("name", FORMULATIONS)
def test_rows_that_depend_on_others_do_so_off_the_constraints_too(name: str, off: float) -> None:
    """They looked independent there, and accelerations were off by 5 m/s^2 at a pose that is off by 1e-8."""
    for mech in (lw.load("planar_four_bar"), mechanism_with_elements(8)):
        there = lw.accelerations(mech)
        found = lw.accelerations(mech, beside(there.state, off), name)
        assert np.abs(found.rddot - there.rddot).max() < 100.0 * off
        assert len(found.redundant) == len(there.redundant) > 0


@pytest.mark.parametrize("off", [1e-11, 1e-9, 1e-7])
def test_loads_of_a_motion_hold_off_the_constraints_too(off: float) -> None:
    """The loads of a four-bar were zero where its pose was off by 1e-8, as in a run without projection."""
    mech = lw.load("planar_four_bar")
    there = lw.accelerations(mech)
    loads = lw.inverse_dynamics(mech, there)
    off_loads = lw.inverse_dynamics(mech, replace(there, state=beside(there.state, off)))
    assert np.abs(loads.values).max() > 1.0
    assert np.abs(off_loads.values - loads.values).max() < 100.0 * off
    assert np.abs(off_loads.multipliers - loads.multipliers).max() < 1000.0 * off


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
