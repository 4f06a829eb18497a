"""The compiled mechanism: tables, names and structure that every formulation reads."""

from linkwork.system.compiled import CompiledMechanism, compile_mechanism

__all__ = ["CompiledMechanism", "compile_mechanism"]
