"""Recorded steps on a graphics processor: one instance in a thread, by the operations that lanes carry out.

What is recorded of a step (`lanes.traced`) is written as LLVM's text once more, with one number in the place of W, and
LLVM translates it for NVIDIA's devices. Sums, products, quotients and square roots are rounded alike there, and
products are fused with the same sums as on a processor that fuses them: every bit is that of lanes.

text    the functions, and the kernels around them
device  memory and launches: of NVIDIA's driver, or simulated on this processor by the same functions
batch   many instances of one run
runner  the instances of a sweep
"""
