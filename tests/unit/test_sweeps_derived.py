"""Energies, violations and reactions of a sweep's runs: derived from what was recorded, nothing is run once more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from unit.test_lanes_said import WAYS
from unit.test_model_numbers import arm, geared

import linkwork as lw
from linkwork.lanes import runner
from linkwork.mechanism.variants import variant
from linkwork.run.model import Model

SPAN = 0.01, 1e-3
CASES: tuple[tuple[Callable[[], lw.Mechanism], dict[str, list[float]], str], ...] = (
    (arm, {"k": [20.0, 45.0], "lower.mass": [2.0, 3.5], "load.components.0": [1.0, -2.0]}, "elbow"),
    (geared, {"a.mass": [1.0, 1.5]}, geared().joints[0].name),
    (lambda: lw.load("kissel2021_slider_crank"), {"crank.mass": [0.5, 1.0], "gravity.z": [-9.81, -1.62]}, "slider pin"),
)


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
@pytest.mark.parametrize("case", range(len(CASES)))
def test_what_is_derived_is_that_of_the_record(
    case: int, formulation: str, integrator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, over, joint = CASES[case]
    monkeypatch.setattr(runner, "batch_of", lambda held: None)
    monkeypatch.setattr(runner, "why_not", lambda run: "Numba is not installed")
    mech, keep = make(), ["energy", "power", "position_violation", "velocity_violation", "kinetic_energy"]
    reaction = f"{joint!r}.reaction_force"
    how = {"keep": [*keep, reaction], "formulation": formulation, "integrator": integrator, "judge": False}
    wanted = []
    runs = lw.sweep(mech, over, keep="t", t_end=2e-3, step=1e-3).values
    for k in range(len(next(iter(runs.values())))):
        given = {name: float(column[k]) for name, column in runs.items()}
        wanted.append(lw.simulate(variant(mech, given), *SPAN, formulation, integrator))

    def never(*_: object, **__: object) -> None:
        raise AssertionError("run once more")

    monkeypatch.setattr(Model, "run", never)
    alone, lanes = (lw.sweep(mech, over, t_end=SPAN[0], step=SPAN[1], lanes=one, **how) for one in (False, True))
    assert lanes["in_lanes"].all(), lanes.info["one_by_one"]
    for k, one in enumerate(wanted):
        for name in keep:
            found = one.energy if name == "energy" else one[name]
            np.testing.assert_array_equal(alone[name][k], found, err_msg=name)
            np.testing.assert_allclose(lanes[name][k], found, rtol=2e-6, atol=1e-6, err_msg=name)
        np.testing.assert_array_equal(alone[reaction][k], one.reaction(joint).force)
        np.testing.assert_allclose(lanes[reaction][k], one.reaction(joint).force, rtol=1e-6, atol=1e-6)
