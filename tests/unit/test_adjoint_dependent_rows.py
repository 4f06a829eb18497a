"""The adjoint of implicit runs with rows that depend on others: equal to the tangents, shared reactions included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from unit.test_adjoint_newton import SAMPLED, both, reverse_of
from unit.test_tangents_dependent_rows import parallelogram, slider_crank

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.derivatives.tangents_newton import NewtonTangents
from linkwork.errors import UsageError
from linkwork.lanes.traced import shared_reactions, tangent_text
from linkwork.run.recording import named

STEPS, SIZE = 8, 2e-2
Case = tuple[Callable[[], lw.Mechanism], list[str]]
PARALLELOGRAM: Case = (parallelogram, ["crank 1.mass", "foot 1.point[1]"])
CRANK: Case = (slider_crank, ["rod.inertia[1]", "pivot.point[1]", "slider.mass"])
FOUR: Case = (
    lambda: lw.load("planar_four_bar"),
    ["crank.shape.density", "rocker pivot.point[0]", "rocker pivot.point[1]"],
)


@pytest.mark.parametrize(
    ("case", "formulation", "integrator", "every", "part", "many"),
    [
        (PARALLELOGRAM, "rA", "implicit-euler", 1, None, 1),
        (CRANK, "rA", "generalized-alpha", 1, None, 5),
        (CRANK, "rp", "implicit-euler", 2, 3, 1),  # taken again by parts, of which steps are predicted alike
        (PARALLELOGRAM, "lie-mixed", "generalized-alpha", 1, None, 1),
        (FOUR, "re", "generalized-alpha", 2, 3, 2),
    ],
)
def test_the_adjoint_is_the_tangent(
    case: Case,
    formulation: str,
    integrator: str,
    every: int,
    part: int | None,
    many: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Random functions of all samples, of poses and velocities alone, and of multipliers alone. Corrections of tangents
    go on here as long as they shrink: at 1e-13 of the unknowns' tangents, multipliers included, they end else."""
    monkeypatch.setattr(tangent_text, "NEXT", 1e-16)
    monkeypatch.setattr(tangent_text, "SMALL", 1e-17)
    nominal = carried_out(case[0](), STEPS * SIZE, SIZE, formulation, integrator, None, {"every": every})
    moving = Moving(nominal, numbers_of(nominal.mechanism, case[1]))
    tangents = NewtonTangents(nominal.prepared(nominal.ready.compiled, 0), moving.starts).samples()
    run, rng = reverse_of(moving, part), np.random.default_rng(1)
    assert nominal.session.run.problem.dependence.found.sizes[1] > 2
    poses = np.zeros(tangents["motion"].shape[2])
    poses[:18] = 1.0
    for motion, multiplier in ((np.ones(24), 1.0), (poses, 0.0), (np.zeros(24), 1.0)):
        seeds = {name: rng.normal(size=(many, *tangents[name].shape[:-1])) for name in SAMPLED}
        seeds["motion"] *= motion
        seeds["multiplier"] *= multiplier
        found = run.gradients(seeds)[:, run.cell_of] @ moving.starts
        wanted = sum(np.tensordot(seeds[name].reshape(many, -1), _flat(tangents[name]), 1) for name in SAMPLED)
        assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))


@pytest.mark.parametrize(
    ("case", "integrator", "h"), [(CRANK, "generalized-alpha", 1e-4), (FOUR, "implicit-euler", 1e-5)]
)
def test_samples_of_index_1_equations(case: Case, integrator: str, h: float) -> None:
    """At very small steps samples solve equations of their own, in which the same rows depend on the same others."""
    nominal = carried_out(case[0](), 8 * h, h, "rA", integrator, None, {})
    assert nominal.from_index_1 == 1
    moving, result = Moving(nominal, numbers_of(nominal.mechanism, case[1])), nominal.result
    tangents, run = moving.samples, reverse_of(moving, 3)
    assert moving.way == "recorded steps"
    values = named({key: array[..., 0] for key, array in tangents.items()})
    for name in ("acceleration", "angular_acceleration", "multiplier"):
        assert np.max(np.abs(values[name] - result[name])) <= 1e-11 * np.max(np.abs(result["multiplier"])), name
    found, wanted = both(moving, run, 2)  # steps between samples have rounding of rows over h^2 in both
    assert np.max(np.abs(found - wanted)) <= 2e-11 * np.max(np.abs(wanted))


def _flat(samples: Any) -> Any:
    """(numbers of all samples, numbers) tangents."""
    return samples[..., 1:].reshape(-1, samples.shape[-1] - 1)


def test_shared_reactions_against_differences_of_runs() -> None:
    """A joint's force at the end, and a multiplier over the run."""
    to, end = ["slider.mass", "pivot.point[1]"], 0.1
    of = {"force": lw.Final("pivot.force"), "impulse": lw.Integral(lambda res: res["multiplier"])}
    run: dict[str, Any] = {"formulation": "rA", "integrator": "implicit-euler", "tolerance": 1e-11}
    found = lw.sensitivities(slider_crank(), end, SIZE, of=of, to=to, mode="adjoint", **run)
    assert found.way == "recorded steps"
    for number in numbers_of(slider_crank(), to):
        by = 1e-5
        moved = [lw.simulate(number.moved(x), end, SIZE, accept_changes=True, **run) for x in (by, -by)]
        for name, quantity in of.items():
            near = (quantity(moved[0]) - quantity(moved[1])) / (2.0 * by)
            assert np.max(np.abs(found[name, number.name] - near)) <= 2e-6 * np.max(np.abs(near)), name


def test_where_sharing_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Poses have an adjoint still, and what depends on shared reactions is refused by name, with the reason."""
    monkeypatch.setattr(shared_reactions, "LEAST_PIVOT", 2.0)
    how: dict[str, Any] = {"formulation": "rA", "integrator": "implicit-euler", "to": "slider.mass", "mode": "adjoint"}
    found = lw.sensitivities(slider_crank(), 0.06, SIZE, of={"end": lw.Final("slider.position")}, **how)
    assert np.max(np.abs(found["end"])) > 1e-6
    with pytest.raises(UsageError, match=r"'force'.*share reactions.*next to nothing"):
        lw.sensitivities(slider_crank(), 0.06, SIZE, of={"force": lw.Final("pivot.force")}, **how)
