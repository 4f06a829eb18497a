"""The implicit index-3 problem with each body on SE(3) or on SO(3) x R^3, for Lie-group generalized-alpha and its kin.

The unknowns of a body on SE(3) are the rates (vdot, omegadot) of its twist in body components, translation first; of
one on SO(3) x R^3 they are (rddot, omegadot), as in rA. Rows, forces and their variations are those of `absolute`.
"""
