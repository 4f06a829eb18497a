"""A satellite in a field that falls with the square of the distance: Kepler's orbit, and librations by its gradient.

python examples/gravity_field.py [--out FOLDER]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import linkwork as lw

MU, NEAR, ECCENTRICITY = 3.986004418e14, 7.0e6, 0.1  # m^3/s^2 of the earth; m from its centre, at the nearest point
MASS, INERTIA = 50.0, (10.0, 12.0, 4.0)  # kg; kg m^2 about the satellite's axes, z the slender one
AXES = "xyz"


def build(eccentricity: float, tilt: float) -> lw.Mechanism:
    """The satellite at its nearest point on the x axis, moving along y; its z axis is off the vertical by `tilt`."""
    speed = np.sqrt(MU / NEAR * (1.0 + eccentricity))
    c, s = np.sin(tilt), np.cos(tilt)  # of z from the y axis: the vertical is x
    mech = lw.Mechanism("satellite", gravity=(0.0, 0.0, 0.0))
    mech.parameter("mu", MU, unit="m^3/s^2")
    rotation = np.column_stack([[-c, s, 0.0], [0.0, 0.0, 1.0], [s, c, 0.0]]).tolist()
    turning = [0.0, speed / NEAR, 0.0]  # once an orbit, about the body's y axis, the orbit's normal
    mech.body(
        "satellite",
        mass=MASS,
        inertia=list(INERTIA),
        position=[NEAR, 0.0, 0.0],
        rotation=rotation,
        velocity=[0.0, speed, 0.0],
        angular_velocity=turning,
    )
    r = "distance('ground', 'satellite')"
    pull = [f"-mu*{MASS}*position('satellite', '{axis}')/{r}^3" for axis in AXES]
    mech.force("attraction", "force", body="satellite", components=pull)
    # its gradient turns the body: 3 mu / r^5 (r x J r), r in the body's components [Hughes 1986, ch. 8]
    inside = [
        "+".join(f"direction('satellite', '{a}', '{b}')*position('satellite', '{b}')" for b in AXES) for a in AXES
    ]
    x, y, z = (f"({one})" for one in inside)
    j = INERTIA
    parts = [f"{j[2] - j[1]}*{y}*{z}", f"{j[0] - j[2]}*{z}*{x}", f"{j[1] - j[0]}*{x}*{y}"]
    mech.force("gradient", "torque", body="satellite", axes="body", components=[f"3*mu/{r}^5*{part}" for part in parts])
    return mech


def main(arguments: list[str] | None = None) -> None:
    """One turn of an ellipse; then small librations on a circle."""
    parser = argparse.ArgumentParser(description="A satellite in a gravity field.")
    parser.add_argument("--out", type=Path, help="a folder for the picture")
    out = parser.parse_args(arguments).out
    half_axis = NEAR / (1.0 - ECCENTRICITY)
    period = 2.0 * np.pi * np.sqrt(half_axis**3 / MU)
    tight = {"rtol": 1e-11, "atol": 1e-9}
    run = lw.simulate(build(ECCENTRICITY, 0.0), period, period / 500, "articulated-body", "dop853", **tight)
    path = run.position("satellite")
    off, far = np.linalg.norm(path[-1] - path[0]), np.linalg.norm(path, axis=1).max()
    print(f"one turn takes {period:.3f} s by Kepler's third law; then it is {off:.1e} m from where it began")
    print(f"farthest: {far:.3f} m; by Kepler's first law {half_axis * (1.0 + ECCENTRICITY):.3f} m")

    turn = np.sqrt(MU / NEAR**3)
    wanted = turn * np.sqrt(3.0 * (INERTIA[0] - INERTIA[2]) / INERTIA[1])
    span = 2.0 * 2.0 * np.pi / wanted
    run = lw.simulate(build(0.0, 0.01), span, span / 2000, "articulated-body", "dop853", **tight)
    A, r = run.rotation("satellite"), run.position("satellite")
    up = r / np.linalg.norm(r, axis=1, keepdims=True)
    across = np.stack([-up[:, 1], up[:, 0], np.zeros(len(up))], axis=1)
    off = np.arctan2(np.sum(A[:, :, 2] * across, axis=1), np.sum(A[:, :, 2] * up, axis=1))
    change = np.flatnonzero((off[:-1] > 0.0) & (off[1:] <= 0.0))
    crossing = [run.time[k] + (run.time[k + 1] - run.time[k]) * off[k] / (off[k] - off[k + 1]) for k in change]
    found = 2.0 * np.pi / (crossing[1] - crossing[0])
    if out is not None:
        draw(out, path, run.time, off)
    print(f"libration: {found / turn:.5f} times in a turn; for small angles {wanted / turn:.5f}")


def draw(out: Path, path: np.ndarray, time: np.ndarray, off: np.ndarray) -> None:
    """The ellipse about the earth, and the angle from the vertical."""
    from matplotlib.figure import Figure

    out.mkdir(parents=True, exist_ok=True)
    page = Figure(figsize=(9.0, 4.0), layout="constrained")
    left, right = page.subplots(1, 2)
    left.fill(*(6.371e3 * np.array([np.cos(np.linspace(0, 7, 200)), np.sin(np.linspace(0, 7, 200))])), color="#9fb8d0")
    left.plot(path[:, 0] / 1e3, path[:, 1] / 1e3)
    left.set(xlabel="x [km]", ylabel="y [km]", title="Kepler's ellipse", aspect="equal")
    right.plot(time / 60.0, np.degrees(off))
    right.set(xlabel="time [min]", ylabel="from the vertical [degrees]", title="Libration on a circle")
    page.savefig(out / "gravity_field.png", dpi=120)


if __name__ == "__main__":
    main()
