"""Measures of the sources as a house: `scripts/measure_house`."""
