"""`linkwork convert`: any mechanism file in linkwork's own format, or a robot's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from linkwork.cli import options, output
from linkwork.cli.parameter import Parameter
from linkwork.cli.set_parameters import with_set


def convert(
    model: options.Model,
    target: Annotated[Path, Parameter(name="OUT", help="The file to write: .yaml, .yml, .json, .urdf or .xml (MJCF).")],
    /,
    *,
    json: options.Json = False,
    force: options.Force = False,
    side: options.Side = None,
    set_: options.Set = None,
    base: options.Base = None,
    on_unsupported: options.Unsupported = None,
    meshes: options.Meshes = None,
    quiet: options.Quiet = False,
) -> int:
    """Write a mechanism in linkwork's own format, or as a robot in URDF or MJCF."""
    from linkwork import load
    from linkwork.io.formats import save

    robot = output.given(base=base, on_unsupported=on_unsupported, search=meshes)
    mechanism = with_set(load(model, side=side, **robot), set_)
    path = save(mechanism, target, force=force, on_unsupported=on_unsupported or "error")
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
