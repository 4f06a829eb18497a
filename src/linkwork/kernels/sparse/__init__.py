"""Sparse LU with a fixed pattern: analysed once, factored when pivots must be chosen, refactored many times."""

from __future__ import annotations
