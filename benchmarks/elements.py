"""What elements of formulas cost: a spring by formula beside a built-in one, and 20 sensors read at every step.

Processor time, the least of several runs taken in turn: `python -m benchmarks.elements`.
"""

from __future__ import annotations

import time
from typing import Any

MODEL, T_END, STEP, REPEATS = "spatial_slider_crank_spring", 3.0, 1e-3, 9
WAYS = (("rA", "generalized-alpha"), ("lie-mixed", "rk4"), ("canonical", "rk4"))
FORMULAS = (
    "displacement('slider guide')*{n}",
    "velocity('crank', 'y') + {n}",
    "position('connecting rod', 'z', [0.1, 0, 0.01*{n}])",
    "angle('crank pivot')**2 + {n}*rate('slider guide')",
    "speed('slider') - {n}",
)


def by_formula() -> Any:
    """The spring's tension as a formula of its stretch and rate."""
    import linkwork as lw

    mech = lw.load(MODEL)
    mech.change("spring", stiffness=None, damping=None, actuator="200*stretch + 0.5*rate")
    return mech


def with_sensors() -> Any:
    """20 sensors."""
    import linkwork as lw

    mech = lw.load(MODEL)
    for k in range(20):
        mech.sensor(f"s{k}", FORMULAS[k % 5].replace("0.01*{n}", str(0.01 * k)).format(n=k + 1))
    return mech


def stepping(mech: Any, formulation: str, integrator: str) -> tuple[float, Any]:
    """Microseconds of a step in the compiled loop, and the result."""
    import linkwork as lw

    result = lw.simulate(mech, T_END, STEP, formulation, integrator)
    return 1e6 * result.info["processor_seconds"] * STEP / T_END, result


def reading(mech: Any, result: Any) -> float:
    """Microseconds of all sensors at one sample."""
    import numpy as np

    from linkwork.equations.sensing import Sensing

    sensing = Sensing(mech.lower())
    names = ("position", "rotation", "velocity", "angular_velocity")
    recorded = [np.ascontiguousarray(result[name]) for name in names]  # as runs hand them over, for energies, too
    sensing.read(result.time, *recorded, None, None)
    start = time.process_time()
    sensing.read(result.time, *recorded, None, None)
    return 1e6 * (time.process_time() - start) / result.time.size


def main() -> None:
    """Both ratios for every way."""
    import linkwork as lw

    plain, formula, sensors = lw.load(MODEL), by_formula(), with_sensors()
    for formulation, integrator in WAYS:
        built_in, said, read = [], [], []
        for _ in range(REPEATS):
            built_in.append(stepping(plain, formulation, integrator)[0])
            said.append(stepping(formula, formulation, integrator)[0])
            read.append(reading(sensors, stepping(sensors, formulation, integrator)[1]))
        step, by_law, sample = min(built_in), min(said), min(read)
        print(f"{formulation}, {integrator}: {step:.2f} us a step; spring by formula {by_law / step:.2f} times that, "
              f"20 sensors at every step {1 + sample / step:.2f} times")  # fmt: skip


if __name__ == "__main__":
    main()
