"""What force elements, loads and actuators add to the energies of recorded samples, compiled where there are any."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from linkwork.kernels.angles import count_angles
from linkwork.kernels.efforts import apply_efforts, effort_now
from linkwork.kernels.force_laws.table import apply_element, stored_energy
from linkwork.kernels.forces import LoadValues, applied_forces, apply_load
from linkwork.kernels.formula import evaluate_drives
from linkwork.kernels.jit import kernel
from linkwork.kernels.quantities.table import measure
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Floats, System
from linkwork.kernels.vec3 import dot, get3, put3
from linkwork.status import Status
from linkwork.system.derived_kernels import Derived, Scratch, load_state
from linkwork.system.packed import ACTUATOR, Tables, programs_of, system_of

OK = int(Status.OK)


class ForceScratch(NamedTuple):
    """One sample's forces."""

    f: Annotated[Floats, Shape("nb + 1", 3), "N", "forces on bodies, global"]
    n: Annotated[Floats, Shape("nb + 1", 3), "N m", "torques, body components"]
    values: LoadValues
    drive: Annotated[Floats, Shape("most", 3), "value and derivatives of one group of formulas at a time"]
    operands: Annotated[Floats, Shape("2 * nq + ni"), "what formulas of the state read"]


class Applied(NamedTuple):
    """What is applied to bodies over time, at and about their centres of mass."""

    f: Annotated[Floats, Shape("n", "nb + 1", 3), "N", "global"]
    n: Annotated[Floats, Shape("n", "nb + 1", 3), "N m", "body components"]


@kernel
def load_values(tables: Any, s: Scratch, forces: ForceScratch, t: Any) -> None:
    """Formulas of loads and actuators at time t."""
    programs, out, values = programs_of(tables), forces.drive, forces.values
    for c in range(3):
        evaluate_drives(programs, tables.load_int[:, 3 + c], tables.load[:, 3 + c], t, s.stack, out)
        for k in range(tables.load.shape[0]):
            values.loads[k, c] = out[k, 0]
    evaluate_drives(programs, tables.element_int[:, 3], tables.element[:, ACTUATOR], t, s.stack, out)
    for k in range(tables.element.shape[0]):
        values.elements[k] = out[k, 0]


@kernel
def add_forces(
    tables: Tables, lossy: Tables, s: Scratch, forces: ForceScratch, time: Any, position: Any, rotation: Any,
    velocity: Any, angular: Any, out: Derived,
) -> int:  # fmt: skip
    """Add the energy of springs, and what everything that stores none gives (power) and takes (taken). Returns OK.

    `lossy` is the same mechanism without weight and stiffness: what it applies adds or removes energy. What an element
    gives and what its damping takes are counted apart, so that neither hides the other.
    """
    system, rest = system_of(tables), system_of(lossy)
    angles = forces.values.theta_previous
    loads, elements, efforts = rest.loads.body.shape[0], rest.elements.law.shape[0], rest.efforts.quantity.shape[0]
    for n in range(time.shape[0]):
        load_state(s, n, position, rotation, velocity, angular)
        load_values(tables, s, forces, time[n])
        count_angles(system, s.A, angles, angles)
        for k in range(loads):
            count_power(out, n, load_power(rest, k, s, forces))
        for k in range(elements):
            damped = element_power(rest, k, s, forces, 0.0)
            count_power(out, n, damped)
            if forces.values.elements[k] != 0.0:
                count_power(out, n, element_power(rest, k, s, forces, forces.values.elements[k]) - damped)
        if efforts > 0:
            q = rest.quantities
            measure(q, s.r, s.A, s.v, s.w, angles, angles.shape[0] - q.kind.shape[0], forces.operands)
            for k in range(efforts):
                add_effort_power(rest, k, s, forces, time[n], out, n)
        out.potential[n] += stored_energy(system.elements, s.r, s.A, angles)
    return OK


@kernel
def count_power(out: Derived, n: Any, power: Any) -> None:
    """Add what one part of the mechanism gives at sample n, W; negative: takes."""
    out.power[n] += power
    out.taken[n] += max(-power, 0.0)


@kernel
def no_force(forces: ForceScratch, b: Any) -> None:
    """f and n of body b are zero."""
    put3(forces.f, b, (0.0, 0.0, 0.0))
    put3(forces.n, b, (0.0, 0.0, 0.0))


@kernel
def power_on(s: Scratch, forces: ForceScratch, b: Any) -> Any:
    """f . v + n . omega of body b, W."""
    return dot(get3(forces.f, b), get3(s.v, b)) + dot(get3(forces.n, b), get3(s.w, b))


@kernel
def load_power(system: System, k: Any, s: Scratch, forces: ForceScratch) -> Any:
    """What load k gives to its body, W. Overwrites the body's f and n."""
    b = system.loads.body[k]
    no_force(forces, b)
    apply_load(system, k, s.A, forces.values, forces.f, forces.n)
    return power_on(s, forces, b)


@kernel
def element_power(system: System, k: Any, s: Scratch, forces: ForceScratch, actuator: Any) -> Any:
    """What element k gives to its two bodies, W, its actuator being `actuator`. Overwrites their f and n."""
    e, angles = system.elements, forces.values.theta_previous
    i, j = e.body_i[k], e.body_j[k]
    no_force(forces, i)
    no_force(forces, j)
    apply_element(e, k, s.r, s.A, s.v, s.w, angles, actuator, forces.f, forces.n)
    return power_on(s, forces, i) + (power_on(s, forces, j) if j != i else 0.0)


@kernel
def add_effort_power(
    system: System, k: Any, s: Scratch, forces: ForceScratch, t: Any, out: Derived, n: Any
) -> None:  # fmt: skip
    """Add what effort k gives at sample n, all quantities being measured: its value at rest times the rate of its
    quantity, and what its value changes by with that rate."""
    place = 2 * system.efforts.quantity[k] + 1
    rate = forces.operands[place]
    whole, _ = effort_now(system, k, t, forces.operands, -1, s.stack)
    forces.operands[place] = 0.0
    at_rest, _ = effort_now(system, k, t, forces.operands, -1, s.stack)
    forces.operands[place] = rate
    count_power(out, n, at_rest * rate)
    count_power(out, n, (whole - at_rest) * rate)


@kernel
def element_forces(
    tables: Tables, s: Scratch, forces: ForceScratch, time: Any, position: Any, rotation: Any, velocity: Any,
    angular: Any, out: Applied,
) -> int:  # fmt: skip
    """What force elements, loads and weight apply to each body, sample by sample, added to `out`."""
    system = system_of(tables)
    angles = forces.values.theta_previous
    for k in range(time.shape[0]):
        load_state(s, k, position, rotation, velocity, angular)
        load_values(tables, s, forces, time[k])
        count_angles(system, s.A, angles, angles)
        applied_forces(system, s.r, s.A, s.v, s.w, forces.values, out.f[k], out.n[k])
        if system.efforts.quantity.shape[0] > 0:
            apply_efforts(system, s.r, s.A, s.v, s.w, time[k], angles, forces.operands, s.stack, out.f[k], out.n[k])
    return OK
