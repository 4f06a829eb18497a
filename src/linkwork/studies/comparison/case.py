"""One run of a study: what it is, and the key under which it is kept once it is done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from linkwork.errors import UsageError
from linkwork.source import __version__, source_hash

PLANNED, AS_CHOSEN = "planned", "as chosen"  # in place of a formulation and an integrator that nobody named


@dataclass(frozen=True)
class Case:
    """A formulation with an integrator, at a fixed step [s] or with tolerances for adaptive ones; or a planned run.

    accuracy : of a planned run, for which linkwork chooses both (see `planned`): the global error of poses asked for.
    wanted : whether it was asked for by name; a formulation that was not may refuse a mechanism without blame.
    """

    formulation: str
    integrator: str
    step: float | None = None
    rtol: float | None = None
    atol: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    wanted: bool = False
    accuracy: float | None = None

    def __hash__(self) -> int:
        return hash((self.formulation, self.integrator, self.step, self.rtol, self.atol, self.accuracy))

    @property
    def pair(self) -> str:
        """Formulation and integrator in words."""
        if self.accuracy is not None:
            return PLANNED
        return f"{self.formulation}, {self.integrator}"

    @property
    def fineness(self) -> str:
        """Step, tolerance or accuracy in words."""
        if self.accuracy is not None:
            return f"accuracy = {self.accuracy:.2g}"
        return f"h = {self.step:.3g} s" if self.step is not None else f"rtol = {self.rtol:.1g}"

    @property
    def label(self) -> str:
        """The whole in words."""
        options = "".join(f", {name} = {value}" for name, value in self.options.items())
        return f"{self.pair}, {self.fineness}{options}"

    def with_options(self, **more: Any) -> Case:
        """The same with further options."""
        return replace(self, options={**self.options, **more})

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "formulation": self.formulation,
            "integrator": self.integrator,
            "step": self.step,
            "rtol": self.rtol,
            "atol": self.atol,
            "options": dict(self.options),
            "accuracy": self.accuracy,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Case:
        """Back from plain data."""
        return cls(**data)

    @classmethod
    def planned(cls, accuracy: float) -> Case:
        """A run for which linkwork chooses formulation, integrator and tolerance, and proves the accuracy."""
        return cls(PLANNED, AS_CHOSEN, wanted=True, accuracy=accuracy)


@dataclass(frozen=True)
class Setting:
    """What all runs of a study share: the mechanism as JSON, the end and the distance of samples [s]."""

    model: str
    t_end: float
    interval: float
    accept_drivers: bool = False
    accept_changes: bool = False

    def every(self, case: Case) -> int:
        """How many of a case's steps lie between samples. Raises UsageError where that is no whole number."""
        if case.step is None:
            return 1
        ratio = self.interval / case.step
        if abs(ratio - round(ratio)) > 1e-6 * ratio or round(ratio) < 1:
            raise UsageError(f"step {case.step:g} s does not divide the distance of samples, {self.interval:g} s.")
        return round(ratio)

    def arguments(self, case: Case) -> dict[str, Any]:
        """The arguments of `linkwork.simulate` besides the mechanism."""
        accepted = {"accept_drivers": self.accept_drivers, "accept_changes": self.accept_changes}
        if case.accuracy is not None:
            return {"t_end": self.t_end, "step": self.interval, "accuracy": case.accuracy, **accepted}
        return {
            "t_end": self.t_end,
            "step": self.interval if case.step is None else case.step,
            "every": self.every(case),
            "formulation": case.formulation,
            "integrator": case.integrator,
            "rtol": case.rtol,
            "atol": case.atol,
            **accepted,
            "options": dict(case.options),
        }

    def key(self, case: Case) -> str:
        """A name for the finished run: another one whenever anything that shapes it is another."""
        what = {
            "model": hashlib.sha256(self.model.encode()).hexdigest(),
            "t_end": self.t_end,
            "interval": self.interval,
            "accept_drivers": self.accept_drivers,
            "accept_changes": self.accept_changes,
            "version": __version__,
            "source": source_hash(),
            **case.to_dict(),
        }
        text = json.dumps(what, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:24]
