"""Spatial vectors and inertias, in frames that follow each other by screws.

A twist (omega, v) is a tuple of six: angular velocity, and velocity of the frame's origin. A wrench or momentum (n, f)
is one as well: torque about the origin, and force. A spatial inertia is a tuple of 21 numbers, symmetric blocks by
their upper triangles, which maps a twist to a momentum:

    n = I omega + H v,    f = H^T omega + M v;    I (xx xy xz yy yz zz), H (rows: torque) row by row, M as I.

[Naudet 2003] prints linear parts first; angular parts come first here.
"""
