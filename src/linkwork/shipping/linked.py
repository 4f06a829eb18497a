"""One shared library of all entries' bitcode."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import llvmlite.binding as llvm

from linkwork.errors import UsageError
from linkwork.kernels import kept_files
from linkwork.problems.entry import Entry
from linkwork.shipping.bitcode import shrink
from linkwork.shipping.found import said
from linkwork.shipping.kept import codegen, file_of
from linkwork.shipping.levels import LEVELS

OPTIONS = {".so": ["-Wl,-z,noexecstack"], ".dylib": ["-Wl,-install_name,@rpath/{}"], ".dll": []}


def link(entries: Sequence[Entry], level: str, library: Path) -> None:
    """Write the library of these entries for one kind of processor."""
    whole = None
    about, made = LEVELS[level], codegen(level)
    for entry in entries:
        code = kept_files.read(file_of(entry, about.code))
        if code is None:
            raise UsageError(f"{said(entry)} was not compiled for {about.code}.")
        module = llvm.parse_bitcode(code)
        module.triple, module.data_layout = about.triple, made._data_layout
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    if whole is None:
        raise UsageError("a library of no entries cannot be made.")
    shrink(made, whole, "merge_functions", "constant_merge", "global_dead_code_eliminate")
    objects = library.with_suffix(".o")
    objects.write_bytes(made._tm.emit_object(whole))
    options = [option.format(library.name) for option in OPTIONS[library.suffix]]
    command = [*linker(level), "-shared", "-s", "-o", str(library), str(objects), "-lm", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    objects.unlink()
    library.with_suffix(".lib").unlink(missing_ok=True)  # for those who link with a library of Windows
    if done.returncode:
        raise UsageError(f"{command[0]} could not link {library.name}: {done.stderr.strip()[-2000:]}")


def linker(level: str) -> list[str]:
    """The command that links for a level: Zig's, which knows old C libraries and other processors, or this system's."""
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc", "-target", LEVELS[level].linking]
    compiler = shutil.which("cc")
    triple = f"{platform.machine()}-unknown-{sys.platform}-gnu"
    if compiler is None or LEVELS[level].triple != triple:
        raise UsageError(f"a library for {level} is linked with Zig.", remedy="Install it: pip install ziglang")
    return [compiler]
