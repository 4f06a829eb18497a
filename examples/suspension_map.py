"""A quarter car over a step of the road: how hard its body is shaken, over stiffness and damping of the strut.

python examples/suspension_map.py [--out FOLDER]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import linkwork as lw

WHEEL, BODY, TYRE, STEP = 40.0, 300.0, 2e5, 0.05  # kg, kg, N/m, m


def build() -> lw.Mechanism:
    """Wheel and body on vertical guides. The road steps up at the start: the tyre is pressed by as much."""
    mech = lw.Mechanism("quarter car", gravity=(0, 0, 0), run={"t_end": 1.0, "step": 1e-3})
    mech.parameter("k", 2e4, unit="N/m", min=0.0)
    mech.parameter("c", 1500.0, unit="N s/m", min=0.0)
    mech.body("wheel", mass=WHEEL, inertia=[1, 1, 1], position=[0, 0, 0.3])
    mech.body("body", mass=BODY, inertia=[20, 20, 20], position=[0, 0, 0.8])
    for name in ("wheel", "body"):
        mech.joint(f"{name} guide", "translational", "ground", name, point=[0, 0, 0], axis=[0, 0, 1])
    between = {"on_first": {"point": [0, 0, 0]}, "on_second": {"point": [0, 0, 0]}}
    mech.force("tyre", "spring", first="ground", second="wheel", stiffness=TYRE, length=0.3 + STEP, **between)
    mech.force("strut", "spring", first="wheel", second="body", stiffness="k", damping="c", length=0.5, **between)
    return mech


def main(arguments: list[str] | None = None) -> None:
    """Sweep, and say what came of it."""
    parser = argparse.ArgumentParser(description="A heat map of a suspension.")
    parser.add_argument("--out", type=Path, help="a folder for the picture")
    out = parser.parse_args(arguments).out

    stiffness, damping = np.linspace(1e4, 4e4, 8), np.linspace(400.0, 4000.0, 10)
    found = lw.sweep(
        build(),
        {"k": stiffness, "c": damping},
        keep={
            "shake": "rms(body.acceleration.z)",
            "travel": "max(abs(body.position.z - wheel.position.z - 0.5))",
        },
        formulation="articulated-body",
        integrator="rk4",
    )
    shake = found["shake"]
    best = int(np.argmin(shake))
    print(f"{found.runs} suspensions; the body is shaken by {shake.min():.2f} to {shake.max():.2f} m/s^2")
    print(f"least with {found['k'][best]:.0f} N/m and {found['c'][best]:.0f} N s/m, ", end="")
    print(f"whose strut travels {1e3 * found['travel'][best]:.0f} mm")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        found.plot("heat-map", out / "suspension_map.png", of="shake", force=True)


if __name__ == "__main__":
    main()
