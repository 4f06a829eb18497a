"""Every way of solving on large random trees and loops, on bases that move or float, and where rows are redundant."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement.ways import TREES, WAYS, Way, word
from mechanism_generator import large_mechanism
from oracles import newton_euler_dense
from oracles.redundant import BRICARD_PATH, bricard, n_four_bar

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.errors import LinkworkError, UnsupportedElementError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.studies.violations import RESIDUALS
from linkwork.system import compile_mechanism

AGREED = 1e-9
CASES = {
    "tree": (50, 0, "held"),
    "loops": (50, 6, "held"),
    "prescribed base": (40, 4, "driven"),
    "floating tree": (50, 0, "floating"),
    "floating loops": (30, 4, "floating"),
    "few": (6, 2, "held"),
    "few, prescribed": (5, 2, "driven"),
    "few, floating": (5, 2, "floating"),
}
BY_PRICE = "penalty"  # redundant rows share a reaction by their prices there, not by least norm


def relative(found: Any, wanted: Any) -> float:
    return float(np.linalg.norm(np.asarray(found) - wanted)) / max(1.0, float(np.linalg.norm(wanted)))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("case", CASES)
def test_all_ways_agree_on_random_trees_and_loops(case: str, seed: int) -> None:
    """Accelerations, what constraints do to each body, and reactions that are unique, to 1e-9.

    Balls, universal joints, pins, slides, cylindrical joints and welds; closed by joints, rods and raw constraints.
    """
    bodies, loops, base = CASES[case]
    mechanism = large_mechanism(100 * seed + bodies, bodies, loops=loops, base=base)
    state, compiled = State.start(mechanism), compile_mechanism(mechanism.lower())
    wanted = newton_euler_dense.accelerations(compiled)
    forces = (wanted.G.T @ wanted.multipliers).reshape(-1, 6)
    scale = max(1.0, float(np.linalg.norm(forces)))
    ambiguous = touched(wanted.G, compiled)
    ran = 0
    for name, options in WAYS:
        try:
            found = lw.accelerations(mechanism, state, name, options=options)
        except UnsupportedElementError as error:
            assert name not in MUFTI, f"{name}: {error}"  # noqa: PT017
            continue
        ran += 1
        assert relative(np.hstack([found.rddot, found.omegadot]), wanted.udot) < AGREED, name
        assert relative(found.constraint_forces, forces) < AGREED, name
        assert set(found.not_unique) == ambiguous, name
        for joint, reaction in wanted.reactions.items():
            if joint not in ambiguous or name != BY_PRICE:
                off = np.hstack(found.reactions[joint]) - np.hstack(reaction)
                assert np.linalg.norm(off) < 10 * AGREED * scale, f"{name} reaction of {joint!r}"
    assert ran >= len(MUFTI)


MUFTI = tuple(name for name in FORMULATIONS if FORMULATIONS.load(name).paper == "Mufti 1983")


def touched(G: Any, compiled: Any) -> set[str]:
    """Joints with a share in some combination of rows that vanishes."""
    size = np.linalg.norm(G, axis=1)
    u, s, _ = np.linalg.svd(G / size[:, None])
    idle = u[:, int(np.sum(s > 1e-9)) :]
    rows = set(np.flatnonzero(np.abs(idle).max(axis=1, initial=0.0) > 1e-6).tolist())
    return {joint.name for joint in compiled.lowered.joints if not rows.isdisjoint(joint.rows)}


def solid(mechanism: lw.Mechanism) -> lw.Mechanism:
    for body in mechanism.bodies:  # A02's bars have no inertia about their lines
        mechanism.change(body.name, inertia=[0.02, 0.08, 0.09])
    return mechanism


LOOPS = {"bricard": bricard, "four-bar": lambda: solid(n_four_bar(1)), "thin four-bar": lambda: n_four_bar(1)}
NEEDS_INERTIA = {"range-space", "penalty"}
# who refuses, and in which words; all others run
REFUSED: dict[str, dict[str, str]] = {
    "bricard": {},
    "four-bar": {},
    "thin four-bar": dict.fromkeys(NEEDS_INERTIA, "needs the inverse") | {"rotation-matrix": "no inertia"},
}
LOOSE = {"rA", "rp", "re"}  # first order
REDUNDANT = {"bricard": 1, "four-bar": 3, "thin four-bar": 3}


@pytest.mark.parametrize("way", WAYS, ids=word)
@pytest.mark.parametrize("loop", LOOPS)
def test_redundant_loops_run_or_say_why_not(loop: str, way: Way) -> None:
    """Bricard's mechanism and a planar four-bar with spatial hinges, in every formulation there is."""
    name, options = way
    mechanism, refusal = LOOPS[loop](), REFUSED[loop].get(name)
    how: dict[str, Any] = {} if name in LOOSE else {"stabilisation": "projection"}
    step = 1e-3 if name in LOOSE else 5e-3
    try:
        result = lw.simulate(mechanism, 0.5, step, name, options=options, **how)
    except LinkworkError as error:
        assert refusal or not_in_the_table(name), f"{name}: {error}"  # noqa: PT017
        assert (refusal or "") in str(error)  # noqa: PT017
        assert error.remedy, "it says what to do instead"  # noqa: PT017
        return
    assert refusal is None, "the table says that it does not run"
    said = " ".join(result.messages)
    assert "reactions of" in said
    assert "not unique" in said
    for joint in compile_mechanism(mechanism.lower()).joint_names:
        assert f"'{joint}'" in said, "all share the load of such a loop"
    if loop == "bricard":
        end = result.position("bar 2")[-1] - result.rotation("bar 2")[-1] @ np.array([0.0, 0.0, 0.5])
        assert np.linalg.norm(end - BRICARD_PATH[0.5]) < (2e-2 if name in LOOSE else 2e-6)
    else:
        energy = result.energy - result.energy[0]
        assert np.abs(energy).max() < (2e-2 if name in LOOSE else 1e-6)


def not_in_the_table(name: str) -> bool:
    """Formulations of later papers have tables of their own: here it is enough that they say why not."""
    return FORMULATIONS.load(name).paper not in ("Kissel 2021", "Dumitriu 2015", "Mufti 1983", "Müller 2013")


@pytest.mark.parametrize("name", [*TREES, "null-space"])
@pytest.mark.parametrize("base", ["held", "driven", "floating"])
def test_rebuilt_positions_do_not_drift(name: str, base: str) -> None:
    """Body 1 and the orientations are integrated, all else follows [Mufti 1983, text after eq. 14].

    Rows that tell where bodies are hold to rounding in a tree whose joints do not slide; the motion is the same.
    """
    mechanism = balls_and_pins(base)
    how = {"basis": "graph"} if name == "null-space" else {}
    plain, rebuilt = (
        lw.simulate(mechanism, 0.5, 5e-3, name, "rk4", options={**how, "rebuild": on}) for on in (False, True)
    )
    apart = max(worst(mechanism, rebuilt, -1), worst(mechanism, rebuilt, 50))
    assert apart < 2e-13 < worst(mechanism, plain, -1)
    for body in plain.bodies:
        assert np.abs(plain.position(body)[-1] - rebuilt.position(body)[-1]).max() < 1e-4


def balls_and_pins(base: str) -> lw.Mechanism:
    """A branched tree of balls, universal joints and pins."""
    m = lw.Mechanism("tree", gravity=(0, 0, 0 if base == "floating" else -9.81))
    rng = np.random.default_rng(7)
    for k, parent in enumerate(["ground", "b0", "b1", "b0", "b3"]):
        m.body(
            f"b{k}", mass=1.0 + 0.3 * k, inertia=[0.1, 0.2, 0.25], position=rng.normal(size=3).tolist(),
            rotation={"axis": (1, k, 2), "angle": 0.4 + k}, angular_velocity=(0.3, 0.5 * k, 0.2),
        )  # fmt: skip
        kind = ("revolute", "spherical", "universal", "revolute", "spherical")[k]
        place: dict[str, Any] = {"point": rng.normal(size=3).tolist()}
        if kind != "spherical":
            place["axis"] = (0, 0, 1)
        if kind == "universal":
            place["axis2"] = (1, 0, 0)
        if k or base != "floating":
            m.joint(f"j{k}", kind, parent, f"b{k}", **place)
    if base == "driven":
        m.driver("motor", "j0", "0.3*sin(2*t)", coordinate="angle")
    return lw.assemble(m).mechanism


def worst(mechanism: lw.Mechanism, result: lw.Result, k: int) -> float:
    """The largest gap at a ball, universal joint or pin, m: rows of kind CD."""
    lowered = mechanism.lower()
    poses = [(result.position(body.name)[[k]], result.rotation(body.name)[[k]]) for body in lowered.bodies]
    poses.append((np.zeros((1, 3)), np.eye(3)[None]))
    gaps = [
        float(np.abs(RESIDUALS[row.kind](row, poses[row.body_i], poses[row.body_j]) - row.f).max())
        for row in lowered.rows
        if row.kind == "CD"
    ]
    return max(gaps)


def test_a_base_without_a_joint_floats_and_keeps_its_momentum() -> None:
    mechanism = balls_and_pins("floating")
    for name, options in WAYS:
        if name not in MUFTI:
            continue
        result = lw.simulate(mechanism, 0.3, 5e-3, name, options=options)
        momentum = sum(b.mass * result.velocity(b.name) for b in mechanism.bodies)
        assert np.abs(momentum - momentum[0]).max() < 1e-11, word((name, options))
        assert np.ptp(result.energy) < 1e-5, word((name, options))


def test_a_root_may_be_chosen_along_the_graph_and_is_refused_without_one() -> None:
    mechanism = balls_and_pins("floating")
    ends = [
        lw.simulate(mechanism, 0.1, 5e-3, "null-space", options={"basis": "graph", "root": root}).position("b4")[-1]
        for root in ("b0", "b3")
    ]
    assert np.abs(ends[0] - ends[1]).max() < 1e-12
    for wrong in ({"root": "b0"}, {"basis": "qr", "rebuild": True}, {"basis": "forest"}):
        with pytest.raises(UsageError, match="basis"):
            lw.simulate(mechanism, 0.1, 5e-3, "null-space", options=wrong)
    with pytest.raises(UsageError, match="nothing is integrated"):
        lw.accelerations(mechanism, formulation="null-space", options={"stabilisation": "none"})
