"""Amplitudes of joint coordinates over frequency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.plots.coordinates import coordinates
from linkwork.plots.style import largest_in_colour, legend, look, nothing, words
from linkwork.shown import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from linkwork.header import Array
    from linkwork.result import Result

FEWEST = 16  # samples


def amplitudes(time: Array, values: Array) -> tuple[Array, Array]:
    """Frequencies, Hz, and amplitudes of the sines that a series is made of, its straight line taken out.

    Uneven samples are interpolated to even ones; a Hann window keeps neighbours apart.
    """
    even = np.linspace(time[0], time[-1], time.size)
    series = np.interp(even, time, values)
    series = series - np.polyval(np.polyfit(even, series, 1), even)
    window = np.hanning(even.size)
    spacing = float(even[1] - even[0])
    return np.fft.rfftfreq(even.size, spacing), 2.0 * np.abs(np.fft.rfft(series * window)) / window.sum()


def draw(ax: Axes, result: Result, *, joints: Sequence[str] | None = None, **style: Any) -> None:
    """The amplitude of each coordinate over frequency, logarithmic."""
    title = "Spectrum of joint coordinates"
    known, left_out = coordinates(result, joints)
    found = [one for one in known if np.isfinite(one.values).all()]
    if len(found) < len(known):
        left_out += f"\n({counted(len(known) - len(found), 'coordinate')} left out, that jump or are not finite)"
    if not found or result.time.size < FEWEST:
        nothing(ax, title, f"no joint with coordinates, or fewer than {FEWEST} samples")
        return
    for k, one in enumerate(found):
        frequency, amplitude = amplitudes(result.time, one.values)
        ax.semilogy(frequency, np.maximum(amplitude, 1e-16), label=words(one.label), **{**look(k), **style})
    ax.set_title(title + left_out, loc="left")
    ax.set_xlabel("frequency [Hz]")
    ax.set_ylabel("amplitude [rad]" if found[0].unit == "rad" else "amplitude [m]")
    if joints is None:
        largest_in_colour(ax)
    legend(ax)
