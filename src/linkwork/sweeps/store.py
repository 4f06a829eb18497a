"""Shards that are done: in memory, or each in a file of its own beside the data set that they will make up.

A shard's file appears whole or not at all. What is there when the process is killed is taken over by the next call that
asks for the same sweep; the digest in the folder says whether it is the same.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import OutputExistsError, ResultFileError
from linkwork.io.results.lock import NAME as LOCK
from linkwork.io.results.lock import alone
from linkwork.sweeps.shards import Shard

ABOUT = "sweep.json"


class Memory:
    """Shards in memory."""

    def __init__(self) -> None:
        self.shards: dict[int, Shard] = {}

    def keep(self, shard: Shard) -> None:
        """Keep one."""
        self.shards[shard.first] = shard

    @property
    def known(self) -> list[int]:
        """Where those that are kept begin."""
        return sorted(self.shards)

    def __iter__(self) -> Iterator[Shard]:
        """In the order of the plan."""
        yield from (self.shards[first] for first in self.known)


def folder_of(path: Path) -> Path:
    """Where the shards of a data set stand until it is whole."""
    return path.with_name(f"{path.name}.parts")


@contextmanager
def held(path: Path) -> Iterator[None]:
    """While this lasts no other sweep goes into this file. Raises UsageError where one does."""
    folder = folder_of(path)
    with alone(folder, "sweep"):
        try:
            yield
        finally:  # while it is ours: whoever is refused must not take it from another sweep that has just begun
            if folder.is_dir() and not contents(folder):
                shutil.rmtree(folder, ignore_errors=True)


def contents(folder: Path) -> list[Path]:
    """What is in a folder besides its lock."""
    return [file for file in folder.iterdir() if file.name != LOCK]


class Folder:
    """Shards in files, NAME.parts/000000000.npz, while they are `held`. Raises OutputExistsError where another sweep's
    are there."""

    def __init__(self, path: Path, digest: str, size: int, *, force: bool) -> None:
        self.path, self.folder, about = path, folder_of(path), {"digest": digest, "size": size}
        try:
            left = contents(self.folder)
            if left and self.said(path) != about:
                if not force:
                    raise OutputExistsError(
                        f"{str(self.folder)!r} is left from another sweep, or from this one with another version.",
                        file=str(path),
                        remedy="Go on with that one, or use force (--force) to throw it away.",
                    )
                for file in left:
                    file.unlink()
            self._write(ABOUT, json.dumps(about).encode())
        except OSError as error:
            raise ResultFileError(f"could not be written: {error.strerror}.", file=str(path)) from error

    @staticmethod
    def said(path: Path) -> Any:
        """Which sweep's shards stand beside a file, None if there are none."""
        try:
            return json.loads((folder_of(path) / ABOUT).read_text("utf-8"))
        except (OSError, ValueError):
            return None

    @classmethod
    def holds(cls, path: Path, digest: str, size: int) -> bool:
        """Whether there are shards of this sweep."""
        return bool(cls.said(path) == {"digest": digest, "size": size})

    def _write(self, name: str, content: bytes) -> None:
        part = self.folder / f".{name}.{os.getpid()}"
        part.write_bytes(content)
        part.replace(self.folder / name)

    def keep(self, shard: Shard) -> None:
        """Write one, whole or not at all."""
        words = json.dumps([{str(k): text for k, text in one.items()} for one in (shard.errors, shard.said)])
        part, name = self.folder / f".{os.getpid()}.npz", self.folder / f"{shard.first:09d}.npz"
        try:
            np.savez(
                part,
                allow_pickle=False,
                **{f"array.{key}": value for key, value in shard.arrays.items()},
                time=shard.time,
                status=shard.status,
                words=np.frombuffer(words.encode(), dtype=np.uint8),
            )
            part.replace(name)
        except OSError as error:
            raise ResultFileError(
                f"could not be written: {error.strerror}.",
                file=str(name),
                remedy="What is done is kept: make room, and start the same sweep again.",
            ) from error

    @property
    def known(self) -> list[int]:
        """Where those that are kept begin."""
        return sorted(int(file.stem) for file in self.folder.glob("[0-9]*.npz"))

    def __iter__(self) -> Iterator[Shard]:
        """In the order of the plan, one at a time."""
        for first in self.known:
            with np.load(self.folder / f"{first:09d}.npz", allow_pickle=False) as found:
                arrays = {key[6:]: found[key] for key in found.files if key.startswith("array.")}
                errors, said = json.loads(found["words"].tobytes().decode())
                told = {int(k): tuple(texts) for k, texts in said.items()}
                failed = {int(k): text for k, text in errors.items()}
                yield Shard(first, arrays, found["time"], found["status"], failed, told)

    @property
    def temporary(self) -> Path | None:
        """Where the data set may stand while it is written, to be removed with the shards. None where it has to be
        elsewhere: a link may lead to another disk."""
        return None if self.path.is_symlink() else self.folder / "whole.nc"

    def discard(self) -> None:
        """Remove the files, what they are last: the data set holds it all."""
        for file in contents(self.folder):
            if file.name != ABOUT:
                file.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
