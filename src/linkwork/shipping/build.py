"""The whole: every entry, for several kinds of processor, and the index that says what there is."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from linkwork.errors import UsageError
from linkwork.problems.entry import DirectEntry, Entry
from linkwork.shipped.index import Index, Library, ShippedEntry, write_index
from linkwork.shipping.found import all_entries, said, symbol
from linkwork.shipping.levels import LEVELS
from linkwork.source import __version__


def build(
    folder: Path, levels: Sequence[str], *, processes: int = 2, only: str = "", tell: Any = None
) -> dict[str, float]:
    """Write libraries of these levels and an index, for each platform into a folder of its name within one. only :
    entries whose names begin so.

    Returns seconds: of compiling, of linking each.
    """
    platforms = by_platform(levels)
    tell = tell or (lambda words: None)
    entries = [entry for entry in all_entries() if said(entry).startswith(only)]
    index = index_of(entries)
    seconds = {"compiling": compiled(entries, levels, processes, tell)}
    for platform, its in platforms.items():
        place = folder / platform
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        libraries: dict[str, Library] = {}
        for level in its:
            begun = time.monotonic()
            libraries[level] = linked(entries, level, place)
            seconds[level] = time.monotonic() - begun
            tell(f"linked {libraries[level].file}")
        need_unchanged(index.files)
        write_index(place, index._replace(libraries=libraries))
    return seconds


def by_platform(levels: Sequence[str]) -> dict[str, list[str]]:
    """The levels of each platform, which has a wheel of its own. Raises UsageError for one that there is not."""
    found: dict[str, list[str]] = {}
    for level in levels:
        if level not in LEVELS:
            raise UsageError(f"there is no level {level!r}.", remedy=f"Known: {', '.join(LEVELS)}.")
        found.setdefault(LEVELS[level].platform, []).append(level)
    return found


def need_unchanged(files: Mapping[str, str]) -> None:
    """Raise UsageError where sources were edited while they were compiled: what is code made of then?"""
    from linkwork.shipping.made_of import digest

    edited = [file for file, before in files.items() if digest(file) != before]
    if edited:
        raise UsageError(f"these were edited during the build: {', '.join(edited)}.", remedy="Build again.")


def compiled(entries: Sequence[Entry], levels: Sequence[str], processes: int, tell: Any) -> float:
    """Compile those that are not kept from an earlier build. Returns how long it took."""
    from linkwork.shipping.kept import missing
    from linkwork.shipping.workers import make_all

    begun = time.monotonic()
    codes = list(dict.fromkeys(LEVELS[level].code for level in levels))
    lacking = [entry for entry in entries if missing(entry, codes)]
    tell(f"{len(entries)} entries, {len(entries) - len(lacking)} of them compiled before")
    failed = make_all(lacking, codes, processes, tell) if lacking else []
    if failed:
        raise UsageError(f"these entries could not be compiled, see above: {', '.join(failed)}.")
    return time.monotonic() - begun


def linked(entries: Sequence[Entry], level: str, folder: Path) -> Library:
    """The library of one level."""
    from linkwork.shipping.linked import link

    file = LEVELS[level].file
    link(entries, level, folder / file)
    content = (folder / file).read_bytes()
    return Library(file, sha256(content).hexdigest(), len(content))


def index_of(entries: Sequence[Entry]) -> Index:
    """What `linkwork.shipped` reads, but for libraries, of which there are none yet."""
    from linkwork.shipping.kept import how
    from linkwork.shipping.made_of import digest, files_of, switches

    made_of = {said(entry): files_of(entry) for entry in entries}
    files = {file: digest(file) for file in sorted({file for each in made_of.values() for file in each})}
    number = {file: k for k, file in enumerate(files)}
    found = {
        said(entry): ShippedEntry(
            symbol(entry),
            [number[file] for file in made_of[said(entry)]],
            entry.returns if isinstance(entry, DirectEntry) else 0,
        )
        for entry in entries
    }
    return Index(__version__, how(), files, found, {}, dict(switches()))


def main(arguments: Sequence[str]) -> None:
    """`python -m linkwork.shipping.build FOLDER LEVEL...` prints the folders made there, one for each wheel. All levels
    if none is named; PROCESSES in the environment says how many compile."""
    folder, *named = arguments
    levels = named or list(LEVELS)
    processes = int(os.environ.get("PROCESSES", "2"))

    def tell(words: str) -> None:
        print(words, file=sys.stderr, flush=True)  # noqa: T201

    seconds = build(Path(folder), levels, processes=processes, tell=tell)
    tell(", ".join(f"{what} {taken:.1f} s" for what, taken in seconds.items()))
    for platform in by_platform(levels):
        print(Path(folder, platform))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
