from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linkwork import header as header_module
from linkwork.errors import UsageError
from linkwork.header import DERIVED, STORED, Header, Variable
from linkwork.plots import PLOTS
from linkwork.result import Result

BODIES, JOINTS, ROWS = ("crank", "slider"), ("crank pivot", "rail"), ("crank pivot.lock[1]", "rail.lock[1]", "driver")


class Watched:
    """Derives numbers that can be recognised, and notes how it was asked."""

    def __init__(self, *without: str) -> None:
        self.without = without
        self.asked: list[tuple[tuple[str, ...], int]] = []

    def derive(self, names: Sequence[str], time: Any, position: Any, *others: Any) -> dict[str, Any]:
        self.asked.append((tuple(names), time.size))
        n = time.size
        force = 10.0 * time[:, None, None] + np.arange(2)[None, :, None] + np.zeros((n, 2, 3))
        found = {
            "reaction_force": force,
            "reaction_torque": -force,
            "kinetic_energy": 2.0 + time,
            "potential_energy": 1.0 - time,
            "power": np.ones(n),
            "position_violation": 1e-9 * (1.0 + time),
            "velocity_violation": np.zeros(n),
        }
        return {name: found[name] for name in names if name not in self.without}


def arrays(nt: int = 50) -> dict[str, Any]:
    rng = np.random.default_rng(3)
    return {
        "time": np.linspace(0.0, 1.0, nt),
        "position": rng.normal(size=(nt, 2, 3)),
        "rotation": np.tile(np.eye(3), (nt, 2, 1, 1)),
        "velocity": rng.normal(size=(nt, 2, 3)),
        "multiplier": rng.normal(size=(nt, 3)),
        "iterations": np.full(nt, 2),
    }


def header(**more: Any) -> Header:
    base: dict[str, Any] = {
        "bodies": BODIES,
        "joints": JOINTS,
        "rows": ROWS,
        "joint_bodies": BODIES,
        "joint_points": ((0.0, 0.0, 0.5), (1.0, 0.0, 0.0)),
        "info": {"model": "slider crank", "formulation": "rA", "integrator": "implicit-euler", "step": 1e-3},
    }
    return Header(**(base | more))


def test_arrays_come_by_variable_and_by_name() -> None:
    data = arrays()
    res = Result(header(), data)
    assert np.array_equal(res["position"], data["position"])
    assert np.array_equal(res.position("slider"), data["position"][:, 1])
    assert res.rotation("crank").shape == (50, 3, 3)
    assert np.array_equal(res.multiplier("driver"), data["multiplier"][:, 2])
    assert np.array_equal(res.read("velocity", 10, 12), data["velocity"][10:12])
    assert res.bodies == BODIES
    assert "position" in res
    assert "acceleration" not in res


def test_a_result_cannot_be_written_into() -> None:
    data = arrays()
    res = Result(header(), data, derive=Watched())
    for values in (res.time, res["position"], res.position("crank"), res.energy, res.reaction("rail").force):
        with pytest.raises(ValueError, match="read-only"):
            values[...] = 0.0
    data["position"][0] = 7.0  # the owner still may


def test_derived_variables_are_computed_once_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(header_module, "BLOCK", 20)
    watched = Watched()
    res = Result(header(), arrays(50), derive=watched)
    assert watched.asked == []
    force = res.reaction("rail").force
    assert [size for _, size in watched.asked] == [20, 20, 10]
    assert watched.asked[0][0] == tuple(DERIVED)
    _ = res["kinetic_energy"], res.energy, res.reaction("crank pivot"), res.summary()
    assert len(watched.asked) == 3
    assert np.allclose(force, (10.0 * res.time + 1.0)[:, None])


def test_what_is_given_is_not_derived_again() -> None:
    watched = Watched()
    res = Result(header(), arrays() | {"kinetic_energy": np.full(50, 7.0)}, derive=watched)
    assert res["kinetic_energy"][0] == 7.0
    assert res["potential_energy"][0] == 1.0
    assert "kinetic_energy" not in watched.asked[0][0]
    assert len(set(res.variables)) == len(res.variables)


def test_a_reaction_says_where_it_acts() -> None:
    res = Result(header(), arrays(), derive=Watched())
    force, torque = res.reaction("rail")
    assert force.shape == torque.shape == (50, 3)
    body, point = res.reaction_place("rail")
    assert body == "slider"
    assert point.tolist() == [1.0, 0.0, 0.0]
    with pytest.raises(UsageError, match="does not say"):
        Result(header(joint_bodies=(), joint_points=()), arrays()).reaction_place("rail")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda res: res.position("crnak"), "Did you mean 'crank'"),
        (lambda res: res.position("ground"), "stays at the origin"),
        (lambda res: res.reaction("crank pivto"), "Did you mean 'crank pivot'"),
        (lambda res: res["postion"], "Did you mean 'position'"),
        (lambda res: res["acceleration"], "does not hold 'acceleration'"),
        (lambda res: res.multiplier("zzz"), "Known: crank pivot.lock"),
        (lambda res: res["momentum"], "no result variable"),
    ],
)
def test_an_unknown_name_is_a_usage_error_with_a_hint(call: Any, words: str) -> None:
    res = Result(header(), arrays(), derive=Watched())
    with pytest.raises(UsageError) as caught:
        call(res)
    assert words in str(caught.value)


def test_what_cannot_be_derived_is_said_to_be_missing() -> None:
    res = Result(header(), arrays(), derive=Watched("kinetic_energy", "power"))
    assert "kinetic_energy" not in res
    with pytest.raises(UsageError, match="masses"):
        _ = res.energy


def test_energy_balance_takes_off_the_work_done() -> None:
    t = np.linspace(0.0, 1.0, 50)
    driven = arrays() | {"kinetic_energy": 3.0 * t, "potential_energy": np.zeros(50), "power": np.full(50, 3.0)}
    balance = Result(header(), driven).energy_balance()
    assert balance.work is not None
    assert np.allclose(balance.work, 3.0 * t)
    assert np.allclose(balance.residual, 0.0, atol=1e-14)
    assert np.allclose(balance.change, 3.0 * t)
    del driven["power"]
    balance = Result(header(), driven).energy_balance()
    assert balance.work is None
    assert np.array_equal(balance.residual, balance.change)


@pytest.mark.parametrize("name", ["position", "multiplier", "iterations"])
def test_shapes_are_checked(name: str) -> None:
    data = arrays()
    data[name] = data[name][:-1]
    with pytest.raises(UsageError, match=f"{name!r} has shape"):
        Result(header(), data)


def test_required_variables_and_wrong_derived_shapes_are_refused() -> None:
    data = arrays()
    del data["rotation"]
    with pytest.raises(UsageError, match="'rotation'"):
        Result(header(), data)

    class Wrong:
        def derive(self, names: Sequence[str], time: Any, *others: Any) -> dict[str, Any]:
            return {"kinetic_energy": np.zeros((time.size, 2))}

    with pytest.raises(UsageError, match="kinetic_energy"):
        _ = Result(header(), arrays(), derive=Wrong()).energy


def test_a_formulation_may_add_variables_of_its_own() -> None:
    own = header(
        extras={"joint_coordinate": Variable(("time", "coordinate"), "rad", "joint angles")},
        coordinates={"coordinate": ("q1", "q2", "q3", "q4")},
    )
    res = Result(own, arrays() | {"joint_coordinate": np.ones((50, 4))})
    assert res["joint_coordinate"].shape == (50, 4)
    assert res.index("coordinate", "q3") == 2
    with pytest.raises(UsageError, match="Did you mean 'joint_coordinate'"):
        _ = res["joint_coordinates"]


@pytest.mark.parametrize("nt", [0, 1, 50])
def test_summary_and_repr_tell_the_run(nt: int) -> None:
    data = {name: values[:nt] for name, values in arrays().items()}
    res = Result(header(), data, derive=Watched(), messages=["rank fell to 2 at 0.3 s"], info={"steps": nt})
    text = res.summary()
    assert "slider crank: rA with implicit-euler" in text
    assert "rank fell to 2" in text
    assert f"; {nt} sample{'s' * (nt != 1)}, " in repr(res)
    assert res.info["steps"] == nt
    if nt == 50:
        assert "unexplained" in text
        assert "iterations: 2.00 per step, at most 2, 98 in all" in text
        assert "largest position violation: 2e-09 at 1 s" in text


def test_a_failed_run_says_so_everywhere() -> None:
    res = Result(header(), arrays(), success=False, status=1, message="row 'driver' did not converge")
    assert "NOT completed: row 'driver'" in res.summary()
    assert "NOT completed" in repr(res)
    assert res.to_dict()["success"] is False


def test_plain_data_is_plain_and_finite() -> None:
    import json

    data = arrays()
    data["position"][-1, 0, 0] = np.nan
    res = Result(header(info={"step": np.float64(1e-3), "largest": np.inf}), data, derive=Watched())
    text = json.dumps(res.to_dict(), allow_nan=False)
    short = json.loads(text)
    assert short["end_state"]["crank"]["position"][0] is None
    assert short["info"] == {"step": 1e-3, "largest": None}
    assert short["largest_reactions"]["rail"]["force"] == pytest.approx(11.0 * np.sqrt(3.0))


def test_every_variable_has_time_unit_and_meaning() -> None:
    for variable in (STORED | DERIVED).values():
        assert variable.dims[0] == "time"
        assert variable.units
        assert variable.long_name


def test_a_result_imports_nothing_heavy() -> None:
    heavy = ("xarray", "h5netcdf", "h5py", "matplotlib", "pandas", "numba", "scipy")
    code = f"import sys, linkwork.result; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_page_on_results_lists_every_variable_with_its_unit() -> None:
    page = (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")
    table = page.split("## What it holds")[1].split("\n\n**A reaction**")[0]
    lines = {line.split("|")[1].strip(" `"): line for line in table.splitlines() if line.startswith("| `")}
    for name, variable in (STORED | DERIVED).items():
        assert ", ".join(variable.dims) in lines[name]
        assert variable.units in lines[name] or name == "multiplier"
    for kind in PLOTS:
        assert f"`{kind}`" in page
