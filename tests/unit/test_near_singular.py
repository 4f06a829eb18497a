"""Loops of which the last digits of axes say whether they move: such runs are doubtful, whatever the formulation."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism

import linkwork as lw
from linkwork.errors import AssemblyError
from linkwork.io.formats import shipped
from linkwork.run.starting import prepare
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.least_change import Jacobian, unit_columns
from linkwork.system.near_singular import in_loops, nearly_dependent

POINTS = [[0.0, 0.0, 0.0], [0.2, 0.0, 1.0], [1.3, 0.0, 1.2], [1.5, 0.0, 0.0]]


def four_bar(off: float) -> lw.Mechanism:
    """Of revolute joints whose axes are parallel but for this angle, about [rad]."""
    rng, mech, bars = np.random.default_rng(1), lw.Mechanism("four-bar"), ["left", "coupler", "right"]
    for k, bar in enumerate(bars):
        middle = np.mean(POINTS[k : k + 2], axis=0).tolist()
        mech.body(bar, mass=1.0 + k, inertia=[0.1, 0.2, 0.15], position=middle)
    for k, (one, two) in enumerate(pairwise(["ground", *bars, "ground"])):
        axis = np.array([0.0, 1.0, 0.0]) + off * rng.uniform(-1.0, 1.0, 3)
        mech.joint(f"hinge {k}", "revolute", one, two, point=POINTS[k], axis=axis.tolist())
    return mech


def door(off: float) -> lw.Mechanism:
    """On two hinges, the upper of which leans by this angle [rad]."""
    mech = lw.Mechanism("door")
    mech.body("door", mass=10.0, inertia=[1.0, 1.0, 0.5], position=[0.4, 0, 1])
    mech.joint("lower", "revolute", "ground", "door", point=[0, 0, 0.2], axis=[0, 0, 1])
    mech.joint("upper", "revolute", "ground", "door", point=[0, 0, 1.8], axis=[off, 0, 1])
    return mech


def conditions(result: lw.Result) -> list[Any]:
    return [one for one in result.verdicts if one.kind == "condition"]


WAYS = [
    ("augmented", "rk4"),
    ("null-space", "rk4"),
    ("canonical", "rk4"),
    ("rA", "generalized-alpha"),
    ("partial", "rk4"),
]


@pytest.mark.parametrize(("formulation", "method"), WAYS)
def test_axes_that_are_parallel_to_seven_digits_are_doubted(formulation: str, method: str) -> None:
    """Formulations do not agree on whether such a linkage moves (`augmented` stands, `null-space` does not)."""
    result = lw.simulate(four_bar(1e-6), 0.1, 1e-3, formulation, method)
    (found,) = conditions(result)
    assert result.judgement == "doubtful"
    assert all(f"'hinge {k}'" in found.text for k in range(4))
    assert "linkwork check" in found.cure
    assert found.value > 1e6


@pytest.mark.parametrize("off", [0.0, 1e-12, 1e-9])
def test_axes_that_every_formulation_takes_for_parallel_are_not(off: float) -> None:
    lengths = [lw.simulate(four_bar(off), 0.1, 1e-3, *way) for way in WAYS]
    assert [one.judgement for one in lengths] == ["good"] * len(WAYS)
    ends = np.array([one["position"][-1] for one in lengths])
    assert np.max(np.abs(ends - ends[0])) <= 1e-6


def slider_crank(angle: float) -> lw.Mechanism:
    """At this angle from its dead centre [rad], held by its slider."""
    pin, end = [math.cos(angle), 0.0, math.sin(angle)], [math.cos(angle) + math.sqrt(4.0 - math.sin(angle) ** 2), 0, 0]
    mech = lw.Mechanism("slider crank")
    for name, place in (("crank", np.divide(pin, 2)), ("rod", np.add(pin, end) / 2), ("slider", end)):
        mech.body(name, mass=1.0, inertia=[0.1] * 3, position=list(map(float, place)))
    for k, (one, two, place) in enumerate(
        [("ground", "crank", [0, 0, 0]), ("crank", "rod", pin), ("rod", "slider", end)]
    ):
        mech.joint(f"pin {k}", "revolute", one, two, point=place, axis=[0, 1, 0], x=[1, 0, 0])
    mech.joint("rail", "prismatic", "ground", "slider", point=end, axis=[1, 0, 0], x=[0, 1, 0])
    mech.driver("held", "rail", 0.0)
    return mech


def test_a_planned_run_is_judged_alike() -> None:
    assert conditions(lw.simulate(four_bar(1e-6), 0.1))


@pytest.mark.parametrize(("angle", "doubted"), [(0.3, False), (1e-5, True)])
def test_kinematics_beside_a_dead_centre(angle: float, doubted: bool) -> None:
    assert bool(conditions(lw.kinematics(slider_crank(angle), 1e-3, 1e-3, "rA"))) == doubted


@pytest.mark.parametrize(("off", "doubted"), [(0.0, False), (1e-5, True)])
def test_two_hinges_between_the_same_bodies(off: float, doubted: bool) -> None:
    assert bool(conditions(lw.simulate(door(off), 0.1, 1e-3, "augmented", "rk4"))) == doubted


def test_the_limit_is_the_users() -> None:
    for limit in (math.inf, 1e9):
        result = lw.simulate(four_bar(1e-6), 0.01, 1e-3, "canonical", "rk4", limits={"condition": limit})
        assert not conditions(result)
    result = lw.simulate(four_bar(0.0), 0.01, 1e-3, "canonical", "rk4", limits={"condition": 2.0})
    assert conditions(result)


def test_shipped_mechanisms_are_far_from_it() -> None:
    for name in shipped():
        start = prepare(lw.load(name), dynamics=False).compiled
        assert nearly_dependent(start, math.inf).condition <= 100.0


def test_what_has_no_loop_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np.linalg, "svd", None)
    for name in ("kissel2021_double_pendulum", "muller2013_heavy_top"):
        start = prepare(lw.load(name), dynamics=True).compiled
        assert nearly_dependent(start, 2.0).condition == 1.0


@pytest.mark.parametrize(("off", "doubted"), [(0.0, False), (1e-6, True)])
def test_a_loop_at_the_end_of_a_long_arm(off: float, doubted: bool) -> None:
    """Of sixty links, which are in no loop themselves."""
    mech, below = four_bar(off).to_dict(), "ground"
    for k in range(60):
        name, point = f"link {k}", [0.0, 0.0, -10.0 + k / 6.0]
        mech["bodies"].append({"name": name, "mass": 1.0, "inertia": [0.1] * 3, "position": point})
        mech["joints"].append(
            {"name": f"pin {k}", "type": "revolute", "first": below, "second": name, "point": point, "axis": [0, 1, 0]}
        )
        below = name
    for joint in mech["joints"][:4]:
        joint["first"], joint["second"] = (
            below if one == "ground" else one for one in (joint["first"], joint["second"])
        )
    found = nearly_dependent(prepare(lw.Mechanism.from_dict(mech), dynamics=True).compiled, 1e4)
    assert (found.condition > 1e4) == doubted
    assert len(found.elements) == (4 if doubted else 0)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_in_no_loop_has_no_part_in_how_rows_depend(seed: int) -> None:
    at = prepare(random_mechanism(seed), dynamics=True).compiled
    tied = in_loops(at, [row.owner for row in at.lowered.rows])
    parts, every = row_parts(at, Pose(at.r, at.A), drives(at, 0.0)), np.ones(at.nc, dtype=bool)
    G = Jacobian(at, parts, every, unit_columns(at)).sparse().toarray()
    lost = [len(some) - np.linalg.matrix_rank(some, tol=1e-8) if len(some) else 0 for some in (G, G[tied])]
    assert lost[0] == lost[1]


def test_points_and_axes_that_agree_to_a_few_digits_are_told_apart_from_wrong_ones() -> None:
    """Three of the loop's rows too many ask for what the others do, in other digits."""
    for point, little in (([0.0, 1e-6, 0.0], True), ([0.0, 0.5, 0.0], False)):
        document = four_bar(0.0).to_dict()
        last = document["joints"][3]
        place = np.subtract(POINTS[3], np.mean(POINTS[2:4], axis=0))
        document["joints"][3] = {
            "name": "hinge 3", "type": "revolute", "first": last["first"], "second": last["second"],
            "on_first": {"point": (place + point).tolist(), "axis": [0, 1, 0], "x": [1, 0, 0]},
            "on_second": {"point": POINTS[3], "axis": [0, 1, 0], "x": [1, 0, 0]},
        }  # fmt: skip
        with pytest.raises(AssemblyError) as raised:
            lw.simulate(lw.Mechanism.from_dict(document), 0.01, 1e-3, "augmented", "rk4")
        assert ("miss by little" in str(raised.value)) == little
