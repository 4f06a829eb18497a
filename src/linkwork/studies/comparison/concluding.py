"""From finished runs to a comparison: the reference first, then every run against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.run.uniqueness import IMPLIED
from linkwork.studies.comparison import reference as references
from linkwork.studies.comparison.agreement import agreement_of
from linkwork.studies.comparison.case import Case
from linkwork.studies.comparison.comparison import Comparison
from linkwork.studies.comparison.measures import Curves, Row, energy_curve, failed, measured
from linkwork.studies.comparison.plan import Plan
from linkwork.studies.comparison.scheduler import Scheduler
from linkwork.studies.comparison.study import Study
from linkwork.studies.motion import at_grid


def conclude(
    study: Study,
    plan: Plan,
    mech: Mechanism,
    scheduler: Scheduler,
    tried: Sequence[Case],
    length: float,
    facts: Mapping[str, Any],
    complete: bool,
) -> Comparison:
    """The comparison of a scheduler's runs, of those that are done."""
    motions = {case: scheduler.motion(scheduler.key(case)) for case in tried if scheduler.through(case)}
    reference = references.conclude(tried, motions, length)
    truth = None if reference is None or reference.case is None else _held(scheduler.result(reference.case))
    unique = not any(m.startswith(IMPLIED) for said in scheduler.said.values() for m in said.get("messages", ()))

    def rows_of(cases: Sequence[Case]) -> tuple[list[Row], dict[str, Curves]]:
        rows, curves = [], {}
        for case in cases:
            key = scheduler.key(case)
            said, result = scheduler.said.get(key), scheduler.result(case)
            if said is None:
                continue
            if result is None:
                lost = {"error": {"code": "LW-RESULT", "message": "its file cannot be read."}}
                rows.append(failed(case, key, said if "error" in said else lost))
                continue
            row, curves[key] = measured(
                case,
                key,
                said,
                result,
                interval=plan.setting.interval,
                length=length,
                reference=reference,
                reference_result=truth,
                timing=scheduler.timings.get(key),
                unique=unique,
            )
            rows.append(row)
        return rows, curves

    rows, curves = rows_of(plan.cases)
    first = next((scheduler.result(case) for case in plan.cases if scheduler.through(case)), None)
    return Comparison(
        study=study,
        mechanism=mech.name,
        description=" ".join(mech.description.split()),
        bodies=len(mech.bodies),
        joints=len(mech.joints),
        t_end=plan.setting.t_end,
        interval=plan.setting.interval,
        length=length,
        rows=tuple(rows),
        curves=curves,
        reference=reference,
        reference_tried=tuple(rows_of(tried)[0]),
        agreement=agreement_of(rows, scheduler.motion, length),
        energy_kind=_energy_kind(first, truth, plan.setting.interval),
        notes=(*plan.notes, *_notes(unique, reference, study, complete)),
        facts={**facts, "runs": len(rows), "kept_from_before": scheduler.kept},
        complete=complete,
        planned=len(plan.cases),
        shown=truth or _held(first),
    )


def _held(result: Result | None) -> Result | None:
    """The same in memory, since every run is compared with it."""
    if result is None:
        return None
    wanted = ("time", "position", "rotation", "kinetic_energy", "potential_energy", "reaction_force", "reaction_torque")
    return Result(result.header, {name: np.array(result[name]) for name in wanted if name in result})


def _energy_kind(result: Result | None, truth: Result | None, interval: float) -> str:
    return "" if result is None else energy_curve(result, truth, at_grid(result.time, interval))[1]


def _notes(unique: bool, reference: references.Reference | None, study: Study, complete: bool) -> list[str]:
    notes = []
    if not unique:
        notes.append("the mechanism has redundant rows: reactions are not unique and are not compared")
    if reference is None:
        if study.reference != "none" and not complete:
            notes.append("interrupted before there was a reference: errors are not known yet")
        elif study.reference != "none":
            notes.append("no reference could be made: errors are not known, only agreement is")
    elif not np.isfinite(reference.uncertainty) or reference.uncertainty > 1e-3:
        notes.append(
            f"the reference itself is known to {reference.uncertainty:.1g} only: the motion is sensitive (perhaps "
            "chaotic) or the span too long; errors below that say nothing"
        )
    return notes
