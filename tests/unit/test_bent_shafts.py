"""Constant-velocity joints beyond a bend of 180 degrees: runs that leave the joint's motions are wrong, and say so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import linkwork as lw

SHAFT = {"point": [0, 0, 0], "axis": [0, 0, 1], "x": [1, 0, 0]}
TIGHT: dict[str, Any] = {"integrator": "dop853", "rtol": 1e-10}


def bending(torque: tuple[float, float, float] = (0.0, 0.3, 0.1), turned: float = 0.0) -> lw.Mechanism:
    """One shaft on ground, the other bent by 2.5 rad and on at 1 rad/s; `turned`: both shafts' x about their axes."""
    mech = lw.Mechanism("bending", gravity=(0, 0, 0))
    mech.body("shaft", mass=1.0, inertia=[1.0, 1.0, 1.0], rotation={"axis": [1, 0, 0], "angle": 2.5},
              position=[0, 0, 0], velocity=[0, 0, 0], angular_velocity=[1.0, 0.0, 0.0])  # fmt: skip
    shaft = SHAFT | {"x": [np.cos(turned), np.sin(turned), 0]}
    mech.joint("cv", "constant-velocity", "ground", "shaft", on_first=shaft, on_second=shaft)
    mech.force("load", "torque", body="shaft", components=list(torque))
    return mech


def along_the_shafts(result: lw.Result) -> np.ndarray:
    """e3 of the relative rotation at every sample: zero in the joint's motions."""
    return np.abs(Rotation.from_matrix(result["rotation"][:, 0]).as_quat()[:, 2])


@pytest.mark.parametrize("formulation", ["lie-mixed", "rotation-matrix", "penalty"])
@pytest.mark.parametrize("turned", [0.0, 0.7])
def test_a_run_that_goes_on_as_another_joint_is_wrong(formulation: str, turned: float) -> None:
    mech = bending(turned=turned)
    run = lw.simulate(mech, 3.0, 1e-2, formulation, **TIGHT)
    assert run["position_violation"].max() < 1e-6  # the row sees nothing
    off = along_the_shafts(run)
    assert (off.max() > 1e-3) == (run.judgement == "wrong")
    assert run.success == (off.max() < 1e-3)
    if run.judgement == "wrong":
        first = run.verdicts[0]
        assert first.kind == "violation"
        assert "'cv.lock[3]'" in first.text
        assert "180 degrees" in first.text
        assert first.time == pytest.approx(run.time[np.argmax(off > 1e-3)])
        assert first.value == pytest.approx(off[np.argmax(off > 1e-3)], rel=1e-6)


def test_one_of_them_is_met() -> None:
    """Else nothing is tested above."""
    run = lw.simulate(bending(), 3.0, 1e-2, "lie-mixed", **TIGHT)
    assert along_the_shafts(run).max() > 0.1
    assert (run.judgement, run.success) == ("wrong", False)
    assert "shafts are turned by" in run.message


def test_the_limit_switches_it_off() -> None:
    run = lw.simulate(bending(), 3.0, 1e-2, "lie-mixed", limits={"violation": float("inf")}, **TIGHT)
    assert run.judgement == "good"


@pytest.mark.parametrize("formulation", ["articulated-body", "canonical"])
def test_joints_of_a_tree_go_on_through_the_bend(formulation: str) -> None:
    """Without a load the shaft turns on steadily about its x axis: 5.5 rad of bend at the end."""
    run = lw.simulate(bending((0.0, 0.0, 0.0)), 3.0, 1e-2, formulation, **TIGHT)
    wanted = Rotation.from_rotvec(np.outer(2.5 + run.time, [1.0, 0.0, 0.0])).as_matrix()
    np.testing.assert_allclose(run["rotation"][:, 0], wanted, atol=1e-7)
    assert run.judgement == "good"
    loaded = lw.simulate(bending(), 3.0, 1e-2, formulation, **TIGHT)
    assert along_the_shafts(loaded).max() < 1e-6
    assert loaded.judgement == "good"
