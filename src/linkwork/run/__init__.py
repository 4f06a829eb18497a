"""The story of a run: formulation and integrator matched, a consistent start, chunk by chunk to the end, recorded.

`simulate.py` tells it; `matching.py` pairs formulation and integrator, `starting.py` finds the start, `session.py`
carries a run out, `recording.py` keeps samples, `chunks.py` sizes the steps between two looks at the clock,
`uniqueness.py` says which reactions are not unique, `snapshot.py` where a run stands, for another process to go on.
"""
