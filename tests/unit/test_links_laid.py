"""Links that are laid anew in place, and joint coordinates by compiled code: to the bits of what is built."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from unit.test_lengths import names_of, number_in, with_local_points

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.formulations.recursive import measured_links
from linkwork.mechanism.variants import variant
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.links import LinkPlan, Links, links_of, set_rigid_bodies


def compiled(mech: lw.Mechanism) -> CompiledMechanism:
    return compile_mechanism(mech.lower())


def bits(links: Links) -> list[bytes]:
    return [np.ascontiguousarray(one).tobytes() for one in links]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("frames", ["screws", "joints"])
def test_links_with_other_lengths_are_those_that_are_built(seed: int, frames: str) -> None:
    mech = with_local_points(random_mechanism(seed))
    at = compiled(mech)
    plan = LinkPlan(at, None, frames=frames, loaded=())
    links = plan.tree(at).links
    for name in list(names_of(mech))[:4]:
        try:
            other = compiled(variant(mech, {name: 1.1 * number_in(mech.to_dict(), name)}))
        except LinkworkError:
            continue
        wanted = links_of(other, frames=frames).links
        assert plan.lay(other, links)
        set_rigid_bodies(links, other.system.bodies)
        assert bits(links) == bits(wanted)


@pytest.mark.parametrize("seed", range(8))
def test_links_are_laid_as_built_whatever_was_laid_before(seed: int) -> None:
    mech = with_local_points(random_mechanism(seed))
    at = compiled(mech)
    plan = LinkPlan(at, None, frames="screws", loaded=())
    links, names = plan.tree(at).links, list(names_of(mech))
    for first, second in itertools.pairwise(names):
        values = {name: 1.2 * number_in(mech.to_dict(), name) for name in (first, second)}
        for told in (values, {second: values[second]}, {}):
            try:
                other = compiled(variant(mech, told))
            except LinkworkError:
                continue
            assert plan.lay(other, links)
            set_rigid_bodies(links, other.system.bodies)
            assert bits(links) == bits(links_of(other).links)


def test_links_of_another_structure_are_not_laid() -> None:
    def pendulum(axis: list[float]) -> CompiledMechanism:
        mech = lw.Mechanism("two")
        for name, z in (("upper", -0.5), ("lower", -1.5)):
            mech.body(name, mass=1.0, inertia=[1, 1, 1], position=[0, 0, z])
        mech.joint("hip", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0])
        mech.joint("knee", "revolute", "upper", "lower", point=[0, 0, -1], axis=axis)
        return compiled(mech)

    at = pendulum([0, 1, 0])
    plan = LinkPlan(at, None, frames="screws", loaded=())
    links = plan.tree(at).links
    assert plan.lay(pendulum([1, 0, 0]), links)
    set_rigid_bodies(links, at.system.bodies)
    assert bits(links) == bits(links_of(pendulum([1, 0, 0])).links)
    assert not plan.lay(pendulum([0.005, 1, 0]), links)  # nearly parallel: a frame of another kind


@pytest.mark.parametrize("formulation", ["canonical", "articulated-body"])
def test_compiled_coordinates_are_those_of_python(formulation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured_links, "SEVERAL", 1)  # then both ways are compared
    used = closed = 0
    for seed in range(40):
        try:
            model = lw.compile(random_mechanism(seed), formulation, accept_changes=True)
        except LinkworkError:
            continue
        problem: Any = model.set_up(0.003, 1e-3).borrow().run.problem
        placing = problem.set_start
        if placing.measured is not None and placing.measured.plain:
            assert placing(problem.mechanism)
            assert placing.measured.plain, seed
            assert placing.measured.asked == 1  # and no start was left to Python
            used, closed = used + 1, closed + bool(placing.recursion.held[0])
    assert used > 5
    assert closed > 2


def test_coordinates_that_are_others_are_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured_links, "SEVERAL", 1)
    model = lw.compile(lw.load("kissel2021_slider_crank"), "canonical")
    problem: Any = model.set_up(0.003, 1e-3).borrow().run.problem
    placing, measure = problem.set_start, problem.set_start.measured.measure

    def wrong() -> int:
        found = measure()
        placing.recursion.base[0, 0] += 1e-12
        return int(found)

    monkeypatch.setattr(placing.measured, "measure", wrong)
    assert placing(problem.mechanism)
    assert not placing.measured.plain
    found = placing.recursion.base.copy()
    assert placing(problem.mechanism)
    np.testing.assert_array_equal(found, placing.recursion.base)
