"""A deriver that is made when something is derived, of results of which nobody may ask for more than is recorded."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from linkwork.equations.derived import MechanismDeriver

if TYPE_CHECKING:
    from linkwork.kernels.tables import Floats
    from linkwork.system import CompiledMechanism


class LateDeriver:
    """As a `MechanismDeriver`; it remembers nothing of another run. sensing : whether sensors are read, too."""

    def __init__(self, mechanism: CompiledMechanism, *, sensing: bool = False) -> None:
        self.mechanism, self.sensing = mechanism, sensing

    @cached_property
    def made(self) -> MechanismDeriver:
        """The deriver."""
        return MechanismDeriver(self.mechanism, sensing=self.sensing)

    @property
    def derive(self) -> Callable[..., dict[str, Floats]]:
        """As of a deriver."""
        return self.made.derive
