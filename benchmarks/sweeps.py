"""Many runs: what a run costs beyond its loop, steps per second of sweeps, threads and processes, memory of many runs.

`python -m benchmarks.sweeps [--runs N]`, all in one run; alone: `--lengths`, runs with other lengths; `--kept`, by what
is kept; `--quantities`, of runs in lanes; `--ends`, where that is the end; `--million`, a million runs; `--cluster`,
two workers of Dask beside two processes. Times of one thread are processor times.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any

import linkwork as lw
from benchmarks.pin_chains import as_mechanism, pin_chain

REPEATS, WARM, KEPT = 30, 30, "max(slider.position.y)"


def least(run: Callable[[], object], repeats: int = REPEATS, clock: Callable[[], float] = time.thread_time) -> float:
    """Microseconds of processor time, the least of some."""
    found = []
    for _ in range(repeats):
        start = clock()
        run()
        found.append(clock() - start)
    return 1e6 * min(found)


def double_pendulum() -> lw.Mechanism:
    mech = lw.Mechanism("double pendulum", run={"t_end": 0.1, "step": 1e-3})
    mech.parameter("k", 20.0)
    for name, z in (("upper", -0.25), ("lower", -0.75)):
        mech.body(name, mass=1.0, inertia=[0.02, 0.02, 0.001], position=[0.1, 0, z])
    mech.joint("hip", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("knee", "revolute", "upper", "lower", point=[0.1, 0, -0.5], axis=[0, 1, 0])
    mech.force("spring", "torsion", joint="hip", stiffness="k")
    return mech


def driven_pendulum() -> lw.Mechanism:
    """The same with a motor whose formula knows the state."""
    mech = double_pendulum()
    mech.force("drive", "motor", joint="knee", effort="0.5 - 0.3*rate('knee')")
    return mech


def calls() -> None:
    """A run of a slider crank: by `simulate`, by a compiled model, and its loop alone."""
    mech = lw.load("kissel2021_slider_crank")
    print("slider crank, 100 steps: microseconds of a call")
    for formulation, integrator in (("rA", None), ("canonical", "rk4")):
        model = lw.compile(mech, formulation, integrator)
        mass, count = mech.bodies[0].mass or 1.0, 0
        model.run(0.1, 1e-3)
        span = model.set_up(0.1, 1e-3)
        held = span.borrow()

        def loop() -> None:
            held.again()  # noqa: B023  # called within this turn
            held.run.advance(100)  # noqa: B023

        def changed() -> None:
            nonlocal count
            count += 1
            model.run(0.1, 1e-3, parameters={"crank.mass": mass * (1 + 1e-6 * count)})  # noqa: B023

        again = least(held.again)
        alone = least(loop) - again
        print(
            f"  {formulation}: loop {alone:.0f}; model.run {least(lambda: model.run(0.1, 1e-3)):.0f}; "  # noqa: B023
            f"with another mass {least(changed, 10):.0f}; simulate "
            f"{least(lambda: lw.simulate(mech, 0.1, 1e-3, formulation, integrator), 10):.0f}"  # noqa: B023
        )
        span.hand_back(held)
        starts(mech, formulation, integrator)
    coordinates()


def starts(mech: lw.Mechanism, formulation: str, integrator: str | None) -> None:
    """What moves the start, another number in each run of 10 steps: beyond a run of as many with nothing new."""
    span = 0.01, 1e-3
    model = lw.compile(mech, formulation, integrator, accept_changes=True)
    state = lw.simulate(mech, *span, formulation, integrator).state(0)
    simulator = lw.Simulator(mech, span[1], formulation, integrator)
    numbers = iter(range(1, 10_000))

    def elsewhere() -> lw.State:
        return replace(state, velocity=state.velocity * (1.0 + 1e-9 * next(numbers)))

    def with_number(name: str, value: float, step: float) -> lw.Result:
        return model.run(*span, parameters={name: value + step * next(numbers)})

    runs: dict[str, Callable[[], object]] = {
        "gravity": lambda: with_number("gravity.z", -9.81, 1e-4),
        "a state": lambda: model.run(*span, state=elsewhere()),
        "a length": lambda: with_number("crank pin.on_first.point.y", 0.08, 1e-5),
        "simulate": lambda: lw.simulate(mech, *span, formulation, integrator),
        "simulate from a state": lambda: lw.simulate(mech, *span, formulation, integrator, state=elsewhere()),
    }
    plain = least(lambda: model.run(*span))
    for run in (*runs.values(), lambda: simulator.reset(elsewhere())):
        for _ in range(WARM):
            run()
    found = [f"{name} {least(run) - plain:.0f}" for name, run in runs.items()]
    print(f"    10 steps, beyond {plain:.0f} with nothing new: {', '.join(found)}")
    reset = least(lambda: simulator.reset(elsewhere()))
    print(f"    a simulator's reset to a state {reset:.0f}, to its start {least(simulator.reset):.0f}")


def loop_alone(model: lw.Model, span: tuple[float, float]) -> float:
    """Microseconds of the compiled loop of a run: what `OneCall` calls."""
    held = model.set_up(*span).borrow()
    held.again()
    assert held.one_call is not None
    room, found = held.one_call(), []  # where the loop writes
    for _ in range(600):
        held.again()
        start = time.thread_time()
        held.one_call.loop()
        found.append(time.thread_time() - start)
    assert room is not None
    model.set_up(*span).hand_back(held)
    return 1e6 * min(found)


def lengths(runs: int = 400) -> None:
    """Another number of a slider crank in every run of 10 steps: of a compiled model, beyond the compiled loop of as
    many steps; and a sweep as a whole."""
    mech, pin, span = lw.load("kissel2021_slider_crank"), "crank pin.on_first.point.y", (0.01, 1e-3)
    length = {pin: (0.08, 1e-7)}
    ways: dict[str, dict[str, tuple[float, float]]] = {  # the first value of each number, and how much more each time
        "nothing new": {},
        "a mass": {"crank.mass": (0.12, 1e-7)},
        "a length": length,
        "a length and a mass": length | {"slider.mass": (1.0, 1e-3)},
        "a length and an inertia": length | {"connecting rod.inertia.x": (4e-3, 1e-7)},
        "a joint's point, global": {"slider guide.point.x": (0.2, 1e-5)},
        "a joint's axis, global": {"slider guide.axis.y": (0.0, 1e-6)},
        "a joint's axis on a body": {"slider pin.on_first.axis.y": (0.0, 1e-6)},
        "a body's position": {"crank.position.y": (0.1, 1e-7)},
        "a body's velocity": {"connecting rod.velocity.x": (0.0, 1e-7)},
    }
    for formulation in ("rA", "canonical", "articulated-body"):
        found, loop = dict[str, float](), inf
        for name, told in ways.items():
            model, numbers = lw.compile(mech, formulation, accept_changes=True), iter(range(1, 10_000))

            def another() -> None:
                k = next(numbers)  # noqa: B023  # called within this turn
                model.run(*span, parameters={one: first + k * more for one, (first, more) in told.items()})  # noqa: B023

            for _ in range(50):
                another()
            loop = min(loop, loop_alone(model, span))
            found[name] = least(another, 600 if len(told) < 2 else 200)
        said = ", ".join(f"{name} {took - loop:.0f}" for name, took in found.items())
        print(f"  {formulation}, us beyond its loop of {loop:.0f}: {said}")
        over, how = {pin: lw.uniform(0.08, 0.085)}, {"formulation": formulation, "threads": 1, "accept_changes": True}

        def swept(many: int) -> float:
            start = time.process_time()
            lw.sweep(mech, over, many, KEPT, t_end=0.01, step=1e-3, judge=False, **how)  # noqa: B023
            return time.process_time() - start

        swept(4)
        print(f"    a sweep of {runs} lengths: {runs / swept(runs):.0f} runs per second of processor time")


def kept(runs: int = 400) -> None:
    """What a run of a sweep takes, by what it goes over and what is kept: 100 steps on one thread, none judged."""
    crank, pin = lw.load("kissel2021_slider_crank"), "crank pin.on_first.point.y"
    pendulum, start = double_pendulum(), {"hip": lw.uniform(-1, 1)}
    overs: tuple[tuple[str, lw.Mechanism, dict[str, Any], tuple[str, ...]], ...] = (
        ("another mass", crank, {"crank.mass": lw.uniform(0.5, 2.0)}, (KEPT, "max(kinetic_energy)")),
        ("another length", crank, {pin: lw.uniform(0.08, 0.085)}, (KEPT, "max(kinetic_energy)")),
        (
            "other coordinates",
            pendulum,
            {"hip": lw.uniform(-1, 1), "knee_rate": lw.uniform(-1, 1)},
            ("max(hip.angle)",),
        ),
        ("these and a stiffness", pendulum, start | {"k": lw.uniform(10, 30)}, ("max(hip.angle)",)),
    )
    for name, mech, over, formulas in overs:
        for formula in formulas:
            found = []
            for formulation, integrator in (("rA", None), ("canonical", "rk4")):
                how = {"formulation": formulation, "integrator": integrator, "accept_changes": True}

                def swept(many: int) -> object:
                    span = {"t_end": 0.1, "step": 1e-3}
                    return lw.sweep(mech, over, many, formula, threads=1, judge=False, **span, **how)  # noqa: B023

                swept(60)
                each = least(lambda: swept(runs), 4, time.process_time) / runs
                found.append(f"{formulation} {1e-3 * each:.2f} ms")
            print(f"  {name}, {formula} kept: {', '.join(found)} a run")


def quantities(runs: int = 1000) -> None:
    """What quantities of runs in lanes take beside a position, which is there already: 100 steps on one thread."""
    arm = as_mechanism(lw, pin_chain(7))
    tip, fourth = arm.bodies[6].name, arm.joints[3].name
    cases: tuple[tuple[str, lw.Mechanism, str, str, str, str], ...] = (
        ("double pendulum", double_pendulum(), "k", "lower", "hip", "canonical"),
        ("slider crank", lw.load("kissel2021_slider_crank"), "crank.mass", "slider", "crank pivot", "articulated-body"),
        ("7-joint arm", arm, f"{tip}.mass", tip, fourth, "canonical"),
        ("double pendulum with a motor", driven_pendulum(), "lower.mass", "lower", "hip", "canonical"),
    )
    for name, mech, number, body, joint, formulation in cases:
        keeps: dict[str, list[str]] = {
            "a position": [f"max({body}.position.x)"],
            "a speed": [f"max(norm({body}.velocity))"],
            "an angle": [f"max({joint!r}.angle)"],
            "the energy": ["max(energy)"],
            "a reaction": [f"integral({joint!r}.reaction_force.z**2)"],
        }
        keeps["the last four"] = [formula for formulas in list(keeps.values())[1:] for formula in formulas]
        if name == "double pendulum":
            keeps["a spring"] = ["integral(spring.torque**2)"]
        if name == "double pendulum with a motor":
            first, *_ = keeps
            keeps = {first: keeps[first], "its power": ["integral(drive.power)"]}
            keeps["its effort"] = ["integral(drive.effort*drive.angle_rate)"]
        found = []
        for what, keep in keeps.items():

            def swept(many: int) -> object:
                return lw.sweep(
                    mech, {number: lw.uniform(0.5, 2.0)}, many, keep, t_end=0.1, step=1e-3, lanes=True,  # noqa: B023
                    formulation=formulation, integrator="rk4", threads=1, judge=False,  # noqa: B023
                )  # fmt: skip

            swept(64)
            found.append(f"{what} {1e-3 * least(lambda: swept(runs), 4, time.process_time) / runs:.3f}")
        print(f"  {name}, {formulation}, ms a run: {'; '.join(found)}")


def coordinates() -> None:
    """States from joint coordinates: the knee and hip of a double pendulum."""
    mech, numbers = double_pendulum(), iter(range(1, 10_000))
    for _ in range(WARM):
        lw.start_state(mech, {"hip": 0.2}, {"knee": 1.0})
    found = least(lambda: lw.start_state(mech, {"hip": 0.2 + 1e-9 * next(numbers)}, {"knee": 1.0}))
    print(f"  double pendulum, a state from joint coordinates {found:.0f}")


def swept(runs: int, **who: object) -> float:
    """Seconds of a sweep of so many runs of 100 steps."""
    over = {"k": lw.uniform(1.0, 40.0)}
    keep = ["max(lower.position.x)"]
    start = time.perf_counter()
    lw.sweep(double_pendulum(), over, runs, keep, formulation="canonical", integrator="rk4", **who)
    return time.perf_counter() - start


def many(runs: int) -> None:
    """Steps per second, and memory."""
    swept(4, threads=1)
    print(f"double pendulum with a spring, canonical, RK4, {runs} runs of 100 steps, one number kept")
    for who in ({"threads": 1}, {"threads": 2}, {"processes": 2}):
        seconds = swept(runs, **who)
        print(
            f"  {who}: {seconds:.1f} s, {runs * 100 / seconds / 1e6:.2f} M steps/s, {1e6 * seconds / runs:.0f} us a run"
        )
    print(f"  largest memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def long_runs() -> None:
    """Two threads beside one, where runs are long against what is done in Python for each."""
    mech, over = lw.load("kissel2021_slider_crank"), {"crank.mass": lw.uniform(0.5, 2.0)}
    for judge in (False, True):
        took: dict[int, float] = {}
        for threads in (1, 2, 1, 2, 1, 2):
            start = time.perf_counter()
            lw.sweep(mech, over, 64, "max(slider.position.y)", t_end=3.0, step=1e-3, threads=threads, judge=judge)
            took[threads] = min(took.get(threads, 1e9), time.perf_counter() - start)
        said = "judged" if judge else "not judged"
        print(f"slider crank, rA, 64 runs of 3,000 steps, {said}: one thread {took[1]:.2f} s, two {took[2]:.2f} s")
        print(f"  two threads are {took[1] / took[2]:.2f} times one")


def million(runs: int) -> None:
    """Memory of a million runs of which one number each is kept: on two threads, each with its lanes."""
    start, spent = time.perf_counter(), time.process_time()
    over = {"k": lw.uniform(1.0, 40.0)}
    found = lw.sweep(
        double_pendulum(), over, runs, ["max(lower.position.x)"], formulation="articulated-body", integrator="rk4",
        threads=2, lanes=True, judge=False,
    )  # fmt: skip
    assert not found.failed.any()
    seconds, spent = time.perf_counter() - start, time.process_time() - spent
    print(f"double pendulum with a spring, articulated-body, RK4, {runs} runs of 100 steps, one number kept")
    print(f"  {seconds:.0f} s, {spent:.0f} s of processor time, {1e6 * spent / runs:.0f} us a run")
    print(f"  largest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def ends(runs: int = 2000) -> None:
    """Double pendulums, 1000 steps on one thread: what a run takes where its end is kept, and where all samples are
    read. One by one a quarter as many."""
    formulas = {
        "two final positions": ["final(lower.position.x)", "final(lower.position.z)"],
        "a maximum and an integral": ["max(lower.position.x)", "integral(lower.velocity.x**2)"],
        "the maximum of a joint's angle": ["max(hip.angle)"],
    }
    for lanes in (False, True):
        many = runs if lanes else runs // 4
        for name, keep in formulas.items():

            def swept(many: int) -> object:
                return lw.sweep(
                    double_pendulum(), {"k": lw.uniform(10, 30)}, many, keep, t_end=1.0, step=1e-3, lanes=lanes,  # noqa: B023
                    formulation="canonical", integrator="rk4", threads=1, judge=False,
                )  # fmt: skip

            swept(64)
            each = least(lambda: swept(many), 4, time.process_time) / many  # noqa: B023
            print(f"  {'in lanes' if lanes else 'one by one'}, {name}: {1e-3 * each:.3f} ms a run")


def files_of_code() -> list[str]:
    """What is compiled and kept on disk; files in use get a new time, what is compiled gets a file."""
    from linkwork.kernels.jit import cache_directory

    return sorted(path.name for path in cache_directory().glob("*.code"))


def clusters(runs: int, pairs: int = 4) -> None:
    """Two local workers of Dask beside two processes: seconds of so many more runs of 1 ms, each way in turn, so that
    what a sweep takes to begin does not count."""
    from distributed import Client, LocalCluster

    mech, over = lw.load("kissel2021_slider_crank"), {"crank.mass": lw.uniform(0.5, 2.0)}
    steps = 400

    def swept(many: int, **who: object) -> tuple[float, lw.Sweep]:
        start = time.perf_counter()
        found = lw.sweep(mech, over, many, KEPT, t_end=1e-3 * steps, step=1e-3, **who)
        return time.perf_counter() - start, found

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        ways: dict[str, dict[str, object]] = {"processes": {"processes": 2}, "Dask": {"cluster": client}}
        for who in ways.values():
            swept(8, **who)
        kept = files_of_code()
        took: dict[str, list[float]] = {name: [] for name in ways}
        values = {}
        for _ in range(pairs):
            for name, who in ways.items():
                few, _ = swept(runs // 8, **who)
                all_of_them, values[name] = swept(runs, **who)
                took[name].append(all_of_them - few)
    more = runs - runs // 8
    print(f"slider crank, rA, {steps} steps a run: seconds of {more} runs, least of {pairs}, and all")
    for name, seconds in took.items():
        each = 1e3 * min(seconds) / more
        print(f"  {name}: {min(seconds):.2f} s, {each:.2f} ms a run; {[round(s, 2) for s in seconds]}")
    print(f"  Dask takes {min(took['Dask']) / min(took['processes']):.3f} times as long as processes")
    alike = bool((values["Dask"][KEPT] == values["processes"][KEPT]).all())
    print(f"  the same bits: {alike}; anything was compiled meanwhile: {files_of_code() != kept}")


def main() -> None:
    """All of it."""
    parser = argparse.ArgumentParser(description="Benchmarks of many runs.")
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--million", action="store_true", help="a million runs alone, and their memory")
    parser.add_argument("--kept", action="store_true", help="runs by what is kept of them alone")
    parser.add_argument("--ends", action="store_true", help="runs of which the end is kept alone")
    parser.add_argument("--lengths", action="store_true", help="runs with other lengths alone")
    parser.add_argument("--quantities", action="store_true", help="quantities of runs in lanes alone")
    parser.add_argument("--cluster", action="store_true", help="two workers of Dask beside two processes, alone")
    asked = parser.parse_args()
    runs = asked.runs
    if asked.cluster:
        clusters(4000)
        return
    if asked.kept:
        kept()
        return
    if asked.quantities:
        quantities()
        return
    if asked.ends:
        ends()
        return
    if asked.lengths:
        lengths()
        return
    if asked.million:
        million(10**6)
        return
    calls()
    kept()
    long_runs()
    many(runs)


if __name__ == "__main__":
    main()
