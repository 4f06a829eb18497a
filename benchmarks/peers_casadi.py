"""Chains of pins by CasADi: equations of motion as symbols, generated C, steps of rk4 in a loop in C.

Composite inertias and the factors of the mass matrix from the tip on (Featherstone, Rigid Body Dynamics Algorithms,
2008, sections 6.2 and 6.5), moments at zero accelerations by Newton and Euler; numbers of the chain are written into
the code. Two ways of a step are compiled, one function of four evaluations and four calls of one evaluation;
`casadi_chain` takes the quicker.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.models import Array
from benchmarks.pin_chains import GRAVITY, PinChain

FLAGS = ("-O3", "-march=native", "-fno-math-errno", "-shared", "-fPIC")  # errno would keep sines and cosines apart
TRIED = 2000  # steps by which the quicker way is found
DRIVER = """
void chain_carry(double* q, double* v, long instances, long steps, double h) {{
  casadi_int iw[{iw} + 1]; double w[{w} + 1], q2[{n}], v2[{n}], k[4][{n}], u[4][{n}];
  for (long i = 0; i < instances; i++, q += {n}, v += {n})
    for (long s = 0; s < steps; s++) {{
{step}
    }}
}}
"""
WHOLE_STEP = """      const double* arg[] = {{q, v, &h}}; double* res[] = {{q2, v2}};
      chain_step(arg, res, iw, w, 0);
      for (int j = 0; j < {n}; j++) {{ q[j] = q2[j]; v[j] = v2[j]; }}"""
FOUR_CALLS = """      static const double share[] = {{0, 0.5, 0.5, 1}};
      for (int j = 0; j < {n}; j++) {{ q2[j] = q[j]; u[0][j] = v[j]; }}
      for (int stage = 0; ; stage++) {{
        const double* arg[] = {{q2, u[stage]}}; double* res[] = {{k[stage]}};
        chain_acceleration(arg, res, iw, w, 0);
        if (stage == 3) break;
        for (int j = 0; j < {n}; j++) {{
          q2[j] = q[j] + share[stage + 1] * h * u[stage][j];
          u[stage + 1][j] = v[j] + share[stage + 1] * h * k[stage][j];
        }}
      }}
      for (int j = 0; j < {n}; j++) {{
        q[j] += h / 6 * (u[0][j] + 2 * u[1][j] + 2 * u[2][j] + u[3][j]);
        v[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
      }}"""
Carry = Callable[[Array, Array, int, float], None]


class NotHere(Exception):
    """What is missing, in words."""


def casadi_chain(chain: PinChain) -> tuple[Carry, str]:
    """carry(q, v, steps, h): so many steps of all instances, q and v (instances, n) in place, without the interpreter's
    lock; and the way of a step that was quicker. Raises NotHere without CasADi or a C compiler."""
    try:
        import casadi  # noqa: F401
    except ImportError:
        raise NotHere("casadi is not installed: extra `bench`") from None
    compiler = shutil.which("gcc")
    if compiler is None:
        raise NotHere("there is no gcc, which compiles what CasADi generates")
    ways = {
        way: _compiled(compiler, function, body, len(chain))
        for way, function, body in (
            ("four calls a step", acceleration(chain), FOUR_CALLS),
            ("one call a step", _step(chain), WHOLE_STEP),
        )
    }
    seconds: dict[str, float] = {}
    for _ in range(3):
        for way, carry in ways.items():
            q, v = chain.q[None].copy(), chain.v[None].copy()
            start = time.thread_time()
            carry(q, v, TRIED, 1e-3)
            seconds[way] = min(seconds.get(way, np.inf), time.thread_time() - start)
    way = min(seconds, key=seconds.__getitem__)
    return ways[way], way


def _compiled(compiler: str, function: Any, step: str, n: int) -> Carry:
    """By gcc, loaded; the files are gone then."""
    import casadi as ca

    generator = ca.CodeGenerator("chain.c")
    generator.add(function)
    sizes = {"n": n, "iw": function.sz_iw(), "w": function.sz_w()}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        source, library = Path(folder) / "chain.c", Path(folder) / "chain.so"
        source.write_text(generator.dump() + DRIVER.format(step=step.format(**sizes), **sizes))
        subprocess.run([compiler, *FLAGS, str(source), "-o", str(library), "-lm"], check=True)
        loaded = ctypes.CDLL(str(library)).chain_carry
    loaded.restype, long, pointer = None, ctypes.c_long, ctypes.POINTER(ctypes.c_double)

    def carry(q: Array, v: Array, steps: int, h: float) -> None:
        assert q.flags.c_contiguous
        assert v.flags.c_contiguous
        loaded(q.ctypes.data_as(pointer), v.ctypes.data_as(pointer), long(len(q)), long(steps), ctypes.c_double(h))

    return carry


def _step(chain: PinChain) -> Any:
    """chain_step(q, v, h): rk4, as one expression."""
    import casadi as ca

    f, n = acceleration(chain), len(chain)
    q, v, h = ca.SX.sym("q", n), ca.SX.sym("v", n), ca.SX.sym("h")
    a1 = f(q, v)
    v2 = v + h / 2 * a1
    a2 = f(q + h / 2 * v, v2)
    v3 = v + h / 2 * a2
    a3 = f(q + h / 2 * v2, v3)
    v4 = v + h * a3
    a4 = f(q + h * v3, v4)
    ends = [q + h / 6 * (v + 2 * v2 + 2 * v3 + v4), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)]
    return ca.Function("chain_step", [q, v, h], ends, {"cse": True})


def acceleration(chain: PinChain) -> Any:
    """chain_acceleration(q, v): of the joints, 1/s^2. (A plain name may be one of the C library.)"""
    import casadi as ca

    n = len(chain)
    q, v = ca.SX.sym("q", n), ca.SX.sym("v", n)
    turns = [_turn(axis, q[k]) for k, axis in enumerate(chain.axis)]
    x = _solved(_mass_matrix(chain, turns), [-moment for moment in _bias(chain, turns, v)])
    return ca.Function("chain_acceleration", [q, v], [ca.vertcat(*x)], {"cse": True})


def _turn(axis: str, angle: Any) -> Any:
    """From a link's frame to that of the link before; zeros stay out of the expressions."""
    import casadi as ca

    R, i, j, k = ca.SX(3, 3), *((2, 0, 1) if axis == "z" else (0, 1, 2))
    c, s = ca.cos(angle), ca.sin(angle)
    R[i, i], R[j, j], R[k, k], R[k, j], R[j, k] = 1, c, c, s, -s
    return R


def _bias(chain: PinChain, turns: list[Any], v: Any) -> list[Any]:
    """Moments of the joints at zero accelerations, from Newton's and Euler's equations in the links' frames; those of
    Euler as a skew part, E P - P E^T, with E = [alpha]x + [omega]x^2 and second moments P."""
    import casadi as ca

    zero = ca.SX(3, 1)
    omega, alpha, a, E = zero, zero, -ca.SX(ca.DM(GRAVITY)), ca.SX(3, 3)  # a : of the frame's origin, less gravity
    forces, moments = [], []
    for k, R in enumerate(turns):
        rate = ca.SX(3, 1)
        rate["xyz".index(chain.axis[k])] = v[k]
        a = ca.densify(R.T @ (a + E @ ca.DM(chain.joint[k])))
        omega = ca.densify(R.T @ omega)
        alpha = ca.densify(R.T @ alpha + ca.skew(omega) @ rate)
        omega = omega + rate
        E = ca.skew(alpha) + ca.triu2symm(ca.triu(ca.skew(omega) @ ca.skew(omega)))
        m, c, J = chain.mass[k], chain.centre[k], chain.inertia[k]
        M = E @ ca.DM(0.5 * np.trace(J) * np.eye(3) - J + m * np.outer(c, c))
        skew = ca.vertcat(M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1])
        forces.append(m * (a + E @ ca.DM(c)))
        moments.append(skew + m * ca.cross(ca.DM(c), a))
    for k in range(len(chain) - 1, 0, -1):
        force = ca.densify(turns[k] @ forces[k])
        forces[k - 1] += force
        moments[k - 1] += turns[k] @ moments[k] + ca.cross(ca.DM(chain.joint[k]), force)
    return [moment["xyz".index(axis)] for moment, axis in zip(moments, chain.axis, strict=True)]


def _mass_matrix(chain: PinChain, turns: list[Any]) -> list[list[Any]]:
    """Lower triangle: wrenches that a unit acceleration of joint k takes of the links from k on, at joints j <= k."""
    import casadi as ca

    n, axes = len(chain), ["xyz".index(axis) for axis in chain.axis]
    H: list[list[Any]] = [[None] * n for _ in range(n)]
    mass, first, second = 0.0, ca.SX(3, 1), ca.SX(3, 3)  # of links from k on, about the frame of link k
    for k in range(n - 1, -1, -1):
        m, c = chain.mass[k], chain.centre[k]
        own = chain.inertia[k] + m * (c @ c * np.eye(3) - np.outer(c, c))
        if k + 1 < n:
            R, p = turns[k + 1], ca.skew(ca.DM(chain.joint[k + 1]))
            first = ca.densify(R @ first)
            shift = ca.densify(p @ ca.skew(first))
            second = ca.triu2symm(ca.triu(ca.densify(R @ second @ R.T) - shift - shift.T)) - mass * ca.DM(p @ p)
            first = first + mass * ca.DM(chain.joint[k + 1])
        first, second, mass = ca.densify(first + m * ca.DM(c)), ca.densify(second + ca.DM(own)), mass + m
        force, moment = ca.cross(ca.DM(np.eye(3)[axes[k]]), first), second[:, axes[k]]
        H[k][k] = moment[axes[k]]
        for j in range(k - 1, -1, -1):
            force = ca.densify(turns[j + 1] @ force)
            moment = turns[j + 1] @ moment + ca.cross(ca.DM(chain.joint[j + 1]), force)
            H[k][j] = moment[axes[j]]
    return H


def _solved(H: list[list[Any]], x: list[Any]) -> list[Any]:
    """H x from H = L^T D L, both overwritten."""
    n = len(x)
    inverse = [None] * n
    for k in range(n - 1, -1, -1):
        inverse[k] = 1 / H[k][k]
        for i in range(k - 1, -1, -1):
            share = H[k][i] * inverse[k]
            for j in range(i + 1):
                H[i][j] -= share * H[k][j]
            H[k][i] = share
    for k in range(n - 1, -1, -1):
        for i in range(k):
            x[i] -= H[k][i] * x[k]
    x = [value * one for value, one in zip(x, inverse, strict=True)]
    for k in range(n):
        for i in range(k):
            x[k] -= H[k][i] * x[i]
    return x
