"""Plain command lines mean what the parser of all lines makes of them; others go to it."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest

from linkwork.cli.main import build
from linkwork.cli.plain import OPTIONS, plain

PLAIN = [
    "check model.yaml",
    "check model.yaml --json",
    "run model",
    "run model --formulation lie-mixed --integrator rk4 --t-end 3 --step 1e-3 --quiet --json",
    "run model --step .5 --t-end 2.",
    "kinematics some/model.yaml --formulation rp --t-end 1 --step 0.01 --json --quiet",
]
NOT_PLAIN = [
    "check",
    "check --help",
    "check model --graph",
    "check model other",
    "run model --t-end -3",
    "run model --t-end 0",
    "run model --t-end 1e999",
    "run model --t-end nan",
    "run model --t-end=3",
    "run model --t-end",
    "run model --t-end 1 --t-end 2",
    "run model --formulation --json",
    "run model --set a=1",
    "run model --elimination one-shot",
    "run model -- --json",
    "models",
    "",
]


@pytest.mark.parametrize("line", PLAIN)
def test_plain_lines_are_understood_as_the_parser_does(line: str) -> None:
    tokens = line.split()
    found = plain(tokens)
    assert found is not None
    verb, bound, _ = build().parse_args(tokens, exit_on_error=False, print_error=False)
    assert (tokens[0], bound.args, dict(bound.kwargs)) == (verb.__name__, (found[0],), found[1])


@pytest.mark.parametrize("line", NOT_PLAIN)
def test_other_lines_go_to_the_parser(line: str) -> None:
    assert plain(line.split()) is None


@pytest.mark.parametrize("verb", OPTIONS)
def test_every_plain_option_is_one_of_the_verb(verb: str) -> None:
    parameters = inspect.signature(getattr(import_module(f"linkwork.cli.{verb}"), verb)).parameters
    assert {option.removeprefix("--").replace("-", "_") for option in OPTIONS[verb]} <= set(parameters)
