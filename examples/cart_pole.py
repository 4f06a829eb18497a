"""A pole balanced on a cart: gains from Riccati's equation, as a law of the state and by a sampled controller."""

# ruff: noqa: T201

import numpy as np
from scipy.linalg import solve_continuous_are

import linkwork as lw

PERIOD = 0.02  # s, of the sampled controller
STATES = ("rail.displacement", "hinge.angle", "rail.displacement_rate", "hinge.angle_rate")
GAINS = ("k_x", "k_angle", "k_v", "k_rate")  # parameters of the motor's law, in the same order


def cart_pole(gains: np.ndarray | None = None) -> lw.Mechanism:
    """The shipped mechanism, its motor with other gains."""
    mech = lw.load("cart_pole")
    return mech if gains is None else mech.with_parameters(**dict(zip(GAINS, gains.tolist(), strict=True)))


def upright_model() -> tuple[np.ndarray, np.ndarray]:
    """A and B of the upright state without control, of the joints' coordinates and rates, from the linear model."""
    mech = cart_pole(np.zeros(4))
    upright = lw.start_state(mech, {"rail": 0.0, "hinge": 0.0}, {"rail": 0.0, "hinge": 0.0})
    model = lw.linearise(mech, upright, inputs=["cart.force.x"], outputs=list(STATES[:2]))
    T = np.vstack([model.C, model.C @ model.A])  # coordinates, and their rates, from the model's own
    return T @ model.A @ np.linalg.inv(T), T @ model.B


def gains() -> np.ndarray:
    """The motor's force per unit of each state: minus those of the linear-quadratic regulator."""
    A, B = upright_model()
    return -(B.T @ solve_continuous_are(A, B, np.diag([1.0, 10.0, 1.0, 1.0]), np.eye(1)))[0]


def main() -> None:
    """Gains, what they do at every instant, and what fifty times a second."""
    k = gains()
    print(f"gains: {np.array2string(k, precision=3)}")
    start = {"rail": 0.1, "hinge": 0.3}
    by_law = lw.simulate(cart_pole(k), 6.0, PERIOD / 10, "lie-mixed", "rk4", state=start, every=10)
    free = cart_pole(np.zeros(4))

    @lw.controller(period=PERIOD)
    def balance(t, outputs):
        return {"push": sum(gain * outputs[name] for gain, name in zip(k, STATES, strict=True))}

    sampled = lw.control(free, balance, 6.0, PERIOD / 4, "lie-mixed", "rk4", state=start, every=4)
    for name, run in (("by law", by_law), ("sampled", sampled)):
        hinge = run.joint("hinge")["angle"]
        print(
            f"{name}: {hinge[0]:.2f} rad at the start, at most {abs(hinge).max():.2f}, {abs(hinge[-1]):.4f} at the end"
        )
    print(f"force of the sampled controller: at most {abs(sampled['input'][:, 0]).max():.1f} N")


if __name__ == "__main__":
    main()
