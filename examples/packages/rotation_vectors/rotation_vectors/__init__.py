"""Absolute coordinates with rotation vectors: a formulation in a package of its own."""
