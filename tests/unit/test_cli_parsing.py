"""Command lines: what verbs are given, what is refused, and that only the asked verb's options are made."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from linkwork.cli.main import VERBS
from linkwork.cli.parsing import NotUnderstoodError, understood


def read(line: str) -> Any:
    verb, *tokens = line.split()
    return understood(verb, getattr(import_module(f"linkwork.cli.{verb}"), verb), tokens)


@pytest.mark.parametrize(
    ("line", "by_place", "by_name"),
    [
        ("check model.yaml", ["model.yaml"], {}),
        ("check --json model", ["model"], {"json": True}),
        ("check model --root a --root b --search depth", ["model"], {"root": ["a", "b"], "search": "depth"}),
        ("run", [], {}),
        (
            "run m --t-end=3 --step 1e-3 --every 2 --out a.nc --set L=1 --set b=-2",
            ["m"],
            {"t_end": 3.0, "step": 1e-3, "every": 2, "out": Path("a.nc"), "set_": ["L=1", "b=-2"]},
        ),
        ("run m --newton full --json", ["m"], {"json": True, "owned": {"newton": "full"}}),
        ("run --baumgarte 5 1e-3 m --rtol 1e-9", ["m"], {"owned": {"baumgarte": (5.0, 1e-3), "rtol": 1e-9}}),
        ("run m --t-eval 0 --t-eval 1", ["m"], {"owned": {"t_eval": [0.0, 1.0]}}),
        ("equilibrium m --time -1e-3", ["m"], {"time": -1e-3}),
        ("equilibrium m --time -.5", ["m"], {"time": -0.5}),
        ("count m --no-weight", ["m"], {"weight": False}),
        ("convert a b.urdf --on-unsupported report", ["a", Path("b.urdf")], {"robot": {"on_unsupported": "report"}}),
        ("view a.nc --out x.html b.nc", ["a.nc", "b.nc"], {"out": Path("x.html")}),
        ("warm", [], {}),
        ("warm rA --integrator rk4 rp", ["rA", "rp"], {"integrator": ["rk4"]}),
        ("reproduce --list", [], {"listing": True}),
        ("check -- model", ["model"], {}),
    ],
)
def test_what_is_given(line: str, by_place: list[Any], by_name: dict[str, Any]) -> None:
    assert read(line) == (by_place, by_name)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("check", "MODEL"),
        ("check model other", "Unused word: 'other'."),
        ("check model --grap", "Unknown option: --grap. Did you mean --graph?"),
        ("check model --qqqq=3", "Unknown option: --qqqq."),
        ("check model --search wide", "--search: 'wide' is none of breadth, depth."),
        ("run model --t-end", "--t-end: expected one argument."),
        ("run model --t-end soon", "--t-end: 'soon' is not a number."),
        ("run model --t-end -3", "--t-end: must be above 0, not -3."),
        ("run model --step nan", "--step: must be above 0, not nan."),
        ("run model --every 1.5", "--every: '1.5' is not a whole number."),
        ("run model --every 0", "--every: must be at least 1, not 0."),
        ("run model --t-end 1 --t-end 2", "--t-end: may be given once."),
        ("run model --formulation --json", "--formulation: expected one argument."),
        ("run model --neuton full", "Unknown option: --neuton. Did you mean --newton?"),
        ("run model --newton frosen", "--newton: 'frosen' is none of frozen, full"),
        ("run model --baumgarte 5", "--baumgarte: expected 2 arguments."),
        ("compare model --samples 1", "--samples: must be at least 2, not 1."),
        ("run model --t-e 3", "Unknown option: --t-e."),
    ],
)
def test_what_is_refused(line: str, words: str) -> None:
    with pytest.raises(NotUnderstoodError) as caught:
        read(line)
    assert words in str(caught.value)


@pytest.mark.parametrize("verb", VERBS)
def test_help_describes_every_parameter(verb: str) -> None:
    text = read(f"{verb} --help")
    assert text.startswith(f"usage: linkwork {verb} [OPTIONS]")
    function = getattr(import_module(f"linkwork.cli.{verb}"), verb)
    flat = " ".join(text.split())
    assert " ".join((function.__doc__ or "").split()) in flat
    assert "--json" in flat


def test_options_of_formulations_are_made_when_one_is_asked_for() -> None:
    """They take every formulation and integrator to be imported."""
    asked = """
import json, sys
from linkwork.cli.parsing import understood
from linkwork.cli.run import run
found = []
for line in (["m", "--t-end", "3", "--out", "a.nc"], ["m", "--rtol", "1e-6"], ["--help"]):
    understood("run", run, line)
    found.append("linkwork.cli.owned" in sys.modules)
print(json.dumps(found))
"""
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [False, True, True]


def test_help_tells_defaults_and_headings() -> None:
    text = " ".join(read("run --help").split())
    assert "Options of formulations" in text
    assert "Options of integrators" in text
    assert "Default: 1." in text  # of --every
    assert "Default: 200." in " ".join(read("compare --help").split())
