"""Lengths of mechanisms that differ in points of some rows: those of mechanisms that are looked at as wholes."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.system import compile_mechanism
from linkwork.system.extent import Reach, lengths_of


@pytest.mark.parametrize("name", ["kissel2021_slider_crank", "kissel2021_four_link", "planar_four_bar", "suspension"])
@pytest.mark.parametrize("far", [0.01, 0.7, 30.0])
def test_a_length_of_some_points_is_that_of_the_whole(name: str, far: float) -> None:
    at, rng = compile_mechanism(lw.load(name).lower()), np.random.default_rng(1)
    rows = at.system.rows
    for k in range(at.nc):
        s_j = rows.s_j.copy()
        s_j[k] += far * rng.normal(size=3)
        system = at.system._replace(rows=rows._replace(s_j=s_j))
        wanted = lengths_of(system, at.r, at.A)
        assert Reach(at.system, at.r, at.A, [k]).of(system) == wanted
        assert Reach(at.system, at.r, at.A, [*range(at.nc)], [(1, k)]).of(system) == wanted
