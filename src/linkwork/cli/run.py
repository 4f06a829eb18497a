"""`linkwork run`: dynamics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import signature
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from linkwork.arguments import positive_number
from linkwork.cli import options, output, robot_files
from linkwork.cli.pairs import numbers_of, pairs_of
from linkwork.cli.parameter import Further
from linkwork.cli.runs import carry_out, limits_of, page_path, span
from linkwork.errors import UsageError

if TYPE_CHECKING:
    from linkwork.analysis.state import State
    from linkwork.mechanism import Mechanism
    from linkwork.result import Result

USUAL = "rA"
WITH_RESUME = ("resume", "plot", "json", "force", "verify", "quiet")
WITH_PLAN = ("plan", "out", "plot", "json", "force", "verify", "quiet")


def run(
    model: options.ModelUnlessResumed = None,
    /,
    *,
    resume: options.Resume = None,
    plan: options.PlanFile = None,
    formulation: options.FormulationOrChosen = None,
    integrator: options.Integrator = None,
    accuracy: options.Accuracy = None,
    time_limit: options.TimeLimit = None,
    effort: options.Effort = None,
    t_end: options.EndTime = None,
    step: options.Step = None,
    state: options.Coordinates = None,
    rate: options.Rates = None,
    after: options.After = None,
    owned: Annotated[Mapping[str, Any] | None, Further("linkwork.cli.owned:every")] = None,
    option: options.Further = None,
    set_: options.Set = None,
    limit: options.Limit = None,
    every: options.Every = 1,
    out: options.Out = None,
    plot: options.Plot = None,
    view: options.View = False,
    live: options.Live = False,
    json: options.Json = False,
    force: options.Force = False,
    side: options.Side = None,
    robot: robot_files.RobotFile = None,
    accept_drivers: options.AcceptDrivers = False,
    accept_changes: options.AcceptChanges = False,
    verify: options.Verify = False,
    digits: options.Digits = None,
    quiet: options.Quiet = False,
) -> int:
    """Simulate the dynamics of a mechanism.

    Without --out nothing is saved; a summary is printed. A run that does not converge, or is interrupted, keeps
    what it has computed; with --out, one that is killed keeps it up to the last second, and --resume goes on with it.
    Exit status 7: the result is judged wrong (its summary says why), or the run was ended where joints came apart or
    speeds grew without bound. 9: the accuracy asked for was not reached; what was computed is kept.
    """
    if plan is not None:
        others = changed(locals(), WITH_PLAN)
        return planned_before(plan, others, out=out, plot=plot, json=json, force=force, verify=verify, quiet=quiet)
    if resume is not None or model is None:
        return go_on(
            resume, changed(locals(), WITH_RESUME), plot=plot, json=json, force=force, verify=verify, quiet=quiet
        )
    output.check_outputs(out=out, plot=plot, force=force)
    page = page_path(view, out, model, force=force)
    of_formulation, further, limits = owned_of(owned), options_of(option), limits_of(limit)
    asked: dict[str, Any] = {} if digits is None else {"digits": positive_number("--digits", digits)}

    mechanism = robot_files.read(model, side, set_, robot)
    named = formulation is not None or integrator is not None or bool(of_formulation) or bool(further)
    of_plan = planned(accuracy, time_limit, effort, named=named)
    chosen = accuracy is not None or not named  # the plan says how often samples are taken
    t_end, interval = span(mechanism, t_end, 1.0 if chosen and step is None else step)
    step = step if chosen else interval
    begin = start_of(mechanism, state, rate, after)

    from linkwork import simulate

    return carry_out(
        lambda report: simulate(
            mechanism,
            t_end,
            step,
            formulation,
            integrator,
            **of_formulation,
            **of_plan,
            options=further,
            every=every,
            out=out,
            force=force and out is not None,
            accept_drivers=accept_drivers,
            accept_changes=accept_changes,
            limits=limits,
            view=live,
            progress=report,
            state=begin,
        ),
        f"{mechanism.name}, {formulation or ('planned' if chosen else USUAL)}",
        mechanism=mechanism,
        afterwards=verifying(quiet=quiet, **asked) if verify or asked else None,
        out=out,
        plot=plot,
        view=page,
        json=json,
        force=force,
        quiet=quiet,
    )


def verifying(*, quiet: bool, **asked: Any) -> Callable[[Result], Any]:
    """What verifies a result, and tells how it goes on."""
    from linkwork import verify

    return partial(verify, tell=None if quiet else output.say, **asked)


def planned(accuracy: list[str] | None, time_limit: float | None, effort: str | None, *, named: bool) -> dict[str, Any]:
    """What is asked of the planner. named : how to simulate is. Raises UsageError for options of a planner that has
    nothing to do then."""
    further = {name: value for name, value in (("time_limit", time_limit), ("effort", effort)) if value is not None}
    if accuracy is None:
        if further and named:
            raise UsageError(f"--{next(iter(further)).replace('_', '-')} goes with --accuracy.")
        return further
    from linkwork.planner.asked import from_words

    return {"accuracy": from_words(accuracy), **further}


def owned_of(said: Mapping[str, Any] | None) -> dict[str, Any]:
    """Options of formulations and integrators that were given. Raises UsageError."""
    if said is None:
        return {}
    from linkwork.cli import owned

    return owned.given(said)


def changed(said: Mapping[str, Any], but: Sequence[str]) -> list[str]:
    """The options that say how to simulate, and differ from their defaults."""
    usual = {name: p.default for name, p in signature(run).parameters.items()}
    others = [name for name, value in said.items() if name not in (*but, "owned", "robot") and value != usual[name]]
    return [*others, *(said["robot"] or ()), *owned_of(said["owned"])]


def go_on(
    path: Path | None, others: list[str], *, plot: Path | None, json: bool, force: bool, verify: bool, quiet: bool
) -> int:
    """Carry out what is left of a run."""
    if path is None:
        raise UsageError("a MODEL is wanted.", remedy="`linkwork models` lists those that come with linkwork.")
    refuse_others("--resume", others)
    output.check_outputs(plot=plot, force=force)

    from linkwork import resume as resumed

    return carry_out(
        lambda report: resumed(path, progress=report),
        f"going on with {path}",
        afterwards=verifying(quiet=quiet) if verify else None,
        out=path.with_name(path.name.removesuffix(".part")),
        plot=plot,
        json=json,
        force=force,
        quiet=quiet,
    )


def planned_before(
    path: Path,
    others: list[str],
    *,
    out: Path | None,
    plot: Path | None,
    json: bool,
    force: bool,
    verify: bool,
    quiet: bool,
) -> int:
    """Carry out the plan in a file."""
    refuse_others("--plan", others)
    output.check_outputs(out=out, plot=plot, force=force)

    from linkwork import load_plan

    made = load_plan(path, out=out, force=force and out is not None)
    return carry_out(
        lambda report: made.run(progress=report),
        f"{made.setting.mechanism.name}, as planned",
        afterwards=verifying(quiet=quiet) if verify else None,
        out=out,
        plot=plot,
        json=json,
        force=force,
        quiet=quiet,
    )


def refuse_others(option: str, others: list[str]) -> None:
    """Raise UsageError for options that are in the file which `option` names."""
    if others:
        words = ", ".join("MODEL" if name == "model" else f"--{name.rstrip('_').replace('_', '-')}" for name in others)
        raise UsageError(f"{option} takes these from the file: leave out {words}.")


def start_of(mechanism: Mechanism, state: list[str] | None, rate: list[str] | None, after: Path | None) -> State | None:
    """The state to start from, None for the described one. Raises UsageError, StartStateError, ResultFileError."""
    if after is not None:
        if state or rate:
            raise UsageError("--after takes a whole state from a file; it does not go with --state or --rate.")
        from linkwork import open_result
        from linkwork.io.sources import reads

        reads(after)
        return open_result(after).state()
    if not state and not rate:
        return None
    from linkwork import start_state

    return start_state(mechanism, numbers_of("--state", state), numbers_of("--rate", rate))


def options_of(words: list[str] | None) -> dict[str, Any] | None:
    """name -> value from NAME=VALUE words; values are numbers, true, false, or else words. Raises UsageError."""
    if not words:
        return None
    found = {}
    for name, value in pairs_of("--option", words).items():
        try:
            found[name.replace("-", "_")] = loads(value)
        except ValueError:
            found[name.replace("-", "_")] = value
    return found
