"""Compares what `digests.py` found with shipped and with just-in-time code, and times of first runs with a limit."""

from __future__ import annotations

import json
import sys
from pathlib import Path

LIMIT, SEVERAL = 1.0, 2.0  # s of processor time; of a comparison, which is many runs, and of a certificate


def main(shipped: str, compiled: str) -> int:
    """The number of things that are not as they should be."""
    ours, theirs = (json.loads(Path(file).read_text(encoding="utf-8")) for file in (shipped, compiled))
    code, other = ours.pop("compiled code"), theirs.pop("compiled code")
    wrong = [f"{name}: {each['digest']}, {theirs[name]['digest']}" for name, each in ours.items()
             if each["digest"] != theirs[name]["digest"]]  # fmt: skip
    for name, each in ours.items():
        if each["seconds"] > (SEVERAL if name in ("comparison", "certificate") else LIMIT):
            wrong.append(f"{name}: {each['seconds']} s of processor time")
    if code["numba"] or "just in time" in code["digest"]:
        wrong.append(f"not all of it was shipped code: {code}")
    if "just in time" not in other["digest"]:
        wrong.append(f"what it is compared with was not compiled: {other}")
    slowest = max(ours, key=lambda name: ours[name]["seconds"])
    sys.stdout.write("\n".join([*wrong, f"{len(ours)} digests, {len(wrong)} wrong; {code['digest']}"]) + "\n")
    without = sorted(set(code["all"]) - set(code["asked"]))
    sys.stdout.write(f"{len(code['asked'])} of {len(code['all'])} entries ran; not: {', '.join(without) or 'none'}\n")
    sys.stdout.write(f"most processor time: {ours[slowest]['seconds']} s, {slowest}\n")
    return min(1, len(wrong))


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
