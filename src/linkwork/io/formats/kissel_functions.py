"""Derivatives that a file writes out beside its functions, checked against our exact ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.errors import LinkworkError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.expressions import Expression

TIMES = np.array([0.0, 0.137, 0.5, 0.911, 1.7, 2.83])
CLOSE = 1e-6


def check_derivatives(written: Mapping[str, tuple[Any, Any, Any]], mechanism: Mechanism) -> list[str]:
    """Notes on constraints whose written f_dot or f_ddot are not the derivatives of their written f.

    Only ours are ever used. `written` gives (f, f_dot, f_ddot) of each constraint as the file has them.
    """
    notes = []
    for name, (f, *derivatives) in written.items():
        try:
            ours = Expression.parse(0.0 if f is None else f).jet(TIMES)[1:]
        except LinkworkError:
            continue  # replaced by the side file; what is used has been checked already
        for text, exact, order in zip(derivatives, ours, ("f_dot", "f_ddot"), strict=True):
            if text is None:
                continue
            try:
                theirs = Expression.parse(text).jet(TIMES)[0]
            except LinkworkError as error:
                notes.append(f"constraint {name!r}: {order} is not a formula ({error.message}); it is not used")
                continue
            with np.errstate(all="ignore"):
                off = np.abs(theirs - exact) / np.maximum(1.0, np.abs(exact))
            if not np.all(off <= CLOSE):
                notes.append(
                    f"constraint {name!r}: {order} is written as {text!r}, which is not the derivative of {str(f)!r}; "
                    "the exact derivative is used"
                )
    return notes
