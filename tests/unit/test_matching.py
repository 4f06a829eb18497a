"""Formulations and integrators find each other by the shape of the problem, and each option finds its owner."""

from __future__ import annotations

import json
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import IncompatiblePairError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS, runge_kutta, shape_of
from linkwork.integrators.tableaux import TABLEAUX
from linkwork.problems.shapes import EXPLICIT, IMPLICIT, MOMENTA
from linkwork.run import matching

TOP = "muller2013_heavy_top"
OPTIONS = {  # a value that is fine wherever the option is known
    "newton": "frozen", "tolerance": 1e-3, "position_tolerance": 1e-11, "max_iterations": 30, "rho_infinity": 0.9,
    "rtol": 1e-6, "atol": 1e-9, "max_step": 1e-3, "t_eval": [0.01], "stabilisation": "none",
    "baumgarte": (10.0, 10.0), "project_every": 2, "groups": {"top": "se3"}, "start": "consistent",
    "elimination": "one-shot", "multipliers": "step", "matrix": "dense", "orthonormalise_every": 3,
}  # fmt: skip
LIE = ("lie-se3", "lie-product", "lie-mixed")


@dataclass(frozen=True)
class Odd:
    """A formulation or an integrator as far as matching knows them."""

    name: str
    shape: str = "odd"
    shapes: tuple[str, ...] = ("odd",)
    options: tuple[str, ...] = ("oddness",)
    default_integrator: str = "odd-steps"


def test_every_formulation_has_integrators_and_its_usual_one_comes_first() -> None:
    for name in FORMULATIONS:
        chosen, found = FORMULATIONS.load(name), matching.fitting(name)
        assert found[0] == chosen.default_integrator
        assert len(set(found)) == len(found)
        for integrator in INTEGRATORS:
            fits = INTEGRATORS.load(integrator).shape in chosen.shapes
            assert (integrator in found) == fits


def test_every_tableau_is_an_explicit_integrator() -> None:
    for name in TABLEAUX:
        method = INTEGRATORS.load(name)
        assert method.name == name
        assert method.shape == EXPLICIT
        for formulation in (*LIE, "rotation-matrix"):
            assert name in matching.fitting(formulation)
    with pytest.raises(AttributeError):
        _ = runge_kutta.no_such_method


def test_lie_formulations_take_explicit_and_implicit_integrators() -> None:
    for formulation in LIE:
        shapes = {INTEGRATORS.load(name).shape for name in matching.fitting(formulation)}
        assert shapes == {EXPLICIT, IMPLICIT, MOMENTA}
        assert matching.fitting(formulation)[0] == "rk4"


def test_pairs_that_do_not_fit_are_refused_with_those_that_do() -> None:
    for formulation in FORMULATIONS:
        fits = matching.fitting(formulation)
        for integrator in INTEGRATORS:
            if integrator in fits:
                chosen, method = matching.pair(formulation, integrator)
                assert method.shape in chosen.shapes
            else:
                with pytest.raises(IncompatiblePairError) as error:
                    matching.pair(formulation, integrator)
                assert ", ".join(fits) in str(error.value)
                with pytest.raises(IncompatiblePairError, match=formulation):
                    lw.simulate(lw.load(TOP), 0.01, 1e-3, formulation, integrator)


@pytest.mark.parametrize(
    ("formulation", "integrator", "hint"),
    [
        ("lie-se", "rk4", "lie-se3"),
        ("lie-se3", "rk5", "rk4"),
        ("lie-se3", "dopri", "Known"),
        ("SE3", None, "lie-se3"),  # capitals aside
        ("quaternions", None, "Known"),
    ],
)
def test_unknown_names_are_told_with_the_nearest(formulation: str, integrator: str | None, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        matching.pair(formulation, integrator)


def test_a_new_pair_fits_without_a_word_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shape of its own, registered from outside."""
    odd, steps = Odd("odd"), Odd("odd-steps")
    for registry, name, thing in ((FORMULATIONS, "odd", odd), (INTEGRATORS, "odd-steps", steps)):
        monkeypatch.setitem(registry._entries, name, f"tests.of_matching:{name}")
        load = type(registry).load
        monkeypatch.setattr(
            registry, "load", lambda n, r=registry, f=load, name=name, thing=thing: thing if n == name else f(r, n)
        )
    assert matching.fitting("odd") == ("odd-steps",)
    assert matching.pair("odd", None) == (odd, steps)
    assert "odd-steps" not in matching.fitting("lie-se3")
    with pytest.raises(IncompatiblePairError, match="odd-steps"):
        matching.pair("odd", "rk4")
    with pytest.raises(UsageError, match="formulation odd, integrator odd-steps"):
        matching.share_out({"oddness": 3}, *matching.pair("lie-se3", "rk4"))
    assert matching.share_out({"oddness": 3, "rtol": None}, odd, steps) == ({"oddness": 3}, {"oddness": 3})


def test_tolerances_alone_choose_an_integrator_that_heeds_them() -> None:
    found = lw.simulate(lw.load(TOP), 0.01, 1e-3, "lie-mixed", rtol=1e-8).info
    assert "rtol" in INTEGRATORS.load(found["integrator"]).options
    assert found["rtol"] == 1e-8
    assert lw.simulate(lw.load(TOP), 0.01, 1e-3, "lie-mixed").info["integrator"] == "rk4"
    with pytest.raises(UsageError, match="rtol"):
        lw.simulate(lw.load(TOP), 0.01, 1e-3, "lie-mixed", "rk4", rtol=1e-8)
    assert lw.simulate(lw.load(TOP), 0.01, 1e-3, "rA", rtol=1e-8).info["integrator"] == "radau5"


def test_options_go_to_their_owners() -> None:
    chosen, method = matching.pair("lie-mixed", "dp54")
    given = {"groups": {"top": "se3"}, "rtol": 1e-6, "newton": None, "tolerance": None}
    assert matching.share_out(given, chosen, method) == ({"groups": {"top": "se3"}}, {"rtol": 1e-6})


@pytest.mark.parametrize("integrator", list(INTEGRATORS))
@pytest.mark.parametrize("formulation", ["rA", "lie-se3", "lie-mixed", "rotation-matrix"])
def test_options_of_others_are_refused_with_their_owners(formulation: str, integrator: str) -> None:
    if integrator not in matching.fitting(formulation):
        return
    chosen, method = matching.pair(formulation, integrator)
    for name, value in OPTIONS.items():
        if name in (*chosen.options, *method.options):
            continue
        with pytest.raises(UsageError, match=f"option {name} belongs neither") as error:
            lw.simulate(lw.load(TOP), 0.01, 1e-3, formulation, integrator, **{name: value})
        owners = [n for n in INTEGRATORS if name in INTEGRATORS.load(n).options]
        owners += [n for n in FORMULATIONS if name in FORMULATIONS.load(n).options]
        assert owners
        assert all(owner in str(error.value) for owner in owners)


def test_every_option_reaches_its_owner_through_simulate() -> None:
    """As a keyword, by name among `options`, or with an object; `simulate` itself knows none of them."""
    assert len(signature(lw.simulate).parameters) <= 13
    assert not set(OPTIONS) & set(signature(lw.simulate).parameters)
    by_object = lw.simulate(lw.load(TOP), 0.01, 1e-3, lw.LieSE3(), lw.DP54(rtol=1e-6, max_step=1e-3))
    by_name = lw.simulate(lw.load(TOP), 0.01, 1e-3, "lie-se3", "dp54", options={"rtol": 1e-6, "max_step": 1e-3})
    by_word = lw.simulate(lw.load(TOP), 0.01, 1e-3, "lie-se3", "dp54", rtol=1e-6, max_step=1e-3)
    for other in (by_name, by_object):
        np.testing.assert_array_equal(other["position"], by_word["position"])
        assert other.info["rtol"] == 1e-6
    with pytest.raises(UsageError, match="rtoll"):
        lw.simulate(lw.load(TOP), 0.01, 1e-3, "lie-se3", "dp54", options={"rtoll": 1e-6})


def test_newton_is_for_implicit_integrators_only() -> None:
    with pytest.raises(UsageError, match="newton"):
        lw.simulate(lw.load(TOP), 0.01, 1e-3, "lie-se3", "rk4", newton="full")


def test_descriptions_are_plain_data() -> None:
    for found in (matching.describe(), matching.describe_integrators()):
        assert json.loads(json.dumps(found)) == found
    assert [one["name"] for one in matching.describe()] == list(FORMULATIONS)
    assert [one["name"] for one in matching.describe_integrators()] == list(INTEGRATORS)
    lie = next(one for one in matching.describe() if one["name"] == "lie-mixed")
    assert lie["paper"] == "Müller 2013"
    assert lie["integrators"] == list(matching.fitting("lie-mixed"))


# the command line ------------------------------------------------------------------------------------------------


def told(tokens: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert status_of([*tokens, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_options_reach_the_run_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--formulation lie-mixed --integrator dp54 --rtol 1e-8 --group top=product --t-end 0.1 --step 0.01"
    found = told(["run", TOP, *words.split()], capsys)
    wanted = lw.simulate(lw.load(TOP), 0.1, 0.01, "lie-mixed", "dp54", rtol=1e-8, groups={"top": "product"})
    np.testing.assert_allclose(found["end_state"]["top"]["position"], wanted.position("top")[-1], rtol=0, atol=1e-15)
    words = "--formulation lie-product --t-end 0.1 --step 0.001 --project-every 2 --every 5"
    assert told(["run", TOP, *words.split()], capsys)["samples"] == 21
    words = "--formulation lie-product --t-end 0.1 --step 0.001 --baumgarte 20 30 --atol 1e-9 --integrator ts54"
    assert told(["run", TOP, *words.split(), "--max-step", "0.002"], capsys)["success"] is True
    words = "--formulation null-space --t-end 0.1 --step 0.001 --option basis=graph --option rebuild=true"
    assert told(["run", TOP, *words.split()], capsys)["success"] is True


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("--formulation lie-mixed --group top", "BODY=se3"),
        ("--formulation lie-mixed --group top=so3", "product"),
        ("--formulation lie-mixed --group tip=se3", "Did you mean 'top'"),
        ("--formulation lie-se3 --group top=se3", "lie-mixed"),
        ("--formulation rA --integrator rk4", "implicit-euler"),
        ("--formulation rA --integrator implicit-euler --rtol 1e-6", "dp54"),
        ("--formulation lie-se3 --integrator rk4 --rtol 1e-6", "dp54"),
        ("--formulation lie-se3 --integrator rk5", "rk4"),
        ("--formulation lie-se3 --stabilisation some", "projection"),
        ("--formulation null-space --option basis", "NAME=VALUE"),
        ("--formulation null-space --option basis=hedge", "graph"),
        ("--formulation lie-se3 --option basis=graph", "null-space"),
    ],
)
def test_what_does_not_go_together_ends_with_usage(words: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["run", TOP, "--t-end", "0.01", "--step", "1e-3", *words.split()]) == 2
    assert hint in capsys.readouterr().err


def test_shapes_are_known_without_loading_an_integrator() -> None:
    assert {name: shape_of(name) for name in INTEGRATORS} == {
        name: INTEGRATORS.load(name).shape for name in INTEGRATORS
    }
    with pytest.raises(UsageError, match="no integrator 'rk5'"):
        shape_of("rk5")
