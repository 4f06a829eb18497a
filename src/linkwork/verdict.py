"""What is wrong or doubtful about a run, in words, with the cure; `judgement` finds it, results carry it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

GOOD, DOUBTFUL, WRONG = "good", "doubtful", "wrong"
ORDER = (GOOD, DOUBTFUL, WRONG)
UNRESOLVED = "unresolved"  # kind of a doubt about energy: samples are too far apart for the work between them


@dataclass(frozen=True)
class Verdict:
    """One thing that is wrong or doubtful about a run.

    kind : the limit that was passed, a name of `judgement.Limits`, or ``assembly``, ``finite``, ``sampling``,
        ``unresolved``.
    severity : ``doubtful`` or ``wrong``.
    text : what was seen, where and when. cure : what to do about it.
    value, limit : in the unit of the limit. time : s, where there is one.
    """

    kind: str
    severity: str
    text: str
    cure: str
    value: float = float("nan")
    limit: float = float("nan")
    time: float | None = None

    def __str__(self) -> str:
        return f"{self.text} {self.cure}".strip()

    def with_cure(self, cure: str) -> Verdict:
        """The same with a cure."""
        return replace(self, cure=cure)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for files and ``--json``."""
        return asdict(self)

    @classmethod
    def from_dict(cls, said: Mapping[str, Any]) -> Verdict:
        """From plain data, of this version or a later one."""
        return cls(**{name: said[name] for name in cls.__dataclass_fields__ if name in said})


def worst(verdicts: Iterable[Verdict]) -> str:
    """``good``, ``doubtful`` or ``wrong``."""
    return max((verdict.severity for verdict in verdicts), key=ORDER.index, default=GOOD)
