from __future__ import annotations

import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork import one_thread
from linkwork.cli.main import status_of
from linkwork.io.formats import save

BAR: dict[str, Any] = {"mass": 1.0, "inertia": [0.1, 0.1, 0.1]}


def door(hinges: int = 2) -> lw.Mechanism:
    mechanism = lw.Mechanism("door")
    mechanism.body("leaf", position=[1, 0, 0], **BAR)
    for n in range(hinges):
        mechanism.joint(f"hinge {n}", "revolute", "ground", "leaf", point=[0, 0, n], axis=[0, 0, 1])
    return mechanism


def crank_slider(angle: float) -> lw.Mechanism:
    """Crank 1 m and rod 2 m in the x-y plane; at angle 0 and pi they are aligned."""
    mechanism = lw.Mechanism("slider crank")
    c, s = math.cos(angle), math.sin(angle)
    b = -math.asin(s / 2.0)
    end = c + 2.0 * math.cos(b)
    mechanism.body("crank", position=[c / 2, s / 2, 0], **BAR)
    mechanism.body("rod", position=[c + math.cos(b), s + math.sin(b), 0], **BAR)
    mechanism.body("slider", position=[end, 0, 0], **BAR)
    mechanism.joint("pivot", "revolute", "ground", "crank", point=[0, 0, 0], axis=[0, 0, 1])
    mechanism.joint("pin", "spherical", "crank", "rod", point=[c, s, 0])
    mechanism.joint("cross", "universal", "rod", "slider", point=[end, 0, 0], axis=[0, 0, 1], axis2=[0, 1, 0])
    mechanism.joint("guide", "translational", "ground", "slider", point=[end, 0, 0], axis=[1, 0, 0])
    return mechanism


def hold_slider(mechanism: lw.Mechanism) -> None:
    """One row that holds the slider where it is: of no use against the crank where crank and rod are aligned."""
    here = list(mechanism.element("slider").position)
    mechanism.joint("handle", "point-in-plane", "ground", "slider", point=here, axis=[1, 0, 0])


def test_a_four_bar_is_described() -> None:
    report = lw.load("planar_four_bar").check()
    assert report.ok
    f = report.freedom
    assert (f.velocities, f.positions, f.mobility, f.drivers, f.counted, f.rank) == (0, 0, 1, 1, -3, 18)
    (found,) = report.redundant
    assert found.element == "rocker pivot"
    assert found.rows == tuple(f"rocker pivot.lock[{n}]" for n in (0, 1, 3))
    assert set(found.implied_by) == {"crank pivot", "crank pin", "rocker pin"}
    assert "point-in-line" in found.suggestion
    assert "3 rows less" in found.suggestion
    assert [one.possible for one in report.can] == [True, True]
    words = report.text()
    for part in ("3 bodies", "redundant rows", "'rocker pivot.lock[0]'", "mobility 1", "kinematics: rA, rp, re"):
        assert part in words


def test_the_suggested_joint_does_away_with_the_redundancy() -> None:
    mechanism = lw.load("planar_four_bar")
    assert "point-in-line" in mechanism.check().redundant[0].suggestion
    places = {"on_first": {"point": [0.5, 0, 0], "axis": [0, -1, 0]}, "on_second": {"point": [-0.2, 0, 0]}}
    mechanism.change("rocker pivot", type="point-in-line", point=None, axis=None, **places)
    report = mechanism.check()
    assert report.redundant == ()
    assert report.freedom.mobility == 1


def test_a_second_hinge_may_be_left_out() -> None:
    report = door().check()
    assert report.freedom.velocities == 1
    (found,) = report.redundant
    assert (found.element, len(found.rows), found.implied_by) == ("hinge 1", 5, ("hinge 0",))


def test_every_row_of_a_report_is_json() -> None:
    for model in ("rolling_disc", "kissel2021_slider_crank", "planar_four_bar"):
        report = lw.load(model).check()
        assert json.loads(json.dumps(report.to_dict()))["ok"] is True


def test_velocity_rows_leave_more_positions_than_velocities() -> None:
    report = lw.load("rolling_disc").check()
    assert (report.freedom.velocities, report.freedom.positions) == (3, 5)
    kinematics = next(one for one in report.can if one.analysis == "kinematics")
    assert not kinematics.possible
    assert "velocity level" in kinematics.obstacle


def test_missing_masses_leave_kinematics() -> None:
    mechanism = lw.load("planar_four_bar")
    mechanism.change("crank", shape=None)
    report = mechanism.check()
    assert report.ok
    assert report.missing_masses == ("crank",)
    assert {one.analysis: one.possible for one in report.can} == {"kinematics": True, "dynamics": False}
    assert "kinematics only" in report.text()


def test_a_free_motion_without_inertia_is_told() -> None:
    mechanism = lw.Mechanism("needle")
    mechanism.body("needle", mass=1.0, inertia=[0.0, 0.1, 0.1])
    mechanism.joint("ball", "spherical", "ground", "needle", point=[1, 0, 0])
    assert "'needle': a free motion has no inertia" in mechanism.check().text()
    assert lw.load("kissel2021_four_link").check().warnings == ()


@pytest.mark.parametrize(("angle", "singular"), [(0.0, True), (math.pi, True), (0.7, False)])
def test_a_dead_centre_is_told_from_redundancy(angle: float, singular: bool) -> None:
    mechanism = crank_slider(angle)
    hold_slider(mechanism)
    report = mechanism.check()
    assert any("singular position" in one for one in report.warnings) == singular
    assert report.redundant == ()


def test_a_start_close_to_a_dead_centre_is_told() -> None:
    mechanism = crank_slider(1e-6)
    hold_slider(mechanism)
    (told,) = (one for one in mechanism.check().warnings if "near a singular position" in one)
    run = lw.simulate(mechanism, 0.01, 0.001, "augmented", "rk4")
    (doubted,) = (one for one in run.verdicts if one.kind == "condition")
    assert told in doubted.text.replace("The start", "the start")
    assert "'handle'" in told


def test_drivers_that_disagree_with_the_start_state() -> None:
    mechanism = door(1)
    mechanism.driver("motor", "hinge 0", "0.2 + t")
    report = mechanism.check()
    assert not report.ok
    assert report.exit_status == 3
    assert "driver 'motor'" in report.driver_mismatches[0]
    assert any("turned by 0.2" in move for move in report.moves)


@pytest.mark.parametrize(
    ("second", "problem", "certain"),
    [
        ("0.1 + t", "different positions", True),
        ("2*t", "different velocities", True),
        ("t + t^2", "different accelerations", True),
        ("t + t^3", "different velocities later", False),
        ("t", None, True),
    ],
)
def test_two_drivers_on_one_coordinate(second: str, problem: str | None, certain: bool) -> None:
    mechanism = door(1)
    mechanism.change("leaf", velocity=[0, 1, 0], angular_velocity=[0, 0, 1])
    mechanism.driver("motor", "hinge 0", "t")
    mechanism.driver("other motor", "hinge 0", second)
    report = mechanism.check()
    if problem is None:
        assert report.contradictions == ()
        return
    (found,) = report.contradictions
    assert set(found.rows) == {"motor", "other motor"}
    assert problem in found.problem
    assert found.certain == certain
    assert (report.exit_status == 4) == certain
    assert problem in report.text()


def test_rows_at_velocity_level_conflict_by_what_they_prescribe() -> None:
    for speed, conflict in ((1.0, False), (2.0, True)):
        mechanism = lw.Mechanism("slider")
        mechanism.body("leaf", velocity=[1, 0, 0], **BAR)
        for name, f in (("one", 1.0), ("other", speed)):
            mechanism.constraint(name, "PFAFFIAN", "leaf", "ground", g_i=[1, 0, 0, 0, 0, 0], f=f)
        found = [one for one in mechanism.check().contradictions if "different velocities" in one.problem]
        assert [set(one.rows) for one in found] == ([{"one", "other"}] if conflict else [])


def test_kinematics_needs_a_driver_for_every_freedom() -> None:
    mechanism = door(1)
    for driven in (False, True):
        if driven:
            mechanism.driver("motor", "hinge 0", "0")
        kinematics = next(one for one in mechanism.check().can if one.analysis == "kinematics")
        assert kinematics.possible is driven
        assert kinematics.obstacle == ("" if driven else "its drivers leave 1 degrees of freedom")


def test_what_cannot_be_assembled_gives_a_report_and_status_4(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mechanism = door(1)
    mechanism.joint("rod", "distance", "ground", "leaf", point=[9, 0, 0], point2=[2, 0, 0], length=1.0)
    report = mechanism.check()
    assert not report.assembled
    assert "'rod.lock[0]'" in report.assembly_problem
    assert "rod.lock[0]" in report.contradictions[0].rows
    assert not any(one.possible for one in report.can)
    path = tmp_path / "short.yaml"
    save(mechanism, path)
    assert status_of(["check", str(path)]) == 4
    assert "NOT ASSEMBLED" in capsys.readouterr().out
    assert status_of(["check", str(path), "--json"]) == 4
    assert json.loads(capsys.readouterr().out)["assembled"] is False


def test_replaced_cosine_drivers_are_told() -> None:
    assert any("runs as an angle" in note for note in lw.load("kissel2021_slider_crank").check().notes)


def test_many_bodies_are_checked_in_seconds_and_the_estimate_is_told() -> None:
    mechanism = lw.Mechanism("chain")
    before = "ground"
    for k in range(400):
        mechanism.body(f"b{k}", position=[k + 0.5, 0, 0], **BAR)
        mechanism.joint(f"j{k}", "revolute", before, f"b{k}", point=[k, 0, 0], axis=[0, 1, 0])
        before = f"b{k}"
    began = time.perf_counter()
    report = mechanism.check()
    assert time.perf_counter() - began < 20.0
    assert report.freedom.velocities == 400
    assert report.freedom.estimated
    assert "estimated" in report.text()
    assert "and 776 more" in report.text()


def test_only_mechanisms_with_bodies_are_checked() -> None:
    with pytest.raises(lw.errors.UsageError, match="no bodies"):
        lw.Mechanism("empty").check()
    with pytest.raises(lw.errors.UsageError, match="Mechanism is wanted"):
        lw.check("planar_four_bar")


def test_a_formulation_that_would_refuse_is_not_listed_as_one_that_can_run() -> None:
    """A rod without inertia about its own axis, on a ball: some formulations divide by it."""
    mechanism = lw.Mechanism("rod")
    mechanism.body("rod", mass=1, inertia=[0.0, 0.1, 0.1], position=[1, 0, 0])
    mechanism.joint("pin", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    can = {one.analysis: one for one in lw.check(mechanism).can}["dynamics"]
    assert can.possible
    assert "range-space" in can.refused
    assert set(can.formulations).isdisjoint(can.refused)
    for name in can.refused:
        with pytest.raises(lw.errors.LinkworkError):
            lw.accelerations(mechanism, formulation=name)
    assert "not range-space" in lw.check(mechanism).text()


def test_what_no_formulation_takes_cannot_run() -> None:
    mechanism = lw.Mechanism("point")
    mechanism.body("point", mass=1, inertia=[0, 0, 0], position=[1, 0, 0])
    can = {one.analysis: one for one in lw.check(mechanism).can}["dynamics"]
    assert not can.possible
    assert "inertia" in can.obstacle


def test_a_check_computes_on_one_thread() -> None:
    """Small matrices on many threads took ten times the processor time; as many as before are there afterwards."""
    functions = next(iter(one_thread.loaded()), None)
    if functions is None:
        pytest.skip("NumPy is not linked with an OpenBLAS of its own")
    before, seen = functions[0](), []

    @one_thread.one_blas_thread()
    def look() -> None:
        seen.append(functions[0]())

    look()
    assert seen == [1]
    assert functions[0]() == before


@pytest.mark.parametrize(("off", "named"), [(1e-10, False), (5e-9, True)])
def test_rows_that_are_a_little_off_are_named(off: float, named: bool) -> None:
    """Too little for assembly to tell that something moved; more than rounding of a mechanism of 1 m."""
    m = lw.Mechanism("nearly")
    m.body("bar", mass=1.0, inertia=[0.1] * 3, position=(1, 0, 0), velocity=(off, 0, 1), angular_velocity=(0, -1, 0))
    for name, c in zip("xyz", np.eye(3).tolist(), strict=True):
        m.constraint(name, "CD", "bar", "ground", c=c, s_i=(-1, 0, 0))
    report = lw.check(m)
    assert report.velocity_violation == pytest.approx(off)
    assert report.moves == ()
    assert report.rows_off == (("x",) if named else ())
    assert ("most in 'x'; nothing has to move" in report.text()) is named
