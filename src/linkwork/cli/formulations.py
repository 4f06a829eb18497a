"""`linkwork formulations`: what a mechanism can be run with."""

from __future__ import annotations

from typing import Any

from linkwork.cli import options, output


def formulations(*, json: options.Json = False) -> int:
    """List the formulations: where each was published, the integrators it goes with, what it needs."""
    found = describe()
    if json:
        output.document(found)
    else:
        output.table(
            ("name", "integrators", "needs", "paper", "what it is"),
            [(f["name"], ", ".join(f["integrators"]), ", ".join(f["needs"]), f["paper"], f["summary"]) for f in found],
        )
    return 0


def describe() -> list[dict[str, Any]]:
    """Every registered formulation as plain data, in the order of the registry. Compiles nothing."""
    from linkwork.formulations import FORMULATIONS

    return [FORMULATIONS.load(name).describe() for name in FORMULATIONS]
