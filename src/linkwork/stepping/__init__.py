"""Simulations stepped from a program: simulators, their channels, and controllers that are sampled while they run."""
