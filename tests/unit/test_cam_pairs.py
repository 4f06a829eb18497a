"""Cam pairs: profiles of two bodies that slide or roll on each other, against closed forms, linkages and splines."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles.rows_samples import OVALS

import linkwork as lw
from linkwork.errors import ModelError
from linkwork.formulations import FORMULATIONS
from linkwork.lanes.batch import why_not
from linkwork.run.matching import pair
from linkwork.run.starting import new_run, prepare, started

CLOSED = 1e-9
Z, X = [0, 0, 1], [1, 0, 0]


def at(x: float = 0.0, y: float = 0.0) -> dict[str, Any]:
    """A place in the x-y plane of a body."""
    return {"point": [x, y, 0], "axis": Z, "x": X}


def two_discs(contact: bool) -> lw.Mechanism:
    """Eccentric discs of radii 0.3 and 0.2 on parallel axles; or cranks with a rod of length 0.5 in their place."""
    mech = lw.Mechanism("discs", gravity=[0, -9.81, 0])
    for name, x, inertia in (("first", 0.0, 0.04), ("second", 0.55, 0.02)):
        mech.body(name, mass=2, inertia=[1, 1, inertia], position=[x, 0, 0])
        mech.joint(f"axle {name}", "revolute", "ground", name, point=[x, 0, 0], axis=Z)
    places = {"on_first": at(0.0, 0.08), "on_second": at(0.03, -0.04)}
    if contact:
        mech.joint("touch", "cam-pair", "first", "second", **places, profile={"radius": 0.3}, profile2={"radius": 0.2})
    else:
        ends = {key: {"point": place["point"]} for key, place in places.items()}
        mech.joint("touch", "rod", "first", "second", length=0.5, **ends)
    mech.force("load", "torque", body="second", components=[0, 0, "3*sin(4*t)"])
    return mech


def test_eccentric_discs_are_a_four_bar() -> None:
    """The centres keep their distance: the contact force is that of a rod between them."""
    start = lw.assemble(two_discs(True)).state
    runs = [
        lw.simulate(two_discs(contact), 1.0, 1e-3, formulation="lie-mixed", state=start) for contact in (True, False)
    ]
    touching, rod = runs
    assert np.ptp(touching.joint("axle second")["angle"]) > 0.1
    for name in ("axle first", "axle second"):
        assert_allclose(touching.joint(name)["angle"], rod.joint(name)["angle"], atol=CLOSED)
        assert_allclose(touching.joint(name)["angle_acceleration"], rod.joint(name)["angle_acceleration"], atol=1e-7)
        assert_allclose(touching.reaction(name)[0], rod.reaction(name)[0], atol=1e-7)
    assert_allclose(touching.reaction("touch")[0], rod.reaction("touch")[0], atol=1e-7)
    assert_allclose(touching.reaction("touch")[1], 0.0, atol=1e-9)  # about the second disc's centre
    residuals = [run.energy_balance().residual for run in runs]  # what the sum of the load's power leaves
    assert_allclose(*residuals, atol=CLOSED)
    assert touching["position_violation"].max() < 1e-10


def follower(profile: dict[str, Any], profile2: dict[str, Any], x: float, y: float, **more: Any) -> lw.Mechanism:
    """A cam on an axle in the origin, and a follower that slides along y above it."""
    mech = lw.Mechanism("cam", gravity=[0, -9.81, 0])
    mech.body("cam", mass=2, inertia=[1, 1, 0.05])
    mech.body("follower", mass=0.5, inertia=[1, 1, 1], position=[0, y, 0])
    mech.joint("axle", "revolute", "ground", "cam", point=[0, 0, 0], axis=Z)
    mech.joint("guide", "translational", "ground", "follower", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint(
        "touch",
        "cam-pair",
        "cam",
        "follower",
        on_first=at(x),
        on_second=at(),
        profile=profile,
        profile2=profile2,
        **more,
    )
    return mech


def test_a_flat_follower_on_an_eccentric_disc() -> None:
    """y = R + e sin(angle); the force carries the follower: m (g + y'')."""
    face = {"points": [[-0.2, 0], [0.2, 0]], "closed": False}
    mech = follower({"radius": 0.1}, face, 0.04, 0.1)
    mech.driver("motor", "axle", "9*t")
    run = lw.kinematics(mech, 2.0, 1e-2)
    angle = 9 * run.time
    assert_allclose(run.position("follower")[:, 1], 0.1 + 0.04 * np.sin(angle), atol=CLOSED)
    assert_allclose(run["acceleration"][:, 1, 1], -81 * 0.04 * np.sin(angle), atol=1e-8)
    loads = lw.simulate(mech, 0.5, 1e-3, formulation="lie-mixed", accept_changes=True)
    force = 0.5 * (9.81 - 81 * 0.04 * np.sin(9 * loads.time))
    assert_allclose(loads.reaction("touch")[0][:, 1], force, atol=1e-7)
    assert_allclose(loads.reaction("touch")[0][:, 0], 0.0, atol=1e-9)


def test_a_roller_follower_on_an_eccentric_disc() -> None:
    """y = e sin + sqrt((R + r)^2 - (e cos)^2)."""
    mech = follower({"radius": 0.1}, {"radius": 0.03}, 0.04, 0.13)
    mech.driver("motor", "axle", "9*t")
    run = lw.kinematics(mech, 2.0, 1e-2)
    angle = 9 * run.time
    y = 0.04 * np.sin(angle) + np.sqrt(0.13**2 - (0.04 * np.cos(angle)) ** 2)
    assert_allclose(run.position("follower")[:, 1], y, atol=CLOSED)


def test_a_profile_through_points_of_a_circle_comes_near_it() -> None:
    """A periodic cubic spline: sixteen times nearer with twice as many points."""
    errors = []
    for n in (24, 48, 96):
        angles = 2 * np.pi * np.arange(n) / n
        points = 0.1 * np.column_stack([np.cos(angles), np.sin(angles)])
        mech = follower({"points": points}, {"radius": 0.03}, 0.04, 0.13)
        mech.driver("motor", "axle", "9*t")
        run = lw.kinematics(mech, 0.7, 1e-2)
        angle = 9 * run.time
        y = 0.04 * np.sin(angle) + np.sqrt(0.13**2 - (0.04 * np.cos(angle)) ** 2)
        errors.append(np.abs(run.position("follower")[:, 1] - y).max())
    assert errors[0] < 1e-5
    assert_allclose(np.array(errors[:-1]) / errors[1:], 16, rtol=0.3)


def test_a_disc_rolls_on_a_fixed_disc() -> None:
    """phi'' = g sin(phi) m / ((m + I / r^2) (R + r)); the disc turns by (R + r) / r times the angle."""
    R, r, m, moment = 0.5, 0.2, 1.5, 0.02
    mech = lw.Mechanism("rolling", gravity=[0, -9.81, 0])
    phi = 0.3  # from the top
    place = [(R + r) * np.sin(phi), (R + r) * np.cos(phi), 0]
    mech.body("disc", mass=m, inertia=[1, 1, moment], position=place)
    mech.joint("plane", "planar", "ground", "disc", point=[0, 0, 0], axis=Z)
    profiles = {"profile": {"radius": R}, "profile2": {"radius": r}, "rolling": True}
    mech.joint("road", "cam-pair", "ground", "disc", on_first=at(), on_second=at(), **profiles)
    run = lw.simulate(mech, 0.6, 1e-3, formulation="lie-mixed")
    position = run.position("disc")
    angle = np.arctan2(position[:, 0], position[:, 1])
    assert angle[-1] - phi > 0.3
    assert_allclose(np.hypot(position[:, 0], position[:, 1]), R + r, atol=CLOSED)
    turned = np.unwrap(np.arctan2(run["rotation"][:, 0, 1, 0], run["rotation"][:, 0, 0, 0]))
    assert_allclose(turned, -(R + r) / r * (angle - phi), atol=1e-8)
    gain = m * 9.81 * (R + r) * (np.cos(phi) - np.cos(angle))
    speed = np.linalg.norm(run.velocity("disc"), axis=1)
    assert_allclose(0.5 * (m + moment / r**2) * speed**2, gain, atol=1e-9)


def spatial(rolling: bool) -> lw.Mechanism:
    """Ovals given by points in space: on a ball-jointed body and on one that slides and turns on another."""
    mech, random = lw.Mechanism("ovals"), np.random.default_rng(5)
    mech.body("a", mass=1.2, inertia=[0.1, 0.12, 0.17], angular_velocity=[0.3, -0.5, 1.1])
    mech.body("b", mass=0.7, inertia=[0.06, 0.05, 0.08], position=[0.3, 0.02, 0.05])
    mech.joint("ball", "spherical", "ground", "a", point=[0, 0, -0.2])
    mech.joint("sleeve", "cylindrical", "ground", "b", point=[0.3, 0.0, 0], axis=[0.1, 0.05, 1])
    places = {"on_first": at(), "on_second": at(*random.uniform(-0.02, 0.02, 2))}
    profiles = {"profile": {"points": OVALS[0]}, "profile2": {"points": OVALS[1]}}
    mech.joint("touch", "cam-pair", "a", "b", **places, **profiles, rolling=rolling)
    mech.force("spring", "spring", first="a", second="b", point=[0, 0, 0.3], point2=[0.3, 0.1, -0.1], stiffness=20)
    return mech


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_formulations_agree(formulation: str) -> None:
    for rolling in (False, True):
        mech = spatial(rolling)
        start = lw.assemble(mech).state
        found, other = (lw.accelerations(mech, start, formulation=name) for name in (formulation, "augmented"))
        agreed = 1e-8 if formulation == "penalty" else CLOSED
        for name in ("rddot", "omegadot", "multipliers"):
            wanted = getattr(other, name)
            assert_allclose(getattr(found, name), wanted, atol=agreed * np.abs(wanted).max(), err_msg=name)


def test_implicit_methods_keep_the_contact_and_energy() -> None:
    run = lw.simulate(spatial(False), 0.2, 1e-3, formulation="rA", newton="full", accept_changes=True)
    assert run["position_violation"].max() < 1e-10
    balance = run.energy_balance()
    assert np.abs(balance.residual).max() < 1e-4 * balance.kinetic.max()


def test_small_motions_of_a_disc_in_a_trough() -> None:
    """A weight holds a disc at its lowest: the frequency comes of the gap's second derivative."""
    mech = lw.Mechanism("pendulum cam", gravity=[0, -9.81, 0])
    mech.body("cam", mass=2, inertia=[1, 1, 0.05])
    mech.body("weight", mass=0.5, inertia=[1, 1, 1], position=[0, 0.13, 0])
    mech.joint("axle", "revolute", "ground", "cam", point=[0, 0, 0], axis=Z)
    mech.joint("guide", "translational", "ground", "weight", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint(
        "touch", "cam-pair", "cam", "weight", on_first=at(0, -0.04), on_second=at(),
        profile={"radius": 0.17}, profile2={"radius": 0.03},
    )  # fmt: skip
    mech.change("weight", position=[0, 0.16, 0])
    # y = -e cos(a) + sqrt(rho^2 - (e sin(a))^2): y'' = e - e^2 / rho at a = 0; mass m y'(a)^2 vanishes there
    e, rho = 0.04, 0.2
    omega = np.sqrt(0.5 * 9.81 * (e - e**2 / rho) / 0.05)
    found = lw.modes(mech).frequencies
    assert_allclose(np.abs(found), omega / (2 * np.pi), rtol=1e-9)


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        ({}, "needs points or a radius"),
        ({"radius": -1}, "must be positive"),
        ({"radius": 0.1, "closed": False}, "give an arc by points"),
        ({"points": [[0, 0], [1, 0]]}, "needs 3 points at least, not 2"),
        ({"points": [[0, 0], [1, 0], [0, 1], [0, 0]]}, "does not say its first point again"),
        ({"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}, "points of two numbers"),
        ({"points": [[0, 0]], "closed": False}, "needs 2 points at least"),
        ({"radius": 0.1, "shape": "oval"}, "shape"),
    ],
)
def test_what_makes_no_sense_is_refused(profile: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        follower(profile, {"radius": 0.03}, 0.04, 0.13).lower()


def test_planes_across_each_other_are_refused_and_files_come_back() -> None:
    mech = follower({"points": OVALS[0]}, {"radius": 0.03}, 0.0, 0.13, rolling=True)
    assert lw.Mechanism.from_dict(mech.to_dict()).to_dict() == mech.to_dict()
    mech.change("touch", on_second={"point": [0, 0, 0], "axis": [1, 0, 0], "x": [0, 1, 0]})
    with pytest.raises(ModelError, match="not parallel at the start"):
        mech.lower()


def test_lanes_leave_them_to_others() -> None:
    start = prepare(spatial(False), dynamics=True, accept_changes=True).compiled
    formulation, method = pair("articulated-body", "rk4")
    run = started(start, partial(new_run, formulation, method, step=1e-2, t_end=1.0))
    assert "cam pairs" in why_not(run)
