"""How much of a row must be its own for it to count as independent, where a pose misses the rows that it should meet.

Rows that are redundant depend on each other only at poses that meet them all: the share is OFF_MARGIN times how far the
pose is off, in typical lengths, and no more than OFF_LARGEST. It stands here for reports (`system.rank`), for explicit
runs (`problems.dependent`) and for implicit ones (`integrators.newton`, by the error of the predicted pose).
"""

from __future__ import annotations

OFF_MARGIN, OFF_LARGEST = 100.0, 1e-3
