"""atan2 and exp of one number for devices, which have no C library: within two units in the last place.

atan2: the smaller of both sides over the larger one, of which atan is u + u^3 P(u^2); beyond tan(pi/8) that of the
difference over the sum, and pi/4. P interpolates at twelve nodes of Chebyshev's polynomial on [0, tan(pi/8)^2], within
4e-18 of atan. exp: Taylor's polynomial about the nearest multiple of log 2, and a power of two.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

ATAN = (
    -0.3333333333333333, 0.19999999999999804, -0.14285714285659779, 0.11111111105150588, -0.09090908753259112,
    0.07692296368042296, -0.0666642476020052, 0.05878927554473807, -0.05230443640686948, 0.045515447340221615,
    -0.03456931506332609, 0.016284375050043393,
)  # fmt: skip
EXP = tuple(1.0 / math.factorial(k) for k in range(14))
FUNCTIONS = ("atan2", "exp")
LEAST, MOST = -708.0, 709.0  # arguments of exp, beyond which it is taken for 0 and for infinity


def bits(value: float) -> str:
    """A number as LLVM reads it, to the bit."""
    return "0x" + struct.pack(">d", value).hex().upper()


def horner(name: str, x: str, coefficients: Sequence[float]) -> str:
    """Lines that leave a polynomial of `x` in %NAME0."""
    lines, found = [], bits(coefficients[-1])
    for k in reversed(range(len(coefficients) - 1)):
        to = f"%{name}{k}"
        given = f"double {found}, double {x}, double {bits(coefficients[k])}"
        lines.append(f"  {to} = call double @llvm.fma.f64({given})")
        found = to
    return "\n".join(lines)


def text() -> str:
    """The functions, as LLVM reads them."""
    places = {
        "POLYNOMIAL_ATAN": horner("p", "%s", ATAN), "POLYNOMIAL_EXP": horner("e", "%r", EXP),
        "TAN_PI_8": bits(math.tan(math.pi / 8)),
        "QUARTER_LOW": bits(3.061616997868383e-17), "QUARTER": bits(math.pi / 4),  # pi/4 by two numbers
        "HALF_LOW": bits(6.123233995736766e-17), "HALF": bits(math.pi / 2),
        "PI_LOW": bits(1.2246467991473532e-16), "PI": bits(math.pi),
        "ONE_LOG_2": bits(1.0 / math.log(2.0)), "LOG_2_LOW": bits(1.9082149292705877e-10),
        "LOG_2": bits(0.6931471803691238), "INFINITY": bits(math.inf), "LEAST": bits(LEAST), "MOST": bits(MOST),
    }  # fmt: skip
    found = TEXT
    for name, value in places.items():
        found = found.replace(name, value)
    return found


TEXT = """
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.copysign.f64(double, double)

define internal double @device_atan2(double %y, double %x) {
  %ay = call double @llvm.fabs.f64(double %y)
  %ax = call double @llvm.fabs.f64(double %x)
  %steep = fcmp ogt double %ay, %ax
  %hi = select i1 %steep, double %ay, double %ax
  %lo = select i1 %steep, double %ax, double %ay
  %limit = fmul double TAN_PI_8, %hi
  %far = fcmp ogt double %lo, %limit
  %difference = fsub double %lo, %hi
  %sum = fadd double %lo, %hi
  %over = select i1 %far, double %difference, double %lo
  %under = select i1 %far, double %sum, double %hi
  %origin = fcmp oeq double %under, 0.0
  %some = select i1 %origin, double 1.0, double %under
  %u = fdiv double %over, %some
  %s = fmul double %u, %u
POLYNOMIAL_ATAN
  %us = fmul double %u, %s
  %add_low = select i1 %far, double QUARTER_LOW, double 0.0
  %base = select i1 %far, double QUARTER, double 0.0
  %rest = call double @llvm.fma.f64(double %us, double %p0, double %add_low)
  %both = fadd double %u, %rest
  %sign_x = call double @llvm.copysign.f64(double 1.0, double %x)
  %back = fcmp olt double %sign_x, 0.0
  %flip = xor i1 %steep, %back
  %minus_both = fneg double %both
  %turned = select i1 %flip, double %minus_both, double %both
  %minus_base = fneg double %base
  %turned_base = select i1 %flip, double %minus_base, double %base
  %far_low = select i1 %back, double PI_LOW, double 0.0
  %far_high = select i1 %back, double PI, double 0.0
  %low = select i1 %steep, double HALF_LOW, double %far_low
  %high = select i1 %steep, double HALF, double %far_high
  %small = fadd double %turned, %low
  %start = fadd double %high, %turned_base
  %angle = fadd double %start, %small
  %found = call double @llvm.copysign.f64(double %angle, double %y)
  ret double %found
}

define internal double @device_exp(double %x) {
  %scaled = fmul double %x, ONE_LOG_2
  %shifted = fadd double %scaled, 0.5
  %n = call double @llvm.floor.f64(double %shifted)
  %minus = fneg double %n
  %near = call double @llvm.fma.f64(double %minus, double LOG_2, double %x)
  %r = call double @llvm.fma.f64(double %minus, double LOG_2_LOW, double %near)
POLYNOMIAL_EXP
  %above = fcmp ogt double %x, MOST
  %below = fcmp olt double %x, LEAST
  %beyond = or i1 %above, %below
  %ordered = fcmp ord double %x, %x
  %unordered = xor i1 %ordered, true
  %out = or i1 %beyond, %unordered
  %power = select i1 %out, double 0.0, double %n
  %k = fptosi double %power to i64
  %biased = add i64 %k, 1023
  %word = shl i64 %biased, 52
  %two = bitcast i64 %word to double
  %value = fmul double %e0, %two
  %low = select i1 %below, double 0.0, double %value
  %found = select i1 %above, double INFINITY, double %low
  ret double %found
}
"""
