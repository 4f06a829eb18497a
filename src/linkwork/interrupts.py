"""Ctrl-C during a run, and SIGTERM where asked: remembered, and acted on between chunks, where nothing is half done."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # which signal calls, with enum members about it, in ten times as long
import signal
import threading
from types import FrameType, TracebackType
from typing import Any

# signals, and what is done about them where nobody has said otherwise
USUAL = ((int(signal.SIGINT), signal.default_int_handler), (int(signal.SIGTERM), int(signal.SIG_DFL)))


class Interrupts:
    """While this context lasts, the first Ctrl-C is only noted (`check` raises it); a second one comes through at once.

    Raised just anywhere, KeyboardInterrupt can be lost inside the compiler's callbacks. In threads other than the main
    one, and where somebody else handles a signal, nothing is changed.

    terminate : note SIGTERM in the same way, where its own action would leave things of the system's behind or lose
        what was computed. number : the signal that came, 0 if none did.
    """

    def __init__(self, *, terminate: bool = False) -> None:
        self.number = 0
        self._usual = USUAL if terminate else USUAL[:1]
        self._before: list[tuple[int, Any]] = []

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number, handler in self._usual:
                if _signal.getsignal(number) == handler:
                    self._before.append((number, _signal.signal(number, self._note)))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._restore()

    def check(self) -> None:
        """Raise KeyboardInterrupt if a signal came."""
        if self.number:
            raise KeyboardInterrupt

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.number = number
        self._restore()

    def _restore(self) -> None:
        while self._before:
            _signal.signal(*self._before.pop())
