"""Laws of mechanics under Munthe-Kaas integration: energy, momentum, joints that hold by themselves, stabilisation.

A joint to ground that leaves a subgroup of SE(3) is kept by increments on SE(3) to rounding, whatever the step and the
forces; on SO(3) x R^3 it drifts with the method's error [Müller 2013, section 6].
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles.free import parallel_cranks, rolling_disc, skate_on_a_slope
from oracles.redundant import bricard, n_four_bar

import linkwork as lw
from linkwork.equations.index_1 import accept_step as ending
from linkwork.equations.index_1 import set_state as placing
from linkwork.equations.index_1.rhs import retract
from linkwork.equations.index_1.work import new_work
from linkwork.formulations import FORMULATIONS
from linkwork.integrators.evaluation import Entries
from linkwork.integrators.projection import project
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.integrators.stabilisation import Stabilisation
from linkwork.integrators.tableaux import load_tableau
from linkwork.mechanism.rotation import turn
from linkwork.problems.explicit import TWIST_0, A, R, V, W
from linkwork.status import Status
from linkwork.system import compile_mechanism
from linkwork.system.dense import Pose, constraints, drives, velocity_rhs

GROUPS = ("lie-se3", "lie-product", "lie-mixed")
TOP, PENDULUM, PAIR, LINKAGE = (
    f"muller2013_{name}" for name in ("heavy_top", "spherical_double_pendulum", "floating_pair", "three_bar")
)
LOWER_PAIRS = ("spherical", "revolute", "translational", "cylindrical", "planar", "fixed")
NO_WEIGHT = (0.0, 0.0, 0.0)
KEPT = 1e-12  # m


def run(model: str | lw.Mechanism, t_end: float, step: float, group: str, method: str = "rk4", **how: Any) -> lw.Result:
    mechanism = lw.load(model) if isinstance(model, str) else model
    return lw.simulate(mechanism, t_end, step, group, method, **how)


def worst(result: lw.Result) -> float:
    return float(result["position_violation"].max())


# energy and momentum ------------------------------------------------------------------------------------------


def test_the_heavy_top_has_the_papers_energy() -> None:
    """T0 = 13.97 kJ [Müller 2013, section 5.1]."""
    energy = run(TOP, 1e-3, 1e-3, "lie-se3")["kinetic_energy"][0]
    assert 13.95e3 < energy < 13.99e3


@pytest.mark.parametrize(("method", "order"), [("heun", 2), ("bs32", 3), ("rk4", 4), ("dp54", 5)])
@pytest.mark.parametrize("group", GROUPS[:2])
@pytest.mark.parametrize("model", [TOP, LINKAGE])
def test_energy_drifts_with_the_order_of_the_method_at_least(model: str, group: str, method: str, order: int) -> None:
    h = {2: 4e-4, 3: 1e-3, 4: 2e-3, 5: 2e-3}[order]
    drifts = []
    for step in (h, h / 2):
        energy = run(model, 0.2, step, group, method).energy
        drifts.append(np.abs(energy - energy[0]).max() / run(model, step, step, group)["kinetic_energy"][0])
    assert drifts[0] < 1e-3
    assert np.log2(drifts[0] / drifts[1]) > order - 0.3, drifts


def momenta(result: lw.Result, m: lw.Mechanism) -> tuple[np.ndarray, np.ndarray]:
    """Linear momentum and angular momentum about the origin, global components, (nt, 3) each."""
    linear, angular = np.zeros((len(result.time), 3)), np.zeros((len(result.time), 3))
    for b in m.lower().bodies:
        p = b.mass * result.velocity(b.name)
        linear += p
        spin = np.einsum("nij,nj->ni", result.rotation(b.name), result.angular_velocity(b.name) @ np.asarray(b.inertia))
        angular += np.cross(result.position(b.name), p) + spin
    return linear, angular


@pytest.mark.parametrize("group", GROUPS)
def test_a_body_in_space_keeps_momentum_and_energy(group: str) -> None:
    m = lw.Mechanism("tumbling", gravity=NO_WEIGHT)
    m.body("a", mass=2.0, inertia=[0.3, 0.4, 0.5], velocity=(0.3, -0.2, 0.1), angular_velocity=(1.0, 2.0, 3.0))
    result = run(m, 2.0, 1e-3, group, "dop853")
    linear, angular = momenta(result, m)
    assert_allclose(linear, np.broadcast_to(linear[0], linear.shape), atol=2e-14)
    assert_allclose(angular, np.broadcast_to(angular[0], angular.shape), atol=1e-13)
    assert_allclose(result.energy, result.energy[0], rtol=1e-13)


@pytest.mark.parametrize("group", GROUPS)
def test_two_floating_bodies_keep_their_momentum(group: str) -> None:
    """Linear momentum to rounding with the product group, where it is linear in the state; else to the method's
    error; angular momentum to that everywhere [Müller 2013, section 5.3]."""
    m = lw.load(PAIR)
    drifts = []
    for step in (2e-3, 1e-3):
        linear, angular = momenta(run(m, 1.0, step, group), m)
        drifts.append([np.abs(x - x[0]).max() for x in (linear, angular)])
    if group != "lie-se3":
        assert max(drifts[0][0], drifts[1][0]) < 1e-13
    else:
        assert drifts[0][0] / drifts[1][0] > 2**3.7
    assert drifts[0][1] / drifts[1][1] > 2**3.7
    assert drifts[1][1] < 1e-8
    linear, angular = momenta(run(m, 1.0, 1e-3, group, "dop853"), m)
    assert np.abs(linear - linear[0]).max() < 1e-12
    assert np.abs(angular - angular[0]).max() < 1e-12


@pytest.mark.parametrize("group", GROUPS)
def test_a_screw_motion_is_exact_in_one_step(group: str) -> None:
    """A principal axis and a velocity along it: both groups follow it exactly, SE(3) any constant twist."""
    m = lw.Mechanism("screw", gravity=NO_WEIGHT)
    m.body("a", mass=1.0, inertia=[0.3, 0.4, 0.5], velocity=(0, 0, 2.0), angular_velocity=(0, 0, 3.0))
    result = run(m, 1.0, 0.5, group, "euler")
    assert_allclose(result.position("a")[-1], [0, 0, 2.0], atol=1e-14)
    assert_allclose(result.rotation("a")[-1], turn(np.array([0.0, 0.0, 1.0]), 3.0), atol=1e-14)


# joints that hold by themselves -------------------------------------------------------------------------------


def unit(rng: np.random.Generator) -> np.ndarray:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def held(kind: str, flipped: bool, seed: int = 0, driver: tuple[str, str] | None = None) -> lw.Mechanism:
    """A body at a random pose on a joint to ground at a random place, pushed and turned by a load of its own."""
    rng = np.random.default_rng(seed)
    m = lw.Mechanism(kind, gravity=(1.0, -2.0, -9.81))
    m.body(
        "b", mass=1.3, inertia=[0.1, 0.2, 0.25], position=rng.normal(size=3).tolist(),
        rotation=turn(unit(rng), 2.0).tolist(), velocity=rng.normal(size=3).tolist(),
        angular_velocity=(3 * rng.normal(size=3)).tolist(),
    )  # fmt: skip
    place: dict[str, Any] = {"point": (0.3 * rng.normal(size=3)).tolist()}
    if kind != "spherical":
        place["axis"] = unit(rng).tolist()
    m.joint("joint", kind, *(("b", "ground") if flipped else ("ground", "b")), **place)
    m.force("push", "force", body="b", components=("sin(3*t)", "cos(2*t)", 0.3), point=(0.1, 0.2, -0.3), axes="body")
    if driver is not None:
        m.driver("driver", "joint", driver[1], coordinate=driver[0])
    return lw.assemble(m).mechanism


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize("kind", LOWER_PAIRS)
def test_se3_keeps_lower_pairs_to_ground(kind: str, flipped: bool) -> None:
    m = held(kind, flipped)
    assert worst(run(m, 3.0, 1e-3, "lie-se3")) < KEPT
    mixed = run(m, 3.0, 1e-3, "lie-mixed")
    assert mixed.info["groups"] == {"b": "se3"}
    assert worst(mixed) < KEPT
    product = worst(run(m, 3.0, 1e-3, "lie-product"))
    if kind in ("spherical", "revolute", "cylindrical"):  # off centre: only translations are for free
        assert product > 5e-12
    else:
        assert product < KEPT


@pytest.mark.parametrize("flipped", [False, True])
@pytest.mark.parametrize(
    ("kind", "coordinate", "f"),
    [
        ("revolute", "angle", "0.3*sin(2*t) + t"),
        ("cylindrical", "angle", "0.3*sin(2*t) + t"),
        ("cylindrical", "displacement", "0.3*sin(2*t)"),
        ("translational", "displacement", "0.2*t + 0.1*sin(5*t)"),
    ],
)
def test_joints_with_a_driver_are_kept_and_the_driver_is_followed(
    kind: str, coordinate: str, f: str, flipped: bool
) -> None:
    """The joint to rounding; what is driven, to the error of a fourth-order quadrature of f''."""
    m = held(kind, flipped, driver=(coordinate, f))
    result = run(m, 2.0, 1e-3, "lie-mixed")
    assert result.info["groups"] == {"b": "se3"}
    compiled = compile_mechanism(m.lower())
    driven = [k for k, name in enumerate(compiled.row_names) if name.startswith("driver")]
    rows = [k for k in range(compiled.nc) if k not in driven]
    assert len(driven) == 1
    for k in range(0, 2001, 100):
        A_ = np.vstack([result["rotation"][k].reshape(-1, 9), compiled.A[-1:]])
        r = np.vstack([result["position"][k], np.zeros((1, 3))])
        phi = constraints(compiled, Pose(r, A_), drives(compiled, float(result.time[k])))[0]
        assert np.abs(phi[rows]).max() < KEPT
        assert np.abs(phi[driven]).max() < 1e-11


@pytest.mark.parametrize("step", [1e-3, 8e-3])
def test_the_heavy_tops_pivot(step: float) -> None:
    """Rounding over 5 s with SE(3) even at steps whose motion is far off; a visible drift with the product."""
    assert worst(run(TOP, 5.0, step, "lie-se3")) < KEPT
    drift = run(TOP, 5.0, step, "lie-product")["position_violation"]
    assert drift.max() > (1e-7 if step < 2e-3 else 1e-4)
    assert worst(run(TOP, 5.0, step, "lie-mixed")) < KEPT
    assert_allclose(
        run(TOP, 5.0, step, "lie-mixed", groups={"top": "product"})["position_violation"], drift, rtol=0, atol=0
    )


def test_adaptive_steps_keep_the_pivot_too() -> None:
    for method in ("bs32", "dp54", "ts54", "dop853"):
        assert worst(run(TOP, 2.0, 1e-2, "lie-se3", method, rtol=1e-4)) < KEPT


def test_se3_on_the_first_body_is_enough_for_the_joint_to_ground() -> None:
    """Joint 1 of the double pendulum is kept by SE(3) on body 1 alone, joint 2 by neither [errata, 4]."""

    def violations(group: str, **how: Any) -> tuple[float, float]:
        result = run(PENDULUM, 1.0, 1e-3, group, **how)
        pins = np.einsum("nij,j->ni", result.rotation("body 1"), [-0.1, 0, 0]) + result.position("body 1")
        tips = np.einsum("nij,j->ni", result.rotation("body 1"), [0.1, 0, 0]) + result.position("body 1")
        tails = np.einsum("nij,j->ni", result.rotation("body 2"), [-0.1, 0, 0]) + result.position("body 2")
        return np.abs(pins).max(), np.abs(tips - tails).max()

    for how in ({"group": "lie-se3"}, {"group": "lie-mixed"}):
        first, second = violations(**how)
        assert first < KEPT
        assert second > 1e-8
    for how in ({"group": "lie-product"}, {"group": "lie-mixed", "groups": {"body 1": "product"}}):
        assert violations(**how)[0] > 1e-8


# stabilisation ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [PENDULUM, LINKAGE])
@pytest.mark.parametrize("group", GROUPS)
def test_projection_leaves_nothing_and_baumgarte_a_bounded_rest(model: str, group: str) -> None:
    none = run(model, 2.0, 1e-3, group)["position_violation"]
    assert none.max() > 1e-7
    projected = run(model, 2.0, 1e-3, group, stabilisation="projection")
    assert worst(projected) < KEPT
    assert projected["velocity_violation"].max() < 1e-11
    every = run(model, 2.0, 1e-3, group, project_every=5)["position_violation"]
    assert every[5::5].max() < KEPT
    assert KEPT < every.max() < 0.1 * none.max()
    baumgarte = run(model, 2.0, 1e-3, group, stabilisation="baumgarte")
    assert baumgarte.info["baumgarte"] == [100.0, 100.0]
    assert worst(baumgarte) < 0.2 * none.max()
    late, early = baumgarte["position_violation"][1000:].max(), baumgarte["position_violation"][:1000].max()
    assert late < 5 * early, "bounded, not growing"


def test_baumgartes_terms_let_a_violation_fade_as_they_promise() -> None:
    """A pendulum with a push off its rows: phi'' + 2 alpha phi' + beta^2 phi = 0, to the method's error."""
    alpha, beta = 8.0, 10.0
    m = lw.Mechanism("pendulum", gravity=NO_WEIGHT)
    m.body("b", mass=1.0, inertia=[0.1, 0.1, 0.1])
    m.joint("guide", "point-in-plane", "ground", "b", point=(0, 0, 0), axis=(0, 0, 1))
    compiled = compile_mechanism(m.lower())
    r = compiled.r.copy()
    r[0, 2] += 1e-3
    problem = FORMULATIONS.load("lie-se3").build(compiled.at(r, compiled.A, compiled.v, compiled.w))
    held_by = Stabilisation.of(None, (alpha, beta), None, 1e-3)
    runner = RungeKuttaRun(problem, load_tableau("rk4"), 1e-3, 1.0, 1, None, np.inf, None, held_by)
    assert runner.initialise() == Status.OK
    status, block = runner.advance(1000)
    assert status == Status.OK
    t, omega = block["time"], np.sqrt(beta**2 - alpha**2)
    wanted = 1e-3 * np.exp(-alpha * t) * (np.cos(omega * t) + alpha / omega * np.sin(omega * t))
    assert_allclose(block["motion"][:, 0, 2], wanted, atol=1e-11)


class Adrift:
    """A mechanism whose bodies have been pushed off their rows, and plain entries to project it."""

    def __init__(self, mechanism: lw.Mechanism, group: Any, size: float, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        compiled = compile_mechanism(mechanism.lower())
        turned = [
            np.ravel(A_.reshape(3, 3) @ turn(unit(rng), size)) if b < compiled.nb else A_
            for b, A_ in enumerate(compiled.A)
        ]
        off = size * rng.normal(size=(3, compiled.nb + 1, 3))
        off[:, -1] = 0.0
        self.mechanism = compiled.at(compiled.r + off[0], np.array(turned), compiled.v + off[1], compiled.w + off[2])
        self.work = work = new_work(self.mechanism, group)
        tables = self.mechanism.tables

        def nothing(context: Any) -> int:
            return 0

        self.entries = Entries(
            set_state=lambda c: placing.set_state(tables, work),
            apply=nothing,
            detect_redundant_rows=nothing,
            factorise=nothing,
            solve=self.solve,
            rhs=nothing,
            accept_step=lambda c: ending.accept_step(tables, work),
            retract=lambda c: retract(tables, work),
            output=lambda c: 0,
            evaluate=nothing,
        )
        nb = self.mechanism.nb
        problem: Any = SimpleNamespace(
            work=work, weight=np.ones(12 * nb), droppable=False, remembers=False, extra=np.zeros((nb + 1, 0)),
            evaluate=None,
        )  # fmt: skip
        held_by = Stabilisation.of("projection", None, None, 1e-3)
        self.run = RungeKuttaRun(problem, load_tableau("rk4"), 1e-3, 1.0, 1, None, np.inf, None, held_by).run

    def solve(self, context: Any) -> int:
        """Eq. 3 by dense algebra."""
        M, J, n = self.inertia(), self.rows(), 6 * self.mechanism.nb
        whole = np.block([[M, J.T], [J, np.zeros((len(J), len(J)))]])
        found = np.linalg.solve(whole, np.r_[self.work.f[:-1].ravel(), self.work.eta])
        self.work.x[:-1], self.work.lam[:] = found[:n].reshape(-1, 6), found[n:]
        return 0

    def inertia(self) -> np.ndarray:
        out = np.zeros((6 * self.mechanism.nb, 6 * self.mechanism.nb))
        for b, body in enumerate(self.mechanism.lowered.bodies):
            out[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = body.inertia
            out[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = body.mass * np.eye(3)
        return out

    def rows(self) -> np.ndarray:
        """J of the placed state."""
        J = np.zeros((self.mechanism.nc, 6 * (self.mechanism.nb + 1)))
        for k in range(self.mechanism.nc):
            for side in range(2):
                b = self.mechanism.tables.row_int[k, 1 + side]
                J[k, 6 * b : 6 * b + 6] += self.work.J[k, 6 * side : 6 * side + 6]
        return J[:, : 6 * self.mechanism.nb]


@pytest.mark.parametrize("group", [(1, 1), (0, 0), (1, 0)])
@pytest.mark.parametrize("t", [0.0, 0.7])
def test_projection_is_orthogonal_in_the_kinetic_metric(group: tuple[int, int], t: float) -> None:
    """M times the change is J^T times something: no other state on the rows is nearer. A driver moves meanwhile."""
    m = lw.load(LINKAGE)
    m.force("weightless", "force", body="body 1", components=(0, 0, 0))
    m.constraint("moved", "CD", "ground", "body 1", c=(0, 1, 0), s_i=(0, 0, 0), s_j=(0.03, 0, 0.05),
                 f="0.0859807621135332 + 0.001*sin(3*t)")  # fmt: skip
    small = 1e-5
    case = Adrift(m, np.array(group), small)
    before, twist = case.work.motion.copy(), case.work.base[:, TWIST_0 : TWIST_0 + 6].copy()
    assert project(case.entries, None, case.run, t) == Status.OK
    placing.set_state(case.mechanism.tables, case.work)
    motion = case.work.motion
    pose = Pose(motion[:, R : R + 3].copy(), motion[:, A : A + 9].copy())
    drive = drives(case.mechanism, t)
    phi, G = constraints(case.mechanism, pose, drive)
    assert np.abs(phi).max() < 1e-14
    u = np.hstack([motion[:-1, V : V + 3], motion[:-1, W : W + 3]]).ravel()
    assert np.abs(G @ u - velocity_rhs(case.mechanism, pose, drive)).max() < 1e-12
    M, J = case.inertia(), case.rows()
    free = np.linalg.svd(J)[2][len(J) :].T  # twists that the rows allow
    # velocities: exactly
    change = (case.work.base[:-1, TWIST_0 : TWIST_0 + 6] - twist[:-1]).ravel()
    assert np.linalg.norm(change) > 0.1 * small
    assert np.linalg.norm(free.T @ M @ change) < 1e-12
    # poses: to the square of their size
    moved = np.zeros((case.mechanism.nb, 6))
    for b in range(case.mechanism.nb):
        A_0, A_1 = before[b, A : A + 9].reshape(3, 3), motion[b, A : A + 9].reshape(3, 3)
        S = A_0.T @ A_1
        moved[b, :3] = 0.5 * np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]])
        d = motion[b, R : R + 3] - before[b, R : R + 3]
        moved[b, 3:] = A_1.T @ d if group[b] else d
    size = np.linalg.norm(moved)
    assert size > 0.1 * small
    assert np.linalg.norm(free.T @ M @ moved.ravel()) < 100 * size**2 + 1e-13


def test_projection_changes_energy_less_than_drift_does() -> None:
    """At a large step, where both show: without stabilisation the linkage comes apart."""
    none, projected = (
        run(LINKAGE, 3.0, 4e-3, "lie-product", **how).energy for how in ({}, {"stabilisation": "projection"})
    )
    start = none[0]
    assert np.abs(projected - start).max() < 0.5 * np.abs(none - start).max()


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("make", [bricard, lambda: n_four_bar(2)], ids=["bricard", "A02"])
def test_redundant_rows_are_projected_onto(make: Any, group: str) -> None:
    result = run(make(), 0.5, 5e-3, group, "heun", stabilisation="projection")
    assert worst(result) < KEPT
    assert result["velocity_violation"].max() < 1e-10
    assert worst(run(make(), 0.5, 5e-3, group, "heun")) > KEPT


# closed forms -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("how", [{}, {"stabilisation": "projection"}, {"stabilisation": "baumgarte"}], ids=str)
def test_a_skate_on_a_slope_runs_in_cycloids(group: str, how: dict[str, Any]) -> None:
    """A row that holds velocities alone, beside a planar joint."""
    slope, spin = 2.0, 3.0
    m = lw.Mechanism("skate", gravity=(slope, 0, -9.0))
    m.body("skate", mass=1.5, inertia=[0.1, 0.1, 0.2], angular_velocity=(0, 0, spin))
    m.joint("ice", "planar", "ground", "skate", point=(0, 0, 0), axis=(0, 0, 1))
    m.joint("blade", "knife-edge", "ground", "skate", point=(0, 0, 0), axis=(0, 1, 0))
    result = run(m, 2.0, 5e-3, group, **how)
    x, y = skate_on_a_slope(result.time, slope, spin)
    r = result.position("skate")
    assert max(np.abs(r[:, 0] - x).max(), np.abs(r[:, 1] - y).max()) < 1e-7
    across = np.einsum("ni,ni->n", result.velocity("skate"), result.rotation("skate")[:, :, 1])
    assert np.abs(across).max() < (1e-13 if how.get("stabilisation") == "projection" else 1e-7)


@pytest.mark.parametrize("group", GROUPS)
def test_a_disc_rolls_as_its_own_equations_say(group: str) -> None:
    mass, radius, lean = 2.0, 0.3, 0.3
    w0 = np.array([0.2, 0.5, 6.0])
    p0 = np.array([np.cos(np.pi / 4 - lean / 2), np.sin(np.pi / 4 - lean / 2), 0.0, 0.0])
    r0 = np.array([0.0, 0.0, radius * np.cos(lean)])
    t = np.linspace(0.0, 1.0, 11)
    r, A_, F = rolling_disc(t, mass, radius, r0, p0, w0)
    a, n = A_[0][:, 2], np.array([0.0, 0.0, 1.0])
    down = n - (n @ a) * a
    velocity = np.cross(A_[0] @ w0, radius * down / np.linalg.norm(down))
    m = lw.Mechanism("disc")
    m.body("disc", mass=mass, shape={"type": "disc", "radius": radius, "axis": "z"}, velocity=velocity.tolist(),
           position=r0.tolist(), rotation=A_[0].tolist(), angular_velocity=w0.tolist())  # fmt: skip
    m.joint("road", "rolling-disc", "ground", "disc", radius=radius, point=(0, 0, 0), axis=(0, 0, 1), axis2=a.tolist())
    for how in ({}, {"stabilisation": "projection"}):
        result = run(m, 1.0, 2e-3, group, "dp54", every=50, **how)
        assert np.abs(result.position("disc") - r).max() < 1e-9
        assert np.abs(result.rotation("disc") - A_).max() < 1e-9
        assert np.abs(result.reaction("road").force - F).max() < 1e-7


@pytest.mark.parametrize("group", GROUPS)
def test_parallel_cranks_stay_parallel_through_the_singular_position(group: str) -> None:
    """Twice two freedoms more for an instant; the path is that of one crank, to the method's order."""
    for how in ({}, {"stabilisation": "projection"}):
        result = run(n_four_bar(2), 1.6, 1e-3, group, **how)
        tips = [2 * result.position(f"crank {k}") - [2 * k, 0, 0] + [k, 0, 0] for k in range(3)]
        assert np.abs(tips[0][:, :2] - parallel_cranks(result.time, 2)).max() < 1e-8
        for k in (1, 2):
            assert np.abs(tips[k] - [k, 0, 0] - tips[0]).max() < 1e-6


def wound(stiffness: float, damping: float, actuator: Any) -> lw.Mechanism:
    m = lw.Mechanism("wound", gravity=NO_WEIGHT)
    m.body("wheel", mass=1.0, inertia=[0.1, 0.1, 0.1], angular_velocity=(0, 0, 20.0))
    m.joint("axle", "revolute", "ground", "wheel", point=(0, 0, 0), axis=(0, 0, 1))
    m.force("spring", "torsion", joint="axle", stiffness=stiffness, damping=damping, angle=0.5, actuator=actuator)
    return m


@pytest.mark.parametrize("group", GROUPS[:2])
@pytest.mark.parametrize("how", [{}, {"rtol": 1e-10, "atol": 1e-12}], ids=["fixed", "adaptive"])
def test_a_torsion_spring_counts_its_turns(group: str, how: dict[str, Any]) -> None:
    """Wound up over more than two turns and back, at steps and at samples between them."""
    result = run(wound(0.2, 0.0, 0.0), 4.0, 1e-2, group, "dp54", **how)
    A_ = result.rotation("wheel")
    theta = np.unwrap(np.arctan2(A_[:, 1, 0], A_[:, 0, 0]))
    root = np.sqrt(2.0)
    wanted = 0.5 - 0.5 * np.cos(root * result.time) + 20.0 / root * np.sin(root * result.time)
    assert np.ptp(theta) > 4 * np.pi
    assert_allclose(theta, wanted, atol=1e-7)
    assert_allclose(result.angular_acceleration("wheel")[:, 2], -2.0 * (wanted - 0.5), atol=1e-6)
