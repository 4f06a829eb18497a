"""The entry that chooses independent closing rows, compiled where they may depend on each other."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.context import factors_of, links_of, own_of
from linkwork.formulations.recursive.loop_redundancy import choose_rows
from linkwork.kernels.jit import entry
from linkwork.problems.explicit_context import ENTRY, dependent_of, work_of


@entry(ENTRY)
def seek(context: Any) -> int:
    """Which closing rows depend on others."""
    return choose_rows(work_of(context), links_of(context), own_of(context), factors_of(context), dependent_of(context))
