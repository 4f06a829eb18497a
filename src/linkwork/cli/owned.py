"""The options of `run` that belong to formulations and integrators, made from what their owners declare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal

from linkwork.cli.pairs import pairs_of
from linkwork.cli.parameter import Parameter
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.options import Configured, Declared, declared
from linkwork.registry import Registry

PANELS = {"formulation": "Options of formulations", "integrator": "Options of integrators"}


def found_in(registry: Registry) -> dict[str, list[tuple[str, Declared]]]:
    """Option -> its owners, each with its declaration."""
    found: dict[str, list[tuple[str, Declared]]] = {}
    for name in registry:
        owner = registry.load(name)
        if isinstance(owner, Configured):
            for option, one in declared(type(owner)).items():
                found.setdefault(option, []).append((name, one))
    return found


def meaning(owners: Sequence[tuple[str, Declared]]) -> str:
    """What an option means, with the names of those who have it; apart where it means different things."""
    told: dict[str, list[tuple[str, Declared]]] = {}
    for name, one in owners:
        unit = f", {one.option.unit}" if one.option.unit else ""
        told.setdefault(f"{one.option.meaning}{unit}.", []).append((name, one))
    return " ".join(f"{', '.join(name for name, _ in each)}: {text}{_default(each)}" for text, each in told.items())


def _default(owners: Sequence[tuple[str, Declared]]) -> str:
    """The first default that says something."""
    usual = next((one.default for _, one in owners if one.default is not None), None)
    return "" if usual is None else f" Default: {f'{usual:g}' if isinstance(usual, float) else usual}."


def parameter(option: str, owners: Sequence[tuple[str, Declared]], panel: str) -> Any:
    """An annotation that the command line's parser reads."""
    one = owners[0][1]
    o = one.option
    text = meaning(owners)
    words = dict.fromkeys(word for _, each in owners for word in each.choices)
    if words:
        kind: Any = Literal[tuple(words)]
    elif one.holds is Mapping:
        kind = list[str]
        text += f" As {(o.word or option).upper()}=VALUE; may be repeated."
    elif one.holds is Sequence:
        kind = list[float]
    else:
        kind = one.kind
    said = Parameter(text, f"--{o.word}" if o.word else "", panel, o.above, o.least, o.most)
    return Annotated[reduce(or_, (kind, None)), said]


def every() -> dict[str, Any]:
    """Their annotations, by their names."""
    return {
        option: parameter(option, owners, PANELS[registry.kind])
        for registry in (FORMULATIONS, INTEGRATORS)
        for option, owners in found_in(registry).items()
    }


def given(said: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, by name. Raises UsageError for a pair that is none."""
    declarations = [one for registry in (FORMULATIONS, INTEGRATORS) for one in found_in(registry).items()]
    maps = [option for option, owners in declarations if owners[0][1].holds is Mapping]
    return {
        name: pairs_of(f"--{name.removesuffix('s')}", value, "BODY=se3 or BODY=product") if name in maps else value
        for name, value in said.items()
    }
