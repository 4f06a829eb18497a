"""A run while it goes on: bodies in a browser, drawn by viser in a process of its own.

The run hands over a pose between its chunks, when the last one is drawn, and does nothing else for it. The process ends
with the block that it was made for, and with this program however that ends, since its pipe is closed then.
"""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from importlib.util import find_spec
from threading import Event, Thread
from typing import Any

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import Array
from linkwork.mechanism import Mechanism
from linkwork.run.onlooking import looked_on
from linkwork.scene import scene_of
from linkwork.view.live_scene import described

START = 30.0  # s within which the server must answer
BETWEEN = 1.0 / 30.0  # s between two pictures
END = 2.0  # s for the last picture, and for the process to end


@dataclass(frozen=True)
class Settings:
    """host, port : where the server listens; if the port is taken, the next one that is free.
    open : open the address in the browser. wait : s that the run waits for a browser before it begins.
    speed : of the picture at most, in seconds of motion per second; None: as fast as the run goes.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    open: bool = True
    wait: float = 10.0
    speed: float | None = None

    @classmethod
    def of(cls, asked: bool | Mapping[str, Any]) -> Settings:
        """From True or options by name. Raises UsageError."""
        given = {} if isinstance(asked, bool) else dict(asked)
        known = [one.name for one in fields(cls)]
        for name in given:
            if name not in known:
                raise UsageError(f"a live view has no option {name!r}.", remedy=f"It has {', '.join(known)}.")
        made = cls(**given)
        if not made.wait >= 0.0 or (made.speed is not None and not made.speed > 0.0):
            raise UsageError("a live view's wait must not be negative, its speed be positive.")
        return made


@contextmanager
def live(mechanism: Mechanism, asked: bool | Mapping[str, Any] = True) -> Iterator[LiveView]:
    """Runs of the mechanism inside the block are shown as they go on.

    Raises UsageError where viser is missing or its server does not start, ModelError for a mesh.
    """
    settings = Settings.of(asked)
    if find_spec("viser") is None:
        raise UsageError("a live view needs the package viser.", remedy="pip install 'linkwork[view]'")
    view = LiveView(described(scene_of(mechanism)), settings)
    try:
        with looked_on(view.look):
            yield view
    finally:
        view.close()


class LiveView:
    """The process that draws, and what goes to and fro: poses, and a word for each one drawn."""

    def __init__(self, scene: dict[str, Any], settings: Settings) -> None:
        self.settings = settings
        self.address = ""
        self.ready, self.seen, self.free = Event(), Event(), Event()
        self.last: tuple[float, Array] | None = None
        self.sent = self.began = 0.0
        command = [sys.executable, "-m", "linkwork.view.live_server"]
        pipe = subprocess.PIPE
        # a session of its own: Ctrl-C is for the run
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True)
        Thread(target=self._listen, daemon=True).start()
        self._write(json.dumps({"scene": scene, "host": settings.host, "port": settings.port}).encode())
        if not self.ready.wait(START) or not self.address:
            self.close()
            raise UsageError("the server of the live view did not start; it says why above.")
        sys.stderr.write(f"linkwork: live view at {self.address}\n")
        if settings.open:
            webbrowser.open(self.address)
        self.seen.wait(settings.wait)

    def _listen(self) -> None:
        """What the process says, line by line, until it ends."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            word, _, rest = line.decode().strip().partition(" ")
            if word == "ready":
                self.address = rest
                self.free.set()
            {"ready": self.ready, "seen": self.seen, "drawn": self.free}.get(word, Event()).set()
        for event in (self.ready, self.seen):  # nobody is to wait for it
            event.set()

    def _write(self, message: bytes) -> bool:
        """Whether the process took it; closed pipes are no matter of the run."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(struct.pack("<I", len(message)) + message)
            self.process.stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def look(self, block: Mapping[str, Array]) -> None:
        """A block of a run: its last pose, or with a speed as many as that takes."""
        times, motion = block["time"], block["motion"]
        if self.settings.speed is not None:
            self._keep_pace(times, motion, self.settings.speed)
        self.last = float(times[-1]), motion[-1, :, :12]
        if self.free.is_set() and time.monotonic() - self.sent > BETWEEN:
            self._draw(*self.last)

    def _draw(self, t: float, poses: Array) -> None:
        self.free.clear()
        self.sent = time.monotonic()
        self._write(struct.pack("<d", t) + poses.astype("<f4").tobytes())

    def _keep_pace(self, times: Array, motion: Array, speed: float) -> None:
        if self.last is None or times[0] < self.last[0]:  # a run begins
            self.began = time.monotonic() - float(times[0]) / speed
        while self.process.poll() is None:
            now = speed * (time.monotonic() - self.began)
            if now >= times[-1]:
                return
            k = int(np.searchsorted(times, now, side="right")) - 1
            if k >= 0 and self.free.is_set():
                self._draw(float(times[k]), motion[k, :, :12])
            time.sleep(BETWEEN)

    def close(self) -> None:
        """Draw the last pose and end the process; nothing is left running."""
        if self.last is not None and self.process.poll() is None and self.free.wait(END):
            self._draw(*self.last)
            self.free.wait(END)
        with suppress(OSError):
            if self.process.stdin is not None:
                self.process.stdin.close()
        try:
            self.process.wait(END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
