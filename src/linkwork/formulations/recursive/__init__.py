"""Recursive formulations along the links of a mechanism: `canonical` [Naudet 2003] and `articulated-body`.

Both eliminate joint by joint from the tips to the base and go back once; both stand on one set of tables
(`system.links`) and kernels. What differs is the state: joint coordinates with momenta conjugate to them, or with their
rates. Joints that close loops keep their rows; their multipliers meet the tree in the Schur complement.
"""
