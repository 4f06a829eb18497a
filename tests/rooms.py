"""Which tests `scripts/test` runs: those of tests/rooms.toml. As a script it prints them for pytest."""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
TOGETHER = ("rA",)  # parts whose tests go to one process, so that nothing is compiled twice


@cache
def listed() -> dict[str, Any]:
    """The file as it stands: formulations, and part -> room -> tests."""
    return tomllib.loads((TESTS / "rooms.toml").read_text(encoding="utf-8"))


def parts() -> dict[str, dict[str, list[str]]]:
    """Part -> room -> tests."""
    return {name: rooms for name, rooms in listed().items() if isinstance(rooms, dict)}


def chosen() -> list[str]:
    """Files and tests, those that take long to compile first."""
    found = [test for rooms in reversed(parts().values()) for tests in rooms.values() for test in tests]
    return [f"tests/{test}" for test in found]


def group_of(file: Path) -> str | None:
    """What keeps the file's tests in one process, if anything does."""
    name = file.relative_to(TESTS).as_posix()
    for part in TOGETHER:
        if any(test.partition("::")[0] == name for tests in parts()[part].values() for test in tests):
            return part
    return None


def left_out(parameters: dict[str, Any], formulations: set[str]) -> bool:
    """Whether a test with these parameters is of a formulation that is compiled elsewhere."""
    named = {value for value in parameters.values() if isinstance(value, str)} & formulations
    return bool(named - set(listed()["formulations"]))


if __name__ == "__main__":
    sys.stdout.write("\n".join(chosen()))
