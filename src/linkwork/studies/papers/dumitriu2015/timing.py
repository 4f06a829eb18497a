"""What a step costs."""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping
from typing import Any

from linkwork.mechanism import Mechanism
from linkwork.simulate import simulate

STEP = 1e-3  # s
ROUNDS = (3, 40)  # fewest and most
PATIENCE = 6.0  # s, after which no new round begins


def microseconds(mechanism: Mechanism, ways: Mapping[str, Mapping[str, Any]], steps: int) -> dict[str, float]:
    """Least time per step in the compiled loop of some runs of so many steps, by way.

    ways : name -> arguments of `simulate`. All take turns, so that they see the same weather on a shared machine.
    """
    best = dict.fromkeys(ways, float("inf"))
    begun, done = time.perf_counter(), 0
    while done < ROUNDS[0] or (done < ROUNDS[1] and time.perf_counter() - begun < PATIENCE):
        for name, options in ways.items():
            gc.collect()
            result = simulate(mechanism, steps * STEP, STEP, every=steps, **options)
            best[name] = min(best[name], 1e6 * result.info["run_seconds"] / steps)
        done += 1
    return best
