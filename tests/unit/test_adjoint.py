"""The adjoint of a run: equal to its tangents, through parts that are taken again; what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives import traced
from linkwork.derivatives.adjoint_run import AdjointRun
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.errors import UsageError

PENDULUM = "kissel2021_double_pendulum"
TO = ["gravity[2]", "bar 1.shape.size[0]", "pivot.point[1]", "bar 2.shape.size", "bar 2.angular_velocity"]
CANONICAL: dict[str, Any] = {"t_end": 0.1, "step": 1e-2, "formulation": "canonical", "integrator": "rk4"}


def square(result: lw.Result) -> Any:
    """Of the elbow's angle [rad^2]."""
    return result.joint("elbow")["angle"] ** 2


@pytest.mark.parametrize("few", [0, 3])
def test_the_adjoint_is_the_tangent(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traced, "FEW", few)  # 0: dual numbers, and numbers that record; 3: recorded steps
    mech = lw.load(PENDULUM)
    of = {
        "place": lw.Final("bar 2.position"),
        "force": lw.Final("pivot.force"),
        "square": lw.Integral(square),
        "energy": lw.Integral("kinetic_energy"),
    }
    tangent, adjoint = (lw.sensitivities(mech, **CANONICAL, of=of, to=TO, mode=mode) for mode in ("tangent", "adjoint"))
    for name in of:
        assert np.array_equal(tangent.values[name], adjoint.values[name])
        size = np.max(np.abs(tangent[name]))
        assert size > 1e-6, name
        # samples agree to 1e-12 (below); both ways have formulas of eighth order at their ends, with some rounding
        assert np.max(np.abs(adjoint[name] - tangent[name])) <= 2e-11 * size, name


TOLERANCES: dict[str, Any] = {"rtol": 1e-8, "atol": 1e-10}


@pytest.mark.parametrize(
    ("integrator", "options", "part"),
    [
        ("rk4", {}, 1),
        ("rk4", {}, 3),
        ("rk4", {}, 10),
        ("rk4", {}, 40),
        ("dop853", TOLERANCES, 1),
        ("dop853", TOLERANCES, 40),
        ("dop853", TOLERANCES | {"t_eval": [0.01, 0.035, 0.08, 0.1]}, 1),
    ],
)
def test_parts_of_any_length_give_the_same(integrator: str, options: dict[str, Any], part: int) -> None:
    """Steps that find their size, too: both ways go through the estimate of the error and the control of steps."""
    mech = lw.load(PENDULUM)
    nominal = carried_out(mech, 0.1, 1e-2, "canonical", integrator, None, options)
    moving = Moving(nominal, numbers_of(mech, TO[:3]))
    compiled, of_all = nominal.ready.compiled, moving.samples
    room = max(part + 1, len(nominal.result.time))
    run = AdjointRun(nominal.prepared(compiled, room), np.any(moving.starts != 0.0, axis=1), part)
    rng = np.random.default_rng(part)
    seeds = {name: rng.normal(size=(2, *of_all[name].shape[:-1])) for name in ("motion", "multiplier", "extra")}
    seeds["extra"][...] = 0.0
    told = run.samples()
    assert np.array_equal(told["motion"][..., :3], nominal.result["position"])
    cells = np.zeros((len(run.cells.all), 3))
    cells[run.cell_of] = moving.starts
    found = run.gradients(seeds) @ cells
    wanted = sum(
        np.tensordot(seeds[name].reshape(2, -1), of_all[name][..., 1:].reshape(-1, 3), 1)
        for name in ("motion", "multiplier")
    )
    assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))
    parts = run.forwards()
    assert len(parts) == -(-nominal.session.run.counts["steps"] // part)
    assert len(parts) == 1 or sum(one.taken > 0 for one in parts) > 1


def test_records_are_read_backwards() -> None:
    """x y + 3 x at x = 2, y = 5: places 1 and 2 are the leaves."""
    from linkwork.derivatives.dual_tape import BACKWARDS

    words = np.zeros(3 * 6, dtype=np.int64)
    slopes = words.view(float)
    for place, one, other, first, second in ((3, 1, 2, 5.0, 2.0), (4, 1, 0, 3.0, 0.0), (5, 3, 4, 1.0, 1.0)):
        words[3 * place] = one | other << 32
        slopes[3 * place + 1 : 3 * place + 3] = first, second
    adjoint = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    assert BACKWARDS(words, slopes, adjoint, 3, 6) == 3
    assert adjoint[1:3].tolist() == [8.0, 2.0]


def cumulated(result: lw.Result) -> Any:
    """Rows that depend on those before."""
    return np.cumsum(result.joint("elbow")["angle"])


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"of": "position"}, "lw.Final"),
        ({"of": square}, "lw.Integral"),
        ({"of": lw.Final("bar 2.place")}, "body 'bar 2' has no 'place'"),
        ({"of": lw.Final(lambda result: result.time[:3])}, "one row for each"),
        ({"of": lw.Final(cumulated)}, "other samples"),
        ({"mode": "reverse"}, "adjoint"),
        ({"formulation": "rA", "integrator": "radau5"}, "not carried along"),
        ({"integrator": "implicit-midpoint"}, "not carried along"),
    ],
)
def test_what_the_adjoint_cannot_do_is_refused(changed: dict[str, Any], words: str) -> None:
    how = CANONICAL | {"of": lw.Final("bar 2.position"), "to": "gravity[2]", "mode": "adjoint"} | changed
    with pytest.raises(UsageError) as refused:
        lw.sensitivities(lw.load(PENDULUM), **how)
    assert words in str(refused.value)
