"""`linkwork models`: the mechanisms that come with linkwork."""

from __future__ import annotations

from typing import Any

from linkwork.cli import options, output


def models(*, json: options.Json = False) -> int:
    """List the mechanisms that come with linkwork; their names stand wherever a MODEL is asked for."""
    found = describe()
    if json:
        output.document(found)
    else:
        output.table(
            ("name", "bodies", "joints", "what it is"),
            [(m["name"], str(m["bodies"]), str(m["joints"]), m["description"]) for m in found],
        )
    return 0


def describe() -> list[dict[str, Any]]:
    """Every shipped mechanism as plain data, in alphabetical order."""
    from linkwork.io.formats import load, shipped

    found = []
    for name, path in shipped().items():
        mechanism = load(path)
        found.append(
            {
                "name": name,
                "description": " ".join(mechanism.description.split()),
                "bodies": len(mechanism.bodies),
                "joints": len(mechanism.joints),
                "t_end": mechanism.run.t_end,
                "step": mechanism.run.step,
                "file": str(path),
            }
        )
    return found
