"""Small motions about a state: equilibrium, linear models, modes, steady motion, loads of a prescribed motion.

All of it stands on one ground (`equations`): the Newton-Euler equations with multipliers and the constraint rows, in
small displacements (translation global, rotation in the body) of every body, with their exact first derivatives, and
the freedoms that the rows leave (`freedoms`). No differences are taken: rows are differentiated by complex steps
through their own kernels (`rows`), forces by the derivatives that Newton's method uses (`applied`).
"""
