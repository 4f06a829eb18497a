"""Motions under forces by formula against independent integrations and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw

WAYS = [("rA", "generalized-alpha"), ("canonical", "dop853")]
TOLERANCES = {"rtol": 1e-12, "atol": 1e-13}


def ball(**fields: object) -> lw.Mechanism:
    mech = lw.Mechanism("ball", gravity=(0.0, 0.0, -9.81))
    mech.body("ball", mass=0.3, inertia=[1e-3, 1e-3, 1e-3], **fields)
    return mech


def reference(rate: object, start: list[float], t_end: float) -> np.ndarray:
    return np.asarray(solve_ivp(rate, (0.0, t_end), start, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1])


def run(mech: lw.Mechanism, way: tuple[str, str], t_end: float) -> lw.Result:
    if way[1] == "dop853":
        return lw.simulate(mech, t_end, t_end / 50, way[0], way[1], **TOLERANCES)
    return lw.simulate(mech, t_end, t_end / 2000, *way)


@pytest.mark.parametrize("way", WAYS, ids="/".join)
def test_a_ball_thrown_through_air(way: tuple[str, str]) -> None:
    mech = ball(velocity=[20.0, 1.0, 15.0])
    mech.parameter("c", 0.01, unit="N s^2/m^2")
    drag = [f"-c*speed('ball')*velocity('ball', '{axis}')" for axis in "xyz"]
    mech.force("drag", "force", body="ball", components=drag)

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        v = y[3:]
        return np.r_[v, -0.01 / 0.3 * np.linalg.norm(v) * v + [0.0, 0.0, -9.81]]

    wanted = reference(rate, [0, 0, 0, 20, 1, 15], 1.0)[:3]
    result = run(mech, way, 1.0)
    assert np.abs(result["position"][-1, 0] - wanted).max() < (1e-11 if way[1] == "dop853" else 1e-5)
    balance = result.energy_balance()
    assert np.abs(balance.residual).max() < 2e-3 * np.abs(balance.change).max()


@pytest.mark.parametrize("way", WAYS, ids="/".join)
def test_a_duffing_oscillator_on_a_rail(way: tuple[str, str]) -> None:
    mech = lw.Mechanism("duffing", gravity=(0.0, 0.0, 0.0))
    mech.body("cart", mass=2.0, inertia=[0.1, 0.1, 0.1], velocity=[0.4, 0.0, 0.0])
    mech.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    law = "-8*displacement('rail') - 40*displacement('rail')**3 - 0.3*rate('rail') + cos(2*t)"
    mech.force("spring", "force", body="cart", components=[law, 0, 0])

    def rate(t: float, y: np.ndarray) -> list[float]:
        x, v = y
        return [v, (-8 * x - 40 * x**3 - 0.3 * v + np.cos(2 * t)) / 2.0]

    wanted = reference(rate, [0.0, 0.4], 2.0)[0]
    result = run(mech, way, 2.0)
    assert abs(result["position"][-1, 0, 0] - wanted) < (1e-11 if way[1] == "dop853" else 1e-5)


def test_a_formula_without_a_value_ends_the_run_with_its_name() -> None:
    mech = ball()
    mech.force("odd", "force", body="ball", components=["sqrt(0.5 - t)*speed('ball')", "0", "0"])
    with pytest.raises(lw.errors.LinkworkError, match=r"force 'odd' \(x\) has no finite value at t = 0\.5"):
        lw.simulate(mech, 1.0, 0.01, "canonical", "rk4")
    mech.change("odd", components=["1/position('ball', 'z')", 0, 0])
    with pytest.raises(lw.errors.LinkworkError, match=r"force 'odd' \(x\) has no finite value at t = 0 s"):
        lw.simulate(mech, 1.0, 0.01, "canonical", "rk4")


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("sqrt(0.5 - t)", "has no finite value at t = 0.5"),
        ("1/(t - 0.5)", r"(has no finite value|is .*e\+\d+) at t = 0.5"),
    ],
)
@pytest.mark.parametrize("way", [("canonical", "rk4"), ("rA", "generalized-alpha"), ("lie-mixed", "dp54")])
def test_formulas_of_time_are_named_too_and_what_was_computed_is_kept(
    way: tuple[str, str], formula: str, said: str
) -> None:
    mech = ball()
    mech.force("drag", "force", body="ball", components=["-0.1*speed('ball')", 0, 0])
    mech.force("odd", "force", body="ball", components=[0, formula, 0])
    with pytest.raises(lw.errors.ConvergenceError, match=r"force 'odd' \(y\) " + said) as error:
        lw.simulate(mech, 1.0, 0.01, *way)
    assert error.value.result.time[-1] == pytest.approx(0.5, abs=0.011)
