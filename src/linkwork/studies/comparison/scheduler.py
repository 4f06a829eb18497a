"""Where a study's runs are at: what is kept already, what still has to run, and who is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from linkwork.result import Result
from linkwork.studies.comparison.case import Case, Setting
from linkwork.studies.comparison.store import Store
from linkwork.studies.comparison.worker import job
from linkwork.studies.comparison.workers import carry_out_all
from linkwork.studies.motion import Motion, at_grid

Tell = Callable[[str, str, int], None]  # (event: phase, began, ended or kept; in words; how many in the phase)


def quiet(event: str, words: str, total: int) -> None:
    """Nobody is told."""


@dataclass
class Scheduler:
    """Runs of one setting, each done once: in this study or an earlier one."""

    setting: Setting
    store: Store
    workers: int
    tell: Tell = quiet
    said: dict[str, dict[str, Any]] = field(default_factory=dict)
    timings: dict[str, dict[str, Any]] = field(default_factory=dict)
    kept: int = 0
    _motions: dict[str, Motion] = field(default_factory=dict)

    def key(self, case: Case) -> str:
        """The name under which a run is kept."""
        return self.setting.key(case)

    def run(self, cases: Iterable[Case], phase: str) -> None:
        """Carry out what is not done yet, side by side."""
        named = {self.key(case): case for case in cases}
        self.tell("phase", phase, len(named))
        todo = {}
        for key, case in in_turn(named).items():
            known = self.said.get(key) or self.store.outcome(key)
            if known is None:
                todo[key] = job(self.setting, case, file=str(self.store.motion_file(key)))
                continue
            self.kept += key not in self.said
            self.said[key] = known
            self.tell("kept", case.label, 1)

        def ended(key: str, said: dict[str, Any]) -> None:
            self.store.keep(key, said)
            self.said[key] = said
            self.tell("ended", named[key].label, 1)

        carry_out_all(todo, self.workers, lambda key: self.tell("began", named[key].label, 1), ended)

    def time(self, cases: Iterable[Case], repeats: int, phase: str) -> None:
        """Time runs that got through, one after the other; what is found goes to `timings`, by key."""
        named = {self.key(case): case for case in cases if self.through(case)}
        self.tell("phase", phase, len(named))
        todo = {}
        for key, case in named.items():
            known = self.store.timing(key)
            if known is not None:
                self.timings[key] = known
                self.tell("kept", case.label, 1)
            else:
                todo[key] = job(self.setting, case, repeats=repeats)

        def ended(key: str, said: dict[str, Any]) -> None:
            self.store.keep(key, said, timing=True)
            self.timings[key] = said
            self.tell("ended", named[key].label, 1)

        for jobs in _by_formulation(todo, named):  # each in a fresh process, so that its memory is its own
            carry_out_all(jobs, 1, lambda key: self.tell("began", named[key].label, 1), ended)

    def through(self, case: Case) -> bool:
        """Whether a run got through to its end."""
        said = self.said.get(self.key(case))
        return said is not None and "error" not in said

    def result(self, case: Case) -> Result | None:
        """The result of a run that got through."""
        return self.store.result(self.key(case)) if self.through(case) else None

    def motion(self, key: str) -> Motion:
        """The motion of a finished run at the compared times."""
        if key not in self._motions:
            result = self.store.result(key)
            assert result is not None
            self._motions[key] = Motion.of(result, at_grid(result.time, self.setting.interval))
        return self._motions[key]


def _by_formulation(jobs: dict[str, Any], named: Mapping[str, Case]) -> Iterable[dict[str, Any]]:
    """The jobs of each formulation together."""
    found: dict[str, dict[str, Any]] = {}
    for key, what in jobs.items():
        found.setdefault(named[key].formulation, {})[key] = what
    return found.values()


def in_turn(named: dict[str, Case]) -> dict[str, Case]:
    """The runs reordered: one of each pair, then the next of each, so that processes load different code at first."""
    rounds: dict[str, int] = {}
    place = {}
    for key, case in named.items():
        place[key] = rounds.get(case.pair, 0)
        rounds[case.pair] = place[key] + 1
    return dict(sorted(named.items(), key=lambda item: place[item[0]]))
