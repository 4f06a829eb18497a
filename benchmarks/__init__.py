"""Benchmarks: linkwork's time per step beside the paper's published code and beside Exudyn (docs/benchmarks.md)."""
