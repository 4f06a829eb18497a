"""Formulations: a choice of coordinates, the equations in them, and the way the constraints are solved."""

from __future__ import annotations

from linkwork.registry import Registry

_METHODS = "linkwork.formulations.newton_euler.methods"
_RECURSIVE = "linkwork.formulations.recursive.formulation"

FORMULATIONS = Registry(
    "formulation",
    {
        "rA": "linkwork.formulations.rA:FORMULATION",
        "rp": "linkwork.formulations.rp:FORMULATION",
        "re": "linkwork.formulations.re:FORMULATION",
        "lie-se3": "linkwork.formulations.lie_se3:FORMULATION",
        "lie-product": "linkwork.formulations.lie_product:FORMULATION",
        "lie-mixed": "linkwork.formulations.lie_mixed:FORMULATION",
        "rotation-matrix": "linkwork.formulations.rotation_matrix.formulation:FORMULATION",
        "augmented": f"{_METHODS}:AUGMENTED",
        "range-space": f"{_METHODS}:RANGE_SPACE",
        "partial": f"{_METHODS}:PARTIAL",
        "joint-rates": f"{_METHODS}:JOINT_RATES",
        "barycentric": f"{_METHODS}:BARYCENTRIC",
        "cut-joint": f"{_METHODS}:CUT_JOINT",
        "null-space": f"{_METHODS}:NULL_SPACE",
        "penalty": f"{_METHODS}:PENALTY",
        "articulated-body": f"{_RECURSIVE}:ARTICULATED_BODY",
        "canonical": f"{_RECURSIVE}:CANONICAL",
    },
)
