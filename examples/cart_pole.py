"""A pole balanced on a cart: gains from Riccati's equation, a controller that is sampled fifty times a second."""

# ruff: noqa: T201

import numpy as np
from scipy.linalg import solve_discrete_are

import linkwork as lw

PERIOD = 0.02  # s
STATES = ("rail.displacement", "hinge.angle", "rail.displacement_rate", "hinge.angle_rate")


def cart_pole() -> lw.Mechanism:
    """A cart on a rail, driven by a force, and a pole on a hinge."""
    mech = lw.Mechanism("cart and pole")
    mech.body("cart", mass=1.0, inertia=[0.01, 0.01, 0.01])
    mech.body("pole", mass=0.1, inertia=[0.01, 0.01, 0.0001], position=[0.0, 0.0, 0.5])
    mech.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    mech.joint("hinge", "revolute", "cart", "pole", point=[0, 0, 0], axis=[0, 1, 0])
    mech.force("motor", "force", body="cart", components=[0.0, 0.0, 0.0])
    return mech


def sampled_model(mech: lw.Mechanism, d: float = 1e-5) -> tuple[np.ndarray, np.ndarray]:
    """A and B of the upright state over one period, from differences of short simulations."""

    def after(state: np.ndarray, force: float) -> np.ndarray:
        start = {"rail": (state[0], state[2]), "hinge": (state[1], state[3])}
        sim = lw.Simulator(mech, PERIOD / 4, "lie-mixed", "rk4", state=start)
        sim.advance(PERIOD, {"motor.x": force})
        return np.array([sim.outputs[name] for name in STATES])

    A = np.array([after(d * e, 0.0) - after(-d * e, 0.0) for e in np.eye(4)]).T / (2 * d)
    B = (after(np.zeros(4), d) - after(np.zeros(4), -d))[:, None] / (2 * d)
    return A, B


def main() -> None:
    """Gains, a controller with them, and how it did."""
    mech = cart_pole()
    A, B = sampled_model(mech)
    P = solve_discrete_are(A, B, np.diag([1.0, 10.0, 1.0, 1.0]), np.eye(1))
    K = np.linalg.solve(np.eye(1) + B.T @ P @ B, B.T @ P @ A)[0]

    @lw.controller(period=PERIOD)
    def balance(t, outputs):
        return {"motor.x": -sum(gain * outputs[name] for gain, name in zip(K, STATES, strict=True))}

    start = {"rail": 0.1, "hinge": 0.3}
    result = lw.control(mech, balance, 6.0, PERIOD / 4, "lie-mixed", "rk4", state=start, every=4)
    hinge, force = result.joint("hinge")["angle"], result["input"][:, 0]
    print(f"gains: {np.array2string(K, precision=2)}")
    print(f"hinge: {hinge[0]:.2f} rad at the start, at most {abs(hinge).max():.2f}, {abs(hinge[-1]):.4f} at the end")
    print(f"force: at most {abs(force).max():.1f} N")


if __name__ == "__main__":
    main()
