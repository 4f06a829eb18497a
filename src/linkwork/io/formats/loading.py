"""`load` and `save`: which format a file has, shipped names, and files that are never overwritten by accident."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from linkwork.arguments import path_of
from linkwork.errors import ModelError, UsageError
from linkwork.io.formats.base import ModelFormat
from linkwork.mechanism import Mechanism
from linkwork.mechanism.elements import did_you_mean
from linkwork.mechanisms import shipped
from linkwork.registry import Registry

FORMATS = Registry(
    "format",
    {
        "linkwork-yaml": "linkwork.io.formats.linkwork_yaml:LinkworkYaml",
        "linkwork-json": "linkwork.io.formats.linkwork_json:LinkworkJson",
        "kissel": "linkwork.io.formats.kissel:Kissel",
        "result": "linkwork.io.formats.of_result:OfResult",
        "urdf": "linkwork.io.formats.urdf.reading:Urdf",
        "sdf": "linkwork.io.formats.sdf.reading:Sdf",
        "mjcf": "linkwork.io.formats.mjcf.reading:Mjcf",
    },
)


def load(model: str | os.PathLike[str], *, side: Any = None, **options: Any) -> Mechanism:
    """The mechanism in a file, or the shipped mechanism of this name.

    Parameters
    ----------
    model : a path (.yaml, .yml, .json, .mdl, .urdf, .sdf, .xml; .nc: of a result) or a name from `linkwork models`.
    side : for Kissel 2021 files, a path of or the data of the side file that gives masses and drivers; left
        out, MODEL.side.yaml beside the file is taken if it exists.
    options : of the file's format. Robots (URDF, SDF, MJCF) take ``on_unsupported`` ('error', or 'report' to go on
        without what linkwork cannot represent; `Mechanism.account` names it), ``friction`` (a rate v0, rad/s or m/s:
        dry friction F of a joint acts as F tanh(rate/v0)) and ``stops`` (stiffness, N/m or N m/rad, and dissipation,
        s/m or s/rad: elastic stops at the limits of joints, `io.formats.smooth_laws`); URDF and MJCF ``search``
        (folders with meshes and packages besides the file's own); MJCF ``actuators`` (True: actuators act, each by an
        input of its name; left out, none does); and URDF ``base`` ('fixed', 'floating' or 'planar':
        how the root is held) and ``mimic`` (left out: joints follow exactly; stiffness and damping: elastically;
        'free': not at all).

    Raises ModelError naming the file and element, with everything that is wrong at once; UsageError for what names no
    file.
    """
    path = _found(model)
    found = _format_of(path)
    unknown = [name for name in options if name not in found.options]
    if unknown:
        has = f"they have {', '.join(found.options)}" if found.options else "they have no options"
        raise UsageError(f"{found.name} files have no option {unknown[0]!r}; {has}.")
    mechanism: Mechanism = found.read(path, side, **options)
    return mechanism


def options_of(model: str | os.PathLike[str]) -> tuple[str, ...]:
    """The options that `load` takes of this file, or shipped mechanism. Raises ModelError where there is none."""
    return _format_of(_found(model)).options


def _found(model: str | os.PathLike[str]) -> Path:
    """The file, or that of the shipped mechanism of this name."""
    path = path_of(model, "a file or the name of a shipped mechanism")
    if not _exists(path):
        names = shipped()
        if str(model) in names:
            path = names[str(model)]
        elif path.suffix.lower() not in _suffixes() and path.name == str(model):
            raise ModelError(
                f"{str(model)[:200]!r} is neither a file nor a shipped mechanism{did_you_mean(model, names)}",
                remedy="`linkwork models` lists the shipped ones.",
            )
    return path


def save(
    mechanism: Mechanism, path: str | os.PathLike[str], *, force: bool = False, on_unsupported: str = "error"
) -> Path:
    """Write a mechanism to .yaml, .yml or .json, or as a robot to .urdf or .xml; the file appears whole or not at all.

    A robot's format cannot hold everything. `Mechanism.written` says afterwards what became of each element;
    `on_unsupported` is 'error', or 'report' to write a file without what is refused.
    Raises OutputExistsError if the file is there already, unless `force`; UnsupportedElementError; ResultFileError if
    it cannot be written.
    """
    from linkwork.io.formats.ledger import strict  # these reading does without
    from linkwork.io.results.atomic import check_target, writing

    target = Path(path)
    writer = writer_of(target)
    check_target(target, force=force)
    found = writer.write(mechanism, target)
    text, mechanism.written = found if isinstance(found, tuple) else (found, None)
    if mechanism.written is not None and on_unsupported == "error":
        strict(mechanism.written, str(target))
    with writing(target, force=force) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return target


def writer_of(target: Path) -> Any:
    """The format in which a file of this name is written. Raises UsageError where none has its suffix."""
    for one in _formats():
        if target.suffix.lower() in (one.writes or one.suffixes):
            return one
    raise UsageError(f"{target.name}: no format has this suffix.", remedy="Use .yaml or .json.")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long, a null character
        return False


def _formats() -> list[ModelFormat]:
    return [FORMATS.load(name)() for name in FORMATS]


def _suffixes() -> set[str]:
    return {suffix for one in _formats() for suffix in one.suffixes}


def _format_of(path: Path) -> ModelFormat:
    """The first format that recognises the file (those behind it are not imported); by suffix alone where none does, so
    that its errors speak."""
    suffix = path.suffix.lower()
    candidates = []
    for name in FORMATS:
        one: ModelFormat = FORMATS.load(name)()
        if suffix in one.suffixes:
            if one.sniff(path):
                return one
            candidates.append(one)
    if not candidates:
        known = ", ".join(sorted(_suffixes()))
        raise ModelError(f"no format reads files ending in {suffix!r}.", file=str(path), remedy=f"Known: {known}.")
    return candidates[0]
