"""Where finished runs are kept: in the study's folder, each under a key that says all that shapes it.

`runs/KEY.nc` is the motion, `runs/KEY.json` how the run went, written last: a run without it is not there.
`times/KEY.json` is what its timing found.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from linkwork.errors import ResultFileError
from linkwork.io.results import open_result
from linkwork.io.results.atomic import write_error, writing
from linkwork.result import Result


class Store:
    """Finished runs in a folder. Raises ResultFileError where it cannot be written to."""

    def __init__(self, folder: Path, *, fresh: bool = False) -> None:
        self.folder = folder
        try:
            for part in (self.runs, self.times):
                if fresh and part.is_dir():
                    shutil.rmtree(part)
                part.mkdir(parents=True, exist_ok=True)
                for left in part.glob(".*.part"):  # of a run that was killed while it wrote
                    left.unlink(missing_ok=True)
        except OSError as error:
            raise write_error(folder, error) from error

    @property
    def runs(self) -> Path:
        """The folder of runs."""
        return self.folder / "runs"

    @property
    def times(self) -> Path:
        """The folder of timings."""
        return self.folder / "times"

    def motion_file(self, key: str) -> Path:
        """Where the motion of a run is kept."""
        return self.runs / f"{key}.nc"

    def outcome(self, key: str) -> dict[str, Any] | None:
        """How a finished run went, None if it is not there or not whole."""
        said = _read(self.runs / f"{key}.json")
        if said is not None and "error" not in said and not self.motion_file(key).is_file():
            return None
        return said

    def timing(self, key: str) -> dict[str, Any] | None:
        """What timing a run found."""
        return _read(self.times / f"{key}.json")

    def keep(self, key: str, said: dict[str, Any], *, timing: bool = False) -> None:
        """Keep what was said of a run; what was in passing (memory ran out) is tried again another time."""
        if not said.get("passing"):
            with writing((self.times if timing else self.runs) / f"{key}.json", force=True) as temporary:
                temporary.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")

    def result(self, key: str) -> Result | None:
        """The motion of a finished run; None if the file cannot be read."""
        try:
            return open_result(self.motion_file(key))
        except ResultFileError:
            return None


def _read(path: Path) -> dict[str, Any] | None:
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return said if isinstance(said, dict) else None
