"""Barycentric equations as a formulation: in closed form where the paper's hold, else by reduction along the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from linkwork.errors import UnsupportedElementError, UsageError
from linkwork.formulations.newton_euler.tree import TreeFormulation
from linkwork.options import Option

if TYPE_CHECKING:
    from linkwork.system import CompiledMechanism

CLOSED, REDUCED = "closed", "reduced"


@dataclass(frozen=True, kw_only=True, repr=False)
class Barycentric(TreeFormulation):
    """A tree formulation whose matrix K the paper writes out where joints hold a point [Mufti 1983, 28-38]."""

    name: str = "barycentric"
    solver: str = "barycentric"
    summary: str = (
        "angular accelerations of augmented bodies and multipliers of rotational rows, by dense L D L^T; in closed "
        "form for trees whose joints hold a point, reduced as joint-rates elsewhere"
    )
    equations: str = "eqs. 16, 28-38, 51"
    form: Annotated[
        Literal["closed", "reduced"] | None,
        Option("eqs. 28-38, or refused by name; or Z^T M Z, for any mechanism; closed where it holds if left out"),
    ] = None

    def settings(self, mechanism: CompiledMechanism, shape: str) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        holds = not self.rebuild and self.against(mechanism) is None
        return {**super().settings(mechanism, shape), "form": self.form or (CLOSED if holds else REDUCED)}

    def admit(self, mechanism: CompiledMechanism) -> None:
        """Raise what `build` raises; UnsupportedElementError for what the closed form does not hold for."""
        super().admit(mechanism)
        if self.form == CLOSED and self.rebuild:
            raise UsageError("positions are rebuilt along the reduced tree only.", remedy="Take form='reduced'.")
        if self.form == CLOSED and (found := self.against(mechanism)) is not None:
            raise UnsupportedElementError(
                f"{found[0]!r}: {found[1]}, and equations 28 to 38 are written for trees whose joints hold a point.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Take form='reduced', which is general, or joint-rates.",
            )

    def against(self, mechanism: CompiledMechanism) -> tuple[str, str] | None:
        """What the closed form does not hold for, and why; None where it holds."""
        from linkwork.solvers.admission import invertible
        from linkwork.solvers.augmented_bodies import objection

        if not invertible(mechanism):
            return mechanism.lowered.name, "a body has no mass, or no inertia about an axis"
        return objection(mechanism, self.root)

    def chosen(self, mechanism: CompiledMechanism, droppable: bool) -> tuple[str, dict[str, Any]]:
        """The closed form where it holds, no row can depend on others, and positions are not rebuilt with the tables of
        the reduction."""
        reduced = droppable or self.rebuild or self.form == REDUCED or self.against(mechanism) is not None
        return (self.solver if reduced else "augmented_bodies"), self.solver_options()
