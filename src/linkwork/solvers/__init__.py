"""Ways of solving the index-1 system M x + J^T lambda = f, J x = eta [Müller 2013, eq. 3; Mufti 1983]: one module each.

augmented         the whole system at once, by sparse LU; runs bodies without inertia about an axis that joints hold
range_space       lambda first, from J M^-1 J^T, by sparse L D L^T; needs an inverse of every inertia
partial           translations eliminated, rotations and lambda at once, by sparse LU
penalty           lambda from what constraints are missed by, raised until they are met; by sparse L D L^T
null_space        motions that the rows leave free, by dense QR, SVD or LU of all rows (null_space_parts)
null_space_graph  the same along a spanning tree, and QR of what cut joints ask of it
joint_rates       quasi-rates of the tree's joints, lambda of cut joints
barycentric       angular accelerations of augmented bodies, lambda of rotational rows and of cut joints
cut_joint         the tree eliminated joint by joint, then lambda of cut joints
tree              what the last four share

choice takes range_space where every inertia has an inverse and augmented elsewhere, for who does not name one. trust
says how near a rank loss a matrix may be. compiled_* hold the entries of each.
"""
