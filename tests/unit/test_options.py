"""Options: each declared once, by its owner; all that is made from the declaration says the same."""

from __future__ import annotations

import importlib.util
import inspect
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

import linkwork as lw
from linkwork.errors import UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.formulations.contract import Formulation
from linkwork.integrators import INTEGRATORS
from linkwork.integrators.contract import Integrator
from linkwork.options import Configured, Declared, Option, declared
from linkwork.run.matching import pair, share_out
from linkwork.run.samples import Acceptance, Samples

ROOT = Path(__file__).parents[2]
TOP = "muller2013_heavy_top"
OWNERS: dict[str, Any] = {
    **{name: FORMULATIONS.load(name) for name in FORMULATIONS},
    **{name: INTEGRATORS.load(name) for name in INTEGRATORS},
    "samples": Samples(),
    "start": Acceptance(),
}
EVERY = [(owner, name) for owner in OWNERS for name in OWNERS[owner].options]


@dataclass(frozen=True, kw_only=True, repr=False)
class Knobs(Configured):
    """One option of each kind."""

    number: Annotated[float, Option("a number", least=-1.0, most=1.0)] = 0.5
    positive: Annotated[float | None, Option("a positive number", unit="s", above=0.0)] = None
    whole: Annotated[int, Option("a whole number", least=2)] = 2
    switch: Annotated[bool, Option("on or off")] = False
    word: Annotated[str | None, Option("any word")] = None
    plain: int = 7


def test_an_owner_says_what_it_was_told() -> None:
    assert repr(lw.RA()) == "RA()"
    assert repr(lw.TS54(rtol=1e-8)) == "TS54(rtol=1e-08)"
    assert lw.LieMixed(groups={"a": "se3"}).given() == {"groups": {"a": "se3"}}
    assert Knobs().with_options(whole=None, switch=True) == Knobs(switch=True)
    assert Knobs().options == ("number", "positive", "whole", "switch", "word")
    assert Knobs(number=1).number == 1.0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"number": 1.5}, "number must be a number from -1 to 1, not 1.5"),
        ({"number": "1"}, "number must be a number from -1 to 1, not '1'"),
        ({"number": True}, "not True"),
        ({"number": None}, "number must be a number"),
        ({"positive": 0.0}, "positive must be a positive number of seconds, not 0.0"),
        ({"positive": float("nan")}, "positive must be a positive number"),
        ({"whole": 1}, "whole must be a whole number, at least 2, not 1"),
        ({"whole": 2.0}, "whole must be a whole number"),
        ({"switch": 1}, "switch must be True or False, not 1"),
        ({"word": 3}, "word must be a str, not 3"),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as error:
        Knobs(**given)
    assert said in str(error.value)


def test_a_name_that_is_nobodys_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean 'switch'"):
        Knobs().with_options(swich=True)
    with pytest.raises(UsageError, match="Did you mean 'rtol'"):
        lw.simulate(lw.load(TOP), 0.01, 1e-3, "lie-mixed", "dop853", rtoll=1e-9)
    with pytest.raises(UsageError, match=r"neither to formulation 'lie-mixed' nor to integrator 'rk4'.*null-space"):
        lw.simulate(lw.load(TOP), 0.01, 1e-3, "lie-mixed", "rk4", basis="graph")
    with pytest.raises(UsageError, match=r"Hand over an object of it: RA\(\)"):
        lw.simulate(lw.load(TOP), 0.01, 1e-3, lw.RA)  # type: ignore[arg-type]


GOES_WITH = {("generalized-alpha", "equations"): {"rtol": 1e-6}}  # options that have choices with others only


@pytest.mark.parametrize(("owner", "name"), EVERY)
def test_every_option_says_what_it_means_and_takes_its_own_default(owner: str, name: str) -> None:
    one: Declared = declared(type(OWNERS[owner]))[name]
    assert len(one.option.meaning.split()) >= 3
    assert "\n" not in one.option.meaning
    if one.default is None:
        assert one.optional, "nothing given is a value only where it may be None"
    else:
        assert one.checked(one.default) == one.default
    others = GOES_WITH.get((owner, name), {})
    for word in one.choices:
        assert getattr(OWNERS[owner].with_options(**{name: word}, **others), name) == word
    if one.choices or one.holds in (bool, int, float):
        with pytest.raises(UsageError, match=name):
            OWNERS[owner].with_options(**{name: object()})


@pytest.mark.parametrize("owner", [name for name in OWNERS if name not in ("samples", "start")])
def test_an_option_that_it_has_not_is_refused_and_never_ignored(owner: str) -> None:
    formulation = owner if owner in FORMULATIONS else None
    one, other = pair(formulation or "lie-mixed" if owner not in FORMULATIONS else owner, None)
    if owner in INTEGRATORS:
        other = INTEGRATORS.load(owner)
    for _, name in EVERY:
        if name not in (*one.options, *other.options):
            with pytest.raises(UsageError, match=f"option {name} belongs neither"):
                share_out({name: 1}, one, other)


def test_contracts_are_those_of_all_that_is_shipped() -> None:
    for name in FORMULATIONS:
        found = FORMULATIONS.load(name)
        assert isinstance(found, Formulation)
        assert found.name == name
        written, wanted = inspect.signature(type(found).build), inspect.signature(Formulation.build)
        assert written.parameters.keys() == wanted.parameters.keys()
    for name in INTEGRATORS:
        method = INTEGRATORS.load(name)
        assert isinstance(method, Integrator)
        assert method.name == name
        assert inspect.signature(method.new_run).parameters.keys() == {"problem", "step", "t_end", "every"}


def test_objects_and_names_do_the_same_and_resume_finds_them(tmp_path: Path) -> None:
    from linkwork.run.simulate import Call

    mech, method = lw.load(TOP), lw.GeneralizedAlpha(rho_infinity=0.7)
    call = Call.of(mech, 0.1, 1e-3, lw.RE(reference="moving"), method, None, None, {})
    asked = call.asked()
    assert asked is not None
    assert json.loads(json.dumps(asked)) == asked
    assert asked["rho_infinity"] == 0.7
    assert asked["formulation"] == "re"

    @dataclass(frozen=True, kw_only=True, repr=False)
    class Mine(lw.RE):
        """A formulation that no registry knows."""

    assert Call.of(mech, 0.1, 1e-3, Mine(), None, None, None, {}).asked() is None


def test_the_page_of_options_is_made_from_the_sources() -> None:
    spec = importlib.util.spec_from_file_location("make_options", ROOT / "docs" / "make_options.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert (ROOT / "docs" / "options.md").read_text(encoding="utf-8") == made.page(), "python docs/make_options.py"


def test_whole_numbers_beyond_what_compiled_code_holds_are_refused() -> None:
    """They ended in an OverflowError, and kinematics, which hands them over as they are, in a segmentation fault."""
    crank, top = lw.load("kissel2021_slider_crank"), lw.load(TOP)
    for run in (
        lambda n: lw.kinematics(crank, 0.02, 0.01, max_iterations=n),
        lambda n: lw.simulate(top, 0.02, 0.01, max_iterations=n),
        lambda n: lw.simulate(top, 0.02, 0.01, "augmented", project_every=n),
        lambda n: lw.simulate(top, 0.02, 0.01, every=n),
    ):
        assert len(run(2**53).time) >= 1
        with pytest.raises(UsageError, match="must be a whole number, at most 9007199254740992, not 1000"):
            run(10**20)
    double = lw.load("muller2013_spherical_double_pendulum")
    many = lw.sweep(double, {"gravity.z": lw.uniform(-10.0, -9.0)}, 2, seed=10**30, t_end=0.02, step=0.01)
    assert len(many.failed) == 0


CHECKED: list[Any] = []


def halved(name: str, value: Any) -> Any:
    CHECKED.append(value)
    return value if value < 10 else value // 2


@dataclass(frozen=True, kw_only=True, repr=False)
class Halving(Configured):
    small: Annotated[int, Option("kept as it is", check=halved)] = 3
    large: Annotated[int, Option("kept as another", check=halved)] = 1000


def test_defaults_that_an_owner_keeps_are_not_checked_each_time() -> None:
    assert (Halving().small, Halving().large) == (3, 500)
    CHECKED.clear()
    assert (Halving(small=4).small, Halving(large=40).large) == (4, 20)
    assert CHECKED == [4, 1000, 40]
