"""Ways of solving the index-1 system M x + J^T lambda = f, J x = eta [Müller 2013, eq. 3].

range_space : lambda first, from J M^-1 J^T, by a sparse Cholesky-like factorisation; needs an inverse of every inertia.
augmented : the whole system at once, by sparse LU; runs bodies without inertia about an axis that joints hold.
"""
