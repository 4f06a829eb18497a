"""Index-1 equations M x + J^T lambda = f, J x = eta of bodies on SE(3) or SO(3) x R^3 [Müller 2013, eq. 3].

Solved for accelerations and multipliers; positions and velocities satisfy the constraints as far as integration does.
"""
