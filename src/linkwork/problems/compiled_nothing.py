"""The entry that is called where there is nothing to do."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import entry
from linkwork.problems.context import ENTRY


@entry(ENTRY)
def nothing(context: Any) -> int:
    """Do nothing."""
    return 0
