"""Results as a table for a spreadsheet: one row per sample, one column per component, names with units."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import BLOCK
from linkwork.io.results.atomic import writing

if TYPE_CHECKING:
    from linkwork.result import Result

USUAL = (
    "position",
    "velocity",
    "angular_velocity",
    "reaction_force",
    "reaction_torque",
    "kinetic_energy",
    "potential_energy",
    "position_violation",
    "iterations",
)


def save(
    result: Result,
    path: str | PathLike[str],
    *,
    variables: Sequence[str] | None = None,
    every: int = 1,
    force: bool = False,
) -> None:
    """Write a CSV file: a line of column names such as ``position[crank].x [m]``, then numbers, exact to the bit.

    Parameters
    ----------
    variables : which ones; by default the usual ones that the result has.
    every : take every so many-th sample.

    Raises UsageError for a variable that the result does not have, OutputExistsError, ResultFileError.
    """
    if every < 1:
        raise UsageError(f"every must be at least 1, not {every}.")
    names = [name for name in USUAL if name in result] if variables is None else [*variables]
    names = [name for name in names if name != "time"]
    heading = ["time [s]"] + [column for name in names for column in columns(result, name)]
    span = BLOCK - BLOCK % every or every
    with writing(path, force=force) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(heading)
        for start in range(0, result.time.size, span):
            parts = [result.read(name, start, start + span)[::every] for name in ("time", *names)]
            flat = [part.reshape(part.shape[0], -1).tolist() for part in parts]
            table.writerows(list(itertools.chain.from_iterable(line)) for line in zip(*flat, strict=True))


def columns(result: Result, name: str) -> list[str]:
    """The names of a variable's columns, in the order of its flattened components."""
    result.read(name, 0, 0)  # an unknown name says so here
    variable = result.header.variable(name)
    assert variable is not None
    unit = "" if variable.units == "1" else f" [{variable.units}]"
    labels = [result.header.labels(dim) for dim in variable.dims[1:]]
    out = []
    for index in np.ndindex(*(len(names) for names in labels)):
        words = [names[k] for names, k in zip(labels, index, strict=True)]
        named = [word for dim, word in zip(variable.dims[1:], words, strict=True) if not dim.startswith("xyz")]
        axes = [word for dim, word in zip(variable.dims[1:], words, strict=True) if dim.startswith("xyz")]
        out.append(name + "".join(f"[{word}]" for word in named) + ("." + "".join(axes) if axes else "") + unit)
    return out
