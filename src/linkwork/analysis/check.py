"""A mechanism in words: what it is, how freely it moves, and what is wrong or unusual about it.

Nothing is compiled here; rows are evaluated a few times as plain Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.analysis.assembly import opposite_axes
from linkwork.analysis.check_report import (
    Capability,
    CheckReport,
    Conflict,
    Freedom,
    Part,
    Redundancy,
)
from linkwork.analysis.contradictory_rows import contradictions
from linkwork.analysis.freedom import RankStudy, study_rank
from linkwork.analysis.suggestions import freer_joint
from linkwork.errors import AssemblyError
from linkwork.formulations import FORMULATIONS
from linkwork.mechanism import Mechanism, need_mechanism
from linkwork.one_thread import one_blas_thread
from linkwork.run.matching import describe
from linkwork.run.moved_bodies import moved
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.alignment import apart
from linkwork.system.altered import altered
from linkwork.system.assembled import Assembled
from linkwork.system.assembly import Fit, assemble, fit_positions, position_rows, row_rates, worst_rows
from linkwork.system.dense import Pose, Rates, drives, row_parts, velocity_rhs
from linkwork.system.inertia import motions_without_inertia
from linkwork.system.near_singular import CONDITION, LARGEST, nearly_dependent

ROUNDING = 1e-9  # of the mechanism's length, m, and that per second
NEAR_SINGULAR = 1e-4  # of mechanisms too large for `nearly_dependent`: smallest singular value relative to the largest,
# per body: it falls with their number
SUGGESTIONS = 6  # joints for which a freer one is looked for


@one_blas_thread()
def check(mechanism: Mechanism) -> CheckReport:
    """Examine a mechanism at its start state.

    A mechanism that cannot be assembled gives a report too (`ok` is False and `contradictions` names the rows). Raises
    ModelError for elements whose description makes no sense.
    """
    need_mechanism(mechanism)
    compiled = compile_mechanism(mechanism.lower())
    compiled.lowered.need_bodies()
    assembled, problem, fit = _assembled(compiled)
    pose = assembled.pose if assembled is not None else fit.pose
    rates = assembled.rates if assembled is not None else Rates(compiled.v, compiled.w)
    there = compiled.at(pose.r, pose.A, rates.v, rates.w)
    study = study_rank(there)
    mismatches = mechanism.driver_mismatches()
    against = altered(compiled, assembled) if assembled is not None and not mismatches else []
    missing = tuple(b.name for b in compiled.lowered.bodies if b.mass is None or b.inertia is None)
    conflicts = contradictions(there, study.here, fit.phi, assembled is not None, mechanism.run.t_end)
    if assembled is None and not conflicts and not fit.fits:
        worst = worst_rows(compiled, fit.phi, position_rows(compiled), most=8)
        conflicts = (Conflict(tuple(compiled.row_names[k] for k in worst), "cannot be met together", certain=True),)
    warnings = [*apart(compiled, Pose(compiled.r, compiled.A)), *opposite_axes(there), *_warnings(there, study)]
    return CheckReport(
        name=mechanism.name,
        file=mechanism.file,
        bodies=tuple(Part(b.name, "body", _mass_words(b)) for b in compiled.lowered.bodies),
        joints=_joints(compiled),
        forces=tuple(Part(force.name, force.type, "") for force in mechanism.forces),
        rows=compiled.nc,
        freedom=_freedom(there, study),
        redundant=_redundant(mechanism, there, study),
        contradictions=conflicts,
        driver_mismatches=tuple(str(one) for one in mismatches),
        assembled=assembled is not None,
        position_violation=fit.before,
        velocity_violation=assembled.velocity_before if assembled is not None else float("nan"),
        rows_off=_rows_off(compiled, fit, assembled),
        moves=tuple(moved(compiled, assembled)) if assembled is not None else (),
        cannot_stay=tuple(str(one) for one in against),
        assembly_problem=problem,
        singular_value=study.here.nearly,
        missing_masses=missing,
        can=_capabilities(there, study, missing, _obstacle(assembled is not None, bool(mismatches), bool(against))),
        warnings=tuple(warnings),
        notes=(*mechanism.notes, *(note for note in compiled.lowered.notes if note not in mechanism.notes)),
    )


def _assembled(compiled: CompiledMechanism) -> tuple[Assembled | None, str, Fit]:
    """What assembly came to, why it failed if it did, and how well positions fit."""
    fit = fit_positions(compiled, Pose(compiled.r, compiled.A), drives(compiled, 0.0))
    try:
        return assemble(compiled, fit=fit), "", fit
    except AssemblyError as error:
        return None, error.message, fit


def _rows_off(compiled: CompiledMechanism, fit: Fit, assembled: Assembled | None) -> tuple[str, ...]:
    """Names of the rows that the start state violates most, where that is more than rounding; positions first."""
    drive, start = drives(compiled, 0.0), Pose(compiled.r, compiled.A)
    found = []
    if fit.before > ROUNDING * compiled.length:
        found += worst_rows(compiled, row_parts(compiled, start, drive).phi, position_rows(compiled))
    if assembled is not None and assembled.velocity_before > ROUNDING * compiled.length:
        rates = row_rates(compiled, row_parts(compiled, fit.pose, drive), Rates(compiled.v, compiled.w))
        missing = velocity_rhs(compiled, fit.pose, drive) - rates
        found += worst_rows(compiled, missing, np.ones(compiled.nc, dtype=bool))
    return tuple(dict.fromkeys(compiled.row_names[k] for k in found))


def _mass_words(body: Any) -> str:
    if body.mass is None:
        return "no mass"
    return f"{body.mass:.6g} kg" + ("" if body.inertia is not None else ", no inertia")


def _joints(compiled: CompiledMechanism) -> tuple[Part, ...]:
    names = (*compiled.body_names, "ground")
    return tuple(
        Part(one.name, one.type, f"{names[one.body_i]} - {names[one.body_j]}", kind=one.kind, rows=len(one.rows))
        for one in compiled.lowered.joints
    )


def _freedom(compiled: CompiledMechanism, study: RankStudy) -> Freedom:
    columns = 6 * compiled.nb
    return Freedom(
        velocities=columns - study.usual.rank,
        positions=columns - study.positions,
        mobility=columns - study.undriven,
        drivers=sum(row.driver for row in compiled.lowered.rows),
        counted=columns - compiled.nc,
        rank=study.usual.rank,
        rank_here=study.here.rank,
        estimated=study.here.estimated,
    )


def _redundant(mechanism: Mechanism, compiled: CompiledMechanism, study: RankStudy) -> tuple[Redundancy, ...]:
    """Redundant rows by element, with what implies them."""
    rows, rank = compiled.lowered.rows, study.usual
    by_owner: dict[str, list[tuple[int, tuple[int, ...]]]] = {}
    for k, others in zip(rank.redundant, rank.depends_on, strict=True):
        by_owner.setdefault(rows[k].owner, []).append((k, others))
    found = []
    for count, (owner, some) in enumerate(by_owner.items()):
        implied = dict.fromkeys(rows[c].owner for _, others in some for c in others if rows[c].owner != owner)
        suggestion = freer_joint(mechanism, compiled, study, owner) if count < SUGGESTIONS else ""
        found.append(Redundancy(owner, tuple(rows[k].name for k, _ in some), tuple(implied), suggestion))
    return tuple(found)


def _warnings(compiled: CompiledMechanism, study: RankStudy) -> list[str]:
    found = []
    lost = study.usual.rank - study.here.rank
    if lost > 0:
        found.append(
            f"the start is a singular position: {lost} more row{'s' if lost > 1 else ''} dependent than nearby "
            "(a dead centre, or a place where the motion can branch)"
        )
    elif (loops := nearly_dependent(compiled, CONDITION)).elements:
        found.append(f"the start is {loops.told()}")
    elif compiled.nb > LARGEST and study.here.nearly < NEAR_SINGULAR / compiled.nb:
        found.append(f"the start is near a singular position: smallest singular value {study.here.nearly:.2g}")
    found += motions_without_inertia(compiled)
    return found


def _obstacle(assembled: bool, disagree: bool, against: bool) -> str:
    """What stands in the way of every run, or ''."""
    if not assembled:
        return "it is not assembled"
    if disagree:
        return "drivers disagree with the start state"
    return "stated start values cannot stay" if against else ""


def _capabilities(
    compiled: CompiledMechanism, study: RankStudy, missing: tuple[str, ...], obstacle: str
) -> tuple[Capability, ...]:
    """Which analyses can run, with which formulations, or why not."""
    freedom = 6 * compiled.nb - study.usual.rank
    kinematics, dynamics = obstacle, obstacle
    if not obstacle:
        if np.any(compiled.system.rows.nonholonomic):
            kinematics = "it has rows at velocity level"
        elif freedom:
            kinematics = f"its drivers leave {freedom} degrees of freedom"
        if missing:
            dynamics = f"mass or inertia is missing for {', '.join(repr(name) for name in missing)}"
    described = describe()
    refused = {} if dynamics else _refusals(compiled, [one["name"] for one in described])
    if len(refused) == len(described):
        dynamics = " and ".join(dict.fromkeys(refused.values()))
    willing = {one["name"]: one["integrators"] for one in described if one["name"] not in refused}
    return (
        Capability("kinematics", not kinematics, kinematics, {d["name"]: [] for d in described if d["kinematics"]}),
        Capability("dynamics", not dynamics, dynamics, willing, refused),
    )


def _refusals(compiled: CompiledMechanism, names: list[str]) -> dict[str, str]:
    """Formulations that do not take the mechanism with their usual options, and why."""
    found = {name: FORMULATIONS.load(name).refusal(compiled) for name in names}
    return {name: why for name, why in found.items() if why is not None}
