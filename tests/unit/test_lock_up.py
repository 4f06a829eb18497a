"""Drivers that ask for more than a mechanism can reach: the limit of the motion is told, whatever the method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import LockUpError
from linkwork.status import LOCK_UP

CRANK, COUPLER, ROCKER, GROUND, START = 0.4, 0.3, 0.3, 0.5, 1.0  # m; the crank's angle at the start, rad
REACHED = np.arccos((CRANK**2 + GROUND**2 - (COUPLER + ROCKER) ** 2) / (2 * CRANK * GROUND))  # coupler, rocker in line
AXIS = [0, -1, 0]


def bar(mech: lw.Mechanism, name: str, p: np.ndarray, q: np.ndarray) -> None:
    along = (q - p) / np.linalg.norm(q - p)
    rotation = np.column_stack([along, [0, 1, 0], np.cross(along, [0, 1, 0])])
    length = float(np.linalg.norm(q - p))
    inertia = [1e-4, length**3 / 12, length**3 / 12]
    mech.body(name, mass=length, inertia=inertia, position=(p + q) / 2, rotation=rotation.tolist())


def four_bar(motor: str | None, lengths: tuple[float, ...] = (CRANK, COUPLER, ROCKER, GROUND), start: float = START):
    """In the x-z plane, the joints of the loop without redundant rows."""
    crank, coupler, rocker, ground = lengths
    far, pin = np.array([ground, 0, 0]), crank * np.array([np.cos(start), 0, np.sin(start)])
    apart = float(np.linalg.norm(far - pin))
    along = (coupler**2 - rocker**2 + apart**2) / (2 * apart)
    across = np.cross((far - pin) / apart, [0, 1, 0])
    top = pin + along * (far - pin) / apart - np.sqrt(coupler**2 - along**2) * across
    mech = lw.Mechanism("four-bar")
    for name, p, q in (("crank", np.zeros(3), pin), ("coupler", pin, top), ("rocker", far, top)):
        bar(mech, name, p, q)
    mech.joint("O", "revolute", "ground", "crank", point=[0, 0, 0], axis=AXIS)
    mech.joint("P", "revolute", "crank", "coupler", point=pin, axis=AXIS)
    mech.joint("C", "spherical", "coupler", "rocker", point=top)
    mech.joint("D", "cylindrical", "ground", "rocker", point=far, axis=AXIS)
    if motor is not None:
        mech.driver("motor", "O", motor)
    return mech


RUNS: dict[str, Callable[[lw.Mechanism], Any]] = {
    "kinematics": lambda mech: lw.kinematics(mech, 1.0, 1e-3),
    "kinematics, coarse": lambda mech: lw.kinematics(mech, 1.0, 1e-2, "rp"),
    "generalized-alpha": lambda mech: lw.simulate(mech, 1.0, 1e-3, "rA"),
    "implicit Euler": lambda mech: lw.simulate(mech, 1.0, 1e-3, "rA", "implicit-euler"),
    "explicit": lambda mech: lw.simulate(mech, 1.0, 1e-3, "lie-mixed", "rk4"),
    "projected, in joint space": lambda mech: lw.simulate(mech, 1.0, 1e-3, "canonical", stabilisation="projection"),
    "planned": lambda mech: lw.simulate(mech, 1.0, 1e-2),
}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_the_limit_of_a_motion_is_told(run: Callable[[lw.Mechanism], Any]) -> None:
    """A crank that is turned until coupler and rocker are in line. Newton's method failed, or joints came apart."""
    with pytest.raises(
        LockUpError, match=r"lock-up.*joints 'O', 'P', 'C', 'D' let driver 'motor' \(0\.44546"
    ) as caught:
        run(four_bar("2*pi*t"))
    when = (REACHED - START) / (2 * np.pi)
    assert float(str(caught.value).split("t = ")[1].split(" s")[0]) == pytest.approx(when, rel=1e-5)
    assert caught.value.code == "LW-SINGULAR"
    assert "formula" in caught.value.remedy
    assert caught.value.result.status == LOCK_UP
    assert not caught.value.result.success
    assert caught.value.result.time.size > 1


@pytest.mark.parametrize("run", [RUNS["kinematics"], RUNS["generalized-alpha"]])
def test_a_slider_that_is_pushed_beyond_a_dead_centre(run: Callable[[lw.Mechanism], Any]) -> None:
    """It gets there at 0.5 s to the rounding: the pose exists, and none after it."""
    pin = np.array([0.45, 0, 0])
    angle = np.arccos((0.2**2 + 0.45**2 - 0.3**2) / (2 * 0.2 * 0.45))
    crank = 0.2 * np.array([np.cos(angle), 0, np.sin(angle)])
    mech = lw.Mechanism("slider crank")
    bar(mech, "crank", np.zeros(3), crank)
    bar(mech, "rod", crank, pin)
    mech.body("slider", mass=1, inertia=[0.01] * 3, position=pin)
    mech.joint("O", "revolute", "ground", "crank", point=[0, 0, 0], axis=AXIS)
    mech.joint("P", "spherical", "crank", "rod", point=crank)
    mech.joint("S", "revolute", "rod", "slider", point=pin, axis=AXIS)
    mech.joint("rail", "cylindrical", "ground", "slider", point=pin, axis=[1, 0, 0])
    mech.driver("push", "rail", "0.1*t", coordinate="displacement")
    with pytest.raises(LockUpError, match=r"t = 0\.5 s: lock-up.*driver 'push' \(0\.05 m\)"):
        run(mech)


def test_a_planned_run_ends_where_a_driver_only_just_asks_for_too_much() -> None:
    """It crept along the limit for as long as nobody stopped it."""
    with pytest.raises(LockUpError, match="t = 0\\.2273"):
        lw.simulate(four_bar("0.45*sin(2*pi*t)"), 1.0, 1e-2)


@pytest.mark.parametrize("run", [RUNS["kinematics"], RUNS["generalized-alpha"], RUNS["planned"]])
def test_a_position_where_a_motion_may_branch_is_no_limit(run: Callable[[lw.Mechanism], Any]) -> None:
    """A parallelogram goes through two of them in a turn."""
    result = run(four_bar("2*pi*t", (0.2, 0.5, 0.2, 0.5), np.pi / 2))
    assert result.completed
    assert result.time[-1] == 1.0


def test_a_run_that_ends_before_the_limit_is_good() -> None:
    result = lw.simulate(four_bar("2*pi*t"), 0.06, 1e-3, "rA")
    assert result.success
    assert result.judgement == "good"


def test_what_is_not_driven_has_no_limit() -> None:
    """It swings through: nothing asks for anything."""
    result = lw.simulate(four_bar(None), 0.3, 1e-3, "rA")
    assert result.success


def test_the_rank_loss_of_explicit_runs_is_where_it_is_met() -> None:
    """It was said to be at the start of the step, a quarter of a turn before."""
    result = lw.simulate(four_bar("2*pi*t", (0.2, 0.5, 0.2, 0.5), np.pi / 2), 0.4, 1e-3)
    assert any("lose rank near t = 0.25 s" in message for message in result.messages), result.messages
