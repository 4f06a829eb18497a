"""Redundant rows, and bodies without inertia about an axis: who runs them, who does not, and in which words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.formulations import FORMULATIONS
from linkwork.mechanism import Mechanism
from linkwork.run.matching import pair
from linkwork.run.simulate import simulate
from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.generated import bricard, ladder
from linkwork.studies.papers.mufti1983.methods import BASES, PUBLISHED
from linkwork.studies.runs import Runs

SPAN, STEPS = 0.5, {"explicit": 5e-3, "implicit": 5e-4}  # s
FORMS: dict[str, dict[str, Any]] = {
    name if basis is None else f"{name}, {basis}": {"formulation": name}
    | ({} if basis is None else {"options": {"basis": basis}})
    for name in FORMULATIONS
    for basis in (BASES if name == "null-space" else (None,))
}
BRICARD, FOUR_BAR, TWO = "Bricard", "planar four-bar", "two four-bars"
REDUNDANT: dict[str, Callable[[], Mechanism]] = {
    BRICARD: bricard,
    FOUR_BAR: lambda: ladder(1),
    TWO: lambda: ladder(2),
}
THIN_BRICARD, FOUR_LINK, NEEDLE = "Bricard, thin bars", "four link", "needle on a ball"
ENERGY = 1e-2  # J
REFERENCE = "augmented"


@dataclass(frozen=True)
class Outcome:
    """A run, or why there is none.

    energy : largest error, J; NaN where drivers do work. joints : whose reactions are not unique. end : where the last
    body's centre of mass ends, m.
    """

    energy: float
    joints: int
    end: Any
    refusal: str = ""

    def word(self, other: Outcome) -> str:
        """For a table: error of the energy, and distance from where another run ends."""
        if self.refusal:
            return f"refuses: {self.refusal}"
        apart = f"{float(np.linalg.norm(self.end - other.end)):.0e} m"
        return apart if self.energy != self.energy else f"{self.energy:.0e} J, {apart}"


def redundant(runs: Runs) -> Finding:
    """Bricard's mechanism, and one and two planar four-bars with spatial hinges, in every formulation there is."""
    found = outcomes(runs, REDUNDANT)
    ran = [key for key, one in found.items() if not one.refusal]
    refused = sorted({way for (_, way), one in found.items() if one.refusal})
    named = {name: {found[name, way].joints for way in FORMS if (name, way) in ran} for name in REDUNDANT}
    off = max(found[key].energy for key in ran)
    said = f"These do not: {', '.join(refused)}. " if refused else ""
    return Finding.judged(
        as_wanted(off, named),
        otherwise=Verdict.PARTLY,
        **PUBLISHED["redundant"].told,
        measured=f"{len(set(FORMS) - set(refused))} of {len(FORMS)} formulations and bases run all of "
        f"{', '.join(REDUNDANT)} over {SPAN:g} s, energies within {off:.1g} J. {said}All name the same joints as "
        f"those whose reactions are not unique: {', '.join(f'{max(named[name])} in {name}' for name in REDUNDANT)}.",
        why="null-space with QR, singular values or a partition, and penalty, meet dependent rows by themselves; the "
        "others take them out before each step. Reactions are those of least norm; penalty shares by its prices.",
        panels=(pictured(found, REDUNDANT),),
        numbers={f"{name}, {way}, energy [J]": found[name, way].energy for name, way in ran},
        table=table(found, REDUNDANT),
    )


def singular_inertia(runs: Runs) -> Finding:
    """Bars without inertia about their line, held by hinges, and one that nothing holds."""
    cases: dict[str, Callable[[], Mechanism]] = {
        THIN_BRICARD: lambda: bricard("thin"), FOUR_LINK: lambda: runs.mechanism("kissel2021_four_link"), NEEDLE: needle
    }  # fmt: skip
    found = outcomes(runs, cases)
    held = (THIN_BRICARD, FOUR_LINK)
    run_both = [way for way in FORMS if not any(found[name, way].refusal for name in held)]
    refuse = [way for way in FORMS if way not in run_both]
    free = [way for way in FORMS if not found[NEEDLE, way].refusal]
    return Finding(
        claim="Which methods run bodies that lack inertia about an axis? The paper asks for the inverse of every "
        "inertia "
        "in (14) and (50), and of K in (51).",
        measured=f"Where joints hold the axis, {'; '.join(refuse) or 'none'} say that a body lacks inertia about it; "
        "all "
        f"other {len(run_both)} run. A needle on a ball joint, whose spin nothing determines, is run by "
        f"{'; '.join(free) or 'none, and all say so'}.",
        why="(10), (15) and (40) need M on the motions that constraints allow, and nothing more.",
        verdict=Verdict.OWN,
        panels=(pictured(found, (THIN_BRICARD,)),),
        numbers={f"{THIN_BRICARD}, {way}, energy [J]": found[THIN_BRICARD, way].energy for way in run_both},
        table=table(found, cases),
    )


def needle() -> Mechanism:
    """A bar without inertia about its line on a ball joint."""
    made = Mechanism("needle")
    made.body("needle", mass=1.0, inertia=[0.0, 0.1, 0.1], position=(0.5, 0.0, 0.0))
    made.joint("pin", "spherical", "ground", "needle", point=(0, 0, 0))
    return made


def as_wanted(off: float, named: Mapping[str, set[int]]) -> bool:
    """Whether energies [J] are kept, and all that run name as many joints whose reactions are not unique."""
    return off < ENERGY and all(len(some) == 1 for some in named.values())


def outcomes(runs: Runs, cases: dict[str, Callable[[], Mechanism]]) -> dict[tuple[str, str], Outcome]:
    """By mechanism and way."""
    key = f"mufti1983 {', '.join(cases)}"
    return runs.once(
        key, lambda: {(name, way): attempt(cases[name](), how) for name in cases for way, how in FORMS.items()}
    )


def attempt(made: Mechanism, how: dict[str, Any]) -> Outcome:
    """Run it, projected where that is possible."""
    _, method = pair(how["formulation"], None)
    explicit = "stabilisation" in method.options
    treatment: dict[str, Any] = {"stabilisation": "projection"} if explicit else {}
    try:
        result = simulate(made, SPAN, STEPS["explicit" if explicit else "implicit"], **how, **treatment)
    except LinkworkError as error:
        return Outcome(float("nan"), 0, None, why(error))
    shared = [text for text in result.messages if "reactions of" in text]
    joints = [joint.name for joint in made.lower().joints]
    count = sum(f"'{joint}'" in shared[0] for joint in joints) if shared else 0
    energy = float(np.max(np.abs(result.energy - result.energy[0])))
    driven = any(not isinstance(row.f, float) for row in made.lower().rows)
    return Outcome(float("nan") if driven else energy, count, result.position(result.bodies[-1])[-1])


def why(error: LinkworkError) -> str:
    """In a few words, without the names in it."""
    text = str(error)
    if "no inertia about" in text:
        return "needs inertia about every axis"
    if "not determined" in text:
        return "accelerations are not determined"
    return f"{error.code}: {text.split(';')[0].rstrip('.')}"


def pictured(found: dict[tuple[str, str], Outcome], cases: Any) -> Panel:
    """Energy errors as dots; who refuses has none."""
    x = np.arange(1.0, len(FORMS) + 1.0)
    gaps = any(found[name, way].refusal for name in cases for way in FORMS)
    return Panel(
        f"energy error over {SPAN:g} s",
        "",
        f"energy off in {SPAN:g} s [J]" + ("; no dot: refuses" if gaps else ""),
        tuple(
            Curve(name, x, np.array([max(found[name, way].energy, 1e-17) for way in FORMS]), dots=True)
            for name in cases
        ),
        log="y",
        names=tuple(way.replace("null-space, ", "null: ") for way in FORMS),
    )


def table(found: dict[tuple[str, str], Outcome], cases: Any) -> dict[str, list[Any]]:
    """A line per way."""
    return columns(
        ("formulation", *(f"{name}: energy off, end from {REFERENCE}'s" for name in cases)),
        [(way, *(found[name, way].word(found[name, REFERENCE]) for name in cases)) for way in FORMS],
    )
