"""Files of what the reverse of a run needs of its record, and what they depend on.

They hold plain arrays (NumPy's format, no pickles) that lead machine code to its numbers; that is kept beside them
(`engine`). One that is damaged, foreign, or leads anywhere else counts as absent.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator, Set
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels import kept_files
from linkwork.kernels.closure import digest, key_of
from linkwork.kernels.jit import MARKS, cache_directory
from linkwork.lanes.traced.recording import RunRecorder
from linkwork.source import source_hash

Ints = NDArray[np.int64]
Arrays = dict[str, NDArray[Any]]
VERSIONS = 24  # files of a name
UNREADABLE = (OSError, ValueError, KeyError, IndexError, EOFError, BadZipFile)  # what a foreign file may raise


class About(NamedTuple):
    """What a kept record depends on. code : a digest of the code, of whole numbers, and of which cells move before the
    run. numbers : of all numbers that it holds for. chosen : whether these are all, not only its constants."""

    code: str
    numbers: str
    chosen: bool

    @property
    def words(self) -> str:
        """All of it."""
        return f"{self.code} {self.numbers}"

    def save(self, name: str, arrays: Arrays) -> None:
        """Keep these arrays in a file of this name."""
        stream = BytesIO()
        about = {"about": np.frombuffer(self.words.encode(), np.uint8), "chosen": np.array(self.chosen)}
        np.savez(stream, **about, **arrays)  # type: ignore[arg-type]
        file = cache_directory() / f"{name}-{self.code[:24]}{self.numbers[:8]}.code"
        kept_files.save(file, stream.getvalue(), name, VERSIONS)

    @classmethod
    def of(cls, recorder: RunRecorder, given: Set[int], inputs: Set[int], chosen: bool, *further: Any) -> About:
        """Of a run that is placed; further : what the record depends on besides. Raises IndexError where it does not
        have these cells."""
        held = np.ones(len(recorder.cells.values), dtype=bool)
        held[list(() if chosen else inputs)] = False
        numbers = digest(f"{chosen} {recorder.cells.values[held].tobytes().hex()}")
        return cls(_code_of(recorder, given, further), numbers, chosen)


def files_of(name: str, recorder: RunRecorder, given: Set[int], *further: Any) -> Iterator[tuple[Path, Arrays]]:
    """Files of this name that were kept of such a run, whatever its numbers, and what they hold."""
    for file in sorted(cache_directory().glob(f"{name}-{_code_of(recorder, given, further)[:24]}*.code")):
        data = kept_files.read(file)
        try:
            with np.load(BytesIO(data or b""), allow_pickle=False) as archive:
                arrays = dict(archive)
        except UNREADABLE:
            continue
        yield file, arrays


def sorted_ints(cells: Set[int]) -> Ints:
    """Cells in order."""
    return np.array(sorted(cells), dtype=np.int64)


def _code_of(recorder: Any, given: Set[int], further: tuple[Any, ...]) -> str:
    """A digest of all that a record depends on, but for numbers."""
    cells = recorder.cells
    levels = [
        ([_name(one) for one in level.entries], [(at, _name(one)) for at, one in level.calls.items()], level.index)
        for level in recorder.level
    ]
    whole = [
        array[matters].tobytes()
        for array, matters in zip(recorder.integers, recorder.bytes_outside(recorder.counters), strict=True)
    ]
    about = (
        (source_hash(), platform.python_version(), np.__version__),
        (type(recorder.run).__qualname__, recorder.most, levels, *further),
        [(one.size, one.floats) for one in (*cells.spans, *cells.others)],
        [digest(one.hex()) for one in (sorted_ints(given).tobytes(), *whole)],
    )
    return digest(repr(about))


def _name(entry: Any) -> str:
    return key_of(entry.__wrapped__, MARKS)
