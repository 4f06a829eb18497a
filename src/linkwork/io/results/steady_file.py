"""A file under HDF5 that never fails while HDF5 looks, and that is whole on disk whatever happens.

The HDF5 library takes the whole process down (a segmentation fault, seen with HDF5 2.0) when a write fails half
way through its work, as on a full disk. So it writes through this object, which swallows the first failure,
keeps it for us to raise, and from then on writes nothing. Ctrl-C would come through the same door, so it waits
outside (`undisturbed`).

What HDF5 writes over earlier bytes waits in memory until it is committed; what it adds beyond them goes to disk at
once, where nothing refers to it yet. So the file on disk is always the one of the last commit, with loose bytes at
its end (decision 19).
"""

from __future__ import annotations

import io
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

PAGE = 4096  # bytes that are kept or written over together


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back Ctrl-C until the block is done, then deliver it to whoever handled it before."""
    handler = signal.getsignal(signal.SIGINT)
    # other threads never see KeyboardInterrupt; a handler that is not Python's cannot be put back
    if threading.current_thread() is not threading.main_thread() or handler is None:
        yield
        return
    came: list[int] = []

    def remember(number: int, frame: FrameType | None) -> None:
        came.append(number)

    signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)


class SteadyFile(io.RawIOBase):
    """An ordinary file for reading and writing whose failures wait in `error`, and what is overwritten in `pending`.

    committed : bytes at the beginning that stay on disk as they are until `apply`; 0 for none.
    """

    def __init__(self, path: Path, committed: int = 0) -> None:
        self._file = io.FileIO(path, "r+")
        self._at, self.committed = 0, committed
        self.error: OSError | None = None
        self.pending: dict[int, bytearray] = {}  # number of a page -> what it is to hold, up to `committed`

    def raise_error(self) -> None:
        """Raise the failure that HDF5 was spared, if there was one."""
        if self.error is not None:
            raise self.error

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        old = max(0, min(len(view), self.committed - self._at))
        self._keep(view[:old])
        self._file.seek(self._at + old)
        done = old
        while done < len(view) and self.error is None:
            try:
                done += self._file.write(view[done:]) or 0
            except OSError as error:
                self.error = error
        self._at += len(view)
        return len(view)

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        self._file.seek(self._at)
        done = 0
        while done < len(view):
            n = self._file.readinto(view[done:])
            if not n:
                view[done:] = bytes(len(view) - done)  # beyond the end: zeros, as of a sparse file
                break
            done += n
        if self.pending:
            for number, first, last in self._pages(len(view)):
                page = self.pending.get(number)
                if page is not None:
                    start = number * PAGE + first - self._at
                    view[start : start + last - first] = page[first:last]
        self._at += len(view)
        return len(view)

    def apply(self) -> None:
        """Write what is pending, and count everything on disk as committed. Raises OSError."""
        write_pages(self._file.fileno(), self.pending)
        self.pending = {}
        self.committed = self.size

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return os.fstat(self._file.fileno()).st_size

    def forget(self) -> None:
        """Cut off what was added after the last commit; nothing is written any more."""
        self.error, self.pending = self.error or OSError("given up"), {}
        self._file.truncate(self.committed)

    def _keep(self, view: memoryview) -> None:
        """Bytes to hold from the present place on, all below `committed`."""
        for number, first, last in self._pages(len(view)):
            page = self.pending.get(number)
            if page is None:
                page = self.pending[number] = bytearray(min(PAGE, self.committed - number * PAGE))
                self._file.seek(number * PAGE)
                self._file.readinto(page)
            start = number * PAGE + first - self._at
            page[first:last] = view[start : start + last - first]

    def _pages(self, length: int) -> Iterator[tuple[int, int, int]]:
        """The pages from the present place on, as far as they are committed: number, first and last byte in it."""
        end = min(self._at + length, self.committed)
        for number in range(self._at // PAGE, -(-end // PAGE)):
            start = number * PAGE
            yield number, max(self._at, start) - start, min(end, start + PAGE) - start

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (0, self._at, self.size)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def truncate(self, size: int | None = None) -> int:
        wanted = self._at if size is None else size
        try:
            if self.error is None:
                self._file.truncate(max(wanted, self.committed))
        except OSError as error:
            self.error = error
        return wanted

    def fileno(self) -> int:
        return self._file.fileno()

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def write_pages(descriptor: int, pages: dict[int, bytearray]) -> None:
    """Write pages over what stands in a file. Raises OSError."""
    for number, page in sorted(pages.items()):
        done = 0
        while done < len(page):
            os.lseek(descriptor, number * PAGE + done, os.SEEK_SET)
            done += os.write(descriptor, page[done:])
