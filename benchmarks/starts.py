"""What comes before the reverse of a run, by numbers that move its start: chains of bodies by all their positions.

`python -m benchmarks.starts`: processor time of how all that compiled code works on moves with three numbers of each
body, the least of three, and of a plain run of so many steps beside. At rest joints have points of their own, given in
space, so that one body moves with each number; moving, joints are given per body and all bodies move.

`python -m benchmarks.starts --adjoint`: the whole adjoint of an angle at the end of the chain of 100 at rest by its 300
positions, one sample, in processes of their own: the first call, a later one, and a plain run. With `--springs`,
by 1,300 numbers of the chain with a spring on each body: masses, all entries of inertias, stiffnesses, damping, lengths
and ends of springs. With `--way FORMULATION INTEGRATOR STEP` of another one. With `--no-digits` it is not asked how
many digits are left, which is one plain run less; with `--others` the later call is for a mechanism with other masses
(or positions), the second one of such.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from benchmarks import pin_chains, sizes
from benchmarks.build import as_mechanism

BODIES, STEPS, STEP, REPEATS = (60, 100), 10_000, 1e-4, 3
MASSES, SPRINGS = ("mass", "inertia"), ("stiffness", "damping", "length", "on_second.point")
WAYS = (("canonical", "rk4"), ("rA", "generalized-alpha"), ("lie-se3", "rk4"))


def least(call: Callable[[], Any]) -> float:
    """The least processor time of some calls [s]."""
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return min(seconds)


def on_springs(lw: Any, mech: Any) -> Any:
    """The chain with a spring to ground on each body."""
    coil = {"stiffness": 50.0, "damping": 0.5, "length": 0.3}
    for k, body in enumerate(mech.to_dict()["bodies"]):
        x, _, _ = body["position"]
        ends = {"on_first": {"point": [x, 0.0, 0.5]}, "on_second": {"point": [0.02, 0.01, 0.015]}}
        mech.force(f"spring {k + 1}", "spring", first="ground", second=body["name"], **ends, **coil)
    return mech


def with_other_values(lw: Any, mech: Any, springs: bool, by: float) -> Any:
    """The chain with other masses, or with positions that are other by some of so many millimetres."""
    document = mech.to_dict()
    for k, body in enumerate(document["bodies"]):
        share = 1e-3 * by * (1 + k % 5)
        if springs:
            body["mass"] *= 1.0 + share
        else:
            x, y, z = body["position"]
            body["position"] = [x, y + share, z]
    return lw.Mechanism.from_dict(document)


def adjoint(steps: int, springs: bool, formulation: str, integrator: str, step: float, more: dict[str, bool]) -> None:
    """A row: one process, one number of steps."""
    import linkwork as lw

    mech = as_mechanism(lw, sizes.chain(BODIES[-1]))
    if springs:
        mech = on_springs(lw, mech)
    document = mech.to_dict()
    of_bodies, of_springs = (MASSES, SPRINGS) if springs else (("position",), ())
    to = [f"{body['name']}.{word}" for body in document["bodies"] for word in of_bodies]
    to += [f"{force['name']}.{word}" for force in document.get("forces", ()) for word in of_springs]
    how: dict[str, Any] = {"formulation": formulation, "integrator": integrator, "every": steps}
    lw.simulate(mech, 2 * step, step, formulation=formulation, integrator=integrator)  # reads machine code
    of, seconds = f"final('{mech.joints[-1].name}'.angle)", []
    later = [with_other_values(lw, mech, springs, by) for by in (1.0, 2.0)] if more["others"] else [mech]
    for one in (mech, *later):
        start = time.process_time()
        lw.sensitivities(one, steps * step, step, **how, mode="adjoint", of=of, to=to, digits=more["digits"])
        seconds.append(time.process_time() - start)
    seconds = [seconds[0], seconds[-1]]  # the first with other values may move what did not move before
    plain = least(partial(lw.simulate, mech, steps * step, step, **how))
    shares = [cell for one in seconds for cell in (f"{one:.2f}", f"{one / plain:.1f}")]
    print(f"| {' | '.join([f'{steps:,}', f'{plain:.2f}', *shares])} |", flush=True)


def adjoints(springs: bool, way: Sequence[str], more: dict[str, bool]) -> None:
    """A row for each number of steps."""
    print("| steps | a plain run, s | first call, s | in plain runs | a later call, s | in plain runs |")
    print("|---|---|---|---|---|---|", flush=True)
    said = ["--springs"] * springs + ["--no-digits"] * (not more["digits"]) + ["--others"] * more["others"]
    for steps in (2_000, 20_000, 100_000):
        subprocess.run(
            [sys.executable, "-m", "benchmarks.starts", "--adjoint", str(steps), *said, "--way", *way], check=True
        )


def before_runs() -> None:
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


def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="What comes before the reverse of a run, and the reverse.")
    parser.add_argument("--adjoint", nargs="?", type=int, const=0, metavar="STEPS")
    parser.add_argument("--springs", action="store_true")
    parser.add_argument("--no-digits", action="store_true")
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--way", nargs=3, default=["canonical", "rk4", str(STEP)], metavar="WORD")
    asked = parser.parse_args()
    more = {"digits": not asked.no_digits, "others": asked.others}
    if asked.adjoint is None:
        before_runs()
    elif asked.adjoint:
        formulation, integrator, step = asked.way
        adjoint(asked.adjoint, asked.springs, formulation, integrator, float(step), more)
    else:
        adjoints(asked.springs, asked.way, more)


if __name__ == "__main__":
    main()
