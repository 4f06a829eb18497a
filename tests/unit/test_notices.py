"""What equations have to say of a run when it is over, and when they have not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw


def cart(mass: float) -> lw.Mechanism:
    """A pendulum of 1 kg on a slide that is much lighter."""
    m = lw.Mechanism("cart", gravity=(0, 0, -9.81))
    m.body("cart", mass=mass, inertia=[0.01 * mass] * 3, position=(0, 0, 0))
    m.body("rod", mass=1.0, inertia=[0.1, 0.1, 0.1], position=(0.5, 0, 0))
    m.joint("slide", "translational", "ground", "cart", point=(0, 0, 0), axis=(1, 0, 0))
    m.joint("pin", "revolute", "cart", "rod", point=(0, 0, 0), axis=(0, 1, 0))
    return m


def swung(mass: float, **how: Any) -> tuple[float, list[str]]:
    """Change of energy [J] in a second at rtol 1e-9 by penalty, and what it says about passes."""
    result = lw.simulate(cart(mass), 1.0, 0.05, "penalty", "dop853", rtol=1e-9, atol=1e-11, **how)
    return float(np.abs(result.energy - result.energy[0]).max()), [m for m in result.messages if "passes" in m]


@pytest.mark.parametrize("mass", [1e-4, 1e-6])
def test_passes_go_on_as_long_as_they_help(mass: float) -> None:
    """They were ended where a change was not half of the one before: 5e-6 J were lost whatever the tolerance."""
    lost, said = swung(mass)
    assert lost < 2e-8
    assert said == []


def test_passes_that_run_out_are_told_with_what_they_left() -> None:
    lost, (said,) = swung(1e-6, options={"penalty_passes": 10})
    assert lost > 1e-3
    assert "up to 0.0" in said
    assert "penalty_factor" in said
    cured, nothing = swung(1e-6, options={"penalty_passes": 10, "penalty_factor": 1e9})
    assert cured < 2e-8
    assert nothing == []


def tumbling(**how: Any) -> tuple[lw.Result, list[str]]:
    m = lw.Mechanism("tumbling", gravity=(0, 0, 0))
    m.body("a", mass=1.0, inertia=[3.0, 4.0, 5.0], velocity=(0, 0, 0), angular_velocity=(1.0, 2.0, 3.0))
    result = lw.simulate(m, 20.0, 1.0, "rotation-matrix", "dop853", rtol=1e-9, atol=1e-11, **how)
    return result, [message for message in result.messages if "off SO(3)" in message]


def test_rotations_that_drift_are_told_and_can_be_held() -> None:
    drifted, (said,) = tumbling()
    off = float(drifted["orthogonality_violation"][-1, 0])
    assert f"{off:.2g}" in said
    assert off > 30e-9
    held, nothing = tumbling(orthonormalise_every=1)
    assert nothing == []
    energy = (drifted["kinetic_energy"], held["kinetic_energy"])
    lost = [float(np.abs(e - e[0]).max()) for e in energy]
    assert lost[1] < 0.2 * lost[0]
