"""Formulas of time as stack programs, evaluated to (f, f', f'') without returning to Python.

`mechanism.expressions.programs` writes the programs; this is the machine that runs them. The top of the
stack stays in local variables (registers), the rest in a small workspace.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jets import (
    Jet,
    jet_acos,
    jet_add,
    jet_asin,
    jet_atan,
    jet_cos,
    jet_cosh,
    jet_div,
    jet_exp,
    jet_log,
    jet_mul,
    jet_real_power,
    jet_scale,
    jet_sin,
    jet_sinh,
    jet_smooth,
    jet_sqrt,
    jet_sub,
    jet_tan,
    jet_tanh,
    jet_whole_power,
)
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Programs

# what an operation does; c is its argument, u the top of the stack, v the entry under it
CONSTANT, LINEAR = range(2)  # push c; push c t
ADD, SUB, MUL, DIV = range(2, 6)  # v op u
SHIFT, SCALE, WHOLE_POWER, REAL_POWER = range(6, 10)  # u + c, c u, u^c for whole c, u^c
COS, SIN, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, EXP, LOG, SQRT, SMOOTH = range(10, 23)

FIRST_BINARY = ADD
FIRST_UNARY = SHIFT


@kernel
def _binary(op: int, v: Jet, u: Jet) -> Jet:
    """v op u: the value of a binary operation and its derivatives."""
    if op == ADD:
        return jet_add(v, u)
    if op == SUB:
        return jet_sub(v, u)
    if op == MUL:
        return jet_mul(v, u)
    return jet_div(v, u)


@kernel
def _unary(op: int, c: float, u: Jet) -> Jet:
    """The operation of one operand; the commonest first."""
    if op == SHIFT:
        return (u[0] + c, u[1], u[2])
    if op == SCALE:
        return jet_scale(c, u)
    if op == COS:
        return jet_cos(u)
    if op == SIN:
        return jet_sin(u)
    if op == WHOLE_POWER:
        return jet_whole_power(u, int(c))
    if op == REAL_POWER:
        return jet_real_power(u, c)
    if op == TAN:
        return jet_tan(u)
    if op == ASIN:
        return jet_asin(u)
    if op == ACOS:
        return jet_acos(u)
    if op == ATAN:
        return jet_atan(u)
    if op == SINH:
        return jet_sinh(u)
    if op == COSH:
        return jet_cosh(u)
    if op == TANH:
        return jet_tanh(u)
    if op == EXP:
        return jet_exp(u)
    if op == LOG:
        return jet_log(u)
    if op == SQRT:
        return jet_sqrt(u)
    return jet_smooth(u)


@kernel
def evaluate_program(programs: Programs, p: int, t: Any, stack: Any) -> Jet:
    """Value and first two time derivatives of program p at time t.

    stack is a workspace, (programs.depth[0], 3), of the scalar type of t. Outside a function's domain the
    result is inf or nan.
    """
    u: Jet = (0.0, 0.0, 0.0)
    top = -1  # entries under u; -1: even u is empty
    for k in range(programs.start[p], programs.start[p + 1]):
        op = programs.ops[k]
        c = programs.args[k]
        if op < FIRST_BINARY:
            if top >= 0:
                stack[top, 0] = u[0]
                stack[top, 1] = u[1]
                stack[top, 2] = u[2]
            top += 1
            if op == LINEAR:
                u = (c * t, c, 0.0)
            else:
                u = (c, 0.0, 0.0)
        elif op < FIRST_UNARY:
            top -= 1
            u = _binary(op, (stack[top, 0], stack[top, 1], stack[top, 2]), u)
        else:
            u = _unary(op, c, u)
    return u


@kernel
def evaluate_drives(programs: Programs, rows_program: Any, rows_constant: Any, t: Any, stack: Any, drive: Any) -> None:
    """Write f, f', f'' of every row into drive (n, 3); rows without a program (-1) get (constant, 0, 0)."""
    for k in range(rows_program.shape[0]):
        p = rows_program[k]
        if p < 0:
            drive[k, 0] = rows_constant[k]
            drive[k, 1] = 0.0
            drive[k, 2] = 0.0
        else:
            f, f1, f2 = evaluate_program(programs, p, t, stack)
            drive[k, 0] = f
            drive[k, 1] = f1
            drive[k, 2] = f2
