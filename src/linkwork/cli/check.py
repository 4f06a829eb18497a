"""`linkwork check`: a mechanism in words."""

from __future__ import annotations

from linkwork.cli import options, output


def check(model: options.Model, /, *, json: options.Json = False, side: options.Side = None) -> int:
    """Say what a mechanism is: bodies, joints, freedoms, rank, redundant or conflicting rows, warnings."""
    from linkwork import load

    mechanism = load(model, side=side)

    from linkwork import check as examine

    report = examine(mechanism)
    if json:
        output.document(report.to_dict())
    else:
        output.show(report.text())
    return report.exit_status
