"""Formulas that know the state: stack programs as of time (`kernels.formula`), with operands and choices.

An operand is a number measured from the state or given from outside. Beside the value there is the exact derivative by
one operand, which moves while all others and time stand still: the seed of a jet.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.curves import jet_curve
from linkwork.kernels.formula import CONSTANT, FIRST_BINARY, FIRST_UNARY, LINEAR, SMOOTH, _binary, _unary
from linkwork.kernels.jets import Jet, jet_scale
from linkwork.kernels.jit import kernel
from linkwork.kernels.series import angle_of
from linkwork.kernels.tables import Curves, Programs

# beside the operations of `kernels.formula`; c is the argument, u the top of the stack, v the entry under it
OPERAND = SMOOTH + 1  # push operand c
ABS = OPERAND + 1  # |u|
SIGN = OPERAND + 2  # -1, 0 or 1
CURVE = OPERAND + 3  # curve c of u
MIN = OPERAND + 4  # of v and u, as all that follow
MAX = OPERAND + 5
HYPOT = OPERAND + 6
ATAN2 = OPERAND + 7
SELECT = OPERAND + 8  # v if what is under v is positive, else u

KINKS = (ABS, MIN, MAX, SELECT)
PUSHES = frozenset((CONSTANT, LINEAR, OPERAND))
TAKES_TWO = frozenset((*range(FIRST_BINARY, FIRST_UNARY), MIN, MAX, HYPOT, ATAN2))


@kernel
def jet_abs(u: Jet) -> Jet:
    """|u|; at zero with the slope of what is positive."""
    return jet_scale(-1.0 if u[0].real < 0.0 else 1.0, u)


@kernel
def jet_sign(u: Jet) -> Jet:
    """-1, 0 or 1, which never moves: no derivative."""
    x = u[0].real
    return (1.0 * (x > 0.0) - 1.0 * (x < 0.0) + 0.0 * u[0], 0.0 * u[1], 0.0 * u[2])


@kernel
def jet_hypot(v: Jet, u: Jet) -> Jet:
    """sqrt(v^2 + u^2) and its first derivative, which is taken for zero where both are zero."""
    square = v[0] * v[0] + u[0] * u[0]
    if square.real == 0.0:
        return (0.0 * square, 0.0 * square, 0.0 * square)
    g = np.sqrt(square)
    return (g, (v[0] * v[1] + u[0] * u[1]) / g, 0.0 * g)


@kernel
def jet_atan2(v: Jet, u: Jet) -> Jet:
    """The angle of the point (u, v) and its first derivative."""
    square = v[0] * v[0] + u[0] * u[0]
    return (angle_of(v[0], u[0]), (u[0] * v[1] - v[0] * u[1]) / square, 0.0 * square)


@kernel
def select(which: bool, v: Jet, u: Jet) -> Jet:
    """v where `which` holds, else u, with their derivatives."""
    return (v[0] if which else u[0], v[1] if which else u[1], v[2] if which else u[2])


@kernel
def of_two(op: int, v: Jet, u: Jet) -> Jet:
    """MIN, MAX, HYPOT or ATAN2 of v and u."""
    if op == MIN:
        return select(v[0].real <= u[0].real, v, u)
    if op == MAX:
        return select(v[0].real >= u[0].real, v, u)
    if op == HYPOT:
        return jet_hypot(v, u)
    return jet_atan2(v, u)


@kernel
def kept(stack: Any, at: int, moves: bool, zero: Any) -> Jet:
    """Entry `at` of the stack, with its derivative where an operand moves."""
    return (stack[at, 0], stack[at, 1] if moves else zero, zero)


@kernel
def evaluate_state_program(
    programs: Programs, curves: Curves, p: int, t: Any, operands: Any, seed: int, stack: Any
) -> tuple[Any, Any]:
    """Value of program p, and its derivative by operand `seed` (none: -1, and no derivative).

    stack is a workspace, (programs.depth[0], 3). Outside a function's domain the result is inf or nan.
    """
    zero, moves = 0.0 * t, seed >= 0  # where nothing moves, compiled code leaves derivatives out
    u: Jet = (zero, zero, zero)
    top = -1  # entries under u; -1: even u is empty
    for k in range(programs.start[p], programs.start[p + 1]):
        op = programs.ops[k]
        c = programs.args[k]
        if op < FIRST_BINARY or op == OPERAND:
            if top >= 0:
                stack[top, 0] = u[0]
                if moves:
                    stack[top, 1] = u[1]
            top += 1
            if op == OPERAND:
                at = int(c)
                u = (operands[at], (1.0 if at == seed else 0.0) + zero, zero)
            elif op == LINEAR:
                u = (c * t, zero, zero)
            else:
                u = (c + zero, zero, zero)
        elif op < FIRST_UNARY:
            top -= 1
            u = _binary(op, kept(stack, top, moves, zero), u)
        elif op < OPERAND:
            u = _unary(op, c, u)
        elif op == SELECT:
            top -= 2
            u = select(stack[top, 0].real > 0.0, kept(stack, top + 1, moves, zero), u)
        elif op >= MIN:
            top -= 1
            u = of_two(op, kept(stack, top, moves, zero), u)
        elif op == ABS:
            u = jet_abs(u)
        elif op == SIGN:
            u = jet_sign(u)
        else:
            u = jet_curve(curves, int(c), u)
    return u[0], u[1]
