"""What plots draw: every line of every plot is the numbers that its label says, in its own colour."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from unit.handmade import DT, N, result

from linkwork.plots import PLOTS
from linkwork.plots.graph import CUT, TREE
from linkwork.plots.graph import figure as graph
from linkwork.plots.style import ALARM, COLOURS, DASHES, QUIET

TIME = np.arange(N) * DT
RISE = np.linspace(0.0, -2.0, N)
POWER = np.full(N, 3.0)


def run(**outcome: Any) -> Any:
    """A run in which every quantity is another curve."""
    made = result(
        ("position", (slice(None), 0, 1), TIME**2),
        ("position", (slice(None), 1, 2), np.sin(TIME)),
        ("velocity", (slice(None), 0, 2), -TIME),
        ("reaction_force", (slice(None), 1, 0), -3.0 * TIME),
        ("reaction_torque", (slice(None), 0, 1), 5.0 * TIME),
        ("potential_energy", slice(None), RISE),
        **outcome,
    )
    made._arrays |= {
        "power": POWER,
        "position_violation": 1e-9 * (1.0 + TIME),
        "velocity_violation": 1e-7 * (2.0 - TIME),
        "iterations": 2 + np.arange(N) % 3,
    }
    return made


def lines(ax: Any) -> dict[str, Any]:
    """label -> line, of those with a label."""
    return {line.get_label(): line for line in ax.lines if not line.get_label().startswith("_")}


def drawn(kind: str, **options: Any) -> Any:
    return run().plot(kind, **options).axes[0]


def expect(ax: Any, label: str, values: Any, colour: str) -> None:
    line = lines(ax)[label]
    assert_allclose(line.get_xdata(), TIME)
    assert_allclose(line.get_ydata(), values, rtol=1e-14, atol=1e-14)
    assert line.get_color() == colour


def test_every_kind_is_looked_at_here() -> None:
    seen = {
        "paths",
        "positions",
        "velocities",
        "energy",
        "energy-drift",
        "violations",
        "reactions",
        "torques",
        "iterations",
        "joints",
        "stroboscope",  # these three: test_pictures
        "phase",
        "spectrum",
    }
    assert {*PLOTS} == {"overview", *seen}


def test_energies() -> None:
    ax = drawn("energy")
    expect(ax, "kinetic", np.full(N, 8.0), COLOURS[0])
    expect(ax, "potential", 5.0 + RISE, COLOURS[1])
    expect(ax, "work done", 3.0 * TIME, COLOURS[2])
    expect(ax, "total (off by 5 J)", 13.0 + RISE, "#222222")
    assert ax.get_ylabel() == "energy [J]"
    free = run()
    del free._arrays["power"]
    assert "total (changes 2 J)" in lines(free.plot("energy").axes[0])


def test_the_change_of_the_energy_and_what_no_work_explains() -> None:
    ax = drawn("energy-drift")
    expect(ax, "change", RISE, "#222222")
    expect(ax, "work done", 3.0 * TIME, COLOURS[2])
    expect(ax, "unexplained", RISE - 3.0 * TIME, COLOURS[1])
    assert "unexplained 62 % of the kinetic" in ax.get_title(loc="left")  # 5 J of 8 J


def test_reactions_and_torques() -> None:
    ax = drawn("reactions")
    expect(ax, "pin", np.full(N, 10.0), COLOURS[0])
    expect(ax, "slide", 3.0 * TIME, COLOURS[1])
    assert ax.get_ylabel() == "force [N]"
    ax = drawn("torques", joints=["pin"])
    assert [*lines(ax)] == ["pin"]
    expect(ax, "pin", 5.0 * TIME, COLOURS[0])
    assert ax.get_ylabel() == "torque [N m]"


def test_speeds_and_rotation_rates() -> None:
    ax = drawn("velocities")
    expect(ax, "crank", TIME, COLOURS[0])
    expect(ax, "rod", np.full(N, 2.0), COLOURS[1])
    assert ax.get_ylabel() == "speed [m/s]"
    ax = drawn("velocities", angular=True)
    expect(ax, "rod", np.full(N, 3.0), COLOURS[1])
    assert ax.get_ylabel() == "angular speed [rad/s]"


def test_positions() -> None:
    ax = drawn("positions")
    values = run()["position"]
    assert len(lines(ax)) == 6
    for k, body in enumerate(("crank", "rod")):
        for axis, letter in enumerate("xyz"):
            expect(ax, f"{body}  {letter}", values[:, k, axis], COLOURS[k])
    dashes = {line.get_label()[-1]: line._unscaled_dash_pattern for line in ax.lines}
    assert len({str(pattern) for pattern in dashes.values()}) == 3
    assert len(DASHES) >= 3


def test_components_that_do_not_move_are_left_out() -> None:
    assert [*lines(result().plot("positions").axes[0])] == ["crank  x", "rod  x"]


def test_violations() -> None:
    ax = drawn("violations")
    expect(ax, "position", 1e-9 * (1.0 + TIME), COLOURS[0])
    expect(ax, "velocity", 1e-7 * (2.0 - TIME), COLOURS[1])
    assert ax.get_yscale() == "log"


def test_iterations_of_few_steps_and_of_many() -> None:
    ax = drawn("iterations")
    assert_allclose(ax.lines[0].get_xdata(), TIME[1:])
    assert_allclose(ax.lines[0].get_ydata(), (2 + np.arange(N) % 3)[1:])
    from linkwork.plots.iterations import spans

    edges, least, mean, most = spans(np.array([2.0, 4.0, 3.0, 3.0, 9.0]), 2)
    assert edges.tolist() == [0, 2, 5]
    assert least.tolist() == [2.0, 3.0]
    assert mean.tolist() == [3.0, 5.0]
    assert most.tolist() == [4.0, 9.0]


def test_paths_end_in_a_dot() -> None:
    ax = drawn("paths")  # in space: x and z of the rod, y of the crank
    values = run()["position"]
    for k, body in enumerate(("crank", "rod")):
        line = lines(ax)[body]
        assert_allclose(np.array(line.get_data_3d()).T, values[:, k])
        assert line.get_color() == COLOURS[k]
    dots = [line for line in ax.lines if line.get_marker() == "o" and len(line.get_data_3d()[0]) == 1]
    assert_allclose(np.array([dot.get_data_3d() for dot in dots])[:, :, 0], values[-1])
    assert [dot.get_color() for dot in dots] == [COLOURS[0], COLOURS[1]]


def test_a_run_that_failed_is_titled_in_the_colour_of_alarm() -> None:
    failed = run(success=False, status=1, message="row 'pin' diverged")
    page = failed.plot()
    assert page._suptitle.get_text().endswith("NOT COMPLETED")
    assert page._suptitle.get_color() == ALARM
    assert page._supxlabel.get_color() == ALARM
    whole = result().plot()
    assert whole._suptitle.get_color() == "black"
    assert whole._supxlabel.get_color() == QUIET
    single = failed.plot("energy")
    assert single._suptitle.get_text().startswith("Not completed: row 'pin' diverged")
    assert single._suptitle.get_color() == ALARM


def test_an_overview_shows_six_plots() -> None:
    titles = [ax.get_title(loc="left") for ax in run().plot().axes]
    wanted = ("Paths", "Speeds", "Energy", "Reaction forces", "Constraint violation", "Newton iterations")
    assert all(title.startswith(words) for title, words in zip(titles, wanted, strict=True))
    explicit = run()
    del explicit._arrays["iterations"]
    assert explicit.plot().axes[-1].get_title(loc="left").startswith("Change of the total energy")


def test_cut_joints_of_a_graph_are_dashed_and_the_trees_are_not() -> None:
    import linkwork as lw

    topology = lw.topology(lw.load("planar_four_bar"))
    ax = graph(topology).axes[0]
    colours = [line.get_color() for line in ax.lines]
    assert colours.count(TREE["color"]) == len(topology.bodies)
    assert colours.count(CUT["color"]) == len(topology.cuts.arc) == 1
    assert TREE["color"] != CUT["color"]
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["joint of the tree", "cut joint"]


@pytest.mark.parametrize("colour", [*COLOURS, ALARM])
def test_colours_are_told_apart_from_each_other_and_from_paper(colour: str) -> None:
    def rgb(text: str) -> Any:
        return np.array([int(text[k : k + 2], 16) for k in (1, 3, 5)], dtype=float)

    others = [rgb(other) for other in (*COLOURS, ALARM) if other != colour]
    assert min(np.linalg.norm(rgb(colour) - other) for other in others) > 30.0
    assert np.linalg.norm(rgb("#FFFFFF") - rgb(colour)) > 100.0
