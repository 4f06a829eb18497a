"""What comes before the reverse of a run, by numbers that move its start: chains of bodies by all their positions.

`python -m benchmarks.starts`: processor time of how all that compiled code works on moves with three numbers of each
body, the least of three, and of a plain run of so many steps beside. At rest joints have points of their own, given in
space, so that one body moves with each number; moving, joints are given per body and all bodies move.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from benchmarks import pin_chains, sizes
from benchmarks.build import as_mechanism

BODIES, STEPS, STEP, REPEATS = (60, 100), 10_000, 1e-4, 3
WAYS = (("canonical", "rk4"), ("rA", "generalized-alpha"), ("lie-se3", "rk4"))


def least(call: Callable[[], Any]) -> float:
    """The least processor time of some calls [s]."""
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return min(seconds)


def main() -> None:
    """A row for each chain and way."""
    import linkwork as lw
    from linkwork.derivatives.described import numbers_of
    from linkwork.derivatives.moving import Moving, carried_out

    def tangents(nominal: Any, numbers: Any) -> Any:
        return Moving(nominal, numbers).tangents

    print("| bodies | | | before the run, s | a plain run of 10,000 steps, s |\n|---|---|---|---|---|")
    for bodies in BODIES:
        at_rest = as_mechanism(lw, sizes.chain(bodies))
        for name, mech in (("at rest", at_rest), ("moving", pin_chains.as_mechanism(lw, pin_chains.pin_chain(bodies)))):
            numbers = numbers_of(mech, [f"{body['name']}.position" for body in mech.to_dict()["bodies"]])
            for formulation, method in WAYS:
                nominal = carried_out(mech, 2 * STEP, STEP, formulation, method, None, {})
                before = least(partial(tangents, nominal, numbers))
                how = (STEPS * STEP, STEP, formulation, method)
                plain = least(partial(lw.simulate, mech, *how, every=STEPS // 10))
                print(f"| {bodies} | {name} | `{formulation}` with {method} | {before:.2f} | {plain:.2f} |", flush=True)


if __name__ == "__main__":
    main()
