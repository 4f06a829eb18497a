"""What formulas may know of a state, and along what forces act: one file per kind of quantity (`kind.QuantityKind`).

A quantity is one number between body i and body j, with its rate: a distance, a way along an axis, a turn about one. A
formula reads value and rate; an effort (a force or a torque, whose value a formula gives) acts along the quantity,
so that effort times rate is its power. `table` runs over all quantities of a mechanism.
"""

from linkwork.registry import Registry

_HERE = "linkwork.kernels.quantities"
QUANTITIES = Registry(
    "quantity",
    {
        "TRAVEL": f"{_HERE}.travel:KIND",
        "SPEED": f"{_HERE}.speed:KIND",
        "TURN": f"{_HERE}.turn:KIND",
        "LENGTH": f"{_HERE}.length:KIND",
        "COSINE": f"{_HERE}.cosine:KIND",
        "ROTATION": f"{_HERE}.rotation:KIND",
    },
    plural="quantities",
)
