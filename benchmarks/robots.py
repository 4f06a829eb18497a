"""Every URDF file below a folder in linkwork and in Pinocchio; with `--mjcf` every MJCF file in linkwork and in MuJoCo:
`python -m benchmarks.robots FOLDER --out TABLE.md`.

For each robot: how much of its file is mapped, approximated and refused; the largest relative difference of poses, mass
matrix, bias forces, inverse and forward dynamics at random states; and the time of one forward-dynamics evaluation of
both, in the same process, each in its own compiled loop. The robots of the table in the documentation are those of the
package example-robot-data.
"""

from benchmarks.machine import one_thread

one_thread()  # before NumPy is imported

import argparse  # noqa: E402
import math  # noqa: E402
import re  # noqa: E402
import sys  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

HEAD = (
    "| robot | bodies | dofs | mapped | approx. | refused | pose | M | bias | inverse | forward | ours, µs | {} |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
)


def robot_of(file: Path, folder: Path) -> Any:
    """The robot in both programs."""
    if file.suffix == ".urdf":
        from benchmarks.robot_peers import Robot

        return Robot(file)
    from benchmarks.mujoco_robots import MujocoRobot

    return MujocoRobot.of_file(file, folder)


def row(file: Path, folder: Path, states: int) -> str:
    """One robot's line of the table."""
    from linkwork.errors import LinkworkError

    try:
        robot = robot_of(file, folder)
    except (LinkworkError, ValueError) as error:
        said = " ".join(str(error).partition(": ")[2].partition(" [")[0].split())[:100]
        return f"| {file.stem} | | | | | | {said} | | | | | | |\n"
    account = robot.mechanism.account
    counts = list(account.counts.values()) if account else []
    apart = robot.apart(states)
    numbers = ["singular" if math.isnan(x) else f"{x:.0e}" for x in apart[:5]]
    times = ["", ""] if math.isnan(apart.forward) else [f"{1e6 * x:.1f}" for x in robot.seconds(200)]
    cells = [file.stem, robot.compiled.nb, robot.dofs, *counts, *numbers, *times]
    return f"| {' | '.join(map(str, cells))} |\n"


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--match", default="", help="a regular expression: robots with it in their files' names alone")
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--mjcf", action="store_true", help="MJCF files, beside MuJoCo")
    given = parser.parse_args()
    table = HEAD.format("MuJoCo, µs" if given.mjcf else "aba, µs")
    kind = "*.xml" if given.mjcf else "*.urdf"
    files = [file for file in given.folder.rglob(kind) if re.search(given.match, file.stem)]
    for file in sorted(files, key=lambda path: path.stem.lower()):
        line = row(file, given.folder, given.states)
        sys.stdout.write(line)
        sys.stdout.flush()
        table += line
    if given.out:
        given.out.write_text(table, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
