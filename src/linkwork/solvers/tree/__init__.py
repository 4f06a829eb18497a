"""Solving along a spanning tree of the joint graph [Mufti 1983, sections 3 and 4]: one idea behind three solvers.

Of the rows of the joint that leads to body c from its parent p some are *taken*: solved for the twist rate of body c,

    x_c = G x_p + N y + b,

N a basis of the motions that they allow, y the joint's unknowns, b from the right sides. So x = Z y + x_0 along the
tree (Remark 2), the multipliers of taken rows drop out, and the other rows, R x = eta_R, are *kept*, with their
multipliers:

    ( Z^T M Z   (R Z)^T ) ( y   )   ( Z^T (f - M x_0) )
    (  R Z         0    ) ( lam ) = (  eta_R - R x_0  )

parts      which rows are taken, the arrays
joint      one joint: G and N from its rows, by a small elimination
sixes      six components, 6 x 6 matrices
sweeps     passes from the bases to the tips (rates) and back (wrenches, multipliers)
reduced    the dense system above: solvers joint_rates and barycentric
eliminate  the same without any matrix for the tree, joint by joint, then the kept rows: solver cut_joint
"""
