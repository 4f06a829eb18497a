"""`linkwork plan`: how a run would meet an accuracy, and why so."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from linkwork.cli import options, output, robot_files
from linkwork.cli.options import Integrator
from linkwork.cli.parameter import Parameter

Out = Annotated[Path | None, Parameter(help="Write the plan (.yaml or .json).")]


def plan(
    model: options.Model,
    /,
    *,
    accuracy: options.Accuracy = None,
    effort: options.Effort = None,
    time_limit: options.TimeLimit = None,
    formulation: options.FormulationOrChosen = None,
    integrator: Integrator = None,
    t_end: options.EndTime = None,
    step: options.Step = None,
    set_: options.Set = None,
    out: Out = None,
    json: options.Json = False,
    force: options.Force = False,
    side: options.Side = None,
    robot: robot_files.RobotFile = None,
) -> int:
    """Say what a mechanism is, which pairs of formulation and integrator can run it to an accuracy, what each is
    predicted to cost, and which one a run would take; `linkwork run --accuracy` carries it out.

    With --effort measure the most promising pairs are tried on a part of the span, with patient all of them; what they
    taught is kept for later runs, in a file beside the compiled code.
    """
    from linkwork import plan as planned
    from linkwork.planner.asked import USUAL, from_words
    from linkwork.planner.files import check_plan_file

    if out is not None:
        check_plan_file(out, force=force)
    mechanism = robot_files.read(model, side, set_, robot)
    output.notes(mechanism)
    made = planned(
        mechanism,
        t_end,
        step,
        formulation,
        integrator,
        accuracy=USUAL if accuracy is None else from_words(accuracy),
        effort=effort or "estimate",
        time_limit=time_limit,
    )
    if json:
        output.document(made.to_dict())
    else:
        output.show(str(made))
    if out is not None:
        made.save(out, force=force)
    if refusal := made.refusal:
        output.fail(str(refusal))
        return refusal.exit_status
    return 0
