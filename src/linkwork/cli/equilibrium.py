"""`linkwork equilibrium`: a pose in which a mechanism is at rest."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from linkwork.cli import options, output, robot_files
from linkwork.cli.parameter import Parameter


def equilibrium(
    model: options.Model,
    /,
    *,
    time: Annotated[float, Parameter(help="Time at which drivers are held and loads are taken, s.")] = 0.0,
    stable: Annotated[bool, Parameter(help="Search downhill: find one in which the mechanism stays.")] = False,
    out: Annotated[
        Path | None, Parameter(help="Write the mechanism with the equilibrium as its start (.yaml, .yml or .json).")
    ] = None,
    json: options.Json = False,
    force: options.Force = False,
    side: options.Side = None,
    robot: robot_files.RobotFile = None,
    set_: options.Set = None,
    quiet: options.Quiet = False,
) -> int:
    """Find a static equilibrium near the start pose: drivers held, springs, loads and gravity in balance.

    Says whether it is stable, and which freedoms no force brings back. Exit status 5: there is none, or none was found;
    the bodies that are out of balance are named.
    """
    from linkwork import equilibrium as find
    from linkwork.errors import UsageError
    from linkwork.io.formats import save
    from linkwork.io.results.atomic import check_target

    if out is not None:
        if out.suffix.lower() not in (".yaml", ".yml", ".json"):  # robots' formats hold no start
            raise UsageError("cannot hold an equilibrium.", file=str(out), remedy="Use .yaml, .yml or .json.")
        check_target(out, force=force)
    mechanism = robot_files.read(model, side, set_, robot)
    output.notes(mechanism, quiet=quiet)
    found = find(mechanism, t=time, stable=stable)
    if json:
        output.document(found.to_dict())
    elif not quiet:
        output.show(found.text())
    if out is not None:
        path = save(found.mechanism, out, force=force)
        if not quiet:
            output.say(f"written: {path}")
    return 0
