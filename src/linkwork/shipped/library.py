"""The library of compiled code for this processor, opened when the first entry is asked for, and checked before.

A library that is damaged, was made for another kind of machine, or of other sources, is refused; whoever asks gets
nothing then, and compiles. LINKWORK_SHIPPED=0 refuses all, a folder takes libraries from there;
LINKWORK_LEVEL=x86-64-v2 takes those of this level.
"""

from __future__ import annotations

import ctypes
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from linkwork.kernels.direct_calls import DirectCalls
from linkwork.kernels.jit import BOUNDS, compiler_version
from linkwork.shipped.index import Index, Library, ShippedEntry, read_index
from linkwork.shipped.processor import levels
from linkwork.shipped.tuned import tuned

FOLDER, LEVEL = "LINKWORK_SHIPPED", "LINKWORK_LEVEL"
ROOT = Path(__file__).parents[1]
HERE = Path(__file__).with_name("code")


class Code(DirectCalls):
    """An entry's machine code. Called from Python where it is one of those, with tables and whole numbers."""

    def __init__(self, library: ctypes.CDLL, entry: ShippedEntry) -> None:
        address = ctypes.cast(library[entry.symbol], ctypes.c_void_p).value
        super().__init__(int(address or 0), entry.returns)


class Opened:
    """What was found. why : in words, why nothing is used, if so."""

    def __init__(self, folder: Path | None) -> None:
        self.folder, self.level, self.why = folder, "", ""
        self.index: Index | None = None
        self.library: ctypes.CDLL | None = None
        self.compiled_here: set[str] = set()
        self.tuned: frozenset[str] = frozenset()  # entries that are compiled here in place of shipped ones
        self.tuned_used: set[str] = set()
        self._fits: dict[str, bool] = {}
        self._switches: dict[str, list[str]] = {}
        if folder is None:
            self.why = "checked code is asked for" if BOUNDS else f"{FOLDER} says so"
            return
        try:
            self.index = read_index(folder)
            if self.index is None:
                self.why = "none came with this installation"
            else:
                self._open(folder, self.index)
        except ValueError as error:
            self._refuse(str(error))

    def _open(self, folder: Path, index: Index) -> None:
        wanted, able = os.environ.get(LEVEL, ""), levels()
        usable = [level for level in ([wanted] if wanted else able) if level in index.libraries and level in able]
        if not usable:
            has = ", ".join(index.libraries) or "nothing"
            asked = f"; {LEVEL} asks for {wanted}" if wanted else ""
            raise ValueError(f"it is for {has}; this machine runs {', '.join(able) or 'none of what is made'}{asked}")
        self._switches = dict(index.switches)
        self._open_best(folder, usable, index)
        self.tuned = tuned(index)

    def _open_best(self, folder: Path, usable: list[str], index: Index) -> None:
        """The first of these levels whose library is whole."""
        damaged: list[str] = []
        for level in usable:
            try:
                self.library, self.level = opened_file(folder, index.libraries[level]), level
                break
            except ValueError as error:
                damaged.append(str(error))
        if self.library is None:
            raise ValueError("; ".join(damaged))
        if damaged:
            self._refuse("; ".join(damaged), f"{self.level} is used in its place")

    def find(self, name: str) -> Code | None:
        """The code of an entry, `module:name`; None where it has to be compiled."""
        entry = self.index.entries.get(name) if self.index is not None and self.library is not None else None
        if entry is None or self.index is None or self.library is None:
            self.compiled_here.add(name)
            return None
        if name in self.tuned:
            self.tuned_used.add(name)
            return None
        why = self._misfit(name, entry)
        try:
            if not why:
                return Code(self.library, entry)
        except AttributeError:
            why = f"{self.index.libraries[self.level].file} holds no {entry.symbol}"
        self._refuse(why)
        self.compiled_here.add(name)
        return None

    def _misfit(self, name: str, entry: ShippedEntry) -> str:
        """What an entry was made of that is not as it was, in words."""
        for k in entry.files:
            if not self._fitting(self._names[k]):
                return f"{self._names[k]} is not as it was when {name} was compiled"
        # what the kernel behind the entry imports is loaded
        for switch in [each for each in self._switches if each.partition(":")[0] in sys.modules]:
            if chosen_from(switch) != self._switches.pop(switch):
                self.library = None
                return f"another package adds to what {switch.partition(':')[0]} chooses from"
        return ""

    @cached_property
    def _names(self) -> list[str]:
        return list(self.index.files) if self.index is not None else []

    def _fitting(self, file: str) -> bool:
        """Whether a source file is as it was."""
        if file not in self._fits:
            assert self.index is not None
            try:
                found = sha256((ROOT / file).read_bytes()).hexdigest()[:16]
            except OSError:
                found = ""
            self._fits[file] = found == self.index.files[file]
        return self._fits[file]

    def _refuse(self, why: str, instead: str = "What is needed is compiled instead") -> None:
        """Say once that something is not used, and what is."""
        if not self.why:
            self.why = why
            warnings.warn(
                f"compiled code that came with linkwork is not used where it does not fit: {why}. {instead}; "
                "`linkwork doctor` says more.",
                RuntimeWarning,
                stacklevel=2,
            )


def opened_file(folder: Path, about: Library) -> ctypes.CDLL:
    """The library, if it is the one that was made. Raises ValueError with words otherwise."""
    try:
        content = (folder / about.file).read_bytes()
        if len(content) != about.size or sha256(content).hexdigest() != about.sha256:
            raise ValueError(f"{about.file} is damaged: it is not what was made")
        return ctypes.CDLL(str((folder / about.file).resolve()))
    except OSError as error:
        raise ValueError(f"{about.file} cannot be opened ({error})") from error


def chosen_from(name: str) -> list[str]:
    """The functions that a switch of a loaded module chooses from."""
    module, _, attribute = name.partition(":")
    switch = getattr(sys.modules[module], attribute, None)
    return [f"{each.__module__}.{each.__qualname__}" for each in getattr(switch, "functions", ())]


@cache
def opened() -> Opened:
    """The library for this processor."""
    said = os.environ.get(FOLDER, "")
    if BOUNDS or said == "0":
        return Opened(None)
    return Opened(Path(said) if said else HERE)


def shipped_index() -> Index | None:
    """What there is, whether it is used or not; None without any."""
    said = os.environ.get(FOLDER, "")
    try:
        return read_index(HERE if said in ("", "0") else Path(said))
    except ValueError:
        return None


@contextmanager
def without_shipped() -> Iterator[set[str]]:
    """Within, everything that is asked for is compiled; its names, when all is done."""
    said = os.environ.get(FOLDER)
    os.environ[FOLDER] = "0"
    opened.cache_clear()
    try:
        yield opened().compiled_here
    finally:
        del os.environ[FOLDER]
        if said is not None:
            os.environ[FOLDER] = said
        opened.cache_clear()


def find(module: str, name: str) -> Code | None:
    """The code of an entry under its module and name; None where it has to be compiled."""
    return opened().find(f"{module}:{name}")


def status() -> dict[str, Any]:
    """What is used: level, compiler, hash of the library; or why not."""
    now = opened()
    found: dict[str, Any] = {"folder": str(now.folder or ""), "used": now.library is not None, "why": now.why}
    if now.index is not None:
        found |= {"levels": list(now.index.libraries), "entries": len(now.index.entries), "made by": now.index.compiler}
        found |= {"processor": levels()}
    if now.index is not None and now.library is not None:
        found |= {"level": now.level, "sha256": now.index.libraries[now.level].sha256}
        found |= {"compiled here": sorted(now.compiled_here), "tuned": len(now.tuned)}
    return found


def compiled_code() -> str:
    """For the header of a result: level, compiler and hash of the code that it is computed with."""
    now = opened()
    if now.index is None or now.library is None:
        return f"just in time, {compiler_version()}"
    words = f"{now.level}, {now.index.compiler}, sha256 {now.index.libraries[now.level].sha256[:16]}"
    if now.tuned_used:
        words += f"; {len(now.tuned_used)} functions tuned for this processor by {compiler_version()}"
    return f"{words}; just in time: {', '.join(sorted(now.compiled_here))}" if now.compiled_here else words
