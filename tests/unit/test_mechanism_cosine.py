"""Cosine drivers run as angles; drivers that disagree with the start state are reported."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from linkwork.mechanism import Mechanism
from linkwork.mechanism.lowered import Row
from linkwork.mechanism.rotation import turn

AXIS = np.array([1.0, 0.0, 0.0])


def crank(angle: float, rate: float | None, f: str, a_j: Any = (0, 1, 0), axis_rows: bool = True) -> Mechanism:
    """A crank at an angle about global x from global y to its own y, a cosine driver on it."""
    mech = Mechanism("crank")
    moving = {} if rate is None else {"angular_velocity": [rate, 0, 0]}
    mech.body("crank", rotation=turn(AXIS, angle), **moving)
    if axis_rows:
        mech.joint("pivot", "revolute", "ground", "crank", point=[0, 0, 0], axis=[1, 0, 0])
    else:
        mech.constraint("one", "DP1", "crank", "ground", a_i=[1, 0, 0], a_j=[0, 1, 0])
    mech.constraint("driver", "DP1", "ground", "crank", a_i=[0, 1, 0], a_j=a_j, f=f)
    return mech


def driver(mech: Mechanism) -> Row:
    (row,) = [row for row in mech.lower().rows if row.name == "driver"]
    return row


@pytest.mark.parametrize("start", [-2.0, -0.5, 0.7, 2.5, 9.0])
@pytest.mark.parametrize("speed", [3.0, -3.0])
@pytest.mark.parametrize("written", ["{u}", "-({u})"])  # a cosine says nothing about the sign
def test_the_angle_follows_the_crank_whatever_way_the_cosine_is_written(
    start: float, speed: float, written: str
) -> None:
    f = f"cos({written.format(u=f'{start} + {speed}*t')})"
    mech = crank(start, speed, f)
    row = driver(mech)
    assert row.kind == "ANGLE"
    assert mech.driver_mismatches() == []
    value, rate, _ = row.f.jet(0.0)
    assert rate * row.n[0] == pytest.approx(speed)  # the angle may be counted about +x or -x
    assert np.cos(value) == pytest.approx(np.cos(start))
    assert abs(value) <= np.pi + 1e-9  # the start pose's own angle, turns taken off
    assert any("'driver' prescribes a cosine" in note for note in mech.lower().notes)


def test_a_vector_that_leans_along_the_axis_keeps_its_cosine() -> None:
    """Its cosine is not that of an angle about the axis, on whichever body it stands."""
    assert driver(crank(0.5, None, "cos(0.5 + t)", a_j=(0.6, 0.8, 0))).kind == "DP1"


@pytest.mark.parametrize("rate", [2.0, -2.0])
def test_where_the_cosine_is_one_the_start_velocity_decides(rate: float) -> None:
    mech = crank(0.0, rate, "cos(2*t)")
    row = driver(mech)
    assert row.f.jet(0.0)[1] * row.n[0] == pytest.approx(rate)
    assert mech.driver_mismatches() == []


def test_where_nothing_decides_it_says_so() -> None:
    mech = crank(0.0, None, "cos(2*t)")
    assert any("neither the start pose nor the start velocity" in note for note in mech.lower().notes)


def test_a_velocity_that_is_not_stated_decides_nothing() -> None:
    """The turn of one body alone is no rate of the angle between two."""
    mech = Mechanism("two")
    mech.body("arm", angular_velocity=[-2.0, 0, 0])
    mech.body("crank")
    mech.joint("pivot", "revolute", "arm", "crank", point=[0, 0, 0], axis=[1, 0, 0])
    mech.constraint("driver", "DP1", "arm", "crank", a_i=[0, 1, 0], a_j=[0, 1, 0], f="cos(2*t)")
    assert any("neither the start pose nor the start velocity" in note for note in mech.lower().notes)
    mech.change("crank", angular_velocity=[0, 0, 0])
    assert any("the start velocity decides the sense" in note for note in mech.lower().notes)


def test_the_cosines_own_sense_wins_over_a_start_velocity_that_contradicts_it() -> None:
    mech = crank(np.pi / 2, -2 * np.pi, "cos(2*pi*t + pi/2)")
    row = driver(mech)
    assert row.f.jet(0.0)[1] * row.n[0] == pytest.approx(2 * np.pi)
    (found,) = mech.driver_mismatches()
    assert not found.value_differs
    assert found.rate_differs
    assert found.rate == pytest.approx(-(found.expected_rate or 0))
    assert abs(found.rate or 0) == pytest.approx(2 * np.pi)
    assert "start velocity" in str(found)


def test_a_start_pose_that_contradicts_the_driver_is_reported() -> None:
    (found,) = crank(1.0, 3.0, "cos(3*t + 1.2)").driver_mismatches()
    assert found.value_differs
    assert not found.rate_differs
    assert abs(abs(found.value or 0) - abs(found.expected_value or 0)) == pytest.approx(0.2)


def test_no_start_velocity_given_is_no_disagreement() -> None:
    assert crank(1.0, None, "cos(3*t + 1)").driver_mismatches() == []


@pytest.mark.parametrize(
    ("f", "fields"),
    [
        ("0.5*cos(3*t)", {}),  # not the whole length: not an angle's cosine
        ("cos(t) + 0.1*t", {}),
        ("cos(3*t)", {"axis_rows": False}),  # no common axis
        ("cos(3*t)", {"a_j": (0.1, 1, 0)}),  # not perpendicular to the axis
        ("0", {}),
    ],
)
def test_other_dot_products_stay_what_they_are(f: str, fields: dict[str, Any]) -> None:
    assert driver(crank(0.3, 1.0, f, **fields)).kind == "DP1"


def test_lengths_of_the_vectors_count() -> None:
    assert driver(crank(0.3, 3.0, "2*cos(3*t + 0.3)", a_j=(0, 2, 0))).kind == "ANGLE"
    assert driver(crank(0.3, 3.0, "cos(3*t + 0.3)", a_j=(0, 2, 0))).kind == "DP1"


@pytest.mark.parametrize("kind", ["DP1", "DP2", "D", "CD"])
def test_values_and_rates_of_raw_drivers_are_those_of_the_motion(kind: str) -> None:
    """A driver made from the constraint's own value and rate (by difference) agrees with the start state."""
    rng = np.random.default_rng(5)
    bodies = [
        {
            "name": n,
            "position": rng.normal(size=3),
            "rotation": turn(AXIS, rng.normal()),
            "velocity": rng.normal(size=3),
            "angular_velocity": rng.normal(size=3),
        }
        for n in "ab"
    ]
    vectors = {k: rng.normal(size=3) for k in ("a_i", "a_j", "s_i", "s_j", "c")}
    uses = {"DP1": ("a_i", "a_j"), "DP2": ("a_i", "s_i", "s_j"), "D": ("s_i", "s_j"), "CD": ("c", "s_i", "s_j")}

    def value(t: float) -> float:
        at = {}
        for body in bodies:
            r, A = body["position"] + t * body["velocity"], body["rotation"]
            w = np.linalg.norm(body["angular_velocity"])
            at[body["name"]] = (r, A @ turn(body["angular_velocity"] / w, w * t))
        (r_i, A_i), (r_j, A_j) = at["a"], at["b"]
        d = r_j + A_j @ vectors["s_j"] - r_i - A_i @ vectors["s_i"]
        a_i = A_i @ vectors["a_i"]
        return float({"DP1": a_i @ A_j @ vectors["a_j"], "DP2": a_i @ d, "D": d @ d, "CD": vectors["c"] @ d}[kind])

    rate = (value(1e-6) - value(-1e-6)) / 2e-6
    given = {k: vectors[k] for k in uses[kind]}
    mech = Mechanism("m", bodies=bodies)
    mech.constraint("good", kind, "a", "b", f=f"{value(0.0)!r} + ({rate!r})*t", **given)
    mech.constraint("bad value", kind, "a", "b", f=f"{value(0.0) + 0.01!r} + ({rate!r})*t", **given)
    mech.constraint("bad rate", kind, "a", "b", f=f"{value(0.0)!r} + ({rate + 0.01!r})*t", **given)
    found = {m.name: (m.value_differs, m.rate_differs) for m in mech.driver_mismatches()}
    assert found == {"bad value": (True, False), "bad rate": (False, True)}
