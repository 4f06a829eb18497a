"""Bitcode of entries on disk, by what they are made of: a second build compiles what was edited, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import llvmlite
import numba

from linkwork.kernels import kept_files
from linkwork.kernels.closure import key_of
from linkwork.kernels.jit import MARKS, OPTIONS, cache_directory
from linkwork.problems.entry import Entry
from linkwork.shipping.found import symbol
from linkwork.shipping.levels import LEVELS

HOW = ("lowered", "optimised", "bitcode")  # files of this room that say what bitcode becomes


def folder() -> Path:
    """Where it is kept."""
    return cache_directory() / "ahead"


def file_of(entry: Entry, level: str) -> Path:
    """Where an entry's bitcode for a kind of processor is kept."""
    about = LEVELS[level]
    made_of = (key_of(entry.__wrapped__, MARKS), OPTIONS, str(entry.signature), (about.triple, about.cpu), how())
    return folder() / f"{symbol(entry)}-{sha256(repr(made_of).encode()).hexdigest()[:32]}.bc"


def how() -> str:
    """The versions of what compiles."""
    here = "".join(Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8") for name in HOW)
    return f"numba {numba.__version__}, llvmlite {llvmlite.__version__}, {sha256(here.encode()).hexdigest()[:16]}"


def missing(entry: Entry, levels: Sequence[str]) -> list[str]:
    """Levels for which nothing is kept, or nothing whole."""
    return [level for level in levels if kept_files.read(file_of(entry, level)) is None]


def make(module: str, name: str, levels: Sequence[str]) -> None:
    """Compile an entry for the levels that it lacks. What is lowered before stays for the next one."""
    from linkwork.shipping.bitcode import bitcode_of

    entry = getattr(import_module(module), name)
    lacking = missing(entry, levels)
    if lacking:
        for level, code in zip(lacking, bitcode_of(entry, [codegen(level) for level in lacking]), strict=True):
            kept_files.write(file_of(entry, level), code)


_codegens: dict[str, object] = {}


def codegen(level: str):  # type: ignore[no-untyped-def]  # Numba's, which comes without types
    """The optimiser for a level, one in each process."""
    from linkwork.shipping.optimised import LevelCodegen

    if level not in _codegens:
        _codegens[level] = LevelCodegen(LEVELS[level])
    return _codegens[level]
