"""Which formula is to blame where a value is not finite any more: what each gives, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.efforts import effort_now
from linkwork.kernels.formula import evaluate_program

if TYPE_CHECKING:
    from linkwork.system.compiled import CompiledMechanism

IMMENSE = 1e12  # in SI units: what no force, angle or length of a mechanism is


def formula_without_value(mechanism: CompiledMechanism, operands: Any, t: float) -> str:
    """Which formula has no finite value at operands measured last and a time [s], or of time alone an immense one; ''
    if none. Those of time come first: where one of them spoils the motion, others have no value either."""
    with np.errstate(all="ignore"):
        for words, value in _of_time(mechanism, t):
            if not np.isfinite(value):
                return f"the formula of {words} has no finite value at t = {t:.6g} s"
            if abs(value) > IMMENSE:
                return f"the formula of {words} is {value:.3g} at t = {t:.6g} s"
        stack = _stack(mechanism)
        for k, effort in enumerate(mechanism.lowered.efforts):
            value, _ = effort_now(mechanism.system, k, t, np.real(operands), -1, stack)
            part = f" ({effort.label})" if effort.label else ""
            if not np.isfinite(value):
                return f"the formula of force '{effort.name}'{part} has no finite value at t = {t:.6g} s"
            if abs(value) > IMMENSE:
                return f"the formula of force '{effort.name}'{part} is {value:.3g} at t = {t:.6g} s"
    return ""


def _of_time(mechanism: CompiledMechanism, t: float) -> Iterator[tuple[str, float]]:
    """What formulas of time alone give: of loads, force elements and drivers."""
    system, lowered, stack = mechanism.system, mechanism.lowered, _stack(mechanism)
    for load, programs in zip(lowered.loads, system.loads.program, strict=True):
        for axis, program in zip("xyz", programs, strict=True):
            if program >= 0:
                yield f"force '{load.name}' ({axis})", evaluate_program(system.programs, program, t, stack)[0]
    for words, names, programs in (
        ("force", [one.name for one in lowered.elements], system.elements.program),
        ("row", mechanism.row_names, system.rows.program),
    ):
        for name, program in zip(names, programs, strict=False):
            if program >= 0:
                yield f"{words} '{name}'", evaluate_program(system.programs, program, t, stack)[0]


def _stack(mechanism: CompiledMechanism) -> NDArray[np.float64]:
    """Work space of programs."""
    return np.zeros((int(mechanism.system.programs.depth[0]) + 1, 3))
