"""Index-3 equations: Newton-Euler residual with the constraint rows, and its matrix [Kissel 2021, eqs. 33-45]."""
