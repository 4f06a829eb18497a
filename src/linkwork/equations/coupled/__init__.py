"""Rigid couplings and rotors beside any equations: the equations without them, bordered by a few more unknowns.

A coupling touches as many bodies as it likes, and rows touch two. So a formulation makes its problem of the mechanism
without couplings (`CompiledMechanism.bare`), and is wrapped in another problem of the same shape. With K the matrix of
the formulation, whatever it is, and x = K^-1 f its way of solving, the system of n couplings more

    K x + C^T mu = f,    C x - c mu = eta        (c = 0 of a rigid one, 1/I of a rotor, whose mu is its torque)

is solved by n further solutions: X = K^-1 C^T, then (C X + c) mu = C x_0 - eta, and x = x_0 - X mu.
"""
