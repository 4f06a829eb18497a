"""The certificate of a run: a second, independent formulation computes the same motion, and says how far it agrees.

The checking formulation is the one that differs most from the run's own (`studies.independence`), with another
integrator, error-controlled, at a much tighter tolerance and held on the constraints. It runs twice, at that tolerance
and at ten times as much, so that it is known how well it is settled itself, and how fast neighbours separate.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.analysis.state import State
from linkwork.arguments import positive_number
from linkwork.errors import (
    ConvergenceError,
    LinkworkError,
    RunInterruptedError,
    UnsupportedElementError,
    UsageError,
)
from linkwork.integrators import INTEGRATORS
from linkwork.io.results import open_result
from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.run.simulate import simulate
from linkwork.run.uniqueness import IMPLIED, unclear_at
from linkwork.studies import independence
from linkwork.studies.certificate_words import ASKED, Check, certificate_of, unconfirmed
from linkwork.studies.quantities import QUANTITIES, Apart, Sampled, Size, apart
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.dense import Pose
from linkwork.verdict import WRONG

TIGHT, TIGHTEST = 1e-10, 1e-13
FINER, LOOSER = 100.0, 10.0  # than the run itself; than the check
SAMPLES = 400  # times at which motions are compared, at most
LOOKED_AT = ("position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration",
             "reaction_force", "reaction_torque", "kinetic_energy", "potential_energy")  # fmt: skip
BLOCK = 4096  # samples that are looked at at once
TRIES = 4  # formulations that begin and do not get through before that is the answer; refusals do not count


def verify(
    result: Result,
    *,
    formulation: str | None = None,
    integrator: str | None = None,
    rtol: float | None = None,
    digits: float = ASKED,
    tell: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Check a run with an independent formulation, and store what that finds in the result (and its file).

    Parameters
    ----------
    result : of `linkwork.simulate`, in memory or in a file.
    formulation, integrator : of the check; by default the formulation that differs most, with the integrator of highest
        order that controls its error and is not the run's own.
    rtol : of the check; 1e-10, or a hundredth of the run's own where that is less.
    digits : asked of every quantity over the whole span, for the run to be ``confirmed``.
    tell : told in words what is being tried.

    Returns the certificate, plain data: ``statement`` (words), ``confirmed``, ``digits`` (the fewest of poses,
    velocities, accelerations, reactions and energies, over the whole span), ``quantities`` (of each its digits, when
    and where it is worst), ``through_time``, ``check`` (who checked, how well it is settled itself), ``sensitivity``,
    ``tried``. It stays in ``result.info["certificate"]``. A check that cannot be made is a certificate that says so.
    Raises UsageError for results that are no dynamics and for an integrator that does not control its error;
    RunInterruptedError with the result, whole but without a certificate.
    """
    digits = positive_number("digits", digits)
    if not isinstance(result, Result):
        raise UsageError(f"a Result is wanted, not {type(result).__name__}.", remedy="Use linkwork.open_result(path).")
    if result.info.get("analysis") != "dynamics" or result.time.size < 2 or not result.mechanism_document:
        raise UsageError("only a run of dynamics with at least two samples can be verified.")
    if result.info.get("controllers"):
        raise UsageError(
            "a run under sampled controllers cannot be verified: what they gave is no part of its mechanism.",
            remedy="Verify a run without them, or give their law as a formula of the state.",
        )
    if broken := _not_finite(result):
        certificate = unconfirmed(digits, broken)
        store(result, certificate)
        return certificate
    mech = Mechanism.from_dict(json.loads(result.mechanism_document))
    pick = np.unique(np.linspace(0, result.time.size - 1, min(SAMPLES, result.time.size)).round().astype(int))
    claimed = Sampled.of(result, pick)
    compiled = compile_mechanism(mech.lower())
    claimed_rtol = result.info.get("rtol")
    tight = rtol or max(TIGHTEST, min(TIGHT, float(claimed_rtol) / FINER if claimed_rtol else TIGHT))
    start = State.of(result, 0) if "start" in result.info else None
    those = _candidates(str(result.info["formulation"]), str(result.info["integrator"]), formulation, integrator)
    try:
        best, tried = _checked(
            mech, compiled, claimed, result.messages, those, tight, tell or (lambda words: None), start
        )
    except (KeyboardInterrupt, RunInterruptedError):
        text = "interrupted while it was verified; the run itself is whole."
        raise RunInterruptedError(text, result=result) from None
    certificate = certificate_of(result, len(claimed.motion.time), best, tried, digits)
    store(result, certificate)
    return certificate


def _not_finite(result: Result) -> str:
    """Which quantity of which sample is no finite number, in words; all samples are looked at."""
    n = result.time.size
    for name in [one for one in LOOKED_AT if one in result.variables]:
        for first in range(0, n, BLOCK):
            values = result.read(name, first, min(first + BLOCK, n))
            missing = np.flatnonzero(~np.isfinite(values.reshape(len(values), -1)).all(axis=1))
            if len(missing):
                return f"its {name} is no finite number at t = {float(result.time[first + missing[0]]):.6g} s"
    return ""


def _checked(
    mech: Mechanism,
    compiled: CompiledMechanism,
    claimed: Sampled,
    messages: Sequence[str],
    candidates: Iterable[tuple[str, str]],
    rtol: float,
    tell: Callable[[str], None],
    start: State | None,
) -> tuple[Check | None, list[dict[str, str]]]:
    """The check that came furthest, and who could not."""
    tried: list[dict[str, str]] = []
    best: Check | None = None
    begun = 0
    time = claimed.motion.time
    size = Size.of(compiled, float(time[-1] - time[0]))
    for name, method in candidates:
        if begun == TRIES:
            break
        tell(f"verifying with {name}, {method}, rtol = {rtol:.0e}")
        try:
            check, said, problem = _check(mech, name, method, rtol, time, start)
        except UnsupportedElementError as error:
            check, said, problem = None, (), str(error)
        else:
            begun += 1
        if problem is not None:
            tried.append({"formulation": name, "integrator": method, "reason": problem})
        if check is None:
            continue
        looser, _, _ = _check(mech, name, method, rtol * LOOSER, time, start)
        idle = _not_unique(compiled, claimed, (*messages, *said))
        found = Check(
            {"formulation": name, "integrator": method, "rtol": rtol},
            apart(claimed, check, size, idle),
            None if looser is None else apart(check, looser, size, idle),
            tuple(compiled.joint_names[k] for k in idle),
        )
        if best is None or _reach(found.apart) > _reach(best.apart):
            best = found
        if len(check.motion.time) == len(time):
            break
    return best, tried


def _reach(found: Mapping[str, Apart]) -> int:
    return len(found["poses"].time)


def _not_unique(compiled: CompiledMechanism, claimed: Sampled, messages: Iterable[str]) -> list[int]:
    """Joints whose reactions two formulations may well give differently, where one of them said that there are any."""
    if not any(message.startswith(IMPLIED) for message in messages):
        return []
    r, A = compiled.r.copy(), compiled.A.copy()
    r[: compiled.nb], A[: compiled.nb] = claimed.motion.position[0], claimed.motion.rotation[0].reshape(-1, 9)
    names = unclear_at(compiled, Pose(r, A), float(claimed.motion.time[0])).joints
    return [k for k, name in enumerate(compiled.joint_names) if name in names]


def store(result: Result, certificate: Mapping[str, Any]) -> None:
    """Put a certificate into a result's header, and into its file if it has one."""
    told: dict[str, Any] = {"certificate": dict(certificate), "confirmed_digits": certificate["digits"]}
    each = certificate["quantities"]
    told |= {f"confirmed_digits_{name}": each[name]["digits"] if name in each else math.nan for name in QUANTITIES}
    result.header = replace(result.header, info={**result.header.info, **told})
    if result.path is not None:
        from linkwork.io.results.amend import amend

        amend(result.path, told)
        again = open_result(result.path)  # the file is another one now
        result.__dict__.update(vars(again))


def _candidates(
    claimed_formulation: str, claimed_integrator: str, formulation: str | None, integrator: str | None
) -> list[tuple[str, str]]:
    """Formulations that may check, with their integrators: the one named, or the most independent first."""
    if integrator is not None and "rtol" not in INTEGRATORS.load(integrator).options:
        raise UsageError(
            f"{integrator!r} does not control its error, so that nobody knows how well a check by it is settled.",
            remedy="Take one that has rtol, such as dop853.",
        )
    if formulation is not None and integrator is None and independence.controlled(formulation) is None:
        raise UsageError(f"no integrator that controls its error fits {formulation!r}.")
    names = [formulation] if formulation is not None else independence.by_independence([claimed_formulation])
    found = ((name, integrator or independence.controlled(name, besides=claimed_integrator)) for name in names)
    return [(name, method) for name, method in found if method is not None]


def _check(
    mech: Mechanism, formulation: str, integrator: str, rtol: float, times: Any, start: State | None
) -> tuple[Sampled | None, Sequence[str], str | None]:
    """The run at these times, as far as it comes; what it reported; and what went wrong."""
    options = INTEGRATORS.load(integrator).options
    wished = {
        "rtol": rtol,
        "atol": 1e-2 * rtol,
        "t_eval": times if start is None else times - start.time,
        "stabilisation": "projection",
        "max_step": float(np.max(np.diff(times))),
    }
    given = {name: value for name, value in wished.items() if name in options}
    step = float(np.min(np.diff(times)))
    try:
        found = simulate(
            mech,
            float(times[-1]),
            step,
            formulation,
            integrator,
            accept_drivers=True,
            accept_changes=True,
            state=start,
            options=given,
        )
    except (RunInterruptedError, UnsupportedElementError):
        raise
    except ConvergenceError as error:
        found = error.result
        if found is None or found.time.size < 2:
            return None, (), str(error)
        return Sampled.of(found), found.messages, str(error)
    except LinkworkError as error:
        return None, (), str(error)
    if found.judgement == WRONG:  # what is wrong itself confirms nothing
        return None, (), f"the check itself is judged wrong. {found.message}"
    return Sampled.of(found), found.messages, None
