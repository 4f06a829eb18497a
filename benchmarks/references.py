"""Where the bodies truly are: closed forms, or a fine ODE in independent coordinates, derived apart from linkwork.

A run counts beside another only if it computed the motion. Every function takes times (nt,) in s and gives
positions (nt, nb, 3) in m, bodies in the order of the shipped file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.kissel import crank_at, link_poses, pendulum_pose
from benchmarks.models import Array
from linkwork.studies.papers.kissel2021.double_pendulum import angles

SAMPLES: Array = np.linspace(0.3, 3.0, 10)  # s, where runs of 3 s are compared


def _stacked(poses: Callable[[float], dict[str, Any]], times: Array) -> Array:
    return np.array([[r for r, _ in poses(float(t)).values()] for t in times])


def single_pendulum(times: Array) -> Array:
    """The prescribed angle."""
    return _stacked(lambda t: {"bar": pendulum_pose(t)}, times)


def four_link(times: Array) -> Array:
    """The loop closed by hand at the rotor's angle pi t."""
    return _stacked(link_poses, times)


def slider_crank(times: Array) -> Array:
    """The loop closed by hand at the crank's angle pi/2 - 2 pi t."""
    return _stacked(lambda t: crank_at(np.pi / 2.0 - 2.0 * np.pi * t), times)


def double_pendulum(times: Array) -> Array:
    """Lagrange's equations in the two absolute angles from the downward vertical, as in the study of Figure 3."""
    a, b = angles(np.asarray(times))[:2]
    first, second = (np.stack([0.0 * x, np.sin(x), -np.cos(x)], axis=-1) for x in (a, b))
    return np.stack([2.0 * first, 4.0 * first + second], axis=1)


def planar_four_bar(times: Array) -> Array:
    """Crank 0.2, coupler 0.5, rocker 0.4, pivots 0.5 m apart; the crank turns once a second from 60 degrees."""
    angle = np.pi / 3.0 + 2.0 * np.pi * np.asarray(times)
    B = 0.2 * np.stack([np.cos(angle), 0.0 * angle, np.sin(angle)], axis=-1)
    D = np.array([0.5, 0.0, 0.0])
    d = np.linalg.norm(B - D, axis=-1, keepdims=True)
    along = (B - D) / d
    a = (0.4**2 - 0.5**2 + d**2) / (2.0 * d)
    across = np.stack([along[:, 2], along[:, 1], -along[:, 0]], axis=-1)  # the branch with the rocker pin above
    C = D + a * along + np.sqrt(0.4**2 - a**2) * across
    return np.stack([B / 2.0, (B + C) / 2.0, (C + D) / 2.0], axis=1)


def gyroscope(times: Array) -> Array:
    """Steady precession: the centre of mass goes round a level circle."""
    across, height, speed = 0.1 * np.sin(np.pi / 3.0), 0.05, 0.4531455352396092
    angle = speed / across * np.asarray(times)
    return np.stack([across * np.cos(angle), across * np.sin(angle), height + 0.0 * angle], axis=-1)[:, None, :]


def rolling_disc(times: Array) -> Array:
    """A steady circle at 1.5 rad/s; the disc leans to its centre, at negative x."""
    rate, speed = 1.5, 1.561258710651217
    angle = rate * np.asarray(times)
    x, y = speed / rate * (np.cos(angle) - 1.0), speed / rate * np.sin(angle)
    return np.stack([x, y, 0.3 * np.cos(np.pi / 9.0) + 0.0 * x], axis=-1)[:, None, :]


def spring_crank(times: Array) -> Array:
    """The spring-driven slider crank in its crank angle q: M qdd + M' qd^2 / 2 + V' + c x'^2 qd = 0."""
    masses = (0.12, 0.5, 2.0)
    inertias = np.array([[1e-4, 1e-5, 1e-4], [4e-4, 4e-3, 4e-3], [1e-4, 1e-4, 1e-4]])

    def turned(q: Any) -> tuple[Any, Any, Any]:
        """Positions (3, 3), their slopes and the bodies' angular velocities for dq/dt = 1."""
        step = 1e-30
        poses = crank_at(q + 1j * step).values()
        r = np.array([r for r, _ in poses])
        W = [A.real.T @ A.imag / step for _, A in poses]
        return r.real, r.imag / step, np.array([(w[2, 1], w[0, 2], w[1, 0]) for w in W])

    def energies(q: float) -> tuple[float, float, float]:
        """Generalised mass, potential energy, slope of the slider's place."""
        r, slope, omega = turned(q)
        M = sum(m * s @ s for m, s in zip(masses, slope, strict=True)) + np.sum(inertias * omega**2)
        stretch = 0.5 - r[2, 0] - 0.25
        return float(M), float(9.81 * np.dot(masses, r[:, 2]) + 100.0 * stretch**2), float(slope[2, 0])

    def rates(_: float, y: Array) -> Array:
        q, qd, e = y[0], y[1], 1e-5
        (Mp, Vp, _), (Mm, Vm, _), (M, _, slope) = energies(q + e), energies(q - e), energies(q)
        pull = (Mp - Mm) / (2.0 * e) * qd**2 / 2.0 + (Vp - Vm) / (2.0 * e) + 0.5 * slope**2 * qd
        return np.array([qd, -pull / M])

    angles = _solved(rates, [np.pi / 3.0, 0.0], times, 1e-10)[0]
    return np.array([turned(q)[0] for q in angles])


Rates = Callable[[float, Array], Array]


def _solved(rates: Rates, start: list[float], times: Array, tolerance: float = 1e-12) -> Array:
    span = (0.0, float(times[-1]))
    found = solve_ivp(rates, span, start, method="DOP853", rtol=tolerance, atol=1e-2 * tolerance, t_eval=times)
    return np.asarray(found.y)


REFERENCES: dict[str, Callable[[Array], Array]] = {
    "kissel2021_single_pendulum": single_pendulum,
    "kissel2021_double_pendulum": double_pendulum,
    "kissel2021_four_link": four_link,
    "kissel2021_slider_crank": slider_crank,
    "planar_four_bar": planar_four_bar,
    "spatial_slider_crank_spring": spring_crank,
    "gyroscope": gyroscope,
    "rolling_disc": rolling_disc,
}


@cache
def truth(name: str) -> Any:
    """The true positions (nt, nb, 3) at `SAMPLES`."""
    return REFERENCES[name](SAMPLES)


def position_error(name: str, time: Array, position: Array) -> float:
    """The largest distance (m) of any body from its true place at `SAMPLES`; inf where the run stops before them.

    time : (nt,) s, holding the samples to within rounding.   position : (nt, nb, 3) m.
    """
    at = np.searchsorted(time, SAMPLES - 1e-9)
    if at[-1] >= len(time) or not np.all(np.isfinite(position[at])):
        return float("inf")
    apart: Any = position[at] - truth(name)
    return float(np.sqrt(np.max(np.sum(apart**2, axis=-1))))
