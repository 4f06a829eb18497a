"""The side file: masses, inertias and driver functions for models whose files lack them or have them wrong.

    bodies:
      crank: {mass: 0.12, inertia: [1e-4, 1e-5, 1e-4]}
      bar: {shape: {type: box, size: [4, 0.05, 0.05], density: 7800}}
    constraints:
      driver: {f: cos(-2*pi*t + pi/2)}

YAML or JSON; names as in the model. `MODEL.side.yaml` beside the model is found by itself.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from linkwork.errors import ModelError
from linkwork.io.formats.linkwork_yaml import parse_yaml
from linkwork.io.formats.text import check_size, parse_json, read_text
from linkwork.mechanism import Mechanism
from linkwork.mechanism.elements import did_you_mean, shown

ALLOWED = {
    "bodies": ("mass", "inertia", "shape", "velocity", "angular_velocity", "visual"),
    "constraints": ("f", "driver"),
}


def find_side(model: Path) -> Path | None:
    """The side file beside a model: slider.json.side.yaml, or slider.side.yaml."""
    for path in (model.with_name(model.name + ".side.yaml"), model.with_suffix(".side.yaml")):
        if path.is_file():
            return path
    return None


def apply_side(mechanism: Mechanism, side: Any) -> None:
    """Put what a side file (a path, or its data) says into the mechanism. Raises ModelError."""
    if side is None:
        return
    file = None
    if isinstance(side, str | os.PathLike):
        path = Path(side)
        file, text = str(path), read_text(path)
        side = parse_json(text, path) if path.suffix.lower() == ".json" else parse_yaml(text, path)
        check_size(side, path)
    if not isinstance(side, dict):
        raise ModelError(f"a side file holds bodies and constraints, not {shown(side)}.", file=file)
    for kind, changes in side.items():
        if kind not in ALLOWED:
            raise ModelError(f"a side file has no key {shown(kind)}{did_you_mean(kind, ALLOWED)}", file=file)
        if not isinstance(changes, dict):
            raise ModelError(f"{kind} must map names to what they get, not {shown(changes)}.", file=file)
        names = [element.name for element in getattr(mechanism, kind)]
        for name, fields in changes.items():
            _change(mechanism, kind, name, names, fields, file)
    if file is not None:
        mechanism.reading_notes.append(f"masses, inertias and drivers from {file}")


def _change(mechanism: Mechanism, kind: str, name: Any, names: list[str], fields: Any, file: str | None) -> None:
    """One element's changes."""
    element = f"{kind}.{shown(name)}"
    if name not in names:
        raise ModelError(f"the model has no such element{did_you_mean(name, names)}", file=file, element=element)
    if not isinstance(fields, dict):
        raise ModelError(f"must be a mapping of keys to values, not {shown(fields)}", file=file, element=element)
    for key in fields:
        if key not in ALLOWED[kind]:
            hint = did_you_mean(key, ALLOWED[kind])
            raise ModelError(f"a side file cannot give {shown(key)}{hint}", file=file, element=element)
    try:
        mechanism.change(name, **fields)
    except ModelError as error:
        raise ModelError(error.message, file=file or error.file, element=error.element or element) from None
