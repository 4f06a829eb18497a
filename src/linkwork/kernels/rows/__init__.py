"""Constraint rows: one file per primitive, and `table`, which runs over all rows of a mechanism.

Everything is written in r, A and the body-fixed rotation theta (A -> A exp(skew(theta))), so that it serves every
choice of coordinates: a space pulls a rotation part back to its own (phi_q = Pi B(q)).
"""
