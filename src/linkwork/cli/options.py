"""The options that several verbs share, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter, validators

_positive = validators.Number(gt=0)

Model = Annotated[str, Parameter(help="A file, or a name that `linkwork models` lists.", allow_leading_hyphen=False)]
Side = Annotated[
    Path | None,
    Parameter(help="A file with what a Kissel 2021 model lacks: masses, inertias, drivers."),
]
EndTime = Annotated[float | None, Parameter(help="End time, s. Default: the model's own.", validator=_positive)]
Step = Annotated[float | None, Parameter(help="Step size, s. Default: the model's own.", validator=_positive)]
Every = Annotated[int, Parameter(help="Keep every so manieth step.", validator=validators.Number(gte=1))]
Out = Annotated[Path | None, Parameter(help="Save the run in this file (.nc: NetCDF; .csv: a table).")]
Plot = Annotated[Path | None, Parameter(help="Draw the run into this file (.png, .svg, .pdf).")]
Json = Annotated[bool, Parameter(name="--json", negative=(), help="Print one JSON document on standard output.")]
Force = Annotated[bool, Parameter(negative=(), help="Overwrite files that are there already.")]
Quiet = Annotated[bool, Parameter(negative=(), help="Say nothing but errors.")]
Formulation = Annotated[str, Parameter(help="One of those that `linkwork formulations` lists.")]
Integrator = Annotated[str, Parameter(help="One that goes with the formulation.")]
Newton = Annotated[
    Literal["full", "no-reaction-variation", "frozen"],
    Parameter(help="Iteration matrix: exact, without the variation of the reactions, or kept over steps."),
]
Tolerance = Annotated[
    float | None, Parameter(help="Size of Newton's correction at which a step is done.", validator=_positive)
]
PositionTolerance = Annotated[
    float, Parameter(help="Size of the position correction at which a step is done.", validator=_positive)
]
AcceptDrivers = Annotated[
    bool, Parameter(negative=(), help="Let drivers that disagree with the start state win, instead of refusing them.")
]
