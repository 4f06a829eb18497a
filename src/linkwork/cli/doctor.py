"""`linkwork doctor`: what linkwork runs on here."""

from __future__ import annotations

import os
import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from linkwork.cli import options, output
from linkwork.shipped import status
from linkwork.source import __version__, source_hash

HOW_TO_COMPILE = "kernels of other packages need it: pip install 'linkwork[jit]'"


def doctor(*, json: options.Json = False) -> int:
    """Say what linkwork runs on here: versions, compiler, cache folder, cores.

    The exit status is 1 if something that linkwork needs is missing or broken.
    """
    facts = examine()
    if json:
        output.document(facts)
    else:
        output.show(_in_words(facts))
    for problem in facts["problems"]:
        output.warn(problem)
    return 1 if facts["problems"] else 0


def examine() -> dict[str, Any]:
    """Everything worth knowing about this installation, and under ``problems`` what keeps it from working."""
    problems: list[str] = []
    packages = _packages(problems)
    shipped = status()
    compiler = _compiler(problems, needed=not shipped["used"])
    if shipped["why"] and shipped.get("levels"):
        what = "not all of" if shipped["used"] else "none of"
        problems.append(f"{what} the compiled code that came with linkwork is used: {shipped['why']}.")
    return {
        "linkwork": __version__,
        "source_hash": source_hash(),
        "folder": str(Path(__file__).parents[1]),
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "packages": packages,
        "shipped": shipped,
        "compiler": compiler,
        "cache": _cache(problems),
        "problems": problems,
    }


def _packages(problems: list[str]) -> dict[str, str | None]:
    """Name -> installed version, of every package that linkwork requires."""
    names = ["numpy"]
    try:
        names = [line for line in requires("linkwork") or [] if "extra ==" not in line]
    except PackageNotFoundError:
        problems.append("linkwork runs from its sources without being installed: `scripts/setup` installs it.")
    found: dict[str, str | None] = {}
    for name in sorted(re.split(r"[^\w.-]", name.strip())[0] for name in names):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
            problems.append(f"the package {name!r} is missing.")
    return found


def _compiler(problems: list[str], *, needed: bool) -> dict[str, Any]:
    """Whether Numba can be imported, and how it is set up. needed : no compiled code came with linkwork."""
    if find_spec("numba") is None and not needed:
        return {"numba": None}
    try:
        import numba
    except Exception as error:  # whatever it is, it is what the user wants to know
        problems.append(f"Numba cannot be imported: {type(error).__name__}: {error}")
        return {"numba": None}
    if numba.config.DISABLE_JIT:
        problems.append("NUMBA_DISABLE_JIT is set: nothing is compiled, and runs take a thousand times as long.")
    return {"numba": numba.__version__, "threads": numba.config.NUMBA_NUM_THREADS}


def _cache(problems: list[str]) -> dict[str, Any]:
    """Where compiled code is kept, how much there is, and whether it can be written."""
    from linkwork.kernels.jit import cache_directory

    folder = cache_directory()
    writable = _can_be_written(next(place for place in (folder, *folder.parents) if place.exists()))
    if not writable:
        problems.append(
            f"the cache folder {folder} cannot be written, so that every start compiles anew: "
            "set LINKWORK_CACHE_DIR to a folder of yours."
        )
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.exists() else []
    return {
        "folder": str(folder),
        "writable": writable,
        "files": len(files),
        "megabytes": round(sum(path.stat().st_size for path in files) / 1e6, 1),
    }


def _can_be_written(folder: Path) -> bool:
    """Whether a file can be made there; rights alone do not tell, of a file in a folder's place or a full disk."""
    try:
        with TemporaryFile(dir=folder) as probe:
            probe.write(b"0")
    except OSError:
        return False
    return True


def _shipped_in_words(shipped: dict[str, Any]) -> str:
    """Which compiled code came with linkwork, and whether it is used."""
    if not shipped.get("levels"):
        return f"nothing ({shipped['why']})"
    words = f"{shipped['entries']} functions for {', '.join(shipped['levels'])}, by {shipped['made by']}"
    if not shipped["used"]:
        return f"{words}; NOT used: {shipped['why']}"
    tuned = f", {shipped['tuned']} of them tuned for this processor" if shipped["tuned"] else ""
    return f"{words}; used: {shipped['level']}, sha256 {shipped['sha256'][:16]}{tuned}"


def _in_words(facts: dict[str, Any]) -> str:
    """The same facts, a line each."""
    compiler, cache = facts["compiler"], facts["cache"]
    lines = [
        f"linkwork {facts['linkwork']} (sources {facts['source_hash']}), in {facts['folder']}",
        f"Python {facts['python']} ({facts['executable']})",
        f"{facts['platform']}, {facts['cores']} cores",
        f"compiled ahead of time: {_shipped_in_words(facts['shipped'])}",
        f"compiler: {'Numba ' + compiler['numba'] if compiler['numba'] else 'none; ' + HOW_TO_COMPILE}",
        f"compiled here: {cache['folder']} ({cache['files']} files, {cache['megabytes']} MB, "
        f"{'writable' if cache['writable'] else 'NOT writable'})",
        "packages: " + ", ".join(f"{name} {found or 'MISSING'}" for name, found in facts["packages"].items()),
    ]
    return "\n".join(lines)
