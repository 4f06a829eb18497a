"""A bar that shows how far a run has come, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from linkwork.cli import output
from linkwork.kernels.compiling import Compilation, listening

Progress = Callable[[float, float], None]
Tell = Callable[[str, str, int], None]


@contextmanager
def progress(label: str, *, quiet: bool) -> Iterator[Progress | None]:
    """A function to be called with (time reached, end time) in s, or None where no bar is wanted."""
    if quiet or not sys.stderr.isatty():
        yield None
        return

    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Bars(*columns, console=output.console(), transient=True) as bars:
        task = bars.add_task(label, total=None)

        def report(done: float, t_end: float) -> None:
            bars.update(task, completed=done, total=t_end, description=f"{label}  t = {done:.3g} s")

        def compiling(state: Compilation) -> None:
            bars.update(task, completed=state.done, total=state.total, description=str(state))
            if state.ended:
                output.say(f"linkwork: {state}")

        with listening(compiling):
            yield report


class Lines:
    """What a study is at, in lines for a file or a pipe: each phase, and now and then how far it is."""

    def __init__(self, every: float = 15.0) -> None:
        self.every = every  # s between lines
        self.phase, self.total, self.done, self.began, self.said = "", 0, 0, 0.0, 0.0

    def __call__(self, event: str, words: str, total: int) -> None:
        """event : phase, kept, began or ended; words : the phase or the run; total : of the phase, or 1."""
        now = time.monotonic()
        if event == "phase":
            self.phase, self.total, self.done, self.began, self.said = words, total, 0, now, now
            if total:
                output.say(f"{words}: {total} runs")
            return
        self.done += event != "began"
        if event != "kept" and now - self.said >= self.every:
            self.said = now
            output.say(f"{self.phase}: {self.done} of {self.total} after {now - self.began:.0f} s, {event} {words}")


@contextmanager
def study_progress(*, quiet: bool) -> Iterator[Tell]:
    """A function to be told what a study is at: how many runs are done, and which ones are running."""
    if quiet:
        yield lambda event, words, total: None
        return
    if not sys.stderr.isatty():
        yield Lines()
        return

    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, TextColumn("{task.fields[at]}"), console=output.console(), transient=True) as bars:
        task = bars.add_task("", total=None, at="")
        running: list[str] = []

        def tell(event: str, words: str, total: int) -> None:
            if event == "phase":
                running.clear()
                bars.reset(task, total=total, description=words, at="")
                return
            if event == "began":
                running.append(words)
            elif words in running:
                running.remove(words)
            room = max(12, bars.console.width - 75)  # what the other columns leave
            at = " | ".join(running)
            at = at if len(at) <= room else f"{at[: room - 1]}\N{HORIZONTAL ELLIPSIS}"
            bars.update(task, advance=0 if event == "began" else total, at=at)

        yield tell
