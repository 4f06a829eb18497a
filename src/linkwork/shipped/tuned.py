"""Code that `linkwork tune` compiled for this very processor: for which entries it is taken in place of the shipped.

A file beside the cache of compiled code names them. It holds for the sources and the processor that it was written for,
and where Numba is installed; otherwise the shipped code is used, as if it were not there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from linkwork.kernels.jit import cache_directory
from linkwork.shipped.index import Index
from linkwork.shipped.processor import flags


def marker() -> Path:
    """The file."""
    return cache_directory() / "tuned.json"


def written_for(index: Index) -> str:
    """What it must have been written for: these sources on this processor."""
    return sha256(repr((sorted(index.files.items()), sorted(flags()))).encode()).hexdigest()


def tuned(index: Index) -> frozenset[str]:
    """The entries, `module:name`."""
    try:
        said = json.loads(marker().read_bytes())
        if said["written_for"] != written_for(index) or find_spec("numba") is None:
            return frozenset()
        return frozenset(map(str, said["entries"]))
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()


def keep(index: Index, entries: Iterable[str]) -> int:
    """Name entries, besides those named before; returns how many there are now."""
    every = sorted(tuned(index).union(entries).intersection(index.entries))
    file = marker()
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps({"written_for": written_for(index), "entries": every}), encoding="utf-8")
    part.replace(file)
    return len(every)


def forget() -> bool:
    """Use the shipped code again; whether anything else was used."""
    there = marker().exists()
    marker().unlink(missing_ok=True)
    return there
