"""`re` with its reference rotation fixed, as printed [Kissel 2021, eq. 28]: it is `re`, or says why it cannot be."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.errors import LinkworkError, SingularPositionError

FIXED = {"reference": "fixed"}


def bar(theta: float, speed: float = 0.0) -> lw.Mechanism:
    """A bar that turns about x through its end, its frame turned by theta about x at the start."""
    c, s = np.cos(theta), np.sin(theta)
    mech = lw.Mechanism("bar")
    pose = {"position": [0.0, -0.5 * s, 0.5 * c], "rotation": [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]}
    velocity = [0.0, -0.5 * speed * c, -0.5 * speed * s]
    mech.body(
        "bar", mass=1.0, inertia=[0.08, 0.08, 0.001], **pose, velocity=velocity, angular_velocity=[speed, 0.0, 0.0]
    )
    mech.joint("pin", "revolute", "ground", "bar", point=[0.0, 0.0, 0.0], axis=[1.0, 0.0, 0.0])
    return mech


def test_away_from_the_singularity_it_is_re() -> None:
    given = {"t_end": 0.2, "step": 1e-3, "formulation": "re"}
    printed, moving = lw.simulate(bar(1.0), **given, options=FIXED), lw.simulate(bar(1.0), **given)
    assert printed.info["reference"] == "fixed"
    assert_allclose(printed.position("bar"), moving.position("bar"), atol=1e-9)
    assert_allclose(printed.reaction("pin").force, moving.reaction("pin").force, atol=1e-5)


def test_a_singular_start_is_refused_by_name() -> None:
    with pytest.raises(SingularPositionError, match=r"'bar'.*identity are singular at the start"):
        lw.simulate(bar(0.0), 0.1, 1e-3, "re", options=FIXED)


def test_near_the_singularity_it_is_right_or_does_not_succeed() -> None:
    """A free body whose angle theta passes zero, straight through and at a distance of 0.02."""
    for sideways in (0.0, 0.08):
        mech = lw.Mechanism("tumbling", gravity=[0.0, 0.0, 0.0])
        c, s = np.cos(0.5), np.sin(-0.5)
        turned = [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
        start = {"position": [0.0, 0.0, 0.0], "velocity": [0.0, 0.0, 0.0], "angular_velocity": [2.0, sideways, 0.3]}
        mech.body("box", mass=1.0, inertia=[0.2, 0.3, 0.4], rotation=turned, **start)
        moving = lw.simulate(mech, 0.5, 1e-3, "re")
        try:
            printed = lw.simulate(mech, 0.5, 1e-3, "re", options=FIXED)
        except LinkworkError:
            continue
        off = float(np.abs(printed.rotation("box") - moving.rotation("box")).max())
        assert off < 1e-4 or not printed.success, (sideways, off)


def test_an_unknown_reference_is_refused() -> None:
    with pytest.raises(LinkworkError, match="moving, fixed"):
        lw.simulate(bar(1.0), 0.1, 1e-3, "re", options={"reference": "still"})
