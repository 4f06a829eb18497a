"""Barycentric equations as a formulation: in closed form where the paper's hold, else by reduction along the tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwork.errors import UnsupportedElementError, UsageError
from linkwork.formulations.newton_euler.tree import TreeFormulation
from linkwork.problems.explicit import ExplicitProblem
from linkwork.problems.shapes import EXPLICIT
from linkwork.solvers.choice import invertible
from linkwork.system import CompiledMechanism

FORMS = ("closed", "reduced")
CLOSED, REDUCED = FORMS


class BarycentricFormulation(TreeFormulation):
    """A tree formulation whose matrix K the paper writes out for trees whose joints hold a point [Mufti 1983, 28-38].

    Option form: ``closed`` (eqs. 28-38, or refused by name) or ``reduced`` (Z^T M Z, any mechanism); closed where it
    holds if left out.
    """

    def settings(self, mechanism: CompiledMechanism, shape: str, own: Mapping[str, Any]) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        said = super().settings(mechanism, shape, own)
        holds = not said["rebuild"] and self.against(mechanism, said["root"]) is None
        return {**said, "form": said["form"] or (CLOSED if holds else REDUCED)}

    def admit(self, mechanism: CompiledMechanism, **own: Any) -> None:
        """Raise what `build` raises; UnsupportedElementError for what the closed form does not hold for."""
        form = own.pop("form", None)
        if form not in (None, *FORMS):
            raise UsageError(f"there is no form {form!r}.", remedy=f"Known: {', '.join(FORMS)}.")
        super().admit(mechanism, **own)
        if form == CLOSED and own.get("rebuild", False):
            raise UsageError("positions are rebuilt along the reduced tree only.", remedy="Take form='reduced'.")
        if form == CLOSED and (found := self.against(mechanism, own.get("root"))) is not None:
            raise UnsupportedElementError(
                f"{found[0]!r}: {found[1]}, and equations 28 to 38 are written for trees whose joints hold a point.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Take form='reduced', which is general, or joint-rates.",
            )

    def against(self, mechanism: CompiledMechanism, root: str | None) -> tuple[str, str] | None:
        """What the closed form does not hold for, and why; None where it holds."""
        from linkwork.solvers.augmented_bodies import objection

        if not invertible(mechanism):
            return mechanism.lowered.name, "a body has no mass, or no inertia about an axis"
        return objection(mechanism, root)

    def build(self, mechanism: CompiledMechanism, *, shape: str = EXPLICIT, **own: Any) -> ExplicitProblem:
        """As `TreeFormulation.build`; positions are rebuilt with the tables of the reduction."""
        self.admit(mechanism, **{name: own[name] for name in self.options if name in own})
        if own.get("rebuild", False):
            own["form"] = REDUCED
        return super().build(mechanism, shape=shape, **own)

    def chosen(
        self, mechanism: CompiledMechanism, droppable: bool, options: Mapping[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        """The closed form where it holds and no row can depend on others."""
        left = {name: value for name, value in options.items() if name != "form"}
        holds = not droppable and self.against(mechanism, left.get("root")) is None
        return ("augmented_bodies" if holds and options["form"] != REDUCED else self.solver), left
