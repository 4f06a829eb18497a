from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.studies import generated
from linkwork.system import CompiledMechanism, compile_mechanism, rank
from linkwork.system.dense import Pose, constraints, drives
from linkwork.system.rank import Rank, rank_at, rank_of


def compiled(mechanism: lw.Mechanism) -> CompiledMechanism:
    return compile_mechanism(mechanism.lower())


def at_start(mechanism: CompiledMechanism) -> Rank:
    return rank_at(mechanism, Pose(mechanism.r, mechanism.A))


def chain(n: int, loops: bool = False) -> lw.Mechanism:
    """n bars along x on hinges; with `loops` each is also hinged to ground on the axis of the joint before it."""
    mechanism = lw.Mechanism("chain")
    before = "ground"
    for k in range(n):
        name = f"bar {k}"
        mechanism.body(name, mass=1.0, inertia=[0.1, 0.1, 0.1], position=[k + 0.5, 0, 0])
        mechanism.joint(f"hinge {k}", "revolute", before, name, point=[k, 0, 0], axis=[0, 1, 0])
        if loops:
            mechanism.joint(f"second {k}", "revolute", before, name, point=[k, 0.3, 0], axis=[0, 1, 0])
        before = name
    return mechanism


def test_a_four_bar_of_spatial_hinges_has_three_redundant_rows_all_in_its_last_joint() -> None:
    found = at_start(compiled(lw.load("planar_four_bar")))
    names = compiled(lw.load("planar_four_bar")).row_names
    assert found.rank == 18
    assert [names[k] for k in found.redundant] == [f"rocker pivot.lock[{n}]" for n in (0, 1, 3)]
    owners = {names[c].split(".")[0] for c in found.depends_on[0]}
    assert owners == {"crank pivot", "crank pin", "rocker pin"}
    assert 0.05 < found.nearly < 0.5


def test_combinations_of_rows_vanish_and_are_one_at_their_redundant_row() -> None:
    mechanism = compiled(lw.load("planar_four_bar"))
    found = at_start(mechanism)
    G = constraints(mechanism, Pose(mechanism.r, mechanism.A), drives(mechanism, 0.0))[1]
    np.testing.assert_allclose(found.combinations @ G, 0.0, atol=1e-14)
    np.testing.assert_allclose(found.combinations[:, list(found.redundant)], np.eye(3), atol=1e-14)


def test_rank_of_agrees_with_numpy() -> None:
    mechanism = compiled(chain(3, loops=True))
    G = constraints(mechanism, Pose(mechanism.r, mechanism.A), drives(mechanism, 0.0))[1]
    assert rank_of(mechanism, G).rank == at_start(mechanism).rank == np.linalg.matrix_rank(G) == 15


@pytest.mark.parametrize("loops", [False, True])
def test_inverse_iteration_finds_what_singular_values_find(monkeypatch: pytest.MonkeyPatch, loops: bool) -> None:
    mechanism = compiled(chain(12, loops))
    dense = at_start(mechanism)
    monkeypatch.setattr(rank, "DENSE_COLUMNS", 0)
    sparse = at_start(mechanism)
    assert sparse.estimated
    assert not dense.estimated
    assert (sparse.rank, sparse.redundant, sparse.depends_on) == (dense.rank, dense.redundant, dense.depends_on)
    np.testing.assert_allclose(sparse.combinations, dense.combinations, atol=1e-8)
    assert sparse.nearly == pytest.approx(dense.nearly, rel=0.05)


def test_parts_that_share_only_ground_are_treated_apart() -> None:
    mechanism = lw.Mechanism("two doors")
    for side in ("left", "right"):
        mechanism.body(side, mass=1.0, inertia=[1, 1, 1], position=[1, 0, 0])
        for n in range(2):
            mechanism.joint(f"{side} hinge {n}", "revolute", "ground", side, point=[0, 0, n], axis=[0, 0, 1])
    found = at_start(compiled(mechanism))
    names = compiled(mechanism).row_names
    assert found.rank == 10
    assert {names[k].split(".")[0] for k in found.redundant} == {"left hinge 1", "right hinge 1"}
    for k, others in zip(found.redundant, found.depends_on, strict=True):
        assert all(names[c].split()[0] == names[k].split()[0] for c in others)


def test_a_row_that_constrains_nothing_is_redundant_on_its_own() -> None:
    mechanism = compiled(chain(1))
    G = np.vstack([constraints(mechanism, Pose(mechanism.r, mechanism.A), drives(mechanism, 0.0))[1], np.zeros((1, 6))])
    found = rank_of(mechanism, G)
    assert (found.rank, found.redundant, found.depends_on) == (5, (5,), ((),))


def test_no_rows_and_no_redundancy() -> None:
    mechanism = lw.Mechanism("free")
    mechanism.body("stone", mass=1.0, inertia=[1, 1, 1])
    found = at_start(compiled(mechanism))
    assert (found.rank, found.redundant) == (0, ())


def test_many_dependent_rows_of_a_large_mechanism_are_found_by_elimination():
    """As by singular values: the same rows, and combinations that vanish."""
    compiled = compile_mechanism(generated.ladder(60).lower())
    found = rank_at(compiled, Pose(compiled.r, compiled.A))
    assert found.rank == compiled.nc - 180
    names = [compiled.row_names[k] for k in found.redundant]
    assert names == [f"C{k}.lock[{r}]" for k in range(60) for r in (0, 1, 4)]
    _, G = constraints(compiled, Pose(compiled.r, compiled.A), drives(compiled, 0.0))
    assert np.abs(found.combinations @ G).max() < 1e-9
    assert 1e-5 < found.nearly < 1e-2
