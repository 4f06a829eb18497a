from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

from linkwork.errors import OutputExistsError, ResultFileError, UsageError
from linkwork.header import Header
from linkwork.plots import PLOTS, plot
from linkwork.plots.iterations import spans
from linkwork.plots.paths import plane, projection
from linkwork.plots.series import MOST, strided, thin
from linkwork.plots.style import REST, columns
from linkwork.result import Result

OF_JOINTS = ("joints", "phase", "spectrum")  # need a mechanism: test_result_forces, test_pictures
KINDS = tuple(kind for kind in PLOTS if kind not in OF_JOINTS)


def pendulums(nb: int, nt: int = 400, *, flat: bool = True, **outcome: Any) -> Result:
    """nb pendulums of different lengths, small swings: the exact linear solution, reactions included."""
    t = np.arange(nt) * 5e-3
    g, length = 9.81, 1.0 + 0.2 * np.arange(nb)
    rate = np.sqrt(g / length)
    angle = 0.2 * np.cos(np.outer(t, rate))
    swing = -0.2 * rate * np.sin(np.outer(t, rate))
    side = np.zeros_like(angle) if flat else 0.3 * np.sin(np.outer(t, rate))
    position = np.stack((length * np.sin(angle), side, -length * np.cos(angle)), axis=-1)
    velocity = np.stack((length * np.cos(angle) * swing, 0.0 * side, length * np.sin(angle) * swing), axis=-1)
    tension = g * np.cos(angle) + length * swing**2
    names = tuple(f"pendulum {k}" for k in range(nb))
    header = Header(
        bodies=names,
        joints=tuple(f"pivot of {name}" for name in names),
        info={"model": "pendulums", "formulation": "rA", "integrator": "implicit-euler", "step": 5e-3},
    )
    arrays = {
        "time": t,
        "position": position,
        "rotation": np.tile(np.eye(3), (nt, nb, 1, 1)),
        "velocity": velocity,
        "iterations": 2 + (np.arange(nt) % 17 == 0),
        "reaction_force": -tension[..., None] * position / length[:, None],
        "reaction_torque": np.zeros((nt, nb, 3)),
        "kinetic_energy": 0.5 * (velocity**2).sum(axis=(1, 2)),
        "potential_energy": g * position[..., 2].sum(axis=1),
        "position_violation": 1e-10 * (t + t**2),
        "velocity_violation": np.zeros(nt),
    }
    return Result(header, arrays, **outcome)


def ink(figure: Any) -> int:
    """How many lines and areas with data the figure's axes hold."""
    return sum(len(ax.lines) + len(ax.patches) for ax in figure.axes)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "result",
    [
        pendulums(1),
        pendulums(20, flat=False),
        pendulums(2, nt=1, success=False, status=1, message="row 'a_b$c' diverged"),
    ],
    ids=["one body", "twenty bodies in space", "failed at once"],
)
def test_every_kind_draws_something(kind: str, result: Result, tmp_path: Path) -> None:
    figure = result.plot(kind, tmp_path / "plot.png", dpi=50)
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    texts = [text.get_text() for ax in figure.axes for text in ax.texts]
    assert ink(figure) > 0 or any(texts)
    if result.time.size > 1:
        assert ink(figure) > 0
        assert not any("no " in text for text in texts)
        for ax in figure.axes:
            assert ax.get_title(loc="left")
            assert ax.get_xlabel()
            assert ax.get_ylabel()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("nt", [0, 3])
def test_a_result_with_nothing_to_show_says_so(kind: str, nt: int) -> None:
    data = {"time": np.arange(nt) * 1.0, "position": np.zeros((nt, 0, 3)), "rotation": np.zeros((nt, 0, 3, 3))}
    figure = Result(Header(), data).plot(kind)
    for ax in figure.axes:
        assert any(text.get_text() for text in ax.texts)


def test_not_finite_values_do_not_stop_a_plot() -> None:
    res = pendulums(2)
    data = {name: np.array(res[name], dtype=float) for name in res}
    for name in data:
        if name not in ("time", "iterations"):
            data[name][-1] = np.nan
    for kind in KINDS:
        assert ink(Result(res.header, data, success=False).plot(kind)) > 0


def test_the_lines_are_the_data() -> None:
    res = pendulums(3)
    ax = res.plot("reactions").axes[0]
    assert [line.get_label() for line in ax.lines] == list(res.joints)
    assert np.allclose(ax.lines[1].get_ydata(), np.linalg.norm(res.reaction(res.joints[1]).force, axis=1))
    ax = res.plot("velocities", bodies=["pendulum 2"]).axes[0]
    assert len(ax.lines) == 1
    assert np.allclose(ax.lines[0].get_ydata(), np.linalg.norm(res.velocity("pendulum 2"), axis=1))
    ax = res.plot("positions", bodies="pendulum 1", components="z").axes[0]
    assert np.array_equal(ax.lines[0].get_ydata(), res.position("pendulum 1")[:, 2])
    ax = res.plot("energy-drift").axes[0]
    assert np.allclose(ax.lines[0].get_ydata(), res.energy - res.energy[0])


def test_unknown_kinds_bodies_and_endings_are_usage_errors(tmp_path: Path) -> None:
    res = pendulums(1)
    with pytest.raises(UsageError, match="Did you mean 'reactions'"):
        res.plot("raections")
    with pytest.raises(UsageError, match="pendulum 0"):
        res.plot("velocities", bodies=["pendulum"])
    with pytest.raises(UsageError, match=r"\.png"):
        res.plot("energy", tmp_path / "plot.bmp")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_pictures_are_whole_equal_and_never_overwrite(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plot{suffix}"
    pendulums(2).plot("energy", path, dpi=50)
    first = path.read_bytes()
    with pytest.raises(OutputExistsError):
        pendulums(1).plot("energy", path)
    assert path.read_bytes() == first
    pendulums(2).plot("energy", path, force=True, dpi=50)
    assert path.read_bytes() == first
    with pytest.raises(ResultFileError):
        pendulums(2).plot("energy", tmp_path / "none" / f"plot{suffix}")
    assert list(tmp_path.iterdir()) == [path]


def test_users_settings_stay_and_no_window_machinery_is_loaded() -> None:
    before = mpl.rcParams.copy()
    pendulums(1).plot()
    assert mpl.rcParams == before
    code = "import sys, linkwork.plots as p; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_flat_motion_is_drawn_in_its_plane_and_spatial_motion_in_space() -> None:
    assert projection(pendulums(2)) is None
    assert projection(pendulums(2, flat=False)) == "3d"
    assert plane(np.array([2.0, 0.0, 1.0])) == (0, 2)
    assert plane(np.array([0.0, 0.0, 1.0])) == (0, 2) or plane(np.array([0.0, 0.0, 1.0])) == (1, 2)
    assert plane(np.array([1.0, 1.0, 1.0])) == (0, 1)
    ax = plot(pendulums(2), "paths").axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x [m]", "z [m]")


def test_thinning_keeps_every_peak() -> None:
    t = np.arange(100_000.0)
    values = np.sin(t / 5000.0)
    values[54_321] = 40.0
    values[77] = -30.0
    values[1000:1500] = np.nan
    time, line = thin(t, values)
    assert line.size <= MOST + 2
    assert np.nanmax(line) == 40.0
    assert np.nanmin(line) == -30.0
    assert (time[0], time[-1]) == (0.0, t[-1])
    assert np.all(np.diff(time) > 0)
    short, same = thin(t[:10], values[:10])
    assert short.size == same.size == 10


def test_striding_takes_the_last_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    from linkwork.plots import series

    monkeypatch.setattr(series, "BLOCK", 30)
    res = pendulums(2, nt=400)
    taken = strided(res, "position", most=70)
    assert np.array_equal(taken[-1], res["position"][-1])
    assert np.array_equal(taken[:-1], res["position"][::6][: len(taken) - 1])


def test_spans_of_iterations_hold_their_range() -> None:
    counts = np.array([2.0, 5.0, 3.0, 1.0, 1.0, 4.0, 2.0])
    edges, least, mean, most = spans(counts, many=3)
    assert edges.tolist() == [0, 2, 4, 7]
    assert least.tolist() == [2.0, 1.0, 1.0]
    assert most.tolist() == [5.0, 3.0, 4.0]
    assert np.allclose(mean, [3.5, 2.0, 7.0 / 3.0])


def test_legends_stand_above_or_beside_but_never_on_the_data() -> None:
    assert columns(["crank", "rod", "slider"]) == 3
    assert columns(["x" * 28, "y" * 28]) == 1
    assert columns([f"link {k}" for k in range(20)]) == 0
    for nb in (1, 3, 20, 40):
        figure = pendulums(nb, nt=20).plot("reactions")
        figure.canvas.draw()
        ax = figure.axes[0]
        assert not ax.get_legend().get_window_extent().overlaps(ax.get_window_extent().shrunk(0.98, 0.98))
        names = [text.get_text() for text in ax.get_legend().get_texts()]
        assert len(names) == min(nb, 6)
        if nb == 40:
            assert names[-1] == "... 35 more"


def test_the_largest_are_named_and_the_rest_is_grey_unless_somebody_chose() -> None:
    res = pendulums(20, nt=20)
    ax = res.plot("reactions").axes[0]
    sizes = np.linalg.norm(res["reaction_force"], axis=2).max(axis=0)
    largest = {res.joints[k] for k in np.argsort(-sizes)[:5]}
    coloured = [line for line in ax.get_lines() if line.get_color() != REST]
    assert {line.get_label() for line in coloured} == largest
    assert sum(line.get_color() == REST for line in ax.get_lines()) == 16  # 15, and the one in the legend
    chosen = res.plot("reactions", joints=res.joints[:8]).axes[0]
    assert len(chosen.get_legend().get_texts()) == 8
    assert not any(line.get_color() == REST for line in chosen.get_lines())


def test_odd_names_are_shown_as_they_are() -> None:
    res = pendulums(2, nt=5)
    header = Header(bodies=("_hidden", "$\\frac{"), joints=("a", "b"), info={"model": "$x_"})
    figure = Result(header, {name: res[name] for name in res}).plot()
    figure.canvas.draw()
    labels = [text.get_text() for text in figure.axes[1].get_legend().get_texts()]
    assert labels == [" _hidden", "\\$\\frac{"]
