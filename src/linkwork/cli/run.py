"""`linkwork run`: dynamics."""

from __future__ import annotations

from linkwork.cli import options, output
from linkwork.cli.options import Formulation, Integrator, Newton, Tolerance
from linkwork.cli.runs import carry_out, span


def run(
    model: options.Model,
    /,
    *,
    formulation: Formulation = "rA",
    integrator: Integrator = "implicit-euler",
    t_end: options.EndTime = None,
    step: options.Step = None,
    newton: Newton = "frozen",
    tolerance: Tolerance = None,
    every: options.Every = 1,
    out: options.Out = None,
    plot: options.Plot = None,
    json: options.Json = False,
    force: options.Force = False,
    side: options.Side = None,
    accept_drivers: options.AcceptDrivers = False,
    quiet: options.Quiet = False,
) -> int:
    """Simulate the dynamics of a mechanism.

    Without --out nothing is saved; a summary is printed. A run that does not converge, or is interrupted, keeps
    what it has computed.
    """
    output.check_outputs(out=out, plot=plot, force=force)

    from linkwork import load

    mechanism = load(model, side=side)
    t_end, step = span(mechanism, t_end, step)

    from linkwork import simulate

    return carry_out(
        lambda report: simulate(
            mechanism,
            t_end,
            step,
            formulation,
            integrator,
            newton=newton,
            tolerance=tolerance,
            every=every,
            out=out,
            force=force,
            accept_drivers=accept_drivers,
            progress=report,
        ),
        f"{mechanism.name}, {formulation}",
        out=out,
        plot=plot,
        json=json,
        force=force,
        quiet=quiet,
    )
