"""What the absolute-coordinate formulations rA, rp and re share: Newton-Euler, rows, iteration matrix.

Geometry is computed once, per body, in r, A and the body-fixed rotation theta; a space (`linkwork.spaces`)
pulls it back to its own coordinates.
"""
