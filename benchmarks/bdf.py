"""Do backward differentiation formulas win anywhere? IDA and scipy-dae on index-1 and index-2 forms, beside ours.

python -m benchmarks.bdf        (with scikit-sundae and scipy-dae, which are no dependencies)

Two planar mechanisms of two bodies in six absolute coordinates and four rows: a double pendulum, and a pendulum along
which a mass slides on a stiff damped spring. For each method and tolerance: the largest error of the centres of mass
over ten samples, evaluations (of right-hand sides or residuals, those for Jacobians by differences included where the
method takes them), and milliseconds of processor time. The peers call residuals in Python, so their times cannot be
compared with ours: evaluations and steps can.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

import linkwork as lw

Array = NDArray[np.float64]
LENGTH, GRAVITY, T_END = 1.0, 9.81, 2.0
STIFFNESS, DAMPING, REST = 1e6, 2e3, 1.2  # N/m, N s/m, m
MASSES = np.array([1.0, 1.0, 1.0 / 12.0] * 2)
TIMES = np.linspace(0.0, T_END, 11)
RTOLS = (1e-3, 1e-5, 1e-7, 1e-9)


@dataclass(frozen=True)
class Problem:
    """Rows phi (4,), their Jacobian G (4, 6), its rate times v (4,), forces f (6,), the start q, and ours."""

    name: str
    rows: Callable[[Array, Array], tuple[Array, Array, Array]]
    forces: Callable[[Array, Array], Array]
    start: Array
    mechanism: lw.Mechanism


def pin(q: Array, v: Array) -> tuple[Array, Array, Array]:
    """The first bar's end at the origin."""
    c, s, w = 0.5 * LENGTH * np.cos(q[2]), 0.5 * LENGTH * np.sin(q[2]), v[2]
    G = np.array([[1, 0, s, 0, 0, 0], [0, 1, -c, 0, 0, 0]], dtype=float)
    return np.array([q[0] - c, q[1] - s]), G, np.array([c, s]) * w * w


def double_rows(q: Array, v: Array) -> tuple[Array, Array, Array]:
    """That, and the second bar's end at the first one's other end."""
    phi, G, rest = pin(q, v)
    c, s = 0.5 * LENGTH * np.cos(q[[2, 5]]), 0.5 * LENGTH * np.sin(q[[2, 5]])
    more = np.array([q[0] + c[0] - q[3] + c[1], q[1] + s[0] - q[4] + s[1]])
    H = np.array([[1, 0, -s[0], -1, 0, -s[1]], [0, 1, c[0], 0, -1, c[1]]])
    turn = -np.array([c @ v[[2, 5]] ** 2, s @ v[[2, 5]] ** 2])
    return np.concatenate([phi, more]), np.vstack([G, H]), np.concatenate([rest, turn])


def slide_rows(q: Array, v: Array) -> tuple[Array, Array, Array]:
    """That, and the second body along the first one's axis, turning with it."""
    phi, G, rest = pin(q, v)
    e, d, dv = np.array([np.cos(q[2]), np.sin(q[2])]), q[3:5] - q[:2], v[3:5] - v[:2]
    n = np.array([-e[1], e[0]])
    H = np.array([[0, 0, -1, 0, 0, 1], [-n[0], -n[1], -e @ d, n[0], n[1], 0]])
    turn = np.array([0.0, -2.0 * v[2] * (e @ dv) - v[2] ** 2 * (n @ d)])
    return np.concatenate([phi, [q[5] - q[2], n @ d]]), np.vstack([G, H]), np.concatenate([rest, turn])


def weights(q: Array, v: Array) -> Array:
    """Of both bodies."""
    return np.array([0, -GRAVITY, 0, 0, -GRAVITY, 0]) * MASSES


def spring(q: Array, v: Array) -> Array:
    """Weight, and the spring between the centres of mass."""
    d = q[3:5] - q[:2]
    size = np.sqrt(d @ d)
    e = d / size
    pull = (STIFFNESS * (size - REST) + DAMPING * (e @ (v[3:5] - v[:2]))) * e
    return weights(q, v) + np.array([pull[0], pull[1], 0, -pull[0], -pull[1], 0])


def problems() -> Iterator[Problem]:
    """Both, level at the start and at rest."""
    for name, rows, forces, x in (
        ("double pendulum", double_rows, weights, 1.5 * LENGTH),
        ("pendulum with a stiff slide", slide_rows, spring, 0.5 * LENGTH + REST),
    ):
        mech = lw.Mechanism(name, gravity=[0, -GRAVITY, 0])
        for body, at in (("one", 0.5 * LENGTH), ("two", x)):
            mech.body(body, mass=1.0, inertia=[1.0 / 12.0] * 3, position=[at, 0, 0])
        mech.joint("pin", "revolute", "ground", "one", point=[0, 0, 0], axis=[0, 0, 1])
        if rows is double_rows:
            mech.joint("elbow", "revolute", "one", "two", point=[LENGTH, 0, 0], axis=[0, 0, 1])
        else:
            mech.joint("slide", "translational", "one", "two", point=[x, 0, 0], axis=[1, 0, 0])
            mech.force("spring", "spring", first="one", second="two", point=[0.5 * LENGTH, 0, 0], point2=[x, 0, 0],
                       stiffness=STIFFNESS, damping=DAMPING, length=REST)  # fmt: skip
        yield Problem(name, rows, forces, np.array([0.5 * LENGTH, 0, 0, x, 0, 0]), mech)


class Forms:
    """Residuals of the two forms of a problem, counted."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.count = problem, 0

    def accelerations(self, q: Array, v: Array) -> Array:
        """a and multipliers (10,) of index 1."""
        _, G, turn = self.problem.rows(q, v)
        K = np.block([[np.diag(MASSES), G.T], [G, np.zeros((4, 4))]])
        return np.linalg.solve(K, np.concatenate([self.problem.forces(q, v), -turn]))

    def slope(self, t: float, y: Array) -> Array:
        """Index 1 as an ordinary differential equation."""
        self.count += 1
        return np.concatenate([y[6:], self.accelerations(y[:6], y[6:])[:6]])

    def residual(self, t: float, y: Array, yp: Array) -> Array:
        """Index 2, stabilised: y = (q, v, lambda, mu)."""
        self.count += 1
        q, v = y[:6], y[6:12]
        phi, G, _ = self.problem.rows(q, v)
        return np.concatenate([
            yp[:6] - v + G.T @ y[16:], MASSES * yp[6:12] - self.problem.forces(q, v) + G.T @ y[12:16], G @ v, phi
        ])  # fmt: skip


def of_peers(problem: Problem, rtol: float) -> Iterator[tuple[str, Array, int, int, float]]:
    """Method, centres (11, 4) m, evaluations, steps, ms."""
    from scipy.integrate import solve_ivp
    from scipy_dae.integrate import solve_dae
    from sksundae.ida import IDA

    atol, q = 1e-3 * rtol, problem.start
    start, rest = np.concatenate([q, np.zeros(6)]), np.zeros(6)
    first = Forms(problem).accelerations(q, rest)
    whole, rates = np.concatenate([start, first[6:], np.zeros(4)]), np.concatenate([rest, first[:6], np.zeros(8)])

    def ida_1(forms: Forms) -> tuple[Array, int]:
        def res(t: float, y: Array, yp: Array, out: Array) -> None:
            out[:] = yp - forms.slope(t, y)

        found = IDA(res, rtol=rtol, atol=atol, max_num_steps=200_000).solve(TIMES, start, forms.slope(0.0, start))
        return found.y, -1

    def ida_2(forms: Forms) -> tuple[Array, int]:
        def res(t: float, y: Array, yp: Array, out: Array) -> None:
            out[:] = forms.residual(t, y, yp)

        loose = np.concatenate([np.full(12, atol), np.full(8, 1e3)])  # multipliers have errors of their own index
        found = IDA(res, rtol=rtol, atol=loose, algebraic_idx=list(range(12, 20)), max_num_steps=200_000).solve(
            TIMES, whole, rates
        )
        return found.y, -1

    def dae(method: str) -> Callable[[Forms], tuple[Array, int]]:
        def run(forms: Forms) -> tuple[Array, int]:
            loose = np.concatenate([np.full(12, atol), np.full(8, 1e3)])
            found = solve_dae(
                forms.residual, (0.0, T_END), whole, rates, method=method, rtol=rtol, atol=loose, t_eval=TIMES
            )
            return found.y.T, -1

        return run

    def bdf(forms: Forms) -> tuple[Array, int]:
        found = solve_ivp(forms.slope, (0.0, T_END), start, "BDF", TIMES, rtol=max(rtol, 1e-12), atol=atol)
        return found.y.T, -1

    for name, run in (
        ("IDA, index 1", ida_1), ("IDA, index 2", ida_2), ("scipy-dae BDF, index 2", dae("BDF")),
        ("scipy-dae Radau, index 2", dae("Radau")), ("SciPy BDF, index 1", bdf),
    ):  # fmt: skip
        forms, began = Forms(problem), process_time()
        try:
            y, steps = run(forms)
            y = y[:, [0, 1, 3, 4]]
            if y.shape[0] != len(TIMES):
                raise ValueError("ended early")
        except Exception as error:  # whatever a peer raises
            yield f"{name}: {str(error)[:60]}", np.full((11, 4), np.nan), forms.count, -1, 0.0
            continue
        yield name, y, forms.count, steps, 1e3 * (process_time() - began)


def of_ours(problem: Problem, rtol: float) -> Iterator[tuple[str, Array, int, int, float]]:
    """Likewise."""
    for formulation, method in (
        ("rA", "radau5"), ("rA", "radau9"), ("rA", "generalized-alpha"), ("articulated-body", "dop853")
    ):  # fmt: skip
        how: dict[str, Any] = {"rtol": rtol, "atol": 1e-3 * rtol}
        for _ in range(3):
            began = process_time()
            found = lw.simulate(problem.mechanism, T_END, T_END / 10, formulation, method, **how)
            took = process_time() - began
        p = found["position"]
        stages = {"radau5": 3, "radau9": 5}.get(method, 1)
        counted = found.info.get("evaluations", stages * found.info.get("iterations", 0))
        yield f"{formulation}, {method}", p[:, :, :2].reshape(11, 4), int(counted), int(found.info["steps"]), 1e3 * took


def main() -> None:
    """Measure and print tables."""
    for problem in problems():
        tight: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-14}
        exact = lw.simulate(problem.mechanism, T_END, T_END / 10, "articulated-body", "dop853", **tight)["position"]
        wanted = exact[:, :, :2].reshape(11, 4)
        sys.stdout.write(
            f"\n{problem.name}\n\n| method | rtol | error, m | evaluations | ms |\n|---|---|---|---|---|\n"
        )
        for rtol in RTOLS:
            for source in (of_ours, of_peers):
                for name, y, count, _, ms in source(problem, rtol):
                    off = float(np.max(np.abs(y - wanted)))
                    sys.stdout.write(f"| {name} | {rtol:.0e} | {off:.1e} | {count} | {ms:.1f} |\n")
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
