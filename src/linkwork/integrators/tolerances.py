"""Options of methods whose steps find their own size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from linkwork.errors import UsageError
from linkwork.options import Configured, Option

RTOL, ATOL = 1e-6, 1e-9


@dataclass(frozen=True, kw_only=True, repr=False)
class Adaptive(Configured):
    """Steps of one size; or, where a tolerance is given, of sizes that the method chooses."""

    rtol: Annotated[
        float | None,
        Option(f"relative tolerance of a step's error; makes steps adaptive ({RTOL:g} with atol)", above=0.0),
    ] = None
    atol: Annotated[
        float | None, Option(f"absolute tolerance of a step's error, likewise ({ATOL:g} with rtol)", above=0.0)
    ] = None
    max_step: Annotated[float | None, Option("largest adaptive step", unit="s", above=0.0)] = None

    @property
    def adaptive(self) -> bool:
        """Whether steps find their own size."""
        return self.rtol is not None or self.atol is not None

    @property
    def tolerances(self) -> tuple[float, float] | None:
        """Relative and absolute tolerance of adaptive steps."""
        return (self.rtol or RTOL, self.atol or ATOL) if self.adaptive else None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_step is not None and not self.adaptive:
            raise UsageError("max_step goes with rtol or atol; otherwise every step has the given size.")
