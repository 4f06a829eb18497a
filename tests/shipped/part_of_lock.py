"""A lock file without the compiler and what only other tests want: python part_of_lock.py LOCK, to standard output."""

from __future__ import annotations

import re
import sys
from pathlib import Path

LEFT_OUT = re.compile(
    r"^(numba|llvmlite|mujoco.*|glfw|pyopengl|websockets|pin|pin-.*|cmeel.*|libpinocchio|libcoal|coal|eigenpy"
    r"|mypy.*|librt|ast-serialize|ruff|import-linter|grimp|editables|hatchling|pathspec|trove-classifiers)(==| )"
)


def part(lock: str) -> str:
    """The requirements that stay, with their hashes."""
    kept = (each for each in re.split(r"\n(?=\S)", lock) if not LEFT_OUT.match(each))
    return "\n".join(kept)


if __name__ == "__main__":
    sys.stdout.write(part(Path(sys.argv[1]).read_text(encoding="utf-8")))
