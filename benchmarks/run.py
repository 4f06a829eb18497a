"""`python -m benchmarks VERB`: measure, print Markdown tables on standard output, keep the figures as JSON."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import machine

VERBS = (
    "steps",
    "startup",
    "sizes",
    "lie",
    "elimination",
    "growth",
    "loops",
    "recursive",
    "digits",
    "lanes",
    "work-precision",
    "all",
)
IMAGE, GROWTH_IMAGE, PRECISION_IMAGE = "lie_work_precision.png", "growth.png", "work_precision.png"


def arguments(tokens: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    from benchmarks import digits, lanes, recursive
    from benchmarks.paper import FORMULATIONS
    from benchmarks.precision_cases import NAMES
    from benchmarks.steps import MECHANISMS

    known = dict.fromkeys((*FORMULATIONS, *recursive.FORMULATIONS, *digits.OURS))
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("verb", choices=VERBS, nargs="?", default="steps")
    parser.add_argument("--quick", action="store_true", help="few repetitions, in under a minute once compiled")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to this file as well")
    parser.add_argument(
        "--images",
        type=Path,
        metavar="FOLDER",
        help="draw pictures into this folder (lie, growth, work-precision, all)",
    )
    words = "count the seconds that this process computes, not those that pass: for machines at work"
    parser.add_argument("--own-seconds", action="store_true", help=words)
    parser.add_argument("--no-peers", action="store_true", help="leave other programs out")
    either = dict.fromkeys((*MECHANISMS, *NAMES, *lanes.MECHANISMS))
    parser.add_argument("--mechanism", action="append", choices=either, help="only this one; may be repeated")
    parser.add_argument("--formulation", action="append", choices=known, help="only this one; may be repeated")
    return parser.parse_args(tokens)


def precision_image(names: Sequence[str] | None) -> str:
    """The file of the picture: of all mechanisms, or of those named."""
    slugs = ["".join(c if c.isalnum() else "_" for c in name.lower()) for name in names or ()]
    return "_".join([PRECISION_IMAGE.removesuffix(".png"), *slugs]) + ".png"


def say(text: str) -> None:
    """Progress, on standard error."""
    print(text, file=sys.stderr, flush=True)


def measure(asked: argparse.Namespace) -> dict[str, Any]:
    """Carry out the verb; values are the dataclasses of its module."""
    from benchmarks import digits, elimination, growth, levels, lie, loops, recursive, sizes, startup, steps
    from benchmarks.paper import FORMULATIONS

    made: dict[str, Any] = {}
    peers = not asked.no_peers

    def only(known: Sequence[str]) -> list[str] | None:
        """Those asked for of these, None for all."""
        return [name for name in known if name in (asked.formulation or ())] or None

    if asked.verb in ("steps", "all"):
        names, formulations = asked.mechanism or steps.MECHANISMS, only(FORMULATIONS) or FORMULATIONS
        made["steps"] = steps.run(asked.quick, peers, names, formulations, say)
    if asked.verb in ("startup", "all"):
        made["startup"] = startup.run(asked.quick, say)
        if python := os.environ.get(startup.WHEEL):
            made["levels"] = levels.run(python, asked.quick, say)
    if asked.verb in ("sizes", "all"):
        made["sizes"] = sizes.run(asked.quick, peers, say)
    if asked.verb in ("lie", "all"):
        made["lie"] = lie.run(asked.quick, peers, say=say)
    if asked.verb in ("elimination", "all"):
        made["elimination"] = elimination.run(asked.quick, peers, say)
    if asked.verb in ("growth", "all"):
        made["growth"] = growth.run(asked.quick, say)
    if asked.verb in ("loops", "all"):
        made["loops"] = loops.run(asked.quick, peers, say)
    if asked.verb in ("recursive", "all"):
        made["recursive"] = recursive.run(asked.quick, peers, say, only(recursive.FORMULATIONS))
    if asked.verb in ("lanes", "all"):
        from benchmarks import lanes

        made["lanes"] = lanes.run(asked.quick, peers, say, asked.mechanism, asked.formulation)
    if asked.verb == "work-precision":
        from benchmarks import work_precision

        made["work-precision"] = work_precision.run(asked.quick, peers, say, asked.mechanism)
    if asked.verb in ("digits", "all"):
        made["digits"] = digits.run(asked.quick, peers, say, only(digits.OURS))
    return made


def report(facts: dict[str, str], made: dict[str, Any]) -> str:
    """All tables of what was measured."""
    from benchmarks import digits, elimination, growth, levels, lie_tables, loops, recursive, tables

    parts = [tables.machine_table(facts)]
    if "steps" in made:
        parts += tables.steps_tables(made["steps"])
        ahead = tables.peers_ahead(made["steps"].peers, made["steps"].ours)
        parts += [f"Exudyn is not slower than rA on: {', '.join(ahead)}.\n"] if ahead else []
    if "startup" in made:
        parts.append(tables.startup_table(made["startup"]))
    if "levels" in made:
        parts.append(levels.table(made["levels"]))
    if "sizes" in made:
        parts.append(tables.sizes_table(made["sizes"]))
    if "lie" in made:
        parts += lie_tables.tables(made["lie"])
    if "elimination" in made:
        parts += elimination.tables(made["elimination"])
    if "growth" in made:
        parts += growth.tables(made["growth"])
    if "loops" in made:
        parts.append(loops.table(made["loops"]))
    if "recursive" in made:
        parts += recursive.tables(made["recursive"])
    if "lanes" in made:
        from benchmarks import lanes

        parts.append(lanes.table(made["lanes"]))
    if "work-precision" in made:
        from benchmarks import precision_tables

        parts += precision_tables.tables(made["work-precision"])
    if "digits" in made:
        parts.append(digits.table(made["digits"]))
    return "\n".join(part for part in parts if part)


def plain(value: Any) -> Any:
    """Dataclasses as dictionaries, and None for what JSON has no number for."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if hasattr(value, "__dataclass_fields__"):
        return plain(asdict(value))
    return None if isinstance(value, float) and not math.isfinite(value) else value


def main(tokens: Sequence[str] | None = None) -> int:
    """Measure and print; the exit status is 0 even where a mechanism failed, whose row says why."""
    asked = arguments(tokens)
    core, load = machine.pin(), machine.load()
    start = time.monotonic()
    if asked.own_seconds:
        machine.count_own_seconds()
    made = measure(asked)
    facts = machine.describe(core) | {"load before and after": f"{load}, {machine.load()}"}
    facts |= {"clock": "seconds of this process" if asked.own_seconds else "wall"}
    facts |= {"seconds of all this": f"{time.monotonic() - start:.0f}"}
    print(report(facts, made))
    if asked.images is not None and "lie" in made and made["lie"].precision:
        from benchmarks.lie_precision import picture

        picture(made["lie"].precision, asked.images / IMAGE)
    if asked.images is not None and "growth" in made:
        from benchmarks.growth_picture import picture as growth_picture

        growth_picture(made["growth"], asked.images / GROWTH_IMAGE)
    if asked.images is not None and "work-precision" in made:
        from benchmarks.precision_tables import picture as precision_picture

        precision_picture(made["work-precision"], asked.images / precision_image(asked.mechanism))
    if asked.json is not None:
        asked.json.write_text(json.dumps(plain({"machine": facts, **made}), indent=1) + "\n")
    return 0
