"""Runs with other lengths whose numbers are written where a placed run has them, and nowhere else.

Where all that becomes of numbers are copies in tables, a start needs no tables of its own: it is searched with those
that the placed run's compiled code reads. What results are asked later (energies, reactions, whether the run is to be
believed) takes tables of its own then, of the same numbers and the same start.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from linkwork.errors import LinkworkError
from linkwork.mechanism.lowered import Lowered
from linkwork.remembered import set_fields
from linkwork.run.lengths import Lengths
from linkwork.run.placing import Placed, Places
from linkwork.run.simulate import Call
from linkwork.run.starting import Start, agreed, need_agreement
from linkwork.status import Status
from linkwork.system.assembled import Assembled


class StartInPlace:
    """The start of a run whose numbers were written in place. lowered : the flat mechanism with these numbers."""

    def __init__(self, known: Lengths, numbers: list[float], lowered: Lowered, assembled: Assembled) -> None:
        self.known, self.numbers, self.lowered, self.assembled = known, numbers, lowered, assembled

    @cached_property
    def start(self) -> Start:
        """As `Lengths.start` finds it, with tables of its own. Raises nothing: whether it may change was asked."""
        known = self.known
        described = known.made(self.numbers, self.lowered)
        return agreed(known.mechanism, described, self.assembled, known.messages, True, *known.how)


def started_in_place(
    known: Lengths, given: Mapping[str, float], places: Places, call: Call, kind: bytes
) -> tuple[Placed, StartInPlace] | None:
    """A placed run at the start with these numbers, to be handed back when it is over; None where the usual way has to
    be taken."""
    starts, numbers = known.codes.starts, known.numbers(given)
    if starts is None or numbers is None or (placed := places.free(call.duration, kind)) is None:
        return None
    if starts.rows.fits(known.known.system.rows):
        try:
            placed.write(known, numbers)
            lowered = known.lowered(given, numbers)
            parts: dict[str, Any] = {"tables": placed.tables, "couplings": placed.couplings}
            if placed.system is not None:
                parts["system"] = placed.system
            there = known.made(numbers, lowered, **parts)
            found = starts.assembled(there, aligned=True)
            if found is not None and (known.wins or found.stands):
                (r, A), (v, w) = found.pose, found.rates
                set_fields(there, r=r, A=A, v=v, w=w, squares=found.squares)
                call.formulation.admit(there)
                run = placed.begun(there)
                if run is not None:
                    run.begin_at(0.0, None)
                    if run.initialise() == Status.OK and placed.held.finite:
                        need_agreement(there, run, 0.0)
                        return placed, StartInPlace(known, numbers, lowered, found)
        except LinkworkError:  # the usual way tells why
            pass
    places.hand_back(placed)
    return None
