"""Formulas of time: parsed by a whitelist grammar, differentiated exactly, never evaluated as code.

The language is described in docs/formulas.md.
"""

from linkwork.mechanism.expressions.expression import Expression
from linkwork.mechanism.expressions.programs import build_programs
from linkwork.mechanism.expressions.state import nodes_of

__all__ = ["Expression", "build_programs", "nodes_of"]
