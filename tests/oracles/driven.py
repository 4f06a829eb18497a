"""Closed-form motion of mechanisms with one driven angle, and the torque their driver needs.

Each mechanism is geometry as a function of the driven angle u (bodies: centre, and the three body axes), worked out
from the drawing, with u(t) beside it. Everything else follows by the chain rule; the torque by virtual power:
    torque = sum of m (a - g) . dr/du + (J alpha + omega x J omega) . domega/du'.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from oracles.jets import Jet, cos, cross, dot, sin, sqrt, times, unit, vector

GRAVITY = np.array([0.0, 0.0, -9.81])


class Motion(NamedTuple):
    """One body: nt samples; omega and alpha in body components. r_u, w_u: partial velocities by u'."""

    r: np.ndarray
    A: np.ndarray
    v: np.ndarray
    w: np.ndarray
    a: np.ndarray
    alpha: np.ndarray
    r_u: np.ndarray
    w_u: np.ndarray


class Driven(NamedTuple):
    """A mechanism: geometry(u jet) gives per body (centre, x, y, z axes); law(t) gives (u, u', u'')."""

    geometry: object
    law: object
    mass: tuple
    inertia: tuple


def box(length, side, density):
    """Mass and moments of a bar along its x axis."""
    m = density * length * side**2
    return m, (m * side**2 / 6, m * (side**2 + length**2) / 12, m * (side**2 + length**2) / 12)


def single_pendulum(u):
    along = vector(0.0, sin(u), -cos(u))
    pin = vector(1.0, 0.0, 0.0)
    return [(times(Jet(2.0), along), along, cross(pin, along), pin)]


def slider_crank(u):
    arm = vector(0.0, cos(u), sin(u))
    up = vector(0.0, -sin(u), cos(u))
    centre = vector(0.0, 0.1, 0.12)
    B = centre + times(Jet(0.08), arm)
    C = vector(sqrt(0.3**2 - B[1] * B[1] - B[2] * B[2]), 0.0, 0.0)
    guide = vector(1.0, 0.0, 0.0)
    rod = times(Jet(1 / 0.3), C - B)
    y = unit(cross(guide, rod))
    fixed = (vector(0.0, 0.0, -1.0), vector(0.0, 1.0, 0.0), vector(1.0, 0.0, 0.0))
    return [
        (centre, guide, arm, up),
        (times(Jet(0.5), B + C), rod, y, cross(rod, y)),
        (C, *fixed),
    ]


def four_link(u):
    outward = vector(0.0, -sin(u), cos(u))  # from the rotor's pivot to B
    B = times(Jet(2.0), outward)
    axis = vector(1.0, 0.0, 0.0)
    D = vector(-4.0, -8.5, 0.0)
    k, length = 7.4, 12.2
    q = B - D
    # the unit vector n = (C - D) / k lies in the x-z plane and has n . q = K: |q - k n| = length
    K = (dot(q, q) + k**2 - length**2) / (2 * k)
    rho2 = q[0] * q[0] + q[2] * q[2]
    side = sqrt(rho2 - K * K)
    n = vector((K * q[0] - side * q[2]) / rho2, 0.0, (K * q[2] + side * q[0]) / rho2)
    C = D + times(Jet(k), n)
    R1 = (times(Jet(-1.0), outward), cross(outward, axis), axis)
    arm = times(Jet(-0.662), R1[1]) + times(Jet(0.75), R1[2])  # the cross's axis on the rotor
    y2 = times(Jet(1 / length), B - C)
    z2 = unit(cross(arm, y2))
    y3 = times(Jet(-1.0), n)
    x3 = vector(0.0, -1.0, 0.0)
    return [
        (vector(0.0, 0.0, 0.0), *R1),
        (times(Jet(0.5), B + C), cross(y2, z2), y2, z2),
        (times(Jet(0.5), C + D), x3, y3, cross(x3, y3)),
    ]


def planar_four_bar(u):
    """Crank 0.2, coupler 0.5, rocker 0.4, pivots 0.5 m apart, in the x-z plane; u from +x towards +z."""
    P = vector(0.2 * cos(u), 0.0, 0.2 * sin(u))
    O = vector(0.5, 0.0, 0.0)
    d = O - P
    d2 = dot(d, d)
    along = (d2 + 0.5**2 - 0.4**2) / (2.0 * d2)  # foot of Q's perpendicular on the line P O
    high = sqrt(0.5**2 / d2 - along * along)
    Q = P + times(along, d) + times(high, vector(-d[2], 0.0, d[0]))

    def bar(start, end, length):
        x = times(Jet(1 / length), end - start)
        y = vector(0.0, 1.0, 0.0)
        return (times(Jet(0.5), start + end), x, y, cross(x, y))

    return [bar(vector(0.0, 0.0, 0.0), P, 0.2), bar(P, Q, 0.5), bar(O, Q, 0.4)]


def constant_rate(start, rate):
    return lambda t: (start + rate * t, np.full_like(t, rate), np.zeros_like(t))


def swing(t):
    return np.pi / 4 * np.cos(2 * t), -np.pi / 2 * np.sin(2 * t), -np.pi * np.cos(2 * t)


BAR = box(4.0, 0.05, 7800.0)
LINKS = [box(length, 0.02, 7800.0) for length in (0.2, 0.5, 0.4)]
MECHANISMS = {
    "kissel2021_single_pendulum": Driven(single_pendulum, swing, (BAR[0],), (BAR[1],)),
    "kissel2021_four_link": Driven(
        four_link, constant_rate(0.0, np.pi), (2.0, 1.0, 1.0), ((4.0, 2.0, 0.0), (12.4, 0.01, 0.0), (4.54, 0.01, 0.0))
    ),
    "kissel2021_slider_crank": Driven(
        slider_crank,
        constant_rate(np.pi / 2, -2 * np.pi),
        (0.12, 0.5, 2.0),
        ((1e-4, 1e-5, 1e-4), (4e-3, 4e-4, 4e-3), (1e-4, 1e-4, 1e-4)),
    ),
    "planar_four_bar": Driven(
        planar_four_bar,
        constant_rate(np.pi / 3, 2 * np.pi),
        tuple(m for m, _ in LINKS),
        tuple(J for _, J in LINKS),
    ),
}


def _vee(S):
    return 0.5 * np.stack([S[..., 2, 1] - S[..., 1, 2], S[..., 0, 2] - S[..., 2, 0], S[..., 1, 0] - S[..., 0, 1]], -1)


def motions(name: str, t) -> list[Motion]:
    """The motion of every body at the times t."""
    mechanism = MECHANISMS[name]
    t = np.asarray(t, dtype=float)
    u, du, ddu = (np.asarray(x)[:, None] for x in mechanism.law(t))
    out = []
    for centre, *axes in mechanism.geometry(Jet(u[:, 0], 1.0, 0.0)):
        r, r_u, r_uu = (np.broadcast_to(x, (len(t), 3)) for x in (centre.f, centre.f1, centre.f2))
        A, A_u, A_uu = (
            np.stack([np.broadcast_to(getattr(axis, k), (len(t), 3)) for axis in axes], axis=-1)
            for k in ("f", "f1", "f2")
        )
        back = np.swapaxes(A, 1, 2)
        w_u = _vee(back @ A_u)
        w_uu = _vee(back @ A_uu)  # the other part of its derivative, A_u^T A_u, is symmetric
        out.append(Motion(r, A, r_u * du, w_u * du, r_uu * du**2 + r_u * ddu, w_uu * du**2 + w_u * ddu, r_u, w_u))
    return out


def driver_torque(name: str, t) -> np.ndarray:
    """The torque that drives the angle u [N m], positive in the sense of u."""
    mechanism = MECHANISMS[name]
    total = np.zeros(len(t))
    for m, J, body in zip(mechanism.mass, mechanism.inertia, motions(name, t), strict=True):
        J = np.asarray(J)
        turning = J * body.alpha + np.cross(body.w, J * body.w)
        total += np.sum(m * (body.a - GRAVITY) * body.r_u, axis=1) + np.sum(turning * body.w_u, axis=1)
    return total
