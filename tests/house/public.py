"""The public names of linkwork, and the words that they are made of."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import linkwork
from linkwork.formulations import FORMULATIONS
from linkwork.header import VARIABLES
from linkwork.integrators import INTEGRATORS
from linkwork.io.formats.loading import FORMATS
from linkwork.mechanism.constraints import CONSTRAINTS
from linkwork.mechanism.forces import FORCES
from linkwork.mechanism.joints import JOINTS
from linkwork.plots import PLOTS

REGISTRIES = (FORMULATIONS, INTEGRATORS, JOINTS, FORCES, CONSTRAINTS, FORMATS, PLOTS)


def names() -> Iterator[tuple[str, str]]:
    """Public names and where each is met: exports, parameters, methods, fields, options, registered names."""
    for name in linkwork.__all__:
        yield name, "linkwork"
        thing = getattr(linkwork, name)
        if inspect.isfunction(thing):
            yield from ((parameter, f"{name}()") for parameter in inspect.signature(thing).parameters)
        elif inspect.isclass(thing):
            yield from members(thing)
    for registry in REGISTRIES:
        for name in registry:
            yield name, f"{registry.kind}s"
            thing = registry.load(name)
            yield from ((option, f"option of {name}") for option in getattr(thing, "options", ()))
            if registry in (JOINTS, FORCES, CONSTRAINTS):
                yield from ((field, f"field of {name}") for field in getattr(thing, "model_fields", ()))
    for name in VARIABLES:
        yield name, "a result's variables"


def members(owner: type[Any]) -> Iterator[tuple[str, str]]:
    """Public methods, properties, fields, and the parameters of methods."""
    for name in {*dir(owner), *inspect.get_annotations(owner)}:
        if name.startswith("_"):
            continue
        yield name, owner.__name__
        method = inspect.getattr_static(owner, name, None)
        method = getattr(method, "__func__", method)
        if inspect.isfunction(method):
            parameters = list(inspect.signature(method).parameters)
            yield from ((parameter, f"{owner.__name__}.{name}()") for parameter in parameters)


def words_of(name: str) -> list[str]:
    """`JointState`, `dop853`, `point-in-line` and `kinetic_energy` as words in lower case; digits are no words."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    return [part.lower() for part in parts]
