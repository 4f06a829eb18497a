"""Tangents of explicit runs whose equations are solved anew while a step is recorded: those of complex steps through
the same map, dependent rows and the multipliers that these share included."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from oracles.coupled import geared_arm
from oracles.redundant import bricard, n_four_bar
from unit.complex_runs import ComplexRun, keep_small
from unit.test_tangents_dependent_rows import parallelogram, slider_crank

import linkwork as lw
from linkwork.derivatives import memory_tape, traced
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.integrators.runge_kutta_kernels import START
from linkwork.kernels.dependence import ND
from linkwork.lanes.traced import newton_euler
from linkwork.solvers.tree.parts import Tree

STEPS, SIZE = 4, 1e-2
STILL = 1e-14  # of the largest value, by one kg, m or kg m^2: a tangent that is none

# rows of solvers are picked by whole numbers that stand among real ones
pytestmark = pytest.mark.filterwarnings(r"ignore:Casting complex:numpy.exceptions.ComplexWarning:linkwork\.solvers")

Case = tuple[Callable[[], lw.Mechanism], list[str]]


def with_spring() -> lw.Mechanism:
    mech = slider_crank()
    mech.force(
        "spring",
        "spring",
        first="ground",
        second="slider",
        on_first={"point": [0.2, 0, 0]},
        on_second={"point": [0, 0, 0.1]},
        stiffness=40.0,
    )
    return mech


def four_bar() -> lw.Mechanism:
    """Of hinges in space, at rest: three rows more than it needs."""
    mech = lw.Mechanism("four-bar", gravity=(0.0, 3.0, -9.81))
    points = [[0.0, 0.0, 0.0], [0.2, 0.0, 1.0], [1.3, 0.0, 1.2], [1.5, 0.0, 0.0]]
    bars = ["left", "coupler", "right"]
    for k, bar in enumerate(bars):
        middle = np.mean(points[k : k + 2], axis=0).tolist()
        mech.body(bar, mass=1.0 + k, inertia=[0.1, 0.2, 0.15], position=middle)
    for k, (one, two) in enumerate(pairwise(["ground", *bars, "ground"])):
        mech.joint(f"hinge {k}", "revolute", one, two, point=points[k], axis=[0, 1, 0])
    return mech


PARALLELOGRAM = (parallelogram, ["crank 1.mass", "bar.inertia[1]", "foot 1.point[1]"])
CRANK = (with_spring, ["rod.inertia[1]", "slider.mass", "spring.stiffness", "pivot.point[1]"])
FOUR_BAR = (four_bar, ["gravity[2]", "coupler.mass"])
BRICARD = (bricard, ["gravity[2]"])
COUPLED = (geared_arm, ["mesh.ratio", "follow.polynomial[1]", "rotor.inertia", "slider.mass"])


def moving_of(case: Case, formulation: str, integrator: str, steps: int = STEPS) -> Moving:
    mech = case[0]()
    numbers = numbers_of(mech, case[1])
    return Moving(carried_out(mech, steps * SIZE, SIZE, formulation, integrator, None, {}, numbers), numbers)


def worst(moving: Moving, numbers: int, monkeypatch: pytest.MonkeyPatch) -> float:
    """The largest difference of tangents from complex steps, as a share of the largest tangent of its kind."""
    found, off = moving.samples, 0.0
    assert moving.way == "recorded steps"
    keep_small(monkeypatch)
    for k in range(numbers):
        prepared = moving.nominal.prepared(moving.nominal.ready.compiled)
        run = ComplexRun(prepared, moving.starts[:, k])
        assert run.call(prepared.run._compiled(), START)[0] == 0
        assert run.call(prepared.run._compiled(), STEPS) == (0, STEPS)
        for of in ("motion", "multiplier", "extra"):
            wanted, tangents = run.imaginary(getattr(prepared.block, of))[:STEPS], found[of][1:, ..., 1 + k]
            still = STILL * float(np.max(np.abs(found[of][..., 0]), initial=0.0))
            size = float(np.max(np.abs(wanted), initial=0.0))
            if size > still:
                off = max(off, float(np.max(np.abs(tangents - wanted))) / size)
            else:  # what does not move
                assert float(np.max(np.abs(tangents), initial=0.0)) <= still
    return off


@pytest.mark.parametrize(
    ("case", "formulation", "integrator"),
    [
        (CRANK, "augmented", "rk4"),
        (PARALLELOGRAM, "partial", "rk4"),
        (CRANK, "null-space", "rk4"),
        (CRANK, "joint-rates", "rk4"),
        (CRANK, "cut-joint", "rk4"),
        (CRANK, "rotation-matrix", "rk4"),  # dependent rows drift apart by 1e-9 in coarse steps
    ],
)
def test_tangents_are_those_of_complex_steps(
    case: Case, formulation: str, integrator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moving = moving_of(case, formulation, integrator)
    assert worst(moving, len(case[1]), monkeypatch) <= 1e-12


def test_a_record_that_comes_to_other_values_gives_way_to_dual_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit by bit, those of equations that are solved anew are others, and found.way says so."""
    monkeypatch.setattr(traced, "SAME", 0.0)
    monkeypatch.setattr(traced, "NOTHING", 0.0)
    moving = moving_of(CRANK, "augmented", "rk4")
    assert np.array_equal(moving.samples["motion"], moving.dual_samples()["motion"])
    assert " than the run" in moving.way


@pytest.mark.parametrize("case", [FOUR_BAR, CRANK])
def test_rows_of_cut_joints_stay_dropped(case: Case) -> None:
    """What a search alone drops seemed to change places with them at the second step, and a projection followed."""
    run = carried_out(case[0](), 8 * SIZE, SIZE, "cut-joint", "rk4", None, {}).session.run
    assert run.counts["projections"] == 0
    assert run.problem.dependence.found.sizes[ND] == 3
    dropped = np.flatnonzero(run.problem.dependence.found.keep == 0)
    tree = next(record for record in run.problem.solver.records if isinstance(record, Tree))
    assert set(dropped) <= set(tree.other_rows)


def test_a_swing_over_which_pivots_change_is_recorded() -> None:
    """Which rows depend on others is found where the record begins; rows of cut joints are dropped as the run does."""
    for formulation in ("augmented", "cut-joint"):
        moving = moving_of(FOUR_BAR, formulation, "rk4", 150)
        assert len(moving.samples["time"]) == 151
        assert moving.way == "recorded steps"


def test_steps_follow_a_motion_that_rounding_leads_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """By themselves they come away from a chaotic run; from its own states they do not, and digits are told as those of
    two runs."""
    mech = lw.load("kissel2021_double_pendulum")
    asked: dict[str, Any] = {"of": "bar 2.position", "to": ["bar 1.shape.density", "gravity[2]"], "every": 1000}

    def derived(**more: Any) -> lw.derivatives.sensitivities.Sensitivities:
        return lw.sensitivities(mech, 33.0, 1e-3, "augmented", "rk4", **asked, **more)

    found = derived()
    assert found.way == "recorded steps"
    assert derived(digits=False).digits is None
    with monkeypatch.context() as patched:
        patched.setattr(memory_tape, "PARTS", 1)
        alone = derived()
    assert " than the run" in alone.way or "another state" in alone.way
    assert found.digits is not None
    assert alone.digits is not None
    assert abs(found.digits - alone.digits) <= 1
    size = np.abs(alone["bar 2.position"]).max()
    assert np.max(np.abs(found["bar 2.position"] - alone["bar 2.position"])) <= 10.0**-found.digits * size


@pytest.mark.parametrize("every", [7, 500])
def test_runs_are_kept_between_samples_as_at_them(every: int) -> None:
    """Places lie where they do, however often samples are taken; so tangents are the same to the last bit."""
    mech, to = CRANK[0](), CRANK[1][:2]

    def derived(every: int) -> lw.derivatives.sensitivities.Sensitivities:
        found = lw.sensitivities(mech, 0.5, 1e-3, "augmented", "rk4", every=every, of="slider.position", to=to)
        assert found.way == "recorded steps"
        return found

    each, some = derived(1), derived(every)
    assert np.array_equal(each["slider.position"][::every], some["slider.position"])


def test_what_is_solved_anew() -> None:
    """Not a range space without dependent rows, whose course can be recorded; not bars without inertia about their
    axes."""

    def entries(mech: lw.Mechanism, formulation: str) -> int:
        run = carried_out(mech, SIZE, SIZE, formulation, "rk4", None, {}).session.run
        return len(newton_euler.in_place_of(run.problem))

    assert entries(four_bar(), "range-space") == 3
    assert entries(geared_arm(), "range-space") == 0
    assert entries(geared_arm(), "augmented") == 2
    assert entries(n_four_bar(1), "augmented") == 0
    assert entries(four_bar(), "penalty") == 0
