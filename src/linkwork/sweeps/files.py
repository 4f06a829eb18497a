"""Sweeps in files: what `linkwork.sweep` is called with, as YAML or JSON."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from linkwork.errors import LinkworkError, UsageError
from linkwork.io.formats import load
from linkwork.io.formats.linkwork_yaml import LARGEST_FILE, parse_yaml
from linkwork.io.formats.text import check_size, parse_json, read_text
from linkwork.mechanism import Mechanism
from linkwork.mechanism.naming import did_you_mean, sentence
from linkwork.sweeps.plans import from_plain

KEYS = (
    "over",
    "runs",
    "keep",
    "plan",
    "seed",
    "t_end",
    "step",
    "formulation",
    "integrator",
    "judge",
    "lanes",
    "gpu",
    "options",
)
ALL = ("mechanism", "out", *KEYS)
CALLED = ("threads", "processes", "cluster", "force", "progress")  # what is said when a sweep is started


def load_sweep(path: str | PathLike[str]) -> tuple[Mechanism, dict[str, Any]]:
    """The mechanism of a sweep file, and what `linkwork.sweep` is to be called with.

    ``mechanism`` is the name of a shipped one or a file, seen from the sweep's own; ``out`` likewise, the file's name
    with .nc if left out. Raises UsageError for keys that do not exist, and what reading a mechanism raises.
    """
    file = Path(path)
    try:
        data = (
            parse_json(read_text(file), file)
            if file.suffix.lower() == ".json"
            else parse_yaml(read_text(file, LARGEST_FILE), file)
        )
        check_size(data, file)
    except LinkworkError as error:
        raise UsageError(error.message, file=error.file, remedy="A sweep file is YAML or JSON.") from None
    if not isinstance(data, Mapping) or not isinstance(data.get("over"), Mapping) or "mechanism" not in data:
        raise UsageError("a sweep file says `mechanism:` and `over:`, names and what they go over.", file=fspath(path))
    if odd := [key for key in data if key not in ALL]:
        raise UsageError(
            sentence(f"a sweep has no {odd[0]!r}{did_you_mean(odd[0], ALL)}"),
            file=fspath(path),
            remedy="What a formulation, an integrator or the start is told besides stands under `options:`, as "
            "`accept_changes: true` does.",
        )
    for key in ("mechanism", "out"):
        if data.get(key) is not None and not isinstance(data[key], str):
            raise UsageError(f"`{key}:` is the name of a file, not {data[key]!r}.", file=fspath(path))
    options = data.get("options") or {}
    if not isinstance(options, Mapping):
        raise UsageError(f"`options:` are names and their values, not {options!r}.", file=fspath(path))
    if odd := [key for key in options if not isinstance(key, str) or key in (*ALL, *CALLED)]:
        raise UsageError(
            f"{odd[0]!r} is no option of a formulation or an integrator.",
            file=fspath(path),
            remedy=f"Write {odd[0]}: beside options:." if odd[0] in ALL else "The command line has it, or nothing.",
        )
    said = str(data["mechanism"])
    neighbour = file.parent / said
    mech = load(neighbour if neighbour.exists() else said)
    asked = {key: data[key] for key in KEYS if data.get(key) is not None and key != "options"} | dict(options)
    try:
        asked |= {"over": from_plain(data["over"])}
    except LinkworkError as error:
        raise UsageError(error.message, file=fspath(path), remedy=error.remedy) from None
    out = data.get("out")
    return mech, asked | {"out": file.with_suffix(".nc") if out is None else file.parent / str(out)}
