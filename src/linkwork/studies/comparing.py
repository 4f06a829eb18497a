"""`linkwork.compare`: every formulation on one mechanism, in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.studies.comparison.comparison import Comparison
from linkwork.studies.comparison.files import study_from
from linkwork.studies.comparison.scheduler import Tell, quiet
from linkwork.studies.comparison.study_run import run_study


def compare(
    mech: Mechanism,
    t_end: float | None = None,
    *,
    steps: float | Sequence[float] | None = None,
    rtol: float | Sequence[float] | None = None,
    atol: float | None = None,
    formulations: str | Sequence[str] | None = "all",
    integrators: str | Sequence[str] = "suitable",
    accuracy: float | Sequence[float] | None = None,
    options: Mapping[str, Any] | None = None,
    reference: str | Mapping[str, Any] = "auto",
    samples: int = 200,
    repeats: int = 3,
    accept_drivers: bool = False,
    accept_changes: bool = False,
    folder: str | PathLike[str] | None = None,
    fresh: bool = False,
    workers: int | None = None,
    tell: Tell = quiet,
) -> Comparison:
    """Run a mechanism with many formulations and integrators, and compare them.

    Parameters
    ----------
    mech : the mechanism; every body needs mass and inertia.
    t_end : s; the mechanism's own if left out.
    steps, rtol : fixed steps [s], and tolerances for integrators that control their error (with `atol`, 1e-9
        if left out); the mechanism's own step times 4, 2 and 1, and 1e-4, 1e-7 and 1e-10, if both are
        left out.
    formulations : ``all`` or names. integrators : ``suitable`` (of each problem shape the usual one and that of highest
        order), ``all`` that fit, or names.
    accuracy : planned runs besides, one for each accuracy of poses asked for; linkwork chooses how, and says whether it
        is reached. With `formulations=None` there are no others.
    options : handed to every formulation and integrator that has them.
    reference : what errors are measured against: ``auto``, ``none``, or a mapping with formulation, integrator, and
        step or rtol (see `studies.comparison.reference`).
    samples : about how many times the runs are compared at.
    repeats : of a timed run; 0 times nothing.
    accept_drivers, accept_changes : as in `simulate`.
    folder : keeps finished runs, so that an interrupted comparison goes on where it was; `fresh` discards them.
    workers : processes side by side (default: one per core).

    Returns a Comparison: rows, curves, agreement; `.table()`, `.dataset`, `.save("x.html")`, `.save("x.nc")`. A run
    that fails is a row with its reason. Raises ModelError and its kin, AssemblyError, UsageError, StudyError;
    RunInterruptedError with what was done as `.result`.
    """
    given = {
        "name": getattr(mech, "name", "study"),
        "mechanism": document_of(mech),
        "t_end": t_end,
        "steps": _listed(steps),
        "rtol": _listed(rtol),
        "atol": atol,
        "formulations": _listed(formulations),
        "integrators": _listed(integrators),
        "accuracy": _listed(accuracy),
        "options": dict(options or {}),
        "reference": dict(reference) if isinstance(reference, Mapping) else reference,
        "samples": samples,
        "repeats": repeats,
        "accept_drivers": accept_drivers,
        "accept_changes": accept_changes,
    }
    study = study_from({name: value for name, value in given.items() if value is not None})
    place = Path(folder) if folder is not None else None
    return run_study(study, mech, folder=place, fresh=fresh, workers=workers, tell=tell)


def document_of(mech: Any) -> dict[str, Any]:
    """The mechanism as plain data. Raises UsageError if it is none."""
    need_mechanism(mech)
    found: dict[str, Any] = mech.to_dict()
    return found


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, (list, tuple, set)) or hasattr(value, "tolist") else value
