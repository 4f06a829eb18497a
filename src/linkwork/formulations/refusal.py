"""Whether a formulation takes a mechanism: asked before anything is compiled, and in the words of a run that fails."""

from __future__ import annotations

from typing import Any

from linkwork.errors import LinkworkError, SingularPositionError
from linkwork.system import CompiledMechanism
from linkwork.system.inertia import motions_without_inertia


class Refusing:
    """What formulations have in common: `build` begins with `admit`, and `refusal` asks the same without building."""

    def admit(self, mechanism: CompiledMechanism, *_: Any, **own: Any) -> None:
        """Raise what `build` would raise for this mechanism and these options; loads no compiler.

        Raises MissingMassError, UnsupportedElementError, UsageError.
        """
        mechanism.need_masses()

    def idle_freedoms(self, mechanism: CompiledMechanism, *_: Any, **own: Any) -> str:
        """In words, motions that these equations find no inertia for at the mechanism's state; '' without any."""
        return "; ".join(motions_without_inertia(mechanism))

    def refusal(self, mechanism: CompiledMechanism, **own: Any) -> str | None:
        """Why this mechanism cannot run from its present state with these options, with the error's code; None if it
        can.

        mechanism : compiled, at an assembled state. own : the formulation's options.
        Nothing is compiled, and Numba is not loaded.
        """
        try:
            self.admit(mechanism, **own)
        except LinkworkError as error:
            return f"{error.message} [{error.code}]"
        idle = self.idle_freedoms(mechanism, **own)
        return f"{idle} [{SingularPositionError.code}]" if idle else None
