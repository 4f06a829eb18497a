"""Joint graphs of mechanisms: the paper's example, what counts as an arc, roots, and what the command line shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from oracles.graphs import compiled

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import OutputExistsError, UsageError
from linkwork.plots.graph import draw, save
from linkwork.system import compile_mechanism
from linkwork.system.topology import Topology, joints_only, topology_of

FIGURE_3A = [(0, 1, 3), (0, 2, 3), (1, 3, 3), (1, 4, 3), (1, 5, 3)]  # [Mufti 1983], bodies from 0
EQUATION_1 = [
    [1, 1, 0, 0, 0],
    [-1, 0, 1, 1, 1],
    [0, -1, 0, 0, 0],
    [0, 0, -1, 0, 0],
    [0, 0, 0, -1, 0],
    [0, 0, 0, 0, -1],
]
EQUATION_25 = [
    [-1, -1, -1, -1, -1, -1],
    [0, -1, 0, -1, -1, -1],
    [0, 0, -1, 0, 0, 0],
    [0, 0, 0, -1, 0, 0],
    [0, 0, 0, 0, -1, 0],
    [0, 0, 0, 0, 0, -1],
]


def joints_of(top: Topology) -> dict[str, str | None]:
    """Which joint leads to each body."""
    return {top.body(k): top.arcs[a].name if a >= 0 else None for k, a in enumerate(top.tree.arc)}


def cut(top: Topology) -> list[str]:
    """The names of the cut joints."""
    return [top.arcs[a].name for a in top.cuts.arc]


def test_the_papers_example_has_the_papers_matrices() -> None:
    top = topology_of(compiled(6, FIGURE_3A), root="body 0")
    body = top.number  # the paper's labels are ours up to the order of brothers
    arc = np.array([top.number[j] for _, j, _ in FIGURE_3A])
    S, T = top.S(dense=True), top.T(dense=True)
    assert np.array_equal(S[np.ix_(body, arc)], EQUATION_1)
    assert np.array_equal(S[:, 0], -np.eye(6)[0])  # S = (-e_1, C), eq. 22
    assert np.array_equal(top.C(dense=True), S[:, 1:])
    assert np.array_equal(T[np.ix_([0, *arc], body)], EQUATION_25)


def test_a_closed_chain_adds_columns_and_no_rank() -> None:
    """Figure 6: two more hinges, between bodies 1 and 5 and between 4 and 6; the lightest are cut."""
    top = topology_of(compiled(6, [*FIGURE_3A, (0, 4, 1), (3, 5, 1)]), root="body 0")
    C, C_star = top.C(dense=True), top.C_star(dense=True)
    assert cut(top) == ["5", "6"]
    assert (C.shape, C_star.shape) == ((6, 5), (6, 2))
    assert np.linalg.matrix_rank(np.hstack([C, C_star])) == np.linalg.matrix_rank(C) == 5
    assert {top.body(int(k)) for k in top.cuts.meet} == {"body 0", "body 1"}


def test_any_body_of_the_tree_can_be_its_root() -> None:
    for name in ("body 0", "body 3", "body 5"):
        top = topology_of(compiled(6, FIGURE_3A), root=name)
        assert top.label(name) == 0
        assert top.parent(0) is None
        assert not len(top.cuts.arc)
    assert topology_of(compiled(6, FIGURE_3A)).height == 3  # body 0 or 1 in the middle
    assert topology_of(compiled(6, FIGURE_3A), root="body 5").height == 4


def test_the_four_bar_hangs_on_ground_on_its_crank_or_on_nothing() -> None:
    mech = lw.load("planar_four_bar")
    top = topology_of(mech)
    assert joints_of(top) == {"crank": "crank pivot", "coupler": "crank pin", "rocker": "rocker pivot"}
    assert (cut(top), top.cuts.meet.tolist(), top.grounded) == (["rocker pin"], [-1], (True,))
    top = topology_of(mech, root="crank")
    assert joints_of(top) == {"crank": "crank pivot", "coupler": "crank pin", "rocker": "rocker pin"}
    assert (cut(top), top.height, len(top.floating)) == (["rocker pivot"], 3, 0)
    top = topology_of(mech, root="coupler")
    assert joints_of(top) == {"coupler": None, "crank": "crank pin", "rocker": "rocker pin"}
    assert (cut(top), top.height, len(top.floating)) == (["crank pivot", "rocker pivot"], 2, 1)
    assert joints_of(topology_of(mech, root="ground")) == joints_of(topology_of(mech))


def test_joints_of_many_rows_stay_and_raw_rows_are_cut() -> None:
    top = topology_of(lw.load("kissel2021_slider_crank"))
    assert sorted(name or "" for name in joints_of(top).values()) == ["crank pin", "crank pivot", "slider guide"]
    assert cut(top) == ["slider pin", "rod twist", "rod end", "driver"]
    assert topology_of(lw.load("kissel2021_slider_crank"), weight_of=lambda arc: -arc.locks).height == 3


def swing() -> lw.Mechanism:
    """A driven hinge twice on one axis, a rod, a spring, and a raw row to a body that nothing else holds."""
    mech = lw.Mechanism("swing")
    for k, name in enumerate(("board", "bob", "ghost")):
        mech.body(name, mass=1.0, inertia=[1.0, 1.0, 1.0], position=[0.0, 0.0, -1.0 - k])
    mech.joint("left", "revolute", "ground", "board", point=[0, 1, 0], axis=[0, 1, 0])
    mech.joint("right", "revolute", "ground", "board", point=[0, -1, 0], axis=[0, 1, 0])
    mech.joint("rod", "distance", "board", "bob", point=[0, 0, -1], point2=[0, 0, -2])
    mech.constraint("rail", "CD", "ground", "ghost", c=[1, 0, 0], s_i=[0, 0, 0], s_j=[0, 0, 0], f=0.0)
    mech.driver("motor", "right", "0.1*sin(t)")
    mech.force("cord", "spring", first="bob", second="ghost", point=[0, 0, -2], point2=[0, 0, -3], stiffness=1.0)
    return mech


def test_drivers_belong_to_their_joint_and_springs_to_nothing() -> None:
    compiled_swing = compile_mechanism(swing().lower())
    top = topology_of(compiled_swing)
    assert [arc.name for arc in top.arcs] == ["left", "right", "rod", "rail"]
    right = top.arcs[1]
    assert (right.drivers, right.locks, right.elements) == (1, 5, (1, 4))
    assert [compiled_swing.row_names[row] for row in right.rows[-2:]] == ["right.lock[4]", "motor"]
    assert [compiled_swing.lowered.rows[k].owner for k in np.flatnonzero(top.row_arc == 1)] == [*["right"] * 5, "motor"]
    assert joints_of(top) == {"board": "right", "bob": "rod", "ghost": "rail"}  # the driven hinge of the two
    assert (cut(top), top.cuts.length.tolist(), top.grounded) == (["left"], [1], (True, True))


def test_rods_and_raw_rows_can_be_kept_out_of_the_tree() -> None:
    top = topology_of(swing(), weight_of=joints_only)
    assert joints_of(top) == {"board": "right", "bob": None, "ghost": None}
    assert cut(top) == ["left", "rod", "rail"]
    C_star = top.C_star(dense=True)
    assert np.array_equal(top.S(dense=True) @ (top.T(dense=True) @ C_star), C_star)


def test_rolling_counts_its_position_rows_only() -> None:
    (arc,) = topology_of(lw.load("rolling_disc")).arcs
    assert (arc.locks, len(arc.rows)) == (1, 3)


@pytest.mark.parametrize(
    ("root", "hint"),
    [
        ("couplr", "did you mean 'coupler'"),
        (["crank", "rocker"], "joined to each other"),
        (["ground", "nobody"], "'nobody' does not exist"),
    ],
)
def test_roots_that_cannot_be_are_refused_in_words(root: Any, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        topology_of(lw.load("planar_four_bar"), root)


def test_ground_is_no_root_of_what_floats_and_searches_have_names() -> None:
    floating = lw.load("muller2013_floating_pair")
    with pytest.raises(UsageError, match="ground cannot be the root"):
        topology_of(floating, "ground")
    with pytest.raises(UsageError, match="'breadth' or 'depth'"):
        topology_of(floating, search="wide")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="does not exist"):
        topology_of(floating).label("body 3")


def test_a_long_chain_with_a_loop_needs_no_matrix() -> None:
    n = 3000
    top = topology_of(compiled(n, [*((k - 1, k, 3) for k in range(n)), (n - 1, -1, 1)]))
    assert (top.height, top.cuts.length.tolist()) == (n, [n])
    assert (top.C().nnz, top.S().nnz, top.T().nnz) == (2 * n - 2, 2 * n - 1, n * (n + 1) // 2)
    assert abs(top.S() @ (top.T() @ np.arange(n)) - np.arange(n)).max() == 0
    assert "matrices" not in json.loads(json.dumps(top.to_dict()))


def test_no_bodies_and_no_joints_are_graphs_too() -> None:
    assert topology_of(compiled(0, [])).height == 0
    top = topology_of(compiled(2, []))
    assert (top.grounded, top.floating.tolist(), top.C(dense=True).shape) == ((False, False), [0, 1], (2, 0))


def test_tables_cannot_be_written_to() -> None:
    top = topology_of(compiled(6, FIGURE_3A))
    with pytest.raises(ValueError, match="read-only"):
        top.tree.parent[0] = 3


def test_the_command_shows_tree_loops_and_matrices(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["check", "planar_four_bar", "--graph"]) == 0
    text = capsys.readouterr().out
    for part in (
        "3 bodies, 4 arcs, 1 of them cut",
        "│   └── 2 coupler  <- h1 revolute 'crank pin'",
        "1 crank  <- h0 revolute 'crank pivot', driven",
        "h3  rocker pin  revolute  coupler  rocker  -h1 -h0 +h2, through ground",
        "  b1 -1  1  .\n  b2  . -1  .\n  b3  .  . -1\n",
        "  h0 -1 -1  .\n  h1  . -1  .\n  h2  .  . -1\n",
    ):
        assert part in text
    assert status_of(["check", "stewart_platform", "--graph", "--search", "depth"]) == 0
    assert "up to 12 bodies" in capsys.readouterr().out


def test_the_command_shows_as_much_as_a_person_reads(capsys: pytest.CaptureFixture[str]) -> None:
    from linkwork.cli import joint_graph

    n = 1000
    edges = [*((k - 1, k, 3) for k in range(n)), *((k, k + 1, 1) for k in range(n - 1)), (-1, n - 1, 1)]
    joint_graph.show(topology_of(compiled(n, edges)))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 100
    assert any(line.strip().endswith(f"... {n - joint_graph.DEEP} more") for line in lines)
    assert any(line.split() == ["...", "940", "more"] for line in lines)  # cut joints
    joint_graph.show(topology_of(compiled(n, [(-1, k, 3) for k in range(n)])))
    assert f"... {n - joint_graph.LINES} more" in capsys.readouterr().out


def test_the_graph_as_json_and_as_a_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = tmp_path / "graph.png"
    words = ["check", "planar_four_bar", "--graph", "--root", "coupler", "--plot", str(picture), "--json"]
    assert status_of(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["files"] == {"plot": str(picture)}
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert [one["body"] for one in told["tree"]] == ["coupler", "crank", "rocker"]
    assert told["tree"][0] | {"label": 1, "parent": None, "joint": None} == told["tree"][0]
    assert told["tree"][1]["parent"] == "coupler"
    assert [one["joint"] for one in told["cut"]] == ["crank pivot", "rocker pivot"]
    assert told["cut"][0]["loop"] == [{"joint": None, "sign": 1}, {"joint": "crank pin", "sign": 1}]
    assert told["cut"][0]["drivers"] == 1
    assert np.array_equal(np.array(told["matrices"]["S"]) @ told["matrices"]["T"], np.eye(3))
    assert status_of(words) == 2
    assert "LW-EXISTS" in capsys.readouterr().err
    assert status_of([*words, "--force"]) == 0


@pytest.mark.parametrize("option", ["--root crank", "--search depth", "--plot graph.png"])
def test_options_of_the_graph_ask_for_the_graph(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["check", "planar_four_bar", *option.split()]) == 2
    assert "--graph" in capsys.readouterr().err


@pytest.mark.parametrize("sample", ["planar_four_bar", "stewart_platform", "muller2013_floating_pair", "swing"])
def test_the_picture_shows_every_body_and_joint(sample: str, tmp_path: Path) -> None:
    top = topology_of(swing() if sample == "swing" else lw.load(sample))
    ax = Figure().add_subplot()
    draw(ax, top)
    texts = " ".join(text.get_text() for text in ax.texts).replace("\n", " ")
    assert all(f"{k + 1}  {top.body(k)}" in texts for k in range(len(top.bodies)))
    assert all(f"{arc.name} {arc.type}" in texts for arc in top.arcs)
    assert ("ground" in texts) == any(top.grounded)
    dashed = [line for line in ax.lines if line.get_linestyle() == "--"]
    assert len(dashed) == len(top.cuts.arc)
    save(top, tmp_path / "graph.svg")
    with pytest.raises(OutputExistsError):
        save(top, tmp_path / "graph.svg")


@pytest.mark.parametrize("n", [0, 1, 60, 400])
def test_pictures_of_any_size_stay_on_a_page(n: int, tmp_path: Path) -> None:
    edges = [*((k - 1, k, 3) for k in range(n)), *([(n - 1, -1, 1)] if n > 1 else [])]
    save(topology_of(compiled(n, edges)), tmp_path / "graph.png")
    assert (tmp_path / "graph.png").stat().st_size < 400_000
