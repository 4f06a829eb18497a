"""`linkwork convert`: any mechanism file in linkwork's own format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from linkwork.cli import options, output


def convert(
    model: options.Model,
    target: Annotated[Path, Parameter(name="OUT", help="The file to write: .yaml, .yml or .json.")],
    /,
    *,
    json: options.Json = False,
    force: options.Force = False,
    side: options.Side = None,
    base: options.Base = None,
    on_unsupported: options.Unsupported = None,
    meshes: options.Meshes = None,
    quiet: options.Quiet = False,
) -> int:
    """Write a mechanism in linkwork's own format."""
    from linkwork import load
    from linkwork.io.formats import save

    mechanism = load(model, side=side, **options.of_robots(base, on_unsupported, meshes))
    path = save(mechanism, target, force=force)
    account = mechanism.account
    if json:
        said = {"account": account.to_dict()} if account else {}
        output.document({"name": mechanism.name, "notes": list(mechanism.notes), **said, "files": {"out": str(path)}})
    if not quiet:
        if account:
            output.say(account.text())
        for note in mechanism.notes:
            output.warn(note)
        output.say(f"written: {path}")
    return 0
