"""Functions in joint coordinates: of any mechanism's spanning tree, by the joint library of the recursive formulations.

`joint_coordinates` and `forward_kinematics` go from bodies to joints and back; `mass_matrix`, `jacobian` and
`inverse_dynamics` are the classical recursions (composite rigid bodies, Newton-Euler). One evaluation from Python, in
NumPy; simulations run in compiled code instead.
"""

from linkwork.analysis.joint_space.dynamics import inverse_dynamics, mass_matrix
from linkwork.analysis.joint_space.jacobian import jacobian
from linkwork.analysis.joint_space.state import JointState, forward_kinematics, joint_coordinates

__all__ = ["JointState", "forward_kinematics", "inverse_dynamics", "jacobian", "joint_coordinates", "mass_matrix"]
