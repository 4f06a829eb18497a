"""Joint coordinates, points and momenta of results against motions that are known: bodies are placed by joint
coordinates given as functions of time, accelerations come from differences of high order, and nothing is run."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles.joint_examples import mechanism as example

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.header import Header
from linkwork.mechanism import Mechanism
from linkwork.mechanism.joints import JOINTS
from linkwork.quantities.continuous import continued
from linkwork.result import Result

H = 0.01
WEIGHTS = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0.0, 4 / 5, -1 / 5, 4 / 105, -1 / 280]) / H  # order 8
REACH, SAMPLES = 4, 9
BALL = ("turn_x", "turn_y", "turn_z")


def slope(values: np.ndarray) -> np.ndarray:
    """The derivative by time of values at steps of H, without the outer samples."""
    n = len(values) - 2 * REACH
    return sum(w * values[k : k + n] for k, w in enumerate(WEIGHTS))  # type: ignore[return-value]


def result_of(mech: Mechanism, states: list[lw.State]) -> Result:
    """Samples of the states but the outer ones, with accelerations from differences."""
    r, A, v, w = (
        np.array([getattr(s, name) for s in states])
        for name in ("position", "rotation", "velocity", "angular_velocity")
    )
    inner = slice(REACH, len(states) - REACH)
    header = Header(bodies=tuple(body.name for body in mech.bodies), mechanism_document=json.dumps(mech.to_dict()))
    arrays = {"time": [s.time for s in states][inner], "position": r[inner], "rotation": A[inner], "velocity": v[inner]}
    arrays |= {"angular_velocity": w[inner], "acceleration": slope(v), "angular_acceleration": slope(w)}
    return Result(header, {name: np.array(values) for name, values in arrays.items()})


def moved(mech: Mechanism, rng: np.random.Generator) -> tuple[Result, dict[str, Any]]:
    """A motion in joint coordinates, q = a + b t + c sin(w t), and what it is: name -> functions of the samples."""
    names = [name for name in lw.joint_coordinates(mech).names if name.split(".")[-1] not in BALL]
    start = lw.joint_coordinates(mech)
    a = {name: start[name] for name in names}
    b, c, w = (dict(zip(names, rng.uniform(0.5, 2.0, len(names)), strict=True)) for _ in range(3))
    t = H * np.arange(SAMPLES + 2 * REACH)
    q = {n: (a[n] + b[n] * t + c[n] * np.sin(w[n] * t), b[n] + c[n] * w[n] * np.cos(w[n] * t)) for n in names}
    second = {n: -c[n] * w[n] ** 2 * np.sin(w[n] * t) for n in names}
    states = [
        lw.forward_kinematics(mech, {n: x[k] for n, (x, _) in q.items()}, {n: v[k] for n, (_, v) in q.items()}, time=tk)
        for k, tk in enumerate(t)
    ]
    inner = slice(REACH, REACH + SAMPLES)
    return result_of(mech, states), {n: (x[inner], v[inner], second[n][inner]) for n, (x, v) in q.items()}


TREE = [kind for kind in JOINTS if kind not in ("distance", "rod", "rolling-disc", "cam-pair", "knife-edge", "free")]


@pytest.mark.parametrize("kind", TREE)
def test_coordinates_rates_and_second_rates_are_those_of_the_motion(kind: str) -> None:
    mech = example(kind, np.random.default_rng(5))
    result, known = moved(mech, np.random.default_rng(6))
    found = result.joint("joint")
    own = {name.partition(".")[2]: values for name, values in known.items() if name.startswith("joint.")}
    assert set(own) <= set(found.coordinates)
    for name, (value, rate, second) in own.items():
        turns = np.round((value[0] - found[name][0]) / (2 * np.pi)) * 2 * np.pi if "angle" in name else 0.0
        assert_allclose(found[name] + turns, value, atol=1e-12)
        assert_allclose(found[f"{name}_rate"], rate, atol=1e-12)
        assert_allclose(found[f"{name}_acceleration"], second, atol=1e-10)
    assert found.values.shape == found.rates.shape == found.accelerations.shape == (SAMPLES, len(found.coordinates))


def test_every_joint_has_its_coordinates_also_where_no_row_of_turns_and_slides_makes_it() -> None:
    for kind in JOINTS:
        mech = example(kind, np.random.default_rng(3))
        states = [lw.State.start(mech)] * (2 * REACH + 1)
        found = result_of(mech, states).joint("joint")
        assert all(np.isfinite(found[name]).all() for name in found), kind
        free = 6 - len(mech.lower().joints[0].rows)
        assert len(found.coordinates) >= min(free, 6), kind


def test_a_ball_has_the_relative_angular_velocity_and_its_rate() -> None:
    rng = np.random.default_rng(7)
    mech = example("spherical", rng)
    t = H * np.arange(SAMPLES + 2 * REACH)
    turning = lw.joint_coordinates(mech)
    states = []
    for tk in t:
        rates = {"a.turn_x": 1.0, "joint.turn_y": np.cos(tk), "joint.turn_z": np.sin(2 * tk)}
        states.append(lw.forward_kinematics(mech, {"a.x": tk}, rates, time=tk))
    assert turning.names[-1] == "joint.turn_z"
    found = result_of(mech, states).joint("joint")
    inner = t[REACH : REACH + SAMPLES]
    assert_allclose(found["turn_y_rate"], np.cos(inner), atol=1e-12)
    assert_allclose(found["turn_z_rate"], np.sin(2 * inner), atol=1e-12)
    # poses stand still while velocities change: only the part of angular acceleration that is no transport is left
    assert_allclose(found["turn_x_rate"], 0.0, atol=1e-12)


def test_turns_are_counted_over_coarse_samples() -> None:
    t = np.linspace(0.0, 10.0, 40)
    angle = 20.0 * t + np.sin(t)  # 0.8 of a turn and more between samples
    wrapped = (angle + np.pi) % (2 * np.pi) - np.pi
    assert_allclose(continued(wrapped, 20.0 + np.cos(t), t), angle, atol=1e-9)
    assert_allclose(continued(wrapped, 20.0 + np.cos(t), t, start=6 * np.pi), angle + 6 * np.pi, atol=1e-9)
    assert np.abs(np.unwrap(wrapped) - angle).max() > 1.0  # what differences alone make of it


def test_a_point_has_path_velocity_and_acceleration() -> None:
    mech = Mechanism("one")
    mech.body("bar", mass=1.0, inertia=[0.1, 0.2, 0.3], centre_of_mass=[0.2, 0.0, 0.0], position=[1.0, 0.0, 0.0])
    t = H * np.arange(SAMPLES + 2 * REACH)
    states = []
    for tk in t:  # the frame's origin turns about z at distance 1
        c, s = np.cos(3 * tk), np.sin(3 * tk)
        A = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        r = A @ [1.2, 0, 0]
        states.append(lw.State([r], [A], [np.cross([0, 0, 3.0], r)], [[0, 0, 3.0]], time=tk))
    result = result_of(mech, states)
    inner = t[REACH : REACH + SAMPLES]
    found = result.point("bar", (0.0, 0.5, 0.0))
    c, s = np.cos(3 * inner), np.sin(3 * inner)
    path = np.stack([c - 0.5 * s, s + 0.5 * c, 0 * s], axis=1)
    assert_allclose(found.position, path, atol=1e-12)
    assert_allclose(found.velocity, 3 * np.stack([-s - 0.5 * c, c - 0.5 * s, 0 * s], axis=1), atol=1e-12)
    assert_allclose(found.acceleration, -9 * path, atol=1e-10)
    assert_allclose(result.centre_of_mass().position[:, 0], 1.2 * c, atol=1e-12)
    assert_allclose(result.momentum().angular[:, 2], 3 * (0.3 + 1.2**2), atol=1e-12)
    assert_allclose(result.momentum(about=(1.0, 0.0, 0.0)).angular[:, 2], 3 * (0.3 + 1.44) - 3.6 * c, atol=1e-12)
    assert_allclose(result.momentum().linear[:, 0], -3.6 * s, atol=1e-12)
    for about in (1.0, (0.0, 1.0), (0.0, 0.0, np.nan), "origin"):
        with pytest.raises(UsageError, match="three finite numbers of metres, fixed in space"):
            result.momentum(about)
    data = found.dataset
    assert data["velocity"].attrs["units"] == "m s-1"
    assert data["position"].sel(xyz="y").shape == (SAMPLES,)
    assert result.mechanism.to_dict() == mech.to_dict()


def test_what_does_not_exist_is_refused_with_the_nearest_name() -> None:
    mech = example("revolute", np.random.default_rng(1))
    result = result_of(mech, [lw.State.start(mech)] * (2 * REACH + 1))
    for ask in (
        lambda: result.joint("jonit"),
        lambda: result.point("c"),
        lambda: result.point("a", (1.0, 2.0)),
        lambda: result.force("spring"),
        lambda: result.driver("motor"),
        lambda: result.joint("joint")["angel"],
        lambda: result.momentum(),
    ):
        with pytest.raises(UsageError):
            ask()
    with pytest.raises(UsageError, match="joint"):
        result.joint("jonit")
