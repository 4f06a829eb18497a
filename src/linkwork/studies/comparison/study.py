"""A study as people write it: mechanism, formulations, integrators, steps or tolerances, and what to make of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, PlainValidator, WithJsonSchema
from pydantic.json_schema import models_json_schema

from linkwork.errors import nearest
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.mechanism.elements import Element, Name, Positive, Text, did_you_mean, invalid, shown
from linkwork.registry import Registry

VERSION = 1
SCHEMA_FILE = Path(__file__).parents[2] / "schema" / f"study-{VERSION}.json"
OUTPUTS = ("html", "json", "netcdf")
SUITABLE, ALL = "suitable", "all"
AUTO, NONE = "auto", "none"


def _known(registry: Registry) -> Any:
    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in registry:
            raise invalid(f"is {shown(value)}; there is no such {registry.kind}{did_you_mean(value, registry)}")
        return value

    return check


def _one_or_many(words: tuple[str, ...], registry: Mapping[str, Any], kind: str) -> Any:
    def check(value: Any) -> str | tuple[str, ...]:
        if value in words and isinstance(value, str):
            return value
        names = (value,) if isinstance(value, str) else value
        if not isinstance(names, list | tuple) or not names:
            raise invalid(f"must be {' or '.join([*map(repr, words), 'a list of names'])}, not {shown(value)}")
        for name in names:
            if not isinstance(name, str) or name not in registry:
                near = nearest(name, [*registry, *words])
                hint = f"; did you mean {near!r}?" if near else f"; there is {', '.join(registry)}"
                raise invalid(f"names {shown(name)}, but there is no such {kind}{hint}")
        return tuple(dict.fromkeys(names))

    return check


def _listed(value: Any) -> Any:
    if isinstance(value, list | tuple) and not value:
        raise invalid("must be a number or a list of numbers, not []; leave it out where there are none")
    return [value] if isinstance(value, int | float | str) and not isinstance(value, bool) else value


def _of_poses(value: Any) -> Any:
    if isinstance(value, Mapping):
        raise invalid(
            f"must be a number or a list of numbers, not {shown(value)}; a study plans for accuracies of poses "
            "alone: write accuracy: [1e-4], and ask for those of named quantities with linkwork plan or run"
        )
    return value


def _whole(least: int) -> Any:
    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise invalid(f"must be a whole number of at least {least}, not {shown(value)}")
        return value

    return check


def _model(value: Any) -> Any:
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, Mapping):
        return dict(value)
    raise invalid(f"must be the name or path of a mechanism, or one written out, not {shown(value)}")


def _models(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        return _model(value)
    if not value:
        raise invalid("must name a mechanism")
    return tuple(_model(one) for one in value)


def _options(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise invalid(f"must map names of options to their values, not {shown(value)}")
    return dict(value)


_NAMES = {"type": ["string", "array"], "items": {"type": "string"}, "minItems": 1}
_LIST = {"type": ["number", "array"], "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 1}
if TYPE_CHECKING:
    Formulation: TypeAlias = str
    Integrator: TypeAlias = str
    Formulations: TypeAlias = str | tuple[str, ...]
    Integrators: TypeAlias = str | tuple[str, ...]
    Outputs: TypeAlias = tuple[str, ...]
    Model: TypeAlias = str | dict[str, Any]
    Models: TypeAlias = Model | tuple[Model, ...]
    Options: TypeAlias = Mapping[str, Any]
    Count: TypeAlias = int
    Samples: TypeAlias = int
else:
    Formulation = Annotated[str, PlainValidator(_known(FORMULATIONS)), WithJsonSchema({"type": "string"})]
    Integrator = Annotated[str, PlainValidator(_known(INTEGRATORS)), WithJsonSchema({"type": "string"})]
    Formulations = Annotated[
        Any, PlainValidator(_one_or_many((ALL,), FORMULATIONS, "formulation")), WithJsonSchema(_NAMES)
    ]
    Integrators = Annotated[
        Any, PlainValidator(_one_or_many((SUITABLE, ALL), INTEGRATORS, "integrator")), WithJsonSchema(_NAMES)
    ]
    Outputs = Annotated[Any, PlainValidator(_one_or_many((), dict.fromkeys(OUTPUTS), "output")), WithJsonSchema(_NAMES)]
    Models = Annotated[
        Any,
        PlainValidator(_models),
        WithJsonSchema({"type": ["string", "object", "array"], "items": {"type": ["string", "object"]}, "minItems": 1}),
    ]
    Options = Annotated[Any, PlainValidator(_options), WithJsonSchema({"type": "object"})]
    Count = Annotated[int, PlainValidator(_whole(0)), WithJsonSchema({"type": "integer", "minimum": 0})]
    Samples = Annotated[int, PlainValidator(_whole(2)), WithJsonSchema({"type": "integer", "minimum": 2})]
Amount = Annotated[Positive, WithJsonSchema({"exclusiveMinimum": 0, "type": "number"})]  # a study has no parameters
Numbers = Annotated[tuple[Positive, ...], BeforeValidator(_listed), WithJsonSchema(_LIST)]
Accuracies = Annotated[Numbers, BeforeValidator(_of_poses)]


class Run(Element):
    """One run by itself: a formulation, an integrator (its usual one), a step [s] or a tolerance, options."""

    formulation: Formulation
    integrator: Integrator | None = None
    step: Amount | None = None
    rtol: Amount | None = None
    atol: Amount | None = None
    options: Options = Field(default_factory=dict)


class Reference(Element):
    """What errors are measured against, where it is not to be found by itself.

    formulation, integrator : of the run; rtol, or step: how fine it is.
    """

    formulation: Formulation
    integrator: Integrator | None = None
    step: Amount | None = None
    rtol: Amount | None = None
    options: Options = Field(default_factory=dict)


def _reference(value: Any) -> Any:
    if value in (AUTO, NONE) or isinstance(value, Reference):
        return value
    if isinstance(value, Mapping):
        return Reference.model_validate(value)
    raise invalid(f"must be 'auto', 'none' or a run, not {shown(value)}")


if TYPE_CHECKING:
    AnyReference: TypeAlias = Reference | str
else:
    AnyReference = Annotated[
        Any,
        PlainValidator(_reference),
        WithJsonSchema({"anyOf": [{"enum": [AUTO, NONE]}, {"$ref": "#/definitions/Reference"}]}),
    ]


class Study(Element):
    """A study of a mechanism, or of several, each by itself.

    mechanism : a shipped name, a path relative to the study's file, or a mechanism written out; or a list of them.
    side : a side file.
    t_end : s; the mechanism's own if left out.
    formulations : ``all`` (default, unless runs or accuracies are given) or names. integrators : ``suitable`` (default:
        of each problem shape the usual one and the one of highest order), ``all`` that fit, or names.
    steps : fixed steps, s. rtol, atol : tolerances, for integrators that control their error.
    accuracy : planned runs besides, one for each accuracy of poses asked for: linkwork chooses how.
    runs : single runs besides. options : handed to every formulation and integrator that has them.
    reference : what errors are measured against: ``auto``, ``none``, or a run.
    samples : about how many times the runs are compared at.
    repeats : how often a run is repeated to be timed, the shortest counts; 0: no timing.
    outputs : what is written into the study's folder.
    """

    study: Literal[1] = 1
    name: Name = "study"
    description: Text = ""
    mechanism: Models
    side: Text | None = None
    t_end: Amount | None = None
    formulations: Formulations | None = None
    integrators: Integrators = SUITABLE
    steps: Numbers | None = None
    rtol: Numbers | None = None
    atol: Amount | None = None
    accuracy: Accuracies | None = None
    runs: tuple[Run, ...] = ()
    options: Options = Field(default_factory=dict)
    reference: AnyReference = AUTO
    samples: Samples = 200
    repeats: Count = 3
    accept_drivers: bool = False
    accept_changes: bool = False
    outputs: Outputs = OUTPUTS

    def parts(self) -> dict[str, Study]:
        """A study of each mechanism, by a name that a folder can have."""
        if not isinstance(self.mechanism, tuple):
            return {_slug(self.mechanism): self}
        found: dict[str, Study] = {}
        for one in self.mechanism:
            name, number = _slug(one), 1
            while name in found:
                number += 1
                name = f"{_slug(one)}-{number}"
            found[name] = self.model_copy(update={"mechanism": one, "name": f"{self.name}: {name}"})
        return found

    def to_dict(self) -> dict[str, Any]:
        """The plain document: what was said, and nothing more."""
        said = self.model_dump(mode="json", exclude_unset=True, exclude_none=True)
        return {"study": VERSION, **said}


def _slug(model: str | Mapping[str, Any]) -> str:
    """A mechanism's name as a folder has it."""
    said = Path(model).stem if isinstance(model, str) else str(model.get("name", ""))
    return re.sub(r"[^A-Za-z0-9_-]+", "-", said).strip("-") or "mechanism"


def schema_text() -> str:
    """The JSON Schema of a study file, as the package holds it (made by ``python -m`` this module)."""
    _, found = models_json_schema(
        [(Study, "validation"), (Reference, "validation")], ref_template="#/definitions/{model}"
    )
    definitions = found["$defs"]
    document = definitions.pop("Study")
    document["required"] = ["study", "mechanism"]
    made = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **document,
        "title": f"linkwork study, version {VERSION}",
        "definitions": definitions,
    }
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
