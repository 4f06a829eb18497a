"""The sparse search for dependent rows against singular values, and against the dense search."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.problems import dependent
from linkwork.problems.sparse_redundancy import detect_sparsely, is_sparse, new_sparse_redundancy, without_null
from linkwork.studies import generated
from linkwork.system import compile_mechanism
from linkwork.system.dense import Pose, constraints, drives, row_parts
from linkwork.system.rank import rank_at

MECHANISMS = [generated.ladder(3), generated.bricard(), generated.chain(4), generated.ladder(3, "point-in-line")]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_rank_and_projector_are_those_of_dense_algebra(mechanism):
    compiled = compile_mechanism(mechanism.lower())
    parts = row_parts(compiled, Pose(compiled.r, compiled.A), drives(compiled, 0.0))
    G = np.hstack([parts.G_i, parts.G_j])
    wide, found = new_sparse_redundancy(compiled), dependent.without_matrices(compiled.nc)
    assert is_sparse(wide)
    assert detect_sparsely(G, compiled.length, np.zeros(compiled.nc), 1e-7, found, wide) == 0
    nr, nd = found.sizes
    assert nr == rank_at(compiled, Pose(compiled.r, compiled.A)).rank
    assert sorted([*found.kept[:nr], *found.dropped[:nd]]) == list(range(compiled.nc))
    np.testing.assert_array_equal(np.flatnonzero(found.keep), found.kept[:nr])
    nb, rows = compiled.nb, compiled.system.rows
    dense = np.zeros((compiled.nc, nb + 1, 6))
    for part, body in ((parts.G_i, rows.body_i), (parts.G_j, rows.body_j)):
        np.add.at(dense, (np.arange(compiled.nc), body), part * np.r_[np.full(3, compiled.length), np.ones(3)])
    dense = dense[:, :nb].reshape(compiled.nc, -1)
    kept = np.linalg.svd(dense[found.kept[:nr]], compute_uv=False)
    assert kept.min() > 1e-3 * kept.max()
    U, s, _ = np.linalg.svd(dense, full_matrices=False)
    U = U[:, s > 1e-9 * s[0]]
    given = np.random.default_rng(1).normal(size=compiled.nc)
    out = given.copy()
    without_null(wide, out, out)
    np.testing.assert_allclose(out, U @ (U.T @ given), atol=1e-9)


def test_of_dependent_rows_one_that_takes_part_in_full_is_left_out():
    """Bricard's loop on its way: no kept row counts more than twice as much as the one left out."""
    result = lw.simulate(generated.bricard(), 3.0, 0.05, "range-space", "dop853", project_every=1, every=4)
    compiled = compile_mechanism(generated.bricard().lower())
    wide, found = new_sparse_redundancy(compiled), dependent.without_matrices(compiled.nc)
    units = np.r_[np.full(3, compiled.length), np.ones(3)]
    left_out = set()
    for k in range(len(result.time)):
        r, A = compiled.r.copy(), compiled.A.copy()
        r[:-1], A[:-1] = result["position"][k], result["rotation"][k].reshape(-1, 9)
        pose = Pose(r, A)
        parts = row_parts(compiled, pose, drives(compiled, 0.0))
        G = np.hstack([parts.G_i, parts.G_j])
        assert detect_sparsely(G, compiled.length, np.zeros(compiled.nc), 1e-7, found, wide) == 0
        assert not wide.exchange.x.any()
        assert not wide.exchange.taken.any()
        assert tuple(found.sizes) == (29, 1)
        dense = constraints(compiled, pose, drives(compiled, 0.0))[1] * np.tile(units, compiled.nb)
        dense /= np.linalg.norm(dense, axis=1, keepdims=True)
        kept, dropped = found.kept[:29], found.dropped[0]
        shares, *_ = np.linalg.lstsq(dense[kept].T, dense[dropped], rcond=None)
        assert np.abs(shares).max() <= 2.0 + 1e-9
        assert np.linalg.norm(dense[kept].T @ shares - dense[dropped]) < 1e-6
        left_out.add(int(dropped))
    assert len(left_out) > 1


def test_no_arrays_where_the_search_is_dense():
    assert not is_sparse(new_sparse_redundancy(None))
    compiled = compile_mechanism(generated.ladder(3).lower())
    assert not is_sparse(dependent.new_dependence(compiled, True).sparse)
    assert not is_sparse(dependent.new_dependence(compiled, False).sparse)


def test_room_grows_with_the_number_of_rows():
    sizes = [
        new_sparse_redundancy(compile_mechanism(generated.ladder(n).lower())).semidefinite.values.size
        for n in (50, 100, 200)
    ]
    assert sizes[1] < 2.1 * sizes[0]
    assert sizes[2] < 2.1 * sizes[1]


@pytest.mark.parametrize("formulation", ["range-space", "augmented"])
@pytest.mark.parametrize("count", [2, 10, 40])
def test_accelerations_are_those_of_the_dense_search(formulation, count, monkeypatch):
    mechanism, found = generated.ladder(count), []
    for largest in (10**9, 0):
        monkeypatch.setattr(dependent, "LARGEST_DENSE", largest)
        found.append(lw.accelerations(mechanism, formulation=formulation))
    for name in ("rddot", "omegadot", "multipliers"):
        dense, sparse = (getattr(one, name) for one in found)
        np.testing.assert_allclose(sparse, dense, atol=1e-9 * max(1.0, np.abs(dense).max()))
    assert set(found[0].not_unique) == set(found[1].not_unique)


@pytest.mark.parametrize("formulation", ["range-space", "augmented", "articulated-body", "rA"])
def test_runs_agree_with_those_of_the_dense_search(formulation, monkeypatch):
    mechanism = generated.ladder(2)
    how = {"project_every": 1, "integrator": "dop853"} if formulation != "rA" else {}
    step = 0.125 if formulation != "rA" else 0.005
    monkeypatch.setattr(dependent, "LARGEST_DENSE", 10**9)
    usual = lw.simulate(mechanism, 1.0, step, formulation, **how)
    monkeypatch.setattr(dependent, "LARGEST_DENSE", 0)
    sparse = lw.simulate(mechanism, 1.0, step, formulation, **how)
    assert any("C0" in message for message in sparse.messages)
    np.testing.assert_allclose(sparse["position"], usual["position"], atol=1e-9)
    size = np.abs(usual["multiplier"]).max()
    np.testing.assert_allclose(sparse["multiplier"], usual["multiplier"], atol=1e-6 * float(size))


@pytest.mark.parametrize("formulation", ["range-space", "rA"])
def test_bricards_loop_reaches_its_path_whichever_row_is_left_out(formulation, monkeypatch):
    """Its one redundant row takes part in its combination by little at times, and is exchanged for another then."""
    monkeypatch.setattr(dependent, "LARGEST_DENSE", 0)
    how = {"integrator": "dop853", "project_every": 1} if formulation == "range-space" else {}
    step, close = (0.1, 1e-4) if how else (1e-3, 0.05)
    result = lw.simulate(generated.bricard(), 10.0 if how else 1.0, step, formulation, **how)
    assert np.ptp(result.energy) < (1e-3 if how else 1.0)
    assert result["position_violation"].max() < 1e-9
    if how:
        end = result["position"][-1, 1] + result["rotation"][-1, 1].reshape(3, 3)[:, 0] * 0.5
        np.testing.assert_allclose(end, (0.999730987, -0.999999964, -2.6898e-4), atol=close)


@pytest.mark.parametrize("formulation", ["range-space", "augmented"])
def test_four_hundred_four_bars_of_spatial_pins_pass_their_singular_positions(formulation):
    """A02 of the IFToMM library, N = 400, with 1200 redundant rows: energy within 0.1 J, end within 1 cm."""
    n, t_end = 400, 10.0
    result = lw.simulate(generated.ladder(n), t_end, 0.125, formulation, "dop853", project_every=1, every=8)
    assert np.abs(result.energy - result.energy[0]).max() < 0.1
    tip = result["position"][-1, 0] + result["rotation"][-1, 0].reshape(3, 3)[:, 0] * 0.5
    np.testing.assert_allclose(tip, crank_tip(n, t_end), atol=1e-3)
    np.testing.assert_allclose(result["position"][-1, n] - [n, 0, 0], result["position"][-1, 0], atol=1e-9)
    assert result["position_violation"].max() < 1e-9
    assert "1188 others" in "".join(result.messages)


def crank_tip(count, t_end):
    """All cranks parallel: theta'' = -c cos theta."""
    c = 9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    start = [np.pi / 2, -1.0]
    theta = solve_ivp(lambda _, y: [y[1], -c * np.cos(y[0])], (0.0, t_end), start, "DOP853", rtol=1e-12, atol=1e-13)
    return [np.cos(theta.y[0, -1]), np.sin(theta.y[0, -1]), 0.0]
