"""The constrained Newton-Euler equations, solved in many ways [Mufti 1983]: one physics, different linear algebra."""
