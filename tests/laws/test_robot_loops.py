"""Loops from robots' files: real joints, that three formulations hold closed for ten seconds, with the same motion."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

FILES = Path(__file__).parents[2] / "examples" / "robots"
MUJOCO = pytest.mark.skipif(importlib.util.find_spec("mujoco") is None, reason="MJCF is read by MuJoCo's compiler")
LOOPS = [("four_bar.urdf", 1), ("five_bar.urdf", 2), ("leg.urdf", 2), pytest.param("delta.xml", 3, marks=MUJOCO)]
CLOSED = 1e-10  # m
SAME = 1e-8  # m, of the motion


@pytest.mark.parametrize(("file", "freedoms"), LOOPS)
def test_three_formulations_hold_the_loops_closed_in_one_motion(file: str, freedoms: int) -> None:
    mech = lw.load(FILES / file)
    assert mech.account is not None
    assert mech.account.counts["refused"] == 0
    assert lw.check(mech).freedom.velocities == freedoms
    paths = []
    for formulation in ("lie-mixed", "canonical", "augmented"):
        run = lw.simulate(
            mech, 10.0, 1e-2, formulation, "dop853", rtol=1e-10, atol=1e-12, stabilisation="projection",
            t_eval=np.linspace(0.0, 10.0, 51),
        )  # fmt: skip
        assert np.max(run["position_violation"]) < CLOSED
        paths.append(np.array(run["position"]))
    assert np.max(np.abs(paths[0] - paths[0][0])) > 0.01  # it moves
    assert max(np.max(np.abs(path - paths[0])) for path in paths) < SAME


def test_a_closing_joint_has_a_reaction() -> None:
    """The five-bar hangs by its two motors; its hand carries half of what hangs below, to one side and the other."""
    mech = lw.load(FILES / "five_bar.urdf")
    found = lw.accelerations(mech, formulation="lie-mixed")
    assert np.linalg.norm(found.reactions["hand"].force) > 0.1
    assert abs(found.reactions["hand"].torque[1]) < 1e-9  # it turns freely about y
