"""`linkwork kinematics`: the motion that the drivers determine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from linkwork.cli import options, output, robot_files
from linkwork.cli.parameter import Parameter
from linkwork.cli.runs import carry_out, limits_of, page_path, span
from linkwork.errors import UsageError

if TYPE_CHECKING:
    from linkwork.result import Result


def kinematics(
    model: options.Model,
    /,
    *,
    formulation: options.Formulation = "rA",
    t_end: options.EndTime = None,
    step: options.Step = None,
    tolerance: options.PositionTolerance = 1e-10,
    out: options.Out = None,
    plot: options.Plot = None,
    json: options.Json = False,
    force: options.Force = False,
    side: options.Side = None,
    robot: robot_files.RobotFile = None,
    set_: options.Set = None,
    view: options.View = False,
    accept_drivers: options.AcceptDrivers = False,
    accept_changes: options.AcceptChanges = False,
    limit: options.Limit = None,
    loads: Annotated[
        Path | None,
        Parameter(help="Write what the drivers must exert (inverse dynamics) into this table (.csv); needs masses."),
    ] = None,
    quiet: options.Quiet = False,
) -> int:
    """Compute positions, velocities and accelerations of a mechanism whose drivers determine its motion.

    Needs no masses, but for --loads. Without --out nothing is saved; a summary is printed. Exit status 7: the result is
    judged wrong (its summary says why).
    """
    limits = limits_of(limit)
    output.check_outputs(out=out, plot=plot, force=force)
    page = page_path(view, out, model, force=force)
    if loads is not None:
        from linkwork.io.results.atomic import check_target
        from linkwork.linearisation.loads import need_table

        need_table(loads)
        check_target(loads, force=force)
        if out is not None and out.resolve() == loads.resolve():
            raise UsageError("--out and --loads name the same file.", file=str(loads), remedy="Name two.")

    mechanism = robot_files.read(model, side, set_, robot)
    t_end, step = span(mechanism, t_end, step)

    from linkwork import inverse_dynamics
    from linkwork import kinematics as compute

    def exert(result: Result) -> None:
        if loads is not None:
            found = inverse_dynamics(mechanism, result, actuators=None)
            found.save(loads, force=force)
            if not quiet:
                output.say(f"{found.text()}\nwritten: {loads}")

    return carry_out(
        lambda report: compute(
            mechanism,
            t_end,
            step,
            formulation,
            tolerance=tolerance,
            out=out,
            force=force and out is not None,
            accept_drivers=accept_drivers,
            accept_changes=accept_changes,
            limits=limits,
            progress=report,
        ),
        f"{mechanism.name}, {formulation}",
        mechanism=mechanism,
        afterwards=exert,
        out=out,
        plot=plot,
        json=json,
        force=force,
        quiet=quiet,
        view=page,
    )
