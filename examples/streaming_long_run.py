"""A long run that goes to disk as it is computed: memory stays flat, and the file is read slice by slice.

python examples/streaming_long_run.py [--out FILE.nc] [--t-end T]
"""

# ruff: noqa: T201
from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import linkwork as lw


def run(path: Path, t_end: float) -> None:
    """Simulate into the file, keeping every tenth step; then look at parts of it."""
    mech = lw.load("kissel2021_double_pendulum")
    seen: list[float] = []
    how = {"formulation": "rA", "every": 10, "out": path, "force": True}
    result = lw.simulate(mech, t_end, 1e-4, progress=lambda t, end: seen.append(t), **how)
    print(f"{result.info['steps']} steps, {len(result.time)} samples kept, {path.stat().st_size / 1e6:.1f} MB on disk")
    print(f"progress reports on the way: {len(seen)}, the last at {seen[-1]:g} s")

    again = lw.open_result(path)  # reads names and times; arrays only when asked for
    last = again.read("position", start=len(again.time) - 3)  # three samples, not the whole array
    print("the last places of bar 2, z in m:", ", ".join(f"{z:.6f}" for z in last[:, again.index("body", "bar 2"), 2]))
    energy = again.energy
    print(f"energy, {energy[0]:.2f} J at the start, changed by {energy[-1] - energy[0]:.1e} J: the method's error")
    print(f"largest constraint violation {again['position_violation'].max():.1e}")


def main(arguments: list[str] | None = None) -> None:
    """Into the file given, or into a temporary folder that is removed again."""
    parser = argparse.ArgumentParser(description="Stream a run to disk.")
    parser.add_argument("--out", type=Path, help="the file to write and keep (.nc)")
    parser.add_argument("--t-end", type=float, default=20.0)
    given = parser.parse_args(arguments)
    if given.out is not None:
        run(given.out, given.t_end)
        return
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder) / "run.nc", given.t_end)


if __name__ == "__main__":
    main()
