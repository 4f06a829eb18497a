"""The table that the paper lacks: accuracy, drift, cost and growth of all methods, and what they refuse."""

from __future__ import annotations

import numpy as np

from linkwork.studies.finding import Curve, Finding, Panel, Verdict, columns
from linkwork.studies.papers.mufti1983 import agreement, cost, drift, growth, loops
from linkwork.studies.papers.mufti1983.methods import MECHANISMS, PUBLISHED, WAYS, short
from linkwork.studies.runs import Runs

TIMED = ("muller2013_spherical_double_pendulum", "stewart_platform", "chain of 50")


def comparison(runs: Runs) -> Finding:
    """One line per method, from all other items."""
    apart, costs, grown = agreement.measured(runs), cost.measured(runs), growth.measured(runs)
    drifts = drift.measured(runs)
    rows = loops.outcomes(runs, loops.REDUNDANT)
    lines, relative = [], {}
    for way in WAYS:
        worst = max(one.worst for (_, _, of), one in apart.items() if of == way)
        relative[way] = float(np.exp(np.mean([np.log(costs[m][way] / min(costs[m].values())) for m in MECHANISMS])))
        runs_all = all(not rows[name, way].refusal for name in loops.REDUNDANT)
        lines.append(
            (
                way,
                worst,
                drift.worst(drifts[drift.LOOP, way, "none"])[0],
                drift.worst(drifts[drift.LOOP, way, "projection"])[0],
                *(round(costs[name][way], 2) for name in TIMED),
                round(relative[way], 2),
                *(round(growth.exponent(grown[family][way]), 2) for family in grown),
                "runs" if runs_all else "refuses",
            )
        )
    heads = (
        "method", "agreement", "drift [m]", "projected [m]", *(f"{short(name)} [us]" for name in TIMED),
        "beside the fastest", *(f"{family}, exponent" for family in grown), "redundant rows",
    )  # fmt: skip
    order = sorted(relative, key=lambda way: relative[way])
    return Finding(
        **PUBLISHED["comparison"].told,
        measured=f"We make it. All agree to {max(line[1] for line in lines):.1g}, and drift alike. Over "
        f"{len(MECHANISMS)} mechanisms {order[0]} and {order[1]} cost least ({relative[order[0]]:.2g} and "
        f"{relative[order[1]]:.2g} times the fastest one, geometric mean), {order[-1]} most "
        f"({relative[order[-1]]:.2g}).",
        verdict=Verdict.OWN,
        panels=(
            Panel(
                "cost beside the fastest method, mean over all mechanisms",
                "",
                f"mean cost over {len(MECHANISMS)} mechanisms, fastest = 1",
                (Curve("cost", np.arange(1.0, len(WAYS) + 1.0), np.array([relative[way] for way in WAYS]), dots=True),),
                log="y",
                names=tuple(WAYS),
            ),
        ),
        numbers={f"{way}, beside the fastest": value for way, value in relative.items()},
        table=columns(heads, lines),
    )
