"""`linkwork modes`: frequencies, damping ratios and shapes of small vibrations about an equilibrium."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from linkwork.cli import options, output, robot_files
from linkwork.cli.parameter import Parameter
from linkwork.cli.view import check_page
from linkwork.errors import UsageError


def modes(
    model: options.Model,
    /,
    *,
    stable: Annotated[
        bool, Parameter(help="About an equilibrium in which the mechanism stays, found downhill.")
    ] = False,
    count: Annotated[int | None, Parameter(help="How many, the slowest first. Default: all.", least=1)] = None,
    plot: Annotated[
        Path | None, Parameter(help="Draw the eigenvalues in the complex plane into this file (.png, .svg, .pdf).")
    ] = None,
    mode: Annotated[
        int | None, Parameter(help="Which mode --view shows, counted from 0. Default: the slowest.", least=0)
    ] = None,
    view: Annotated[
        Path | None, Parameter(help="Write one page that shows a mode moving into this file (.html).")
    ] = None,
    side: options.Side = None,
    robot: robot_files.RobotFile = None,
    set_: options.Set = None,
    json: options.Json = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Find the equilibrium nearest to the start pose, and the modes of small vibration about it."""
    output.check_outputs(plot=plot, force=force)
    if mode is not None and view is None:
        raise UsageError("--mode says which mode --view shows; there is no --view.")
    if view is not None:
        check_page(view, force=force)
    from linkwork import equilibrium
    from linkwork import modes as find

    mechanism = robot_files.read(model, side, set_, robot)
    output.notes(mechanism, quiet=quiet)
    rest = equilibrium(mechanism, stable=stable)
    found = find(mechanism, rest, count=count)
    shown = None if view is None else found.motion(mode or 0)
    if plot is not None:
        from linkwork.plots.modes import plot_modes

        plot_modes(found, plot, force=force)
    page = None if shown is None or view is None else shown.view(view, force=force)
    if json:
        output.document(found.to_dict() | {"stability": rest.stability})
    elif not quiet:
        output.show(f"about an equilibrium: {rest.stability}\n{found.text()}")
    if plot is not None and not quiet:
        output.say(f"drawn: {plot}")
    if page is not None and not quiet:
        output.say(f"page: {view}; {page.summary}")
    return 0
