"""A policy for a cart-pole found by trying many: hundreds of laws of the motor in each of some rounds.

python examples/cart_pole_policy.py [--out FOLDER]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import linkwork as lw

GAINS = ("k_x", "k_angle", "k_v", "k_rate")  # parameters of the motor's law: force per unit of each state
KEPT = {"cost": "integral(10*hinge.angle**2 + rail.displacement**2)", "swing": "max(abs(hinge.angle))"}
RUNS, ROUNDS, BEST = 300, 6, 20


def tried(middle: np.ndarray, spread: np.ndarray, seed: int) -> lw.Sweep:
    """Runs of 4 s with gains drawn around a middle."""
    return lw.sweep(
        lw.load("cart_pole"),
        {name: lw.normal(m, s) for name, m, s in zip(GAINS, middle, spread, strict=True)},
        runs=RUNS,
        keep=KEPT,
        t_end=4.0,
        step=5e-3,
        formulation="articulated-body",
        integrator="rk4",
        seed=seed,
        judge=False,
    )


def main(arguments: list[str] | None = None) -> None:
    """Rounds of the cross-entropy method: the best of each give middle and spread of the next."""
    parser = argparse.ArgumentParser(description="A policy search for a cart-pole.")
    parser.add_argument("--out", type=Path, help="a folder for a picture of the last round")
    out = parser.parse_args(arguments).out
    middle, spread = np.zeros(4), np.full(4, 20.0)
    for k in range(ROUNDS):
        found = tried(middle, spread, seed=k)
        cost = np.where(np.isfinite(found["cost"]), found["cost"], np.inf)
        upright = int(np.sum(found["swing"] < np.pi / 2))
        best = np.argsort(cost)[:BEST]
        gains = np.array([found[name][best] for name in GAINS])
        middle, spread = gains.mean(axis=1), gains.std(axis=1) + 0.1
        print(f"round {k + 1}: {upright} of {RUNS} stay upright, the best costs {cost[best[0]]:.3f}")
    print("gains:", ", ".join(f"{name} = {value:.1f}" for name, value in zip(GAINS, middle, strict=True)))
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        found.plot("pairs", out / "cart_pole_policy.png", names=[*GAINS, "swing"], force=True)


if __name__ == "__main__":
    main()
