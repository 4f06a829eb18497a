"""The benchmarks' bookkeeping: tables, references, translation; nothing here is timed."""

from __future__ import annotations

import importlib
import json
import sys
import types
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # `benchmarks` is run from the repository, not installed

kissel = importlib.import_module("benchmarks.kissel")
paper = importlib.import_module("benchmarks.paper")
references = importlib.import_module("benchmarks.references")
run = importlib.import_module("benchmarks.run")
steps = importlib.import_module("benchmarks.steps")
tables = importlib.import_module("benchmarks.tables")
timing = importlib.import_module("benchmarks.timing")
from_linkwork = importlib.import_module("benchmarks.translate")
our_runs = importlib.import_module("benchmarks.linkwork_runs")
lie_runs = importlib.import_module("benchmarks.lie_runs")

SLIDER, TOP = "kissel2021_slider_crank", "muller2013_heavy_top"

# Centres at t = 3 s, m: closed-form kinematics and a double pendulum in two angles integrated to 2e-11, made apart
# from this project (their data accompany the paper's published models).
AT_THREE_SECONDS = {
    "kissel2021_single_pendulum": [[0.0, 1.3692891882556, -1.4577541352801]],
    "kissel2021_double_pendulum": [
        [0.0, -1.24261153226857, -1.56713642669461],
        [0.0, -3.46767576955029, -2.94776097062471],
    ],
    "kissel2021_four_link": [
        [0.0, 0.0, 0.0],
        [-0.43744228108569, -4.25, 2.3538654378286],
        [-2.4374422810857, -8.5, 3.3538654378286],
    ],
    SLIDER: [[0.0, 0.1, 0.12], [0.1, 0.05, 0.1], [0.2, 0.0, 0.0]],
}


def spread(us):
    return timing.Spread(us, 0.9 * us, 5)


def our_run(formulation, us, kind="dynamics", **more):
    fields = {"compiled": spread(0.8 * us), "iterations": 2.0, "error": 1e-5} | more
    return our_runs.OurRun(kind, SLIDER, formulation, call=spread(us), **fields)


def test_chains_of_pins_are_the_same_in_all_programs():
    """Accelerations of linkwork's mechanism by the dense oracle, of the others by their own."""
    pytest.importorskip("pinocchio")
    pytest.importorskip("mujoco")
    from oracles import newton_euler_dense

    import linkwork as lw
    from linkwork.system import compile_mechanism

    pins, calls = (importlib.import_module(f"benchmarks.{name}") for name in ("pin_chains", "recursive_calls"))
    chain = pins.pin_chain(5)
    dense = newton_euler_dense.accelerations(compile_mechanism(pins.as_mechanism(lw, chain).lower()), 0.0)
    wanted = calls.joint_accelerations(chain, dense.udot.reshape(-1, 6)[:, 3:])
    for made in (calls.pinocchio_inside(chain), calls.mujoco_inside(chain)):
        made.work(1)
        np.testing.assert_allclose(made.result(), wanted, rtol=1e-10)


def test_casadis_chain_accelerates_and_moves_as_linkworks():
    pytest.importorskip("casadi")
    from oracles import newton_euler_dense

    import linkwork as lw
    from linkwork.system import compile_mechanism

    pins, peer, calls = (
        importlib.import_module(f"benchmarks.{name}") for name in ("pin_chains", "peers_casadi", "recursive_calls")
    )
    chain = pins.pin_chain(5)
    mech = pins.as_mechanism(lw, chain)
    dense = newton_euler_dense.accelerations(compile_mechanism(mech.lower()), 0.0)
    wanted = calls.joint_accelerations(chain, dense.udot.reshape(-1, 6)[:, 3:])
    found = np.array(peer.acceleration(chain)(chain.q, chain.v)).ravel()
    np.testing.assert_allclose(found, wanted, rtol=1e-10)
    carry, _ = peer.casadi_chain(chain)
    q, v = np.tile(chain.q, (2, 1)), np.tile(chain.v, (2, 1))
    carry(q, v, 100, 1e-3)
    run = lw.simulate(mech, 0.1, 1e-3, formulation="canonical", integrator="rk4")
    np.testing.assert_allclose(replace(chain, q=q[1], v=v[1]).placed()[0], run["position"][-1], atol=1e-12)


def test_peers_of_lanes_that_are_not_there_are_said_to_be_missing(monkeypatch):
    lanes, peer = (importlib.import_module(f"benchmarks.{name}") for name in ("lanes", "peers_casadi"))
    chain = importlib.import_module("benchmarks.pin_chains").pin_chain(2)
    monkeypatch.setitem(sys.modules, "casadi", types.ModuleType("casadi"))
    monkeypatch.setattr(peer.shutil, "which", lambda name: None)
    rows = lanes.casadi("double pendulum", chain, 64, lambda places: 0.0)
    assert "| 64 | not run: there is no gcc, which compiles what CasADi generates |  |  |" in lanes.table(rows)
    monkeypatch.setitem(sys.modules, "casadi", None)
    (row,) = lanes.casadi("double pendulum", chain, 64, lambda places: 0.0)
    assert row.why == "casadi is not installed: extra `bench`"


def test_the_growth_of_recursions_is_fitted_and_tables_show_ratios():
    recursive = importlib.import_module("benchmarks.recursive")
    pin, ours = "Pinocchio, aba in its loop", "linkwork, canonical"
    rows = [
        recursive.Row(n, [recursive.Figure(pin, 0.4 * n, 0.5 * n), recursive.Figure(ours, 0.1 * n, 0.1 * n, 1e-14)])
        for n in (2, 7, 30, 100)
    ]
    rows[0].figures.append(recursive.Figure("MuJoCo", failure="NoLuckError: none"))
    assert recursive.exponent(rows, ours) == pytest.approx(1.0)
    lines = {
        "articulated-body": {"operations": (433, -186), "instructions": (277, -129)},
        "canonical": {"operations": (341, -325), "instructions": (223, -212)},
    }
    text = "\n".join(
        recursive.tables(recursive.Recursive(rows, [recursive.Row(2, [recursive.Figure(ours, 1.0, 2.0)])], lines))
    )
    assert "| 7 | 2845 | 2062 | 1.38 | 1810 | 1349 | 1.34 | - | - | - | 0.519 |" in text
    assert "| 30 | linkwork, canonical | 3.00 | 3.00 | 0.100 | 1.0e-14 | 4.00 | - |" in text
    assert "- 2 pins, MuJoCo: NoLuckError: none" in text
    assert "| linkwork, canonical | 1.00 |" in text
    for row in rows:
        counts = recursive.counts_at(row.bodies, lines, "instructions")
        row.figures = [
            recursive.Figure(f"linkwork, {name}", 0.05 + 2e-4 * count)
            for name, count in zip(recursive.FORMULATIONS, counts, strict=True)
        ]
    assert recursive.pace(rows, lines) == pytest.approx((0.05, 2e-4, 0.0), abs=1e-12)
    table = recursive.operations_table(rows, lines)
    assert "| 7 | 2845 | 2062 | 1.38 | 1810 | 1349 | 1.34 | 1.29 | 1.29 |" in table
    assert "takes 50 ns and 0.2 ns per instruction, to " in table


@pytest.mark.parametrize("name", sorted(AT_THREE_SECONDS))
def test_references_agree_with_figures_made_elsewhere(name):
    np.testing.assert_allclose(references.REFERENCES[name](np.array([1.0, 3.0]))[-1], AT_THREE_SECONDS[name], atol=2e-9)


@pytest.mark.parametrize("name", steps.MECHANISMS)
def test_references_and_peer_models_start_where_the_shipped_mechanism_does(name):
    import linkwork as lw

    lowered = lw.load(name).lower()
    model = steps.peer_model(name)
    start = references.REFERENCES[name](np.array([0.0, 0.1]))[0]
    assert len(model.bodies) == len(lowered.bodies)
    for k, (theirs, ours) in enumerate(zip(model.bodies, lowered.bodies, strict=True)):
        np.testing.assert_allclose(start[k], ours.position, atol=1e-9)
        np.testing.assert_allclose(theirs.position, ours.position, atol=1e-12)
        np.testing.assert_allclose(theirs.velocity, ours.velocity, atol=1e-12)
        omega = theirs.rotation @ theirs.angular_velocity
        np.testing.assert_allclose(omega, ours.rotation @ ours.angular_velocity, atol=1e-12)
        inertia = theirs.rotation @ theirs.inertia @ theirs.rotation.T
        np.testing.assert_allclose(inertia, ours.rotation @ ours.inertia @ ours.rotation.T, atol=1e-12)
        assert theirs.mass == pytest.approx(ours.mass, rel=1e-12)


def test_a_run_that_is_wrong_stops_early_or_blows_up_does_not_count():
    time = np.arange(3001) * 1e-3
    right = references.slider_crank(time)
    wrong = right + np.array([0.0, 0.0, 0.02])
    assert references.position_error(SLIDER, time, right) < 1e-12
    assert references.position_error(SLIDER, time, wrong) == pytest.approx(0.02)
    assert references.position_error(SLIDER, time[:2900], right[:2900]) == np.inf
    assert references.position_error(SLIDER, time, np.full_like(right, np.nan)) == np.inf


def test_a_peer_may_be_as_far_off_as_we_are_but_not_lost():
    assert steps.allowance([]) == steps.allowance([1e-9]) == steps.ENOUGH
    assert steps.allowance([0.01, 0.02]) == 0.02
    assert steps.allowance([np.inf]) == steps.AT_MOST


def test_targets_are_a_700th_of_the_published_code():
    assert paper.target_us("dynamics", SLIDER, "rA") == pytest.approx(2500.0 / 700.0)
    assert paper.target_us("kinematics", "kissel2021_double_pendulum", "rA") is None


def test_tables_show_ratios_and_what_failed():
    ours = [our_run("rA", 4.0), our_run("rp", 10.0), our_run("re", 8.0), our_run("rA", 3.0, "kinematics")]
    ours.append(our_runs.OurRun("dynamics", "gyroscope", "rA", failure="NoLuckError: none"))
    peer = steps.PeerFigures(SLIDER, 1e-4, fastest=spread(20.0), fastest_settings="quick ones", fastest_error=1e-6)
    made = {"steps": steps.Steps(ours, [peer, steps.PeerFigures("gyroscope", 1e-4, failure="no peer model: x")])}
    text = run.report({"cores": "1"}, made)
    row = next(line for line in text.splitlines() if line.startswith(f"| {SLIDER} | rA | 4.00"))
    assert row.endswith("| 3.57 | 1.12 | 625 |")
    assert "- gyroscope, rA: NoLuckError: none" in text
    assert "- gyroscope: no peer model: x" in text
    assert f"| {SLIDER} | 4.00 | 20.0 | 5.00 |" in text
    assert f"| {SLIDER} | dynamics | 2.50 | 2.93 | 2.29 | 1.25 | 1.31 | 1.30 |" in text
    assert f"| {SLIDER} | 2.00 | 4.70 | - | 4.83 | - | 4.79 |" in text
    assert "not slower" not in text
    peer.fastest = spread(3.0)
    assert f"not slower than rA on: {SLIDER}" in run.report({}, made)


def test_every_row_of_a_table_has_as_many_cells_as_its_head():
    ours = [our_run("rA", 4.0), our_run("rp", 9.0), our_run("rA", 3.0, "kinematics")]
    made = {"steps": steps.Steps(ours, [steps.PeerFigures(SLIDER, 1e-4)])}
    blocks = [block.splitlines() for block in run.report({"cores": "1"}, made).split("\n\n")]
    found = [{line.count("|") for line in block} for block in blocks if block[0].startswith("|")]
    assert len(found) == 6
    assert all(len(widths) == 1 for widths in found)


def test_numbers_keep_the_digits_that_count():
    shown = [tables.number(x) for x in (None, 3.4567, 34.567, 345.67, 0.0, 2.5e-9)]
    assert shown == ["-", "3.46", "34.6", "346", "0.00", "2.5e-09"]


def test_a_failing_run_is_reported_with_its_reason():
    class Front:
        @staticmethod
        def load(name):
            return name

        @staticmethod
        def simulate(*_, **__):
            raise RuntimeError("does not converge\nsecond line")

    made = our_runs.measure(Front, SLIDER, "dynamics", "rA", 2)
    assert made.failure == "RuntimeError: does not converge"
    assert made.call is None


def test_json_holds_no_infinite_numbers():
    made = steps.Steps([our_run("rA", 4.0, error=np.inf)], [])
    assert json.loads(json.dumps(run.plain({"steps": made}), allow_nan=False))["steps"]["ours"][0]["error"] is None


def test_what_a_peer_cannot_be_given_is_refused_by_name():
    import linkwork as lw

    with pytest.raises(from_linkwork.Untranslatable, match="rod twist"):
        from_linkwork.translate(lw.load(SLIDER))
    mechanism = lw.load("planar_four_bar")
    mechanism.change("motor", f="sin(t)")
    with pytest.raises(from_linkwork.Untranslatable, match="motor"):
        from_linkwork.translate(mechanism)


def test_a_planar_loop_loses_its_repeated_rows_and_a_chain_does_not():
    sizes = importlib.import_module("benchmarks.sizes")
    import linkwork as lw

    assert steps.peer_model("planar_four_bar").planar == {"rocker pin"}
    chain = sizes.chain(4)
    again = from_linkwork.translate(sizes.as_mechanism(lw, chain))
    assert again.planar == frozenset()
    for theirs, ours in zip(again.joints, chain.joints, strict=True):
        np.testing.assert_allclose(theirs.point, ours.point, atol=1e-12)


def test_exudyn_runs_a_mechanism_to_the_right_place():
    pytest.importorskip("exudyn")
    exudyn = importlib.import_module("benchmarks.peers_exudyn")
    found = exudyn.ExudynModel(kissel.single_pendulum(), exudyn.Settings()).run(3.0, 1e-2)
    assert found.kept["rotation"].shape == (301, 1, 9)
    assert references.position_error("kissel2021_single_pendulum", found.time, found.kept["position"]) < 1e-9


def lie_figures(program, method, us, **more):
    fields = {"call": spread(us), "error": 1e-6, "gap": 1e-9} | more
    return lie_runs.Figures(TOP, program, method, 5000, **fields)


def test_lie_tables_set_each_run_beside_the_quickest_of_the_peer():
    lie = importlib.import_module("benchmarks.lie")
    runs = [lie_figures("linkwork", f"{group}, rk4", 2.0, loop=spread(1.0)) for group in lie.GROUPS]
    runs += [lie_figures("Exudyn", "one way", 20.0), lie_figures("Exudyn", "another", 10.0)]
    runs.append(lie_figures("Exudyn", "no way", 1.0, call=None, failure="SolverError: no"))
    made = lie.Lie(joints=runs, stabilised=[lie_figures("linkwork", "none", 2.0, loop=spread(1.0))])
    text = run.report({}, {"lie": made})
    assert "| heavy top | linkwork: lie-se3, rk4 | 1.80 | 0.900 | 3.00 | 5.00 | 10.0 | 1.0e-06 | 1.0e-09 |" in text
    assert "| heavy top | 0.900 | 0.900 | 0.900 | 1.00 |" in text
    assert "- muller2013_heavy_top, Exudyn no way: SolverError: no" in text


def test_explicit_methods_are_set_beside_their_twins():
    lie_tables = importlib.import_module("benchmarks.lie_tables")
    some = [
        lie_figures("linkwork", "lie-mixed, rk4", 2.0, loop=spread(1.0)),
        lie_figures("Exudyn", "RK44, RotationVector", 4.0),
        lie_figures("linkwork", "lie-mixed, rk4", 1.0, loop=spread(0.5), every=5000),
        lie_figures("Exudyn", "RK44, RotationVector", 3.0, every=5000),
    ]
    text = lie_tables.jointless_table(some)
    assert f"| {TOP} | rk4 | RK44 | 1.80 | 0.900 | 3.60 | 2.00 | 4.00 | 6.00 | 1.0e-06 | 1.0e-06 |" in text


def test_time_to_an_error_is_read_between_points_by_logarithms():
    precision = importlib.import_module("benchmarks.lie_precision")
    points = [precision.Point(TOP, "rk4", False, 0.1, t, 0, error) for t, error in ((1.0, 1e-2), (4.0, 1e-6))]
    assert precision.seconds_for(points, 1e-4) == pytest.approx(2.0)
    assert precision.seconds_for(points, 1e-7) is None


def test_a_way_that_takes_too_long_says_what_it_did_not_reach():
    cases = importlib.import_module("benchmarks.precision_cases")
    made = [cases.Point("chain", "slow", h, error, t) for h, error, t in ((1e-2, 3e-3, 31.0), (1e-3, 4e-5, 40.0))]
    unasked = cases.Point("chain", "slow", 1e-4, 1e-7, 50.0)
    *found, last = cases.ladder(iter([*made, unasked]))
    assert found == made
    assert last.failure == "did not reach 1e-06 within 71 s"
    assert not np.isfinite(last.error)
    assert list(cases.ladder(iter(made[:1]))) == made[:1]
    run = importlib.import_module("benchmarks.run")
    assert run.precision_image(["chain of 100"]) == "work_precision_chain_of_100.png"
    assert run.precision_image(None) == "work_precision.png"


def test_rounds_alternate_and_keep_the_last():
    order = []

    def call(name):
        def once():
            order.append(name)
            return timing.Timed(1.0, 0.5, len(order))

        return once

    found = timing.alternate([call("ours"), call("theirs")], 2)
    assert order == ["ours", "theirs"] * 2
    assert [[one.kept for one in timed] for timed in found] == [[None, 3], [None, 4]]


def test_the_reference_follows_closed_forms_and_conservation():
    from scipy.spatial.transform import Rotation

    lie_models, lie_truth = (importlib.import_module(f"benchmarks.{name}") for name in ("lie_models", "lie_truth"))
    models = importlib.import_module("benchmarks.models")
    import linkwork as lw

    # A symmetric top on a pivot on its axis, without weight: a turn about its momentum after one about its axis.
    spin, arm, across, along = np.array([3.0, -2.0, 9.0]), np.array([0.0, 0.0, 0.4]), 0.2, 0.05
    inertia = np.diag([across, across, along])
    top = models.BodyData("top", 2.0, inertia, arm, np.eye(3), np.cross(spin, arm), spin)
    joint = models.JointData("pivot", "spherical", "ground", "top", (0.0, 0.0, 0.0))
    model = models.ModelData("symmetric top", (top,), (joint,), gravity=(0.0, 0.0, 0.0))
    about = across + 2.0 * 0.4**2
    momentum = np.array([about, about, along]) * spin
    times = np.array([0.2, 0.5])
    position, rotation = lie_truth.motion(model, times)
    for k, t in enumerate(times):
        turn = Rotation.from_rotvec(t * momentum / about)
        own = Rotation.from_rotvec(t * (1.0 - along / about) * spin * [0.0, 0.0, 1.0])
        np.testing.assert_allclose(rotation[k, 0], (turn * own).as_matrix(), atol=1e-11)
        np.testing.assert_allclose(position[k, 0], rotation[k, 0] @ arm, atol=1e-11)
    assert lie_truth.gap(model, position, rotation) < 1e-11

    # What floats keeps its momentum: the centre of mass of the pair on its spring goes straight on.
    pair = lie_models.pair_on_spring()
    position, _ = lie_truth.motion(pair, times)
    drift = 0.5 * sum(body.velocity for body in pair.bodies)
    np.testing.assert_allclose(position.mean(axis=1), [0.2, 0.0, 0.0] + times[:, None] * drift, atol=1e-11)

    # What is shipped is what is built; a chain of balls assembles without moving.
    mechanism = importlib.import_module("benchmarks.build").as_mechanism(lw, lie_models.ball_chain(3))
    again = from_linkwork.translate(mechanism)
    for theirs, ours in zip(again.bodies, lie_models.ball_chain(3).bodies, strict=True):
        np.testing.assert_allclose(theirs.position, ours.position, atol=1e-12)
        np.testing.assert_allclose(theirs.rotation, ours.rotation, atol=1e-12)


def test_exudyn_refuses_joints_in_explicit_runs_and_turns_a_free_body():
    pytest.importorskip("exudyn")
    exudyn, lie_models, lie_truth = (
        importlib.import_module(f"benchmarks.{name}") for name in ("peers_exudyn", "lie_models", "lie_truth")
    )
    settings = exudyn.Settings("RotationRotationVector", "RK44")
    model = lie_models.free_top()
    found = exudyn.ExudynModel(model, settings).run(0.1, 1e-3)
    assert lie_truth.Truth(model, 0.1).error(found.time, found.kept["position"], found.kept["rotation"]) < 1e-6
    with pytest.raises(Exception, match="constraints"):
        exudyn.ExudynModel(lie_models.ball_chain(1), settings).run(0.1, 1e-3)


@pytest.mark.parametrize("name", sorted(one.stem for one in (ROOT / "benchmarks").glob("[a-z]*.py")))
def test_every_benchmark_finds_what_it_imports(name: str) -> None:
    """They are run by hand: that all of them can still be read is found out here."""
    importlib.import_module(f"benchmarks.{name}")


FAKE = """
from time import process_time

class Mechanism:
    from_dict = staticmethod(dict)

def simulate(mech, seconds):
    began = process_time()
    assert not mech, "every call has a copy of its own"
    mech["has run"] = True
    while process_time() < began + seconds:
        pass
"""


def test_first_calls_of_two_sources_are_timed_in_turn_on_copies(tmp_path: Path) -> None:
    first = importlib.import_module("benchmarks.first_planned")
    (tmp_path / "linkwork.py").write_text(FAKE)
    model = tmp_path / "one.json"
    model.write_text("{}")
    with (
        first.Side(tmp_path, "lw.simulate(mech, 0.01)") as then,
        first.Side(tmp_path, "lw.simulate(mech, 0.03)") as now,
    ):
        (found,) = first.measured(then, now, {"one": (model, model)}, 5)
        with pytest.raises(RuntimeError, match=r"gone\.json has ended"):
            then.seconds(tmp_path / "gone.json")
    assert len(found.then) == len(found.now) == 5
    assert min(found.then) >= 0.01
    assert 2.0 < min(found.now) / min(found.then) < 3.5
    row = first.Times("one", [0.02, 0.01, 0.01, 0.01, 0.01, 0.03], [0.04, 0.02, 0.03, 0.02, 0.02, 0.02]).row()
    assert row == "| one | 10.0 | 20.0 | 2.00 | 2.00 |"
    assert (
        first.Times("one", [0.01, 0.02, 0.02, 0.02, 0.02, 0.02], [0.03] * 6).row()
        == "| one | 20.0 | 30.0 | 1.50 | 3.00 |"
    )


def test_calls_again_are_on_a_mechanism_that_has_run(tmp_path: Path) -> None:
    first = importlib.import_module("benchmarks.first_planned")
    (tmp_path / "linkwork.py").write_text(FAKE.replace("    assert", "    # assert"))
    model = tmp_path / "one.json"
    model.write_text("{}")
    with first.Side(tmp_path, "lw.simulate(mech, 0.02 * len(mech))", "again") as side:
        assert min(side.seconds(model) for _ in range(2)) >= 0.02  # a copy of what never ran takes no time


def test_sources_and_models_of_a_commit_are_found(tmp_path: Path) -> None:
    first = importlib.import_module("benchmarks.first_planned")
    with pytest.raises(SystemExit, match="no sources of no-such-commit"):
        first.sources_of("no-such-commit", tmp_path)
    place = tmp_path / "linkwork" / "mechanisms"
    place.mkdir(parents=True)
    (place / "planar_four_bar.yaml").write_text("linkwork: 1\nname: older\n")
    (place / "no_longer_shipped.yaml").write_text("linkwork: 1\n")
    found = first.models_of(tmp_path, tmp_path)
    assert list(found) == ["planar_four_bar"]
    then, now = (json.loads(file.read_text()) for file in found["planar_four_bar"])
    assert then == {"linkwork": 1, "name": "older"}
    assert now["bodies"]
