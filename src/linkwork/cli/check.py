"""`linkwork check`: a mechanism in words."""

from __future__ import annotations

from linkwork.cli import options, output


def check(model: options.Model, /, *, json: options.Json = False, side: options.Side = None) -> int:
    """Say what a mechanism is: bodies, joints, freedoms, rank, redundant or conflicting rows, warnings."""
    from linkwork import check as examine
    from linkwork import load

    report = examine(load(model, side=side))
    if json:
        output.document(report.to_dict())
    else:
        output.show(report.text())
    return 0
