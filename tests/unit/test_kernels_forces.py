"""Applied forces against a plain NumPy telling, their derivatives against complex steps, and energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from linkwork.kernels import angles, forces
from linkwork.kernels.force_laws.laws import NUMBER
from linkwork.kernels.force_laws.spring import spring_vector
from linkwork.kernels.force_laws.table import element_variation
from linkwork.kernels.force_laws.torsion import torsion_torque
from linkwork.kernels.forces import LoadValues
from linkwork.kernels.mat33 import matmul
from linkwork.kernels.so3 import exp_so3
from linkwork.kernels.tables import Bodies, ForceElements, Loads, Programs, Rows, System

STEP = 1e-30
NB = 3  # body NB is ground
NO_PROGRAMS = Programs(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(1, np.int64))


def no_rows() -> Rows:
    i, x, s = np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros(0)
    return Rows(i, i, i, x, x, x, x, x, x, s, i, i, s)


def make_system(seed: int = 0, *, damping: float = 1.0, aligned: bool = False) -> System:
    """Loads of every kind, two springs and two torsions, one of each to ground."""
    rng = np.random.default_rng(seed)
    integers = lambda *a: np.array(a, dtype=np.int64)  # noqa: E731
    frames = [np.array(exp_so3(tuple(rng.normal(size=3)))).reshape(3, 3) for _ in range(2)]
    a_i, b_i, n = (np.array([f[:, c] for f in frames]) for c in range(3))
    a_j = a_i.copy() if aligned else rng.normal(size=(2, 3))
    none = np.zeros((2, 3))
    elements = ForceElements(
        law=integers(*(NUMBER[law] for law in ("SPRING", "SPRING", "TORSION", "TORSION"))),
        body_i=integers(0, 2, 1, NB),
        body_j=integers(1, NB, 2, 0),
        s_i=np.vstack([rng.normal(size=(2, 3)), none]),
        s_j=np.vstack([rng.normal(size=(2, 3)), none]),
        a_i=np.vstack([none, a_i]),
        b_i=np.vstack([none, b_i]),
        a_j=np.vstack([none, a_j]),
        n=np.vstack([none, n]),
        stiffness=np.array([3.0, 5.0, 2.0, 4.0]),
        damping=damping * np.array([0.7, 0.4, 0.3, 0.6]),
        rest=np.array([0.5, 0.0, 0.2, -0.4]),
        constant=np.zeros(4),
        numbers=np.zeros((4, 4)),
        program=np.full(4, -1),
        memory=integers(-1, -1, 0, 1),
    )
    loads = Loads(
        integers(0, 1, 2, 0), rng.normal(size=(4, 3)), integers(0, 1, 0, 1), integers(0, 0, 1, 1),
        np.zeros((4, 3)), np.full((4, 3), -1),
    )  # fmt: skip
    bodies = Bodies(np.array([1.0, 2.0, 3.0, 0.0]), np.zeros((NB + 1, 9)))
    return System(bodies, no_rows(), NO_PROGRAMS, loads, elements, np.array([0.3, -0.2, -9.81]))


class State:
    """A random pose and velocity of all bodies, and the values of the loads."""

    def __init__(self, seed: int, *, actuators: bool = True) -> None:
        rng = np.random.default_rng(seed + 100)
        self.r, self.v, self.w = (rng.normal(size=(NB + 1, 3)) for _ in range(3))
        self.A = np.array([exp_so3(tuple(x)) for x in rng.normal(size=(NB + 1, 3))])
        for x in (self.r, self.v, self.w):
            x[NB] = 0.0
        self.A[NB] = np.eye(3).ravel()
        k = 1.0 if actuators else 0.0
        self.values = LoadValues(k * rng.normal(size=(4, 3)), k * rng.normal(size=4), np.array([6.0, -14.0]))


def counted(system: System, state: State) -> State:
    """With turns counted to within a radian: torques are no numbers where they are in doubt."""
    previous = state.values.theta_previous
    angles.count_angles(system, state.A, previous, previous)
    previous += 1.0
    return state


def turned(A: np.ndarray, theta: Any) -> np.ndarray:
    return np.array([matmul(tuple(A[b]), exp_so3(tuple(theta[b]))) for b in range(NB + 1)])


def summed(system: System, r: Any, A: Any, v: Any, w: Any, values: LoadValues) -> np.ndarray:
    """(f, n) of all bodies, (NB + 1, 6)."""
    f, n = np.zeros((NB + 1, 3), complex), np.zeros((NB + 1, 3), complex)
    forces.applied_forces(system, r, A, v, w, values, f, n)
    return np.hstack([f, n])


def only(system: System, kind: str, k: int) -> System:
    """The system with load or element k alone, and no gravity."""
    tables = {}
    for name in ("loads", "elements"):
        table = getattr(system, name)
        chosen = slice(k, k + 1) if name == kind else slice(0, 0)
        tables[name] = type(table)(*(column[chosen] for column in table))
    return system._replace(gravity=np.zeros(3), **tables)


def only_values(values: LoadValues, kind: str, k: int) -> LoadValues:
    return values._replace(**{kind: getattr(values, kind)[k : k + 1]})


def naive(system: System, state: State) -> np.ndarray:
    """The same sums with 3 x 3 arrays, written as the tables say."""
    A, r, v = state.A.reshape(-1, 3, 3), state.r, state.v
    w_global = np.einsum("bij,bj->bi", A, state.w)
    f, torque = np.zeros((NB + 1, 3)), np.zeros((NB + 1, 3))  # torque about the origin of each body, global

    def push(b: int, point: np.ndarray, force: np.ndarray) -> None:
        f[b] += force
        torque[b] += np.cross(point - r[b], force)

    for b in range(NB):
        f[b] += system.bodies.mass[b] * system.gravity
    loads = system.loads
    for k, b in enumerate(loads.body):
        F = A[b] @ state.values.loads[k] if loads.body_axes[k] else state.values.loads[k]
        if loads.torque[k]:
            torque[b] += F
        else:
            push(b, r[b] + A[b] @ loads.point[k], F)
    s = t = system.elements
    for k in range(2):
        i, j = s.body_i[k], s.body_j[k]
        P, Q = r[i] + A[i] @ s.s_i[k], r[j] + A[j] @ s.s_j[k]
        length = np.linalg.norm(Q - P)
        e = (Q - P) / length
        rate = e @ (v[j] + np.cross(w_global[j], Q - r[j]) - v[i] - np.cross(w_global[i], P - r[i]))
        T = s.stiffness[k] * (length - s.rest[k]) + s.damping[k] * rate + state.values.elements[k]
        push(i, P, T * e)
        push(j, Q, -T * e)
    for k in (2, 3):
        i, j = t.body_i[k], t.body_j[k]
        x, y, z, g = A[i] @ t.a_i[k], A[i] @ t.b_i[k], A[i] @ t.n[k], A[j] @ t.a_j[k]
        turns = np.arctan2(y @ g, x @ g) + 2.0 * np.pi * np.arange(-5, 6)
        theta = turns[np.argmin(np.abs(turns - state.values.theta_previous[t.memory[k]]))]
        T = t.stiffness[k] * (theta - t.rest[k]) + t.damping[k] * (z @ (w_global[j] - w_global[i]))
        T += state.values.elements[k]
        torque[i] += T * z
        torque[j] -= T * z
    return np.hstack([f, np.einsum("bij,bi->bj", A, torque)])


@pytest.mark.parametrize("seed", range(3))
def test_sums_are_what_the_tables_say(seed: int) -> None:
    system, state = make_system(seed), counted(make_system(seed), State(seed))
    got = summed(system, state.r, state.A, state.v, state.w, state.values)
    assert_allclose(got[:NB], naive(system, state)[:NB], rtol=1e-12, atol=1e-12)


def test_forces_are_added_not_written() -> None:
    system, state = make_system(), State(0)
    f, n = np.full((NB + 1, 3), 7.0), np.full((NB + 1, 3), -3.0)
    forces.applied_forces(system, state.r, state.A, state.v, state.w, state.values, f, n)
    want = summed(system, state.r, state.A, state.v, state.w, state.values).real
    assert_allclose(np.hstack([f - 7.0, n + 3.0]), want, atol=1e-12)


def differences(system: System, state: State, values: LoadValues, bodies: tuple[int, ...]) -> tuple[Any, Any]:
    """d(f, n) of the bodies by (r, theta) and by (v, w), by complex steps."""
    size = 6 * len(bodies)
    K, C = np.zeros((size, size)), np.zeros((size, size))
    for side, b in enumerate(bodies):
        for c in range(6):
            d = np.zeros((NB + 1, 6), complex)
            d[b, c] = 1j * STEP
            moved = summed(system, state.r + d[:, :3], turned(state.A, d[:, 3:]), state.v, state.w, values)
            K[:, 6 * side + c] = np.concatenate([moved[x] for x in bodies]).imag / STEP
            faster = summed(system, state.r, state.A, state.v + d[:, :3], state.w + d[:, 3:], values)
            C[:, 6 * side + c] = np.concatenate([faster[x] for x in bodies]).imag / STEP
    return K, C


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", range(4))
def test_variations_of_elements_are_exact(seed: int, k: int) -> None:
    system, state = make_system(seed), counted(make_system(seed), State(seed))
    e, values = system.elements, state.values
    bodies = (int(e.body_i[k]), int(e.body_j[k]))
    want_K, want_C = differences(only(system, "elements", k), state, only_values(values, "elements", k), bodies)
    K, C = np.zeros((12, 12)), np.zeros((12, 12))
    element_variation(e, k, state.r, state.A, state.v, state.w, values.theta_previous, values.elements[k], K, C)
    assert_allclose(K, want_K, rtol=1e-12, atol=1e-12 * np.abs(want_K).max())
    assert_allclose(C, want_C, rtol=1e-12, atol=1e-12 * np.abs(want_C).max())


@pytest.mark.parametrize("k", range(4))
def test_load_variations_are_exact(k: int) -> None:
    system, state = make_system(1), State(1)
    b = int(system.loads.body[k])
    want, none = differences(only(system, "loads", k), state, only_values(state.values, "loads", k), (b,))
    K = np.ones((6, 6))
    forces.load_variation(system, k, state.r, state.A, state.values, K)
    assert_allclose(K - 1.0, want, rtol=1e-12, atol=1e-12)
    assert not none.any()


@pytest.mark.parametrize("rest", [0.0, 0.4])
def test_a_spring_at_zero_length_has_no_direction_and_stays_finite(rest: float) -> None:
    """The undirected part stays: a spring of zero rest length keeps its full stiffness there."""
    system, state = only(make_system(), "elements", 1), State(0)
    springs = system.elements
    system = system._replace(elements=springs._replace(rest=np.array([rest])))
    b = int(springs.body_i[0])
    A = state.A[b].reshape(3, 3)
    state.r[b] = springs.s_j[0] - A @ springs.s_i[0]
    values = only_values(state.values, "elements", 1)
    got = summed(system, state.r, state.A, state.v, state.w, values)
    assert_allclose(got[b], 0.0, atol=1e-14)
    K, C = np.zeros((12, 12)), np.zeros((12, 12))
    none = np.zeros(0)
    element_variation(system.elements, 0, state.r, state.A, state.v, state.w, none, values.elements[0], K, C)
    assert_allclose(K[:3, :3], -springs.stiffness[0] * np.eye(3))
    assert not C.any()
    if rest == 0.0:
        springs_only_stiff = system._replace(elements=system.elements._replace(damping=np.zeros(1)))
        state.r[b] += 1e-9
        away = values._replace(elements=np.zeros(1))
        near, _ = differences(springs_only_stiff, state, away, (b, NB))
        assert_allclose(K, near, atol=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_undamped_forces_are_minus_the_gradient_of_the_energy(seed: int) -> None:
    """At poses where a_j is perpendicular to n: there the torsion angle's rate is that about the axis."""
    system, state = make_system(seed, damping=0.0, aligned=True), State(seed, actuators=False)
    system = only_axis_turns(system, state)
    f = summed(system, state.r, state.A, state.v, state.w, state.values).real
    for b in range(NB):
        for c in range(6):
            d = np.zeros((NB + 1, 6), complex)
            d[b, c] = 1j * STEP
            A = turned(state.A, d[:, 3:])
            theta = np.zeros(2, complex)
            angles.count_angles(system, A, state.values.theta_previous, theta)
            energy = forces.potential_energy(system, state.r + d[:, :3], A, theta)
            assert_allclose(f[b, c], -energy.imag / STEP, rtol=1e-11, atol=1e-11)


def only_axis_turns(system: System, state: State) -> System:
    """a_j set so that it is perpendicular to n at this state, at an angle of its own."""
    t, A = system.elements, state.A.reshape(-1, 3, 3)
    a_j = t.a_j.copy()
    for k, angle in ((2, 0.6), (3, -2.5)):
        seen = np.cos(angle) * t.a_i[k] + np.sin(angle) * t.b_i[k]
        a_j[k] = A[t.body_j[k]].T @ A[t.body_i[k]] @ seen
    return system._replace(elements=t._replace(a_j=a_j))


@pytest.mark.parametrize("seed", range(3))
def test_power_of_the_forces_is_minus_the_energy_rate_less_what_dampers_take(seed: int) -> None:
    state = State(seed, actuators=False)
    system = only_axis_turns(make_system(seed, aligned=True), state)
    f = summed(system, state.r, state.A, state.v, state.w, state.values).real
    power = np.sum(f[:NB] * np.hstack([state.v, state.w])[:NB])
    A = turned(state.A, 1j * STEP * state.w)
    theta = np.zeros(2, complex)
    angles.count_angles(system, A, state.values.theta_previous, theta)
    r = state.r + 1j * STEP * state.v
    rate = forces.potential_energy(system, r, A, theta).imag / STEP
    taken = np.sum(system.elements.damping[2:] * (theta.imag / STEP) ** 2)
    for k in range(2):
        length = np.sqrt(np.sum(np.square(spring_vector(system.elements, k, r, A))))
        taken += system.elements.damping[k] * (length.imag / STEP) ** 2
    assert taken > 0.0
    assert_allclose(power, -rate - taken, rtol=1e-11)


def test_torsion_angle_counts_turns() -> None:
    system = only(make_system(aligned=True), "elements", 2)
    i, j = int(system.elements.body_i[0]), int(system.elements.body_j[0])
    A = np.tile(np.eye(3).ravel(), (NB + 1, 1))
    system = system._replace(elements=system.elements._replace(body_i=np.array([i]), body_j=np.array([j])))
    theta = np.zeros(1)
    for angle in np.linspace(0.0, 40.0, 60):
        A[j] = exp_so3(tuple(angle * system.elements.n[0]))
        angles.count_angles(system, A, theta, theta)
        assert_allclose(theta[0], angle, atol=1e-12)
    for angle in np.linspace(40.0, -40.0, 90):
        A[j] = exp_so3(tuple(angle * system.elements.n[0]))
        angles.count_angles(system, A, theta, theta)
        assert_allclose(theta[0], angle, atol=1e-12)


def _applied(system, r, A, v, w, values, f, n):  # type: ignore[no-untyped-def]
    forces.applied_forces(system, r, A, v, w, values, f, n)


def _varied(system, r, A, v, w, values, K, C, L):  # type: ignore[no-untyped-def]
    forces.load_variation(system, 0, r, A, values, L)
    for k in range(4):
        element_variation(system.elements, k, r, A, v, w, values.theta_previous, values.elements[k], K, C)
    return forces.potential_energy(system, r, A, values.theta_previous)


def test_compiled_kernels_agree_with_plain_ones() -> None:
    from linkwork.kernels.jit import compiled

    system, state = make_system(2), State(2)
    where = (state.r, state.A, state.v, state.w, state.values)
    f, n = np.zeros((NB + 1, 3)), np.zeros((NB + 1, 3))
    compiled(_applied, kept=False)(system, *where, f, n)
    assert_allclose(np.hstack([f, n]), summed(system, *where).real, rtol=1e-13, atol=1e-13)
    fast = [np.zeros((12, 12)), np.zeros((12, 12)), np.zeros((6, 6))]
    plain = [np.zeros((12, 12)), np.zeros((12, 12)), np.zeros((6, 6))]
    energy = compiled(_varied, kept=False)(system, *where, *fast)
    assert_allclose(energy, _varied(system, *where, *plain), rtol=1e-13)
    for a, b in zip(fast, plain, strict=True):
        assert b.any()
        assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("tilt", "turned_on", "told"), [(0.025, 0.0, True), (0.015, 0.0, False), (1.5, 2.3, True), (1.5, 2.4, False)]
)
def test_a_torsions_torque_is_no_number_where_its_angle_is_in_doubt(tilt: float, turned_on: float, told: bool) -> None:
    """a_j within 0.02 of the axis, or 135 degrees from what theta was: on both sides of each limit."""
    system = only(make_system(aligned=True), "elements", 2)
    torsions, A = system.elements, np.tile(np.eye(3).ravel(), (NB + 1, 1))
    n, a_j = torsions.n[0], torsions.a_j[0]
    A[int(torsions.body_j[0])] = exp_so3(tuple((np.pi / 2 - tilt) * np.cross(a_j, n)))
    theta = angles.angle_about(torsions, 0, A, 0.0)
    w = np.zeros((NB + 1, 3))
    torque = torsion_torque(torsions, 0, A, w, theta - turned_on, 0.0)
    assert np.isfinite(torque) == told
    idle = torsions._replace(stiffness=np.zeros(1))
    assert torsion_torque(idle, 0, A, w, theta - turned_on, 0.5) == 0.5, "a damper or motor needs no angle"
