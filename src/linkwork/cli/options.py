"""The options that several verbs share, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from linkwork.cli.parameter import Parameter
from linkwork.options import Configured, declared
from linkwork.run.samples import Acceptance, Samples


def _meaning(owner: type[Configured], name: str) -> str:
    """What an option means to its owner, as a sentence."""
    text = declared(owner)[name].option.meaning
    return f"{text[:1].upper()}{text[1:]}."


Model = Annotated[str, Parameter(help="A file, or a name that `linkwork models` lists.")]
ModelUnlessResumed = Annotated[
    str | None,
    Parameter(help="A file, or a name that `linkwork models` lists; left out with --resume and --plan."),
]
PlanFile = Annotated[
    Path | None,
    Parameter(help="Carry out the plan in this file (`linkwork plan --out`), with the pair chosen and its mechanism."),
]
Resume = Annotated[
    Path | None,
    Parameter(help="Go on with the run that was to be saved in this file and was killed, interrupted or cut off."),
]
Side = Annotated[
    Path | None,
    Parameter(help="A file with what a Kissel 2021 model lacks: masses, inertias, drivers."),
]
Coordinates = Annotated[
    list[str] | None,
    Parameter(
        name="--state",
        help="NAME=VALUE: start with this joint angle [rad] or displacement [m], such as hip=0.3 or knee.angle=1; what "
        "is given is held, the rest is assembled around it; may be repeated.",
    ),
]
Rates = Annotated[
    list[str] | None,
    Parameter(name="--rate", help="NAME=VALUE: start with this rate of a joint coordinate; may be repeated."),
]
After = Annotated[Path | None, Parameter(help="Start from the last sample of this result file, at its time.")]
EndTime = Annotated[float | None, Parameter(help="End time, s. Default: the model's own.", above=0.0)]
Step = Annotated[float | None, Parameter(help="Step size, s. Default: the model's own.", above=0.0)]
Every = Annotated[int, Parameter(help=_meaning(Samples, "every"), least=1)]
Out = Annotated[Path | None, Parameter(help="Save the run in this file (.nc: NetCDF; .csv: a table).")]
Plot = Annotated[Path | None, Parameter(help="Draw the run into this file (.png, .svg, .pdf).")]
View = Annotated[
    bool,
    Parameter(
        help="Write a page that shows the run moving: beside --out, or under the model's name here (.html).",
    ),
]
Live = Annotated[
    bool,
    Parameter(help="Show the run in the browser while it goes on; needs linkwork[view]."),
]
Json = Annotated[bool, Parameter(name="--json", help="Print one JSON document on standard output.")]
Force = Annotated[bool, Parameter(help="Overwrite files that are there already.")]
Quiet = Annotated[bool, Parameter(help="Say nothing but errors.")]
Accuracy = Annotated[
    list[str] | None,
    Parameter(
        help="State the global error instead of a method: 1e-6 (of poses: shares of the mechanism's length, rad), or "
        "position=1e-6m, reaction:JOINT=1e-3N; may be repeated. --step is then the time between samples. Default: "
        "1e-4, unless a formulation, an integrator or an option of theirs is given.",
    ),
]
TimeLimit = Annotated[
    float | None,
    Parameter(help="With --accuracy: seconds that all runs together may take; what there is by then is kept."),
]
Effort = Annotated[
    Literal["estimate", "measure", "patient"] | None,
    Parameter(help="With --accuracy: how much to try before choosing. Default: estimate."),
]
FormulationOrChosen = Annotated[
    str | None,
    Parameter(
        help="One of those that `linkwork formulations` lists. Default: what is planned for the accuracy; rA if an "
        "integrator or an option is given."
    ),
]
Formulation = Annotated[str, Parameter(help="One of those that `linkwork formulations` lists.")]
Integrator = Annotated[
    str | None, Parameter(help="One that goes with the formulation. Default: the formulation's usual one.")
]
Further = Annotated[
    list[str] | None,
    Parameter(
        name="--option",
        help="NAME=VALUE: an option of a formulation or integrator by its name, such as basis=graph; may be repeated.",
    ),
]
Limit = Annotated[
    list[str] | None,
    Parameter(
        name="--limit",
        help="NAME=VALUE: what the run may do before it is doubted, called wrong or ended: energy, violation, apart, "
        "growth, slip, turn, speed, missed, defect, condition; inf switches one off; may be repeated.",
    ),
]
Set = Annotated[
    list[str] | None,
    Parameter(
        name="--set",
        help="NAME=VALUE: another value of a parameter of the model, or of any number of it, such as rod.mass or "
        "rod.position.z; may be repeated.",
    ),
]
PositionTolerance = Annotated[
    float, Parameter(help="Size of the position correction at which a step is done.", above=0.0)
]
AcceptDrivers = Annotated[bool, Parameter(help=_meaning(Acceptance, "accept_drivers"))]
AcceptChanges = Annotated[bool, Parameter(help=_meaning(Acceptance, "accept_changes"))]
Verify = Annotated[
    bool,
    Parameter(help="Check the run with an independent formulation, and say to how many digits it holds."),
]
Digits = Annotated[
    float | None, Parameter(help="Digits asked for by --verify; 2 if left out. Verifies by itself, too.")
]
