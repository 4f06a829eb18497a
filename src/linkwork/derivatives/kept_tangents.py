"""How the start of a run moves with numbers, kept with the mechanism: other functions of the same run ask for it again.

It hangs on the mechanism, on how it is run, and on the numbers; on no function of the result. The mechanism keeps it
for as long as it has the very same elements (`mechanism.kept`), and that of the last question alone: how it is run, by
which numbers, and all that compiled code works on at the start, to the last bit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from linkwork.derivatives.described import Described
from linkwork.derivatives.grouped import Sparse
from linkwork.mechanism.kept import kept

if TYPE_CHECKING:
    from linkwork.derivatives.nominal import Nominal

MOST = 2_000_000  # places that all numbers move, each counted: 32 MB; where there are more, nothing is kept


class LastTangents:
    """Those of the last question about a mechanism."""

    def __init__(self) -> None:
        self._last: tuple[Hashable, list[Sparse]] | None = None

    def of(self, question: Hashable, find: Callable[[], list[Sparse]]) -> list[Sparse]:
        """The answer to a question, found where it is not the last one; not to be written into."""
        last = self._last  # read once: other threads may ask, too
        if last is not None and last[0] == question:
            return last[1]
        found = find()
        self._last = (question, found) if sum(len(one.at) for one in found) <= MOST else None
        for one in found if self._last else ():
            one.at.setflags(write=False)
            one.value.setflags(write=False)
        return found


def kept_tangents(nominal: Nominal, numbers: Sequence[Described], find: Callable[[], list[Sparse]]) -> list[Sparse]:
    """Of each number of a run's mechanism, what `find` finds, or found when the same was asked for last."""
    question = _question(nominal, numbers)
    if question is None:
        return find()
    return kept(nominal.mechanism, "how starts move", LastTangents).of(question, find)


def _question(nominal: Nominal, numbers: Sequence[Described]) -> Hashable | None:
    """All that tangents of a start hang on besides the mechanism; None where it is not known as plain data."""
    call, widened = nominal.call, nominal.ready.compiled.widened
    try:
        asked = call.asked()
        how = None if asked is None else json.dumps(asked, sort_keys=True)
    except (TypeError, ValueError):  # an option that is an object
        return None
    if how is None or widened is not None or any(one.mechanism is not nominal.mechanism for one in numbers):
        return None
    reals = nominal.prepared(nominal.ready.compiled, 0).reals
    at_start = tuple(sha256(array.tobytes()).digest() for array in (reals.values, nominal.kinks))
    owners = type(call.formulation), type(call.integrator)
    paths = tuple(one.path for one in numbers)
    return how, owners, paths, nominal.droppable, nominal.from_index_1, reals.structure, at_start
