"""Table 7: which of the four basic constraints the mechanisms are made of."""

from __future__ import annotations

import numpy as np

from linkwork.studies.finding import Curve, Finding, Panel, columns
from linkwork.studies.papers.kissel2021.mechanisms import DRIVEN, LABELS, PUBLISHED
from linkwork.studies.runs import Runs

KINDS = ("CD", "DP1", "DP2", "D")


def table_7(runs: Runs) -> Finding:
    """Rows of the shipped mechanisms by kind; a driver's DP1 row is run as the angle that it stands for."""
    table = PUBLISHED["table 7"]
    found = {model: count(runs, model) for model in DRIVEN}
    lines = [(LABELS[m], kind, int(table.value(m, kind)), found[m][kind]) for m in DRIVEN for kind in KINDS]
    x = np.arange(1.0, len(KINDS) + 1.0)
    return Finding.judged(
        all(line[2] == line[3] for line in lines),
        **table.told,
        measured="; ".join(f"{LABELS[m]} {', '.join(f'{n} {kind}' for kind, n in found[m].items())}" for m in DRIVEN)
        + ". Drivers count as the DP1 rows that the paper writes them as.",
        panels=(
            Panel(
                "rows by kind",
                "",
                "rows",
                tuple(Curve(LABELS[m], x, np.array([found[m][kind] for kind in KINDS]), dots=True) for m in DRIVEN),
                names=KINDS,
            ),
        ),
        table=columns(("mechanism", "constraint", "paper", "ours"), lines),
    )


def count(runs: Runs, model: str) -> dict[str, int]:
    """kind -> rows of a mechanism."""
    kinds = ["DP1" if row.kind == "ANGLE" else row.kind for row in runs.mechanism(model).lower().rows]
    return {kind: kinds.count(kind) for kind in KINDS}
