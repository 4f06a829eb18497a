"""Lanes for the compiler: all that imports Numba.

number        the types: W numbers, W truth values; casts between them and numbers
comparisons   comparisons, and what a branch makes of W answers: one, and strays
arithmetic    sums, products, quotients
functions     square roots, cosines and the like
calling       how every kernel reaches the word that holds the strays
records       records whose floating-point arrays hold lanes
entries       entries for them, compiled from the same kernels
"""
