"""Sensitivities: exact derivatives of runs, equilibria and eigenvalues with respect to numbers of the description.

What a run does step by step is differentiated by the run itself: the same kernels and the same integrator on dual
numbers (`dual_numbers`, `dual_entries`), whose tangents begin as those of the described numbers (`described`, `start`)
and stand beside every array that compiled code works on (`memory`).
"""
