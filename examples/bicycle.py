"""The benchmark bicycle: at which speeds it stands by itself, from linear models about riding straight on.

python examples/bicycle.py
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

import linkwork as lw

SIDEWAYS = 1e-3  # 1/s, slower than which a motion is one of the directions in which the bicycle may stand anywhere


def build(speed: float, lean: float = 0.0) -> lw.Mechanism:
    """Two wheels that roll, a frame with its rider, a fork: numbers of the benchmark of Meijaard, Papadopoulos, Ruina
    and Schwab 2007, in SI units, x forwards and z upwards.

    speed : m/s, straight on. lean : rad, of the whole bicycle about the line on which its wheels stand.
    """
    tilt = math.pi / 10.0  # of the steering axis, backwards
    c, s = math.cos(lean), math.sin(lean)
    over = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])  # leans about x
    mech = lw.Mechanism("bicycle", gravity=(0.0, 0.0, -9.81))

    def wheel(name: str, mass: float, x: float, radius: float, across: float, along: float) -> None:
        turned = over @ np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # its z axis is the hub
        mech.body(
            name, mass=mass, inertia=[across, across, along], position=(over @ [x, 0.0, radius]).tolist(),
            rotation=turned.tolist(), velocity=[speed, 0.0, 0.0], angular_velocity=[0.0, 0.0, -speed / radius],
        )  # fmt: skip

    def part(name: str, mass: float, place: list[float], xx: float, yy: float, zz: float, xz: float) -> None:
        mech.body(
            name, mass=mass, inertia=[[xx, 0.0, xz], [0.0, yy, 0.0], [xz, 0.0, zz]],
            position=(over @ place).tolist(), rotation=over.tolist(),
            velocity=[speed, 0.0, 0.0], angular_velocity=[0.0, 0.0, 0.0],
        )  # fmt: skip

    wheel("rear wheel", 2.0, 0.0, 0.3, 0.0603, 0.12)
    part("frame", 85.0, [0.3, 0.0, 0.9], 9.2, 11.0, 2.8, -2.4)
    part("fork", 4.0, [0.9, 0.0, 0.7], 0.05892, 0.06, 0.00708, 0.00756)
    wheel("front wheel", 3.0, 1.02, 0.35, 0.1405, 0.28)
    hub = (over @ [0.0, 1.0, 0.0]).tolist()
    steering = (over @ [-math.sin(tilt), 0.0, math.cos(tilt)]).tolist()
    mech.joint("rear hub", "revolute", "rear wheel", "frame", point=(over @ [0.0, 0.0, 0.3]).tolist(), axis=hub)
    mech.joint("steering", "revolute", "frame", "fork", point=[1.1, 0.0, 0.0], axis=steering)  # a trail of 0.08 m
    mech.joint("front hub", "revolute", "fork", "front wheel", point=(over @ [1.02, 0.0, 0.35]).tolist(), axis=hub)
    for name, radius in (("rear", 0.3), ("front", 0.35)):
        mech.joint(
            f"{name} contact", "rolling-disc", "ground", f"{name} wheel", radius=radius,
            on_first={"point": [0.0, 0.0, 0.0], "axis": [0.0, 0.0, 1.0]}, on_second={"axis": [0.0, 0.0, 1.0]},
        )  # fmt: skip
    return mech


def eigenvalues(speed: float) -> np.ndarray:
    """Those that say how it falls or rights itself, 1/s: castering, capsize, and weave, which swings."""
    found = _all(speed)
    moving: np.ndarray = np.sort_complex(found[np.abs(found) > SIDEWAYS])
    return moving


def _all(speed: float) -> np.ndarray:
    mech = build(speed)
    found: np.ndarray = lw.modes(mech, lw.steady_motion(mech, turning=(0.0, 0.0, 0.0))).eigenvalues
    return found


def main(arguments: list[str] | None = None) -> None:
    """The eigenvalues at some speeds, and between which ones none grows."""
    parser = argparse.ArgumentParser(description="At which speeds a bicycle stands by itself.")
    parser.add_argument("--out", type=Path, help="a folder for the picture")
    out = parser.parse_args(arguments).out

    for speed in (3.0, 5.0, 7.0):
        told = ", ".join(f"{z.real:+.6f}" + (f" +- {z.imag:.6f}i" if z.imag else "") for z in eigenvalues(speed))
        print(f"{speed:g} m/s: {told}")
    weave = brentq(lambda v: max(z.real for z in eigenvalues(v) if z.imag > 0.0), 4.0, 4.6, xtol=1e-9)
    capsize = brentq(capsizing, 5.9, 6.2, xtol=1e-9)
    print(f"it rights itself between {weave:.3f} and {capsize:.3f} m/s")
    if out is not None:
        draw(out)


def capsizing(speed: float) -> float:
    """The eigenvalue with which it leans over, 1/s: what is left beside castering, weave, and those that are zero."""
    found = _all(speed)
    rest = np.delete(found, [int(np.argmin(found.real)), int(np.argmax(found.imag))])
    return float(np.sum(rest.real))


def draw(folder: Path) -> None:
    """Real parts over speed."""
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    page = Figure(figsize=(9.0, 4.0), layout="constrained")
    axes = page.add_subplot()
    for speed in np.linspace(0.5, 9.0, 60):
        found = eigenvalues(speed)
        axes.plot(np.full(len(found), speed), found.real, ".", color="C0", markersize=3.0)
        swings = found[found.imag != 0.0]
        axes.plot(np.full(len(swings), speed), swings.imag, ".", color="C1", markersize=3.0)
    axes.axhline(0.0, color="0.6", linewidth=0.8)
    axes.set(
        xlabel="speed, m/s", ylabel="eigenvalue, 1/s", ylim=(-10.0, 10.0), title="real parts blue, imaginary orange"
    )
    page.savefig(folder / "bicycle.png", dpi=120)


if __name__ == "__main__":
    main()
