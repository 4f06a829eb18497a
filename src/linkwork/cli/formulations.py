"""`linkwork formulations`: what a mechanism can be run with."""

from __future__ import annotations

from linkwork.cli import options, output


def formulations(*, json: options.Json = False) -> int:
    """List the formulations: where each was published, the integrators it goes with, what it needs.

    The integrators, their orders and what they are stand below; --json lists the formulations alone.
    """
    from linkwork.run.matching import describe, describe_integrators

    found = describe()
    if json:
        output.document(found)
        return 0
    output.table(
        ("name", "integrators", "needs", "paper", "what it is"),
        [(f["name"], ", ".join(f["integrators"]), ", ".join(f["needs"]), f["paper"], f["summary"]) for f in found],
    )
    output.table(
        ("integrator", "order", "problem", "what it is"),
        [(i["name"], str(i["order"]), i["shape"], i["summary"]) for i in describe_integrators()],
    )
    return 0
