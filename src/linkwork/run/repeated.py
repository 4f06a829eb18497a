"""Runs that are kept with a mechanism for calls like one that was made before.

Calls from the described start begin with a run that stands there already (`run.held`), calls from other states with one
that is placed there (`run.placing`). Most calls are made once: nothing is kept for these, and whether runs may be
placed, which takes as long as some ten calls, is found out when there have been as many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from linkwork.mechanism import Mechanism
from linkwork.mechanism.kept import kept
from linkwork.remembered import said
from linkwork.run.held import Held, Pool
from linkwork.run.placing import Placed, Places, trial_states
from linkwork.run.starting import Start

if TYPE_CHECKING:
    from linkwork.analysis.state import State
    from linkwork.run.simulate import Call

SEVERAL = 8  # calls from other states, until placing is thought worth while


class Repeated:
    """Runs of calls that differ in nothing, or in the state that they start from and their end alone."""

    def __init__(self) -> None:
        self.pool, self.places = Pool(), Places()
        self.asked, self._true = 0, False

    @classmethod
    def of(cls, mech: Mechanism, call: Call) -> Repeated:
        """What is kept for calls like this one; nothing yet where calls cannot be compared."""
        if call.planned is not None:
            return cls()
        owners = (call.formulation, call.integrator, call.samples)
        try:
            key = tuple((type(one), said(tuple(sorted(one.given().items())))) for one in owners)
        except TypeError:
            return cls()
        accepted = tuple(getattr(call.accepted, name) for name in call.accepted.options)
        end = call.t_end if call.state is None else None
        return kept(mech, ("repeated", key, accepted, end, call.step), cls)

    def started(self, call: Call, ready: Start, make: Callable[[], Held]) -> Held | Placed | None:
        """What holds a run that is started as the call has it, to be handed back when it has come to its end as usual;
        None where one is to be built. make : one for calls from the described start."""
        if call.state is not None:
            return self.placed(call, ready)
        held = self.pool.borrow(make)
        if held is not None:
            held.again()
        return held

    def placed(self, call: Call, ready: Start, state: State | None = None) -> Placed | None:
        """The same of calls from other states. state : that of the call, or another."""
        self.asked += 1
        if self.asked == SEVERAL:
            self._true = self.places.are_true(call, trial_states(ready.compiled))
        return self.places.started(call, ready, state or call.state) if self._true else None

    def hand_back(self, one: Held | Placed) -> None:
        """Hand one back that came to its end as usual."""
        if isinstance(one, Held):
            self.pool.hand_back(one)
        else:
            self.places.hand_back(one)
