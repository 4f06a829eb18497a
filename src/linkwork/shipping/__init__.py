"""Compiling ahead of time: all entries of linkwork, for several processors, into the libraries that a wheel holds.

`scripts/wheel` calls it. What it makes is read by `linkwork.shipped`.
"""
