"""A file under HDF5 that never fails while HDF5 looks.

The HDF5 library takes the whole process down (a segmentation fault, seen with HDF5 2.0) when a write fails half
way through its work, as on a full disk. So it writes through this object, which swallows the first failure,
keeps it for us to raise, and from then on writes nothing. Ctrl-C would come through the same door, so it waits
outside (`undisturbed`).
"""

from __future__ import annotations

import io
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any


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
    """An ordinary file for reading and writing whose failures wait in `error`."""

    def __init__(self, path: Path) -> None:
        self._file = io.FileIO(path, "r+")
        self.error: OSError | None = None

    def raise_error(self) -> None:
        """Raise the failure that HDF5 was spared, if there was one."""
        if self.error is not None:
            raise self.error

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B")
        done = 0
        while done < len(view) and self.error is None:
            try:
                done += self._file.write(view[done:]) or 0
            except OSError as error:
                self.error = error
        return len(view)

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        done = 0
        while done < len(view):
            n = self._file.readinto(view[done:])
            if not n:
                view[done:] = bytes(len(view) - done)  # beyond the end: zeros, as of a sparse file
                break
            done += n
        return len(view)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def truncate(self, size: int | None = None) -> int:
        try:
            return self._file.truncate(size)
        except OSError as error:
            self.error = self.error or error
            return self._file.tell()

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
