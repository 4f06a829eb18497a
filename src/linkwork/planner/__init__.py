"""State the accuracy: which formulation, integrator and tolerance meet it, and an estimate of the global error.

`asked.py` reads what accuracy is asked for, `global_error.py` measures how far two runs are apart in these quantities,
`tolerances.py` runs at tighter and tighter tolerances until the estimate is met, `accuracy.py` is what a result then
says of it. `mechanisms.py` says what a mechanism is, `candidates.py` which pairs can run it and what they are predicted
to cost, `plan.py` chooses among them, `wisdom.py` keeps what a machine taught.
"""

from __future__ import annotations
