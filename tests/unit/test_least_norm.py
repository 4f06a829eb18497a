"""Reactions of Radau runs where rows are redundant: the least ones at all samples, to the method's order."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism

import linkwork as lw

REDUNDANT = 8019  # four bodies, a fixed joint, a cylindrical one and a hinge in a loop: three rows too many


@cache
def reference() -> lw.Result:
    """By equations of index 1, where rows are judged anew at every sample."""
    return lw.simulate(random_mechanism(REDUNDANT), 1.0, 0.1, "augmented", "dop853", rtol=1e-11)


def off(run: lw.Result, name: str = "reaction_force") -> float:
    """The largest difference from the reference, as a share of the largest value there."""
    wanted = reference()[name]
    return float(np.abs(run[name] - wanted).max() / np.abs(wanted).max())


def radau(integrator: str, formulation: str = "rA", step: float = 0.1, **options: Any) -> lw.Result:
    return lw.simulate(random_mechanism(REDUNDANT), 1.0, step, formulation, integrator, **options)


@pytest.mark.parametrize("formulation", ["rA", "rp", "re", "lie-mixed"])
@pytest.mark.parametrize(
    ("integrator", "rtol"), [("radau5", 1e-8), ("radau9", 1e-8), ("radau13", 1e-8), ("radau", 1e-8)]
)
def test_least_reactions_of_steps_that_find_their_size(formulation: str, integrator: str, rtol: float) -> None:
    run = radau(integrator, formulation, rtol=rtol)
    assert (
        len(reference().messages) == len([one for one in run.messages if "are not unique, the least ones" in one]) == 1
    )
    for name in ("acceleration", "reaction_force", "reaction_torque", "multiplier"):
        assert off(run, name) < 2e-6, name


def test_reactions_have_the_order_of_the_method() -> None:
    """Two digits and a half for half the step were one third of one."""
    coarse, fine = (off(radau("radau5", step=h, every=round(0.1 / h))) for h in (0.02, 0.01))
    assert coarse < 1e-5
    assert fine < coarse / 16.0


def test_short_steps_of_seven_stages_stay_on_their_way() -> None:
    """Multipliers of rows that are left out grew from step to step until Newton's method gave up."""
    run = radau("radau13", step=0.005, every=20)
    assert off(run, "position") < 1e-10
    assert off(run) < 1e-9


@pytest.mark.parametrize("formulation", ["rA", "lie-mixed"])
def test_steps_do_not_depend_on_where_samples_are_wanted(formulation: str) -> None:
    mech = random_mechanism(REDUNDANT)
    few, many = (
        lw.simulate(mech, 1.0, h, formulation, "radau9", rtol=1e-6, t_eval=np.linspace(0.0, 1.0, n))
        for h, n in ((0.5, 3), (0.01, 101))
    )
    assert few.info["steps"] == many.info["steps"]
    for name in ("position", "rotation", "velocity", "multiplier"):
        np.testing.assert_array_equal(few[name], many[name][::50])


def test_large_mechanisms_whose_rows_are_searched_sparsely() -> None:
    """Pairs of doors on two hinges each, one behind the other: ten rows too many a pair."""
    mech = lw.Mechanism("doors", gravity=(0, 0, -9.81))
    for k in range(20):
        for number, before in enumerate(("ground", f"door {k} 0")):
            x = 3.0 * k + number
            mech.body(f"door {k} {number}", mass=1.0 + 0.1 * k, inertia=[0.1, 0.1, 0.1], position=[x + 0.5, 0, 0])
            for height in (-0.1, 0.4):
                mech.joint(
                    f"hinge {k} {number} {height}", "revolute", before, f"door {k} {number}", point=[x, height, 0],
                    axis=[0, 1, 0],
                )  # fmt: skip
    wanted = lw.simulate(mech, 0.3, 0.05, "articulated-body", "dop853", rtol=1e-10)
    run = lw.simulate(mech, 0.3, 0.05, "lie-mixed", "radau5", rtol=1e-8)
    for name in ("position", "reaction_force", "reaction_torque"):
        np.testing.assert_allclose(run[name], wanted[name], atol=1e-5 * np.abs(wanted[name]).max())
