"""A check's report in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from linkwork.shown import counted

if TYPE_CHECKING:
    from linkwork.analysis.check_report import Capability, CheckReport, Redundancy

MOST = 12  # parts, redundancies or moves listed one by one


def words(report: CheckReport) -> str:
    """The whole report, a paragraph for each question."""
    paragraphs = [
        _parts(report),
        _freedom(report),
        _listed("redundant rows (reactions there are not unique):", map(_redundancy, report.redundant)),
        _listed("CONFLICTS:", (f"{_quoted(one.rows)}: {one.problem}" for one in report.contradictions)),
        _assembly(report),
        _listed("drivers that disagree with the start state:", report.driver_mismatches),
        _listed("stated start values that cannot stay:", report.cannot_stay),
        _masses(report),
        _listed("can run:", (_capability(one) for one in report.can)),
        _listed("warnings:", report.warnings),
        _listed("notes:", report.notes),
    ]
    return "\n".join(paragraph for paragraph in paragraphs if paragraph)


def _parts(report: CheckReport) -> str:
    kinds = {"joint": "joint", "driver": "driver", "constraint": "raw constraint"}
    counts = [(len(report.bodies), "body")]
    counts += [(sum(one.kind == kind for one in report.joints), name) for kind, name in kinds.items()]
    counts += [(len(report.forces), "force element"), (report.rows, "constraint row")]
    lines = [f"{report.name}: " + ", ".join(counted(n, name) for n, name in counts if n)]
    lines += [f"  body {one.name!r}: {one.detail}" for one in report.bodies[:MOST]]
    lines += [
        f"  {kinds[one.kind]} {one.name!r}: {one.type}, {one.detail}, {counted(one.rows, 'row')}"
        for one in report.joints[:MOST]
    ]
    hidden = max(0, len(report.bodies) - MOST) + max(0, len(report.joints) - MOST)
    return "\n".join([*lines, *([f"  and {hidden} more"] if hidden else [])])


def _freedom(report: CheckReport) -> str:
    f = report.freedom
    text = f"degrees of freedom: {f.velocities}"
    if f.positions != f.velocities:
        text += f" of velocities, {f.positions} of positions (some rows constrain velocities only)"
    if f.drivers:
        text += f" (mobility {f.mobility}, {counted(f.drivers, 'driver row')})"
    text += f"; rank {f.rank} of {counted(report.rows, 'row')}; by counting (Gruebler): {f.counted}"
    if f.estimated:
        text += "\n  (many bodies: the rank is estimated, from the smallest singular values of a sparse factorisation)"
    far = f"smallest singular value {report.singular_value:.2g} of the largest"
    return f"{text}\ndistance from a singular position: {far}"


def _redundancy(one: Redundancy) -> str:
    text = _quoted(one.rows)
    if one.implied_by:
        text += f": implied by {_quoted(one.implied_by)}"
    return text + (f"\n    suggestion: {one.suggestion}" if one.suggestion else "")


def _assembly(report: CheckReport) -> str:
    if not report.assembled:
        return f"NOT ASSEMBLED: {report.assembly_problem}"
    text = (
        f"assembled: the start state is off by {report.position_violation:.2g} in positions and "
        f"{report.velocity_violation:.2g} in velocities"
    )
    if report.rows_off and not report.moves:
        text += f", most in {_quoted(report.rows_off)}"
    return _listed(f"{text};", report.moves) if report.moves else f"{text}; nothing has to move"


def _masses(report: CheckReport) -> str:
    if not report.missing_masses:
        return ""
    return f"mass or inertia is missing for {_quoted(report.missing_masses)}: kinematics only"


def _capability(one: Capability) -> str:
    if not one.possible:
        return f"{one.analysis}: no, {one.obstacle}"
    usual: dict[str, list[str]] = {}
    for name, integrators in one.formulations.items():
        usual.setdefault(integrators[0] if integrators else "", []).append(name)
    kinds = [f"{', '.join(names)}{f' (usually by {first})' if first else ''}" for first, names in usual.items()]
    reasons: dict[str, list[str]] = {}
    for name, why in one.refused.items():
        reasons.setdefault(why, []).append(name)
    refusing = [f"\n    not {', '.join(names)}: {why}" for why, names in reasons.items()]
    return f"{one.analysis}: {'; '.join(kinds)}{''.join(refusing)}"


def _listed(title: str, some: Iterable[str]) -> str:
    lines = [f"  {line}" for line in some]
    hidden = len(lines) - MOST
    if not lines:
        return ""
    return "\n".join([title, *lines[:MOST], *([f"  and {hidden} more"] if hidden > 0 else [])])


def _quoted(names: Iterable[str]) -> str:
    every = [repr(name) for name in names]
    return ", ".join(every[:MOST]) + (f" and {len(every) - MOST} more" if len(every) > MOST else "")
