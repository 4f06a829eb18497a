"""Derivatives of quantities that are nothing but rounding, as the torque of a ball joint: zero but for rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives.quantity_rounding import size_of_rounding
from linkwork.derivatives.stencil import NOISE
from linkwork.errors import UsageError

TORQUE, FORCE = "lower ball.reaction_torque", "lower ball.reaction_force"


def test_of_an_equilibrium() -> None:
    """It was refused: "not smooth in it"."""
    found = lw.equilibrium(lw.load("suspension"))
    each = lw.sensitivities(found, of=[TORQUE, "guide.reaction_force", "car.position", FORCE], to="car.mass")
    assert np.max(np.abs(each[TORQUE])) < 1e-11
    assert np.max(np.abs(each["guide.reaction_force"])) < 1e-11
    assert 1.0 < np.max(np.abs(each[FORCE])) < 100.0
    others = [lw.equilibrium(found._source.with_numbers({"car.mass": 320.0 + x})) for x in (-0.5, 0.5)]
    change = others[1].reactions["lower ball"].force - others[0].reactions["lower ball"].force
    assert each[FORCE][:, 0] == pytest.approx(change, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
def test_of_a_run(mode: str) -> None:
    how: dict[str, Any] = {"to": "car.mass", "mode": mode, "digits": False}
    of = {"torque": f"final({TORQUE})", "force": f"final({FORCE})"}
    found = lw.sensitivities(lw.load("suspension"), 0.05, 5e-3, "rA", "generalized-alpha", of=of, **how)
    assert np.max(np.abs(found["torque"])) < 1e-10
    assert np.max(np.abs(found["force"])) > 1e-2


def test_what_is_not_smooth_is_refused_as_before() -> None:
    mech = lw.load("kissel2021_double_pendulum")

    end = lw.simulate(mech, 0.05, 5e-3, "canonical", "rk4").position("bar 2")[-1, 2]

    def off(result: lw.Result) -> float:
        return float(abs(result.position("bar 2")[-1, 2] - end))

    with pytest.raises(UsageError, match="'off' is not smooth in it"):
        lw.sensitivities(mech, 0.05, 5e-3, "canonical", "rk4", of=off, to="gravity.z", digits=False)


def test_rounding_is_seen_by_moving_numbers_by_theirs() -> None:
    samples = {"f": np.array([3e3, -2e3]), "g": np.zeros(2)}
    size = size_of_rounding(lambda block: block["f"][0] + block["f"][1] - 1e3, samples)
    assert 1e3 < size * NOISE / (16.0 * 2.0**-50) <= 5.5e3
    assert size_of_rounding(lambda block: block["g"], samples) == 0.0
