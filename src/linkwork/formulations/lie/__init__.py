"""Newton-Euler equations on Lie groups, each body on SE(3) or on SO(3) x R^3 [Müller 2013]."""
