"""Applied forces on all bodies: gravity, loads at points, force elements; their energies and derivatives.

The generalised force of a body is (f, n): the force in global components at the body frame's origin (the centre of
mass) and the torque about it in body components, as in [Kissel 2021, eq. 31]. Arrays run over nb + 1 bodies; the
last, ground, collects sums that nobody reads.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from linkwork.kernels.force_laws.table import apply_element, stored_energy
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import get9, rotate, rotate_t, skew
from linkwork.kernels.records import Shape
from linkwork.kernels.rows.blocks import R_I, THETA_I, add_block, tilde_tilde, times_tilde
from linkwork.kernels.tables import Floats, System
from linkwork.kernels.vec3 import add3, cross, dot, get3, scale


class LoadValues(NamedTuple):
    """What the formulas of time came to at the present time, constants included; and counted angles."""

    loads: Annotated[Floats, Shape("n loads", 3), "N, N m", "of loads"]
    elements: Annotated[Floats, Shape("n elements"), "N, N m", "actuators"]
    theta_previous: Annotated[Floats, Shape("nt + nq"), "rad", "each angle is counted to be the nearest to this"]


@kernel
def applied_forces(system: System, r: Any, A: Any, v: Any, w: Any, values: LoadValues, f: Any, n: Any) -> None:
    """Add every applied force to f (nb + 1, 3) [N, global] and n (nb + 1, 3) [N m, body components].

    r (nb + 1, 3), A (nb + 1, 9), v (nb + 1, 3) global, w (nb + 1, 3) body components.
    """
    g = (system.gravity[0], system.gravity[1], system.gravity[2])
    for b in range(system.bodies.mass.shape[0]):
        add3(f, b, scale(system.bodies.mass[b], g))
    for k in range(system.loads.body.shape[0]):
        apply_load(system, k, A, values, f, n)
    for k in range(system.elements.law.shape[0]):
        apply_element(system.elements, k, r, A, v, w, values.theta_previous, values.elements[k], f, n)


@kernel
def apply_load(system: System, k: int, A: Any, values: LoadValues, f: Any, n: Any) -> None:
    """Add load k: a force at a point of the body, or a torque, in global or body axes."""
    loads = system.loads
    b = loads.body[k]
    A_b, F = get9(A, b), get3(values.loads, k)
    in_body = F if loads.body_axes[k] == 1 else rotate_t(A_b, F)
    if loads.torque[k] == 1:
        add3(n, b, in_body)
    else:
        add3(f, b, rotate(A_b, F) if loads.body_axes[k] == 1 else F)
        add3(n, b, cross(get3(loads.point, k), in_body))


@kernel
def load_variation(system: System, k: int, r: Any, A: Any, values: LoadValues, K: Any) -> None:
    """Add the exact derivative of load k's (f, n) by (r, theta) of its body to K (6, 6).

    A force in body axes turns with the body, one in global axes turns against it; the other two changes are zero.
    """
    loads = system.loads
    b = loads.body[k]
    A_b, F = get9(A, b), get3(values.loads, k)
    if loads.body_axes[k] == 1:
        if loads.torque[k] == 0:
            add_block(K, R_I, THETA_I, -1.0, times_tilde(A_b, F))
    elif loads.torque[k] == 1:
        add_block(K, THETA_I, THETA_I, 1.0, skew(rotate_t(A_b, F)))
    else:
        add_block(K, THETA_I, THETA_I, 1.0, tilde_tilde(get3(loads.point, k), rotate_t(A_b, F)))


@kernel
def gravity_energy(system: System, r: Any) -> Any:
    """-sum m g . r [J], zero at the global origin."""
    g = (system.gravity[0], system.gravity[1], system.gravity[2])
    energy = 0.0
    for b in range(system.bodies.mass.shape[0]):
        energy -= system.bodies.mass[b] * dot(g, get3(r, b))
    return energy


@kernel
def potential_energy(system: System, r: Any, A: Any, theta: Any) -> Any:
    """Gravity and force elements together [J]; theta (nt + nq,) are counted angles.

    Loads and actuators are not in it: they do work.
    """
    return gravity_energy(system, r) + stored_energy(system.elements, r, A, theta)
