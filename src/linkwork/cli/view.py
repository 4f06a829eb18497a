"""`linkwork view`: a run, or a mechanism, as a page that shows it in three dimensions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from linkwork.cli import options, output, robot_files
from linkwork.cli.parameter import Parameter
from linkwork.errors import UsageError

RUNS = (".nc",)


def view(
    *what: Annotated[
        str,
        Parameter(
            help="A file that `linkwork run --out` wrote, several to lay over each other, or a MODEL.",
        ),
    ],
    out: Annotated[Path | None, Parameter(help="The page (.html). Default: beside the run, or NAME.html here.")] = None,
    frames: Annotated[
        int | None, Parameter(help="Frames that the page holds at most. Default: as many as it plays well.")
    ] = None,
    base: Annotated[Path | None, Parameter(help="Folder that meshes of bodies are looked for in.")] = None,
    open: Annotated[bool, Parameter(help="Open the page in the browser.")] = False,
    set_: options.Set = None,
    side: options.Side = None,
    robot: robot_files.RobotFileWithoutBase = None,
    json: options.Json = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Write one page that shows a saved run moving, or a mechanism at its start; it opens with the network off."""
    if not what:
        raise UsageError("a run or a MODEL is wanted.", remedy="`linkwork models` lists those that come with linkwork.")
    runs = [name for name in what if Path(name).suffix.lower() in RUNS]
    if (runs and len(runs) < len(what)) or (not runs and len(what) > 1):
        raise UsageError("several things are laid over each other only where all are saved runs (.nc).")
    if frames is not None and not runs:
        raise UsageError("--frames is of saved runs: a MODEL is shown at its start, in one.")
    if runs and (set_ or side is not None or robot):
        of_model = "--set, --side and the options of robots' files are of a MODEL"
        raise UsageError(f"{of_model}: a saved run holds the mechanism that it ran with.")
    if runs:
        target = out or Path(runs[0]).with_suffix(".html")
    else:
        target = out or Path(f"{Path(what[0]).stem}.html")
    check_page(target, force=force)

    from linkwork import open_result

    if runs:
        first, *others = (open_result(name) for name in runs)
        page = first.view(target, others=others, most_frames=frames, base=base, force=force)
    else:
        mechanism = robot_files.read(what[0], side, set_, robot)
        output.notes(mechanism, quiet=quiet)
        page = mechanism.view(target, base=base, force=force)
    if json:
        output.document(
            {
                "files": {"view": str(target)}, "frames": page.frames, "bodies": page.bodies, "error": page.error,
                "size": page.size, "notes": list(page.notes),
            }
        )  # fmt: skip
    if not quiet:
        output.say(f"{target}: {page.summary}")
    if open:
        import webbrowser

        webbrowser.open(target.resolve().as_uri())
    return 0


def check_page(path: Path, *, force: bool) -> None:
    """See before any work is done that the page can be written at its end."""
    from linkwork.io.results.atomic import check_target
    from linkwork.view import check_ending

    check_ending(path)
    check_target(path, force=force)
