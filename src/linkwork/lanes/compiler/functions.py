"""Square roots, cosines and the like of lanes.

What processors have an instruction for is taken of all lanes at once. The others are taken lane by lane with the very
code that one number has, so that no lane's bits depend on its being one.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from linkwork.lanes.compiler.arithmetic import intrinsic, register_unary
from linkwork.lanes.compiler.number import Lanes, are_lanes, lane, lane_by_lane, width_of

AT_ONCE = {np.sqrt: "llvm.sqrt", math.sqrt: "llvm.sqrt", np.floor: "llvm.floor", np.abs: "llvm.fabs"}
OF_ONE = (
    np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.exp, np.log, np.sinh, np.cosh, np.tanh, np.cbrt,
)  # fmt: skip
OF_TWO = (np.arctan2, np.hypot, operator.pow)

for _function, _name in AT_ONCE.items():
    register_unary(_function, intrinsic(_name))


def _register(function: Any, many: int) -> None:
    class LaneByLane(AbstractTemplate):  # type: ignore[misc]  # Numba comes without types
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            lanes = Lanes(width_of(args)) if len(args) == many and are_lanes(args) else None
            return None if lanes is None else signature(lanes, *[lanes] * many)

    infer_global(function)(LaneByLane)

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        of_numbers = signature(types.float64, *[types.float64] * many)
        typed = context.typing_context.resolve_value_type(function)
        typed.get_call_type(context.typing_context, of_numbers.args, {})
        call, width = context.get_function(typed, of_numbers), sig.return_type.width
        return lane_by_lane(builder, width, lambda k: call(builder, [lane(builder, x, k) for x in args]))

    lower_builtin(function, *[Lanes] * many)(lower)


for _function in OF_ONE:
    _register(_function, 1)
for _function in OF_TWO:
    _register(_function, 2)
