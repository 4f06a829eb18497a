"""The joint graph of a mechanism: spanning tree, regular labels, cut joints and their loops [Mufti 1983, section 2].

`topology_of` makes a `Topology`. Bodies and ground are the vertices of the graph, joints and raw constraints its arcs
(`arcs.py`); `spanning.py` chooses which arcs carry the tree, `labels.py` numbers the bodies, `loops.py` finds what the
other arcs close over, `matrices.py` writes C, S, T and C*.
"""

from linkwork.system.topology.arcs import Arc, any_element, joints_only
from linkwork.system.topology.build import topology_of
from linkwork.system.topology.labels import Tree
from linkwork.system.topology.loops import Cuts
from linkwork.system.topology.topology import Topology

__all__ = ["Arc", "Cuts", "Topology", "Tree", "any_element", "joints_only", "topology_of"]
