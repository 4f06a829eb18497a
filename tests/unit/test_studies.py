"""Studies: items by name, files whole or not at all, failures that stop nothing else, verdicts from the numbers."""

from __future__ import annotations

import csv
import json
import math
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from linkwork.cli.main import status_of
from linkwork.errors import (
    ConvergenceError,
    OutputExistsError,
    ResultFileError,
    RunInterruptedError,
    UnsupportedElementError,
    UsageError,
)
from linkwork.header import Header
from linkwork.io.formats import load
from linkwork.judgement.limits import UNENDED
from linkwork.kernels.rows.table import evaluate_rows
from linkwork.mechanism import Mechanism
from linkwork.mechanism.rotation import turn
from linkwork.plots.panels import figure
from linkwork.result import Result
from linkwork.studies import runs as runs_module
from linkwork.studies.convergence import ladder, measure
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.folder import Folder, write_csv
from linkwork.studies.paper import Item, Paper
from linkwork.studies.papers import PAPERS
from linkwork.studies.papers.muller2013 import energies, groups, top_energy, violations
from linkwork.studies.papers.muller2013.examples import PRODUCT, SE3
from linkwork.studies.reproduction import reproduce
from linkwork.studies.runs import Runs
from linkwork.studies.violations import joint_violations, slip_work
from linkwork.studies.words import entry_text, table_lines

x = np.linspace(0.0, 1.0, 11)
PANEL = Panel("p", "time [s]", "y [m]", (Curve("a", x, x**2), Curve("b", x, 2 * x)))


def finding(**parts: Any) -> Finding:
    given: dict[str, Any] = {
        "claim": "it grows",
        "measured": "it grows by 2",
        "verdict": Verdict.AGREES,
        "panels": (PANEL,),
    }
    return Finding(**{**given, "table": {"name": ["a", "b"], "value [m]": [1.0, math.nan]}, **parts})


def fails(_: Runs) -> Finding:
    raise ConvergenceError("no")


def stops(_: Runs) -> Finding:
    raise RunInterruptedError("stopped")


PAPER = Paper(
    "fake",
    "Fake 2000",
    "On nothing",
    (
        Item("figure 2", "Growth", lambda _: finding(numbers={"growth": 2.0})),
        Item("table 10", "Failure", fails),
        Item("figure 12", "More growth", lambda _: finding(verdict=Verdict.DIFFERS, why="because")),
    ),
)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("fake_paper")
    module.PAPER = PAPER  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(PAPERS._entries, "fake", "fake_paper:PAPER")


@pytest.mark.parametrize("name", ["figure 2", "Figure 2", "fig. 2", "fig 2", "figure-2", "Fig.2", " figure 2 "])
def test_an_item_has_many_spellings(name: str) -> None:
    assert [item.name for item in PAPER.chosen([name])] == ["figure 2"]


def test_items_come_in_the_papers_order_and_once() -> None:
    assert [item.name for item in PAPER.chosen(["figure 12", "tab 10", "Figure 12"])] == ["table 10", "figure 12"]
    assert PAPER.chosen() == PAPER.chosen([]) == PAPER.items


def test_an_unknown_item_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean 'figure 2'"):
        PAPER.chosen(["figure 22"])
    with pytest.raises(UsageError, match="Known: figure 2, table 10, figure 12"):
        PAPER.chosen(["q"])


@pytest.mark.parametrize("name", PAPERS)
def test_registered_papers_have_items_with_files_of_their_own(name: str) -> None:
    paper = PAPERS.load(name)
    assert paper.key == name
    assert len({item.slug for item in paper.items}) == len(paper.items) > 0
    for item in paper.items:
        assert paper.chosen([item.name]) == (item,)


def test_every_item_has_three_files(fake: None, tmp_path: Path) -> None:
    report = reproduce("fake", ["figure 2"], tmp_path / "new" / "folder", pictures="svg")
    (entry,) = report.entries
    assert {path.name for path in (tmp_path / "new" / "folder").iterdir()} == {
        "figure-2.svg",
        "figure-2.csv",
        "figure-2.json",
        "report.html",
    }
    assert entry.files["picture"].read_text().lstrip().startswith("<?xml")
    with entry.files["data"].open(newline="") as file:
        assert list(csv.reader(file)) == [["name", "value [m]"], ["a", "1.0"], ["b", "nan"]]
    said = json.loads(entry.files["verdict"].read_text())
    assert said["item"] == "figure 2"
    assert said["verdict"] == "agrees"
    assert said["numbers"] == {"growth": 2.0}
    assert said["table"]["value [m]"] == [1.0, None]


def test_a_page_gathers_all_items_also_those_of_earlier_runs(fake: None, tmp_path: Path) -> None:
    """Those of this run with their curves, earlier ones with their picture files; failures by their reason."""
    reproduce("fake", ["figure 2"], tmp_path)
    report = reproduce("fake", ["table 10", "figure 12"], tmp_path, pictures="svg")
    assert report.page == tmp_path / "report.html"
    text = report.page.read_text(encoding="utf-8")
    assert [
        text.count(f'id="{name}"') for name in ("figure-2-growth", "table-10-failure", "figure-12-more-growth")
    ] == [1] * 3
    assert "data:image/png;base64," not in text  # pictures of this run are SVG: the earlier one's ending is another
    reproduce("fake", ["figure 12"], tmp_path, force=True)
    text = report.page.read_text(encoding="utf-8")
    assert text.count("data:image/png;base64,") == 1
    assert text.count("<svg") == 1
    assert "1 of 2 items of the paper agree. Different: figure 12." in text
    assert "because" in text
    assert not re.search(r"https?://", text)
    assert len(text) < 3e6


def test_a_page_that_is_not_ours_is_not_replaced(fake: None, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text("mine")
    with pytest.raises(OutputExistsError):
        reproduce("fake", ["figure 2"], tmp_path)
    assert not (tmp_path / "figure-2.csv").exists()
    reproduce("fake", ["figure 2"], tmp_path, force=True)
    assert "<svg" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_several_papers_have_folders_and_an_index(
    fake: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("other_paper")
    module.PAPER = Paper("other", "Other 2001", "On less", PAPER.items[:1])  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(PAPERS, "_entries", {"fake": "fake_paper:PAPER", "other": "other_paper:PAPER"})
    assert status_of(["reproduce", "--all", "--out", str(tmp_path), "--json"]) == 6
    document = json.loads(capsys.readouterr().out)
    assert [paper["paper"] for paper in document["papers"]] == ["fake", "other"]
    assert document["papers"][1]["items"][0]["seconds"] >= 0.0
    for name in ("fake/report.html", "other/report.html", "other/figure-2.csv", "index.html"):
        assert (tmp_path / name).exists()
    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'href="other/report.html"' in text
    assert status_of(["reproduce", "other", "--all"]) == 2
    assert status_of(["reproduce", "other", "fake", "--item", "figure 2"]) == 2
    assert status_of(["reproduce", "other", "--out", str(tmp_path / "one")]) == 0
    assert (tmp_path / "one" / "report.html").exists()


def test_an_item_that_fails_stops_no_other(fake: None, tmp_path: Path) -> None:
    begun, told = [], []
    report = reproduce("fake", out=tmp_path, begin=begun.append, tell=told.append)
    assert [item.name for item in begun] == ["figure 2", "table 10", "figure 12"]
    assert told == list(report.entries)
    assert report.exit_status == 6
    assert [entry.error is None for entry in report.entries] == [True, False, True]
    assert not list(tmp_path.glob("table-10*"))
    document = report.to_dict()
    assert document["items"][1]["error"]["code"] == "LW-CONVERGENCE"
    assert document["items"][2]["verdict"] == "differs"
    assert document["items"][0]["files"]["data"] == str(tmp_path / "figure-2.csv")
    assert reproduce("fake", ["figure 2", "figure 12"]).exit_status == 0  # a verdict that differs is no failure


def test_files_are_not_replaced_unasked_and_this_is_seen_before_anything_runs(fake: None, tmp_path: Path) -> None:
    (tmp_path / "figure-12.csv").write_text("mine")
    begun: list[Item] = []
    with pytest.raises(OutputExistsError):
        reproduce("fake", out=tmp_path, begin=begun.append)
    assert begun == []
    assert (tmp_path / "figure-12.csv").read_text() == "mine"
    reproduce("fake", ["figure 2"], tmp_path)  # not its files
    reproduce("fake", ["figure 12"], tmp_path, force=True)
    assert (tmp_path / "figure-12.csv").read_text() != "mine"


def test_folders_and_pictures_that_cannot_be_are_refused(fake: None, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ResultFileError):
        reproduce("fake", out=tmp_path / "file")
    with pytest.raises(UsageError, match=r"\.gif"):
        Folder(tmp_path, PAPER.items, pictures="gif")


def test_an_interrupt_keeps_what_was_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    paper = Paper("p", "", "", (PAPER.items[0], Item("figure 3", "", stops), PAPER.items[2]))
    monkeypatch.setattr(type(PAPERS), "load", lambda self, name: paper)
    with pytest.raises(RunInterruptedError):
        reproduce("p", out=tmp_path)
    assert "figure-2-growth" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert (tmp_path / "figure-2.csv").exists()
    assert not (tmp_path / "figure-12.csv").exists()


def test_what_the_paper_says_is_the_papers_even_if_the_answer_is_ours() -> None:
    assert finding().whose == "paper"
    assert finding(verdict=Verdict.OWN).whose == "asked"
    assert finding(verdict=Verdict.OWN, source="Section 5").whose == "paper"


def test_words_hold_claim_verdict_reason_table_and_files(fake: None, tmp_path: Path) -> None:
    good, bad, other = (entry_text(entry) for entry in reproduce("fake", out=tmp_path).entries)
    assert good.startswith("figure 2: Growth\n  paper:    it grows\n")
    assert "verdict:  agrees" in good
    assert "a     1" in good
    assert "figure-2.png" in good
    assert "failed:" in bad
    assert "why:      because" in other


def test_a_table_is_aligned() -> None:
    assert table_lines(columns(("a", "long"), [("x", 1.0), ("yyyy", 123456.0)])) == [
        "a     long",
        "x     1",
        "yyyy  1.235e+05",
    ]
    assert table_lines({"a": [math.nan]})[1] == "-"
    assert table_lines({}) == []


def test_columns_must_be_equally_long(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="zip"):
        write_csv({"a": [1, 2], "b": [1]}, tmp_path / "t.csv")
    assert list(tmp_path.iterdir()) == []


# the command ------------------------------------------------------------------------------------------------


def test_list_names_every_paper_and_item(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["reproduce", "--list"]) == 0
    text = capsys.readouterr().out
    assert "muller2013" in text
    assert "figure 15" in text
    assert status_of(["reproduce", "muller2013", "--list", "--json"]) == 0
    (paper,) = json.loads(capsys.readouterr().out)
    assert paper["name"] == "muller2013"
    assert {"item": "figure 2", "title": "Heavy top: violation of the pivot"} in paper["items"]


def test_the_command_reports_in_words_or_as_one_document(
    fake: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status_of(["reproduce", "fake"]) == 6
    captured = capsys.readouterr()
    assert "verdict:  differs" in captured.out
    assert "error: table 10" in captured.err
    assert (tmp_path / "fake" / "figure-2.png").exists()
    assert status_of(["reproduce", "fake", "--item", "fig 2", "--item", "figure 12", "--out", "o", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [item["item"] for item in document["items"]] == ["figure 2", "figure 12"]
    assert status_of(["reproduce", "fake", "--item", "fig 2", "--force", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("tokens", "hint"),
    [
        (["reproduce"], "--list"),
        (["reproduce", "muler2013"], "muller2013"),
        (["reproduce", "fake", "--item", "fig"], "Known"),
    ],
)
def test_slips_are_usage_errors(
    fake: None, tokens: list[str], hint: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status_of(tokens) == 2
    assert hint in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# tools of studies -------------------------------------------------------------------------------------------


def test_each_run_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr(runs_module, "simulate", lambda *args, **options: made.append((args[1:], options)) or object())
    runs = Runs()
    one = runs.simulate("muller2013_heavy_top", 1.0, 0.1, "f", "i", every=2)
    assert runs.simulate("muller2013_heavy_top", 1.0, 0.1, "f", "i", every=2) is one
    assert runs.simulate("muller2013_heavy_top", 1.0, 0.1, "f", "i") is not one
    usual = {"limits": UNENDED}  # studies measure how wrong runs become
    assert made == [((1.0, 0.1, "f", "i"), {**usual, "every": 2}), ((1.0, 0.1, "f", "i"), usual)]


@pytest.mark.parametrize("order", [1, 3, 8])
def test_orders_are_found(order: int) -> None:
    found = measure(lambda n: 0.3 * (1.0 / n) ** order * (1.0 + 0.1 / n), 2.0, 3, 10**7)
    assert found.order == pytest.approx(order, abs=0.05)
    assert found.errors[-1] < 1e-11 or found.steps[-1] < 4e-7
    assert (np.diff(found.steps) < 0).all()


def test_too_few_errors_give_no_order() -> None:
    assert math.isnan(measure(lambda n: 1.0 / n, 1.0, 2, 100).order)


def test_steps_that_are_too_large_are_passed_over() -> None:
    def error(n: int) -> float:
        if n < 8:
            raise ConvergenceError("turns too far")
        return math.nan if n == 8 else n**-4.0

    found = measure(error, 1.0, 2, 512)
    assert found.steps[0] == 1 / 16
    assert found.order == pytest.approx(4.0)


def test_a_ladder_climbs() -> None:
    assert ladder(2, 16, 2.0) == [2, 4, 8, 16]
    assert ladder(2, 9, 2.0**0.5) == [2, 3, 4, 6, 8]


def test_violations_are_the_norms_of_each_joints_rows() -> None:
    mech = load("kissel2021_slider_crank")  # all four geometric rows
    rng = np.random.default_rng(4)
    nt, names = 3, [body.name for body in mech.bodies]
    r = rng.normal(size=(nt, 3, 3))
    A = np.array([[turn(axis / np.linalg.norm(axis), 1.0) for axis in rng.normal(size=(3, 3))] for _ in range(nt)])
    result = Result(Header(bodies=tuple(names)), {"time": np.arange(nt) * 1.0, "position": r, "rotation": A})
    found = joint_violations(mech, result)
    from linkwork.system.compiled import compile_mechanism

    compiled = compile_mechanism(mech.lower())
    rows, nc = compiled.system.rows, compiled.nc
    drive = np.zeros((nc, 3))
    drive[:, 0] = rows.constant
    phi, G = np.zeros(nc), np.zeros((nc, 6))
    assert set(found) == {joint.name for joint in mech.joints}
    for t in range(nt):
        poses = np.vstack([r[t], np.zeros(3)]), np.vstack([A[t].reshape(3, 9), np.eye(3).reshape(1, 9)])
        evaluate_rows(rows, *poses, drive, phi, G, G.copy())
        for joint in mech.lower().joints:
            if joint.kind == "joint":
                assert_allclose(found[joint.name][t], np.linalg.norm(phi[list(joint.rows)]), rtol=1e-12)


def test_violations_of_rolling_are_refused() -> None:
    mech = load("rolling_disc")
    still = {"time": np.zeros(1), "position": np.zeros((1, 1, 3)), "rotation": np.eye(3)[None, None]}
    with pytest.raises(UnsupportedElementError):
        joint_violations(mech, Result(Header(bodies=("disc",)), still))


def test_reactions_work_where_joints_move_apart() -> None:
    """One ball that leaves its socket at 2 m/s against 3 N, another that stays."""
    mech = load("muller2013_spherical_double_pendulum")
    t = np.linspace(0.0, 0.5, 6)
    nt, zero = t.size, np.zeros((6, 2, 3))
    force = np.zeros((nt, 2, 3))
    force[:, 1, 0] = -3.0
    velocity = zero.copy()
    velocity[:, 1, 0] = 2.0
    arrays = {
        "time": t,
        "position": zero,
        "rotation": np.tile(np.eye(3), (nt, 2, 1, 1)),
        "velocity": velocity,
        "angular_velocity": zero,
        "reaction_force": force,
        "reaction_torque": zero,
    }
    work = slip_work(mech, Result(Header(bodies=("body 1", "body 2"), joints=("joint 1", "joint 2")), arrays))
    assert_allclose(work["joint 1"], 0.0)
    assert_allclose(work["joint 2"], -6.0 * t)
    arrays["angular_velocity"] = np.tile([0.0, 0.0, 20.0], (nt, 2, 1))  # y velocities of the ball's two halves
    arrays["reaction_force"] = force[..., [1, 0, 2]]
    work = slip_work(mech, Result(Header(bodies=("body 1", "body 2"), joints=("joint 1", "joint 2")), arrays))
    assert_allclose(work["joint 2"], -3.0 * (-2.0 - 2.0) * t)


def test_work_at_other_joints_is_refused() -> None:
    mech = load("kissel2021_double_pendulum")
    still = {"time": np.zeros(1), "position": np.zeros((1, 2, 3)), "rotation": np.tile(np.eye(3), (1, 2, 1, 1))}
    with pytest.raises(UnsupportedElementError, match="revolute"):
        slip_work(mech, Result(Header(bodies=("bar 1", "bar 2")), still))


# pictures ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_a_page_has_its_panels_with_labels_and_titles(count: int) -> None:
    page = figure([PANEL] * count, "title")
    assert len(page.axes) == count
    assert page.axes[0].get_title(loc="left") == ("title" if count == 1 else "p")
    assert (page.get_suptitle() == "title") == (count > 1)
    assert page.axes[0].get_xlabel() == "time [s]"
    assert [line.get_label() for line in page.axes[-1].lines] == ["a", "b"]
    assert page.axes[0].get_legend() is not None


def test_long_names_that_all_panels_share_stand_once_where_a_place_is_left_over() -> None:
    x = np.linspace(0.0, 1.0, 5)
    curves = tuple(Curve(f"a name of some length, {k}", x, x + k) for k in range(7))
    panel = Panel("p", "x", "y", curves)
    page = figure([panel] * 3, "title")
    assert [ax.get_legend() is not None for ax in page.axes] == [False, False, False, True]
    found = [text.get_text() for text in page.axes[3].get_legend().get_texts()]
    assert found == [curve.label for curve in curves]
    for panels in ([panel] * 2, [panel, panel, replace(panel, curves=curves[:4])]):
        axes = figure(panels).axes
        assert len(axes) == len(panels)
        assert all(ax.get_legend() is not None for ax in axes)


def test_zeros_leave_logarithmic_axes_alone_and_guides_are_quiet() -> None:
    y = np.r_[0.0, 1e-18, np.full(400, 1e-6)]
    curves = (
        Curve("a", np.arange(402.0), y),
        Curve("slope", np.array([0.0, 401.0]), np.array([1e-6, 1e-5]), guide=True),
    )
    (ax,) = figure([Panel("p", "x", "y", curves, log="y")]).axes
    assert ax.get_yscale() == "log"
    assert ax.get_ylim()[0] > 1e-8
    assert math.isnan(ax.lines[0].get_ydata()[0])
    assert ax.lines[1].get_linewidth() < ax.lines[0].get_linewidth()


def test_few_dots_get_ticks_of_their_own() -> None:
    h = np.array([1e-3, 5e-4, 2.5e-4])
    (ax,) = figure([Panel("p", "step [s]", "y", (Curve("a", h, h**2, dots=True),), log="xy")]).axes
    assert [text.get_text() for text in ax.get_xticklabels()] == ["0.00025", "0.0005", "0.001"]


def test_named_places_are_not_joined() -> None:
    panel = Panel("p", "", "y", (Curve("a", np.array([1.0, 2.0]), np.array([3.0, 4.0]), dots=True),), names=("u", "w"))
    (ax,) = figure([panel]).axes
    assert [text.get_text() for text in ax.get_xticklabels()] == ["u", "w"]
    assert ax.lines[0].get_linestyle() == "None"
    assert ax.get_ylim()[0] == 0.0


# verdicts of Müller 2013 ------------------------------------------------------------------------------------


class Tops(Runs):
    """Heavy tops that turn about their pivots, some of which slip off; energies as given."""

    def __init__(self, slip: dict[str, float], drift: dict[str, float]) -> None:
        super().__init__()
        self.slip, self.drift = slip, drift

    def simulate(self, model: str, t_end: float, step: float, formulation: str, integrator: str, **_: Any) -> Result:
        t = np.linspace(0.0, t_end, 6)
        slip, drift = (some.get(formulation, 0.0) for some in (self.slip, self.drift))
        A = np.array([turn(np.array([0.6, 0.0, 0.8]), angle) for angle in t])
        r = A @ np.array([0.5, 0.0, 0.0]) + slip * np.outer(t, [0.0, 1.0, 0.0])
        names = [body.name for body in self.mechanism(model).bodies]
        some = {"position": r, "rotation": A, "angular_velocity": np.tile([0.0, 20 * np.pi, 10 * np.pi], (6, 1))}
        arrays = {name: np.stack([values] * len(names), axis=1) for name, values in some.items()}
        T0 = 13972.4
        energies = {"kinetic_energy": T0 * (1.0 + drift * t / t_end), "potential_energy": 0.0 * t}
        return Result(Header(bodies=tuple(names)), {"time": t, **arrays, **energies})


@pytest.mark.parametrize(
    ("slip", "verdict"),
    [
        ({PRODUCT: 1e-6}, "agrees"),
        ({PRODUCT: 1e-6, SE3: 1e-11}, "differs"),
        ({}, "differs"),
    ],
)
def test_the_pivots_verdict_follows_the_numbers(slip: dict[str, float], verdict: str) -> None:
    found = violations.figure_2(Tops(slip, {}))
    assert found.verdict == verdict
    assert found.numbers["lie-product, largest violation [m]"] == pytest.approx(5.0 * slip.get(PRODUCT, 0.0), abs=1e-15)
    assert len(found.data["time [s]"]) == len(found.data["lie-se3 [m]"]) == 6


@pytest.mark.parametrize(("ratio", "verdict"), [(1.0, "agrees"), (2.5, "agrees"), (0.1, "differs"), (10.0, "differs")])
def test_energies_that_are_not_alike_differ(ratio: float, verdict: str) -> None:
    assert energies.figure_10(Tops({}, {SE3: ratio * 1e-9, PRODUCT: 1e-9})).verdict == verdict


@pytest.mark.parametrize(("ratio", "verdict"), [(1.3, "differs"), (100.0, "agrees")])
def test_figure_3_would_agree_with_two_orders(ratio: float, verdict: str) -> None:
    found = top_energy.figure_3(Tops({}, {SE3: 1e-8, PRODUCT: ratio * 1e-8}))
    assert found.verdict == verdict
    assert found.numbers["ratio [1]"] == pytest.approx(ratio)
    assert found.table["ratio"] == pytest.approx([ratio] * 4)


def test_costs_are_reported_beside_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    price = {SE3: np.array([2.0]), PRODUCT: np.array([1.0]), "lie-mixed": np.array([1.5])}
    monkeypatch.setattr(groups, "microseconds", lambda runs, model: price)
    found = groups.groups(Tops({PRODUCT: 1e-6}, {}))
    assert found.verdict == "agrees in part"  # these tops slide through other mechanisms' joints
    assert found.numbers["heavy top, lie-se3 / lie-product"] == 2.0
    assert found.table["cost per step [us]"][:3] == [2.0, 1.0, 1.5]
    assert found.table["joints to ground [m]"][1] == pytest.approx(5e-6)


def test_mechanisms_are_read_once() -> None:
    runs = Runs()
    assert isinstance(runs.mechanism("muller2013_heavy_top"), Mechanism)
    assert runs.mechanism("muller2013_heavy_top") is runs.mechanism("muller2013_heavy_top")
