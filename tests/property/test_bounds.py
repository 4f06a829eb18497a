"""Random mechanisms with every place in every array checked: in compiled code (LINKWORK_BOUNDSCHECK=1) of one pair,
and of all formulations with a slope as Python, where NumPy refuses places beyond an array (not negative ones).
Residuals and matrices of rA, rp and re run as Python in tests/unit/test_iteration_matrix.py."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mechanism_generator import random_mechanism

from linkwork.analysis.counts import countable, counts_of
from linkwork.errors import LinkworkError

ROOT = Path(__file__).resolve().parents[2]

BEYOND = """
import numpy as np
from linkwork.kernels.jit import compiled, kernel

@kernel
def at(x, k):
    return x[k]

def total(x, n):
    s = 0.0
    for k in range(n):
        s += at(x, k)
    return s

count = compiled(total, what="sums", kept=False)
print(count(np.ones(3), 3), flush=True)
count(np.ones(3), 4)
print("went on", flush=True)
"""

RANDOM = """
import sys
import linkwork as lw
from linkwork.errors import LinkworkError
from tests.mechanism_generator import random_mechanism

done = 0
for seed in range(int(sys.argv[3])):
    try:
        lw.simulate(random_mechanism(seed), 0.02, 1e-3, sys.argv[1], sys.argv[2])["reaction_force"]
    except LinkworkError:
        continue
    done += 1
print(done)
"""


def checked(code: str, *arguments: str, on: bool = True) -> subprocess.CompletedProcess[str]:
    """The code in a process of its own, with places checked."""
    environment = {**os.environ, "LINKWORK_BOUNDSCHECK": "1" if on else "0"}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900)


def test_a_place_beyond_an_array_ends_the_process_and_is_said() -> None:
    found = checked(BEYOND)
    assert found.stdout == "3.0\n"
    assert found.returncode != 0
    assert "index 3 is out of bounds for size 3" in found.stderr
    usual = checked(BEYOND, on=False)
    assert usual.returncode == 0, usual.stderr
    assert usual.stdout == "3.0\nwent on\n"


@pytest.mark.parametrize(("formulation", "integrator"), [("lie-mixed", "rk4")])
def test_random_mechanisms_stay_within_their_arrays(formulation: str, integrator: str) -> None:
    found = checked(RANDOM, formulation, integrator, "12")
    assert found.returncode == 0, found.stderr[-2000:]
    assert int(found.stdout) >= 6


@pytest.mark.parametrize("name", countable())
def test_an_evaluation_and_a_sample_of_every_formulation_stay_within_their_arrays(name: str) -> None:
    """The entries that runs call, as Python: set_state, apply, factorise, solve, rhs and output."""
    ran = 0
    for seed in range(4):
        try:
            ran += counts_of(random_mechanism(seed), name).total > 0
        except LinkworkError:
            continue
    assert ran >= 3
