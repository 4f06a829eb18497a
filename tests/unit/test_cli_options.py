"""Every option of the command line arrives where it belongs, with the value that was given; nothing is computed."""

from __future__ import annotations

import inspect
import json
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import linkwork
from linkwork.cli import compare as compare_module
from linkwork.cli import run as run_module
from linkwork.cli.main import status_of
from linkwork.cli.output import plain
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.judgement.limits import Limits

MODEL = "planar_four_bar"
GIVEN = {  # words -> keyword and value
    "--integrator ts54": ("integrator", "ts54"),
    "--newton full": ("newton", "full"),
    "--tolerance 1e-7": ("tolerance", 1e-7),
    "--rho-infinity 0.6": ("rho_infinity", 0.6),
    "--rtol 1e-5": ("rtol", 1e-5),
    "--atol 1e-8": ("atol", 1e-8),
    "--max-step 0.02": ("max_step", 0.02),
    "--stabilisation projection": ("stabilisation", "projection"),
    "--baumgarte 3 4": ("baumgarte", [3.0, 4.0]),
    "--project-every 7": ("project_every", 7),
    "--group a=b=se3": ("groups", {"a=b": "se3"}),
    "--elimination one-shot": ("elimination", "one-shot"),
    "--multipliers step": ("multipliers", "step"),
    "--matrix dense": ("matrix", "dense"),
    "--orthonormalise-every 3": ("orthonormalise_every", 3),
    "--reference fixed": ("reference", "fixed"),
    "--root crank": ("root", "crank"),
    "--rebuild": ("rebuild", True),
    "--form reduced": ("form", "reduced"),
    "--basis graph": ("basis", "graph"),
    "--penalty-factor 2e5": ("penalty_factor", 2e5),
    "--penalty-passes 7": ("penalty_passes", 7),
    "--frames joints": ("frames", "joints"),
    "--sigma grow": ("sigma", "grow"),
    "--position-tolerance 1e-9": ("position_tolerance", 1e-9),
    "--max-iterations 9": ("max_iterations", 9),
    "--start consistent": ("start", "consistent"),
    "--t-eval 0.5 --t-eval 0.75": ("t_eval", [0.5, 0.75]),
    "--option penalty-factor=2e5": ("options", {"penalty_factor": 2e5}),
    "--option some-word=graph-like": ("options", {"some_word": "graph-like"}),
    "--option on=true": ("options", {"on": True}),
    "--limit violation=0.5": ("limits", {"violation": 0.5}),
    "--every 9": ("every", 9),
    "--accept-drivers": ("accept_drivers", True),
    "--accept-changes": ("accept_changes", True),
    "--equations stabilised-index-2": ("equations", "stabilised-index-2"),
}


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The keywords of the last simulation that was asked for, those that have no name of their own included."""
    kept: dict[str, Any] = {}

    def compute(mechanism: Any, *args: Any, **keywords: Any) -> Any:
        names = [*inspect.signature(simulate).parameters][1 : 1 + len(args)]
        kept.clear()
        kept.update(dict(zip(names, args, strict=True)) | keywords)
        return SimpleNamespace(summary=lambda: "done", to_dict=dict, status=0, info={})

    from linkwork.run.simulate import simulate

    monkeypatch.setitem(vars(linkwork), "simulate", compute)
    monkeypatch.setitem(vars(linkwork), "kinematics", compute)
    return kept


@pytest.mark.parametrize("words", GIVEN)
def test_an_option_of_run_arrives(words: str, seen: dict[str, Any]) -> None:
    name, value = GIVEN[words]
    assert status_of(["run", MODEL, "--t-end", "1", "--step", "0.1"]) == 0
    usual = dict(seen)
    assert status_of(["run", MODEL, "--t-end", "1", "--step", "0.1", *words.split()]) == 0
    assert (list(seen[name]) if isinstance(value, list) else seen[name]) == value
    others = {key: given for key, given in seen.items() if key not in (name, "progress")}
    assert others == {key: usual[key] for key in others}
    assert usual.get(name) != value


def test_leave_to_replace_a_file_arrives(seen: dict[str, Any], tmp_path: Path) -> None:
    words = ["run", MODEL, "--t-end", "1", "--step", "0.1", "--out", str(tmp_path / "a.nc")]
    assert status_of(words) == 0
    assert not seen["force"]
    assert status_of([*words, "--force"]) == 0
    assert seen["force"] is True


def test_the_help_names_every_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["run", "--help"]) == 0
    said = " ".join(capsys.readouterr().out.replace("│", " ").split())
    listed = said.partition("doubted, called wrong or ended: ")[2].partition(";")[0]
    assert listed.split(", ") == [field.name for field in fields(Limits)]


def test_every_option_of_run_is_looked_at() -> None:
    """Those of the verb itself, and every one that a formulation or an integrator declares."""
    elsewhere = {"model", "formulation", "t_end", "step", "out", "plot", "json", "side", "verify", "digits", "quiet"}
    elsewhere |= {"state", "rate", "after"}  # test_start_state
    elsewhere |= {"accuracy", "time_limit", "effort"}  # test_planner
    elsewhere |= {"robot"}  # test_robot_dynamics
    elsewhere |= {"plan"}  # test_plan_files
    elsewhere |= {"force"}  # below
    words = {name.replace("options", "option").replace("limits", "limit") for name, _ in GIVEN.values()}
    declared = {name for r in (FORMULATIONS, INTEGRATORS) for owner in r for name in r.load(owner).options}
    missing = {*inspect.signature(run_module.run).parameters, *declared} - elsewhere - words
    assert missing <= {"resume", "owned", "set_", "view", "live"}, missing


def test_options_of_kinematics_arrive(seen: dict[str, Any], tmp_path: Path) -> None:
    words = f"--t-end 2 --step 0.5 --formulation re --tolerance 1e-6 --accept-drivers --out {tmp_path / 'a.nc'} --force"
    assert status_of(["kinematics", MODEL, *words.split()]) == 0
    wanted = {"t_end": 2.0, "step": 0.5, "formulation": "re", "tolerance": 1e-6, "accept_drivers": True, "force": True}
    assert {name: seen[name] for name in wanted} == wanted
    assert seen["out"] == tmp_path / "a.nc"


def test_options_of_compare_make_the_study(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept: dict[str, Any] = {}
    monkeypatch.setattr(compare_module, "carry_out", lambda study, mechanism, **how: kept.update(how, study=study) or 0)
    words = (
        "--formulation rA --formulation rp --integrator rk4 --step 0.02 --step 0.01 --t-end 2 --samples 50 --repeats 1"
    )
    assert status_of(["compare", MODEL, *words.split(), "--workers", "3", "--no-reference"]) == 0
    said = kept["study"].to_dict()
    wanted = {
        "formulations": ["rA", "rp"], "integrators": ["rk4"], "steps": [0.02, 0.01], "t_end": 2.0, "samples": 50,
        "repeats": 1, "reference": "none",
    }  # fmt: skip
    assert {name: said[name] for name in wanted} == wanted
    assert kept["workers"] == 3
    assert "rtol" not in said
    assert status_of(["compare", MODEL, "--rtol", "1e-5", "--rtol", "1e-7", "--t-end", "1"]) == 0
    said = kept["study"].to_dict()
    assert said["rtol"] == [1e-5, 1e-7]
    assert "steps" not in said
    assert status_of(["compare", MODEL, "--accuracy", "1e-3", "--accuracy", "1e-5", "--t-end", "1"]) == 0
    said = kept["study"].to_dict()
    assert said["accuracy"] == [1e-3, 1e-5]
    assert said["formulations"] == "all"


def test_check_says_in_its_status_what_it_found(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from linkwork.io.formats import save

    mechanism = linkwork.load(MODEL)
    assert status_of(["check", MODEL]) == 0
    name = mechanism.drivers[0].name if mechanism.drivers else ""
    mechanism.driver("another", mechanism.drivers[0].joint, "1 + 7*t") if name else None
    path = tmp_path / "twice.yaml"
    save(mechanism, path)
    assert status_of(["check", str(path)]) in (3, 4)
    assert status_of(["check", str(path), "--json"]) == mechanism.check().exit_status != 0
    capsys.readouterr()


@pytest.mark.parametrize("search", ["breadth", "depth"])
def test_the_graph_grows_as_asked(search: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["check", "stewart_platform", "--graph", "--json", "--search", search]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == plain(linkwork.topology(linkwork.load("stewart_platform"), search=search).to_dict())
    other = "depth" if search == "breadth" else "breadth"
    assert said != plain(linkwork.topology(linkwork.load("stewart_platform"), search=other).to_dict())


def test_numbers_that_are_not_finite_are_null() -> None:
    found = plain({"a": [1.0, float("nan"), float("inf"), float("-inf")]})
    assert found == {"a": [1.0, None, None, None]}
