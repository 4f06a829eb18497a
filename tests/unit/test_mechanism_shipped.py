"""The shipped mechanisms: assembled as they stand, with the rows the paper counts, and in the motion they promise."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose

from linkwork.io.formats import load, shipped
from linkwork.kernels.rows.table import evaluate_rows, rows_nu
from linkwork.system.compiled import compile_mechanism

TABLE_7 = {  # Kissel 2021; the DP1 driver runs as an angle
    "kissel2021_single_pendulum": {"CD": 3, "DP1": 2, "ANGLE": 1},
    "kissel2021_double_pendulum": {"CD": 6, "DP1": 4},
    "kissel2021_four_link": {"CD": 12, "DP1": 5, "ANGLE": 1},
    "kissel2021_slider_crank": {"CD": 6, "DP1": 6, "DP2": 4, "D": 1, "ANGLE": 1},
}


@pytest.mark.parametrize("name", list(shipped()))
def test_positions_and_velocities_are_assembled(name: str) -> None:
    mech = load(name)
    compiled = compile_mechanism(mech.lower())
    rows, nc = compiled.system.rows, compiled.nc
    drive = np.array(
        [(row.f, 0.0, 0.0) if isinstance(row.f, float) else row.f.jet(0.0) for row in compiled.lowered.rows]
    )
    phi, nu, G_i, G_j = np.zeros(nc), np.zeros(nc), np.zeros((nc, 6)), np.zeros((nc, 6))
    evaluate_rows(rows, compiled.r, compiled.A, drive, phi, G_i, G_j)
    rows_nu(rows, compiled.r, compiled.A, drive, nu)
    u = np.concatenate([compiled.v, compiled.w], axis=1)
    rate = (G_i * u[rows.body_i]).sum(1) + (G_j * u[rows.body_j]).sum(1)
    assert_allclose(phi, 0.0, atol=1e-13)
    assert_allclose(rate, nu, atol=1e-12)
    assert mech.driver_mismatches() == []
    compiled.need_masses()
    assert mech.description
    assert mech.run.t_end is not None
    assert mech.run.step is not None


@pytest.mark.parametrize(("name", "counts"), TABLE_7.items())
def test_the_rows_are_those_of_table_7(name: str, counts: dict[str, int]) -> None:
    mech = load(name)
    assert Counter(row.kind for row in mech.lower().rows) == counts
    if "ANGLE" in counts:
        assert mech.element("driver").type == "DP1"


@pytest.mark.parametrize("name", ["gyroscope", "rolling_disc"])
def test_steady_motions_are_steady(name: str) -> None:
    """Euler's equation holds for a motion that turns about the vertical as a whole: nothing else accelerates."""
    mech = load(name)
    (body,) = mech.lower().bodies
    A, J, m = body.rotation, body.inertia, body.mass
    assert J is not None
    assert m is not None
    w, g = A @ body.angular_velocity, np.array(mech.gravity)
    axis = A[:, 2]
    across = np.cross([0, 0, 1], axis)
    Omega = (np.cross(w, axis) @ across) / (across @ across) * np.array([0, 0, 1.0])  # of the axis about the vertical
    assert_allclose(np.cross(w, axis), np.cross(Omega, axis), atol=1e-12)
    H = A @ J @ body.angular_velocity
    force = m * (np.cross(Omega, body.velocity) - g)  # of the joint, on the body
    if name == "gyroscope":
        arm = -0.1 * axis
    else:
        arm = np.array([0, 0, -0.3]) + 0.3 * axis[2] * axis
        arm *= 0.3 / np.linalg.norm(arm)
    assert_allclose(np.cross(Omega, H), np.cross(arm, force), atol=1e-12)
    assert abs(Omega[2]) > 1.0
