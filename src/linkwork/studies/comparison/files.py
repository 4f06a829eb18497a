"""Study files: read, checked and written; errors name the file, the line and the element."""

from __future__ import annotations

import json
from collections.abc import Callable
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from linkwork.arguments import path_of
from linkwork.attached import attached
from linkwork.errors import LinkworkError, StudyError, UsageError
from linkwork.io.formats.linkwork_yaml import LARGEST_FILE, LineNumbers, parse_yaml, yaml_text
from linkwork.io.formats.text import check_size, parse_json, read_text
from linkwork.io.results.atomic import writing
from linkwork.mechanism.validation_errors import InvalidValue, invalid_values, refuse
from linkwork.studies.comparison.study import VERSION, Study

JSON, YAML = (".json",), (".yaml", ".yml")


def load_study(path: str | PathLike[str]) -> Study:
    """The study in a file (.yaml, .yml or .json). Raises StudyError with everything that is wrong with it."""
    file = path_of(path, "the file of a study")
    if file.suffix.lower() not in (*JSON, *YAML):
        raise StudyError(f"a study does not end in {file.suffix!r}.", file=fspath(path), remedy="Use .yaml or .json.")
    try:
        if file.suffix.lower() in JSON:
            data, locate = parse_json(read_text(file), file), None
        else:
            text = read_text(file, LARGEST_FILE)
            data, locate = parse_yaml(text, file), LineNumbers(text)
        check_size(data, file)
    except LinkworkError as error:
        remedy = error.remedy if "linkwork models" not in (error.remedy or "") else "Check the path."
        raise StudyError(error.message, file=error.file, element=error.element, remedy=remedy) from None
    if isinstance(data, dict) and "study" not in data:
        raise StudyError(
            "has no format version.", file=fspath(path), remedy=f"A study says `study: {VERSION}` at its top."
        )
    found = study_from(data, file=fspath(path), locate=locate)
    refuse(_not_asked_for(found), data, file=fspath(path), locate=locate, kind=StudyError, whole="the study")
    return found


def study_from(data: Any, *, file: str | None = None, locate: Callable[..., int | None] | None = None) -> Study:
    """The study that plain data describe. Raises StudyError."""
    found = invalid_values(Study, data)
    if not isinstance(found, Study):
        refuse(found, data, file=file, locate=locate, kind=StudyError, whole="the study")
        raise AssertionError("errors are not empty")
    refuse(_lone(found), data, file=file, locate=locate, kind=StudyError, whole="the study")
    return found


def _lone(study: Study) -> list[InvalidValue]:
    """What no single field shows to be wrong."""
    return [
        InvalidValue(("runs", k), "needs either a step or rtol")
        for k, run in enumerate(study.runs)
        if (run.step is None) == (run.rtol is None)
    ] + (
        [InvalidValue(("side",), "belongs to one mechanism, and this study has several")]
        if study.side is not None and isinstance(study.mechanism, tuple)
        else []
    )


def _not_asked_for(study: Study) -> list[InvalidValue]:
    """Accuracies that no planned run can be asked for, and why."""
    found: list[InvalidValue] = []
    for k, accuracy in enumerate(study.accuracy or ()):
        try:
            attached("Study.accuracy")(accuracy)
        except UsageError as error:
            found.append(InvalidValue(("accuracy", k), f"cannot be asked for: {error.message} {error.remedy}"))
    return found


def save_study(study: Study, path: str | PathLike[str], *, force: bool = False) -> Path:
    """Write a study to .yaml, .yml or .json. Raises OutputExistsError, ResultFileError, StudyError."""
    file = Path(path)
    if file.suffix.lower() in JSON:
        text = json.dumps(study.to_dict(), indent=2, ensure_ascii=False) + "\n"
    elif file.suffix.lower() in YAML:
        text = yaml_text(study.to_dict())
    else:
        raise StudyError(f"a study does not end in {file.suffix!r}.", file=fspath(path), remedy="Use .yaml or .json.")
    with writing(file, force=force) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return file
