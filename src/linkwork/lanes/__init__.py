"""Lanes: several instances of one mechanism in one thread, side by side in vector registers.

A lane type, W double-precision numbers in one value, is registered with the compiler, and the kernels that carry one
instance carry W of them, unchanged. Where instances answer a comparison differently, those that are fewer are marked
as strays: what they hold from then on means nothing, and whoever runs the batch runs them again alone.

processor   how many lanes, and what stands against them
batch       a run of steps of one size, W instances at once
memory      the arrays of W instances, number by number side by side
traced      steps of trees as straight-line code, which needs no compiled kernels
compiler    the type, and entries of it; imported when a batch is made
"""
