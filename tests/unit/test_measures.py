"""Sizes of rows and weights of unknowns of runs that are placed: compiled code has the bits of NumPy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import linkwork as lw
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.measures import BY_WEIGHTS, LENGTH, MASS, NUMBERS, SET_MEASURES, set_measures
from linkwork.system import CompiledMechanism


def run_of(formulation: str, integrator: str | None, **options: float) -> ImplicitRun:
    model = lw.compile(lw.load("kissel2021_slider_crank"), formulation, integrator, **options)
    run = model.set_up(0.01, 1e-3).borrow().run
    assert isinstance(run, ImplicitRun)
    return run


def other(mechanism: CompiledMechanism, seed: int, heaviest: float = 1.0) -> CompiledMechanism:
    """Of another length, other rows and masses."""
    rng = np.random.default_rng(seed)
    bodies = mechanism.system.bodies
    masses = bodies._replace(mass=heaviest * bodies.mass * rng.uniform(0.5, 2.0, bodies.mass.shape))
    squares = rng.uniform(0.0, 2.0, (4, mechanism.nc)) ** 4
    return mechanism.other(
        squares=squares, length=rng.uniform(0.1, 9.0), system=mechanism.system._replace(bodies=masses)
    )


@pytest.mark.parametrize("formulation", ["rA", "rp", "re"])
@pytest.mark.parametrize(
    ("integrator", "options"),
    [(None, {}), ("implicit-euler", {"tolerance": 1e-8}), ("implicit-euler", {})],
)
def test_measures_of_a_start_have_numpys_bits(
    formulation: str, integrator: str | None, options: dict[str, float]
) -> None:
    run = run_of(formulation, integrator, **options)
    for seed, heaviest in ((0, 1.0), (1, 7.0), (2, 0.0)):
        mechanism = other(run.problem.mechanism, seed, heaviest)
        run.problem = replace(run.problem, mechanism=mechanism)
        run._set_measures()
        wanted = run.run.row_size.copy(), run.run.weight.copy()
        run.run.row_size[:] = -1.0
        if run.by_weights:
            layout = run.problem.layout
            run.run.weight[:] = -1.0
            run.run.weight[: layout.coordinates].reshape(layout.nb, layout.stride)[:, :3] = 1.0  # as a run begins with
        run._measured(mechanism)
        assert run.run.row_size.tobytes() == wanted[0].tobytes()
        assert run.run.weight.tobytes() == wanted[1].tobytes()
        assert run.by_weights == (not options)


def test_the_kernel_in_plain_python_has_the_bits_of_compiled_code() -> None:
    run = run_of("rp", "implicit-euler")
    table, nc = run._table, run.problem.layout.nc
    given = np.zeros(NUMBERS + 4 * nc)
    given[LENGTH], given[MASS], given[BY_WEIGHTS] = 0.7, 2.3, 1.0
    given[NUMBERS:] = np.random.default_rng(5).uniform(0.0, 3.0, 4 * nc)
    SET_MEASURES.code(table, given)
    wanted = run.run.row_size.copy(), run.run.weight.copy()
    run.run.row_size[:] = run.run.weight[run.problem.layout.coordinates :] = -1.0
    set_measures(run.run, given)
    assert (run.run.row_size.tobytes(), run.run.weight.tobytes()) == (wanted[0].tobytes(), wanted[1].tobytes())
