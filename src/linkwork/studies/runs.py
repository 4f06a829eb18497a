"""The simulations of a study: each is run once, however many items look at it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from linkwork.analysis.kinematics import kinematics
from linkwork.io.formats import load
from linkwork.judgement.limits import UNENDED
from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.run.simulate import simulate

T = TypeVar("T")


class Runs:
    """Shipped mechanisms and their runs, kept while a study lasts."""

    def __init__(self) -> None:
        self._mechanisms: dict[str, Mechanism] = {}
        self._results: dict[Hashable, Any] = {}

    def mechanism(self, model: str) -> Mechanism:
        """A shipped mechanism by name."""
        if model not in self._mechanisms:
            self._mechanisms[model] = load(model)
        return self._mechanisms[model]

    def simulate(
        self, model: str, t_end: float, step: float, formulation: str, integrator: str, **options: Any
    ) -> Result:
        """As `linkwork.simulate`, of a shipped mechanism, and never ended by a limit; options must be hashable."""
        key = ("dynamics", model, t_end, step, formulation, integrator, tuple(sorted(options.items())))
        how = {"limits": UNENDED, **options}
        return self.once(key, lambda: simulate(self.mechanism(model), t_end, step, formulation, integrator, **how))

    def kinematics(self, model: str, t_end: float, step: float, formulation: str, **options: Any) -> Result:
        """As `linkwork.kinematics`, likewise."""
        key = ("kinematics", model, t_end, step, formulation, tuple(sorted(options.items())))
        return self.once(key, lambda: kinematics(self.mechanism(model), t_end, step, formulation, **options))

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` makes, the first time; what it made then, later on."""
        if key not in self._results:
            self._results[key] = make()
        found: T = self._results[key]
        return found
