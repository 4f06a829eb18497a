"""What a worker process does: carry out one run, keep it, and say how it went; or time one. Text in, text out."""

from __future__ import annotations

import json
import time as clock
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

from linkwork.errors import ConvergenceError, LinkworkError, ResultFileError
from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.run.simulate import simulate
from linkwork.studies.comparison.case import Case, Setting
from linkwork.studies.comparison.memory import forget_peak, held, peak
from linkwork.studies.comparison.operations import operations

LEAST, ENOUGH = 0.02, 2.0  # s in the compiled loop: repeated until the one, not beyond the other
FINE = clock.get_clock_info("process_time").resolution < 1e-5  # s; on Windows it is 15 ms, too coarse for a short run
OFTENER = 5  # times as often as asked for at most, for very short runs
COUNTS = ("steps", "iterations", "factorizations", "evaluations", "rejected", "projections", "rank_changes")


def job(setting: Setting, case: Case, **more: Any) -> dict[str, Any]:
    """A job as plain data."""
    return {"setting": vars(setting), "case": case.to_dict(), **more}


def carry_out(text: str) -> str:
    """Do a job, both as JSON. file : run and keep the result there; repeats : run so many times and tell the time."""
    what = json.loads(text)
    setting, case = Setting(**what["setting"]), Case.from_dict(what["case"])
    try:
        said = timed(setting, case, what["repeats"]) if "repeats" in what else ran(setting, case, Path(what["file"]))
    except ResultFileError as error:  # a full disk is not the run's fault
        said = {"error": error.to_dict(), "passing": True}
    except LinkworkError as error:
        said = {"error": error.to_dict(), "kind": type(error).__name__}
    except MemoryError:
        said = {"error": {"code": "LW-ERROR", "message": "there was not enough memory."}, "passing": True}
    except Exception as error:  # a formulation from elsewhere may fail in its own way: that is a row of the table
        said = {"error": {"code": "LW-ERROR", "message": f"{type(error).__name__}: {error}"}}
    return json.dumps(said)


@lru_cache(maxsize=4)
def _mechanism(model: str) -> Mechanism:
    return Mechanism.from_dict(json.loads(model))


def ran(setting: Setting, case: Case, file: Path) -> dict[str, Any]:
    """Run and keep. A run that stops early says how far it came."""
    began = clock.perf_counter()
    try:
        result = simulate(_mechanism(setting.model), **setting.arguments(case))
    except ConvergenceError as error:
        found = error.result
        reached = float(found.time[-1]) if found is not None and found.time.size else 0.0
        return {"error": error.to_dict(), "kind": type(error).__name__, "reached": reached}
    result.save(file, force=True)
    took = clock.perf_counter() - began
    counted = operations(setting, case)
    said = {"messages": list(result.messages), "wall_time": took, "operations": counted, **costs(result)}
    return said if case.accuracy is None else {**said, "accuracy": proof(result)}


def proof(result: Result) -> dict[str, Any]:
    """What a planned run says of itself: how it was made, whether the accuracy is reached, the estimated error."""
    found = result.accuracy
    assert found is not None
    return {
        "chosen": found.trials[-1].how if found.trials else "",
        "reached": found.reached,
        "estimate": found.error,
        "until": found.until,
        "reason": found.reason,
        "runs": len(found.trials),
    }


def costs(result: Result) -> dict[str, Any]:
    """Counts of a run, and the seconds in its compiled loop: of the processor, which other work hardly changes.

    Of a planned run these are the seconds of all runs that prove its accuracy.
    """
    whole = result.accuracy
    return {
        "counts": {name: int(result.info[name]) for name in COUNTS if name in result.info},
        "run_seconds": float(result.info["processor_seconds" if FINE else "run_seconds"])
        if whole is None
        else whole.seconds,
    }


def timed(setting: Setting, case: Case, repeats: int) -> dict[str, Any]:
    """The shortest time of some runs in the compiled loop, and the memory that they take.

    Short ones are repeated oftener, long ones less often than asked for. A few steps are taken before, which load code.
    """
    mechanism, arguments = _mechanism(setting.model), setting.arguments(case)
    whole = case.accuracy is not None  # then each repetition plans anew: a mechanism keeps what its plan found
    simulate(mechanism, **{**arguments, "t_end": min(setting.t_end, 2.0 * setting.interval)})
    forget_peak()
    before, spent = held(), 0.0
    found: list[dict[str, Any]] = []
    while not found or (
        spent < ENOUGH and (len(found) < repeats or (spent < LEAST and len(found) < OFTENER * repeats))
    ):
        found.append(costs(simulate(deepcopy(mechanism) if whole else mechanism, **arguments)))
        spent += found[-1]["run_seconds"]
    most = peak()
    best = min(found, key=lambda one: one["run_seconds"])
    rise = most - before if most is not None and before is not None else None
    return {**best, "repeats": len(found), "peak_memory": most, "memory_rise": rise}
