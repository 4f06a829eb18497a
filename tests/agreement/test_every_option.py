"""Every option of every formulation gives the accelerations and the unique reactions that an independent dense solution
gives, on regular mechanisms and on those with redundant rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement.options import integrator_for, single_ways, some_way, values_of
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanism_generator import large_mechanism, random_mechanism
from oracles import newton_euler_dense
from oracles.redundant import bricard

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.errors import LinkworkError
from linkwork.formulations import FORMULATIONS
from linkwork.run.matching import fitting
from linkwork.system import compile_mechanism

AGREED = 1e-9
BY_PRICE = "penalty"  # redundant rows share a reaction by their prices there, not by least norm


def vector(rng: np.random.Generator) -> list[float]:
    return [float(x) for x in rng.normal(size=3)]


def door(seed: int = 0) -> lw.Mechanism:
    """A perpendicularity, a rod, and one hinge twice: of the second hinge the tree leaves nothing but rounding."""
    rng, m = np.random.default_rng(seed), lw.Mechanism("door", gravity=(0, 0, -9.81))
    for k in range(3):
        turned = {"axis": vector(rng), "angle": 1.0}
        m.body(
            f"b{k}", mass=1 + k, inertia=[0.1, 0.2, 0.25], position=vector(rng), rotation=turned,
            velocity=vector(rng), angular_velocity=vector(rng),
        )  # fmt: skip
    m.joint("square", "perpendicular-1", "ground", "b0", axis=vector(rng))
    m.joint("rod", "distance", "b0", "b1", point=vector(rng), point2=vector(rng))
    point, axis = np.array(vector(rng)), np.array(vector(rng))
    axis /= np.linalg.norm(axis)
    for name, where in (("hinge", point), ("hinge again", point + 0.5 * axis)):
        m.joint(name, "revolute", "b1", "b2", point=where.tolist(), axis=axis.tolist())
    return lw.assemble(m).mechanism


CASES: dict[str, Any] = {
    "door": door,
    "bricard": lambda: lw.assemble(bricard()).mechanism,
    "loops": lambda: large_mechanism(7, 6, loops=2),
    "driven loops": lambda: large_mechanism(8, 5, loops=2, base="driven"),
    "floating": lambda: large_mechanism(9, 5, loops=1, base="floating"),
}


def touched(G: Any, compiled: Any) -> set[str]:
    """Joints with a share in some combination of rows that vanishes."""
    size = np.linalg.norm(G, axis=1)
    u, s, _ = np.linalg.svd(G / size[:, None])
    idle = u[:, int(np.sum(s > 1e-9)) :]
    rows = set(np.flatnonzero(np.abs(idle).max(axis=1, initial=0.0) > 1e-6).tolist())
    return {joint.name for joint in compiled.lowered.joints if not rows.isdisjoint(joint.rows)}


class Reference:
    """What a mechanism should do at its start, by the oracle."""

    def __init__(self, mechanism: lw.Mechanism) -> None:
        self.mechanism, self.state = mechanism, State.start(mechanism)
        self.compiled = compile_mechanism(mechanism.lower())
        self.wanted = newton_euler_dense.accelerations(self.compiled)
        self.forces = (self.wanted.G.T @ self.wanted.multipliers).reshape(-1, 6)
        self.ambiguous = touched(self.wanted.G, self.compiled)

    def compare(self, name: str, options: dict[str, Any]) -> bool:
        """Whether the way runs; it must then agree, and otherwise say beforehand why not."""
        refused = FORMULATIONS.load(name).with_options(**options).refusal(self.compiled)
        try:
            found = lw.accelerations(
                self.mechanism, self.state, name, options=options, integrator=integrator_for(options)
            )
        except LinkworkError as error:
            assert refused is not None, f"{name} {options}: {error}"  # noqa: PT017
            return False
        way = f"{name} {options}"
        assert refused is None, f"{way}: {refused}, but it runs"
        wanted, scale = self.wanted, max(1.0, float(np.linalg.norm(self.forces)))
        off = np.hstack([found.rddot, found.omegadot]) - wanted.udot
        assert np.linalg.norm(off) < AGREED * max(1.0, float(np.linalg.norm(wanted.udot))), f"{way} accelerations"
        assert np.linalg.norm(found.constraint_forces - self.forces) < AGREED * scale, f"{way} constraint forces"
        assert set(found.not_unique) == self.ambiguous, f"{way}: reactions that are not unique"
        for joint, reaction in wanted.reactions.items():
            if joint not in self.ambiguous or name != BY_PRICE:
                gap = np.hstack(found.reactions[joint]) - np.hstack(reaction)
                assert np.linalg.norm(gap) < 10 * AGREED * scale, f"{way} reaction of {joint!r}"
        return True


def test_every_option_of_every_formulation_has_values_to_be_tried() -> None:
    """A new option is covered here the day it is written."""
    named = {(name, option) for name in FORMULATIONS for option in FORMULATIONS.load(name).options}
    compiled = compile_mechanism(CASES["loops"]().lower())
    assert len({option for _, option in named}) >= 15
    assert all(len(values_of(name, option, compiled)) > 1 for name, option in named)


@pytest.mark.parametrize("case", CASES)
def test_each_option_alone_agrees(case: str) -> None:
    reference = Reference(CASES[case]())
    ran = {name for name, options in single_ways(reference.compiled) if reference.compare(name, options)}
    assert ran == set(FORMULATIONS)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**31))
def test_options_together_agree_on_random_mechanisms(seed: int) -> None:
    reference, rng = Reference(random_mechanism(seed)), np.random.default_rng(seed)
    for name in FORMULATIONS:
        reference.compare(name, some_way(name, reference.compiled, rng))


@pytest.mark.parametrize("seed", range(4))
def test_one_hinge_twice_is_seen_along_the_graph(seed: int) -> None:
    """Five rows of which the tree leaves rounding once counted as rows of their own: 8e5 m/s^2 off."""
    reference = Reference(door(seed))
    assert reference.compare("null-space", {"basis": "graph"})
    found = lw.accelerations(reference.mechanism, formulation="null-space", options={"basis": "graph"})
    assert len(found.redundant) == 5


STEPPED = ("rebuild", "orthonormalise_every", "sigma", "frames")  # what these change shows only once steps are taken
STABILISED: tuple[dict[str, Any], ...] = (
    {"stabilisation": "baumgarte"},
    {"stabilisation": "baumgarte", "baumgarte": (50.0, 20.0)},
    {"stabilisation": "projection"},
    {"stabilisation": "projection", "project_every": 3},
)
STEPS, STEP = 10, 1e-3


@pytest.mark.parametrize("name", [name for name in FORMULATIONS if "rk4" in fitting(name)])
def test_options_of_steps_and_stabilisation_keep_the_motion_and_the_steps(name: str) -> None:
    """Over some steps from a consistent start none of them has more to correct than what the steps err."""
    mechanism = CASES["loops"]()
    compiled = compile_mechanism(mechanism.lower())

    def run(**options: Any) -> lw.Result:
        return lw.simulate(mechanism, STEPS * STEP, STEP, name, "rk4", options=options)

    usual = run()
    tree = {"basis": "graph"} if name == "null-space" else {}  # rebuild is an option of its tree
    known = FORMULATIONS.load(name).options
    values = [{**tree, o: v} for o in STEPPED if o in known for v in values_of(name, o, compiled)]
    for options in (*values, *STABILISED):
        found = run(**options)
        assert found.info["steps"] == STEPS, options
        assert found.info["evaluations"] == usual.info["evaluations"], options
        for what in ("position", "rotation", "velocity", "angular_velocity"):
            size = max(1.0, float(np.abs(usual[what]).max()))
            assert np.abs(found[what] - usual[what]).max() < 1e-7 * size, f"{options}: {what}"
        if options.get("stabilisation") == "projection":
            held = found["position_violation"][:: options.get("project_every", 1)]
            assert held.max() < 1e-11, options
