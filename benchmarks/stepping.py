"""What a step costs from Python: `Simulator.step` beside a step in a long chunk, and beside MuJoCo's `mj_step`.

All in one run, on the same double pendulum: `python -m benchmarks.stepping`. Both ways take the same steps from one
start, in turn; of many repeats the least processor time counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

STEP, COUNT, REPEATS = 1e-3, 1000, 40
MODEL = "kissel2021_double_pendulum"
WAYS = (("canonical", "rk4"), ("articulated-body", "rk4"), ("rA", None))
MJCF = """<mujoco><option timestep="0.001" integrator="{integrator}" gravity="0 0 -9.81"/><worldbody>
  <body><joint type="hinge" axis="1 0 0"/><geom type="box" size="2 .025 .025" pos="0 2 0" mass="78"/>
    <body pos="0 4 0"><joint type="hinge" axis="1 0 0"/><geom type="box" size="1 .025 .025" pos="0 1 0" mass="39"/>
    </body></body></worldbody></mujoco>"""


@dataclass
class Row:
    """Microseconds of one step: called one by one, and among many. chunk : None where there is no such thing."""

    name: str
    called: float
    chunk: float | None = None


def measured(name: str, reset: Callable[[], None], called: Callable[[], None], chunk: Callable[[], None]) -> Row:
    """The least microseconds per step of both ways."""
    found: dict[str, list[float]] = {"called": [], "chunk": []}
    for _ in range(REPEATS):
        for way, run in (("called", called), ("chunk", chunk)):
            reset()
            start = time.process_time()
            run()
            found[way].append(time.process_time() - start)
    return Row(name, *(1e6 * min(seconds) / COUNT for seconds in found.values()))


def of_linkwork(formulation: str, integrator: str | None) -> Row:
    import linkwork as lw

    sim = lw.Simulator(lw.load(MODEL), STEP, formulation, integrator)

    def called() -> None:
        step = sim.step
        for _ in range(COUNT):
            step()

    run = sim._session.run

    def chunk() -> None:
        run.advance(COUNT)

    return measured(f"linkwork {formulation}, {integrator or 'usual'}", sim.reset, called, chunk)


def of_mujoco(integrator: str) -> Row:
    import mujoco

    model = mujoco.MjModel.from_xml_string(MJCF.format(integrator=integrator))
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    data = mujoco.MjData(model)

    def called() -> None:
        step = mujoco.mj_step
        for _ in range(COUNT):
            step(model, data)

    def chunk() -> None:
        mujoco.mj_step(model, data, COUNT)

    def reset() -> None:
        mujoco.mj_resetData(model, data)
        data.qpos[:] = 0.3

    return measured(f"MuJoCo mj_step, {integrator}", reset, called, chunk)


def main() -> None:
    rows = [of_linkwork(*way) for way in WAYS] + [of_mujoco(name) for name in ("RK4", "Euler")]
    print(f"{'one step, microseconds':36} {'called':>8} {'in chunks':>10} {'apart':>7}")
    for row in rows:
        chunk = row.chunk or float("nan")
        print(f"{row.name:36} {row.called:8.2f} {chunk:10.2f} {row.called - chunk:7.2f}")


if __name__ == "__main__":
    main()
