"""`linkwork compare`: a mechanism with many formulations and integrators."""

from __future__ import annotations

from os.path import relpath
from pathlib import Path
from typing import Annotated, Any

from linkwork.cli import options, output, robot_files
from linkwork.cli.parameter import Parameter
from linkwork.cli.studying import carry_out, deliverable
from linkwork.errors import UsageError

Folder = Annotated[
    Path | None,
    Parameter(
        help="Keep runs, report.html, comparison.json and comparison.nc in this folder; go on where it left off."
    ),
]
Fresh = Annotated[bool, Parameter(help="Discard what the folder keeps from before.")]
Workers = Annotated[int | None, Parameter(help="Processes side by side. Default: one per core.", least=1)]
EveryRun = Annotated[bool, Parameter(help="Show every run, not only the most accurate of each pair.")]
Report = Annotated[Path | None, Parameter(help="Write the report (.html), the data (.nc) or the figures (.json) here.")]


def compare(
    model: options.Model,
    /,
    *,
    formulation: Annotated[list[str] | None, Parameter(help="One to compare; may be repeated. Default: all.")] = None,
    integrator: Annotated[
        list[str] | None,
        Parameter(
            help="One to compare, or all; may be repeated. Default: the suitable ones, of each problem shape the usual "
            "one and that of highest order.",
        ),
    ] = None,
    t_end: options.EndTime = None,
    step: Annotated[
        list[float] | None,
        Parameter(help="A fixed step, s; may be repeated. Default: the model's own times 4, 2 and 1."),
    ] = None,
    rtol: Annotated[
        list[float] | None,
        Parameter(help="A tolerance; may be repeated. Default, without --step: 1e-4, 1e-7, 1e-10."),
    ] = None,
    accuracy: Annotated[
        list[float] | None,
        Parameter(help="Planned runs besides, of this accuracy of poses; may be repeated."),
    ] = None,
    samples: Annotated[int, Parameter(help="About how many times the runs are compared at.", least=2)] = 200,
    repeats: Annotated[
        int,
        Parameter(help="How often a run is repeated to be timed; 0: not timed.", least=0),
    ] = 3,
    no_reference: Annotated[bool, Parameter(help="Make no reference; only agreement is shown.")] = False,
    out: Folder = None,
    report: Report = None,
    save_study: Annotated[Path | None, Parameter(help="Write what is run as a study file (.yaml, .json).")] = None,
    fresh: Fresh = False,
    workers: Workers = None,
    every_run: EveryRun = False,
    side: options.Side = None,
    robot: robot_files.RobotFile = None,
    accept_drivers: options.AcceptDrivers = False,
    accept_changes: options.AcceptChanges = False,
    json: options.Json = False,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Compare formulations and integrators on one mechanism.

    Every run is measured against a reference: its error and its drift, its iterations, its time per step. A run that
    fails is a row with its reason, and the exit status is 6; a formulation that cannot treat the mechanism, and was
    not asked for by name, does not count as failed.
    """
    from linkwork.studies.comparison.files import save_study as write
    from linkwork.studies.comparison.files import study_from

    deliverable(report, save_study, force=force)
    mechanism = robot_files.read(model, side, None, robot)
    output.notes(mechanism, quiet=quiet)
    by_name = not robot  # a study names a file, but not how it is read: then it holds what came of it
    said: dict[str, Any] = {
        "name": mechanism.name,
        "mechanism": _found_from(model, save_study) if by_name else mechanism.to_dict(),
        "side": _found_from(str(side), save_study) if by_name and side is not None else None,
        "t_end": t_end,
        "steps": step,
        "rtol": rtol,
        "formulations": formulation if formulation or not accuracy else "all",
        "accuracy": accuracy,
        "integrators": "all" if integrator == ["all"] else integrator,
        "reference": "none" if no_reference else None,
        "samples": samples if samples != 200 else None,
        "repeats": repeats if repeats != 3 else None,
        "accept_drivers": accept_drivers or None,
        "accept_changes": accept_changes or None,
    }
    study = study_from({"study": 1, **{name: value for name, value in said.items() if value is not None}})
    if save_study is not None:
        write(study, save_study, force=force)
    if fresh and out is None:
        raise UsageError("--fresh discards what --out keeps; name the folder.")
    return carry_out(
        study,
        mechanism,
        folder=out,
        fresh=fresh,
        workers=workers,
        report=report,
        every_run=every_run,
        json=json,
        force=force,
        quiet=quiet,
    )


def _found_from(model: str, study: Path | None) -> str:
    """How a study file names a model: as said where it is a shipped one, else by a path from the file's folder."""
    path = Path(model)
    if study is None or not path.exists():
        return model
    try:
        return Path(relpath(path, study.resolve().parent)).as_posix()
    except ValueError:  # on another drive
        return str(path.resolve())
