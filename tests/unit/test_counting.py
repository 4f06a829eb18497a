"""Numbers that count, and evaluations counted with them."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.counts import PARTS, countable, counter_within_step, counts_of
from linkwork.cli.main import status_of
from linkwork.kernels.counting import Counted
from linkwork.kernels.mat33 import matmul
from linkwork.kernels.vec3 import cross, dot
from linkwork.run.matching import pair
from linkwork.run.starting import new_run, prepare, started
from linkwork.studies.generated import chain, tree
from linkwork.studies.published import published


def counted(*values: float) -> tuple[list[int], list[Counted]]:
    tally = [0] * 6
    return tally, [Counted(value, tally) for value in values]


def test_operations_are_told_apart_and_values_are_right() -> None:
    tally, (a, b) = counted(3.0, 4.0)
    assert float(-(a + b) * a - 1.0) == -22.0
    assert tally[:5] == [2, 1, 0, 0, 0]
    assert float(np.sqrt(a * a + b**2) / b) == 1.25
    assert tally[:5] == [3, 3, 1, 1, 0]
    assert float(np.cos(a)) == np.cos(3.0)
    assert float(np.arctan2(a, b)) == np.arctan2(3.0, 4.0)
    assert float((a**2) ** 0.5) == 3.0
    assert tally[:5] == [3, 4, 1, 2, 2]


def test_what_the_compiler_drops_is_not_counted() -> None:
    tally, (a,) = counted(2.0)
    assert float(1.0 * a) == float(a * 1.0) == float(a - 0.0) == float(a / 1.0) == 2.0
    assert tally == [0] * 6
    assert float(0.0 * a) == 0.0
    assert float(0.0 + a) == 2.0
    assert float(0.5 * a) == 1.0
    assert tally == [1, 2, 0, 0, 0, 0]


def test_comparisons_signs_and_copies_cost_nothing() -> None:
    tally, (a, b) = counted(2.0, -3.0)
    assert max(a, abs(b)) == 3.0
    assert a > b.real
    assert min(a, b) == b
    assert bool(a)
    assert a != b
    assert tally == [0] * 6


def test_numpys_scalars_and_object_arrays_work() -> None:
    tally, (a,) = counted(2.0)
    assert isinstance(np.float64(3.0) * a, Counted)
    table = np.empty((1, 2), dtype=object)
    table[0] = a, a
    table[0, 1] += np.float64(1.0)
    assert [float(x) for x in table[0]] == [2.0, 3.0]
    assert tally == [1, 1, 0, 0, 0, 0]


def test_a_product_goes_along_with_one_addition_and_an_addition_takes_one() -> None:
    for what, taken in (
        (lambda a, b: a * b + a, 1),
        (lambda a, b: a - b * a, 1),
        (lambda a, b: -(a * b) + a, 1),
        (lambda a, b: 1.0 - a * 2.0, 1),
        (lambda a, b: a * b - b * b, 1),  # one of the two
        (lambda a, b: (a * b + b * b) + a * a, 2),
        (lambda a, b: (a * b) * a + b, 1),  # the second product
        (lambda a, b: 1.0 * a + b, 0),
        (lambda a, b: a / b + a, 0),
        (lambda a, b: a + b + a, 0),
    ):
        tally, numbers = counted(2.0, 3.0)
        what(*numbers)
        assert tally[5] == taken
    tally, (a, b) = counted(2.0, 3.0)
    product = a * b
    float((product + a) * (product + b))
    assert tally == [2, 2, 0, 0, 0, 1]


def test_kernels_cost_what_textbooks_say() -> None:
    tally, a = counted(*range(9))
    dot(tuple(a[:3]), tuple(a[3:6]))
    assert tally[:2] == [2, 3]
    cross(tuple(a[:3]), tuple(a[3:6]))
    assert tally[:2] == [5, 9]
    matmul(tuple(a), tuple(a))
    assert tally[:2] == [23, 36]


# evaluations ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", ["augmented", "lie-se3", "rotation-matrix", "joint-rates", "canonical"])
def test_counts_of_other_formulations(formulation: str) -> None:
    found = counts_of(chain(3), formulation)
    assert found.total > 500
    assert found.parts is not None
    assert sum(one.total for one in found.parts.values()) == found.total
    assert sum(one.fused for one in found.parts.values()) == found.fused
    assert found.total / 2 < found.instructions < found.total
    assert found.to_dict()["total"] == found.total
    assert found.to_dict()["instructions"] == found.total - found.fused


def test_counting_leaves_the_mechanism_alone_and_repeats() -> None:
    mechanism = lw.load("stewart_platform")
    assert counts_of(mechanism, "range-space") == counts_of(mechanism, "range-space")


def test_implicit_formulations_are_refused() -> None:
    with pytest.raises(lw.errors.UsageError, match="Newton"):
        counts_of(chain(2), "rA")
    assert "rA" not in countable()
    assert {"canonical", "articulated-body", "augmented", "lie-mixed"} <= set(countable())


def test_options_are_checked() -> None:
    with pytest.raises(lw.errors.UsageError, match="frames"):
        counts_of(chain(2), "augmented", frames="joints")


def test_the_command(capsys: Any, tmp_path: Any) -> None:
    arguments = ["count", "planar_four_bar", "--formulation", "augmented", "--formulation", "rA", "--no-weight"]
    assert status_of([*arguments, "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["counts"]["augmented"]["additions"] > 100
    assert told["weight"] is False
    assert "rA" in told["failed"]
    assert status_of(["count", "planar_four_bar", "--formulation", "augmented"]) == 0
    assert "multiplications" in capsys.readouterr().out


# what our recursions cost: these lines may fall, not rise ------------------------------------------------------------

LINES = {
    ("canonical", "screws", False): (305, -314, 198, -203),
    ("canonical", "screws", True): (341, -325, 223, -212),
    ("canonical", "joints", False): (723, -732, 456, -461),
    ("canonical", "joints", True): (781, -765, 493, -482),
    ("articulated-body", "screws", True): (430, -192, 277, -133),
    ("articulated-body", "joints", True): (874, -636, 552, -408),
}


@pytest.mark.parametrize("n", [2, 3, 12])
@pytest.mark.parametrize("way", LINES)
def test_chains_of_pins_cost_what_they_did(way: tuple[str, str, bool], n: int) -> None:
    formulation, frames, weight = way
    found = counts_of(chain(n), formulation, frames=frames, weight=weight)
    line = LINES[way]
    assert (found.total, found.instructions) == (line[0] * n + line[1], line[2] * n + line[3])
    assert found.divisions == n
    assert found.trigonometric == 2 * n


@pytest.mark.parametrize("n", [3, 12])
def test_momenta_cost_no_more_than_naudets_table(n: int) -> None:
    printed = {
        part: published("naudet2003")["table 1"].value("Naudet-Lefebvre", "total", part)
        for part in ("per_body", "constant")
    }
    found = counts_of(chain(n), "canonical", frames="screws", weight=False)
    assert found.total <= printed["per_body"] * n + printed["constant"]


def test_branches_cost_more_than_a_chain_and_less_than_frames_anywhere() -> None:
    """One child of a link is reached by a screw about x, the others by a general displacement."""
    branched = counts_of(tree(7), "canonical").total
    assert 341 * 7 - 325 < branched < counts_of(tree(7), "canonical", frames="joints").total


@pytest.mark.parametrize("placed", [False, True])
@pytest.mark.parametrize("formulation", ["canonical", "articulated-body"])
@pytest.mark.parametrize("model", ["kissel2021_double_pendulum", "muller2013_spherical_double_pendulum", "floating"])
def test_the_entry_that_runs_call_does_what_its_parts_do(model: str, formulation: str, placed: bool) -> None:
    """To the operation and to the last digit, on pins and on joints of several freedoms. Momenta of what floats have no
    such entry."""
    if model == "floating":
        model, formulation = "muller2013_floating_pair", "articulated-body"
    compiled = prepare(lw.load(model), dynamics=True).compiled
    chosen, method = pair(formulation, "rk4")
    new = partial(new_run, chosen, method, step=1e-3, t_end=1e-3)
    problem = started(compiled, new).problem
    apart, whole = counter_within_step(problem), counter_within_step(problem)
    parts = [apart.of(getattr(problem, name)) for name in PARTS]
    if placed:
        assert whole.of(problem.set_state) == parts.pop(0)
        whole.work().request.state_is_set[0] = 1
    found = whole.of(problem.evaluate)
    assert found.total == sum(part.total for part in parts)
    assert [float(x) for x in whole.work().psi_rate] == [float(x) for x in apart.work().psi_rate]
