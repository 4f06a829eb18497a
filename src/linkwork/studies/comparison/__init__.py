"""Comparing formulations and integrators on one mechanism: a study from its description to its report.

`study` is the description, `plan` makes runs of it, `workers` carries them out in processes, `store` keeps what is
finished, `reference` says what is true and how well that is known, `measures` what the runs are worth.
"""
