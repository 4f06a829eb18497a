"""Solving along a spanning tree of the joint graph [Mufti 1983, sections 3 and 4]: one idea behind three solvers.

Of the rows of the joint that leads to body c from its parent p some are *taken*: solved for the body's own twist rate,

    x_c = G x_p + N y + b,

N a basis of what they leave free, y the joint's unknowns, b what the right sides ask for. So x = Z y + x_0 along the
tree (Remark 2), the multipliers of taken rows drop out, and what is *left*, R x = eta_R, keeps its own:

    ( Z^T M Z   (R Z)^T ) ( y   )   ( Z^T (f - M x_0) )
    (  R Z         0    ) ( lam ) = (  eta_R - R x_0  )

parts      which rows are taken, the tables, the work space
joint      one joint: G and N from its rows, by a small elimination
sixes      six components, 6 x 6 matrices
sweeps     from the bases to the tips (motions) and back (forces, reactions)
reduced    the dense system above: solvers joint_rates and barycentric
eliminate  the same without any matrix for the tree: joint by joint, then the rows left: solver cut_joint
"""
