"""Saying that code is being compiled, and finishing a compilation before an interruption is acted on.

A first run compiles for some seconds to a minute. Whoever waits is told so once for each run, and how far it is: on
standard error, or through a listener of their own (`listening`).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from linkwork.interrupts import Interrupts

QUIET = "LINKWORK_QUIET"
EVERY = 10.0  # s between lines where there is no terminal


@dataclass
class Compilation:
    """Functions that are compiled together. purpose : for what, in words. done, total : functions."""

    purpose: str
    total: int
    done: int = 0
    ended: bool = False
    unkept: str = ""  # a folder in which nothing can be written
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self.began

    def __str__(self) -> str:
        """The state of it in words."""
        if self.ended:
            kept = f"; not kept, {self.unkept} cannot be written: see `linkwork doctor`" if self.unkept else ""
            return f"compiled {self.purpose} in {self.seconds:.0f} s{kept}"
        done = f"{self.done} of {self.total} functions, {self.seconds:.0f} s"
        return f"compiling {self.purpose}, once per machine: {done}"


Listener = Callable[[Compilation], None]
_purpose: ContextVar[str] = ContextVar("purpose", default="")
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)
_current: Compilation | None = None


class Lines:
    """Tells it on standard error: a line that is renewed on a terminal, a line now and then elsewhere."""

    def __init__(self) -> None:
        self.said: float | None = None

    def __call__(self, compilation: Compilation) -> None:
        """Say the state."""
        stream = sys.stderr
        if stream is None:  # a program without a console
            return
        if stream.isatty():
            end = "\n" if compilation.ended else ""
            stream.write(f"\r\x1b[Klinkwork: {compilation}{end}")
        elif self.said is None or compilation.ended or time.monotonic() - self.said >= EVERY:
            stream.write(f"linkwork: {compilation}\n")
            self.said = time.monotonic()
        stream.flush()


class purpose:
    """What is compiled meanwhile is for this, in words such as "rA + generalized-alpha"."""

    __slots__ = "token", "words"

    def __init__(self, words: str) -> None:
        self.words = words

    def __enter__(self) -> None:
        self.token = _purpose.set(self.words)

    def __exit__(self, *_: object) -> None:
        _purpose.reset(self.token)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell `listener` instead of standard error: at the start, after each function, at the end."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def compilation(total: int, what: str = "") -> Iterator[Callable[[], None]]:
    """While `total` functions are compiled; to be called after each. Within another one, part of it."""
    global _current
    if _current is not None or total == 0:
        yield lambda: None
        return
    told = _listener.get() or (no_one if is_silent() else Lines())
    now = _current = Compilation(_purpose.get() or what or "the functions needed", total)

    def advance() -> None:
        now.done += 1
        told(now)

    told(now)
    try:
        yield advance
    finally:
        now.ended, _current = True, None
        told(now)


def not_kept(folder: str) -> None:
    """What was compiled just now could not be written into this folder: said where the compilation ends."""
    if _current is not None:
        _current.unkept = folder


def no_one(compilation: Compilation) -> None:
    """Nobody is told."""


def is_worker() -> bool:
    """Whether `multiprocessing` started this process; it has been imported there."""
    found = sys.modules.get("multiprocessing")
    return found is not None and found.parent_process() is not None


def is_silent() -> bool:
    """Whether the user wants no words, or this process works for another one."""
    return os.environ.get(QUIET, "") not in ("", "0") or is_worker()


@contextmanager
def compiled_in_one(what: str) -> Iterator[None]:
    """Compile one function before Ctrl-C has its effect: halfway, it would be lost in callbacks of the compiler."""
    with Interrupts() as interrupts:
        with compilation(1, what) as advance:
            yield
            advance()
        interrupts.check()
