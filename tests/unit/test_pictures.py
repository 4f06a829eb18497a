"""Pictures and films without a display: bodies are where the result has them, films are as long as they should be."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from moving_bars import mechanism, run
from PIL import Image

import linkwork as lw
from linkwork.errors import OutputExistsError, UsageError
from linkwork.plots import plot
from linkwork.plots.film import film
from linkwork.plots.picture import frame_axes, paint, painter_of
from linkwork.scene import scene_of
from linkwork.scene.faces import faces_of, revolved, solid
from linkwork.scene.parts import Part

SOLIDS = {
    "box": ((1.0, 2.0, 3.0), 6.0),
    "sphere": ((2.0,), 4 / 3 * np.pi * 8),
    "ellipsoid": ((1.0, 2.0, 3.0), 4 / 3 * np.pi * 6),
    "cylinder": ((1.0, 2.0), 2 * np.pi),
    "cone": ((1.0, 3.0), np.pi),
    "capsule": ((1.0, 2.0), 2 * np.pi + 4 / 3 * np.pi),
}


@pytest.mark.parametrize("kind", SOLIDS)
def test_faces_close_a_solid_and_look_outwards(kind: str) -> None:
    size, volume = SOLIDS[kind]
    a, b, c, d = solid(Part(0, kind, size), scene_of(mechanism())).transpose(1, 0, 2)
    found = sum(np.einsum("ij,ij->i", np.cross(p, q), r).sum() / 6 for p, q, r in ((a, b, c), (a, c, d)))
    assert 0.85 * volume <= found <= 1.0001 * volume  # round ones have flat faces


def test_a_cone_is_drawn_about_its_centre_of_mass() -> None:
    mech = mechanism()
    mech.body("hat", mass=1, shape={"type": "cone", "radius": 1.0, "length": 4.0, "axis": "x"})
    scene = scene_of(mech)
    faces = faces_of(scene)
    corners = faces.corners[faces.body == 2].reshape(-1, 3)
    assert corners.min(axis=0) == pytest.approx([-1, -1, -1])
    assert corners.max(axis=0) == pytest.approx([3, 1, 1])


def test_a_profile_that_is_turned_ends_where_it_began() -> None:
    corners = revolved(np.array([1.0, 1.0]), np.array([0.0, 1.0]))
    assert corners.reshape(-1, 3).sum(axis=0) == pytest.approx([0, 0, len(corners) * 2], abs=1e-12)


def test_a_picture_shows_the_bodies_where_the_result_has_them() -> None:
    result = run(mechanism())
    painter = painter_of(scene_of(result))
    assert painter.look.right == pytest.approx([1, 0, 0])
    assert painter.look.up == pytest.approx([0, 0, 1])
    ax = Figure().add_subplot()
    frame_axes(ax, painter)
    paint(ax, painter, 77)
    drawn = np.concatenate([path.vertices for path in ax.collections[0].get_paths()])
    faces = faces_of(painter.scene)
    r, A = result["position"][77], result["rotation"][77]
    for b in range(2):
        corners = faces.corners[faces.body == b].reshape(-1, 3)
        there = (r[b] + corners @ A[b].T)[:, [0, 2]]
        low, high = there.min(axis=0), there.max(axis=0)
        assert (np.abs(drawn - low).min(axis=0) < 1e-9).all()
        assert (np.abs(drawn - high).min(axis=0) < 1e-9).all()


def test_pictures_are_written_at_times_of_the_run(tmp_path: Path) -> None:
    result = run(mechanism())
    result.picture(t=0.3, path=tmp_path / "pose.png", dpi=50)
    assert Image.open(tmp_path / "pose.png").size == (320, 240)
    result.picture(t=[0, 0.5, 1.0], path=tmp_path / "several.svg")
    with pytest.raises(UsageError, match="goes from 0 to 2 s"):
        result.picture(t=2.5)
    with pytest.raises(OutputExistsError):
        result.picture(path=tmp_path / "pose.png")
    assert "Motion, 5 instants" in plot(result, "stroboscope", instants=5).axes[0].get_title(loc="left")


def test_phase_and_spectrum_of_a_sine() -> None:
    result = run(mechanism(), 2001, 5 * np.pi)  # the pivot turns by 2 sin(2 t)
    line, dot, *_ = plot(result, "phase", joints=["pivot"]).axes[0].lines
    angle, rate = line.get_data()
    assert (angle / 2) ** 2 + (rate / 4) ** 2 == pytest.approx(1.0, abs=1e-9)
    assert [float(x[0]) for x in dot.get_data()] == pytest.approx([0, 4])
    frequency, amplitude = plot(result, "spectrum", joints=["pivot"]).axes[0].lines[0].get_data()
    assert frequency[np.argmax(amplitude)] == pytest.approx(1 / np.pi, rel=1e-3)
    assert amplitude.max() == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize("ending", [".gif", ".webp"])
def test_a_film_is_as_long_as_its_run(tmp_path: Path, ending: str) -> None:
    path = film(run(mechanism()), tmp_path / f"run{ending}", fps=10, speed=2.0, pixels=(160, 120))
    made = Image.open(path)
    assert made.size == (160, 120)
    assert made.n_frames == 11  # 2 s at twice the speed, ten pictures in a second
    first = np.asarray(made.convert("RGB"), dtype=float)
    made.seek(6)
    assert np.abs(np.asarray(made.convert("RGB"), dtype=float) - first).max() > 100


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("run.avi", {}, "not written as '.avi'"),
        ("run.gif", {"speed": 0.0}, "Speed is a number above 0"),
        ("run.gif", {"speed": "fast"}, "a film of speed 'fast'"),
        ("run.gif", {"fps": float("nan")}, "fps one up to 100"),
        ("run.gif", {"fps": True}, "fps one up to 100"),
        ("run.gif", {"pixels": 640}, "two whole numbers from 16 to 4096"),
        ("run.gif", {"pixels": (640.5, 480)}, "two whole numbers"),
        ("run.gif", {"speed": 1e-3}, "more than 3000"),
        ("run.gif", {"pixels": (9999, 100)}, "16 to 4096"),
    ],
)
def test_films_that_cannot_be_are_refused(tmp_path: Path, name: str, options: dict, said: str) -> None:  # type: ignore[type-arg]
    with pytest.raises(UsageError, match=said):
        film(run(mechanism()), tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []


def test_without_ffmpeg_the_way_out_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(UsageError, match="need ffmpeg") as error:
        film(run(mechanism()), tmp_path / "run.mp4")
    assert "gif" in str(error.value)


@pytest.mark.parametrize("ending", [".mp4", ".webm"])
def test_ffmpeg_writes_the_others(tmp_path: Path, ending: str) -> None:
    if shutil.which("ffmpeg") is None:
        pytest.importorskip("imageio_ffmpeg", reason="neither ffmpeg nor the extra 'film' is installed")
    path = film(run(mechanism(), t_end=0.5), tmp_path / f"run{ending}", fps=10, pixels=(160, 120))
    start = path.read_bytes()[:12]
    assert start[4:8] == b"ftyp" if ending == ".mp4" else start[:4] == b"\x1aE\xdf\xa3"
    assert path.stat().st_size > 1500


# coordinates of joints


@pytest.fixture(scope="module")
def crank() -> lw.Result:
    """A run of 1 s, whose crank pin turns past half a revolution."""
    return lw.simulate(lw.load("kissel2021_slider_crank"), 1.0, 1e-2, formulation="rA")


@pytest.mark.parametrize("kind", ["joints", "phase", "spectrum"])
def test_what_a_picture_of_coordinates_leaves_out_stands_in_its_title(kind: str, crank: lw.Result) -> None:
    title = crank.plot(kind).axes[0].get_title(loc="left")
    assert "(angles; 2 displacements left out)" in title
    assert ("3 coordinates left out, that jump" in title) == (kind == "spectrum")
    alone = crank.plot(kind, joints=["slider guide"]).axes[0]
    assert "left out" not in alone.get_title(loc="left")
    assert len([one for one in alone.get_lines() if not str(one.get_label()).startswith("_")]) == 1


def test_turns_of_a_ball_that_jump_are_not_joined_by_a_line(crank: lw.Result) -> None:
    pin = crank.joint("crank pin")
    (jump,) = np.flatnonzero(np.abs(np.diff(pin["turn_x"])) > np.pi) + 1
    lines = {str(one.get_label()): one for one in crank.plot("joints", joints=["crank pin"]).axes[0].get_lines()}
    for name in ("turn_x", "turn_y", "turn_z"):  # another vector of the same rotation
        drawn = np.asarray(lines[f"crank pin.{name}"].get_ydata())
        assert np.flatnonzero(np.isnan(drawn)).tolist() == [jump]
        np.testing.assert_array_equal(np.delete(drawn, jump), np.delete(pin[name], jump))


def test_many_coordinates_are_named_as_far_as_a_legend_is_read() -> None:
    run = lw.simulate(lw.load("stewart_platform"), 0.2, 1e-2, formulation="canonical")
    for kind in ("joints", "phase", "spectrum"):
        labels = [text.get_text() for text in run.plot(kind).axes[0].get_legend().get_texts()]
        assert len(labels) == 6
        assert labels[-1] == "... 25 more"


def test_a_constant_speed_is_no_upper_edge() -> None:
    run = lw.simulate(lw.load("gyroscope"), 0.2, 1e-2, formulation="canonical")
    for kind in ("velocities", "reactions"):
        ax = run.plot(kind).axes[0]
        low, high = ax.get_ylim()
        assert low == 0.0
        assert high > 1.05 * np.max(ax.get_lines()[0].get_ydata())


def test_the_change_of_the_energy_is_seen_above_what_it_equals() -> None:
    run = lw.simulate(lw.load("gyroscope"), 0.2, 1e-2, formulation="canonical")
    *_, work, rest, change = run.plot("energy-drift").axes[0].get_lines()
    assert [one.get_label() for one in (work, rest, change)] == ["work done", "unexplained", "change"]
    assert change.get_zorder() > rest.get_zorder()
    assert change.is_dashed()
