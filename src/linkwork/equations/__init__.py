"""Equations that several formulations share: Newton-Euler terms, pulled-back rows, what depends on time alone."""
