"""Derivatives that were refused, or told nothing: at half a turn, by parameters of zero in formulas of time, with jumps
at the ends of a run, from states of other runs, by axes that have to cross."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.errors import UsageError

CAM = Path(lw.__file__).parent / "mechanisms" / "cam.yaml"
STIFFNESS = 3.0  # N m/rad


def rod(angle: float, *, coil: bool = True) -> lw.Mechanism:
    """A pendulum that starts at an angle from hanging down, whose markers say so."""
    mech = lw.Mechanism("rod")
    mech.body(
        "rod",
        mass=1.2,
        inertia=[0.04, 0.04, 0.001],
        position=[0.3 * math.sin(angle), 0, -0.3 * math.cos(angle)],
        rotation={"axis": [0, -1, 0], "angle": angle},
    )
    first = {"point": [0, 0, 0], "axis": [0, -1, 0], "x": [0, 0, -1]}
    mech.joint("hinge", "revolute", "ground", "rod", on_first=first, on_second=first | {"point": [0, 0, 0.3]})
    if coil:
        mech.force("coil", "torsion", joint="hinge", stiffness=STIFFNESS)
    return mech


@pytest.mark.parametrize("to", ["rod.rotation.angle", "rod.position.x", "hinge.on_second.point[0]"])
@pytest.mark.parametrize("coil", [True, False])
@pytest.mark.parametrize("how", [("canonical", "rk4"), ("rA", "generalized-alpha")])
def test_half_a_turn_is_no_place_to_jump_at(to: str, coil: bool, how: tuple[str, str]) -> None:
    """They were refused there, and are those a little beside; in reverse they are the same."""
    of = {"angle": "final(hinge.angle)"} | ({"torque": "final(coil.torque)"} if coil else {})
    run: Any = (0.05, 5e-3, *how)
    found = lw.sensitivities(rod(math.pi, coil=coil), *run, of=of, to=to)
    back = lw.sensitivities(rod(math.pi, coil=coil), *run, of=of, to=to, mode="adjoint")
    beside = lw.sensitivities(rod(math.pi - 1e-5, coil=coil), *run, of=of, to=to)
    for name in of:
        assert abs(found[name][0]) > 0.1
        assert_allclose(found[name], back[name], rtol=1e-9)
        assert_allclose(found[name], beside[name], rtol=1e-3)
    if coil:
        assert_allclose(abs(found["torque"]), STIFFNESS * abs(found["angle"]), rtol=1e-9)


def cart(formula: str, at: float) -> lw.Mechanism:
    mech = lw.Mechanism("cart", gravity=[0, 0, 0])
    mech.parameter("at", at)
    mech.body("cart", mass=1.0, inertia=[0.1] * 3, velocity=[0.2, 0, 0])
    mech.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("push", "force", body="cart", components=[formula, 0, 0])
    return mech


END = 0.1  # s
OF = {"speed": lw.Final("cart.velocity.x")}


@pytest.mark.parametrize(
    ("formula", "wanted"),
    [
        ("at*t", END**2 / 2),
        ("(2 + at)*t + at*(1 - t)", END),
        ("sin(t - at)", -math.sin(END)),
        ("t + at", END),
        ("exp(t - at)", 1.0 - math.exp(END)),
        ("at^2*t", 0.0),
    ],
)
@pytest.mark.parametrize("how", [{"integrator": "rk4"}, {"integrator": "dop853", "rtol": 1e-8}])
def test_a_parameter_of_zero_in_a_formula_of_time(formula: str, wanted: float, how: dict[str, Any]) -> None:
    """They were refused, as formulas were shorter there than beside. Of the speed: the integral of the force's."""
    found = lw.sensitivities(cart(formula, 0.0), END, 5e-3, "canonical", of=OF, to="at", **how)
    assert_allclose(found["speed", "at"], wanted, atol=1e-8)


@pytest.mark.parametrize(("at", "told"), [(0.0, True), (END, True), (0.051, True), (-0.01, False), (0.11, False)])
@pytest.mark.parametrize("how", [("canonical", "rk4"), ("rA", "implicit-euler")])
def test_a_jump_that_a_number_moves_into_a_run_is_told(at: float, told: bool, how: tuple[str, str]) -> None:
    """At the ends of a run in steps of one size the derivative was 0, and nothing was said."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = lw.sensitivities(cart("if(t < at, 5, 0)", at), END, 5e-3, *how, of=OF, to="at")
    assert len(found.messages) == len(caught) == told
    assert (found.digits == 0) == told
    assert all("'at' moves such a time" in one for one in found.messages)


def test_a_jump_at_an_end_that_no_number_moves_is_not_told() -> None:
    found = lw.sensitivities(cart("if(t < at, 5, 0)", END), END, 5e-3, "canonical", "rk4", of=OF, to="cart.mass")
    assert not found.messages


def test_the_state_of_another_run_is_a_start() -> None:
    """It ended in an error without words: velocities of a run are off the rows by rounding and a little more."""
    mech = lw.load(CAM)
    state = State.of(lw.simulate(mech, 0.17, 1e-3, "canonical", "rk4"), -1)
    to = ["follower.mass", "pace"]
    run: Any = {"t_end": 0.172, "step": 5e-4, "formulation": "canonical", "integrator": "rk4", "state": state}
    found = lw.sensitivities(mech, of={"end": lw.Final("cam.angular_velocity.z")}, to=to, **run)
    for name, value, by in zip(to, (0.15, 26.0), (1e-4, 1e-3), strict=True):
        ends = [
            float(lw.simulate(mech.with_numbers({name: value + x}), **run).angular_velocity("cam")[-1, 2])
            for x in (by, -by)
        ]
        assert_allclose(found["end", name], (ends[0] - ends[1]) / (2 * by), rtol=1e-5)


def test_velocities_that_no_rows_account_for_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from linkwork.derivatives import start_velocities

    mech = lw.Mechanism("rod")
    mech.body("rod", mass=1.0, inertia=[0.1] * 3, position=[0, 0, -0.3], angular_velocity=[0, 1.5, 0])
    mech.joint("hinge", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    monkeypatch.setattr(start_velocities, "_moved", lambda mechanism, *_: np.zeros(6 * mechanism.nb))
    with pytest.raises(UsageError, match="changed otherwise than by constraints alone"):
        lw.sensitivities(mech, 0.02, 5e-3, "canonical", "rk4", of="position", to="rod.position.z")


def test_axes_of_a_cross_are_differentiated_apart() -> None:
    """A component of one alone was refused with what sweeps are to do."""
    mech = lw.Mechanism("cross")
    mech.body("arm", mass=1.0, inertia=[0.1, 0.2, 0.1], position=[0, 0.2, 0.5], angular_velocity=[0.4, 0.3, 0])
    mech.joint("cross", "universal", "ground", "arm", point=[0, 0, 0], axis=[1, 0, 0], axis2=[0, 1, 0])
    run: Any = (0.1, 5e-3, "canonical", "rk4")
    with pytest.raises(UsageError, match=r"'cross.axis.y'.*not perpendicular.*by on_first and on_second") as caught:
        lw.sensitivities(mech, *run, of="arm.position", to="cross.axis.y")
    assert "sweep" not in str(caught.value)
