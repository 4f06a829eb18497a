"""`linkwork convert`: any mechanism file in linkwork's own format, or a robot's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from linkwork.cli import options, output, robot_files
from linkwork.cli.parameter import Parameter


def convert(
    model: options.Model,
    target: Annotated[Path, Parameter(name="OUT", help="The file to write: .yaml, .yml, .json, .urdf or .xml (MJCF).")],
    /,
    *,
    json: options.Json = False,
    force: options.Force = False,
    side: options.Side = None,
    set_: options.Set = None,
    robot: robot_files.RobotFile = None,
    quiet: options.Quiet = False,
) -> int:
    """Write a mechanism in linkwork's own format, or as a robot in URDF or MJCF."""
    from linkwork.io.formats.loading import options_of, save, writer_of
    from linkwork.io.results.atomic import check_target

    writer_of(target)
    check_target(target, force=force)
    said = dict(robot or {})
    on_unsupported = said.get("on_unsupported", "error")
    if "on_unsupported" not in options_of(model):  # of what is written alone
        said.pop("on_unsupported", None)
    mechanism = robot_files.read(model, side, set_, said)
    path = save(mechanism, target, force=force, on_unsupported=on_unsupported)
    account = mechanism.account
    if json:
        said = {"account": account.to_dict()} if account else {}
        said |= {"written": mechanism.written.to_dict()} if mechanism.written else {}
        output.document({"name": mechanism.name, "notes": list(mechanism.notes), **said, "files": {"out": str(path)}})
    if not quiet:
        if account:
            output.say(account.text())
        if mechanism.written:
            output.say(mechanism.written.text())
        for note in mechanism.notes:
            output.warn(note)
        output.say(f"written: {path}")
    return 0
