"""Modes of small vibration in the complex plane, and the frequency response of a linear model (Bode's plot)."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from linkwork.arguments import whole_number
from linkwork.errors import UsageError
from linkwork.linearisation.linear_model import angular_frequencies
from linkwork.plots.style import ALARM, COLOURS, QUIET, applied, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.linearisation.linear_model import LinearModel
    from linkwork.linearisation.modes import Modes

NAMED = 12  # modes that are numbered in the picture


def draw_modes(ax: Axes, modes: Modes) -> None:
    """Eigenvalues, 1/s; those whose motion grows in another colour."""
    values = np.concatenate([modes.eigenvalues, modes.eigenvalues[modes.eigenvalues.imag > 0.0].conj()])
    size = max(float(np.max(np.abs(values), initial=0.0)), 1e-300)
    grows = values.real > 1e-9 * size
    ax.axvline(0.0, color=QUIET, linewidth=0.8)
    ax.plot(values.real[~grows], values.imag[~grows], "x", color=COLOURS[0], label="stays or decays")
    if grows.any():
        ax.plot(values.real[grows], values.imag[grows], "x", color=ALARM, label="grows")
        ax.legend()
    for k, value in enumerate(modes.eigenvalues[:NAMED]):
        ax.annotate(f"{k}: {modes.frequencies[k]:.3g} Hz", (value.real, value.imag), (5, 4), textcoords="offset points")
    ax.margins(0.2, 0.1)
    ax.set_xlabel("real part, 1/s")
    ax.set_ylabel("imaginary part, 1/s")
    ax.set_title("eigenvalues")


def draw_response(axes: Any, model: LinearModel, frequencies: Any, output: int = 0, input: int = 0) -> None:
    """Magnitude and phase of one output for one input, into two axes. frequencies : angular, rad/s."""
    w = angular_frequencies(frequencies)
    if not len(w) or np.any(w <= 0.0):
        raise UsageError("a response is drawn over positive frequencies, rad/s, at least one.")
    for what, chosen, names in (("output", output, model.outputs), ("input", input, model.inputs)):
        if not names:
            remedy = f"Name some: linearise(mech, {what}s=[...])."
            raise UsageError(f"the linear model has no {what}s: there is no response to draw.", remedy=remedy)
        if whole_number(what, chosen, 0) >= len(names):
            raise UsageError(f"there are {len(names)} {what}s, counted from 0, no {what} {chosen}.")
    found = model.response(w)[:, output, input]
    axes[0].loglog(w, np.abs(found), color=COLOURS[0])
    axes[0].set_ylabel("magnitude")
    axes[0].set_title(words(f"{model.outputs[output]} for {model.inputs[input]}"))
    axes[1].semilogx(w, np.degrees(np.unwrap(np.angle(found))), color=COLOURS[0])
    axes[1].set_ylabel("phase, degrees")
    axes[1].set_xlabel("angular frequency, rad/s")


def plot_modes(modes: Modes, path: str | PathLike[str] | None = None, *, force: bool = False) -> Figure:
    """The complex plane; written to a .png, .svg or .pdf file if `path` is given."""
    with applied():
        page = Figure(figsize=(6.0, 4.6), layout="constrained")
        draw_modes(page.add_subplot(), modes)
    return _saved(page, path, force)


def plot_response(
    model: LinearModel,
    frequencies: Any,
    path: str | PathLike[str] | None = None,
    *,
    output: int = 0,
    input: int = 0,
    force: bool = False,
) -> Figure:
    """Bode's plot of one output for one input; written to a file if `path` is given. frequencies : rad/s."""
    with applied():
        page = Figure(figsize=(6.0, 4.6), layout="constrained")
        draw_response(page.subplots(2, 1, sharex=True), model, frequencies, output, input)
    return _saved(page, path, force)


def _saved(page: Figure, path: str | PathLike[str] | None, force: bool) -> Figure:
    if path is not None:
        from linkwork.plots import save_figure

        save_figure(page, path, force=force)
    return page
