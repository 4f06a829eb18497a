"""The shapes in which a formulation hands itself to an integrator."""
