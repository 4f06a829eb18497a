"""What force elements, loads and actuators add to the energies of recorded samples, compiled where there are any."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from linkwork.kernels.angles import count_angles
from linkwork.kernels.efforts import apply_efforts
from linkwork.kernels.force_laws.table import stored_energy
from linkwork.kernels.forces import LoadValues, applied_forces
from linkwork.kernels.formula import evaluate_drives
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Floats
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
    """Add the energy of springs and the power of everything that stores none. Returns OK.

    `lossy` is the same mechanism without weight and stiffness: what it applies adds or removes energy.
    """
    nb = tables.body.shape[0] - 1
    system, rest = system_of(tables), system_of(lossy)
    angles = forces.values.theta_previous
    for n in range(time.shape[0]):
        load_state(s, n, position, rotation, velocity, angular)
        load_values(tables, s, forces, time[n])
        count_angles(system, s.A, angles, angles)
        for b in range(nb + 1):
            put3(forces.f, b, (0.0, 0.0, 0.0))
            put3(forces.n, b, (0.0, 0.0, 0.0))
        applied_forces(rest, s.r, s.A, s.v, s.w, forces.values, forces.f, forces.n)
        if rest.efforts.quantity.shape[0] > 0:
            apply_efforts(rest, s.r, s.A, s.v, s.w, time[n], angles, forces.operands, s.stack, forces.f, forces.n)
        power = 0.0
        for b in range(nb):
            power += dot(get3(forces.f, b), get3(s.v, b)) + dot(get3(forces.n, b), get3(s.w, b))
        out.power[n] += power
        out.potential[n] += stored_energy(system.elements, s.r, s.A, angles)
    return OK


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
