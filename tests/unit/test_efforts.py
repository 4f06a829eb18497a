"""Quantities and forces by formulas of the state: kernels against complex steps, laws against built-in elements."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.equations.applied import put_applied_forces, vary_efforts
from linkwork.kernels.mat33 import matmul
from linkwork.kernels.quantities.kind import QuantityKind
from linkwork.kernels.quantities.kinds import KINDS, NUMBER
from linkwork.kernels.quantities.table import gradient_of, parts_of, rate_gradient, times, value_of, velocities
from linkwork.kernels.records import new_record
from linkwork.kernels.rows.kind import VECTORS
from linkwork.kernels.so3 import exp_so3
from linkwork.kernels.tables import Quantities
from linkwork.problems.implicit import A, R, V, W
from linkwork.problems.request import ImplicitRequest
from linkwork.system import compile_mechanism

H = 1e-30
NB = 2  # ground


class Motion:
    """Random poses and velocities of two bodies and ground."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.r, self.v, self.w = (random.normal(size=(NB + 1, 3)) for _ in range(3))
        self.A = np.array([exp_so3(tuple(x)) for x in random.normal(size=(NB + 1, 3))])
        for x in (self.r, self.v, self.w):
            x[NB] = 0.0
        self.A[NB] = np.eye(3).ravel()

    def moved(self, dof: int) -> tuple[Any, Any, Any, Any]:
        """r, A, v, w with a complex step along one of (r, theta, v, omega) x bodies."""
        which, body, c = dof // 9, (dof % 9) // 3, dof % 3
        r, A_, v, w = (x.astype(complex) for x in (self.r, self.A, self.v, self.w))
        if which == 1:
            theta = np.zeros(3, complex)
            theta[c] = 1j * H
            A_[body] = matmul(tuple(A_[body]), exp_so3(tuple(theta)))
        else:
            (r, None, v, w)[which][body, c] += 1j * H
        return r, A_, v, w


def one(kind: QuantityKind, seed: int, bodies: tuple[int, int]) -> Quantities:
    columns = kind.example(np.random.default_rng(seed))
    ints = [np.array([n]) for n in (NUMBER[kind.name], *bodies)]
    return Quantities(*ints, **{name: np.array([columns[name]]) for name in VECTORS})


def twelve(parts: Any) -> np.ndarray:
    return np.concatenate([np.array(part) for part in parts])


def dofs(bodies: tuple[int, int], which: tuple[int, int]) -> list[int]:
    """Degrees (r, theta) or (v, omega) of both bodies."""
    return [9 * w + 3 * b + c for b in bodies for w in which for c in range(3)]


@pytest.mark.parametrize("bodies", [(0, 1), (NB, 0), (1, NB)])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_kernels_of_a_quantity_hold_against_each_other(kind: QuantityKind, bodies: tuple[int, int]) -> None:
    at, q = Motion(3), one(kind, 4, bodies)
    n = NUMBER[kind.name]
    previous = value_of.functions[n](q, 0, at.r, at.A, 0.3)

    def along(function: Any, which: tuple[int, int]) -> np.ndarray:
        found = []
        for dof in dofs(bodies, which):
            moving = dof % 9 // 3 != NB
            found.append(
                np.imag(function(*at.moved(dof))) / H if moving else np.zeros_like(function(*at.moved(0)), float)
            )
        return np.array(found)

    still = np.repeat([b == NB for b in bodies], 6)
    if kind.has_value:
        slope = along(lambda r, A_, v, w: value_of(n, q, 0, r, A_, previous), (0, 1))
        assert_allclose(slope, np.where(still, 0.0, twelve(gradient_of(n, q, 0, at.r, at.A))), atol=1e-13)
    out = np.zeros((12, 12))
    kind.add_variation(out, 1.7, q, 0, at.r, at.A)
    turning = along(lambda r, A_, v, w: 1.7 * twelve(parts_of(n, q, 0, r, A_)), (0, 1)).T
    assert_allclose(turning, np.where(still[None, :], 0.0, out), atol=1e-12)
    rates = along(lambda r, A_, v, w: times(parts_of(n, q, 0, r, A_), velocities(q, 0, v, w)), (0, 1))
    found = twelve(rate_gradient(q, 0, at.r, at.A, at.v, at.w, np.zeros((12, 12))))
    assert_allclose(rates, np.where(still, 0.0, found), atol=1e-12)


def test_parts_are_the_rate_of_the_value() -> None:
    at = Motion(5)
    for kind in KINDS:
        if kind.has_value and kind.gradient is None:
            q, n = one(kind, 6, (0, 1)), NUMBER[kind.name]
            r = at.r + 1j * H * at.v
            A_ = np.array([matmul(tuple(a), exp_so3(tuple(1j * H * w))) for a, w in zip(at.A, at.w, strict=True)])
            rate = times(parts_of(n, q, 0, at.r, at.A), velocities(q, 0, at.v, at.w))
            assert np.imag(value_of(n, q, 0, r, A_, 0.0)) / H == pytest.approx(rate, abs=1e-13)


FORMULAS = {
    "joint": "-3*angle('hinge')**3 - 0.2*rate('hinge')*abs(rate('hinge'))",
    "elsewhere": "2*sin(distance('a', [0.1, 0, 0], 'b')) + distance_rate('a', 'ground')*t",
    "choices": "if(position('a', 'z', [0, 0.1, 0]) > velocity('b', 'x'), atan2(t, 1 + speed('a')), max(1, 2))",
    "frames": "position('a', 'y', 'b') + velocity('a', 'x', [0, 0, 1], 'body')*angular_velocity('b', 'y', 'body')",
    "turning": "angular_velocity('a', 'z') - angular_velocity('a', 'x', 'b')**2 + direction('b', 'x', 'z')",
    "smooth": "step(angle('hinge'), -2, 3)*clip(rate('hinge'), -9, 9) + hypot(angle('hinge'), 2) + sign(t - 3)",
}


def two_bodies() -> lw.Mechanism:
    """Two bodies on a hinge, nothing else."""
    mech = lw.Mechanism("two", gravity=(0.0, 0.0, -9.81))
    for name, mass in (("a", 1.0), ("b", 2.0)):
        mech.body(name, mass=mass, inertia=[[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.25]], position=[0.2 * mass, 0, 0])
    mech.joint("hinge", "revolute", "a", "b", point=[0, 0, 0], axis=[0.3, 1, 0.2])
    return mech


def everything(f: str) -> lw.Mechanism:
    """A force of every kind by one formula."""
    mech = two_bodies()
    place = {"first": "a", "second": "b", "point": [0.1, 0.2, 0.3], "point2": [0.5, 0.1, -0.4]}
    mech.force("global", "force", body="a", point=[0.3, 0.1, 0.2], components=[f, 1.0, f"2*({f})"])
    mech.force("own", "force", body="b", point=[0.3, 0.1, 0.2], axes="body", components=[0.0, f, "t"])
    mech.force("couple", "torque", body="b", components=[f, 1.0, 0.0])
    mech.force("own couple", "torque", body="a", axes="body", components=[f, 1.0, 0.0])
    mech.force("rope", "spring", **place, stiffness=f, damping="0.1*abs(rate)", actuator="-3*stretch**3 + length")
    mech.force("hip", "torsion", joint="hinge", stiffness=10.0, damping=f, actuator="-0.3*turned**3 + angle*rate")
    return mech


def efforts_at(mech: lw.Mechanism, at: Motion) -> tuple[Any, Any]:
    """The compiled mechanism, and a function of r, A, v, w that gives forces and torques on all bodies."""
    compiled = compile_mechanism(mech.lower())

    def work_at(r: Any, A_: Any, v: Any, w: Any) -> Any:
        dtype = np.result_type(r, v)
        work = SimpleNamespace(
            motion=np.zeros((NB + 1, 37), dtype), e=np.zeros((NB + 1, 6), dtype),
            request=new_record(ImplicitRequest, dtype),
            load_values=np.zeros((len(compiled.system.loads.body), 3)),
            element_values=np.zeros(len(compiled.system.elements.law)),
            counted_angles=np.zeros(compiled.angles), operands=compiled.operands().astype(dtype),
            stack=np.zeros((int(compiled.system.programs.depth[0]) + 1, 3), dtype),
        )  # fmt: skip
        work.request.time[0] = 0.7
        m = work.motion
        m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3] = r, A_, v, w
        put_applied_forces(compiled.tables, work)
        return work

    return compiled, work_at


@pytest.mark.parametrize("f", FORMULAS.values(), ids=FORMULAS)
def test_matrices_of_forces_by_formula_hold_against_complex_steps(f: str) -> None:
    mech = everything(f)
    at = Motion(8)
    hinge = np.array(exp_so3((0.1, 0.3, -0.2)))
    at.A[1] = matmul(tuple(at.A[0]), tuple(hinge))  # turns can be told
    compiled, work_at = efforts_at(mech, at)
    work = work_at(at.r, at.A, at.v, at.w)
    pairs = {(i, j): 3 * i + j for i in range(3) for j in range(3)}
    q, e = compiled.system.quantities, compiled.system.efforts
    blocks = np.zeros((9, 72))

    def four(a: int, b: int) -> list[int]:
        if b >= len(q.kind):
            return [-1] * 4
        return [pairs[i, j] for i in (q.body_i[a], q.body_j[a]) for j in (q.body_i[b], q.body_j[b])]

    matrix = SimpleNamespace(
        scratch=np.zeros((24, 12)), blocks=blocks, effort_pair=np.array([four(m, m) for m in e.quantity]),
        use_pair=np.array([four(m, use // 2) for m, use in compiled.uses]),
    )  # fmt: skip
    vary_efforts(compiled.tables, work, matrix)
    for b in range(NB):
        for which in range(4):
            for c in range(3):
                moved = work_at(*at.moved(9 * which + 3 * b + c)).e.imag / H
                moved -= built_in(compiled, work_at, at, 9 * which + 3 * b + c)
                for a in range(NB):
                    column = 36 * (which // 2) + 3 * (which % 2) + c
                    found = [-blocks[pairs[a, b], column + 6 * row] for row in range(6)]
                    assert_allclose(found, moved[a], rtol=1e-11, atol=1e-11)


def built_in(compiled: Any, work_at: Any, at: Motion, dof: int) -> np.ndarray:
    """The derivative of what loads, springs and torsions apply besides efforts."""
    from linkwork.kernels.forces import LoadValues, applied_forces

    r, A_, v, w = at.moved(dof)
    work = work_at(at.r, at.A, at.v, at.w)
    f, n = np.zeros((NB + 1, 3), complex), np.zeros((NB + 1, 3), complex)
    values = LoadValues(work.load_values, work.element_values, work.counted_angles)
    applied_forces(compiled.system, r, A_, v, w, values, f, n)
    return np.hstack([f, n]).imag / H


def test_a_formula_says_what_a_built_in_element_does() -> None:
    place = {"first": "a", "second": "b", "point": [0.1, 0.2, 0.3], "point2": [0.5, 0.1, -0.4]}
    built, said = two_bodies(), two_bodies()
    built.force("rope", "spring", **place, stiffness=120.0, damping=3.0, length=0.2, actuator=7.0)
    said.force("rope", "spring", **place, length=0.2, actuator="120*(length - 0.2) + 3*rate + 7")
    built.force("hip", "torsion", joint="hinge", stiffness=10.0, damping=0.4, angle=0.3)
    said.force("hip", "torsion", joint="hinge", actuator="10*(angle - 0.3)", damping="0.4 + 0*t*rate")
    for name, axes in (("push", "body"), ("pull", "global")):
        for kind in ("force", "torque"):
            where = {"point": [0.1, 0.2, 0.3]} if kind == "force" else {}
            built.force(f"{name} {kind}", kind, body="a", components=[1.0, -2.0, 0.5], axes=axes, **where)
            f = "0*speed('b')"
            said.force(
                f"{name} {kind}", kind, body="a", components=[f"1 + {f}", f"-2 + {f}", f"0.5 + {f}"], axes=axes, **where
            )
    at = Motion(9)
    at.A[1] = matmul(tuple(at.A[0]), exp_so3((0.1, 0.3, -0.2)))
    found = []
    for mech in (built, said):
        compiled, work_at = efforts_at(mech, at)
        work = work_at(at.r, at.A, at.v, at.w)
        work.load_values[:], work.element_values[:] = compiled.system.loads.constant, compiled.system.elements.constant
        put_applied_forces(compiled.tables, work)
        found.append(work.e[:NB])
    assert len(compiled.system.elements.law) == len(compiled.system.loads.body) == 0
    assert_allclose(found[1], found[0], rtol=1e-13, atol=1e-13)
