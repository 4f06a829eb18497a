"""Every law of force elements: derivatives against complex steps, force against energy, facts against kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from linkwork.kernels.force_laws import spring, torsion
from linkwork.kernels.force_laws.kind import ForceLaw, along
from linkwork.kernels.force_laws.laws import LAWS, NUMBER
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import matmul
from linkwork.kernels.quantities import length, turn
from linkwork.kernels.quantities.kinds import KINDS as QUANTITIES
from linkwork.kernels.quantities.kinds import NUMBER as QUANTITY
from linkwork.kernels.rows.kind import VECTORS
from linkwork.kernels.so3 import exp_so3
from linkwork.kernels.tables import ForceElements

STEP = 1e-30
ONE = np.zeros(1, np.int64)
each = pytest.mark.parametrize("law", LAWS, ids=[law.name for law in LAWS])
seeds = pytest.mark.parametrize("seed", range(3))


class Case:
    """One element of a law between bodies 0 and 1, at a random state; what belongs to an axis is across it."""

    def __init__(self, law: ForceLaw, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.law = law
        self.r, self.v, self.w = (rng.normal(size=(3, 3)) for _ in range(3))
        self.A = np.array([exp_so3(tuple(x)) for x in rng.normal(size=(3, 3))])
        columns = {name: np.array([law.example(rng)[name]]) for name in VECTORS} | {
            name: x[None] for name, x in law.example(rng).items() if name in VECTORS
        }
        if law.has_counted_angle:  # a_j across n at this pose, at an angle of 0.6
            A = self.A.reshape(-1, 3, 3)
            seen = np.cos(0.6) * columns["a_i"][0] + np.sin(0.6) * columns["b_i"][0]
            columns["a_j"] = (A[1].T @ A[0] @ seen)[None]
        self.e = ForceElements(
            law=np.array([NUMBER.get(law.name, 0)]), body_i=ONE, body_j=ONE + 1, **columns, stiffness=np.array([3.0]),
            damping=np.array([0.7]), rest=np.array([0.4]), constant=np.zeros(1), numbers=rng.uniform(0.1, 0.5, (1, 4)),
            program=ONE - 1, memory=ONE,
        )  # fmt: skip
        self.actuator, self.previous = 0.3, 0.5

    def force(self, r: Any, A: Any, v: Any, w: Any, e: Any = None) -> np.ndarray:
        """(12,) of both bodies."""
        f, n = np.zeros((3, 3), complex), np.zeros((3, 3), complex)
        self.law.apply(e or self.e, 0, r, A, v, w, self.previous, self.actuator, f, n)
        assert not f[2].any()
        return np.concatenate([f[0], n[0], f[1], n[1]])

    def moved(self, c: int) -> tuple[Any, Any]:
        """r and A a complex step along one of twelve displacements."""
        d = np.zeros((3, 6), complex)
        d[c // 6, c % 6] = 1j * STEP
        return self.r + d[:, :3], np.array([matmul(tuple(self.A[b]), exp_so3(tuple(d[b, 3:]))) for b in range(3)])


def variation(case: Case, law: Any) -> tuple[np.ndarray, np.ndarray]:
    K, C = np.zeros((12, 12)), np.zeros((12, 12))
    law(case.e, 0, case.r, case.A, case.v, case.w, case.previous, case.actuator, K, C)
    return K, C


@each
@seeds
def test_derivatives_are_exact(law: ForceLaw, seed: int) -> None:
    case = Case(law, seed)
    want_K, want_C = np.zeros((12, 12)), np.zeros((12, 12))
    for c in range(12):
        r, A = case.moved(c)
        want_K[:, c] = case.force(r, A, case.v, case.w).imag / STEP
        d = np.zeros((3, 6), complex)
        d[c // 6, c % 6] = 1j * STEP
        want_C[:, c] = case.force(case.r, case.A, case.v + d[:, :3], case.w + d[:, 3:]).imag / STEP
    K, C = variation(case, law.add_variation)
    assert np.abs(want_K).max() > 0.1
    assert_allclose(K, want_K, atol=1e-12 * np.abs(want_K).max())
    assert_allclose(C, want_C, atol=1e-12 * np.abs(want_C).max())


@each
@seeds
def test_without_damping_and_actuator_the_force_is_minus_the_gradient_of_the_energy(law: ForceLaw, seed: int) -> None:
    case = Case(law, seed)
    case.actuator, case.e = 0.0, case.e._replace(damping=np.zeros(1))
    force = case.force(case.r, case.A, case.v, case.w).real
    kind = QUANTITIES[QUANTITY[law.quantity]]
    for c in range(12):
        r, A = case.moved(c)
        theta = kind.value(case.e, 0, r, A, case.previous)
        energy = law.energy(case.e, 0, r, A, theta)
        assert_allclose(force[c], -energy.imag / STEP, rtol=1e-11, atol=1e-12)
    idle = case.e._replace(stiffness=np.zeros(1))
    assert law.energy(idle, 0, case.r, case.A, case.previous) == 0.0, "without stiffness nothing is stored"
    assert not case.force(case.r, case.A, case.v, case.w, idle).any()


@each
def test_columns_are_those_that_are_read(law: ForceLaw) -> None:
    case = Case(law, 0)
    before = case.force(case.r, case.A, case.v, case.w)
    for name in VECTORS:
        changed = case.e._replace(**{name: getattr(case.e, name) + 0.05})
        same = np.array_equal(case.force(case.r, case.A, case.v, case.w, changed), before)
        assert same == (name not in law.columns), name


@each
def test_the_quantity_and_the_memory_are_the_laws_own(law: ForceLaw) -> None:
    assert law.has_counted_angle == (law.value.unit == "rad")
    assert set(QUANTITIES[QUANTITY[law.quantity]].columns) == set(law.columns)
    if law.point_force is not None:
        case = Case(law, 1)
        F = np.array(law.point_force(case.e, 0, case.r, case.A, case.v, case.w, case.actuator))
        assert_allclose(case.force(case.r, case.A, case.v, case.w)[:3], F, rtol=1e-14)


@kernel
def linear(e: Any, k: int, q: Any, rate: Any, actuator: Any) -> Any:
    """-stiffness (q - rest) - damping rate - actuator."""
    return -(e.stiffness[k] * (q - e.rest[k]) + e.damping[k] * rate + actuator)


@kernel
def its_slopes(e: Any, k: int, q: Any, rate: Any, actuator: Any) -> Any:
    return -e.stiffness[k], -e.damping[k]


@pytest.mark.parametrize("slopes", [None, its_slopes], ids=["complex steps", "slopes given"])
@pytest.mark.parametrize(("law", "kind"), [(spring.LAW, length.KIND), (torsion.LAW, turn.KIND)])
@seeds
def test_a_law_along_a_quantity_is_the_one_written_out(law: ForceLaw, kind: Any, slopes: Any, seed: int) -> None:
    """The generic kernels, given the linear law, against the kernels of springs and torsion springs."""
    apply, add_variation = along(kind, linear, slopes)
    case, other = Case(law, seed), Case(law, seed)
    other.law = law._replace(apply=apply)
    state = case.r, case.A, case.v, case.w
    assert_allclose(other.force(*state), case.force(*state), rtol=1e-12, atol=1e-13)
    for got, want in zip(variation(case, add_variation), variation(case, law.add_variation), strict=True):
        assert_allclose(got, want, atol=1e-12 * np.abs(want).max())
