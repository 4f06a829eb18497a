"""What start-up costs, counted and not timed: imported modules, looks at installed packages, calls of Python."""

from __future__ import annotations

import cProfile
import json
import os
import pstats
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from unit.handmade import result as made_result

import linkwork as lw
from linkwork.analysis import warm as warming
from linkwork.errors import NotDrivenError, UsageError
from linkwork.one_thread import loaded, one_blas_thread

MODEL = "kissel2021_slider_crank"
FILES_AND_PICTURES = {"xarray", "pandas", "matplotlib", "PIL", "h5py", "h5netcdf", "jinja2", "rich", "numpy.ma"}
COMPILER = {"numba", "llvmlite", "scipy"}
MOST_MODULES = 220  # of linkwork in `check`; there were 300
AFTER = "import json, sys; from linkwork.registry import of_other_packages as looked\n"
TELL = "sys.stderr.write('\\n' + json.dumps([sorted(sys.modules), looked.cache_info().misses]))"


def imported(code: str, *options: str) -> tuple[set[str], int]:
    """Modules that a process holds after this code, and how often it looked at what packages are installed."""
    done = subprocess.run(
        [sys.executable, *options, "-c", f"{code}\n{AFTER}{TELL}"],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
    )
    modules, looks = json.loads(done.stderr.splitlines()[-1])
    return set(modules), looks


def test_import_linkwork_brings_the_standard_library_alone() -> None:
    modules, looks = imported("import linkwork")
    ours = {name for name in modules if name.startswith("linkwork")}
    assert ours <= {"linkwork", "linkwork.attached", "linkwork.source", "linkwork.registry", "linkwork.errors"}
    assert not modules & {"numpy", "pydantic", *FILES_AND_PICTURES, *COMPILER}
    assert looks == 0


def test_check_needs_no_compiler_and_nothing_for_files_and_pictures() -> None:
    modules, looks = imported(f"from linkwork.cli.main import status_of; status_of(['check', '{MODEL}'])")
    assert not modules & (FILES_AND_PICTURES | COMPILER)
    assert not {name for name in modules if name.startswith(("linkwork.io.formats.urdf", "linkwork.io.formats.mjcf"))}
    assert not modules & {
        "linkwork.mechanism.shape_kinds",
        "linkwork.integrators.runge_kutta",
    }
    no_kernels = ("linkwork.integrators.evaluation", "linkwork.solvers.augmented", "linkwork.problems.explicit")
    assert not modules.intersection(no_kernels)  # although all formulations and integrators are listed
    assert len([name for name in modules if name.startswith("linkwork")]) <= MOST_MODULES
    assert looks == 1


def test_a_run_that_saves_nothing_imports_nothing_for_files_and_pictures() -> None:
    asked = ["run", MODEL, "--t-end", "0.002", "--step", "0.001"]
    modules, looks = imported(f"from linkwork.cli.main import status_of; status_of({asked})")
    assert not modules & (FILES_AND_PICTURES - {"numpy.ma"})  # which Numba imports, where something is compiled
    assert looks == 1


@pytest.mark.parametrize("more", [[], ["--formulation", "rA", "--step", "0.001"]], ids=["planned", "rA"])
def test_a_run_whose_code_is_kept_imports_no_compiler(more: Sequence[str]) -> None:
    code = f"from linkwork.cli.main import status_of; status_of({['run', MODEL, '--t-end', '0.002', *more]})"
    imported(code)  # which compiles what this machine has not
    modules, _ = imported(code)
    assert not modules & (FILES_AND_PICTURES | (COMPILER - {"llvmlite"}))


MOST_CALLS = {"rA": 2300, "lie-mixed": 2350}  # of Python functions; it was 11,000 before a mechanism kept its start


@pytest.mark.parametrize("formulation", MOST_CALLS)
def test_setting_up_a_run_again_takes_few_calls(formulation: str) -> None:
    mech = lw.load(MODEL)
    for _ in range(2):
        lw.simulate(mech, 1e-3, 1e-3, formulation)
    profile = cProfile.Profile()
    profile.runcall(lw.simulate, mech, 1e-3, 1e-3, formulation)
    assert pstats.Stats(profile).total_calls <= MOST_CALLS[formulation]  # type: ignore[attr-defined]


def test_without_xarray_only_data_sets_are_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "xarray", None)
    result = made_result()
    with pytest.raises(UsageError, match=r"linkwork\[xarray\]"):
        _ = result.dataset
    for name in ("run.nc", "run.csv"):
        result.save(tmp_path / name)
    np.testing.assert_array_equal(lw.open_result(tmp_path / "run.nc")["position"], result["position"])


def test_linear_algebra_on_one_thread_and_then_as_before() -> None:
    import scipy.linalg

    assert scipy.linalg
    found = loaded()
    before = [get() for get, _ in found]
    try:
        for _, put in found:
            put(2)
        with one_blas_thread():
            assert [get() for get, _ in found] == [1] * len(found)
            with one_blas_thread():
                pass
            assert [get() for get, _ in found] == [1] * len(found)
        assert [get() for get, _ in found] == [2] * len(found)
    finally:
        for (_, put), count in zip(found, before, strict=True):
            put(count)


class Asked:
    """Stands for `simulate` and `kinematics`: what was asked of them."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, str]] = []

    def simulate(self, mech: lw.Mechanism, t_end: float, step: float, formulation: str, integrator: str) -> Any:
        self.calls.append((mech.name, formulation, integrator))
        return made_result()

    def kinematics(self, mech: lw.Mechanism, t_end: float, step: float, *, formulation: str) -> Any:
        self.calls.append((mech.name, formulation, "kinematics"))
        raise NotDrivenError("not driven")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    stand_in = Asked()
    monkeypatch.setattr(warming, "simulate", stand_in.simulate)
    monkeypatch.setattr("linkwork.analysis.kinematics.kinematics", stand_in.kinematics)
    return stand_in


@pytest.mark.parametrize(
    ("formulations", "integrators", "found"),
    [
        (("rA",), (), [("rA", "generalized-alpha")]),
        (("rA", "lie-mixed"), ("implicit-euler", "rk4"), [("rA", "implicit-euler"), ("lie-mixed", "rk4")]),
    ],
)
def test_what_is_warmed(formulations: Sequence[str], integrators: Sequence[str], found: list[tuple[str, str]]) -> None:
    named = warming.pairs(formulations, integrators)
    assert [pair for pair in named if pair != ("lie-mixed", "implicit-euler")] == found


def test_every_formulation_is_warmed_where_none_is_named() -> None:
    from linkwork.formulations import FORMULATIONS

    assert [name for name, _ in warming.pairs()] == list(FORMULATIONS)


def test_unknown_formulations_are_refused_before_anything_is_compiled(asked: Asked) -> None:
    with pytest.raises(UsageError, match="there is no formulation 'ra'"):
        warming.pairs(("rA", "ra"))
    assert not asked.calls


def test_all_models_are_run_and_driven_ones_in_kinematics_too(asked: Asked) -> None:
    (made,) = warming.warm([("rA", "generalized-alpha")])
    assert [how for _, _, how in asked.calls] == ["generalized-alpha", "kinematics"] * len(warming.MODELS)
    assert (made.functions, made.refused) == (0, {})


def test_a_model_that_a_formulation_refuses_is_passed_over(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise UsageError("no")

    monkeypatch.setattr(warming, "simulate", refuse)
    (made,) = warming.warm([("rA", "rk4")])
    assert made.refused == dict.fromkeys(warming.MODELS, "no")
