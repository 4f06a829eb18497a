"""Point masses on bodies: mass, inertia, centre of mass, and the motion of a body put together of its parts."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.errors import ModelError


def test_two_masses_on_a_rod_without_mass() -> None:
    ends = [{"mass": 2.0, "point": [0, 0, 0.3]}, {"mass": 1.0, "point": [0, 0, -0.3]}]
    mech = lw.Mechanism("dumb-bell")
    mech.body("rod", mass=0, inertia=[0, 0, 0], position=[1, 0, 0], rotation={"axis": [0, 1, 0], "angle": np.pi / 2},
              point_masses=ends)  # fmt: skip
    rod = mech.lower().bodies[0]
    assert rod.mass == 3.0
    assert_allclose(rod.centre, [0, 0, 0.1], atol=1e-15)
    assert_allclose(rod.position, [1.1, 0, 0], atol=1e-15)  # z of the rod lies along x
    assert_allclose(rod.inertia, np.diag([0.24, 0.24, 0.0]), atol=1e-15)
    assert lw.Mechanism.from_dict(mech.to_dict()).to_dict() == mech.to_dict()


@pytest.mark.parametrize(("formulation", "integrator"), [("rA", None), ("lie-mixed", "rk4"), ("canonical", "rk4")])
def test_a_pendulum_with_a_bob_swings_as_its_parts_do(formulation: str, integrator: str | None) -> None:
    """The acceleration from rest is (m c + mu p) g / J about the pivot, in the described frame's terms."""
    mech = lw.Mechanism("pendulum", gravity=(0.0, 0.0, -10.0))
    mech.parameter("mu", 0.5, unit="kg")
    mech.body("rod", mass=2, inertia=[0.1, 0.2, 0.3], centre_of_mass=[0.4, 0, 0],
              point_masses=[{"mass": "mu", "point": [0.9, 0.0, 0.0]}])  # fmt: skip
    mech.joint("pivot", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    for mu in (0.5, 1.5):
        res = lw.simulate(mech.with_parameters(mu=mu), 0.002, 1e-3, formulation, integrator)
        J = 0.2 + 2 * 0.4**2 + mu * 0.9**2
        assert res.joint("pivot")["angle_acceleration"][0] == pytest.approx((2 * 0.4 + mu * 0.9) * 10.0 / J, rel=1e-9)
        assert res.point("rod", (0.9, 0.0, 0.0)).position[0] == pytest.approx([0.9, 0.0, 0.0], abs=1e-12)


def test_what_is_no_point_mass_is_refused() -> None:
    for wrong, words in (({"mass": -1, "point": [0, 0, 0]}, "must not be negative"), ({"mass": 1}, "needs 'point'")):
        with pytest.raises(ModelError, match=words):
            lw.Mechanism("a").body("b", mass=1, inertia=[1, 1, 1], point_masses=[wrong])
