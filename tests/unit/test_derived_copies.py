"""A deriver works on addresses of its own arrays: copies, which hold others, must find theirs."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.equations.late_deriver import LateDeriver

COPIES: dict[str, Callable[[Any], Any]] = {
    "shallow": copy.copy,
    "deep": copy.deepcopy,
    "pickled": lambda deriver: pickle.loads(pickle.dumps(deriver)),
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_of_a_deriver_that_was_used_derives_the_same(copied: Callable[[Any], Any]) -> None:
    result = lw.simulate(lw.load("kissel2021_slider_crank"), 3e-3, 1e-3, "rA")
    assert isinstance(result._derive, LateDeriver)
    deriver = result._derive.made
    names = ("reaction_force", "kinetic_energy", "position_violation")
    stored = ("position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration")
    given = [result[name] for name in ("time", *stored, "multiplier")]
    first = deriver.derive(names, *given)
    other = copied(deriver)
    assert "_table" not in vars(other)
    found = other.derive(names, *given)
    for name in names:
        np.testing.assert_array_equal(found[name], first[name])
    (mine, _), (its, _) = deriver._table, other._table  # addresses: of the mechanism's tables first
    assert bool(its[0] == mine[0]) is (other.mechanism is deriver.mechanism)
