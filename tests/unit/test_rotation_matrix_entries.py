"""The rotation-matrix formulation as it is called: bodies and options it takes or refuses, and its compiled entries.

All four kinds of matrix are compared with the kernels as Python.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism
from numpy.testing import assert_allclose
from oracles import newton_euler_dense, rotation_matrix_dense
from oracles.calling import caller
from oracles.everything import everything
from unit.rotation_matrix_case import FORMULATION, VARIANTS, Case, as_found, assert_same, regular, thick

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import MissingMassError, UnsupportedElementError, UsageError
from linkwork.formulations.rotation_matrix.work import full_rank, poinsot, weights
from linkwork.integrators.tableaux import TABLEAUX
from linkwork.status import Status
from linkwork.system import compile_mechanism

# what a mechanism brings --------------------------------------------------------------------------------------


def test_poinsots_inertia_is_the_second_moment_of_mass() -> None:
    """A box's K about its centre is m/12 diag(l^2, a^2, b^2) [eqs. 11, 15]; J = tr(K) I - K."""
    m, (l, a, b) = 0.108, (0.2, 0.02, 0.01)
    J = m / 12 * np.diag([a * a + b * b, l * l + b * b, l * l + a * a])
    assert_allclose(poinsot(J), m / 12 * np.diag([l * l, a * a, b * b]), atol=1e-18)
    rng = np.random.default_rng(0)
    points, masses = rng.normal(size=(20, 3)), rng.uniform(1, 2, 20)
    J = sum(w * (x @ x * np.eye(3) - np.outer(x, x)) for w, x in zip(masses, points, strict=True))
    assert_allclose(poinsot(J), sum(w * np.outer(x, x) for w, x in zip(masses, points, strict=True)), atol=1e-12)
    both = poinsot(np.array([J, 2 * J]))
    assert_allclose(both[1], 2 * both[0], atol=1e-12)


def test_which_bodies_have_extent_in_all_directions() -> None:
    moments = [(1, 1, 1), (1e-6, 1, 1), (0, 1, 1), (1e-11, 1, 1), (1e-12,) * 3]
    thick = full_rank(np.stack([np.diag(one) for one in moments]))
    assert thick.tolist() == [True, True, False, False, True]


def test_elements_of_the_rotation_count_one_and_metres_a_share_of_the_length() -> None:
    mechanism = everything(0)
    w = weights(mechanism).reshape(2, mechanism.nb, 12)
    assert_allclose(w[:, :, :3], 1.0 / mechanism.length, rtol=0)
    assert_allclose(w[:, :, 3:], 1.0, rtol=0)


@pytest.mark.parametrize(
    ("extents", "able"),
    [((1.0, 0.4, 0.2), "all"), ((1.0, 0.4, 0.0), "flat"), ((1.0, 0.0, 0.0), "none")],
)
def test_flat_bodies_run_where_lambda_is_left_unsolved_and_rods_not_at_all(
    extents: tuple[float, ...], able: str
) -> None:
    """A plate's K has no inverse though the equations are regular; an ideal rod's rotation is not determined."""
    x, y, z = (np.array(extents) ** 2).tolist()
    m = lw.Mechanism("one body")
    m.body("sheet", mass=1.0, inertia=[y + z, x + z, x + y], position=(0.3, 0, 0), angular_velocity=(0.1, 0.2, 0.3))
    m.joint("ball", "spherical", "ground", "sheet", point=(0, 0, 0))
    compiled = compile_mechanism(m.lower())
    for elimination, multipliers in (
        ("newton-euler", "stage"),
        ("two-step", "stage"),
        ("two-step", "step"),
        ("one-shot", "stage"),
        ("one-shot", "step"),
    ):
        if able == "all" or (able == "flat" and elimination == "newton-euler"):
            FORMULATION.with_options(elimination=elimination, multipliers=multipliers).build(compiled)
            continue
        with pytest.raises(UnsupportedElementError, match="'sheet'") as error:
            FORMULATION.with_options(elimination=elimination, multipliers=multipliers).build(compiled)
        assert ("is flat" if able == "flat" else "no inertia") in str(error.value)
    if able == "flat":
        case = Case(compiled).placed().newton_euler().sloped()
        assert_same(case.found, as_found(rotation_matrix_dense.whole(case.equations())))
        assert np.linalg.matrix_rank(case.elements.K[0, :9].reshape(3, 3)) == 2


def test_moments_that_no_body_has_run_where_lambda_is_left_unsolved() -> None:
    """One exceeds the sum of the others, as in some published data: K is regular, but its square root is not real."""
    m = lw.Mechanism("impossible")
    m.body("ghost", mass=1.0, inertia=[0.1, 0.1, 0.3], angular_velocity=(0.1, 0.2, 0.3))
    compiled = compile_mechanism(m.lower())
    for how in ({"elimination": "one-shot"}, {"elimination": "two-step"}, {"multipliers": "step"}):
        with pytest.raises(UnsupportedElementError, match="'ghost' has moments of inertia that no real body has"):
            FORMULATION.with_options(**how).build(compiled)
    case = Case(compiled).placed().newton_euler().sloped()
    assert_same(case.found, as_found(rotation_matrix_dense.whole(case.equations())))


def test_ideal_rods_are_refused_by_name() -> None:
    mechanism = lw.load("kissel2021_four_link")
    rods = [b.name for b in mechanism.lower().bodies if np.linalg.eigvalsh(b.inertia)[0] <= 0.0]
    assert rods
    with pytest.raises(UnsupportedElementError, match=f"'{rods[0]}'") as error:
        lw.simulate(mechanism, 0.01, 1e-3, "rotation-matrix")
    assert "rA" in str(error.value)


def test_bodies_without_mass_are_refused() -> None:
    m = lw.Mechanism("ghost")
    m.body("ghost")
    with pytest.raises(MissingMassError, match="ghost"):
        lw.simulate(m, 0.01, 1e-3, "rotation-matrix")


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ({"elimination": "three-step"}, "newton-euler, two-step, one-shot"),
        ({"elimination": "newton-euler", "multipliers": "step"}, "has none to hold"),
        ({"multipliers": "half-step"}, "stage, step"),
        ({"matrix": "banded"}, "sparse, dense"),
        ({"orthonormalise_every": -1}, "orthonormalise_every"),
        ({"orthonormalise_every": 1.5}, "orthonormalise_every"),
        ({"orthonormalise_every": "often"}, "orthonormalise_every"),
    ],
)
def test_options_that_do_not_exist_are_told_with_those_that_do(given: dict[str, Any], hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        lw.simulate(lw.load("muller2013_heavy_top"), 0.01, 1e-3, "rotation-matrix", **given)


@pytest.mark.parametrize("name", ["elimination", "multipliers", "matrix", "orthonormalise_every"])
def test_its_options_are_no_other_formulations(name: str) -> None:
    for other in ("lie-mixed", "rA"):
        with pytest.raises(UsageError, match="formulation rotation-matrix"):
            lw.simulate(lw.load("muller2013_heavy_top"), 0.01, 1e-3, other, **{name: 1})


# compiled -----------------------------------------------------------------------------------------------------


def solved(mechanism: Any, elimination: str, matrix: str, *, droppable: bool) -> dict[str, np.ndarray]:
    """By the compiled entries."""
    problem = FORMULATION.with_options(elimination=elimination, matrix=matrix).build(mechanism, droppable=droppable)
    problem.work.request.first_stage[0] = 1
    for name in ("set_state", "apply", "detect_redundant_rows", "factorise", "solve", "rhs"):
        assert caller()(getattr(problem, name), problem.context) >= 0, name
    nb, k = mechanism.nb, problem.work.psi_rate.reshape(2, mechanism.nb, 12)
    return {
        "rddot": k[1, :, :3].copy(),
        "Addot": k[1, :, 3:].reshape(nb, 3, 3).copy(),
        "Lambda": problem.extra[:nb].reshape(nb, 3, 3).copy(),
        "lambda": problem.work.lam.copy(),
    }


@settings(max_examples=40)
@given(seed=st.integers(0, 2**31))
def test_eliminations_and_matrices_agree_where_they_are_compiled(seed: int) -> None:
    """Redundant rows included: the least multipliers, and the Lambda that goes with them."""
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    case = Case(mechanism, seed).placed().newton_euler().sloped()
    droppable = not regular(mechanism)
    for elimination, matrix in VARIANTS if thick(mechanism) else VARIANTS[:2]:
        found = solved(mechanism, elimination, matrix, droppable=droppable)
        assert_same(found, case.found, 1e-8)  # K^-1 costs digits on slender bodies


@pytest.mark.parametrize("name", ["stewart_platform", "stewart_platform_actuated", "dumitriu2015_double_pendulum"])
def test_eliminations_and_matrices_agree_on_the_papers_mechanisms(name: str) -> None:
    mechanism = compile_mechanism(lw.assemble(lw.load(name)).mechanism.lower())
    case = Case(mechanism).placed().newton_euler().sloped()
    for elimination, matrix in VARIANTS:
        assert_same(solved(mechanism, elimination, matrix, droppable=False), case.found)


def test_a_mechanism_without_rows_runs_in_every_variant() -> None:
    m = lw.Mechanism("free", gravity=(0.0, 0.0, -9.81))
    m.body("a", mass=2.0, inertia=[0.3, 0.4, 0.5], angular_velocity=(1.0, 2.0, 3.0))
    mechanism = compile_mechanism(m.lower())
    wanted = as_found(rotation_matrix_dense.whole(Case(mechanism).placed().equations()))
    assert_allclose(wanted["rddot"], [[0.0, 0.0, -9.81]], atol=1e-12)
    for elimination, matrix in VARIANTS:
        assert_same(solved(mechanism, elimination, matrix, droppable=False), wanted)


def test_the_row_to_blame_is_one_of_the_mechanisms_own() -> None:
    """A hinge twice on one axis: whatever the elimination, the row reported is one that others imply."""
    m = lw.Mechanism("door", gravity=(0.0, 0.0, -9.81))
    m.body("door", mass=2.0, inertia=[0.3, 0.4, 0.5], position=(0.4, 0.0, 0.0))
    for k, z in enumerate((-0.5, 0.5)):
        m.joint(f"hinge {k}", "revolute", "ground", "door", point=(0, 0, z), axis=(0, 0, 1))
    mechanism = compile_mechanism(m.lower())
    G = newton_euler_dense.accelerations(mechanism).G
    for elimination, matrix in VARIANTS:
        problem = FORMULATION.with_options(elimination=elimination, matrix=matrix).build(mechanism, droppable=False)
        caller()(problem.set_state, problem.context)
        assert caller()(problem.factorise, problem.context) in (Status.SINGULAR, Status.NOT_FINITE)
        k = int(problem.solver.report[1])
        assert 0 <= k < mechanism.nc, (elimination, matrix)
        rest = G[k] - np.linalg.lstsq(np.delete(G, k, axis=0).T, G[k], rcond=1e-12)[0] @ np.delete(G, k, axis=0)
        assert np.linalg.norm(rest) < 1e-9, (elimination, matrix)


# from the command line ----------------------------------------------------------------------------------------


def document(tokens: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert status_of([*tokens, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_it_is_listed_with_its_paper_and_integrators(capsys: pytest.CaptureFixture[str]) -> None:
    listed = {entry["name"]: entry for entry in document(["formulations"], capsys)}
    assert listed["rotation-matrix"]["paper"] == "Dumitriu 2015"
    assert set(listed["rotation-matrix"]["integrators"]) == {*TABLEAUX, "implicit-midpoint", "stormer-verlet"}
    assert listed["rotation-matrix"]["integrators"][0] == "rk4"
    assert any("inertia" in need for need in listed["rotation-matrix"]["needs"])


def test_its_options_are_those_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    model, short = "dumitriu2015_double_pendulum", {"t_end": 0.05, "step": 1e-3}
    given = ["run", model, "--t-end", "0.05", "--step", "1e-3", "--formulation", "rotation-matrix"]
    for tokens, how in (
        ([], {}),
        (["--multipliers", "step"], {"multipliers": "step"}),
        (["--elimination", "two-step"], {"elimination": "two-step"}),
        (["--elimination", "one-shot", "--matrix", "dense"], {"elimination": "one-shot", "matrix": "dense"}),
        (["--orthonormalise-every", "5"], {"orthonormalise_every": 5}),
    ):
        told = document([*given, *tokens], capsys)
        wanted = lw.simulate(lw.load(model), formulation="rotation-matrix", **short, **how)
        assert told["end_state"]["bar 2"]["position"] == wanted.position("bar 2")[-1].tolist()
        usual = "two-step" if "multipliers" in how else "newton-euler"
        for name, value in {"elimination": usual, "multipliers": "stage", "matrix": "sparse"}.items():
            assert told["info"][name] == how.get(name, value)


def test_what_it_cannot_do_is_told_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    for tokens, status, hint in (
        (["kissel2021_four_link"], 3, "no inertia"),
        (["dumitriu2015_double_pendulum", "--elimination", "three-step"], 2, "one-shot"),
        (["dumitriu2015_double_pendulum", "--integrator", "implicit-euler"], 2, "rk4"),
    ):
        assert status_of(["run", *tokens, "--formulation", "rotation-matrix"]) == status
        captured = capsys.readouterr()
        assert captured.out == ""
        assert hint in captured.err
