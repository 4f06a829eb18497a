"""Every named tolerance has a case just below it and one just above, which end differently; flags say what exists.

Tolerances stand here as numbers: whoever changes one has to change it here as well.
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from unit.handmade import result

import linkwork as lw
from linkwork.analysis import accelerations, check
from linkwork.errors import AssemblyError, DriverError, ModelError, UnsupportedElementError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.integrators.generalized_alpha import GeneralizedAlpha
from linkwork.integrators.implicit_method import ImplicitMethod
from linkwork.integrators.runge_kutta import times_of, within
from linkwork.integrators.stabilisation import Stabilisation
from linkwork.io.formats.kissel import _Reading
from linkwork.io.formats.kissel_functions import check_derivatives
from linkwork.mechanism import rotation
from linkwork.plots.paths import projection
from linkwork.plots.positions import moving
from linkwork.problems.shapes import EXPLICIT
from linkwork.run.matching import describe, fitting
from linkwork.run.uniqueness import Unclear, listed, touched
from linkwork.studies.comparison.concluding import _notes
from linkwork.system import alignment, compile_mechanism, contradictions, inertia, rank
from linkwork.system.dense import Pose

BELOW, ABOVE = 0.5, 2.0  # times a tolerance


def hinged(velocity: float = 0.0, **body: Any) -> lw.Mechanism:
    """A body of 1 m on a hinge along z."""
    mechanism = lw.Mechanism("door", gravity=(0, 0, 0))
    motion = {"velocity": [0, velocity, 0], "angular_velocity": [0, 0, velocity]}
    mechanism.body("leaf", position=[1, 0, 0], **{"mass": 1.0, "inertia": [0.1, 0.1, 0.1], **motion, **body})
    mechanism.joint("hinge", "revolute", "ground", "leaf", point=[0, 0, 0], axis=[0, 0, 1])
    return mechanism


# drivers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [BELOW, ABOVE])
@pytest.mark.parametrize(("what", "tolerance"), [("value", 1e-6), ("rate", 1e-5)])
def test_a_driver_agrees_with_the_start_state_within_its_tolerance(what: str, tolerance: float, times: float) -> None:
    off = times * tolerance
    mechanism = hinged(velocity=1.0)
    mechanism.driver("motor", "hinge", f"{off!r} + t" if what == "value" else f"{1.0 + off!r}*t")
    found = mechanism.driver_mismatches()
    assert bool(found) is (times > 1.0)
    if found:
        assert getattr(found[0], f"{what}_differs")
        with pytest.raises(DriverError, match="driver 'motor'"):
            lw.simulate(mechanism, 0.01, 0.01, "rA")


@pytest.mark.parametrize(("difference", "conflict"), [(0.6, False), (6.0, True)])
def test_rows_contradict_each_other_beyond_their_tolerance(difference: float, conflict: bool) -> None:
    """Two drivers on one hinge, 1 and 1 + e rad/s: their combination is e, of sizes that sum up to 2."""
    mechanism = hinged(velocity=1.0)
    mechanism.driver("motor", "hinge", "t")
    mechanism.driver("other", "hinge", f"{1.0 + difference * 1e-7!r}*t")
    found = [one for one in mechanism.check().contradictions if one.problem == "ask for different velocities"]
    assert [set(one.rows) for one in found] == ([{"motor", "other"}] if conflict else [])


def test_a_contradiction_is_measured_by_the_sizes_involved() -> None:
    y = np.array([1.0, -1.0])
    for size, times in ((1e-3, 1.0), (1.0, 2.0), (50.0, 100.0)):  # below one in sum: by one
        for share, wanted in ((0.99, False), (1.01, True)):
            values = np.array([size, size - share * times * 1e-7])
            assert contradictions.contradicts(y, values) is wanted, (size, share)


# attitudes --------------------------------------------------------------------------------------------------


def test_matrices_and_quaternions_are_rotations_within_a_tolerance() -> None:
    for times in (BELOW, ABOVE):
        skewed = np.eye(3)
        skewed[0, 1] = times * 1e-6
        for given in (skewed.tolist(), {"quaternion": [1.0 + times * 1e-6, 0, 0, 0]}):
            if times > 1.0:
                with pytest.raises(ModelError, match="rotation"):
                    hinged(rotation=given)
            else:
                hinged(rotation=given)


def test_a_matrix_is_used_as_it_is_within_rounding() -> None:
    for times, note in ((BELOW, None), (ABOVE, "orthonormal only to")):
        skewed = np.eye(3)
        skewed[0, 1] = times * 1e-12
        matrix, said = rotation.rotation_matrix(skewed)
        assert (said is None) if note is None else note in str(said)
        assert np.array_equal(matrix, skewed) is (note is None)


def test_attitudes_of_published_files_are_mended_within_a_tolerance() -> None:
    for times in (BELOW, ABOVE):
        reading = _Reading({})
        printed = np.eye(3)
        printed[0, 1] = times * 1e-4
        found = reading._attitude(("bodies", 0), printed.tolist(), "bar")
        assert bool(reading.notes) is (times < 1.0)
        assert (rotation.defect_of(found) < 1e-14) is (times < 1.0)


def test_written_derivatives_are_right_within_a_tolerance() -> None:
    mechanism = hinged()
    for times in (BELOW, ABOVE):
        notes = check_derivatives({"row": ("sin(t)", f"cos(t) + {times * 1e-6!r}", None)}, mechanism)
        assert bool(notes) is (times > 1.0)
        large = check_derivatives({"row": ("100*t", f"100 + {times * 100.0 * 1e-6!r}", None)}, mechanism)
        assert bool(large) is (times > 1.0)


# cosine drivers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [BELOW, ABOVE])
def test_a_cosine_of_the_vectors_size_is_an_angle_within_a_tolerance(times: float) -> None:
    mechanism = lw.Mechanism("crank")
    mechanism.body("leaf", mass=1.0, inertia=[0.1, 0.1, 0.1])
    mechanism.joint("hinge", "revolute", "ground", "leaf", point=[0, 0, 0], axis=[0, 0, 1])
    size = 1.0 + times * 1e-6
    mechanism.constraint(
        "motor", "DP1", "ground", "leaf", a_i=[1, 0, 0], a_j=[1, 0, 0], f=f"{size!r}*cos(t + 0.1)", driver=True
    )
    kinds = [row.kind for row in mechanism.lower().rows if row.name == "motor"]
    assert kinds == (["ANGLE"] if times < 1.0 else ["DP1"])


# rank -------------------------------------------------------------------------------------------------------


def test_rows_are_dependent_below_a_singular_value() -> None:
    compiled = compile_mechanism(hinged().lower())
    for times, expected in ((BELOW, 1), (ABOVE, 2)):
        G = np.zeros((2, 6))
        G[:, 3] = 1.0
        G[1, 4] = times * 1e-9 * 2.0  # the smaller singular value is d / sqrt 2, the larger sqrt 2
        assert rank.rank_of(compiled, G).rank == expected


def test_a_start_is_near_a_singular_position_below_a_singular_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of mechanisms that are too large for `nearly_dependent`."""
    monkeypatch.setattr(check, "LARGEST", 0)
    compiled = compile_mechanism(hinged().lower())
    for times in (BELOW, ABOVE):
        here = SimpleNamespace(rank=5, nearly=times * 1e-4 / compiled.nb)
        said = check._warnings(compiled, SimpleNamespace(here=here, usual=here))  # type: ignore[arg-type]
        assert any("near a singular position" in one for one in said) is (times < 1.0)


def test_entries_of_a_combination_count_above_a_share_of_the_largest() -> None:
    combinations = np.array([[100.0, 0.0, BELOW * 1e-6 * 100.0, ABOVE * 1e-6 * 100.0]])
    assert touched(combinations) == [0, 3]
    assert touched(np.zeros((0, 4))) == []


def test_messages_name_the_first_and_count_the_others() -> None:
    names = tuple(f"j{k}" for k in range(12 + 1))
    assert listed(names[:12]).count("'j") == 12
    assert "others" not in listed(names[:12])
    assert listed(names).endswith(f"'j{12 - 1}' and 1 others")
    said = str(Unclear(("a.lock[0]",), ("a", "b"), "they are shared out"))
    assert said == "rows that others imply: 'a.lock[0]'; reactions of 'a', 'b' are not unique, they are shared out"
    assert not Unclear()


# start and assembly -----------------------------------------------------------------------------------------


def test_motions_without_inertia_are_those_below_rounding() -> None:
    for times in (BELOW, ABOVE):
        mechanism = lw.Mechanism("needle")
        mechanism.body("needle", mass=1.0, inertia=[times * 1e-12, 1.0, 1.0])
        found = inertia.motions_without_inertia(compile_mechanism(mechanism.lower()))
        assert bool(found) is (times < 1.0)


def test_accelerations_are_refused_far_from_assembly() -> None:
    compiled = compile_mechanism(hinged().lower())
    for times in (BELOW, ABOVE):
        r = compiled.r.copy()
        r[0, 2] += times * 1e-3 * max(1.0, compiled.length)
        moved = compiled.at(r, compiled.A, compiled.v, compiled.w)
        if times > 1.0:
            with pytest.raises(AssemblyError, match=r"row 'hinge.lock\[4\]' is off by"):
                accelerations._violations(moved, SimpleNamespace(time=0.0))  # type: ignore[arg-type]
        else:
            position, _ = accelerations._violations(moved, SimpleNamespace(time=0.0))  # type: ignore[arg-type]
            assert position == pytest.approx(times * 1e-3)


@pytest.mark.parametrize(
    ("angle", "found"),
    [
        (0.9 * 0.3, False),
        (1.1 * 0.3, True),
        (math.pi - 2.0 * 1e-3, True),
        (math.pi - 0.5 * 1e-3, False),
    ],
)
def test_axes_are_brought_together_where_they_are_far_apart_but_not_turned_round(angle: float, found: bool) -> None:
    compiled = compile_mechanism(hinged().lower())
    A = compiled.A.copy()
    A[0] = rotation.turn(np.array([1.0, 0.0, 0.0]), angle).ravel()
    axes = alignment.aligned_axes(compiled)
    assert bool(alignment.misaligned(compiled, axes, Pose(compiled.r, A))) is found


def test_the_typical_length_is_the_largest_extent_or_a_metre() -> None:
    def length(position: Any, point: Any) -> float:
        mechanism = lw.Mechanism("one")
        mechanism.body("one", position=position, mass=1.0, inertia=[1, 1, 1])
        mechanism.joint("ball", "spherical", "ground", "one", point=point)
        return compile_mechanism(mechanism.lower()).length

    assert length([0, 0, 0], [0, 0, 0]) == 1.0
    assert length([0, 3, 0], [0, 3, 0]) == 3.0
    assert length([0, 3, 0], [0, 7, 0]) == 7.0  # a point of ground, 7 m from its origin


# methods ----------------------------------------------------------------------------------------------------


def test_weak_damping_is_said_above_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImplicitMethod, "new_run", lambda self, problem, **options: SimpleNamespace(remarks=[]))
    for rho, nc, said in ((0.95, 5, False), (0.95 + 1e-6, 5, True), (1.0, 0, False)):
        problem: Any = SimpleNamespace(layout=SimpleNamespace(nc=nc))
        run = GeneralizedAlpha(rho_infinity=rho).new_run(problem, step=1e-3, t_end=1.0)
        assert bool(run.remarks) is said
    usual: Any = SimpleNamespace(layout=SimpleNamespace(nc=5))
    assert not GeneralizedAlpha().new_run(usual, step=1e-3, t_end=1.0).remarks


def requested(times: list[float], t_end: float) -> Any:
    """The times samples are wanted at, as a run sees them."""
    return within(np.array(times_of("t_eval", times)), t_end)


def test_usual_gains_let_a_violation_fade_in_ten_steps() -> None:
    held = Stabilisation.of("baumgarte", None, None, 0.01)
    assert (held.alpha, held.beta, held.project_every) == (10.0, 10.0, 0)
    assert Stabilisation.of(None, (3.0, 4.0), None, 0.01) == Stabilisation("baumgarte", 3.0, 4.0, 0)
    assert Stabilisation.of(None, None, 5, 0.01) == Stabilisation("projection", 0.0, 0.0, 5)
    for way in ("none", "projection"):
        with pytest.raises(UsageError, match="option baumgarte does not go with"):
            Stabilisation.of(way, (1.0, 1.0), None, 0.01)
    for way in ("none", "baumgarte"):
        with pytest.raises(UsageError, match="option project_every does not go with"):
            Stabilisation.of(way, None, 3, 0.01)


def test_times_wanted_lie_within_the_run_but_for_rounding() -> None:
    assert requested([0.0, 1.0 + 5e-13], 1.0).tolist() == [0.0, 1.0]
    for times in ([0.0, 1.0 + 2e-12], [-1e-15, 0.5]):
        with pytest.raises(UsageError, match="must lie between 0 and t_end = 1 s"):
            requested(times, 1.0)


# plots and comparison ---------------------------------------------------------------------------------------


def test_flat_motions_are_drawn_flat_below_a_share_of_their_length() -> None:
    for times, kind in ((BELOW, None), (ABOVE, "3d")):
        made = result(("position", (slice(None), 0, 1), 0.0))
        made._arrays["position"][:, 0, 1] = np.linspace(0.0, 1.0, 11)
        made._arrays["position"][:, 0, 2] = np.linspace(0.0, times * 0.02 * 2.0, 11)  # the longest way is 2 m
        assert projection(made) == kind


def test_components_that_hardly_move_are_not_drawn() -> None:
    values = np.zeros((2, 1, 3))
    values[1, 0] = (5.0, BELOW * 1e-6 * 5.0, ABOVE * 1e-6 * 5.0)
    assert moving(values) == [0, 2]


def test_errors_are_alike_within_a_factor() -> None:
    from unit.test_comparison import row

    from linkwork.studies.comparison.comparison import most_accurate

    for times, cheap in ((0.99, True), (1.01, False)):
        rows = [row(1e-6 * 1.5 * times, 10, 2e-3), row(1e-6, 40)]
        assert (most_accurate(rows) is rows[0]) is cheap


def test_a_reference_that_is_hardly_known_is_said_to_be_so() -> None:
    for uncertainty, said in ((0.9e-3, False), (1.1e-3, True), (math.nan, True)):
        notes = _notes(True, SimpleNamespace(uncertainty=uncertainty), SimpleNamespace(reference="auto"), True)  # type: ignore[arg-type]
        assert bool(notes) is said


# flags ------------------------------------------------------------------------------------------------------


def test_formulations_that_say_so_compute_kinematics_and_no_others_do() -> None:
    mechanism = hinged()
    mechanism.driver("motor", "hinge", "t")
    for name in FORMULATIONS:
        formulation = FORMULATIONS.load(name)
        assert formulation.describe()["kinematics"] is formulation.supports_kinematics
        if formulation.supports_kinematics:
            found = lw.kinematics(mechanism, 0.2, 0.1, name)
            assert found.velocity("leaf")[-1] == pytest.approx([-math.sin(0.2), math.cos(0.2), 0.0])
        else:
            with pytest.raises((UsageError, UnsupportedElementError), match=f"{name}"):
                lw.kinematics(mechanism, 0.2, 0.1, name)
    listed_there = {one["name"] for one in describe() if one["kinematics"]}
    can = next(one for one in mechanism.check().can if one.analysis == "kinematics")
    assert {*can.formulations} == listed_there


def test_integrators_have_tolerances_where_they_have_an_error_estimate() -> None:
    for name in INTEGRATORS:
        method = INTEGRATORS.load(name)
        tableau = getattr(method, "tableau", None)
        embedded = tableau is not None and tableau.e is not None
        assert ("rtol" in method.options) is (embedded or name.startswith(("radau", "generalized"))), name
        assert method.describe()["shape"] == method.shape


def test_every_formulation_fits_an_integrator_of_each_shape_that_it_has() -> None:
    for name in FORMULATIONS:
        shapes = FORMULATIONS.load(name).shapes
        assert {INTEGRATORS.load(one).shape for one in fitting(name)} == {*shapes}
        assert EXPLICIT in shapes or name in ("rA", "rp", "re")
