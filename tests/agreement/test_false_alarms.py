"""Mechanisms that lose no rank, however light a body or slender a bar: nobody says they do, and all agree."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.redundant import bricard

import linkwork as lw


def light_cart(share: float) -> lw.Mechanism:
    """A point mass of 1 kg that swings on a cart of so many kilograms: near the bottom its body hardly resists."""
    m = lw.Mechanism("light cart", gravity=(0, 0, -9.81))
    m.body("cart", mass=share, inertia=[0.1 * share] * 3, position=(0, 0, 0))
    m.body("bob", mass=1.0, inertia=[0, 0, 0], position=(0.6, 0, -0.8))
    m.joint("slide", "translational", "ground", "cart", point=(0, 0, 0), axis=(1, 0, 0))
    m.joint("pin", "revolute", "cart", "bob", point=(0, 0, 0), axis=(0, 1, 0))
    return m


@pytest.mark.parametrize("name", ["lie-product", "augmented", "partial", "null-space"])
def test_a_light_body_is_no_rank_loss(name: str) -> None:
    """Mass ratio 1e-6, through the bottom: LW-SINGULAR once from pivots that were small by mass alone."""
    result = lw.simulate(light_cart(1e-6), 0.6, 0.05, name, "dop853", rtol=1e-9)
    assert np.abs(result.position("bob")[-1] - (0.59999925, 0.0, -0.98870064)).max() < 1e-7
    assert not any("rank" in said for said in result.messages)


def slender_loop() -> lw.Mechanism:
    """Four hinges along z in a loop; the last bar has no inertia about its own line."""
    m = lw.Mechanism("loop", gravity=(0, -9.81, 0))
    points = [np.array(p) for p in ((0.0, 0.0, 0.0), (0.2, 0.9, 0.0), (1.3, 1.1, 0.0), (1.1, 0.0, 0.0))]
    for k in range(3):
        d = points[k + 1] - points[k]
        d /= np.linalg.norm(d)
        m.body(
            f"bar {k}", mass=1.0, inertia=[0.0, 0.1, 0.1] if k == 2 else [0.02, 0.08, 0.09],
            position=((points[k] + points[k + 1]) / 2).tolist(),
            rotation=np.column_stack([d, np.cross((0, 0, 1), d), (0, 0, 1)]).tolist(),
        )  # fmt: skip
    names = ["ground", "bar 0", "bar 1", "bar 2", "ground"]
    for k in range(4):
        m.joint(f"hinge {k}", "revolute", names[k], names[k + 1], point=points[k].tolist(), axis=(0, 0, 1))
    return m


def test_cut_joint_runs_loops_that_end_in_a_slender_bar() -> None:
    runs = [lw.simulate(slender_loop(), 0.5, 5e-3, name, "rk4") for name in ("cut-joint", "null-space")]
    ends = [result.position("bar 1")[-1] for result in runs]
    assert np.abs(ends[0] - ends[1]).max() < 1e-11


@pytest.mark.parametrize("name", ["lie-product", "articulated-body"])
def test_rows_that_take_each_others_place_are_no_change_of_rank(name: str) -> None:
    """Bricard's loop has one redundant row at all times."""
    result = lw.simulate(bricard(), 1.0, 4e-3, name, "rk4")
    assert not any("changed rank" in said for said in result.messages)
    assert result.info["rank_changes"] <= 1, "at the start, where the redundancy is found"
