"""The names a formula may use: constants, functions, and what to say of names that are left out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from linkwork.errors import nearest
from linkwork.kernels import formula, jets

CONSTANTS = {"pi": math.pi, "tau": math.tau, "e": math.e}


class Function(NamedTuple):
    """A function of one argument: its rule on jets and its operation in a program."""

    jet: Callable[[jets.Jet], jets.Jet]
    op: int


FUNCTIONS = {
    "sin": Function(jets.jet_sin, formula.SIN),
    "cos": Function(jets.jet_cos, formula.COS),
    "tan": Function(jets.jet_tan, formula.TAN),
    "asin": Function(jets.jet_asin, formula.ASIN),
    "acos": Function(jets.jet_acos, formula.ACOS),
    "atan": Function(jets.jet_atan, formula.ATAN),
    "sinh": Function(jets.jet_sinh, formula.SINH),
    "cosh": Function(jets.jet_cosh, formula.COSH),
    "tanh": Function(jets.jet_tanh, formula.TANH),
    "exp": Function(jets.jet_exp, formula.EXP),
    "log": Function(jets.jet_log, formula.LOG),
    "sqrt": Function(jets.jet_sqrt, formula.SQRT),
}

ARITY = {**dict.fromkeys(FUNCTIONS, 1), "step": 3}
"""Number of arguments; step(u, u0, u1) is the smooth ramp from 0 at u0 to 1 at u1, u0 and u1 constant."""

OTHER_SPELLINGS = {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "sine": "sin",
    "cosine": "cos",
    "tangent": "tan",
    "ln": "log",
    "time": "t",
    "x": "t",
    "pow": "**",
    "power": "**",
    "heaviside": "step",
    "smoothstep": "step",
}
"""Names people try, and what stands for them here."""

NOT_SMOOTH = frozenset(
    ("abs", "fabs", "min", "max", "sign", "sgn", "floor", "ceil", "round", "mod", "fmod", "if", "clip")
)
"""Left out on purpose: a driver needs two derivatives, and these have none somewhere."""


OF_STATE = frozenset(
    (
        "angle", "displacement", "rate", "position", "velocity", "angular_velocity", "direction", "speed", "distance",
        "distance_rate", "input", "table",
    )
)  # fmt: skip
"""What formulas of forces read besides time, and prescribed motions cannot."""


def remedy_for(name: str) -> str:
    """What to do about a name that is not in the grammar."""
    known = ["t", *CONSTANTS, *ARITY]
    lower = name.lower()
    if lower in OF_STATE:
        return f"A prescribed motion is a formula of time alone; '{name}' is for forces: a servo (`motor`) follows it."
    if lower in NOT_SMOOTH:
        return f"'{name}' is not twice differentiable; use step(t, t0, t1), a smooth ramp from 0 to 1."
    if lower in ("np", "numpy", "math"):
        return "Functions and constants stand alone, as in cos(pi*t)."
    guess = OTHER_SPELLINGS.get(lower) or nearest(lower, known)
    return f"Did you mean '{guess}'?" if guess else f"Known: {', '.join(known)}."
