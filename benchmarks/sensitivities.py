"""What derivatives of a run cost: tangents and the adjoint beside the plain run, central differences, and MuJoCo's.

Seven numbers of the description, a position (at 100 samples with tangents, at the end with the adjoint), all in one
run: `python -m benchmarks.sensitivities`. Two lengths of run tell what a step takes, and what is made before the first;
the longer one is so long that the rest of a call, half a second, does not hide its steps, and ends before chaos does.
Of several repeats in turn, all in one process that has compiled what it needs, the least processor time counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

SAMPLES, LONGER, REPEATS = 100, 10, 5
DOUBLE, CRANK = "kissel2021_double_pendulum", "spatial_slider_crank_spring"
TO = {
    DOUBLE: ("bar 1.shape.size[0]", "bar 1.shape.density", "bar 2.shape.size[0]", "bar 2.shape.density",
             "elbow.point[1]", "gravity[1]", "gravity[2]"),
    CRANK: ("crank.mass", "connecting rod.mass", "slider.mass", "spring.stiffness", "spring.damping", "spring.length",
            "gravity[2]"),
}  # fmt: skip
OF = {DOUBLE: "bar 2.position", CRANK: "slider.position"}
WAYS: tuple[tuple[str, str, str, float, int | None], ...] = (
    # model, formulation, integrator, step [s], steps of the shorter run; or its end [s], where steps find their size
    (DOUBLE, "canonical", "rk4", 1e-4, 20_000),
    (DOUBLE, "rA", "generalized-alpha", 1e-3, 4_000),
    (CRANK, "canonical", "rk4", 1e-4, 20_000),
    (CRANK, "augmented", "rk4", 1e-4, 20_000),
    (CRANK, "rA", "generalized-alpha", 1e-3, 4_000),
    (CRANK, "canonical", "dop853", 800.0, None),
    (CRANK, "range-space", "dp54", 200.0, None),
)
TOLERANCE = 1e-9


def least(calls: dict[str, Callable[[], Any]], repeats: int = REPEATS) -> dict[str, float]:
    """The least processor time of each call, in turn, after one of each that is not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for count in range(repeats + 1):
        for name, call in calls.items():
            start = time.process_time()
            call()
            if count:
                seconds[name].append(time.process_time() - start)
    return {name: min(found) for name, found in seconds.items()}


def of_linkwork(model: str, formulation: str, integrator: str, step: float, steps: int | None) -> str:
    """A row: what each further plain run's worth of steps takes, and what stands before the first step.

    Digits of recorded implicit steps and of adjoints, one plain run more, are not asked for."""
    import linkwork as lw

    mech, to, of = lw.load(model), TO[model], OF[model]
    ways: list[str] = []

    taken: list[int] = []

    def plain(run: tuple[Any, ...], how: dict[str, Any]) -> None:
        taken.append(int(lw.simulate(mech, *run, **how).info["steps"]))

    def calls(longer: int) -> dict[str, Callable[[], Any]]:
        if steps is None:
            run: tuple[Any, ...] = (longer * step, longer * step / SAMPLES, formulation, integrator)
            how: dict[str, Any] = {"rtol": TOLERANCE, "atol": TOLERANCE}
        else:
            run = (longer * steps * step, step, formulation, integrator)
            how = {"every": longer * steps // SAMPLES}
        more: dict[str, Any] = {**how, "of": of, "to": to, "digits": False}
        return {
            "plain": lambda: plain(run, how),
            "tangents": lambda: ways.append(lw.sensitivities(mech, *run, **more).way),
            "adjoint": lambda: lw.sensitivities(mech, *run, **more | {"of": lw.Final(of)}, mode="adjoint"),
        }

    short, long = least(calls(1)), least(calls(LONGER))
    further_steps = long["plain"] - short["plain"]
    each = 1e6 * further_steps / (taken[-1] - taken[0])
    row = f"| {model}, `{formulation}` with {integrator} | {each:.2f} |"
    for name in ("tangents", "adjoint"):
        further = long[name] - short[name]
        row += f" {further / further_steps:.2f} | {short[name] - further / (LONGER - 1):.2f} |"
    return f"{row} {ways[-1]} |"


def of_mujoco() -> str:
    """The same for derivatives of each step by its start, which MuJoCo finds by central differences."""
    import mujoco
    import numpy as np

    from benchmarks.stepping import MJCF

    model = mujoco.MjModel.from_xml_string(MJCF.format(integrator="Euler"))
    data = mujoco.MjData(model)
    by_start = np.zeros((2 * model.nv, 2 * model.nv))

    def plain() -> None:
        mujoco.mj_resetData(model, data)
        for _ in range(1000):
            mujoco.mj_step(model, data)

    def differences() -> None:
        mujoco.mj_resetData(model, data)
        for _ in range(1000):
            mujoco.mjd_transitionFD(model, data, 1e-6, True, by_start, None, None, None)
            mujoco.mj_step(model, data)

    found = least({"plain": plain, "differences": differences})
    return (
        f"MuJoCo, the double pendulum by Euler (it refuses RK4 here): 1,000 steps {1e3 * found['plain']:.1f} ms; with "
        f"mjd_transitionFD by the four numbers of each start {found['differences'] / found['plain']:.2f} times as long"
    )


def main() -> None:
    """A row for each way."""
    print("| | plain step, us | seven tangents, plain steps | before them, s ", end="")
    print("| adjoint of a position, plain steps | before them, s | tangents |")
    print("|---|---|---|---|---|---|---|")
    for way in WAYS:
        print(of_linkwork(*way), flush=True)
    print(of_mujoco())


if __name__ == "__main__":
    main()
