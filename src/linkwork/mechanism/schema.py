"""The published JSON Schema of linkwork's own format, made from the models (draft-07 constructs only)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from linkwork.mechanism.constraints import CONSTRAINTS
from linkwork.mechanism.couplings import COUPLINGS
from linkwork.mechanism.document import VERSION, Document
from linkwork.mechanism.elements import Element
from linkwork.mechanism.forces import FORCES
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.rotation import AxisAngle, EulerZXZ, Quaternion
from linkwork.mechanism.sensors import SENSORS
from linkwork.mechanism.shapes import SHAPES
from linkwork.mechanism.tables import Table

SCHEMA_FILE = Path(__file__).parent.parent / "schema" / f"linkwork-{VERSION}.json"
REGISTRIES = (SHAPES, JOINTS, CONSTRAINTS, FORCES, COUPLINGS, SENSORS)


def schema() -> dict[str, Any]:
    """The schema of a linkwork document, with every type that is built in."""
    classes: dict[str, list[type[Element]]] = {
        registry.kind: list(dict.fromkeys(registry.load(name) for name in registry)) for registry in REGISTRIES
    }
    models: list[type[Element]] = [Document, Table, Quaternion, EulerZXZ, AxisAngle]
    models += [cls for some in classes.values() for cls in some]
    _, found = models_json_schema([(model, "validation") for model in models], ref_template="#/definitions/{model}")
    definitions: dict[str, Any] = found["$defs"]
    for kind, some in classes.items():
        definitions[kind] = {"oneOf": [{"$ref": f"#/definitions/{cls.__name__}"} for cls in some]}
        for cls in some if kind != SENSORS.kind else ():  # a sensor without a type is a formula
            definitions[cls.__name__]["required"] = sorted({"type", *definitions[cls.__name__].get("required", [])})
    document = definitions.pop("Document")
    document["required"] = ["linkwork"]
    for part in (document, *definitions.values()):
        _tidy(part)
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"linkwork mechanism, version {VERSION}",
        **{key: value for key, value in document.items() if key != "title"},
        "definitions": dict(sorted(definitions.items())),
    }


def text() -> str:
    """The schema as it stands in the package."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _tidy(part: Any) -> None:
    """Drop the titles, which only repeat the keys."""
    if isinstance(part, dict):
        if isinstance(part.get("title"), str):
            del part["title"]
        for value in part.values():
            _tidy(value)
    elif isinstance(part, list):
        for value in part:
            _tidy(value)


def write() -> Path:
    """Bring the file in the package up to date: ``python -m linkwork.mechanism.schema``."""
    SCHEMA_FILE.parent.mkdir(exist_ok=True)
    SCHEMA_FILE.write_text(text(), encoding="utf-8")
    return SCHEMA_FILE


if __name__ == "__main__":
    write()
