"""Derivatives of implicit runs with cam pairs: points of contact are kept, and followed without the search."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from unit.test_adjoint_newton import both, reverse_of
from unit.test_cam_pairs import at, follower, spatial

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.lanes.traced import contacts

TURNS, END, SIZE, E = 9.0, 0.2, 1e-2, 0.04


def moving_of(mech: lw.Mechanism, to: list[str], formulation: str, integrator: str, **options: Any) -> Moving:
    options = {"accept_changes": True, **options}
    nominal = carried_out(mech, 10 * SIZE, SIZE, formulation, integrator, None, options)
    return Moving(nominal, numbers_of(mech, to))


def two_cams() -> lw.Mechanism:
    """Two followers of one shape on a cam, whose profiles are one in the tables."""
    mech = follower({"radius": 0.1}, {"radius": 0.03}, E, 0.13)
    mech.change("cam", angular_velocity=[0, 0, 5])
    mech.body("second", mass=0.3, inertia=[1, 1, 1], position=[0.2, 0.0, 0])
    mech.joint("rail", "translational", "ground", "second", point=[0.2, 0, 0], axis=[1, 0, 0])
    both: dict[str, Any] = {"profile": {"radius": 0.1}, "profile2": {"radius": 0.03}}
    mech.joint("second touch", "cam-pair", "cam", "second", on_first=at(E), on_second=at(), **both)
    return mech


@pytest.mark.parametrize(
    ("mech", "to", "formulation", "integrator", "every", "part"),
    [
        (spatial(True), ["a.mass", "spring.stiffness"], "rA", "generalized-alpha", 1, None),
        (spatial(False), ["a.angular_velocity[2]", "touch.profile.points[3][0]"], "lie-mixed", "implicit-euler", 2, 3),
        (two_cams(), ["second.mass", "follower.mass"], "rp", "implicit-euler", 1, 4),
    ],
)
def test_the_adjoint_is_the_tangent(
    mech: lw.Mechanism, to: list[str], formulation: str, integrator: str, every: int, part: int | None
) -> None:
    moving = moving_of(mech, to, formulation, integrator, every=every)
    found, wanted = both(moving, reverse_of(moving, part), 2)
    assert moving.way == "recorded steps"
    assert np.max(np.abs(found - wanted)) <= 2e-12 * np.max(np.abs(wanted))


def test_tangents_are_those_of_differences() -> None:
    """Of runs beside, in what moves with the shape of a profile, with where it stands, and with a mass."""
    mech = follower({"radius": 0.1}, {"radius": 0.03}, E, 0.13)
    mech.change("cam", angular_velocity=[0, 0, 5])
    run: dict[str, Any] = {"formulation": "rA", "integrator": "implicit-euler", "tolerance": 1e-11}
    moving = moving_of(mech, ["touch.profile2.radius", "touch.on_first.point[0]", "follower.mass"], **run)
    assert moving.samples
    assert moving.way == "recorded steps"
    for k, start in enumerate(moving.moving_starts):
        by = 1e-5
        beside = [lw.simulate(start.number.moved(x), 10 * SIZE, SIZE, accept_changes=True, **run) for x in (by, -by)]
        for name, array in (
            ("position", moving.samples["motion"][:, :, :3]),
            ("multiplier", moving.samples["multiplier"]),
        ):
            near = (beside[0][name] - beside[1][name]) / (2.0 * by)
            assert np.max(np.abs(near)) > 1e-4
            assert np.max(np.abs(array[..., 1 + k] - near)) <= 1e-6 * np.max(np.abs(near)), (start.number.name, name)


@pytest.mark.parametrize("mode", ["tangent", "adjoint"])
def test_a_flat_follower_on_an_eccentric_disc(mode: str) -> None:
    """y = R + e sin(angle), at the end of every step: of a driven cam positions are exact."""
    face = {"points": [[-0.2, 0], [0.2, 0]], "closed": False}
    mech = follower({"radius": 0.1}, face, E, 0.1)
    mech.driver("motor", "axle", f"{TURNS}*t")
    of = {"height": lw.Final(lambda res: res.position("follower")[:, 1])}
    to = ["touch.profile.radius", "touch.on_first.point[0]", "touch.on_first.point[1]", "follower.mass"]
    how: dict[str, Any] = {"accept_changes": True, "of": of, "to": to, "mode": mode}
    found = lw.sensitivities(mech, END, SIZE, "rA", "generalized-alpha", **how)
    assert found.way == "recorded steps" or mode == "tangent"  # accelerations do not move with the radius
    angle = TURNS * END
    wanted = [1.0, math.sin(angle), math.cos(angle), 0.0]
    assert np.max(np.abs(found["height"] - wanted)) <= 1e-11


def test_points_that_do_not_settle_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not where the profiles touch, the record is not that of the run."""
    moving = moving_of(spatial(False), ["a.mass"], "rA", "implicit-euler")
    reverse = reverse_of(moving)
    monkeypatch.setattr(
        contacts.ContactsOfSteps, "write", lambda of, rows: rows.__setitem__((slice(None), of.columns.ravel()), 0.1)
    )
    with pytest.raises(lw.errors.UsageError, match="another course"):
        both(moving, reverse, 1)
