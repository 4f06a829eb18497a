"""What a problem in momenta offers besides the entries of an explicit one, to methods that kick and drift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from linkwork.kernels.records import EntryCall


class MomentumEntries(NamedTuple):
    """The problem's entries besides those of `evaluation.Entries`, in the words of `InMomenta`."""

    set_momenta: EntryCall
    put_weight: EntryCall
    keep_force: EntryCall
    kick: EntryCall
    drift: EntryCall
    carry: EntryCall
    correct_rates: EntryCall
    subtract_reactions: EntryCall


@dataclass(frozen=True)
class InMomenta:
    """Entries of `ExplicitProblem.context`, around momenta mu = M V at the base that the problem keeps.

    set_momenta     mu at the base, from its twists
    put_weight      the right side f becomes the weight; `apply` adds the other forces, those of inertia not
    keep_force      f is kept as the force
    kick            the momenta after the first half of a step: mu + step/2 force
    drift           poses base exp(psi) at request.time; right sides so that the solution x corrects psi (its pose
                    half) and its multipliers are step^2/2 lambda_0; the matrix stays the base's. Returns a Status
    carry           the momenta that kick and these multipliers amount to at base exp(psi)
    correct_rates   f is kept as the force, and mu = carried momenta + step/2 force; then f so that the solution x
                    corrects the twists that are set and its multipliers are step/2 lambda_1. Returns a Status
    subtract_reactions  mu -= J^T lam

    momentum, kicked : (nb + 1, 6) mu at the base, and after the first half of a step, as the entries have them.
    step : (1,) s, the size of the step, of either sign: written by the integrator.
    """

    set_momenta: Any
    put_weight: Any
    keep_force: Any
    kick: Any
    drift: Any
    carry: Any
    correct_rates: Any
    subtract_reactions: Any
    momentum: Any
    kicked: Any
    step: Any
