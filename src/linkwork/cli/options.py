"""The options that several verbs share, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter, validators

_positive = validators.Number(gt=0)

Model = Annotated[str, Parameter(help="A file, or a name that `linkwork models` lists.", allow_leading_hyphen=False)]
ModelUnlessResumed = Annotated[
    str | None,
    Parameter(
        help="A file, or a name that `linkwork models` lists; left out with --resume.", allow_leading_hyphen=False
    ),
]
Resume = Annotated[
    Path | None,
    Parameter(help="Go on with the run that was to be saved in this file and was killed, interrupted or cut off."),
]
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
Integrator = Annotated[
    str | None, Parameter(help="One that goes with the formulation. Default: the formulation's usual one.")
]
Newton = Annotated[
    Literal["full", "no-reaction-variation", "frozen"] | None,
    Parameter(help="Iteration matrix: exact, without the variation of the reactions, or kept over steps (default)."),
]
RhoInfinity = Annotated[
    float | None,
    Parameter(
        help="generalized-alpha: spectral radius at infinite frequency, 1 (no damping) to 0.",
        validator=validators.Number(gte=0, lte=1),
    ),
]
Rtol = Annotated[
    float | None,
    Parameter(help="Relative tolerance of a step: makes the steps of a pair adaptive.", validator=_positive),
]
Atol = Annotated[float | None, Parameter(help="Absolute tolerance of a step, likewise.", validator=_positive)]
MaxStep = Annotated[float | None, Parameter(help="Largest adaptive step, s.", validator=_positive)]
Stabilise = Annotated[
    Literal["none", "baumgarte", "projection"] | None,
    Parameter(help="What holds explicit runs on their constraints. Default: nothing."),
]
Baumgarte = Annotated[
    tuple[float, float] | None, Parameter(help="Its gains alpha and beta, 1/s. Default: 1 / (10 step) each.")
]
ProjectEvery = Annotated[
    int | None, Parameter(help="Project every so many steps. Default: 1.", validator=validators.Number(gte=1))
]
Group = Annotated[
    list[str] | None,
    Parameter(negative=(), help="BODY=se3 or BODY=product: lie-mixed's group of one body; may be repeated."),
]
Elimination = Annotated[
    Literal["newton-euler", "two-step", "one-shot"] | None,
    Parameter(help="rotation-matrix: how multipliers are found. Default: newton-euler; two-step where they are held."),
]
Multipliers = Annotated[
    Literal["stage", "step"] | None,
    Parameter(help="rotation-matrix: multipliers found at every stage (default), or held over a step."),
]
MatrixKind = Annotated[
    Literal["sparse", "dense"] | None, Parameter(help="rotation-matrix: the linear system's matrix. Default: sparse.")
]
OrthonormaliseEvery = Annotated[
    int | None,
    Parameter(
        help="rotation-matrix: back on SO(3) every so many steps. Default: 0, never.",
        validator=validators.Number(gte=0),
    ),
]
Further = Annotated[
    list[str] | None,
    Parameter(
        name="--option",
        negative=(),
        help="NAME=VALUE: any option of the formulation or the integrator, such as basis=graph; may be repeated.",
    ),
]
Limit = Annotated[
    list[str] | None,
    Parameter(
        name="--limit",
        negative=(),
        help="NAME=VALUE: what the run may do before it is doubted, called wrong or ended: energy, violation, apart, "
        "growth, slip, turn, speed; inf switches one off; may be repeated.",
    ),
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
AcceptChanges = Annotated[
    bool,
    Parameter(negative=(), help="Let assembly change stated start values that the joints do not allow: reported."),
]
Verify = Annotated[
    bool,
    Parameter(negative=(), help="Check the run with an independent formulation, and say to how many digits it holds."),
]
Digits = Annotated[
    float | None, Parameter(help="Digits asked for by --verify; 2 if left out. Verifies by itself, too.")
]
