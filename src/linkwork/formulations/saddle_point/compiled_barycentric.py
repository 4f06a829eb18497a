"""The entries of barycentric, compiled."""

from linkwork.formulations.saddle_point.tree.compiled_reduced import REPORT, factorise, solve

__all__ = ["REPORT", "factorise", "solve"]
