"""What is recorded of a run, and what its start may change: options that belong to no formulation and no integrator."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Annotated, Any

from linkwork.errors import UsageError
from linkwork.options import Configured, Option


def _path(name: str, value: Any) -> Any:
    if not isinstance(value, str | PathLike):
        raise UsageError(f"{name} must be the name of a file, not {value!r}.")
    return value


@dataclass(frozen=True, kw_only=True, repr=False)
class Samples(Configured):
    """What is recorded of a run."""

    every: Annotated[int, Option("record every k-th step (and the start)", least=1)] = 1
    out: Annotated[
        str | PathLike[str] | None,
        Option("stream the result to this file (.nc: NetCDF, with bounded memory; .csv: a table)", check=_path),
    ] = None
    force: Annotated[bool, Option("replace a file that is there already")] = False

    @classmethod
    def of(cls, given: Samples | None) -> Samples:
        """As given, every step if left out. Raises UsageError for anything else."""
        if given is not None and not isinstance(given, Samples):
            raise UsageError(
                f"samples must be lw.Samples(...), not {type(given).__name__}.",
                remedy="lw.Samples(every=10); single times are t_eval, of integrators that find their step sizes.",
            )
        return cls() if given is None else given


@dataclass(frozen=True, kw_only=True, repr=False)
class Acceptance(Configured):
    """What the start of a run may change; else what does not fit is an error."""

    accept_drivers: Annotated[bool, Option("let a driver that disagrees with the start state win")] = False
    accept_changes: Annotated[bool, Option("let assembly change stated start values that the joints do not allow")] = (
        False
    )
