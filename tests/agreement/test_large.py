"""Large mechanisms: ways of solving agree on accelerations, and are set up in seconds."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.studies import generated


@pytest.mark.parametrize("mechanism", [generated.chain(1000), generated.tree(1000)], ids=lambda m: m.name)
def test_accelerations_of_a_thousand_bodies_agree(mechanism: lw.Mechanism) -> None:
    found = {name: lw.accelerations(mechanism, formulation=name) for name in ("range-space", "augmented", "cut-joint")}
    reference = found["augmented"]
    size = np.abs(reference.omegadot).max()
    for one in found.values():
        np.testing.assert_allclose(one.rddot, reference.rddot, atol=1e-9 * size)
        np.testing.assert_allclose(one.omegadot, reference.omegadot, atol=1e-9 * size)
        np.testing.assert_allclose(
            one.multipliers, reference.multipliers, atol=1e-9 * np.abs(reference.multipliers).max()
        )


def test_accelerations_of_a_ladder_of_a_hundred_four_bars_agree() -> None:
    """All cranks turn alike; the closed form is that of one angle."""
    n, speed = 100, 1.0
    mechanism = generated.ladder(n, "point-in-line", speed)
    for name in ("range-space", "augmented", "cut-joint", "joint-rates"):
        found = lw.accelerations(mechanism, formulation=name)
        cranks = found.omegadot[: n + 1, 2]
        np.testing.assert_allclose(cranks, 0.0, atol=1e-10)  # upright: gravity has no arm
        np.testing.assert_allclose(found.rddot[n + 1 :], np.tile([0.0, -(speed**2), 0.0], (n, 1)), atol=1e-10)


def test_accelerations_of_four_hundred_four_bars_of_spatial_pins() -> None:
    """1200 of 6005 rows are redundant; the motion is that of one crank."""
    n, speed = 400, 1.0
    found = lw.accelerations(generated.ladder(n, "revolute", speed), formulation="range-space")
    np.testing.assert_allclose(found.omegadot, 0.0, atol=1e-9)
    np.testing.assert_allclose(found.rddot[n + 1 :], np.tile([0.0, -(speed**2), 0.0], (n, 1)), atol=1e-9)
    assert len(found.not_unique) == 3 * n + 1
