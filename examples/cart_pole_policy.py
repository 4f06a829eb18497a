"""A policy for a cart-pole found by trying many: hundreds of laws of the motor in each of some rounds."""

# ruff: noqa: T201

import numpy as np

import linkwork as lw

GAINS = ("k_x", "k_angle", "k_v", "k_rate")  # parameters of the motor's law: force per unit of each state
COST = "integral(10*hinge.angle**2 + rail.displacement**2)"
RUNS, ROUNDS, BEST = 300, 6, 20


def tried(middle: np.ndarray, spread: np.ndarray, seed: int) -> lw.Sweep:
    """Runs of 4 s with gains drawn around a middle."""
    return lw.sweep(
        lw.load("cart_pole"),
        {name: lw.normal(m, s) for name, m, s in zip(GAINS, middle, spread, strict=True)},
        runs=RUNS,
        keep=[COST, "max(abs(hinge.angle))"],
        t_end=4.0,
        step=5e-3,
        formulation="articulated-body",
        integrator="rk4",
        seed=seed,
        judge=False,
    )


def main() -> None:
    """Rounds of the cross-entropy method: the best of each give middle and spread of the next."""
    middle, spread = np.zeros(4), np.full(4, 20.0)
    for k in range(ROUNDS):
        found = tried(middle, spread, seed=k)
        cost = np.where(np.isfinite(found[COST]), found[COST], np.inf)
        upright = int(np.sum(found["max(abs(hinge.angle))"] < np.pi / 2))
        best = np.argsort(cost)[:BEST]
        gains = np.array([found[name][best] for name in GAINS])
        middle, spread = gains.mean(axis=1), gains.std(axis=1) + 0.1
        print(f"round {k + 1}: {upright} of {RUNS} stay upright, the best costs {cost[best[0]]:.3f}")
    print("gains:", ", ".join(f"{name} = {value:.1f}" for name, value in zip(GAINS, middle, strict=True)))


if __name__ == "__main__":
    main()
