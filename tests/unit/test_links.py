"""Links of a mechanism: displacements as screws, elementary joints, coordinates of a state."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkwork as lw
from linkwork.run.starting import prepare
from linkwork.system.links import coordinates_at, links_of
from linkwork.system.links.coordinates import step_of
from linkwork.system.links.displacements import about_z, compose, three_screws
from linkwork.system.links.linktree import FIXED, HELICAL, REVOLUTE, SPHERICAL, TRANSLATION

MODELS = (
    "kissel2021_double_pendulum",
    "kissel2021_slider_crank",
    "muller2013_heavy_top",
    "muller2013_floating_pair",
    "planar_four_bar",
    "rolling_disc",
    "spatial_slider_crank_spring",
    "stewart_platform",
)


def about_x(angle: float, shift: float) -> tuple[np.ndarray, np.ndarray]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]), np.array([shift, 0.0, 0.0])


@given(
    first=st.tuples(st.floats(-3.0, 3.0), st.floats(-2.0, 2.0)),
    middle=st.tuples(st.sampled_from((0.0, np.pi, 0.5, -1.2, 3.0, np.pi / 2)), st.floats(0.0, 2.0)),
    last=st.tuples(st.floats(-3.0, 3.0), st.floats(-2.0, 2.0)),
)
def test_a_displacement_is_three_screws(first: tuple, middle: tuple, last: tuple) -> None:
    T = compose(compose(about_z(*first), about_x(*middle)), about_z(*last))
    found = three_screws(T)
    assert found is not None
    again = compose(compose(about_z(*found[0]), about_x(*found[1])), about_z(*found[2]))
    assert np.allclose(again[0], T[0], atol=1e-12)
    assert np.allclose(again[1], T[1], atol=1e-11)


def test_axes_that_are_nearly_parallel_have_no_frame_of_their_own() -> None:
    assert three_screws(compose(about_z(0.3, 0.1), about_x(1e-4, 1.0))) is None


@pytest.mark.parametrize("frames", ["screws", "joints"])
@pytest.mark.parametrize("model", MODELS)
def test_bodies_are_where_their_links_put_them(model: str, frames: str) -> None:
    compiled = prepare(lw.load(model), dynamics=True, accept_drivers=True).compiled
    tree = links_of(compiled, frames=frames)
    L = tree.links
    found = coordinates_at(tree, compiled.r, compiled.A, compiled.v, compiled.w)
    q = np.concatenate([found.q, found.driven])
    at = {len(L.kind): (np.eye(3), np.zeros(3))}
    for k in range(len(L.kind)):
        at[k] = compose(at[int(L.parent[k])], step_of(tree, k, q, found.pose))
        b = L.body[k]
        if b >= 0:
            A, r = compose(at[k], (L.body_frame[k, :9].reshape(3, 3), L.body_frame[k, 9:]))
            assert np.allclose(A.ravel(), compiled.A[b], atol=1e-12)
            assert np.allclose(r, compiled.r[b], atol=1e-12 * max(1.0, compiled.length))


def test_joints_become_elementary_joints() -> None:
    tree = links_of(prepare(lw.load("stewart_platform"), dynamics=True).compiled)
    kinds = tree.links.kind.tolist()
    assert (kinds.count(REVOLUTE), kinds.count(HELICAL), kinds.count(SPHERICAL)) == (12, 6, 1)
    assert len(tree.links.closing) == 15  # five ball joints close loops
    assert tree.coordinates[:3] == ("cross 1.angle_1", "cross 1.angle_2", "slide 1.displacement")
    assert tree.units[:3] == ("rad", "rad", "m")


def test_a_driven_coordinate_is_no_freedom() -> None:
    tree = links_of(prepare(lw.load("planar_four_bar"), dynamics=True).compiled)
    driven = np.flatnonzero(tree.links.driver >= 0)
    assert len(driven) == 1
    assert tree.links.kind[driven[0]] == FIXED
    assert "crank pivot.angle" not in tree.coordinates


def test_what_holds_velocities_closes_loops_over_a_floating_body() -> None:
    tree = links_of(prepare(lw.load("rolling_disc"), dynamics=True).compiled)
    assert tree.links.kind.tolist() == [TRANSLATION, SPHERICAL]
    assert len(tree.links.closing) == 3


def test_chains_of_pins_need_no_general_displacement_but_the_first() -> None:
    from linkwork.studies.generated import chain

    tree = links_of(prepare(chain(6), dynamics=True).compiled)
    assert tree.links.is_general.tolist() == [1, 0, 0, 0, 0, 0]


def test_coordinates_that_are_not_named_keep_what_they_have() -> None:
    from types import SimpleNamespace

    from linkwork.analysis.joint_space.state import given
    from linkwork.errors import UsageError

    tree = SimpleNamespace(coordinates=("a.angle", "b.angle", "c.displacement"), dofs=3)
    start = np.array([0.1, 0.2, 0.3])
    assert given(tree, "coordinates", {"b.angle": 7}, start).tolist() == [0.1, 7.0, 0.3]
    assert given(tree, "coordinates", None, start) is start
    assert given(tree, "coordinates", [4, 5, 6], start).tolist() == [4.0, 5.0, 6.0]
    assert start.tolist() == [0.1, 0.2, 0.3]
    for wrong, words in (
        ({"d": 1.0}, "coordinate 'd' does not exist"),
        ([1, 2], "shape"),
        ([1, 2, np.nan], "not finite"),
    ):
        with pytest.raises(UsageError, match=words):
            given(tree, "coordinates", wrong, start)
