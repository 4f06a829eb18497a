"""Result files whose run did not get to its end, for those who go on with it."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path

from linkwork.errors import ResultFileError
from linkwork.io.results.checkpoint import Checkpoint, checkpoint_of, part_of
from linkwork.io.results.netcdf_read import read
from linkwork.io.results.snapshot import Unfinished
from linkwork.source import source_hash

ANEW = "Run the mechanism again; what is there can be opened and looked at."


def is_unfinished(path: str | PathLike[str]) -> bool:
    """Whether there is something beside this file, or in its stead, that a run left to be gone on with."""
    place = named(path)
    return part_of(place).exists() or checkpoint_of(place).exists()


def unfinished(path: str | PathLike[str]) -> Unfinished:
    """What a run left of the result file `path`, or of its part: killed, interrupted, or out of disk space.

    An interrupted run's file becomes a part again. Raises ResultFileError where nothing is left that could be gone on
    with: no checkpoint, a file that it does not belong to, other sources of linkwork than the run began with.
    """
    place = named(path)
    part, name = part_of(place), str(path)
    if not part.exists() and not place.exists():
        raise ResultFileError("does not exist.", file=name, remedy="Check the name.")
    if not checkpoint_of(place).exists():
        why = "was killed before its first second was over" if part.exists() else "is not there any more"
        raise ResultFileError(f"what its run left to go on with {why}.", file=name, remedy=ANEW)
    kept = Checkpoint.read(checkpoint_of(place))
    if kept.snapshot is None or kept.asked is None:
        raise ResultFileError(
            "its run cannot be gone on with: it was asked for with options that are no plain data.",
            file=name,
            remedy=ANEW,
        )
    if kept.source != source_hash():
        raise ResultFileError("was begun with other sources of linkwork.", file=name, remedy=f"Take these. {ANEW}")
    if not part.exists():
        if place.stat().st_size != kept.size or not kept.matches(place):
            raise ResultFileError(
                f"is not the file that {str(checkpoint_of(place))!r} belongs to.", file=name, remedy=ANEW
            )
        place.replace(part)
    result = read(part)
    if result.time.size != kept.samples:
        raise ResultFileError("holds another number of samples than were kept.", file=str(part), remedy=ANEW)
    return Unfinished(place, part, kept.asked, result.mechanism_document, kept.snapshot, kept.samples, kept.size)


def named(path: str | PathLike[str]) -> Path:
    """The file's own name, with links followed, for that of its part."""
    real = Path(os.path.realpath(path))
    return real.with_name(real.name.removesuffix(".part"))
