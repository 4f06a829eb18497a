"""Efforts: forces and torques whose value is a formula of the state, each acting along one quantity.

Effort Q along a quantity of rate qdot = W u exerts Q W on the two bodies, so that its power is Q qdot. Q is a program
(`kernels.state_formula`) of operands: value and rate of every quantity, then inputs. Derivatives are exact:
d(Q W) = Q dW + W (dQ/dq dq + dQ/dqdot dqdot), summed over the operands that the formula reads.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.quantities.table import Parts, add_variation_of, gradient_of, measure, parts_of, rate_gradient
from linkwork.kernels.state_formula import evaluate_state_program
from linkwork.kernels.tables import System
from linkwork.kernels.vec3 import add3, scale


@kernel
def apply_efforts(
    system: System, r: Any, A: Any, v: Any, w: Any, t: Any, previous: Any, operands: Any, stack: Any, f: Any, n: Any
) -> None:
    """Measure all quantities into `operands`, and add every effort to f (global) and n (body components).

    previous : counted angles at the last step, (nt + nq,), those of quantities behind those of force elements.
    """
    q, efforts = system.quantities, system.efforts
    measure(q, r, A, v, w, previous, previous.shape[0] - q.kind.shape[0], operands)
    for k in range(efforts.quantity.shape[0]):
        m = efforts.quantity[k]
        Q, _ = evaluate_state_program(system.programs, system.curves, efforts.program[k], t, operands, -1, stack)
        p = parts_of(q.kind[m], q, m, r, A)
        i, j = q.body_i[m], q.body_j[m]
        add3(f, i, scale(Q, p[0]))
        add3(n, i, scale(Q, p[1]))
        add3(f, j, scale(Q, p[2]))
        add3(n, j, scale(Q, p[3]))


@kernel
def effort_now(system: System, k: int, t: Any, operands: Any, seed: int, stack: Any) -> tuple[Any, Any]:
    """Effort k and its derivative by operand `seed`, at operands measured already."""
    return evaluate_state_program(system.programs, system.curves, system.efforts.program[k], t, operands, seed, stack)


@kernel
def effort_variation(system: System, k: int, r: Any, A: Any, effort: Any, K: Any) -> None:
    """Add the derivative of effort k's generalised force on its two bodies to K (12, 12), the effort held."""
    q, m = system.quantities, system.efforts.quantity[k]
    add_variation_of(q.kind[m], K, effort, q, m, r, A)


@kernel
def use_variation(system: System, k: int, use: int, slope: Any, r: Any, A: Any, v: Any, w: Any, K: Any, C: Any) -> None:
    """K, C (12, 12): derivatives of effort k's force on (i, j) by what operand `use` says of its own two bodies.

    slope : of the effort by that operand. Both are overwritten; rows belong to the effort's bodies, columns to the
    operand's, K by (r, theta) and C by (v, omega).
    """
    q, m, o = system.quantities, system.efforts.quantity[k], use // 2
    W = parts_of(q.kind[m], q, m, r, A)
    if use % 2 == 0:
        put_outer(K, slope, W, gradient_of(q.kind[o], q, o, r, A))
        put_outer(C, 0.0 * slope, W, W)
    else:
        along = rate_gradient(q, o, r, A, v, w, K)
        put_outer(K, slope, W, along)
        put_outer(C, slope, W, parts_of(q.kind[o], q, o, r, A))


@kernel
def put_outer(out: Any, factor: Any, a: Parts, b: Parts) -> None:
    """out (12, 12) = factor a b^T."""
    put_rows(out, 0, factor, a[0], b)
    put_rows(out, 3, factor, a[1], b)
    put_rows(out, 6, factor, a[2], b)
    put_rows(out, 9, factor, a[3], b)


@kernel
def put_rows(out: Any, row: int, factor: Any, a: Any, b: Parts) -> None:
    """Three rows of the product of `put_outer`."""
    for c in range(3):
        out[row, c], out[row + 1, c], out[row + 2, c] = of_three(factor, a, b[0], c)
        out[row, 3 + c], out[row + 1, 3 + c], out[row + 2, 3 + c] = of_three(factor, a, b[1], c)
        out[row, 6 + c], out[row + 1, 6 + c], out[row + 2, 6 + c] = of_three(factor, a, b[2], c)
        out[row, 9 + c], out[row + 1, 9 + c], out[row + 2, 9 + c] = of_three(factor, a, b[3], c)


@kernel
def of_three(factor: Any, a: Any, b: Any, c: int) -> Any:
    """factor a times component c of b."""
    return scale(factor * (b[0] if c == 0 else b[1] if c == 1 else b[2]), a)
