"""`linkwork plot`: a saved run as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from linkwork.cli import options, output
from linkwork.cli.parameter import Parameter
from linkwork.plots import PLOTS


def plot(
    run: Annotated[Path, Parameter(help="A file that `linkwork run --out` or `Result.save` wrote.")],
    /,
    *,
    kind: Annotated[str, Parameter(help=f"What to draw: {', '.join(PLOTS)}.")] = "overview",
    out: Annotated[Path | None, Parameter(help="The picture (.png, .svg, .pdf). Default: RUN-KIND.png.")] = None,
    json: options.Json = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Draw a saved run."""
    picture = out if out is not None else run.with_name(f"{run.stem}-{kind}.png")
    output.check_outputs(plot=picture, force=force)

    from linkwork import open_result

    open_result(run).plot(kind, picture, force=force)
    if json:
        output.document({"run": str(run), "kind": kind, "files": {"plot": str(picture)}})
    if not quiet:
        output.say(f"drawn: {picture}")
    return 0
