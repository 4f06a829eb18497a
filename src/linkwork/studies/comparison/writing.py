"""A comparison in files: JSON, NetCDF, a report. Each whole or not at all, none replaced unasked."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from linkwork.attached import attached
from linkwork.errors import OutputExistsError, UsageError
from linkwork.io.results.atomic import writing
from linkwork.io.sources import writes
from linkwork.studies.comparison.comparison import FORMAT, Comparison
from linkwork.studies.comparison.study import Study
from linkwork.studies.folder import check_page

NAMES = {"html": "report.html", "json": "comparison.json", "netcdf": "comparison.nc"}


def save(comparison: Comparison, path: str | PathLike[str], *, force: bool = False) -> Path:
    """Write a file in the format that its ending names. Raises UsageError, OutputExistsError, ResultFileError."""
    file = Path(path)
    writer = WRITERS[ending(file)]
    with writing(file, force=force) as temporary:
        writer(comparison, temporary)
    return file


def ending(path: str | PathLike[str]) -> str:
    """The ending by which a format is chosen. Raises UsageError for another one."""
    found = Path(path).suffix.lower()
    if found not in WRITERS:
        known = ", ".join(WRITERS)
        raise UsageError(f"a comparison does not end in {found!r}.", file=fspath(path), remedy=f"Use {known}.")
    return found


def save_all(comparison: Comparison, folder: Path) -> dict[str, Path]:
    """The outputs that the study asks for, in its folder; what an earlier run of it wrote is replaced."""
    return {what: save(comparison, folder / NAMES[what], force=True) for what in comparison.study.outputs}


def check_all(study: Study, folder: Path, *, force: bool = False) -> None:
    """See before any work is done that the outputs replace nobody else's files. Raises OutputExistsError."""
    for what in study.outputs:
        writes(folder / NAMES[what])
    if "html" in study.outputs:
        check_page(folder / NAMES["html"], force=force)
    path = folder / NAMES["json"]
    if "json" in study.outputs and path.exists() and not force:
        with path.open(encoding="utf-8", errors="replace") as file:
            if FORMAT not in file.read(200):
                raise OutputExistsError("exists already.", file=fspath(path), remedy="Use another folder.")


def _json(comparison: Comparison, path: Path) -> None:
    path.write_text(json.dumps(plain(comparison.to_dict()), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _netcdf(comparison: Comparison, path: Path) -> None:
    from linkwork.io.comparisons import write

    write(comparison, path)


def _html(comparison: Comparison, path: Path) -> None:
    path.write_text(attached("Comparison.page")(comparison), encoding="utf-8")


WRITERS: dict[str, Callable[[Comparison, Path], None]] = {".html": _html, ".json": _json, ".nc": _netcdf}


def plain(data: Any) -> Any:
    """The data as JSON has it: numbers that are not finite become null."""
    if isinstance(data, Mapping):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [plain(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
