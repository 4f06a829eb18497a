"""Mechanisms of any size: what they are said to be."""

from __future__ import annotations

import numpy as np
import pytest

from linkwork.studies import generated


@pytest.mark.parametrize(
    ("mechanism", "bodies", "mobility", "redundant"),
    [
        (generated.chain(9), 9, 9, 0),
        (generated.tree(10), 10, 10, 0),
        (generated.tree(13, branches=3), 13, 13, 0),
        (generated.ladder(3), 7, 1, 9),
        (generated.ladder(3, "point-in-line"), 7, 1, 0),
        (generated.bricard(), 5, 1, 1),
        (generated.bricard("thin"), 5, 1, 1),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_freedom_and_redundancy(mechanism, bodies, mobility, redundant):
    report = mechanism.check()
    assert len(mechanism.bodies) == bodies
    assert report.freedom.mobility == mobility
    assert sum(len(one.rows) for one in report.redundant) == redundant
    assert report.position_violation < 1e-12  # described assembled
    assert report.velocity_violation < 1e-12


def test_bars_of_a_tree_lie_on_log_n_levels():
    mechanism = generated.tree(15)
    parents = {joint.second: joint.first for joint in mechanism.joints}
    depth = {"ground": 0}
    for body in mechanism.bodies:
        depth[body.name] = depth[parents[body.name]] + 1
    assert max(depth.values()) == 4


def test_the_ladder_has_the_data_of_the_published_problem():
    mechanism = generated.ladder(2)
    compiled = mechanism.lower().bodies
    assert [body.mass for body in compiled] == [1.0] * 5
    np.testing.assert_allclose([np.asarray(body.inertia)[2, 2] for body in compiled], 1.0 / 12.0, rtol=1e-15)
    B0 = np.array(mechanism.bodies[0].velocity) * 2.0  # the crank's centre is half way to its tip
    np.testing.assert_allclose(B0, [1.0, 0.0, 0.0])
