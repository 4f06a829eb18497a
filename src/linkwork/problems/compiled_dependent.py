"""The entries that only problems with dependent rows need, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import entry
from linkwork.problems.context import ENTRY, dependent_of, linear_of, tables_of, work_of
from linkwork.problems.linear import seek_dependent as _seek_dependent
from linkwork.problems.linear import share_multipliers as _share_multipliers


@entry(ENTRY)
def seek(context: Any) -> int:
    """Which rows depend on others."""
    return _seek_dependent(tables_of(context), work_of(context), dependent_of(context))


@entry(ENTRY)
def share(context: Any) -> int:
    """Multipliers of least norm."""
    return _share_multipliers(work_of(context), dependent_of(context), linear_of(context))
