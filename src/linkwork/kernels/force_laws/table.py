"""All force elements of a mechanism: forces, stored energy, and exact derivatives."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.force_laws.laws import LAWS
from linkwork.kernels.jit import kernel
from linkwork.kernels.switch import Switch
from linkwork.kernels.tables import ForceElements

apply_of = Switch([law.apply for law in LAWS])
energy_of = Switch([law.energy for law in LAWS])
add_variation_of = Switch([law.add_variation for law in LAWS])


@kernel
def angle_before(e: ForceElements, k: int, angles: Any) -> Any:
    """The counted angle of element k among `angles`; 0 where it counts none."""
    m = e.memory[k]
    return angles[m] if m >= 0 else 0.0


@kernel
def apply_element(
    e: ForceElements, k: int, r: Any, A: Any, v: Any, w: Any, angles: Any, actuator: Any, f: Any, n: Any
) -> None:
    """Add element k to f (nb + 1, 3) N global and n (nb + 1, 3) N m in body components; angles : of the last step."""
    apply_of(e.law[k], e, k, r, A, v, w, angle_before(e, k, angles), actuator, f, n)


@kernel
def stored_energy(e: ForceElements, r: Any, A: Any, angles: Any) -> Any:
    """Sum of what the elements have stored [J]; angles (nt + nq,) with their turns. Actuators are not in it."""
    energy = 0.0
    for k in range(e.law.shape[0]):
        energy += energy_of(e.law[k], e, k, r, A, angle_before(e, k, angles))
    return energy


@kernel
def element_variation(
    e: ForceElements, k: int, r: Any, A: Any, v: Any, w: Any, angles: Any, actuator: Any, K: Any, C: Any
) -> None:
    """Exact derivatives of element k's generalised force (f_i, n_i, f_j, n_j), added to K and C, which hold zeros.

    K (12, 12) by (r_i, theta_i, r_j, theta_j), C (12, 12) by (v_i, w_i, v_j, w_j); theta body-fixed, forces global,
    torques and angular velocities in body components.
    """
    add_variation_of(e.law[k], e, k, r, A, v, w, angle_before(e, k, angles), actuator, K, C)
