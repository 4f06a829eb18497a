"""What can be told of libraries that this machine cannot run: python symbols.py FOLDER... (build/shipped/PLATFORM)

Checksums are those of the index, every entry is there under its name, the library is for the machine that it says, and
wants nothing but functions of that system's C library. `scripts/check_symbols` carries it out where LIEF is, which
reads libraries of all systems.
"""

from __future__ import annotations

import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import lief

from linkwork.shipped.index import read_index

C_LIBRARY = {
    "ELF": r"lib(c|m)\.so\.6|ld-linux-(x86-64|aarch64)\.so\.[12]",
    "MACHO": r"/usr/lib/libSystem\.B\.dylib",
    "PE": r"api-ms-win-crt-\w+-l1-1-0\.dll|KERNEL32\.dll",  # of Windows 10 and later
}
MACHINES = {"x86-64": ("X86_64", "AMD64"), "aarch64": ("AARCH64", "ARM64")}
OLDEST = (2, 17)  # of the C library of Linux


def main(*folders: str) -> int:
    """1 if something is not as it should be."""
    wrong: list[str] = []
    for folder in map(Path, folders):
        index = read_index(folder)
        assert index is not None, folder
        symbols = {entry.symbol for entry in index.entries.values()}
        for level, about in index.libraries.items():
            content = (folder / about.file).read_bytes()
            if (len(content), sha256(content).hexdigest()) != (about.size, about.sha256):
                wrong.append(f"{about.file} is not what the index says")
            exported, libraries, foreign, machine = read(str(folder / about.file))
            wrong += [f"{about.file} lacks {name}" for name in sorted(symbols - exported)]
            wrong += [f"{about.file} wants {name}" for name in foreign]
            if machine not in MACHINES["x86-64" if "x86-64" in level else "aarch64"]:
                wrong.append(f"{about.file} is for {machine}")
            sys.stdout.write(
                f"{about.file}: {machine}, {about.size} bytes, {len(symbols & exported)} entries; {libraries}\n"
            )
    sys.stdout.write("\n".join([*wrong, f"{len(wrong)} wrong"]) + "\n")
    return min(1, len(wrong))


def read(file: str) -> tuple[set[str], list[str], list[str], str]:
    """Names that a library exports, libraries that it needs, what it wants besides the C library, its machine."""
    found: Any = lief.parse(file)
    if isinstance(found, lief.MachO.FatBinary):
        found = found.at(0)
    kind = found.format.name
    machine = {"ELF": "machine_type", "MACHO": "cpu_type", "PE": "machine"}[kind]
    if kind == "PE":
        exported = {each.name for each in found.get_export().entries}
        libraries = [each.name for each in found.imports]
    else:
        exported = {str(each.name).removeprefix("_") for each in found.exported_symbols}
        libraries = [each if isinstance(each, str) else each.name for each in found.libraries]
    own = f"@rpath/{Path(file).name}"
    foreign = [each for each in libraries if each != own and not re.fullmatch(C_LIBRARY[kind], each)]
    if kind == "ELF":
        versions = [each.name for need in found.symbols_version_requirement for each in need.get_auxiliary_symbols()]
        foreign += [each for each in versions if tuple(map(int, re.findall(r"\d+", each)))[:2] > OLDEST]
    return exported, libraries, foreign, str(getattr(found.header, machine).name)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
