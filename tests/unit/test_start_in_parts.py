"""How the start of a run moves with many numbers, in parts: against runs that are built beside, number by number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism

import linkwork as lw
from linkwork.derivatives import start as beside
from linkwork.derivatives import start_in_parts
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.derivatives.nominal import Nominal
from linkwork.derivatives.start_tangents import StartTangents
from linkwork.derivatives.start_velocities import StartVelocities
from linkwork.derivatives.stencil import derivative
from linkwork.equations.index_3 import structure
from linkwork.errors import UsageError
from linkwork.run.starting import prepare

ALIKE = 1e-10  # of the largest


def links(count: int, *, stated: bool = True) -> lw.Mechanism:
    """Links that turn about y and x in turn, on points given per body; with velocities of all bodies, or turning of the
    first alone."""
    rng, mech = np.random.default_rng(3), lw.Mechanism("links")
    for k in range(count):
        more = {"angular_velocity": rng.uniform(-1, 1, 3).tolist()} if stated or k == 0 else {}
        mech.body(f"link {k}", mass=1.0 + 0.1 * k, inertia=rng.uniform(0.02, 0.03, 3).tolist(),
                  position=[0.05 * k, 0.0, -0.15 - 0.3 * k], **more)  # fmt: skip
        axis = [0.0, 1.0, 0.2] if k % 2 else [1.0, 0.3, 0.0]
        ends: dict[str, Any] = {
            "on_first": {"point": [0.05 if k else 0.0, 0.0, -0.15 if k else 0.0], "axis": axis, "x": [0.0, 0.0, 1.0]},
            "on_second": {"point": [0.0, 0.0, 0.15], "axis": axis, "x": [0.0, 0.0, 1.0]},
        }
        mech.joint(f"pin {k}", "revolute", f"link {k - 1}" if k else "ground", f"link {k}", **ends)
    return mech


def at_rest(count: int) -> tuple[lw.Mechanism, list[str]]:
    """Links that do not move, and their masses and inertias."""
    mech = links(count)
    for k in range(count):
        mech.change(f"link {k}", angular_velocity=[0.0, 0.0, 0.0])
    return mech, [f"link {k}.{word}" for k in range(count) for word in ("mass", "inertia")]


def tangents(
    mech: lw.Mechanism, to: list[str], formulation: str, method: str, state: Any = None, **options: Any
) -> StartTangents:
    nominal = carried_out(mech, 2e-3, 1e-3, formulation, method, state, {"accept_changes": True, **options})
    moving = Moving(nominal, numbers_of(mech, to))
    reached = moving.reached if nominal.droppable else []
    return StartTangents(nominal, moving.moving_starts, moving.perturbed, reached)


def dense(one: Any, size: int) -> np.ndarray:
    out = np.zeros(size)
    out[one.at] = one.value
    return out


def agree(of: StartTangents, some: Any = None) -> None:
    """Parts find all numbers, as built runs a few steps beside do."""
    every = range(len(of.starts))
    parts = start_in_parts.in_parts(of, every)
    assert set(parts) == set(every)
    for k in every if some is None else some:
        h = 4.0 * float(of.steps[k])
        wanted, rough = derivative(lambda by, k=k: of.built([k], np.array([by])), h, of.perturbed.size)  # type: ignore[misc]
        assert rough <= 1e-9
        found, name = dense(parts[k], len(wanted)), of.starts[k].number.name
        assert np.max(np.abs(found - wanted)) <= ALIKE * max(1.0, np.max(np.abs(wanted))), name


@pytest.mark.parametrize("size", [1.0, 1e-7])
def test_starts_of_equal_and_of_tiny_bodies_move_as_those_of_mechanisms_beside(size: float) -> None:
    """Two bars and a rod between them, of which one is said to turn. The heaviest mass has a corner where masses are
    equal, and rows are measured in m^2: what moves them is no rounding because it is small."""
    mech = lw.Mechanism("bars", gravity=(0.0, 0.0, -9.81 * size))
    for name, x, z, more in (("a", 0.4, 0.3, {"angular_velocity": [0.0, 0.7, 0.0]}), ("b", 1.2, 0.7, {})):
        mech.body(name, mass=1.0, inertia=[0.04 * size**2] * 3, position=[size * x, 0.0, size * z], **more)
    for name, x in (("a", 0.0), ("b", 1.5)):
        mech.joint(f"pin {name}", "revolute", "ground", name, point=[size * x, 0, 0], axis=[0, 1, 0], x=[1, 0, 0])
    mech.joint("rod", "distance", "a", "b", point=[0.8 * size, 0, 0.6 * size], point2=[1.1 * size, 0, 0.9 * size])
    to = ["a.position[0]", "a.position[2]", "b.mass", "rod.point[0]", "rod.point[2]", "rod.point2[0]",
          "pin b.point[0]", "pin a.point[2]", "a.angular_velocity[1]", "gravity[2]"]  # fmt: skip
    of = tangents(mech, to, "canonical", "rk4")
    assert len(of.found) == len(to), "none is refused"
    for k, start in enumerate(of.starts):

        def turning(by: float, start: Any = start) -> np.ndarray:
            return np.asarray(prepare(start.number.moved(by), dynamics=True).compiled.w[:2])

        wanted, motion = (turning(start.h / 16.0) - turning(-start.h / 16.0)) / (start.h / 8.0), of.motions[k]
        found = np.zeros((2, 3)) if motion is None else motion.u.reshape(2, 6)[:, 3:]
        assert np.max(np.abs(found - wanted)) <= 1e-5 * max(np.max(np.abs(wanted)), 1e-3 / start.size), to[k]
    assert np.max(np.abs(of.motions[4].u)) > 0.5 / size  # type: ignore[union-attr]


WAYS = [
    ("canonical", "rk4"),
    ("articulated-body", "rk4"),
    ("augmented", "rk4"),
    ("lie-mixed", "generalized-alpha"),
    ("rotation-matrix", "rk4"),
    ("rA", "generalized-alpha"),
    ("re", "implicit-euler"),
]


@pytest.mark.parametrize(("formulation", "method"), WAYS)
@pytest.mark.parametrize("stated", [True, False])
def test_a_tree_whose_velocities_are_found(formulation: str, method: str, stated: bool) -> None:
    to = ["link 0.position", "link 2.position", "link 1.mass", "link 2.inertia[1]", "link 0.angular_velocity[0]",
          "pin 1.on_second.point[0]", "pin 2.on_first.point[2]"]  # fmt: skip
    agree(tangents(links(4, stated=stated), to, formulation, method))


@pytest.mark.parametrize(("formulation", "method"), [WAYS[0], WAYS[2], WAYS[5]])
@pytest.mark.parametrize("name", ["stewart_platform", "planar_four_bar", "suspension", "rolling_disc"])
def test_loops_drivers_dependent_rows_and_rolling(name: str, formulation: str, method: str) -> None:
    mech = lw.load(name)
    document = mech.to_dict()
    to = [f"{body['name']}.position" for body in document["bodies"][:3]]
    to += [f"{joint['name']}.point" for joint in document.get("joints", ())[:3] if "point" in joint]
    if name == "planar_four_bar":  # across its plane it jams
        to = [f"{one}[{k}]" for one in to for k in (0, 2)]
    agree(tangents(mech, to, formulation, method))


@pytest.mark.parametrize(("formulation", "method"), [WAYS[1], WAYS[3]])
def test_a_random_mechanism(formulation: str, method: str) -> None:
    mech = random_mechanism(1)
    to = [f"{body['name']}.position" for body in mech.to_dict()["bodies"]]
    agree(tangents(mech, to, formulation, method))


def test_a_state_that_is_given() -> None:
    mech = links(4)
    state = lw.start_state(mech, coordinates={"pin 1.angle": 7.0}, rates={"pin 1.angle": 0.3})
    to = ["link 0.position", "link 2.angular_velocity", "pin 1.on_second.point", "pin 2.on_first.point"]
    for formulation, method in (WAYS[0], WAYS[5]):
        agree(tangents(mech, to, formulation, method, state))


def test_steps_that_find_their_size_go_by_the_largest_speed() -> None:
    agree(tangents(links(3), ["link 1.position", "link 0.angular_velocity"], "canonical", "dp54", rtol=1e-6, atol=1e-8))


def test_a_mass_moves_velocities_that_are_found() -> None:
    """Those of the least energy, where the description leaves a joint's speed open; central differences of runs."""
    mech = links(3, stated=False)
    how: dict[str, Any] = {"accept_changes": True}
    to = ["link 1.mass", "link 2.inertia[0]"]
    for formulation, method in (WAYS[0], WAYS[5]):
        found = lw.sensitivities(mech, 2e-3, 1e-3, formulation, method, of="angular_velocity", to=to, **how)
        for number in numbers_of(mech, to):
            above, below = (
                lw.simulate(number.moved(by), 2e-3, 1e-3, formulation, method, **how)["angular_velocity"][0]
                for by in (1e-5, -1e-5)
            )
            wanted = (above - below) / 2e-5
            assert np.max(np.abs(wanted)) > 1e-3
            assert np.max(np.abs(found["angular_velocity", number.name][0] - wanted)) <= 1e-6 * np.max(np.abs(wanted))


def test_many_numbers_build_few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a chain at rest by its positions, and of one whose start moves throughout."""
    built: list[int] = []
    prepared = Nominal.prepared
    monkeypatch.setattr(Nominal, "prepared", lambda *args: built.append(1) or prepared(*args))  # type: ignore[func-returns-value]
    for count in (10, 20):
        for formulation, method in (WAYS[0], WAYS[5]):
            of = tangents(links(count), [f"link {k}.position" for k in range(count)], formulation, method)
            built.clear()
            assert len(of.found) == 3 * count
            assert len(built) <= 30


@pytest.mark.parametrize(("formulation", "method"), [("rA", "generalized-alpha"), ("lie-se3", "implicit-euler")])
def test_masses_of_implicit_runs_are_worked_out_in_place(formulation: str, method: str, monkeypatch: Any) -> None:
    """What ends iterations is held in these runs, as in those that are built."""
    built: list[int] = []
    prepared = Nominal.prepared
    monkeypatch.setattr(Nominal, "prepared", lambda *args: built.append(1) or prepared(*args))  # type: ignore[func-returns-value]
    monkeypatch.setattr(StartTangents, "_found_at_once", lambda _: {})
    of = tangents(*at_rest(8), formulation, method)
    built.clear()
    found = of.found
    assert len(built) <= 8
    for k in (0, 13, 28):
        wanted, _ = derivative(lambda by, k=k: of.built([k], np.array([by])), float(of.steps[k]), of.perturbed.size)  # type: ignore[misc]
        assert np.max(np.abs(wanted)) > 0.1
        assert np.max(np.abs(dense(found[k], len(wanted)) - wanted)) <= ALIKE * np.max(np.abs(wanted))


def test_what_moves_straight_is_found_of_the_mechanisms_that_tables_are_seen_in(monkeypatch: Any) -> None:
    """Three of them; where inverse inertias bend, of others besides."""
    made = list[Any]()
    described = beside.moved
    monkeypatch.setattr(beside, "moved", lambda *how: made.append(how) or described(*how))  # type: ignore[func-returns-value]
    mech, to = at_rest(8)
    for k in range(8):
        ends = {"on_first": {"point": [0.1, k, 0.5]}, "on_second": {"point": [0.02, 0.01, 0.015]}}
        mech.force(f"coil {k}", "spring", first="ground", second=f"link {k}", stiffness=50.0, length=0.3, **ends)
    to += [f"coil {k}.{word}" for k in range(8) for word in ("stiffness", "length", "on_second.point")]
    of = tangents(mech, to, "rA", "generalized-alpha")
    found = of.found
    assert len(made) == 3
    monkeypatch.setattr(StartTangents, "_found_at_once", lambda _: {})
    size = len(of.built([], np.zeros(0)))
    for one, other in zip(found, tangents(mech, to, "rA", "generalized-alpha").found, strict=True):
        assert np.max(np.abs(other.value)) > 0.1
        assert np.max(np.abs(dense(one, size) - dense(other, size))) <= 1e-12 * np.max(np.abs(other.value))
    bent = tangents(mech, to, "canonical", "rk4")
    assert len(bent.found) == len(found)
    assert not bent._found_at_once()


def test_parts_that_do_not_make_the_whole_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    to, followed = [f"link {k}.position" for k in (1, 2, 3)], StartVelocities.followed

    def wrong(self: StartVelocities, *args: Any) -> Any:
        found = followed(self, *args)
        return None if found is None else (1.0 + 1e-3) * found

    wanted = tangents(links(4), to, "canonical", "rk4").found
    monkeypatch.setattr(StartVelocities, "followed", wrong)
    of = tangents(links(4), to, "canonical", "rk4")
    assert start_in_parts.in_parts(of, range(9)) == {}
    size = len(of.built([], np.zeros(0)))
    for one, other in zip(of.found, wanted, strict=True):
        assert np.max(np.abs(dense(one, size) - dense(other, size))) <= 1e-9 * np.max(np.abs(other.value), initial=1.0)


def test_axes_that_are_chosen_otherwise_beside_have_no_derivative() -> None:
    """Where an axis leans by 0.135 from x to y, the frame about it begins at z, and less at y."""
    mech = lw.Mechanism("one arm")
    mech.body("arm", mass=1.0, inertia=[0.1, 0.2, 0.3], position=[0, 0.3, -0.5], angular_velocity=[1.0, 0, 0])
    mech.joint("pin", "revolute", "ground", "arm", point=[0, 0, 0], axis=[math.sqrt(1.0 - 0.135**2), 0.1350000001, 0])
    run: dict[str, Any] = {"t_end": 0.02, "step": 1e-2, "formulation": "canonical", "integrator": "rk4"}
    with pytest.raises(UsageError, match=r"pin.axis\[1\].*not smooth.*joint's x"):
        lw.sensitivities(mech, **run, of="position", to="pin.axis[1]", accept_changes=True)
    mech.change("pin", axis=[1.0, 0, 0])
    assert lw.sensitivities(mech, **run, of="position", to="pin.axis[1]", accept_changes=True)["position"].any()


def test_mechanisms_beside_are_made_once_and_their_matrix_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start, and what quantities ask of the description, move the same numbers by the same amounts; the sparsity of
    the matrix is that of all mechanisms with other numbers."""
    made, patterns = list[Any](), list[int]()
    described, found = beside.moved, structure.pattern

    def counted(numbers: Any, by: Any) -> Any:
        made.append((tuple(one.name for one in numbers), tuple(by)))
        return described(numbers, by)

    def ordered(*how: Any) -> Any:
        patterns.append(1)
        return found(*how)

    monkeypatch.setattr(beside, "moved", counted)
    monkeypatch.setattr(structure, "pattern", ordered)
    mech = links(5, stated=False)
    to = [f"{body.name}.{word}" for body in mech.bodies for word in ("mass", "inertia")]
    how: dict[str, Any] = {"of": "final('pin 4'.angle)", "to": to, "accept_changes": True}
    lw.sensitivities(mech, 4e-3, 1e-3, "rA", "generalized-alpha", mode="adjoint", **how)
    assert len(made) == len(set(made)) > 0
    assert len(patterns) <= 2  # with and without room for dependent rows
