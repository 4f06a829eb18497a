"""Digits that rounding leaves of derivatives: what is said of them against two ways to the same derivatives."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives import rounding
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.derivatives.rounding import FEW, MOST, rounding_of
from linkwork.errors import UsageError

PENDULUM = Path(lw.__file__).parent / "mechanisms" / "kissel2021_double_pendulum.yaml"
TO = ["gravity[2]", "bar 1.shape.size[0]", "bar 2.angular_velocity[0]"]
CANONICAL, IMPLICIT = ("canonical", "rk4"), ("rA", "generalized-alpha")


def found_at(t_end: float, pair: tuple[str, str], **options: Any) -> lw.Sensitivities:
    return lw.sensitivities(
        lw.load(PENDULUM), t_end, 2e-3, *pair, of={"end": lw.Final("bar 2.position")}, to=TO, **options
    )


@pytest.mark.parametrize("t_end", [4.0, 16.0, 24.0, 32.0])
def test_digits_are_those_on_which_two_ways_agree(t_end: float) -> None:
    """By recorded steps and by dual numbers: the largest difference at the end is within what the digits promise."""
    nominal = carried_out(lw.load(PENDULUM), t_end, 2e-3, *CANONICAL, None, {})
    moving = Moving(nominal, numbers_of(nominal.mechanism, TO))
    recorded, dual = moving.samples["motion"][-1, ..., 1:], moving.dual_samples()["motion"][-1, ..., 1:]
    off = float(np.max(np.abs(recorded - dual)) / np.max(np.abs(dual)))
    digits = rounding_of(nominal, {name: array[..., 0] for name, array in moving.samples.items()}).digits
    assert off <= 10.0**-digits
    assert digits >= min(-np.log10(max(off, 1e-16)) - 4.0, MOST - 3)  # and says not much less than there are


def test_a_motion_that_stays_near_keeps_its_digits() -> None:
    for pair, least in ((CANONICAL, 11), (IMPLICIT, FEW)):  # Newton's iteration ends at its tolerance
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = found_at(1.0, pair)
        assert found.digits >= least
        assert found.messages == ()


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
@pytest.mark.parametrize("pair", [CANONICAL, IMPLICIT])
def test_a_chaotic_motion_says_from_when_on_digits_are_lost(pair: tuple[str, str], mode: str) -> None:
    with pytest.warns(RuntimeWarning, match=f"fewer than {FEW} digits from t = "):
        found = found_at(80.0 if pair == CANONICAL else 32.0, pair, mode=mode)
    assert found.digits == 0
    assert len(found.messages) == 1
    since = float(found.messages[0].split("from t = ")[1].split(" s")[0])
    assert 4.5 < since < 60.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # before, there are digits
        assert found_at(since - 4.0, pair, mode=mode).digits >= FEW


def test_a_mechanism_at_rest_has_all_its_digits() -> None:
    """Velocities there are rounding of nothing, and not measured by themselves."""
    mech = lw.Mechanism("hanging", gravity=[0, 0, -9.81])
    mech.body("rod", mass=1.0, inertia=[0.1, 0.1, 0.01], position=[0, 0, -0.3])
    mech.joint("hinge", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    mech.force("coil", "torsion", joint="hinge", stiffness=3.0, damping=0.05)
    for pair in (CANONICAL, IMPLICIT):
        found = lw.sensitivities(mech, 1.0, 1e-2, *pair, of="hinge.angle", to=["rod.mass", "coil.stiffness"])
        assert found.digits is not None
        assert found.digits > FEW


def test_the_adjoint_says_how_the_run_was_reversed() -> None:
    assert found_at(0.1, IMPLICIT, mode="adjoint").way == "recorded steps"
    anew = found_at(0.1, ("lie-mixed", "ts54"), mode="adjoint", rtol=1e-6).way
    assert anew.startswith("each step recorded anew, as steps are not recorded once for all: fewer steps than code of")


def test_who_does_not_ask_for_digits_gets_none_and_no_further_run(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    does = rounding._moved
    monkeypatch.setattr(rounding, "_moved", lambda at: (made.append(1), does(at))[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for mode in ("tangent", "adjoint"):
            assert found_at(32.0, IMPLICIT, mode=mode, digits=False).digits is None
    assert made == []
    found = found_at(1.0, CANONICAL, digits=False)  # found beside, at no cost
    assert found.digits is not None
    assert found.digits >= 11
    with pytest.raises(UsageError, match="digits must be true or false"):
        found_at(1.0, CANONICAL, digits=3)
