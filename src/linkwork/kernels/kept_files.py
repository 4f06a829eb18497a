"""Files of compiled code: whole or absent, and those of a name that were not used for longest go.

A file that is damaged, cut off or not ours counts as absent, and is replaced when it is next saved.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from linkwork.kernels.compiling import not_kept

STAMP = 32  # bytes: a digest of what follows


def read(file: Path) -> bytes | None:
    """The content of a file if it is as it was written."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    stamp, data = content[:STAMP], content[STAMP:]
    return data if data and sha256(data).digest() == stamp else None


def used(file: Path) -> None:
    """It is among those used last."""
    with suppress(OSError):
        file.touch()


def write(file: Path, data: bytes) -> None:
    """Write a file, whole or not at all, whoever else writes it at the same time. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=file.parent, prefix=".", suffix=".tmp", delete=False) as part:
        whole = Path(part.name)
        try:
            part.write(sha256(data).digest() + data)
            part.close()
            whole.replace(file)
        except BaseException:
            whole.unlink(missing_ok=True)
            raise


def save(file: Path, data: bytes, name: str, versions: int) -> None:
    """Keep a file, and so many of a name that it begins with, a digest behind it. Where nothing can be written, nothing
    is kept, and whoever waits is told."""
    try:
        write(file, data)
        tidy(file, name, versions)
    except OSError:
        not_kept(str(file.parent))


def tidy(newest: Path, name: str, versions: int) -> None:
    """Remove files of a name beyond so many, those that were not used for longest."""
    found = sorted(newest.parent.glob(f"{name}-{'[0-9a-f]' * 32}.code"), key=_last_used, reverse=True)
    for file in found[versions:]:
        file.unlink(missing_ok=True)


def _last_used(file: Path) -> float:
    """When; long ago, where another process has removed it meanwhile."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
