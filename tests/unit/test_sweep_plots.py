"""Pictures of sweeps: what is drawn is what was found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from linkwork.errors import UsageError
from linkwork.plots import SWEEP_PLOTS
from linkwork.plots.sweeps import plot
from linkwork.sweeps.found import Sweep

X, Y = (one.reshape(-1) for one in np.meshgrid(np.arange(4.0), np.arange(3.0), indexing="ij"))
TIME = np.linspace(0.0, 1.0, 5)


def found() -> Sweep:
    arrays = {"z": 10.0 * X + Y, "q": X[:, None] * TIME}
    arrays["z"][5] = np.nan
    status = np.where(np.isnan(arrays["z"]), 1, 0)
    return Sweep({"x": X, "y": Y}, arrays, {"z": ("run",), "q": ("run", "time")}, TIME, status, {5: "failed"}, {})


@pytest.mark.parametrize("kind", SWEEP_PLOTS)
def test_every_plot_is_drawn_and_written(kind: str, tmp_path: Path) -> None:
    figure = plot(found(), kind, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 1000
    assert len(figure.axes) >= 1


def test_a_heat_map_has_a_cell_for_each_run_and_a_hole_where_one_failed() -> None:
    (ax, _) = plot(found(), "heat-map").axes
    shown = ax.collections[0].get_array()
    np.testing.assert_array_equal(shown.mask.T.reshape(-1), np.isnan(found()["z"]))
    np.testing.assert_array_equal(shown.data[1], 10.0 * np.arange(4.0) + 1.0)
    assert ax.get_xlim() == (-0.5, 3.5)


def test_bands_are_quantiles_of_the_runs() -> None:
    (ax,) = plot(found(), "bands", of="q").axes
    np.testing.assert_allclose(ax.lines[0].get_ydata(), 1.5 * TIME)


def test_lines_of_parallel_coordinates_are_the_runs_that_have_all_numbers() -> None:
    (ax,) = plot(found(), "parallel").axes
    assert len(ax.collections[0].get_segments()) == 11


def wide() -> Sweep:
    """Long names, a number that is always the same, and what is said of runs besides."""
    swept = {f"connecting rod {k}.mass": X * (k + 1) for k in range(4)}
    names = "max('crank pivot'.reaction_force.x**2 + 1)", "always", "judgement", "in_lanes"
    arrays = dict(zip(names, (10.0 * X + Y, np.zeros(12), np.zeros(12), np.ones(12)), strict=True))
    return Sweep(swept, arrays, dict.fromkeys(names, ("run",)), TIME, np.zeros(12), {}, {})


@pytest.mark.parametrize("kind", ["parallel", "pairs"])
def test_labels_stand_within_the_picture_and_beside_each_other(kind: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = plot(wide(), kind)
    FigureCanvasAgg(figure).draw()
    labels = [one for ax in figure.axes for one in (ax.xaxis.label, ax.yaxis.label)]
    labels = labels if kind == "pairs" else figure.axes[0].get_xticklabels()
    boxes = [one.get_window_extent() for one in labels if one.get_text()]
    assert len(boxes) == (6 if kind == "parallel" else 12)
    for k, box in enumerate(boxes):
        assert box.x0 >= 0.0
        assert box.y0 >= 0.0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height
        assert not any(box.overlaps(other) for other in boxes[:k])


def test_numbers_that_differ_little_are_told_apart_and_stand_beside_each_other() -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    swept = {"a": 7800.0 + 1e-3 * X, "b": 1e4 + 1e-2 * Y}
    near = Sweep(swept, {"z": 1e-7 * X + 2.0}, {"z": ("run",)}, TIME, np.zeros(12), {}, {})
    (ax,) = plot(near, "parallel").axes
    assert [one.get_text().split("\n")[1] for one in ax.get_xticklabels()] == [
        "7800 to 7800.003", "10000 to 10000.02", "2 to 2.0000003",
    ]  # fmt: skip
    figure = plot(near, "pairs")
    FigureCanvasAgg(figure).draw()
    for row in (figure.axes[6:], figure.axes[:3]):
        told = [one for ax in row for one in ax.get_xticklabels() if one.get_visible() and one.get_text()]
        boxes = [one.get_window_extent() for one in told]
        assert not any(box.overlaps(other) for k, box in enumerate(boxes) for other in boxes[:k])
    assert not any(ax.xaxis.offsetText.get_visible() for ax in figure.axes)
    assert "10^{4}" in figure.axes[7].get_xlabel()  # what is to be added to the ticks


def test_runs_are_coloured_by_a_number_that_differs() -> None:
    (ax,) = plot(wide(), "parallel").axes
    assert "reaction_force" in ax.get_title(loc="left")
    assert "always 0" in ax.get_xticklabels()[-1].get_text()
    assert len(np.unique(ax.collections[0].get_colors(), axis=0)) == 12
    (ax,) = plot(wide(), "parallel", of="in_lanes", names=["in_lanes", "always"]).axes
    assert "in_lanes" in ax.get_title(loc="left")


def test_few_values_have_a_bar_each() -> None:
    first, *_ = plot(wide(), "pairs").axes
    np.testing.assert_allclose(sorted(bar.get_x() + bar.get_width() / 2 for bar in first.patches), np.arange(4.0))
    assert {bar.get_height() for bar in first.patches} == {3}


def test_names_that_are_not_there_are_refused() -> None:
    with pytest.raises(UsageError, match="no 'w'"):
        plot(found(), "heat-map", of="w")
    with pytest.raises(UsageError, match="no sweep plot"):
        plot(found(), "pie")
