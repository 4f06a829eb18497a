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

LARGEST = 2**63  # whole numbers of a run are smaller


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
        if said is None or not (_is_failure(said) or _is_run(said)):
            return None
        if "error" not in said and not self.motion_file(key).is_file():
            return None
        return said

    def timing(self, key: str) -> dict[str, Any] | None:
        """What timing a run found, None if it is not there or not whole."""
        said = _read(self.times / f"{key}.json")
        return said if said is not None and (_is_failure(said) or _is_timing(said)) else None

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
    except (OSError, ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def _is_failure(said: dict[str, Any]) -> bool:
    error = said.get("error")
    return isinstance(error, dict) and all(isinstance(error.get(name), str) for name in ("code", "message"))


def _is_run(said: dict[str, Any]) -> bool:
    counts, counted, words = said.get("counts"), said.get("operations"), said.get("messages")
    return (
        "error" not in said
        and _are_numbers(counts, int)
        and (counted is None or _are_numbers(counted, int, float))
        and isinstance(words, list)
        and all(isinstance(line, str) for line in words)
        and _is_number(said.get("run_seconds"))
        and ("accuracy" not in said or _is_proof(said["accuracy"]))
    )


def _is_proof(said: Any) -> bool:
    return (
        isinstance(said, dict)
        and isinstance(said.get("reached"), bool)
        and all(isinstance(said.get(name), str) for name in ("chosen", "reason"))
        and all(_is_number(said.get(name)) for name in ("estimate", "until", "runs"))
    )


def _is_timing(said: dict[str, Any]) -> bool:
    memory = [said.get(name) for name in ("peak_memory", "memory_rise")]
    fine = all(value is None or _is_number(value) for value in memory)
    return "error" not in said and fine and _is_number(said.get("run_seconds"))


def _are_numbers(found: Any, *kinds: type) -> bool:
    return isinstance(found, dict) and all(_is_number(value, *kinds) for value in found.values())


def _is_number(value: Any, *kinds: type) -> bool:
    if not isinstance(value, kinds or (int, float)):
        return False
    return isinstance(value, float) or (isinstance(value, int) and abs(value) < LARGEST)
