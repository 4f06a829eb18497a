"""The entries of barycentric, compiled."""

from linkwork.solvers.tree.compiled_reduced import REPORT, factorise, solve

__all__ = ["REPORT", "factorise", "solve"]
